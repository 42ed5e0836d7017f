//! Reductions: folds, and what is made of them.
//!
//! Each takes the axes that it goes over, see [`Over`].

use smallvec::smallvec;

use super::apply::addressable;
use super::{Array, Expression, Extents, Form, Keep, Over, quick};
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::reduction::Reduction;

impl Array {
    /// A reduction along axes.
    ///
    /// ```
    /// use ndcast::{Array, Keep, reduction::Reduction};
    /// let x = Array::new(&[2, 2], &[1, 5, 3, 2]);
    /// assert_eq!(x.reduce(Reduction::Max, &[0], Keep::Nothing).to_vec::<i32>()?, [3, 5]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn reduce(&self, reduction: Reduction, axes: impl Into<Over>, keep: Keep) -> Array {
        let axes: Over = axes.into();
        if self.check().is_err() {
            return self.clone();
        }
        Array::as_one_operation(&[self], || {
            let made = self.reduced(reduction, &axes, keep);
            made.unwrap_or_else(|error| Array::of_error(error.of(reduction.record().name)))
        })
    }

    fn reduced(&self, reduction: Reduction, axes: &Over, keep: Keep) -> Result<Array, Error> {
        let dtype = self.node().dtype();
        let axes = axes.sorted(self.node().shape().len())?;
        let identity = reduction.record().identity;
        let result_of = |dtype| reduction.of(dtype).result(dtype);
        let result = result_of(dtype).ok_or_else(|| {
            Error::not_taken(dtype, DType::all().filter(|&other| result_of(other).is_some()).collect())
        })?;
        let reduction = reduction.of(dtype);
        let within = self.convert(result.computed_in());
        if axes.is_empty() {
            return Ok(within.convert(result));
        }
        let mut shape: Extents = self.node().shape().into();
        for &axis in &axes {
            if shape[axis] == 0 && identity.is_none() {
                let what = format!("axis {axis} has extent 0, and of no elements there is none");
                return Err(Error::shapes(what, &[self.node().shape()], Some(axis)));
            }
            shape[axis] = 1;
        }
        addressable(&shape)?;
        let inner = apart(&axes, self.node().shape());
        let folded = match axes.len() - inner {
            0 => within.folded(reduction, axes.clone(), shape),
            outer => {
                let mut between: Extents = self.node().shape().into();
                axes[outer..].iter().for_each(|&axis| between[axis] = 1);
                let runs = within.folded(reduction, axes[outer..].into(), between);
                runs.folded(reduction, axes[..outer].into(), shape)
            }
        };
        let folded = folded.convert(result);
        Ok(if keep == Keep::Axes { folded } else { folded.squeeze(&axes[..]) })
    }

    /// A fold along axes into the shape that comes of it, in the own element type.
    fn folded(&self, reduction: Reduction, axes: Extents, shape: Extents) -> Array {
        if let Some(array) = quick::folded(self, reduction, &axes, &shape) {
            return array.unwrap_or_else(Array::of_error);
        }
        let expression =
            Expression { form: Form::Reduce(reduction, axes), arguments: smallvec![self.clone()] };
        Array::lazy(shape, self.node().dtype(), expression)
    }

    /// The sum. Small integers are added as 64 bits.
    pub fn sum(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        self.reduce(Reduction::Sum, axes, keep)
    }

    /// The product. Small integers are multiplied as 64 bits.
    pub fn prod(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        self.reduce(Reduction::Prod, axes, keep)
    }

    /// The greatest; NaN if one is. Of truth values it is true if one is.
    ///
    /// ```
    /// use ndcast::{Array, Keep};
    /// let x = Array::new(&[2, 2], &[1, 5, 3, 2]);
    /// assert_eq!(x.max(0, Keep::Nothing).to_vec::<i32>()?, [3, 5]);
    /// assert!(x.greater(4).max(.., Keep::Nothing).item::<bool>()?);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn max(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        self.reduce(Reduction::Max, axes, keep)
    }

    /// The least; NaN if one is. Of truth values it is true if all are.
    pub fn min(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        self.reduce(Reduction::Min, axes, keep)
    }

    /// Whether one is true, or not 0.
    pub fn any(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        self.reduce(Reduction::Any, axes, keep)
    }

    /// Whether all are true, or not 0.
    pub fn all(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        self.reduce(Reduction::All, axes, keep)
    }

    /// The sum divided by the number of elements, of floats and complex numbers; NaN of none.
    ///
    /// ```
    /// use ndcast::{Array, Keep};
    /// let x = Array::new(&[4], &[1.0, 2.0, 3.0, 6.0]);
    /// assert_eq!(x.mean(&[0], Keep::Nothing).item::<f64>()?, 3.0);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn mean(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        let axes: Over = axes.into();
        self.floats("mean", |x| x.in_wide(|x| x.sum(&axes, keep) / x.count(&axes)))
    }

    /// The mean of the squared distances from the mean; with a correction, the divisor is that much less than the
    /// number of elements.
    ///
    /// ```
    /// use ndcast::{Array, Keep};
    /// let x = Array::new(&[4], &[1.0, 2.0, 3.0, 6.0]);
    /// assert_eq!(x.var(&[0], 0.0, Keep::Nothing).item::<f64>()?, 3.5);
    /// assert_eq!(x.var(&[0], 1.0, Keep::Nothing).item::<f64>()?, 14.0 / 3.0);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn var(&self, axes: impl Into<Over>, correction: f64, keep: Keep) -> Array {
        let axes: Over = axes.into();
        self.reals("var", |x| x.in_wide(|x| x.wide_var(&axes, correction, keep)))
    }

    /// The square root of the variance.
    pub fn std(&self, axes: impl Into<Over>, correction: f64, keep: Keep) -> Array {
        let axes: Over = axes.into();
        self.reals("std", |x| x.in_wide(|x| x.wide_var(&axes, correction, keep).sqrt()))
    }

    fn wide_var(&self, axes: &Over, correction: f64, keep: Keep) -> Array {
        let distance = self - &self.mean(axes, Keep::Axes);
        let divisor = self.count(axes) - correction;
        // Not the greater of both, which a correction that is not a number would not be.
        let divisor = if divisor < 0.0 { 0.0 } else { divisor };
        distance.square().sum(axes, keep) / divisor
    }

    /// The logarithm of the sum of the exponentials, without overflow.
    ///
    /// ```
    /// use ndcast::{Array, Keep};
    /// let x = Array::new(&[2], &[1000.0, 1000.0]);
    /// assert_eq!(x.logsumexp(&[0], Keep::Nothing).item::<f64>()?, 1000.0 + 2f64.ln());
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn logsumexp(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        let axes: Over = axes.into();
        self.reals("logsumexp", |x| {
            x.in_wide(|x| {
                let greatest = x.max(&axes, Keep::Axes);
                // Of infinities only the infinity matters, and infinity - infinity is not a number.
                let shift = greatest.isfinite().choose(&greatest, greatest.zero());
                let sum = (x - &shift).exp().sum(&axes, Keep::Axes).log() + &shift;
                let axes = axes.sorted(x.node().shape().len()).unwrap_or_default();
                if keep == Keep::Axes { sum } else { sum.squeeze(&axes[..]) }
            })
        })
    }

    /// The sum of the absolute values, in the type of [`Array::sum`].
    ///
    /// ```
    /// use ndcast::{Array, Keep};
    /// let x = Array::new(&[3], &[-128i8, 100, 100]);
    /// assert_eq!(x.l1(.., Keep::Nothing).item::<i64>()?, 328);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn l1(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        let axes: Over = axes.into();
        self.as_sum("l1", |x| x.abs().sum(&axes, keep))
    }

    /// The square root of the sum of the squares, of floats.
    pub fn l2(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        let axes: Over = axes.into();
        self.reals("l2", |x| x.in_wide(|x| x.square().sum(&axes, keep).sqrt()))
    }

    /// The sum of the squares, in the type of [`Array::sum`].
    ///
    /// ```
    /// use ndcast::{Array, Keep};
    /// let x = Array::new(&[2], &[100i8, 100]);
    /// assert_eq!(x.sum_square(.., Keep::Nothing).item::<i64>()?, 20_000);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn sum_square(&self, axes: impl Into<Over>, keep: Keep) -> Array {
        let axes: Over = axes.into();
        self.as_sum("sum_square", |x| x.square().sum(&axes, keep))
    }

    /// A sum of what is made of each element, in the type of a sum of these elements: in their own it might wrap before.
    fn as_sum(&self, doing: &'static str, of: impl FnOnce(&Array) -> Array) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        let dtype = self.node().dtype();
        let wide = Reduction::Sum.result(dtype).unwrap_or(dtype);
        let made = Array::as_one_operation(&[self], || self.convert(wide).in_wide(of));
        match made.check() {
            Err(error) => Array::of_error(error.called(doing)),
            Ok(()) => made,
        }
    }

    /// How many elements are folded into one.
    #[allow(clippy::cast_precision_loss, reason = "rounded to the nearest")]
    pub(super) fn count(&self, axes: &Over) -> f64 {
        let shape = self.node().shape();
        // Axes that there are not are an error of the fold itself.
        let axes = axes.sorted(shape.len()).unwrap_or_default();
        axes.iter().map(|&axis| shape[axis] as f64).product()
    }

    /// 0 of the own element type.
    pub(super) fn zero(&self) -> Array {
        Array::from(super::Number::Int(0).tensor(self.node().dtype()))
    }

    /// Computed in f32 if the elements are f16 or bf16, and rounded once.
    pub(super) fn in_wide(&self, of: impl FnOnce(&Array) -> Array) -> Array {
        let dtype = self.node().dtype();
        if dtype.computed_in() == dtype {
            return of(self);
        }
        of(&self.convert(dtype.computed_in())).convert(dtype)
    }

    fn floats(&self, doing: &'static str, of: impl FnOnce(&Array) -> Array) -> Array {
        self.only(doing, &[Class::Float, Class::Complex], of)
    }

    fn reals(&self, doing: &'static str, of: impl FnOnce(&Array) -> Array) -> Array {
        self.only(doing, &[Class::Float], of)
    }

    /// Of elements of these classes.
    fn only(&self, doing: &'static str, classes: &[Class], of: impl FnOnce(&Array) -> Array) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        let taken = |dtype: DType| dtype.computes() && classes.contains(&dtype.class());
        let dtype = self.node().dtype();
        if taken(dtype) {
            let made = Array::as_one_operation(&[self], || of(self));
            // Whatever part of it cannot be done, it is this that was asked for.
            return match made.check() {
                Err(error) => Array::of_error(error.called(doing)),
                Ok(()) => made,
            };
        }
        Array::of_error(
            Error::not_taken(dtype, DType::all().filter(|&dtype| taken(dtype)).collect()).of(doing),
        )
    }
}

/// From so many elements on the innermost axes of a fold are folded by themselves, if other axes lie between them and the
/// rest: as long as this they are read one behind the other.
const APART: usize = 512;

/// How many innermost axes are folded first, by themselves; all of them if the fold is not split.
fn apart(axes: &[usize], shape: &[usize]) -> usize {
    let mut inner = 0;
    let mut elements = 1usize;
    for axis in (0..shape.len()).rev() {
        match axes.iter().rev().nth(inner) {
            Some(&folded) if folded == axis => {
                inner += 1;
                elements = elements.saturating_mul(shape[axis]);
            }
            _ if shape[axis] == 1 => {}
            _ => break,
        }
    }
    let is_rest = axes[..axes.len() - inner].iter().any(|&axis| shape[axis] != 1);
    if is_rest && elements >= APART { inner } else { axes.len() }
}
