//! Runs a fold: how its loops are nested, so that its operands are read as they lie in memory, and how its result then lies.
//!
//! Each fold is the same tree in any nesting ([`Extents::new`]); only which fold is done when is another. Where every tree
//! gives the same bits, the form is that of the nesting.

use super::order::{Loops, Order, Strides};
use super::program::{Program, Typed};
use super::schedule::Schedule;
use super::stage::{as_it_is, shape, stored};
use crate::array::Number;
use crate::engine::{self, By, Extents, Fold, Form, Job, SHORT};
use crate::error::Error;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// The fewest adjacent folds that are worth folding row by row.
const BESIDE: usize = 32;

/// At least so many adjacent folds, of at least so many elements each, are folded row by row where a step computes their
/// elements.
const COMPUTED: [usize; 2] = [8, 128];

/// Shorter contiguous runs, scattered over memory, are folded first.
const FEW: usize = 64;

/// More elements than this are not copied to be folded.
const COPIED: usize = 1 << 24;

/// A fold along axes.
pub(super) fn reduced(
    schedule: &Schedule,
    place: usize,
    reduction: Reduction,
    axes: &[usize],
) -> Result<Tensor, Error> {
    let argument = schedule.items[place].arguments[0];
    let dtype = schedule.items[place].array.node().dtype();
    let (loops, shape) = (shape(schedule, argument), shape(schedule, place));
    let rank = loops.len();
    let count: usize = axes.iter().map(|&axis| loops[axis]).product();
    if count == 0 {
        let number = reduction.record().identity.unwrap_or_default();
        let one = Number::Float(number).tensor(dtype)?;
        let mut program = Program::new(schedule, shape.clone());
        let value = program.operand(one, &smallvec::smallvec![None; rank]);
        return stored(&mut program, value, &shape, dtype);
    }
    if shape.contains(&0) {
        return Tensor::uninitialised(&shape, dtype);
    }
    let mut program = Program::new(schedule, loops.clone());
    let mut value = program.item(argument, &as_it_is(rank))?;
    let mut left = loops.clone();
    if program.is_plain() {
        // Where there is no memory for what is made before, it only takes longer.
        let before = if reduction.is_free(value.dtype) {
            let first = innermost(&program, &loops, axes);
            first.iter().for_each(|&axis| left[axis] = 1);
            (!first.is_empty()).then(|| folded(&mut program, value, reduction, &loops, &first, &left))
        } else if is_against(&program, &loops, axes) {
            Some(stored(&mut program, value, &loops, value.dtype))
        } else {
            None
        };
        match before {
            Some(Ok(before)) => {
                program = Program::new(schedule, left.clone());
                value = program.operand(before, &as_it_is(rank));
            }
            Some(Err(_)) => left = loops,
            None => {}
        }
    }
    folded(&mut program, value, reduction, &left, axes, &shape)
}

/// A fold of a program's value along axes, into a tensor of the shape that comes of it.
fn folded(
    program: &mut Program<'_>,
    value: Typed,
    reduction: Reduction,
    loops: &[usize],
    axes: &[usize],
    shape: &[usize],
) -> Result<Tensor, Error> {
    let refused = || Error::not_taken(value.dtype, vec![]).of(reduction.record().name);
    let fold = program.end_folded(value, reduction).ok_or_else(refused)?;
    let is_computed_by_rows = program.is_one_step() && fold.of.is_some_and(|of| of.lanes.is_some());
    let by_rows = |extents: &Extents| {
        let is_as_many = extents.inner >= COMPUTED[0] && extents.reduced >= COMPUTED[1];
        program.is_plain() || is_computed_by_rows && is_as_many
    };
    let (extents, order) = nested(&program.strides(), by_rows, loops, axes, fold.any_order);
    let job = program.job(&order);
    order.without(axes, loops).tensor(shape, value.dtype, |result| into(&job, extents, fold, result))
}

/// A fold of a tensor with elements along axes into the shape that comes of it; `None` if there is no such fold.
pub(crate) fn of_tensor(
    tensor: &Tensor,
    reduction: Reduction,
    axes: &[usize],
    shape: &[usize],
) -> Option<Result<Tensor, Error>> {
    let fold = reduction.fold(tensor.dtype())?;
    let (loops, layout) = (tensor.shape(), tensor.layout());
    let strides = Strides::from_slice(layout.strides());
    let (extents, order) = nested(std::slice::from_ref(&strides), |_| true, loops, axes, fold.any_order);
    let walk = order.walk(loops, &strides, layout.offset().cast_signed());
    let operand = engine::Operand { bytes: tensor.memory(), size: tensor.size(), walk };
    let job = Job { elements: tensor.elements(), operands: vec![operand], steps: &[], by: By::Threads };
    let result = order.without(axes, loops);
    Some(result.tensor(shape, tensor.dtype(), |result| into(&job, extents, fold, result)))
}

/// Folds a job's values into a result that lies in the order of its outer and inner loops.
fn into(job: &Job<'_>, extents: Extents, fold: Fold, result: &mut Tensor) -> Result<(), Error> {
    if let Some(bytes) = result.memory_mut() {
        engine::reduce(job, extents, fold, &mut bytes[..extents.outer * extents.inner * fold.size])?;
    }
    Ok(())
}

/// The axes that an order-free fold should fold first, if any: the innermost ones in memory, if they are short and kept axes
/// lie between them and the other folded ones, so that each fold would read scattered short runs.
fn innermost(program: &Program<'_>, loops: &[usize], axes: &[usize]) -> Loops {
    let operands = program.strides();
    let lies = Order::alike(loops, operands.iter()).axes;
    let is_long = |axis: &&usize| loops[**axis] > 1;
    let inside = lies.iter().rev().filter(is_long).take_while(|axis| axes.contains(axis));
    let first: Loops = inside.copied().collect();
    let elements: usize = first.iter().map(|&axis| loops[axis]).product();
    let others = axes.iter().filter(|axis| is_long(axis) && !first.contains(axis)).count();
    if elements < FEW && others > 0 { first } else { Loops::new() }
}

/// The loop nesting of a fold in the order of its operand's axes, whatever its strides.
pub(super) fn fold_order(loops: &[usize], axes: &[usize]) -> (Extents, Order) {
    let kept = (0..loops.len()).filter(|axis| !axes.contains(axis)).collect();
    as_written(loops, axes, kept)
}

/// The same with the kept loops in this order, as far as they stay on their side of the last reduced one.
fn as_written(loops: &[usize], axes: &[usize], kept: Loops) -> (Extents, Order) {
    // The kept axes behind the last reduced one are the inner loops; those before it are the outer ones.
    let last = axes.last().map_or(0, |axis| axis + 1);
    let (outer, inner): (Loops, Loops) = kept.iter().copied().partition(|&axis| axis < last);
    let extent = |axes: &[usize]| axes.iter().map(|&axis| loops[axis]).product::<usize>();
    let extents = Extents::new(extent(&outer), extent(axes), extent(&inner));
    if extents.reduced < SHORT {
        // Short folds are done for many results at once.
        let inner = extents.outer * extents.inner;
        let order = Order::of(axes.iter().copied().chain(kept));
        return (Extents { outer: 1, inner, ..extents }, order);
    }
    (extents, Order::of(outer.into_iter().chain(axes.iter().copied()).chain(inner)))
}

/// The loop nesting for operands with these strides.
fn nested(
    operands: &[Strides],
    by_rows: impl Fn(&Extents) -> bool,
    loops: &[usize],
    axes: &[usize],
    any_order: bool,
) -> (Extents, Order) {
    let lies = Order::alike(loops, operands.iter()).axes;
    let is_kept = |axis: &usize| !axes.contains(axis);
    let kept: Loops = lies.iter().copied().filter(is_kept).collect();
    // The kept loops that lie inside of all reduced ones.
    let inside = lies.iter().rev().take_while(|&axis| is_kept(axis)).count();
    let (outer, inner) = kept.split_at(kept.len() - inside);
    let extent = |axes: &[usize]| axes.iter().map(|&axis| loops[axis]).product::<usize>();
    let order = |reduced: &[usize]| Order::of(outer.iter().chain(reduced).chain(inner).copied());
    let (extents, straight) = as_written(loops, axes, kept.clone());
    if any_order && extents.reduced >= SHORT {
        let reduced: Loops = lies.iter().copied().filter(|axis| axes.contains(axis)).collect();
        let mut order = order(&reduced);
        let goes_back = |axis: usize| {
            operands.iter().all(|strides| strides[axis] <= 0)
                && operands.iter().any(|strides| strides[axis] < 0)
        };
        for (&axis, backwards) in order.axes.iter().zip(&mut order.backwards) {
            *backwards = axes.contains(&axis) && goes_back(axis);
        }
        return (Extents::new(extent(outer), extents.reduced, extent(inner)), order);
    }
    match extents.form {
        Form::Runs => beside(operands, loops, axes, &kept, extents)
            .filter(|(beside, _)| by_rows(beside))
            .unwrap_or((extents, straight)),
        Form::Panels if extents.reduced >= SHORT && extent(inner) >= BESIDE => {
            (Extents { outer: extent(outer), inner: extent(inner), ..extents }, order(axes))
        }
        _ => (extents, straight),
    }
}

/// The nesting of innermost folds that are adjacent in memory (rows of a transposed matrix): rows across many folds are read
/// contiguously. Elements of several steps are better computed along each fold, from blocks.
fn beside(
    operands: &[Strides],
    loops: &[usize],
    axes: &[usize],
    kept: &[usize],
    extents: Extents,
) -> Option<(Extents, Order)> {
    let (mut kept, alone): (Loops, Loops) = kept.iter().copied().partition(|&axis| loops[axis] > 1);
    let last = *axes.iter().rfind(|&&axis| loops[axis] > 1)?;
    // The kept loops along which every operand goes straight on, the innermost of them last.
    let mut beside = Loops::new();
    while let Some(&axis) = kept.last() {
        let goes_on = operands.iter().all(|strides| {
            let whole = beside.first().map_or(1, |&next| strides[next] * loops[next].cast_signed());
            strides[axis] == whole || strides[axis] == 0 && beside.iter().all(|&next| strides[next] == 0)
        });
        if !goes_on {
            break;
        }
        beside.insert(0, axis);
        kept.pop();
    }
    let inner = beside.iter().map(|&axis| loops[axis]).product::<usize>();
    let across = |strides: &Strides| {
        strides[last].unsigned_abs() >= inner && beside.iter().any(|&axis| strides[axis] != 0)
    };
    (inner > 1 && operands.iter().any(across)).then(|| {
        let outer = extents.outer / inner;
        let order = alone.into_iter().chain(kept).chain(axes.iter().copied()).chain(beside);
        (Extents { outer, inner, form: Form::Lanes, ..extents }, Order::of(order))
    })
}

/// Whether folds of a fixed form read memory in such scattered short runs that it takes less time to copy the operand first;
/// not if the copy would be too large.
fn is_against(program: &Program<'_>, loops: &[usize], axes: &[usize]) -> bool {
    let operands = program.strides();
    let [strides] = &operands[..] else { return false };
    let lies = Order::alike(loops, operands.iter()).axes;
    let elements: usize = loops.iter().product();
    let repeats = loops.iter().zip(strides).any(|(&extent, &stride)| extent > 1 && stride == 0);
    if lies.is_sorted() || elements > COPIED || repeats {
        return false;
    }
    let inside = lies.iter().rev().take_while(|&axis| !axes.contains(axis)).map(|&axis| loops[axis]);
    let beside: usize = inside.product();
    match fold_order(loops, axes).0.form {
        Form::Interleaved(_) => true,
        Form::Runs => beside > 1 && beside < BESIDE,
        Form::Panels | Form::Lanes => false,
    }
}
