//! Kernels that choose one of two elements.

use bytemuck::{Pod, cast, cast_slice_mut};

use super::along::Past;
use super::{Along, BLOCK, Kernel};
use crate::simd::{Body, Isa, Stores, simd};

/// The kernel that takes from `b` where the first argument is true and from `c` elsewhere, by the size of an element.
pub(crate) fn select(size: usize) -> Option<Kernel> {
    let kernel = match size {
        1 => run_select::<u8>,
        2 => run_select::<u16>,
        4 => run_select::<u32>,
        8 => run_select::<u64>,
        16 => run_select::<[u64; 2]>,
        _ => return None,
    };
    Some(Kernel::Several(kernel))
}

struct Select<'a, T> {
    arguments: &'a [&'a Along<'a>],
    columns: usize,
    stores: Stores,
    out: &'a mut [T],
}

impl<T: Choose> Body for Select<'_, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let Select { arguments, columns, stores, out } = self;
        let [condition, b, c] = arguments else { return };
        let in_place = size_of::<T>() == 1 && condition.is_empty();
        let (mut alike, mut alike_b, mut alike_c) = (None, None, None);
        let mut past = Past::new(stores);
        for (row, out) in out.chunks_mut(columns).enumerate() {
            let condition = condition.row::<u8>(row, out.len(), &mut alike);
            let b = b.row::<T>(row, out.len(), &mut alike_b);
            let c = c.row::<T>(row, out.len(), &mut alike_c);
            let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
            for (number, out) in blocks.iter_mut().enumerate() {
                let (b, c) = (b.blocks.block(number), c.blocks.block(number));
                if in_place {
                    let condition = cast::<[T; BLOCK], [u8; BLOCK]>(*out);
                    select_block(&condition, b, c, out);
                } else {
                    select_block(condition.blocks.block(number), b, c, past.aside(out));
                    past.write::<I>(out);
                }
            }
            for (place, ((out, &b), &c)) in rest.iter_mut().zip(b.rest).zip(c.rest).enumerate() {
                let condition = if in_place { cast(*out) } else { condition.rest[place] };
                *out = T::choose(condition, b, c);
            }
        }
        past.finish::<I>();
    }
}

/// Elements of which one of two is chosen.
trait Choose: Pod {
    /// In arithmetic on their bits: of anything else the compiler makes reads of one of two places, and gathers them.
    fn choose(condition: u8, b: Self, c: Self) -> Self;
}

macro_rules! choose {
    ($($type:ty)*) => {$(
        impl Choose for $type {
            #[inline(always)]
            fn choose(condition: u8, b: $type, c: $type) -> $type {
                let mask = <$type>::from(condition != 0).wrapping_neg();
                (b & mask) | (c & !mask)
            }
        }
    )*};
}

choose! { u8 u16 u32 u64 }

impl Choose for [u64; 2] {
    #[inline(always)]
    fn choose(condition: u8, [b0, b1]: [u64; 2], [c0, c1]: [u64; 2]) -> [u64; 2] {
        [u64::choose(condition, b0, c0), u64::choose(condition, b1, c1)]
    }
}

/// A block; a function, because the compiler knows of its parameters that none lies on another.
#[inline(always)]
fn select_block<T: Choose>(condition: &[u8; BLOCK], b: &[T; BLOCK], c: &[T; BLOCK], out: &mut [T; BLOCK]) {
    for place in 0..BLOCK {
        out[place] = T::choose(condition[place], b[place], c[place]);
    }
}

fn run_select<T: Choose>(arguments: &[&Along<'_>], columns: usize, stores: Stores, result: &mut [u8]) {
    simd(Select::<T> { arguments, columns, stores, out: cast_slice_mut(result) });
}
