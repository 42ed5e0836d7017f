//! Recurrences along an axis: what running folds with a factor at each step are.

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use super::evaluate::compact;
use super::lines::{PART, axis_last, each_part};
use super::{Array, Called, Extents, equal_shapes};
use crate::dtype::DType;
use crate::element::Number;
use crate::error::Error;
use crate::layout::LayoutError;
use crate::tensor::Tensor;

impl Array {
    /// `y[k] = self[k] + factors[k] * y[k - 1]` along an axis, where the first factor does nothing: of two arrays of real
    /// floats of one type and shape. Halves are computed in f32 and rounded once.
    pub(crate) fn recurrence(&self, factors: &Array, axis: usize) -> Result<Array, Error> {
        let (shape, dtype) = (self.shape()?, self.dtype()?);
        if axis >= shape.len() {
            return Err(LayoutError::NoAxis { axis, rank: shape.len() }.into());
        }
        equal_shapes([self, factors])?;
        let within = if dtype == DType::F64 { DType::F64 } else { DType::F32 };
        let [order, back] = axis_last(shape.len(), axis);
        let line = shape[axis];
        let shape: Extents = order.iter().map(|&axis| shape[axis]).collect();
        let last = shape.len() - 1;
        let arguments = [self, factors].map(|array| {
            let walked = (0..=last).map(|axis| (axis < last).then_some(axis)).collect();
            (array.convert(within).transpose(&order), walked)
        });
        let made = Array::call(Called::Recur(last), arguments, shape, within, move |tensors, _| {
            let (addends, factors) = (compact(&tensors[0])?, compact(&tensors[1])?);
            let mut out = Tensor::uninitialised(addends.shape(), within)?;
            let bytes = out.elements() * out.size();
            if let (Some(to), true) = (out.memory_mut(), bytes > 0) {
                let (from, to) = ([&addends, &factors].map(|all| &all.memory()[..bytes]), &mut to[..bytes]);
                if within == DType::F64 { lines::<f64>(from, line, to) } else { lines::<f32>(from, line, to) }
            }
            Ok(out)
        });
        Ok(made.transpose(&back).convert(dtype))
    }
}

fn lines<T: Number + Pod + Send + Sync>([addends, factors]: [&[u8]; 2], line: usize, to: &mut [u8]) {
    let (addends, factors): (&[T], &[T]) = (cast_slice(addends), cast_slice(factors));
    let part = line * (PART / line).max(1);
    let parts = addends.chunks(part).zip(factors.chunks(part)).zip(cast_slice_mut(to).chunks_mut(part));
    each_part(parts, |((addends, factors), to): ((&[T], &[T]), &mut [T])| {
        for ((addends, factors), to) in
            addends.chunks(line).zip(factors.chunks(line)).zip(to.chunks_mut(line))
        {
            let mut before = None;
            for ((&addend, &factor), to) in addends.iter().zip(factors).zip(to) {
                let made = before.map_or(addend, |before| factor.mul(before).add(addend));
                *to = made;
                before = Some(made);
            }
        }
    });
}
