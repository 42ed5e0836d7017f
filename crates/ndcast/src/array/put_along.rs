//! Elements put where numbers say, or folded into what is there.

use super::evaluate::compact;
use super::take::row;
use super::{Array, Axes, Called, Extents, Operand};
use crate::error::Error;
use crate::kernel::Kernel;
use crate::op::Op;
use crate::promote::{fits, scalar_fits};
use crate::tensor::Tensor;

/// So many values at most are folded in at once.
const TOGETHER: usize = 64;

impl Array {
    /// The array with each of `values` stored along an axis at its index in `numbers`; negative indices count from the end.
    /// With an operation, its result on the old element and the value is stored. The numbers have the array's shape but along
    /// the axis, and the values are broadcast to them. Several values for one place are applied in order.
    ///
    /// ```
    /// use ndcast::{Array, Op};
    /// let x = Array::new(&[4], &[0, 10, 20, 30]);
    /// let (numbers, values) = (Array::new(&[3], &[1i64, 1, -1]), Array::new(&[3], &[1, 2, 3]));
    /// let added = x.put_along_axis(&numbers, &values, 0, Some(Op::Add));
    /// assert_eq!(added.to_vec::<i32>()?, [0, 13, 20, 33]);
    /// assert_eq!(x.put_along_axis(&numbers, &values, 0, None).to_vec::<i32>()?, [0, 2, 20, 3]);
    /// // How often each number is there.
    /// let counts = Array::new(&[4], &[0; 4]).put_along_axis(&numbers, 1, 0, Some(Op::Add));
    /// assert_eq!(counts.to_vec::<i32>()?, [0, 2, 0, 1]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn put_along_axis(
        &self,
        numbers: &Array,
        values: impl Into<Operand>,
        axis: usize,
        with: Option<Op>,
    ) -> Array {
        let doing = "put_along_axis";
        self.put_where(numbers, values.into(), axis, with)
            .unwrap_or_else(|error| Array::of_error(error.of(doing)))
    }

    fn put_where(
        &self,
        numbers: &Array,
        values: Operand,
        axis: usize,
        with: Option<Op>,
    ) -> Result<Array, Error> {
        let (own, theirs) = (self.shape()?, numbers.shape()?);
        if axis >= own.len() {
            return Ok(self.no_axis("put_along_axis", axis));
        }
        let is_laid = own.len() == theirs.len()
            && (0..own.len()).all(|other| other == axis || own[other] == theirs[other]);
        if !is_laid {
            let [own, theirs] = [own, theirs].map(|shape| ndcast_shape::Shape::from(shape).to_string());
            return Err(Error::value(format!(
                "the numbers have the array's shape but along axis {axis}; the array has {own}, and the numbers {theirs}"
            )));
        }
        let dtype = self.dtype()?;
        let values = match values {
            Operand::Array(values) => values.broadcast_to(theirs).called("broadcast_to", "put_along_axis"),
            Operand::Number(number) => {
                scalar_fits(number.kind(), dtype)?;
                Array::full(theirs, number, dtype)
            }
        };
        let within = dtype.computed_in();
        fits(values.dtype()?, dtype)?;
        let values = values.convert(dtype);
        let op = match with {
            None => None,
            Some(op) if op.kernel(within).is_none() => {
                return Err(Error::value(format!("{op} is no operation of one kernel on {within}")));
            }
            Some(op) if op.arity() == 2 && op.result(dtype) == Some(dtype) => Some(op),
            Some(op) => return Err(Error::value(format!("{op} does not make {dtype} of two {dtype}"))),
        };
        let shape: Extents = own.into();
        // What is folded in is folded in the type that is computed in, and rounded once.
        let folded = if op.is_some() { within } else { dtype };
        let walked = Axes::from_iter((0..own.len()).map(|other| (other != axis).then_some(other)));
        let arguments = [self.convert(folded), numbers.as_numbers()?, values.convert(folded)];
        let arguments = arguments.map(|array| (array, walked.clone()));
        let made = Array::call(Called::PutAlong(axis, op), arguments, shape, folded, move |tensors, _| {
            put(tensors, axis, op)
        });
        Ok(made.convert(dtype))
    }
}

fn put(tensors: &[Tensor], axis: usize, op: Option<Op>) -> Result<Tensor, Error> {
    let mut into = Array::from(tensors[0].clone()).copy().eval()?;
    let (numbers, values) = (tensors[1].to_vec::<i64>()?, compact(&tensors[2])?);
    let (dtype, size) = (into.dtype(), into.size());
    let kernel = op.and_then(|op| op.kernel(dtype));
    let inner: usize = into.shape()[axis + 1..].iter().product();
    let (extent, count) = (into.shape()[axis], tensors[1].shape()[axis]);
    super::places::allowed(numbers.len(), "put_along_axis")?;
    let mut places = Vec::with_capacity(numbers.len());
    for (element, &number) in numbers.iter().enumerate() {
        let along = row(number, extent, axis).map_err(|error| error.of("put_along_axis"))?;
        let (line, column) = (element / (count * inner), element % inner);
        places.push((line * extent + along) * inner + column);
    }
    let into_shape: Vec<usize> = into.shape().to_vec();
    let Some(to) = into.memory_mut() else {
        return Err(Error::value(format!("{into_shape:?} is shared while it is written")));
    };
    match kernel {
        Some(kernel) => fold_in(kernel, to, &places, values.memory(), size),
        None => {
            for (&place, value) in places.iter().zip(values.memory().chunks_exact(size)) {
                to[place * size..][..size].copy_from_slice(value);
            }
        }
    }
    Ok(into)
}

/// Folds values of so many bytes into what is at their places, in order: as many at once as have each a place of its own.
fn fold_in(kernel: Kernel, to: &mut [u8], places: &[usize], values: &[u8], size: usize) {
    // Aligned for every type.
    let (mut there, mut folded) = ([[0u64; 2]; TOGETHER], [[0u64; 2]; TOGETHER]);
    let there: &mut [u8] = bytemuck::cast_slice_mut(&mut there);
    let folded: &mut [u8] = bytemuck::cast_slice_mut(&mut folded);
    let (mut places, mut values) = (places, values);
    while !places.is_empty() {
        let (now, later) = places.split_at(distinct(places));
        let bytes = now.len() * size;
        let (new, rest) = values.split_at(bytes);
        for (there, place) in there.chunks_exact_mut(size).zip(now) {
            there.copy_from_slice(&to[place * size..][..size]);
        }
        kernel.run(&[&there[..bytes], new], &mut folded[..bytes]);
        for (folded, place) in folded.chunks_exact(size).zip(now) {
            to[place * size..][..size].copy_from_slice(folded);
        }
        (places, values) = (later, rest);
    }
}

/// How many of the first places are surely different ones: one at least, and [`TOGETHER`] at most.
fn distinct(places: &[usize]) -> usize {
    let mut seen = [0u64; 16];
    let is_new = |place: &&usize| {
        let (word, bit) = (*place / 64 % seen.len(), 1 << (*place % 64));
        let is_new = seen[word] & bit == 0;
        seen[word] |= bit;
        is_new
    };
    places.iter().take(TOGETHER).take_while(is_new).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_are_different() {
        assert_eq!(distinct(&[5]), 1);
        assert_eq!(distinct(&[5, 5]), 1);
        assert_eq!(distinct(&[5, 6, 7, 6]), 3);
        assert_eq!(distinct(&[5, 5 + 64, 5 + 1024]), 2, "perhaps the same");
        assert_eq!(distinct(&(0..200).collect::<Vec<_>>()), TOGETHER);
    }

    /// Many values for few places and few for many, one after another.
    #[test]
    fn values_are_folded_in_in_order() -> Result<(), Error> {
        for (extent, factor) in [(1, 1), (3, 1), (50, 7), (1000, 999), (5000, 1024)] {
            let numbers: Vec<i64> = (0..3000).map(|n| n * n * factor % extent).collect();
            let values: Vec<f64> = (0..3000).map(|n| f64::from(n % 10) + 0.1).collect();
            let own: Vec<f64> = (0..extent).map(|n| n as f64).collect();
            for op in [Op::Add, Op::Subtract, Op::Maximum] {
                let mut expected = own.clone();
                for (&number, value) in numbers.iter().zip(&values) {
                    let there = &mut expected[usize::try_from(number).unwrap_or(0)];
                    *there = match op {
                        Op::Add => *there + value,
                        Op::Subtract => *there - value,
                        _ => there.max(*value),
                    };
                }
                let own = Array::new(&[own.len()], &own);
                let (numbers, values) = (Array::new(&[3000], &numbers), Array::new(&[3000], &values));
                let made = own.put_along_axis(&numbers, &values, 0, Some(op));
                assert_eq!(made.to_vec::<f64>()?, expected, "{op} of {extent}");
            }
        }
        Ok(())
    }

    #[test]
    fn values_are_broadcast_to_the_numbers() -> Result<(), Error> {
        let numbers = Array::new(&[2, 3], &[0i64, 1, 1, -1, 1, 0]);
        let zeros = Array::zeros(&[2, 2], crate::DType::I32);
        let count = zeros.put_along_axis(&numbers, 1, 1, Some(Op::Add));
        assert_eq!(count.to_vec::<i32>()?, [1, 2, 1, 2]);
        let by_row = zeros.put_along_axis(&numbers, Array::new(&[2, 1], &[5, 7]), 1, Some(Op::Add));
        assert_eq!(by_row.to_vec::<i32>()?, [5, 10, 7, 14]);
        let text = zeros.put_along_axis(&numbers, Array::new(&[2], &[5, 7]), 1, None).check().unwrap_err();
        assert!(text.to_string().starts_with("put_along_axis: array-api.broadcast-to: 2 does not"), "{text}");
        Ok(())
    }
}
