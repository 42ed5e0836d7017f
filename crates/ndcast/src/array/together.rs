//! Elements taken by numbers along several axes together.

use std::ops::Range;

use ndcast_shape::rule::array_api;
use smallvec::SmallVec;

use super::evaluate::compact;
use super::take::check;
use super::{Array, Axes, Called, Extents};
use crate::engine::{self, Numbers, Places, Walk};
use crate::error::Error;
use crate::layout::as_i64;
use crate::tensor::Tensor;

const DOING: &str = "take_together";

impl Array {
    /// Indexing by one index array for each of some axes, as `x[i, j]` in NumPy: the result has the shape to which these
    /// broadcast, then the other axes. Negative indices count from the end.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 2, 3], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    /// let (i, j) = (Array::new(&[2], &[0i64, 1]), Array::new(&[2], &[2i64, -3]));
    /// let picked = x.take_together(&[(0, &i), (2, &j)]);
    /// assert_eq!(picked.shape()?, [2, 2]);
    /// assert_eq!(picked.to_vec::<i32>()?, [2, 5, 6, 9]);
    /// // A number that is not there is an error when the array is computed.
    /// assert!(x.take_together(&[(0, &i), (1, &j)]).eval().is_err());
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn take_together(&self, numbers: &[(usize, &Array)]) -> Array {
        self.taken_together(numbers).unwrap_or_else(|error| Array::of_error(error.of(DOING)))
    }

    fn taken_together(&self, numbers: &[(usize, &Array)]) -> Result<Array, Error> {
        let own = self.shape()?;
        let axes: SmallVec<[usize; 4]> = numbers.iter().map(|&(axis, _)| axis).collect();
        super::movement::sorted(&axes, own.len())?;
        let others = || (0..own.len()).filter(|axis| !axes.contains(axis));
        let numbers = numbers
            .iter()
            .map(|(_, numbers)| numbers.as_numbers())
            .collect::<Result<SmallVec<[_; 4]>, _>>()?;
        let shapes =
            numbers.iter().map(|numbers| numbers.shape()).collect::<Result<SmallVec<[_; 4]>, _>>()?;
        let together: Extents = array_api::join(&shapes)?.shape().into();
        let mut shape = together.clone();
        shape.extend(others().map(|axis| own[axis]));
        super::apply::addressable(&shape)?;
        if self.is_watched() {
            // So that it can be differentiated: rows of one axis.
            let lines = self.transpose(&axes.iter().copied().chain(others()).collect::<Extents>());
            let mut merged = Extents::from_elem(axes.iter().map(|&axis| own[axis]).product(), 1);
            merged.extend(others().map(|axis| own[axis]));
            let place = |place: Array, (&axis, numbers): (&usize, &Array)| {
                let extent = as_i64(own[axis]);
                place * extent + numbers.places_from_start(own[axis], axis, DOING)
            };
            let places = axes.iter().zip(&numbers).fold(Array::scalar(0i64), place);
            return Ok(lines.reshape(&merged).take(&places.broadcast_to(&together), 0));
        }
        let new = together.len();
        let walked: Axes = std::iter::repeat_n(None, new).chain(others().map(Some)).collect();
        let along: Axes = (0..shape.len()).map(|axis| (axis < new).then_some(axis)).collect();
        let stretched = numbers.iter().map(|numbers| (numbers.broadcast_to(&together), along.clone()));
        let arguments: Vec<_> = std::iter::once((self.clone(), walked)).chain(stretched).collect();
        let dtype = self.dtype()?;
        Ok(Array::call(Called::Other(DOING), arguments, shape, dtype, move |tensors, shape| {
            let mut out = Tensor::uninitialised(shape, dtype)?;
            let all = few_or_compact(&tensors[0], out.elements())?;
            let places = tensors[1..].iter().map(compact).collect::<Result<SmallVec<[_; 4]>, _>>()?;
            let places = || {
                axes.iter().zip(&places).map(|(&axis, places)| (axis, places.as_slice().unwrap_or_default()))
            };
            if !take_at(&all, 0..0, places(), &mut out) {
                for (axis, numbers) in places() {
                    check(numbers, all.shape()[axis], axis).map_err(|error| error.of(DOING))?;
                }
            }
            Ok(out)
        }))
    }
}

/// What takes less than a so-manieth part of an array takes it as it lies; else its elements are put in order first.
const FEW: usize = 8;

/// An array so many elements are taken of, in order if they are not few.
pub(super) fn few_or_compact(all: &Tensor, taken: usize) -> Result<Tensor, Error> {
    let are_few = taken.saturating_mul(FEW) < all.elements();
    if are_few || all.layout().is_row_major() { Ok(all.clone()) } else { compact(all) }
}

/// Fills a tensor with what numbers along some axes say together, behind the outer axes; whether all of it is there.
pub(super) fn take_at<'n>(
    all: &Tensor,
    outer: Range<usize>,
    numbers: impl Iterator<Item = (usize, &'n [i64])>,
    out: &mut Tensor,
) -> bool {
    let (own, strides) = (all.shape(), all.layout().strides());
    let mut others: Extents = (outer.end..own.len()).collect();
    let mut along = SmallVec::<[Numbers<'_>; 4]>::new();
    for (axis, numbers) in numbers {
        others.retain(|other| *other != axis);
        along.push(Numbers { numbers, extent: own[axis], stride: strides[axis] });
    }
    let walk = |axes: &[usize], start: isize| {
        let pairs = axes.iter().map(|&axis| (own[axis], strides[axis]));
        Walk::new(pairs.clone().map(|pair| pair.0), pairs.map(|pair| pair.1), start)
    };
    let places = Places {
        outer: walk(&outer.collect::<Extents>(), 0),
        along: &along,
        each: walk(&others, all.layout().offset().cast_signed()),
        inner: others.iter().map(|&axis| own[axis]).product(),
        size: all.size(),
    };
    let bytes = out.elements() * out.size();
    match out.memory_mut() {
        Some(to) if bytes > 0 => engine::take_at(all.memory(), &places, &mut to[..bytes]),
        _ => false,
    }
}
