//! Products that contract axes: vectors, crosses, outer products, and products over any axes.

use super::lines::axis_last;
use super::{Array, Extents, Keep};
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::promote::promote;

impl Array {
    /// The dot products of vectors along an axis, the left ones conjugated. The axis is counted from the end, 1 is the last;
    /// it is not stretched, all others are broadcast.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.vecdot(&Array::new(&[3], &[1, 0, 2]), 1).to_vec::<i32>()?, [7, 16]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn vecdot(&self, other: &Array, from_end: usize) -> Array {
        let made =
            || self.dotted(other, from_end).unwrap_or_else(|error| Array::of_error(error.of("vecdot")));
        Array::as_one_operation(&[self, other], made)
    }

    fn dotted(&self, other: &Array, from_end: usize) -> Result<Array, Error> {
        let dtype = of_numbers(promote(self.dtype()?, other.dtype()?)?)?;
        let (left, right) = (self.vectors(from_end)?, other.vectors(from_end)?);
        let (l, r) = (last(&left)?, last(&right)?);
        if l != r {
            let what = format!("the vectors have {l} and {r} elements, and their axis is not stretched");
            return Err(Error::shapes(what, &[self.shape()?, other.shape()?], None));
        }
        let left = if dtype.class() == Class::Complex { left.conj() } else { left };
        let product = left.convert(dtype) * right.convert(dtype);
        let axis = product.rank()? - 1;
        Ok(product.sum([axis], Keep::Nothing).convert(dtype))
    }

    /// The cross product of vectors of 3 elements. Their axis is counted from the end, 1 is the last; all others are
    /// broadcast.
    ///
    /// ```
    /// use ndcast::Array;
    /// let (x, y) = (Array::new(&[3], &[1, 0, 0]), Array::new(&[3], &[0, 1, 0]));
    /// assert_eq!(x.cross(&y, 1).to_vec::<i32>()?, [0, 0, 1]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn cross(&self, other: &Array, from_end: usize) -> Array {
        self.crossed(other, from_end).unwrap_or_else(|error| Array::of_error(error.of("cross")))
    }

    fn crossed(&self, other: &Array, from_end: usize) -> Result<Array, Error> {
        of_numbers(promote(self.dtype()?, other.dtype()?)?)?;
        let (left, right) = (self.vectors(from_end)?, other.vectors(from_end)?);
        for vectors in [&left, &right] {
            if last(vectors)? != 3 {
                let what = format!("the vectors have {} elements, not 3", last(vectors)?);
                return Err(Error::shapes(what, &[self.shape()?, other.shape()?], None));
            }
        }
        let part = |vectors: &Array, at: usize| -> Result<Array, Error> {
            let at = i64::try_from(at % 3).unwrap_or(0);
            Ok(vectors.select(&[ndcast_shape::Index::Ellipsis, ndcast_shape::Index::At(at)]))
        };
        let mut parts = vec![];
        for at in 0..3 {
            let [a, b] = [part(&left, at + 1)?, part(&left, at + 2)?];
            let [c, d] = [part(&right, at + 2)?, part(&right, at + 1)?];
            parts.push(a * c - b * d);
        }
        let rank = parts[0].rank()?;
        let axis = (rank + 1).saturating_sub(from_end);
        Ok(Array::stack(&parts, axis))
    }

    /// The outer product of two arrays of one axis.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2], &[1, 2]);
    /// assert_eq!(x.outer(&Array::new(&[2], &[3, 4])).to_vec::<i32>()?, [3, 4, 6, 8]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn outer(&self, other: &Array) -> Array {
        let made = || -> Result<Array, Error> {
            for line in [self, other] {
                if line.rank()? != 1 {
                    let what = "it takes arrays of one axis";
                    return Err(Error::shapes(what, &[self.shape()?, other.shape()?], None));
                }
            }
            Ok(self.expand(1).multiply(other))
        };
        made().unwrap_or_else(|error| Array::of_error(error.of("outer")))
    }

    /// The contraction over pairs of axes of equal extents. The result has the other axes, those of the left first.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    /// let y = Array::new(&[3], &[1.0, 0.0, 1.0]);
    /// assert_eq!(x.tensordot(&y, &[1], &[0]).to_vec::<f64>()?, [4.0, 10.0]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn tensordot(&self, other: &Array, axes: &[usize], other_axes: &[usize]) -> Array {
        let made = || self.contracted(other, axes, other_axes);
        Array::as_one_operation(&[self, other], || {
            made().unwrap_or_else(|error| Array::of_error(error.called("tensordot")))
        })
    }

    fn contracted(&self, other: &Array, axes: &[usize], other_axes: &[usize]) -> Result<Array, Error> {
        of_numbers(promote(self.dtype()?, other.dtype()?)?)?;
        if axes.len() != other_axes.len() {
            return Err(Error::value(format!(
                "{} axes of the left and {} of the right are no pairs",
                axes.len(),
                other_axes.len()
            )));
        }
        let (l, r) = (self.shape()?, other.shape()?);
        super::movement::sorted(axes, l.len())?;
        super::movement::sorted(other_axes, r.len())?;
        for (&axis, &other_axis) in axes.iter().zip(other_axes) {
            if l[axis] != r[other_axis] {
                let what = format!(
                    "axis {axis} of the left has extent {} and axis {other_axis} of the right {}, and they are not \
                     stretched",
                    l[axis], r[other_axis]
                );
                return Err(Error::shapes(what, &[l, r], Some(axis)));
            }
        }
        let free =
            |rank: usize, axes: &[usize]| -> Extents { (0..rank).filter(|a| !axes.contains(a)).collect() };
        let (rows, columns) = (free(l.len(), axes), free(r.len(), other_axes));
        let extents =
            |shape: &[usize], axes: &[usize]| -> Extents { axes.iter().map(|&a| shape[a]).collect() };
        let count = |extents: &[usize]| extents.iter().product::<usize>();
        let depth = count(&extents(l, axes));
        let (row_extents, column_extents) = (extents(l, &rows), extents(r, &columns));
        let left = self.transpose(&[&rows[..], axes].concat()).reshape(&[count(&row_extents), depth]);
        let right =
            other.transpose(&[other_axes, &columns[..]].concat()).reshape(&[depth, count(&column_extents)]);
        Ok(left.matmul(&right).reshape(&[&row_extents[..], &column_extents[..]].concat()))
    }

    /// With an axis, counted from the end, put last.
    fn vectors(&self, from_end: usize) -> Result<Array, Error> {
        let rank = self.rank()?;
        let Some(axis) = rank.checked_sub(from_end).filter(|&axis| axis < rank) else {
            let text = format!(
                "there is no axis {from_end} counted from the end, where 1 is the last: the rank is {rank}"
            );
            return Err(Error::value(text));
        };
        let [order, _] = axis_last(rank, axis);
        Ok(self.transpose(&order))
    }
}

fn last(array: &Array) -> Result<usize, Error> {
    Ok(array.shape()?.last().copied().unwrap_or(1))
}

/// Products are of numbers.
fn of_numbers(dtype: DType) -> Result<DType, Error> {
    let takes = |dtype: &DType| dtype.computes() && dtype.class() != Class::Bool;
    if takes(&dtype) { Ok(dtype) } else { Err(Error::not_taken(dtype, DType::all().filter(takes).collect())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_that_are_multiplied_are_not_stretched() -> Result<(), Error> {
        let ones = |shape: &[usize]| Array::full(shape, 1, DType::F32);
        assert!(ones(&[2, 3]).vecdot(&ones(&[1]), 1).check().is_err());
        assert!(ones(&[2, 3]).tensordot(&ones(&[1, 2]), &[1], &[0]).check().is_err());
        assert!(ones(&[2, 2]).cross(&ones(&[2, 2]), 1).check().is_err());
        assert_eq!(ones(&[2, 3, 4]).vecdot(&ones(&[3, 4]), 2).shape()?, [2, 4]);
        assert_eq!(ones(&[3, 2]).cross(&ones(&[5, 3, 1]), 2).shape()?, [5, 3, 2]);
        assert_eq!(ones(&[2, 0]).tensordot(&ones(&[0, 4]), &[1], &[0]).to_vec::<f32>()?, [0.0; 8]);
        assert_eq!(ones(&[2]).tensordot(&ones(&[3]), &[], &[]).shape()?, [2, 3]);
        Ok(())
    }

    #[test]
    fn the_left_vector_is_conjugated() -> Result<(), Error> {
        let i = Array::new(&[1], &[num_complex::Complex::new(0.0, 1.0)]);
        assert_eq!(i.vecdot(&i, 1).item::<num_complex::Complex<f64>>()?.re, 1.0);
        Ok(())
    }
}
