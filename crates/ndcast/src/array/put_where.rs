//! A number put where a mask is true.

use bytemuck::{Pod, cast_slice_mut};

use super::evaluate::{compact, fresh};
use super::lines::each_part;
use super::{Array, Number, quick};
use crate::dtype::DType;
use crate::error::Error;
use crate::promote::scalar_fits;
use crate::simd::{Body, Isa, simd};

/// The elements that a thread claims at a time.
const PART: usize = 1 << 15;
/// So many truth values are asked together whether any is true.
const TOGETHER: usize = 32;

impl Array {
    /// Puts a number where a mask of the same shape is true: in the array's own memory if that is computed and nobody else has it.
    /// Else it is put off, and whatever is made of the array is computed with it.
    pub(super) fn put_number_where(&mut self, mask: &Array, number: Number) -> Result<(), Error> {
        let dtype = self.dtype()?;
        scalar_fits(number.kind(), dtype)?;
        let element = number.element(dtype)?;
        let element = &bytemuck::cast_slice(&element)[..dtype.size().unwrap_or(0)];
        if mask.dtype()? == DType::Bool && self.may_be_written() {
            let mask = compact(&mask.eval()?)?;
            // A mask that is made of the array has it until it is computed.
            if self.own_memory().is_none() && quick::is_small(self.shape()?, dtype) {
                *self = fresh(&self.eval()?)?.into();
            }
            if let Some(memory) = self.own_memory() {
                let truths = &mask.memory()[..mask.elements()];
                put(element, truths, &mut memory[..truths.len() * element.len()]);
                return Ok(());
            }
        }
        let changed = mask.choose(Array::from(number.tensor(dtype)?), &*self);
        changed.check()?;
        *self = changed;
        Ok(())
    }

    /// Whether it is in memory that it may have for itself: that no other tensor has, or that is soon copied.
    fn may_be_written(&self) -> bool {
        match self.node().at_hand() {
            Some(Ok(tensor)) => {
                !tensor.is_lent() && (!tensor.is_shared() || quick::is_small(tensor.shape(), tensor.dtype()))
            }
            _ => false,
        }
    }
}

/// Puts an element where truth values are true.
fn put(element: &[u8], truths: &[u8], to: &mut [u8]) {
    let parts = truths.chunks(PART).zip(to.chunks_mut(PART * element.len()));
    each_part(parts, |(truths, to)| match element.len() {
        1 => words::<u8>(element, truths, to),
        2 => words::<u16>(element, truths, to),
        4 => words::<u32>(element, truths, to),
        8 => words::<u64>(element, truths, to),
        _ => words::<[u64; 2]>(element, truths, to),
    });
}

fn words<W: Pod>(element: &[u8], truths: &[u8], to: &mut [u8]) {
    simd(Where::<W>(bytemuck::pod_read_unaligned(element), truths, cast_slice_mut(to)));
}

struct Where<'w, W>(W, &'w [u8], &'w mut [W]);

impl<W: Pod> Body for Where<'_, W> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Where(element, truths, to) = self;
        let (blocks, rest) = truths.as_chunks::<TOGETHER>();
        let (to_blocks, to_rest) = to.as_chunks_mut::<TOGETHER>();
        for (truths, to) in blocks.iter().zip(to_blocks) {
            // Where nothing is put nothing is written, or even read.
            if *truths == [0; TOGETHER] {
                continue;
            }
            for place in 0..TOGETHER {
                to[place] = if truths[place] != 0 { element } else { to[place] };
            }
        }
        for (&truth, to) in rest.iter().zip(to_rest) {
            if truth != 0 {
                *to = element;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_has_it_besides_sees_no_change() -> Result<(), Error> {
        for count in [0usize, 1, 31, 32, 33, 1000, 70_000] {
            let numbers: Vec<i32> = (0..).take(count).collect();
            let expected =
                |least: i32| numbers.iter().map(|&n| if n % 7 > least { -1 } else { n }).collect::<Vec<_>>();
            let x = || Array::new(&[count], &numbers);
            let mask = |x: &Array, least: i32| x.remainder(7).greater(least);
            for least in [-1, 2, 5, 6] {
                // Alone; with a mask that is there already; beside another handle; as a view; and what is not computed yet.
                let mut own = x();
                let ready = mask(&own, least);
                ready.eval()?;
                own.try_set_where(&ready, -1)?;
                let mut changed = x();
                let lazy = mask(&changed, least);
                changed.try_set_where(&lazy, -1)?;
                let first = x();
                let mut second = first.clone();
                second.try_set_where(&mask(&first, least), -1)?;
                let mut flipped = first.flip([0]);
                flipped.try_set_where(&mask(&flipped.clone(), least), -1)?;
                let mut later = x() * 1;
                later.try_set_where(&mask(&later.clone(), least), -1)?;
                for array in [own, changed, second, flipped.flip([0]), later] {
                    assert_eq!(array.to_vec::<i32>()?, expected(least));
                }
                assert_eq!(first.to_vec::<i32>()?, numbers);
            }
        }
        Ok(())
    }

    #[test]
    fn elements_of_each_size_and_what_does_not_fit() -> Result<(), Error> {
        for dtype in [DType::Bool, DType::I8, DType::F16, DType::F32, DType::F64, DType::C128] {
            let truths: Vec<bool> = (0..100).map(|n| n % 3 == 0 || n > 40).collect();
            let mask = Array::new(&[10, 10], &truths);
            let mut x = Array::full(&[10, 10], 0, dtype);
            x.eval()?;
            match dtype {
                DType::Bool => x.try_set_where(&mask, true)?,
                _ => x.try_set_where(&mask, 1)?,
            }
            assert_eq!(x.convert(DType::Bool).to_vec::<bool>()?, truths, "{dtype}");
        }
        let mut x = Array::new(&[2], &[1u8, 2]);
        let mask = Array::new(&[2], &[true, true]);
        for wrong in [Number::Int(300), Number::Float(1.5)] {
            assert!(x.try_set_where(&mask, wrong).is_err());
        }
        assert!(x.try_set_where(&Array::new(&[2], &[1, 0]), 1).is_err());
        assert!(x.try_set_where(&Array::new(&[1], &[true]), 1).is_err());
        assert_eq!(x.to_vec::<u8>()?, [1, 2]);
        Ok(())
    }
}
