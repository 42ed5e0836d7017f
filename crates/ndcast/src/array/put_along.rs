//! Elements put where numbers say, or folded into what is there.

use super::evaluate::compact;
use super::{Array, Axes, Called, Extents};
use crate::error::Error;
use crate::layout::as_i64;
use crate::op::Op;
use crate::promote::fits;
use crate::tensor::Tensor;

impl Array {
    /// The array with each of `values` stored along an axis at its index in `numbers`; negative indices count from the end.
    /// With an operation, its result on the old element and the value is stored. Both have the array's shape but along the
    /// axis. Several values for one place are applied in order.
    ///
    /// ```
    /// use ndcast::{Array, Op};
    /// let x = Array::new(&[4], &[0, 10, 20, 30]);
    /// let (numbers, values) = (Array::new(&[3], &[1i64, 1, -1]), Array::new(&[3], &[1, 2, 3]));
    /// let added = x.put_along_axis(&numbers, &values, 0, Some(Op::Add));
    /// assert_eq!(added.to_vec::<i32>()?, [0, 13, 20, 33]);
    /// assert_eq!(x.put_along_axis(&numbers, &values, 0, None).to_vec::<i32>()?, [0, 2, 20, 3]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn put_along_axis(&self, numbers: &Array, values: &Array, axis: usize, with: Option<Op>) -> Array {
        let doing = "put_along_axis";
        self.put_where(numbers, values, axis, with).unwrap_or_else(|error| Array::of_error(error.of(doing)))
    }

    fn put_where(
        &self,
        numbers: &Array,
        values: &Array,
        axis: usize,
        with: Option<Op>,
    ) -> Result<Array, Error> {
        let (own, theirs) = (self.shape()?, numbers.shape()?);
        if axis >= own.len() {
            return Ok(self.no_axis("put_along_axis", axis));
        }
        let is_laid = own.len() == theirs.len()
            && (0..own.len()).all(|other| other == axis || own[other] == theirs[other]);
        if values.shape()? != theirs || !is_laid {
            let shapes =
                [own, theirs, values.shape()?].map(|shape| ndcast_shape::Shape::from(shape).to_string());
            return Err(Error::value(format!(
                "the numbers and the values have one shape, and besides along axis {axis} that of the array; the array has \
                 {}, the numbers {} and the values {}",
                shapes[0], shapes[1], shapes[2]
            )));
        }
        let dtype = self.dtype()?;
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
    let signed = as_i64(extent);
    super::places::allowed(numbers.len(), "put_along_axis")?;
    let mut places = Vec::with_capacity(numbers.len());
    for (element, &number) in numbers.iter().enumerate() {
        let from_start = if number < 0 { number + signed } else { number };
        let along = usize::try_from(from_start).ok().filter(|&along| along < extent).ok_or_else(|| {
            Error::value(format!("there is no element {number}: axis {axis} has extent {extent}"))
                .of("put_along_axis")
        })?;
        let (line, column) = (element / (count * inner), element % inner);
        places.push((line * extent + along) * inner + column);
    }
    let values = values.memory();
    let into_shape: Vec<usize> = into.shape().to_vec();
    let Some(to) = into.memory_mut() else {
        return Err(Error::value(format!("{into_shape:?} is shared while it is written")));
    };
    let mut folded = [0u8; 16];
    for (element, place) in places.into_iter().enumerate() {
        let value = &values[element * size..][..size];
        let there = &mut to[place * size..][..size];
        match kernel {
            Some(kernel) => {
                kernel.run(&[there, value], &mut folded[..size]);
                there.copy_from_slice(&folded[..size]);
            }
            None => there.copy_from_slice(value),
        }
    }
    Ok(into)
}
