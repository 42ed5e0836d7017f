//! Arrays in memory that somebody lends and may write: what is computed of them must not change when it is written.
//!
//! So an expression that reads such memory is not put off. If its result is as large as what it reads at most, it is
//! computed at once, which costs what a copy would. If the result is larger, as of a broadcast, what is lent is copied
//! and the expression stays lazy. Views of lent memory are neither: they show what is there, as the array itself does.
//!
//! An operation that is made of several, as a sum of a conversion, is one whole: what comes between is not computed by itself.

use std::cell::Cell;

use super::{Array, Expression, Extents, Form, Node};
use crate::dtype::DType;
use crate::layout::saturating_count;

impl Array {
    /// Whether it is computed and lies in borrowed memory, which its owner may write.
    pub fn is_lent(&self) -> bool {
        matches!(self.node().value(), Some(Ok(tensor)) if tensor.is_lent())
    }
}

thread_local! {
    /// Whether what reads lent memory is only a part of something that is computed at once.
    static IS_PART: Cell<bool> = const { Cell::new(false) };
}

impl Array {
    /// Builds an operation out of several others. If an operand is [lent](Array::is_lent), only the final result is computed
    /// before this returns: every intermediate array would be a copy of its own size.
    ///
    /// ```
    /// use ndcast::{Array, DType, Keep};
    /// let bytes = Array::new(&[3], &[200u8, 100, 50]);
    /// let sum = Array::as_one_operation(&[&bytes], || bytes.convert(DType::F64).sum(.., Keep::Nothing));
    /// assert_eq!(sum.item::<f64>()?, 350.0);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn as_one_operation(operands: &[&Array], make: impl FnOnce() -> Array) -> Array {
        if IS_PART.get() || !operands.iter().any(|operand| operand.reads_lent()) {
            return make();
        }
        Array::as_operands(make).computed_now()
    }

    /// Builds intermediate arrays for one more operation, such as its converted operands. They stay lazy even over
    /// [lent](Array::is_lent) memory, so one that is kept sees what its owner writes there later.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// let bytes = Array::new(&[3], &[200u8, 100, 50]);
    /// let halves = Array::as_operands(|| bytes.convert(DType::F64)) / 2.0;
    /// assert_eq!(halves.to_vec::<f64>()?, [100.0, 50.0, 25.0]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn as_operands<R>(make: impl FnOnce() -> R) -> R {
        struct Before(bool);
        impl Drop for Before {
            fn drop(&mut self) {
                IS_PART.set(self.0);
            }
        }
        let _before = Before(IS_PART.replace(true));
        make()
    }

    /// Whether it is lent, or is to be computed of what is.
    pub(super) fn reads_lent(&self) -> bool {
        self.is_lent() || self.node().reads_lent()
    }

    /// Itself; what is to be computed of lent memory, and is no part of anything, is computed now.
    pub(super) fn settled(self) -> Array {
        if IS_PART.get() { self } else { self.computed_now() }
    }

    /// Computed now, if it is to be computed of what is lent; on the tapes that it was on.
    pub(super) fn computed_now(self) -> Array {
        if !self.node().reads_lent() {
            return self;
        }
        let made = self.eval().map_or_else(Array::of_error, Array::from);
        match self.node().marks() {
            [] => made,
            marks => Array(made.0.with_marks(marks.into())),
        }
    }
}

/// The array of an expression with arguments that are lent or to be computed of what is.
pub(super) fn settled(shape: Extents, dtype: DType, mut expression: Expression) -> Array {
    if IS_PART.get() {
        return Array(Node::lazy(shape, dtype, expression));
    }
    let lent = expression.arguments.iter().filter(|argument| argument.reads_lent());
    let largest = lent.map(|argument| saturating_count(argument.node().shape())).max().unwrap_or(0);
    let is_copy = matches!(expression.form, Form::Convert(_));
    if saturating_count(&shape) > largest && !is_copy {
        for argument in &mut expression.arguments {
            if argument.is_lent() {
                *argument = argument.copy();
            } else {
                *argument = argument.clone().computed_now();
            }
        }
        // Nothing is lent any more, unless a copy could not be made.
        if let Some(wrong) = expression.arguments.iter().find(|argument| argument.check().is_err()) {
            return wrong.clone();
        }
        return Array::lazy(shape, dtype, expression);
    }
    Array(Node::lazy(shape, dtype, expression)).computed_now()
}

#[cfg(test)]
#[allow(unsafe_code, reason = "the test lends memory")]
pub(crate) mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use crate::buffer::Lender;
    use crate::{Array, DType, Error, Keep, Tensor};

    /// Memory that the test writes while it is lent, never while something is computed.
    #[derive(Debug, Clone)]
    pub(crate) struct Shared(Arc<[AtomicU32]>);

    impl Shared {
        /// Writes the same bits everywhere.
        pub(crate) fn fill(&self, bits: u32) {
            self.0.iter().for_each(|word| word.store(bits, Ordering::Relaxed));
        }
    }

    // SAFETY: the slice is the same as long as the array lives, which this holds.
    unsafe impl Lender for Shared {
        fn bytes(&self) -> &[u8] {
            // SAFETY: an atomic number lies in memory as a number does, and is not written while the slice is read.
            unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), 4 * self.0.len()) }
        }
    }

    /// Rows of 3 elements, counted from 0.
    pub(crate) fn lend(rows: u16) -> Result<(Shared, Array), Error> {
        let shared = Shared((0..3 * u32::from(rows)).map(AtomicU32::new).collect());
        let tensor = Tensor::lent(Box::new(shared.clone()), DType::U32, &[rows.into(), 3], &[3, 1], 0)?;
        Ok((shared, tensor.into()))
    }

    /// The elements of a tensor, which are of 4 bytes or 8, as an array that is lent.
    pub(crate) fn lend_elements(tensor: &Tensor) -> Result<(Shared, Array), Error> {
        let bytes = tensor.as_bytes().unwrap_or_default();
        let words = bytes.chunks(4).map(|word| u32::from_ne_bytes(word.try_into().unwrap_or_default()));
        let shared = Shared(words.map(AtomicU32::new).collect());
        let mut strides = vec![1; tensor.rank()];
        for axis in (1..tensor.rank()).rev() {
            strides[axis - 1] = strides[axis] * isize::try_from(tensor.shape()[axis]).unwrap_or(0);
        }
        let lent = Tensor::lent(Box::new(shared.clone()), tensor.dtype(), tensor.shape(), &strides, 0)?;
        Ok((shared, lent.into()))
    }

    #[test]
    fn what_is_computed_does_not_change_and_views_do() -> Result<(), Error> {
        let (shared, x) = lend(2)?;
        let row = x.select(&ndcast_shape::parse_index("0")?);
        let (same, smaller) = (&x + 1, x.sum([0, 1], Keep::Nothing));
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

    /// What is made of several operations is computed at once, whether its parts are or not.
    #[test]
    fn conversions_within_are_no_copies() -> Result<(), Error> {
        let one = Array::new(&[3], &[1u64, 1, 1]);
        let of = |x: &Array| {
            [
                x.sum(.., Keep::Nothing),
                Array::as_one_operation(&[x], || x.convert(DType::F64).mean(.., Keep::Nothing)),
                x + &one,
                x.matmul(&one),
                x.vecdot(x, 1),
                Array::einsum("ij->j", &[x]),
                x.tensordot(&one, &[1], &[0]),
                x.convert(DType::F32).var(.., 0.0, Keep::Nothing),
                x.cumulative_sum(1),
                x.sum([], Keep::Nothing),
                &x.expand(0) * &Array::new(&[2, 1, 1], &[1u64, 10]),
            ]
        };
        for rows in [2, 30_000] {
            let (shared, x) = lend(rows)?;
            let expected = of(&x.copy().eval()?.into());
            let found = of(&x);
            let part = Array::as_operands(|| x.convert(DType::U8));
            assert_eq!(part.is_ready(), rows == 2);
            assert!(Array::as_one_operation(&[&x], || x.clone()).is_lent());
            let own = [part.convert(DType::U8), part.clone().convert(DType::U16)];
            shared.fill(7);
            for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
                let [found, expected] = [found, expected].map(|one| one.convert(DType::F64).to_vec::<f64>());
                assert_eq!(found?, expected?, "{place} of {rows} rows");
            }
            assert!(!own.iter().any(|one| one.reads_lent()));
            assert_eq!(own[0].to_vec::<u8>()?[..4], [0, 1, 2, 3]);
            assert_eq!(own[1].to_vec::<u16>()?[..4], [0, 1, 2, 3]);
        }
        Ok(())
    }

    #[test]
    fn it_is_never_written() -> Result<(), Error> {
        let (shared, mut x) = lend(2)?;
        x += 1;
        x.set(&ndcast_shape::parse_index("0, 0")?, 9);
        assert_eq!(x.to_vec::<u32>()?, [9, 2, 3, 4, 5, 6]);
        assert_eq!(shared.0[1].load(Ordering::Relaxed), 1);
        assert!(Tensor::lent(Box::new(shared), DType::U32, &[7], &[1], 0).is_err());
        Ok(())
    }
}
