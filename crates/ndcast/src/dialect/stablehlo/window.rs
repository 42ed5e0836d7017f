//! `dynamic_reduce_window`: windows whose sizes are operands, which `jax.export` writes for running folds along axes whose
//! extents are not known.

use super::Builder;
use crate::dialect::hlo::{self, Padding, Window};
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Accumulate, Direction, Start};
use crate::layout::as_i64;
use crate::op::Op;

/// What the windows along each axis are: the operands that say it.
#[derive(Clone, Copy, Debug)]
pub struct WindowOperands {
    /// How many elements each window has.
    pub sizes: Id,
    /// How far one is from the next.
    pub strides: Id,
    /// How far the operand's elements are put from each other before.
    pub base_dilations: Id,
    /// How far an element is from the next in a window.
    pub dilations: Id,
    /// What is put before and behind the operand: two numbers for each axis.
    pub padding: Id,
}

impl Builder<'_> {
    /// `dynamic_reduce_window` with the instruction of this opcode.
    ///
    /// DIFFERENCE: along an axis whose windows are of a size that is not known, the fold is a running one: each element with
    /// all before it, or all behind it. Windows that turn out not to be that are an error when the graph runs.
    ///
    /// # Errors
    /// As [`hlo::Builder::reduce_window`]; if an operand does not have one number (of the padding two) for each axis; or if
    /// windows of a size that is not known cannot be those of a running fold.
    pub fn dynamic_reduce_window(
        &mut self,
        operand: Id,
        init: Id,
        opcode: &str,
        windows: WindowOperands,
    ) -> Result<Id, Error> {
        self.windowed(operand, init, opcode, windows).map_err(|error| error.called("dynamic_reduce_window"))
    }

    fn windowed(
        &mut self,
        operand: Id,
        init: Id,
        opcode: &str,
        windows: WindowOperands,
    ) -> Result<Id, Error> {
        let rank = hlo::dims(self.graph, operand)?.len();
        let sizes = self.numbers(windows.sizes, rank)?;
        let strides = self.numbers(windows.strides, rank)?;
        let base = self.numbers(windows.base_dilations, rank)?;
        let dilations = self.numbers(windows.dilations, rank)?;
        let padding = self.numbers(windows.padding, 2 * rank)?;
        let (mut known, mut running) = (Vec::with_capacity(rank), Vec::new());
        for axis in 0..rank {
            let around = [padding[2 * axis], padding[2 * axis + 1]];
            let all = [sizes[axis], strides[axis], base[axis], dilations[axis], around[0], around[1]];
            if let [Some(size), Some(stride), Some(base), Some(dilation), Some(low), Some(high)] =
                all.map(|(_, n)| n)
            {
                let padding = Padding { low, high, interior: base.saturating_sub(1) };
                known.push(Window { size, stride, dilation, padding });
                continue;
            }
            let ones = [strides[axis], base[axis], dilations[axis]].iter().all(|(_, n)| *n == Some(1));
            let (direction, reach) = match around {
                [(reach, None), (_, Some(0))] => (Direction::Forward, reach),
                [(_, Some(0)), (reach, None)] => (Direction::Backward, reach),
                _ => return Err(not_running(axis)),
            };
            if !ones || sizes[axis].1.is_some() {
                return Err(not_running(axis));
            }
            running.push((axis, direction, sizes[axis].0, reach));
            known.push(Window::ONE);
        }
        let mut made = self.hlo().reduce_window(operand, init, opcode, &known)?;
        let reduction = self.hlo().reduction(operand, opcode)?;
        for (axis, direction, size, reach) in running {
            // The window must be as long as the axis, and one less be put around.
            made = self.graph.of_extent(made, axis, size)?;
            let one = self.graph.full_like(1, reach)?;
            let around = self.graph.apply(Op::Add, &[reach, one])?;
            made = self.graph.of_extent(made, axis, around)?;
            made = self.graph.add(Accumulate { reduction, axis, direction, start: Start::With }, &[made])?;
        }
        Ok(made)
    }

    /// Numbers one by one, and what they are as far as that is known.
    fn numbers(&mut self, numbers: Id, expected: usize) -> Result<Vec<(Id, Option<i64>)>, Error> {
        let numbers = self.hlo().index_number(numbers)?;
        let flat = as_i64(expected);
        let numbers = self.hlo().reshape(numbers, &[flat])?;
        let mut all = Vec::with_capacity(expected);
        for place in 0..flat {
            let one = self.graph.part(numbers, 0, Some(place), Some(place + 1))?;
            all.push((one, self.graph.node(one)?.integers().map(|known| known[0])));
        }
        Ok(all)
    }
}

fn not_running(axis: usize) -> Error {
    Error::value(format!(
        "the size of the windows along axis {axis} is not known, and only running folds are so: with one element less \
         around on one side, and nothing between"
    ))
}
