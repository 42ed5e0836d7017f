//! Diagonals of matrices, and what lies on one side of them.

use super::{Array, Keep};
use crate::dtype::DType;
use crate::layout::as_i64;
use crate::op::Op;

impl Array {
    /// The diagonal of the last two axes, `offset` columns to the right, as the last axis. A view.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.diagonal(0).to_vec::<i32>()?, [1, 5]);
    /// assert_eq!(x.diagonal(-1).to_vec::<i32>()?, [4]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn diagonal(&self, offset: isize) -> Array {
        self.view("diagonal", |layout| Ok(layout.diagonal(offset)?))
    }

    /// The sum of the diagonal. Small integers are added as 64 bits.
    pub fn trace(&self, offset: isize) -> Array {
        let diagonal = self.diagonal(offset).called("diagonal", "trace");
        let axis = diagonal.node().shape().len().saturating_sub(1);
        diagonal.sum([axis], Keep::Nothing).called("sum", "trace")
    }

    /// The elements on and below a diagonal of the last two axes, `offset` columns to the right; 0 above it.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 2], &[1, 2, 3, 4]);
    /// assert_eq!(x.lower_triangle(0).to_vec::<i32>()?, [1, 0, 3, 4]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    #[doc(alias = "tril")]
    pub fn lower_triangle(&self, offset: i64) -> Array {
        self.triangle("lower_triangle", offset, Op::LessEqual)
    }

    /// The elements on and above a diagonal of the last two axes, `offset` columns to the right; 0 below it.
    #[doc(alias = "triu")]
    pub fn upper_triangle(&self, offset: i64) -> Array {
        self.triangle("upper_triangle", offset, Op::GreaterEqual)
    }

    fn triangle(&self, doing: &'static str, offset: i64, is_in: Op) -> Array {
        let Ok(&[.., rows, columns]) = self.shape() else { return self.no_matrices(doing) };
        let rows = Array::iota(rows, DType::I64).expand(1) + near(offset, rows, columns);
        let columns = Array::iota(columns, DType::I64);
        Array::apply(is_in, &[columns.into(), rows.into()]).choose(self, self.zero())
    }
}

/// A diagonal that is as far away as any that has no elements.
pub(super) fn near(offset: i64, rows: usize, columns: usize) -> i64 {
    offset.clamp(-as_i64(rows), as_i64(columns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn far_away_diagonals_have_no_elements() -> Result<(), Error> {
        let x = Array::new(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(x.diagonal(2).to_vec::<f64>()?, [3.0]);
        for offset in [3, 100, -2, isize::MIN + 1] {
            assert_eq!(x.diagonal(offset).shape()?, [0]);
            assert_eq!(x.trace(offset).item::<f64>()?, 0.0);
        }
        assert_eq!((&x + 0.0).diagonal(1).to_vec::<f64>()?, [2.0, 6.0]);
        assert_eq!(x.upper_triangle(1).to_vec::<f64>()?, [0.0, 2.0, 3.0, 0.0, 0.0, 6.0]);
        assert_eq!(x.lower_triangle(-1).to_vec::<f64>()?, [0.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
        assert!(Array::scalar(1).diagonal(0).check().is_err());
        assert!(Array::scalar(1).lower_triangle(0).check().is_err());
        Ok(())
    }
}
