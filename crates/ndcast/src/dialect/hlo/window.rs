//! `reduce-window`: folds of neighbours. Windows that reach back to the first element, or on to the last, are running folds,
//! which is what JAX makes of cumulative sums; others are folds of a few parts of the operand.

use super::elementwise::check_same;
use super::{Builder, Padding, axes};
use crate::dtype::Class;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Accumulate, Direction, Start};
use crate::layout::as_i64;
use crate::op::Op;
use crate::reduction::Reduction;
use ndcast_shape::Extent;

/// The windows along one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// How many elements each has.
    pub size: i64,
    /// How far one is from the next.
    pub stride: i64,
    /// How far an element is from the next in it.
    pub dilation: i64,
    /// Padding and base dilation of the operand, applied first, with the fold's neutral element.
    pub padding: Padding,
}

impl Window {
    /// Each element alone.
    pub const ONE: Window =
        Window { size: 1, stride: 1, dilation: 1, padding: Padding { low: 0, high: 0, interior: 0 } };

    /// Each element with all before it or all behind it, if that is what it is.
    fn running(self, extent: i64) -> Option<(Direction, Start)> {
        let Padding { low, high, interior } = self.padding;
        if self.size < extent || (self.stride, self.dilation, interior) != (1, 1, 0) {
            return None;
        }
        match (self.size.saturating_sub(low), self.size.saturating_sub(high)) {
            (1, size) if size == self.size => Some((Direction::Forward, Start::With)),
            (size, 1) if size == self.size => Some((Direction::Backward, Start::With)),
            (0, size) if self.size.checked_add(1) == Some(size) => Some((Direction::Forward, Start::Before)),
            (size, 0) if self.size.checked_add(1) == Some(size) => Some((Direction::Backward, Start::Before)),
            _ => None,
        }
    }

    fn check(self, axis: usize) -> Result<(), Error> {
        if self.size > 0 && self.stride > 0 && self.dilation > 0 && self.padding.interior >= 0 {
            return Ok(());
        }
        let Window { size, stride, dilation, .. } = self;
        let text = format!(
            "on axis {axis} a size of {size}, a stride of {stride} and a dilation of {dilation} are no windows"
        );
        Err(Error::value(text))
    }
}

/// Longer windows that are no running folds are not written out.
const LONGEST: i64 = 256;

impl Builder<'_> {
    /// `reduce-window` with the instruction of this opcode.
    ///
    /// DIFFERENCE: the first value must be the one that changes nothing, as it is in every program that JAX writes.
    ///
    /// # Errors
    /// If there is no fold of the opcode for the element type; if the first value is another; if there is not a window for
    /// each axis; if an extent is not known along which there is one of more than an element.
    pub fn reduce_window(
        &mut self,
        operand: Id,
        init: Id,
        opcode: &str,
        windows: &[Window],
    ) -> Result<Id, Error> {
        self.windowed(operand, init, opcode, windows).map_err(|error| error.called("reduce_window"))
    }

    fn windowed(&mut self, operand: Id, init: Id, opcode: &str, windows: &[Window]) -> Result<Id, Error> {
        check_same(self.graph, &[operand, init])?;
        axes::scalar(self.graph, init)?;
        let reduction = self.reduction(operand, opcode)?;
        if !self.is_nothing(init, reduction)? {
            return Err(Error::value(format!(
                "the first value changes {reduction}, so windows of it are not known"
            )));
        }
        // What is associative and commutative is folded axis by axis.
        let mut made = operand;
        for (axis, window) in self.windows(operand, windows)? {
            let extent = self.extent_along(operand, axis)?;
            made = match window.running(extent) {
                Some((direction, start)) => {
                    self.graph.add(Accumulate { reduction, axis, direction, start }, &[made])?
                }
                None => self.parts(made, init, opcode, (axis, window))?,
            };
        }
        Ok(made)
    }

    /// The axes along which there is something to do.
    fn windows(&self, operand: Id, windows: &[Window]) -> Result<Vec<(usize, Window)>, Error> {
        axes::count(axes::rank(self.graph, operand)?, windows.len())?;
        for (axis, window) in windows.iter().enumerate() {
            window.check(axis)?;
        }
        // A dilation of one element is none.
        let some = |window: &Window| Window { dilation: 1, ..*window } != Window::ONE;
        Ok(windows
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, window)| window.size > 1 || some(window))
            .collect())
    }

    fn extent_along(&self, operand: Id, axis: usize) -> Result<i64, Error> {
        let extent = axes::dims(self.graph, operand)?[axis].known();
        let extent = extent.ok_or_else(|| {
            Error::value(format!("windows lie along axis {axis}, whose extent must be known"))
        })?;
        Ok(as_i64(extent))
    }

    /// Folds the first elements of all windows with the second ones, and so on.
    fn parts(
        &mut self,
        operand: Id,
        init: Id,
        opcode: &str,
        (axis, window): (usize, Window),
    ) -> Result<Id, Error> {
        if window.size > LONGEST {
            let text =
                format!("windows of {} elements are at most {LONGEST} long, unless they run", window.size);
            return Err(Error::value(text));
        }
        let rank = axes::rank(self.graph, operand)?;
        let mut padding = vec![Padding::default(); rank];
        padding[axis] = window.padding;
        let padded = self.pad(operand, init, &padding)?;
        let mut limits: Vec<i64> = Vec::with_capacity(rank);
        for axis in 0..rank {
            limits.push(self.extent_along(padded, axis)?);
        }
        let reach = (window.size - 1).checked_mul(window.dilation).filter(|reach| *reach < limits[axis]);
        let last = reach.map_or(0, |reach| limits[axis] - reach);
        let mut strides = vec![1; rank];
        strides[axis] = window.stride;
        let mut sum = None;
        for place in 0..window.size {
            let mut starts = vec![0; rank];
            // Where no window lies, no part has an element.
            starts[axis] = if reach.is_some() { place * window.dilation } else { 0 };
            limits[axis] = starts[axis] + last;
            let part = self.slice(padded, &starts, &limits, &strides)?;
            sum = Some(match sum {
                None => part,
                Some(before) => self.elementwise(opcode, &[before, part])?,
            });
        }
        sum.ok_or_else(|| Error::value("there is no window".to_owned()))
    }

    /// A running logsumexp (`reduce-window`), forwards or backwards: a scan by doubling, in log2(n) steps of the
    /// operand's own size.
    ///
    /// # Errors
    /// If the elements are no floats, the windows do not run along one axis, or the first value is not minus infinity.
    pub fn running_logaddexp(&mut self, operand: Id, init: Id, windows: &[Window]) -> Result<Id, Error> {
        self.logaddexp(operand, init, windows).map_err(|error| error.called("reduce_window"))
    }

    fn logaddexp(&mut self, operand: Id, init: Id, windows: &[Window]) -> Result<Id, Error> {
        let dtype = check_same(self.graph, &[operand, init])?;
        axes::scalar(self.graph, init)?;
        if dtype.class() != Class::Float || !self.is_nothing(init, Reduction::Max)? {
            return Err(Error::value(
                "sums of exponentials begin with minus infinity, their logarithm".to_owned(),
            ));
        }
        let rank = axes::rank(self.graph, operand)?;
        let mut made = operand;
        for (axis, window) in self.windows(operand, windows)? {
            let extent = self.extent_along(operand, axis)?;
            let Some((direction, Start::With)) = window.running(extent) else {
                return Err(Error::value(
                    "windows of sums of exponentials are known only where they run".to_owned(),
                ));
            };
            let mut reach = 1;
            while reach < extent {
                let mut padding = vec![Padding::default(); rank];
                let by = if direction == Direction::Forward { reach } else { -reach };
                padding[axis] = Padding { low: by, high: -by, interior: 0 };
                let moved = self.pad(made, init, &padding)?;
                made = self.graph.apply(Op::Logaddexp, &[made, moved])?;
                reach *= 2;
            }
        }
        Ok(made)
    }
}
