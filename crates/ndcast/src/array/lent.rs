//! Arrays in memory that somebody lends and may write: what is computed of them must not change when it is written.
//!
//! So an expression that reads such memory is not put off. If its result is as large as what it reads at most, it is
//! computed at once, which costs what a copy would. If the result is larger, as of a broadcast, what is lent is copied
//! and the expression stays lazy. Views of lent memory are neither: they show what is there, as the array itself does.

use super::{Array, Expression, Extents, Form, Node};
use crate::dtype::DType;

impl Array {
    /// Whether it is ready, in memory that is lent by somebody who may write it.
    pub fn is_lent(&self) -> bool {
        matches!(self.node().value(), Some(Ok(tensor)) if tensor.is_lent())
    }
}

/// The array of an expression with lent arguments.
pub(super) fn settled(shape: Extents, dtype: DType, mut expression: Expression) -> Array {
    let elements = |shape: &[usize]| shape.iter().fold(1usize, |all, &extent| all.saturating_mul(extent));
    let lent = expression.arguments.iter().filter(|argument| argument.is_lent());
    let largest = lent.map(|argument| elements(argument.node().shape())).max().unwrap_or(0);
    let is_copy = matches!(expression.form, Form::Convert(_));
    if elements(&shape) > largest && !is_copy {
        for argument in &mut expression.arguments {
            if argument.is_lent() {
                *argument = argument.copy();
            }
        }
        // Nothing is lent any more, unless a copy could not be made.
        if let Some(wrong) = expression.arguments.iter().find(|argument| argument.check().is_err()) {
            return wrong.clone();
        }
        return Array::lazy(shape, dtype, expression);
    }
    let array = Array(Node::lazy(shape, dtype, expression));
    array.eval().map_or_else(Array::of_error, Array::from)
}

#[cfg(test)]
#[allow(unsafe_code, reason = "the test lends memory")]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use crate::buffer::Lender;
    use crate::{Array, DType, Error, Keep, Tensor};

    /// Memory that the test writes while it is lent, never while something is computed.
    #[derive(Debug, Clone)]
    struct Shared(Arc<[AtomicU32; 6]>);

    // SAFETY: the slice is the same as long as the array lives, which this holds.
    unsafe impl Lender for Shared {
        fn bytes(&self) -> &[u8] {
            // SAFETY: an atomic number lies in memory as a number does, and is not written while the slice is read.
            unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), 24) }
        }
    }

    fn lend() -> Result<(Shared, Array), Error> {
        let shared = Shared(Arc::new(std::array::from_fn(|n| AtomicU32::new(u32::try_from(n).unwrap_or(0)))));
        let tensor = Tensor::lent(Box::new(shared.clone()), DType::U32, &[2, 3], &[3, 1], 0)?;
        Ok((shared, tensor.into()))
    }

    #[test]
    fn what_is_computed_does_not_change_and_views_do() -> Result<(), Error> {
        let (shared, x) = lend()?;
        let row = x.select(&ndcast_shape::parse_index("0")?);
        let (same, smaller) = (&x + 1, x.sum(&[0, 1], Keep::Nothing));
        let joined = Array::concatenate(&[&x, &Array::full(&[1, 3], 7, DType::U32), &x], 0);
        let mostly_own = Array::concatenate(
            &[&x.select(&ndcast_shape::parse_index("1:")?), &Array::full(&[4, 3], 7, DType::U32)],
            0,
        );
        let larger = &x.expand(0) * &Array::new(&[2, 1, 1], &[1u32, 10]);
        shared.0[0].store(100, Ordering::Relaxed);
        shared.0[3].store(9, Ordering::Relaxed);
        assert_eq!(x.to_vec::<u32>()?, [100, 1, 2, 9, 4, 5]);
        assert_eq!(row.to_vec::<u32>()?, [100, 1, 2]);
        assert_eq!(same.to_vec::<u32>()?, [1, 2, 3, 4, 5, 6]);
        assert_eq!(smaller.item::<u64>()?, 15);
        assert!(joined.is_ready());
        assert_eq!(mostly_own.to_vec::<u32>()?[..4], [3, 4, 5, 7]);
        assert_eq!(joined.to_vec::<u32>()?, [0, 1, 2, 3, 4, 5, 7, 7, 7, 0, 1, 2, 3, 4, 5]);
        assert_eq!(larger.to_vec::<u32>()?, [0, 1, 2, 3, 4, 5, 0, 10, 20, 30, 40, 50]);
        assert!(!larger.is_ready() || larger.eval()?.elements() == 12);
        Ok(())
    }

    #[test]
    fn it_is_never_written() -> Result<(), Error> {
        let (shared, mut x) = lend()?;
        x += 1;
        x.set(&ndcast_shape::parse_index("0, 0")?, 9);
        assert_eq!(x.to_vec::<u32>()?, [9, 2, 3, 4, 5, 6]);
        assert_eq!(shared.0[1].load(Ordering::Relaxed), 1);
        assert!(Tensor::lent(Box::new(shared), DType::U32, &[7], &[1], 0).is_err());
        Ok(())
    }
}
