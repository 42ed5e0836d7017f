//! Elements along an axis, each so often as is said of it.

use bytemuck::{Pod, cast_slice_mut, try_cast_slice};

use super::evaluate::compact;
use super::linear::around;
use super::lines::each_part;
use super::{Array, Called, Extents};
use crate::error::Error;
use crate::tensor::Tensor;

/// The bytes of a part that a thread claims, at least.
const PART: usize = 1 << 16;
/// So many copies of an element are written whether they are wanted or not: most elements are repeated less often.
const AT_ONCE: usize = 4;

impl Array {
    /// Repeats element `i` along an axis `times[i]` times.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.repeat_each(&[0, 2, 1], 1).to_vec::<i32>()?, [2, 2, 3, 5, 5, 6]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn repeat_each(&self, times: &[usize], axis: usize) -> Array {
        let doing = "repeat";
        if self.check().is_err() {
            return self.clone();
        }
        let own = self.node().shape();
        if axis >= own.len() {
            return self.no_axis(doing, axis);
        }
        if times.len() != own[axis] {
            let text = format!("{} numbers of times for axis {axis} of extent {}", times.len(), own[axis]);
            return Array::of_error(Error::value(text).of(doing));
        }
        let mut shape: Extents = own.into();
        shape[axis] = times.iter().fold(0, |sum, &times| sum.saturating_add(times));
        if let Err(error) = super::apply::addressable(&shape) {
            return Array::of_error(error.of(doing));
        }
        if self.is_watched() {
            // So that it can be differentiated: which element comes from where.
            return numbers(times, shape[axis])
                .map_or_else(Array::of_error, |numbers| self.take(&numbers, axis));
        }
        let walked = (0..shape.len()).map(|other| (other != axis).then_some(other)).collect();
        let (arguments, times, dtype) = ([(self.clone(), walked)], times.to_vec(), self.node().dtype());
        Array::call(Called::Other(doing), arguments, shape, dtype, move |tensors, shape| {
            let all = compact(&tensors[0])?;
            let inner = around(all.shape(), axis).inner * all.size();
            let mut out = Tensor::uninitialised(shape, dtype)?;
            let bytes = out.elements() * out.size();
            if let (Some(to), true) = (out.memory_mut(), bytes > 0) {
                repeat(all.memory(), &times, inner, &mut to[..bytes]);
            }
            Ok(out)
        })
    }
}

/// For each element of the result the number of the one that it is.
fn numbers(times: &[usize], all: usize) -> Result<Array, Error> {
    // The memory is asked for before it is written: there may not be so much.
    let mut numbers = Tensor::uninitialised(&[all], crate::dtype::DType::I64)?;
    let mut left = numbers.as_slice_mut::<i64>().unwrap_or_default();
    for (number, &times) in (0..).zip(times) {
        let (now, later) = left.split_at_mut(times);
        now.fill(number);
        left = later;
    }
    Ok(numbers.into())
}

/// Repeats the rows of blocks, each of so many bytes.
fn repeat(from: &[u8], times: &[usize], inner: usize, to: &mut [u8]) {
    let in_block = times.iter().sum::<usize>() * inner;
    let mut parts = vec![];
    for (block, mut to) in to.chunks_mut(in_block).enumerate() {
        let mut from = &from[block * times.len() * inner..];
        let mut first = 0;
        while first < times.len() {
            let (mut end, mut bytes) = (first, 0);
            while end < times.len() && bytes < PART {
                bytes += times[end] * inner;
                end += 1;
            }
            let times = &times[first..end];
            let (now, later) = to.split_at_mut(bytes);
            parts.push((&from[..times.len() * inner], times, now));
            (first, to) = (first + times.len(), later);
            from = &from[times.len() * inner..];
        }
    }
    each_part(parts.into_iter(), |(from, times, to)| match inner {
        1 => words::<u8>(from, times, to),
        2 => words::<u16>(from, times, to),
        4 => words::<u32>(from, times, to),
        8 => words::<u64>(from, times, to),
        _ => rows(from, times, inner, to),
    });
}

/// Rows that are as large as one word.
fn words<W: Pod>(from: &[u8], times: &[usize], to: &mut [u8]) {
    // Memory that somebody lends need not lie as words do.
    let Ok(from) = try_cast_slice::<u8, W>(from) else { return rows(from, times, size_of::<W>(), to) };
    let to: &mut [W] = cast_slice_mut(to);
    let mut at = 0;
    for (&word, &times) in from.iter().zip(times) {
        match to[at..].first_chunk_mut::<AT_ONCE>() {
            Some(some) if times <= AT_ONCE => *some = [word; AT_ONCE],
            _ => to[at..at + times].fill(word),
        }
        at += times;
    }
}

fn rows(from: &[u8], times: &[usize], inner: usize, to: &mut [u8]) {
    let mut to = to.chunks_exact_mut(inner);
    for (row, &times) in from.chunks_exact(inner).zip(times) {
        to.by_ref().take(times).for_each(|to| to.copy_from_slice(row));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Tape;

    /// As many times as the number says modulo a few, compared with taking by numbers.
    fn checked(shape: &[usize], axis: usize, times: impl Fn(usize) -> usize) -> Result<(), Error> {
        let count = shape.iter().product();
        let x = Array::iota(count, crate::DType::U16).reshape(shape);
        let times: Vec<usize> = (0..shape[axis]).map(times).collect();
        let taken = x.take(&numbers(&times, times.iter().sum())?, axis);
        for x in [x.clone(), x.convert(crate::DType::F64)] {
            let repeated = x.repeat_each(&times, axis);
            assert_eq!(repeated.shape()?, taken.shape()?);
            assert_eq!(repeated.convert(crate::DType::U16).to_vec::<u16>()?, taken.to_vec::<u16>()?);
        }
        Ok(())
    }

    #[test]
    fn every_axis_and_how_often() -> Result<(), Error> {
        for axis in 0..3 {
            checked(&[3, 5, 2], axis, |n| n)?;
            checked(&[7, 4, 8], axis, |n| [0, 9, 1][n % 3])?;
            checked(&[2, 3, 4], axis, |_| 0)?;
        }
        checked(&[40_000], 0, |n| n % 7)?;
        checked(&[3, 9000], 1, |n| usize::from(n == 77) * 50_000)?;
        checked(&[2, 0], 1, |_| 3)?;
        checked(&[0, 2], 1, |_| 3)
    }

    #[test]
    fn what_does_not_go() {
        let x = Array::new(&[3], &[1, 2, 3]);
        let text = |array: Array| array.check().unwrap_err().to_string();
        assert_eq!(text(x.repeat_each(&[1, 2], 0)), "repeat: 2 numbers of times for axis 0 of extent 3");
        assert!(x.repeat_each(&[1], 1).check().is_err());
        assert!(x.repeat_each(&[usize::MAX, 1, 1], 0).check().is_err());
    }

    #[test]
    fn gradients_are_added_up() -> Result<(), Error> {
        let tape = Tape::new(&[&Array::new(&[3], &[1.0, 2.0, 3.0])])?;
        let y = tape.watched()[0].repeat_each(&[2, 0, 3], 0).square().sum(.., crate::Keep::Nothing);
        assert_eq!(tape.gradients(&y)?[0].to_vec::<f64>()?, [4.0, 0.0, 18.0]);
        Ok(())
    }
}
