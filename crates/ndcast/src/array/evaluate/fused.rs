//! Peephole fusion: operations one behind the other become one kernel, in one pass over the elements.

use smallvec::SmallVec;

use super::program::{Program, Typed};
use crate::convert::{self, Overflow};
use crate::dtype::DType;
use crate::engine::{Argument, Fold, Step};
use crate::kernel::Kernel;
use crate::op::{self, Law, Op};
use crate::reduction::Reduction;

/// What a step does: a chain of operations of one type, each with the result before it as its first argument; or, without
/// operations, a conversion to that type.
#[derive(Clone)]
pub(super) struct Fused {
    /// The type that is converted; `dtype` for operations.
    from: DType,
    ops: SmallVec<[Op; 4]>,
    dtype: DType,
}

impl Fused {
    pub(super) fn new(op: Op, dtype: DType) -> Fused {
        Fused { from: dtype, ops: smallvec::smallvec![op], dtype }
    }

    pub(super) fn conversion(from: DType, dtype: DType) -> Fused {
        Fused { from, ops: SmallVec::new(), dtype }
    }

    /// The fold of its results, which have this type, fused with its operations if there is a kernel. Not of absolute values
    /// of complex numbers, whose type is another.
    fn folded(&self, reduction: Reduction, dtype: DType) -> Option<Fold> {
        if self.dtype == dtype {
            reduction.fold_of(self.from, &self.ops, dtype)
        } else {
            reduction.fold(dtype)
        }
    }
}

impl Program<'_> {
    /// Ends the program with its value: that is then the last step's, or the only operand's.
    pub(super) fn end(&mut self, value: Typed) {
        self.end_with(value, None);
    }

    fn end_with(&mut self, value: Typed, folded: Option<Reduction>) {
        let mut value = self.fused(value, folded);
        self.leave_out(&mut value);
        let copied = match value.argument {
            Argument::Step(step) => step + 1 != self.steps.len(),
            Argument::Operand(operand) => operand != 0 || !self.steps.is_empty() || self.operands.len() > 1,
            Argument::Before => true,
        };
        if let (true, Some(kernel)) = (copied, convert::kernel(value.dtype, value.dtype, Overflow::Numpy)) {
            let size = value.dtype.size().unwrap_or(1);
            self.steps.push(Step { kernel, arguments: smallvec::smallvec![value.argument], size });
        }
    }

    /// As [`Self::end`], for a value that is folded; how that is done.
    pub(super) fn end_folded(&mut self, value: Typed, reduction: Reduction) -> Option<Fold> {
        self.end_with(value, Some(reduction));
        // A copy at the end is no operation.
        let last = self.steps.len().checked_sub(1).and_then(|last| self.ops.get(last)?.as_ref());
        last.map_or_else(|| reduction.fold(value.dtype), |last| last.folded(reduction, value.dtype))
    }

    /// Replaces steps by fused kernels; returns where the value is then. A step that the fold's own kernel absorbs is not
    /// merged with a conversion.
    fn fused(&mut self, mut value: Typed, folded: Option<Reduction>) -> Typed {
        let mut uses: SmallVec<[usize; 16]> = smallvec::smallvec![0; self.steps.len()];
        let all = self.steps.iter().flat_map(|step| &step.arguments).chain([&value.argument]);
        for argument in all {
            if let Argument::Step(step) = *argument {
                uses[step] += 1;
            }
        }
        for number in (0..self.steps.len()).rev() {
            if uses[number] > 0 {
                continue;
            }
            // A dead step uses nothing.
            for argument in &self.steps[number].arguments {
                if let Argument::Step(step) = *argument {
                    uses[step] -= 1;
                }
            }
        }
        for number in 0..self.steps.len() {
            while uses[number] > 0
                && let Some((step, place, fused, kernel)) = self.found(number, &uses)
            {
                let mut arguments = self.steps[step].arguments.clone();
                let others = self.steps[number].arguments.iter().enumerate();
                arguments.extend(others.filter(|(other, _)| *other != place).map(|(_, &argument)| argument));
                self.steps[number] = Step { kernel, arguments, size: self.steps[number].size };
                self.ops[number] = Some(fused);
                uses[step] = 0;
            }
        }
        for number in 0..self.steps.len() {
            let fold = folded.filter(|_| value.argument == Argument::Step(number));
            let by_itself = fold
                .and_then(|fold| self.ops[number].as_ref()?.folded(fold, value.dtype))
                .is_some_and(|fold| fold.of.is_some());
            if uses[number] > 0
                && !by_itself
                && let Some((step, kernel, arguments)) = self.converting(number, &uses)
            {
                self.steps[number] = Step { kernel, arguments, size: self.steps[number].size };
                self.ops[number] = None;
                uses[step] = 0;
            }
        }
        if uses.contains(&0) {
            self.renumber(&uses, &mut value);
        }
        value
    }

    /// A step that is an argument of this one and of no other, which argument it is, and what does both.
    fn found(&self, number: usize, uses: &[usize]) -> Option<(usize, usize, Fused, Kernel)> {
        let outer = self.ops[number].as_ref()?;
        self.steps[number].arguments.iter().enumerate().find_map(|(place, &argument)| {
            let Argument::Step(step) = argument else { return None };
            let inner = self.ops[step].as_ref()?;
            if uses[step] != 1 || inner.dtype != outer.dtype {
                return None;
            }
            let kernel = op::fused(&inner.ops, &outer.ops, place, outer.dtype)?;
            let ops = inner.ops.iter().chain(&outer.ops).copied().collect();
            Some((step, place, Fused { ops, ..*outer }, kernel))
        })
    }

    /// A step that only this one needs, where one of the two is a conversion; what does both, and of what.
    fn converting(&self, number: usize, uses: &[usize]) -> Option<(usize, Kernel, SmallVec<[Argument; 3]>)> {
        let outer = self.ops[number].as_ref()?;
        let arguments = &self.steps[number].arguments;
        arguments.iter().enumerate().find_map(|(place, &argument)| {
            let Argument::Step(step) = argument else { return None };
            let inner = self.ops[step].as_ref().filter(|_| uses[step] == 1)?;
            let of_inner = &self.steps[step].arguments;
            if outer.ops.is_empty() {
                return Some((step, op::writing(&inner.ops, inner.dtype, outer.dtype)?, of_inner.clone()));
            }
            // A kernel that converts does not find its first argument in its result.
            let &[converted] = &of_inner[..] else { return None };
            if !inner.ops.is_empty() || converted == Argument::Before {
                return None;
            }
            let first =
                place == 0 || matches!(outer.ops[..], [op] if op.record().laws.contains(&Law::Commutative));
            let kernel = op::reading(inner.from, &outer.ops, outer.dtype).filter(|_| first)?;
            let others = arguments.iter().enumerate().filter(|(other, _)| *other != place);
            Some((step, kernel, [converted].into_iter().chain(others.map(|(_, &other)| other)).collect()))
        })
    }

    /// Removes dead steps and renumbers the others.
    fn renumber(&mut self, uses: &[usize], value: &mut Typed) {
        let mut left = 0;
        let numbers: SmallVec<[usize; 16]> = uses
            .iter()
            .map(|&uses| {
                left += usize::from(uses > 0);
                left - usize::from(uses > 0)
            })
            .collect();
        let mut used = uses.iter().map(|&uses| uses > 0);
        self.steps.retain(|_| used.next().unwrap_or_default());
        let mut used = uses.iter().map(|&uses| uses > 0);
        self.ops.retain(|_| used.next().unwrap_or_default());
        let arguments = self.steps.iter_mut().flat_map(|step| &mut step.arguments);
        for argument in arguments.chain([&mut value.argument]) {
            if let Argument::Step(step) = argument {
                *step = numbers[*step];
            }
        }
    }

    /// Removes unread operands and renumbers the others.
    fn leave_out(&mut self, value: &mut Typed) {
        let mut arguments: Vec<&mut Argument> =
            self.steps.iter_mut().flat_map(|step| &mut step.arguments).chain([&mut value.argument]).collect();
        for number in (0..self.operands.len()).rev() {
            if arguments.iter().any(|argument| **argument == Argument::Operand(number)) {
                continue;
            }
            self.operands.remove(number);
            for argument in &mut arguments {
                if let Argument::Operand(later) = argument
                    && *later > number
                {
                    *later -= 1;
                }
            }
        }
    }
}
