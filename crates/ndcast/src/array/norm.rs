//! Norms of vectors.

use super::{Array, Keep, Over};
use crate::dtype::Class;

impl Array {
    /// The norm of the vectors along axes: the power's root of the sum of the absolute values' powers. For an infinity it is
    /// the greatest or the least absolute value, for 0 how many are not 0.
    ///
    /// ```
    /// use ndcast::{Array, Keep};
    /// let x = Array::new(&[2], &[3.0, -4.0]);
    /// assert_eq!(x.vector_norm(&[0], 2.0, Keep::Nothing).item::<f64>()?, 5.0);
    /// assert_eq!(x.vector_norm(&[0], f64::INFINITY, Keep::Nothing).item::<f64>()?, 4.0);
    /// assert_eq!(x.vector_norm(&[0], 1.0, Keep::Nothing).item::<f64>()?, 7.0);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn vector_norm(&self, axes: impl Into<Over>, power: f64, keep: Keep) -> Array {
        let axes: Over = axes.into();
        if power == 2.0 && self.dtype().is_ok_and(|dtype| dtype.class() == Class::Float) {
            // Not of the sizes: at 0 their square has no second derivative.
            return self.in_wide(|x| x.square().sum(&axes, keep).sqrt());
        }
        let sizes = self.abs().called("abs", "vector_norm");
        match sizes.dtype() {
            Ok(dtype) if dtype.class() == Class::Float => {}
            Ok(_) => return sizes.mean(&axes, keep).called("mean", "vector_norm"),
            Err(error) => return Array::of_error(error),
        }
        // Of nothing the greatest size is 0, as NumPy has it.
        let is_empty = sizes.count(&axes) == 0.0;
        sizes.in_wide(|sizes| match power {
            f64::INFINITY if is_empty => sizes.sum(&axes, keep),
            f64::INFINITY => sizes.max(&axes, keep),
            f64::NEG_INFINITY => sizes.min(&axes, keep),
            0.0 => sizes.count_nonzero(&axes, keep).convert(sizes.node().dtype()),
            1.0 => sizes.sum(&axes, keep),
            2.0 => sizes.square().sum(&axes, keep).sqrt(),
            _ => sizes.pow(power).sum(&axes, keep).pow(1.0 / power),
        })
    }
}
