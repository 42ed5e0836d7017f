//! Kernels that choose one of two elements.

use bytemuck::{Pod, cast_slice_mut};

use super::along::{ArgumentRows, Staging, columns_of, exactly, splats};
use super::{Along, BLOCK, Kernel, Map3, Truths, several};
use crate::simd::{Body, Isa, Stores, simd};

/// The kernel that takes from `b` where the first argument is true and from `c` elsewhere, by the size of an element.
pub(crate) fn select(size: usize) -> Option<Kernel> {
    let kernel = match size {
        // All three are bytes, and the result may take the place of the condition.
        1 => return Some(several::<Chosen, Truths, u8, 3>()),
        2 => run_select::<u16>,
        4 => run_select::<u32>,
        8 => run_select::<u64>,
        16 => run_select::<[u64; 2]>,
        _ => return None,
    };
    Some(Kernel::Several(kernel))
}

/// The choice between two bytes.
struct Chosen;

impl Map3<Truths, u8> for Chosen {
    type Out = u8;
    #[inline(always)]
    fn map<I: Isa>(condition: u8, b: u8, c: u8) -> u8 {
        u8::choose(condition, b, c)
    }
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
        let Some([condition, b, c]) = exactly(arguments) else { return };
        let Some(columns) = columns_of(columns, out.len()) else { return };
        let (of_condition, of_both) =
            (ArgumentRows::all(&[*condition], columns), ArgumentRows::all(&[*b, *c], columns));
        let (mut splats_condition, mut splats, mut staging) = (splats(), splats(), Staging::new(stores));
        for (row, out) in out.chunks_mut(columns).enumerate() {
            let mut conditions = ArgumentRows::together(&of_condition, row, &mut splats_condition);
            let mut both = ArgumentRows::together(&of_both, row, &mut splats);
            let (blocks, behind) = out.as_chunks_mut::<BLOCK>();
            let (rest_of_condition, rest) = (conditions.rest(), both.rest());
            for (place, out) in behind.iter_mut().enumerate() {
                let ([condition], [b, c]) = (rest_of_condition.at(place), rest.at(place));
                *out = T::choose(condition, b, c);
            }
            for out in blocks.chunks_mut(staging.batch::<T>()) {
                for ([b, c], to) in both.split(out.len()).beside(staging.blocks(out)) {
                    if let Some([condition]) = conditions.next() {
                        select_block(condition, b, c, to);
                    }
                }
                staging.flush::<I, _>(out);
            }
        }
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

/// A block. A function, because the compiler knows that its parameters do not alias.
#[inline(always)]
fn select_block<T: Choose>(condition: &[u8; BLOCK], b: &[T; BLOCK], c: &[T; BLOCK], out: &mut [T; BLOCK]) {
    for place in 0..BLOCK {
        out[place] = T::choose(condition[place], b[place], c[place]);
    }
}

fn run_select<T: Choose>(arguments: &[&Along<'_>], columns: usize, stores: Stores, result: &mut [u8]) {
    simd(Select::<T> { arguments, columns, stores, out: cast_slice_mut(result) });
}
