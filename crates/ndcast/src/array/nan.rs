//! Reductions that leave out what is no number.

use super::{Array, Keep, Over};
use crate::dtype::{Class, DType};
use crate::reduction::Reduction;

impl Array {
    /// The sum of the elements that are numbers.
    ///
    /// ```
    /// use ndcast::{Array, Keep};
    /// let x = Array::new(&[3], &[1.0, f64::NAN, 2.0]);
    /// assert_eq!(x.nansum(&[0], Keep::Nothing).item::<f64>()?, 3.0);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn nansum(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        self.numbers(|x, is_nan| is_nan.choose(x.zero(), x)).sum(axes, keep).called("sum", "nansum")
    }

    /// The greatest of the elements that are numbers; NaN if none is.
    pub fn nanmax(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        self.nan_extreme(Reduction::Max, "nanmax", f64::NEG_INFINITY, &axes.into(), keep)
    }

    /// The least of the elements that are numbers; NaN if none is.
    pub fn nanmin(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        self.nan_extreme(Reduction::Min, "nanmin", f64::INFINITY, &axes.into(), keep)
    }

    fn nan_extreme(
        &self,
        reduction: Reduction,
        doing: &'static str,
        instead: f64,
        axes: &Over,
        keep: Keep,
    ) -> Array {
        let extreme = self.numbers(|x, is_nan| is_nan.choose(instead, x)).reduce(reduction, axes, keep);
        let extreme = extreme.called(reduction.record().name, doing);
        extreme.numbers(|extreme, _| self.isnan().all(axes, keep).choose(f64::NAN, extreme))
    }

    /// The mean of the elements that are numbers; NaN if none is.
    ///
    /// ```
    /// use ndcast::{Array, Keep};
    /// let x = Array::new(&[3], &[1.0, f64::NAN, 2.0]);
    /// assert_eq!(x.nanmean(&[0], Keep::Nothing).item::<f64>()?, 1.5);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn nanmean(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        let axes: Over = axes.into();
        if self.dtype().is_ok_and(|dtype| !matches!(dtype.class(), Class::Float | Class::Complex)) {
            return self.mean(&axes, keep).called("mean", "nanmean");
        }
        self.in_wide(|x| x.nansum(&axes, keep) / x.count_numbers(&axes, keep))
    }

    /// The variance of the elements that are numbers; with a correction, the divisor is that much less than how many
    /// there are, and of no more than so many there is none: NaN.
    pub fn nanvar(&self, axes: impl Into<Over>, correction: f64, keep: Keep) -> Array {
        let axes: Over = axes.into();
        if self.dtype().is_ok_and(|dtype| dtype.class() != Class::Float) {
            return self.var(&axes, correction, keep).called("var", "nanvar");
        }
        self.in_wide(|x| {
            let distance = x - &x.nanmean(&axes, Keep::Axes);
            let count = x.count_numbers(&axes, keep);
            let divisor = &count - correction;
            // Of so few numbers there is none.
            let too_few = divisor.less_equal(0).logical_or(count.equal(0));
            let divisor = too_few.choose(f64::NAN, divisor);
            // Only what is no number itself is left out: an infinite one has no distance from an infinite mean.
            x.isnan().choose(0.0, distance).square().sum(&axes, keep) / divisor
        })
    }

    /// The square root of the variance of the elements that are numbers.
    pub fn nanstd(&self, axes: impl Into<Over>, correction: f64, keep: Keep) -> Array {
        let axes: Over = axes.into();
        if self.dtype().is_ok_and(|dtype| dtype.class() != Class::Float) {
            return self.std(&axes, correction, keep).called("std", "nanstd");
        }
        self.in_wide(|x| x.nanvar(&axes, correction, keep).sqrt())
    }

    /// How many elements along axes are numbers, as a float.
    fn count_numbers(&self, axes: &Over, keep: Keep) -> Array {
        let counts = self.isnan().logical_not().convert(DType::I64).sum(axes, keep);
        counts.convert(self.node().dtype().part())
    }

    /// Something of the array and of where it is no number; the array itself if its type has only numbers.
    fn numbers(&self, of: impl FnOnce(&Array, &Array) -> Array) -> Array {
        match self.dtype() {
            Ok(dtype) if matches!(dtype.class(), Class::Float | Class::Complex) => of(self, &self.isnan()),
            _ => self.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn without_numbers_and_without_nans() -> Result<(), Error> {
        let (nan, axes) = (f64::NAN, [1]);
        let x = Array::new(&[2, 3], &[nan, nan, nan, nan, 5.0, 1.0]);
        assert_eq!(x.nansum(axes, Keep::Nothing).to_vec::<f64>()?, [0.0, 6.0]);
        for (reduced, second) in [
            (x.nanmax(axes, Keep::Nothing), 5.0),
            (x.nanmin(axes, Keep::Nothing), 1.0),
            (x.nanmean(axes, Keep::Nothing), 3.0),
            (x.nanvar(axes, 0.0, Keep::Nothing), 4.0),
            (x.nanstd(axes, 0.0, Keep::Nothing), 2.0),
        ] {
            let reduced = reduced.to_vec::<f64>()?;
            assert!(reduced[0].is_nan() && reduced[1] == second, "{reduced:?}");
        }
        let infinite = Array::new(&[3], &[f64::INFINITY, 1.0, nan]);
        assert!(infinite.nanvar(.., 0.0, Keep::Nothing).item::<f64>()?.is_nan());
        for correction in [2.0, 3.0] {
            assert!(x.nanvar([0], correction, Keep::Nothing).to_vec::<f64>()?.iter().all(|var| var.is_nan()));
        }
        let whole = Array::new(&[2], &[3u8, 4]);
        assert_eq!(whole.nansum([0], Keep::Nothing).item::<u64>()?, 7);
        assert_eq!(whole.nanmax([0], Keep::Nothing).item::<u8>()?, 4);
        assert!(whole.nanmean([0], Keep::Nothing).check().is_err());
        Ok(())
    }
}
