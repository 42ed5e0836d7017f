//! Kernels of folds of what a function makes of several arguments, of many folds that lie beside each other: each is folded
//! as a run is whose elements lie one behind the other, in [`BLOCK`] lanes, and these one half with the other.
//!
//! Some columns are folded from the first row to the last, so that what is there so far stays in registers. The lanes are gone
//! through in the order in which two that are folded with each other follow one another, so that few wait.

use std::marker::PhantomData;

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use super::along::Along;
use super::fold::folded;
use super::{BLOCK, Map, Map2};
use crate::simd::{Body, Isa, fetch, simd};

/// So many columns are folded in registers.
const WIDE: usize = 16;
/// And so many of what is left of them.
const NARROW: usize = 8;
/// So many bytes of each row are read together, so that memory is read in pieces of some lines of the cache.
const PIECE: usize = 512;
/// So many rows ahead of those that are read are asked for: they lie apart, so the processor does not look ahead.
const AHEAD: usize = 16;

/// So many sums of lanes wait for another at once, at most: one for each time that lanes are halved.
const WAITING: usize = BLOCK.ilog2() as usize;

/// Computes so many rows, as long as the result and at least [`BLOCK`], and folds each column to one. The arguments are as
/// those of [`super::OfSeveral`].
pub(super) fn run<O: Map2<C, T, Out = T>, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize>(
    arguments: &[&Along<'_>],
    rows: usize,
    result: &mut [u8],
) {
    let (out, maps) = (cast_slice_mut(result), PhantomData);
    simd(LanesOf::<O, M, C, T, N> { arguments, rows, out, maps });
}

struct LanesOf<'a, O, M, C, T, const N: usize> {
    arguments: &'a [&'a Along<'a>],
    rows: usize,
    out: &'a mut [T],
    maps: PhantomData<(O, M, C)>,
}

impl<O: Map2<C, T, Out = T>, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize> Body
    for LanesOf<'_, O, M, C, T, N>
{
    #[inline(always)]
    fn run<I: Isa>(self) {
        let LanesOf { arguments, rows, out, .. } = self;
        let Ok(arguments) = <&[&Along<'_>; N]>::try_from(arguments) else { return };
        let columns = out.len();
        let mut all = [Lying::NOWHERE; N];
        for (all, argument) in all.iter_mut().zip(arguments) {
            *all = Lying::of(argument, columns);
        }
        // As many times as many elements of eight bytes, or of four, make as many bytes.
        let whole = match size_of::<T>() {
            8 => Self::pieces::<I, { PIECE / WIDE / 8 }>(&all, rows, out),
            _ => Self::pieces::<I, { PIECE / WIDE / 4 }>(&all, rows, out),
        };
        let mut column = whole;
        let (wide, rest) = out[whole..].as_chunks_mut::<WIDE>();
        for out in wide {
            [*out] = columns_of::<I, O, M, C, T, N, WIDE, 1>(&all, rows, column);
            column += WIDE;
        }
        let (narrow, rest) = rest.as_chunks_mut::<NARROW>();
        for out in narrow {
            [*out] = columns_of::<I, O, M, C, T, N, NARROW, 1>(&all, rows, column);
            column += NARROW;
        }
        for out in rest {
            [[*out]] = columns_of::<I, O, M, C, T, N, 1, 1>(&all, rows, column);
            column += 1;
        }
    }
}

impl<O: Map2<C, T, Out = T>, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize> LanesOf<'_, O, M, C, T, N> {
    /// Folds the columns of whole pieces; how many these are.
    #[inline(always)]
    fn pieces<I: Isa, const S: usize>(arguments: &[Lying<'_, T>; N], rows: usize, out: &mut [T]) -> usize {
        let mut column = 0;
        for out in out.as_chunks_mut::<WIDE>().0.as_chunks_mut::<S>().0 {
            *out = columns_of::<I, O, M, C, T, N, WIDE, S>(arguments, rows, column);
            column += S * WIDE;
        }
        column
    }
}

/// Folds so many times so many columns, from one on.
#[inline(always)]
fn columns_of<
    I: Isa,
    O: Map2<C, T, Out = T>,
    M: Map<C, T, N, Out = T>,
    C,
    T: Pod,
    const N: usize,
    const V: usize,
    const S: usize,
>(
    arguments: &[Lying<'_, T>; N],
    rows: usize,
    column: usize,
) -> [[T; V]; S] {
    let mut waiting = [[[T::zeroed(); V]; S]; WAITING];
    let mut height = 0;
    let ahead = AHEAD.div_ceil(rows.div_ceil(BLOCK));
    for number in 0..BLOCK {
        if V * S * size_of::<T>() == PIECE && number + ahead < BLOCK {
            for row in (lane(number + ahead)..rows).step_by(BLOCK) {
                for argument in arguments {
                    argument.fetch::<PIECE>(row, column);
                }
            }
        }
        let mut sofar = [[T::zeroed(); V]; S];
        for (place, sofar) in sofar.iter_mut().enumerate() {
            let column = column + place * V;
            let mut row = lane(number);
            let mut all = row_of::<I, M, C, T, N, V>(arguments, row, column);
            row += BLOCK;
            while row < rows {
                all = folded::<I, O, C, T, V>(&all, &row_of::<I, M, C, T, N, V>(arguments, row, column));
                row += BLOCK;
            }
            *sofar = all;
        }
        for _ in 0..number.trailing_ones() {
            height -= 1;
            for (before, sofar) in waiting[height % WAITING].iter().zip(&mut sofar) {
                *sofar = folded::<I, O, C, T, V>(before, sofar);
            }
        }
        if number + 1 == BLOCK {
            return sofar;
        }
        waiting[height % WAITING] = sofar;
        height += 1;
    }
    waiting[0]
}

/// The lane that is folded after so many others: the bits of that number backwards. So two lanes that are half of all apart follow
/// one another, and pairs of them that are a quarter apart.
#[inline(always)]
fn lane(number: usize) -> usize {
    number.reverse_bits() >> (usize::BITS - BLOCK.ilog2())
}

/// What the function makes of so many elements of a row.
#[inline(always)]
fn row_of<I: Isa, M: Map<C, T, N, Out = T>, C, T: Pod, const N: usize, const V: usize>(
    arguments: &[Lying<'_, T>; N],
    row: usize,
    column: usize,
) -> [T; V] {
    let mut all = [[T::zeroed(); V]; N];
    for (all, argument) in all.iter_mut().zip(arguments) {
        *all = argument.elements(row, column);
    }
    let mut made = [T::zeroed(); V];
    for place in 0..V {
        let mut each = [T::zeroed(); N];
        for n in 0..N {
            each[n] = all[n][place];
        }
        made[place] = M::map::<I>(each);
    }
    made
}

/// How an argument's rows lie.
#[derive(Clone, Copy)]
struct Lying<'a, T> {
    elements: &'a [T],
    /// Where the first row begins, and how far it is to each next.
    first: usize,
    step: isize,
    along: Kind,
}

/// What there is along a row.
#[derive(Clone, Copy)]
enum Kind {
    /// One element, everywhere.
    One,
    /// A block, again and again.
    Again,
    /// An element for each column.
    Each,
}

impl<'a, T: Pod> Lying<'a, T> {
    const NOWHERE: Lying<'a, T> = Lying { elements: &[], first: 0, step: 0, along: Kind::One };

    #[inline(always)]
    fn of(along: &Along<'a>, columns: usize) -> Lying<'a, T> {
        let size = size_of::<T>();
        let (first, step, width) = along.in_rows(columns * size);
        let along_row = match width / size {
            1 => Kind::One,
            width if width == columns => Kind::Each,
            _ => Kind::Again,
        };
        Lying {
            elements: cast_slice(along.bytes),
            first: first / size,
            step: step / size.cast_signed(),
            along: along_row,
        }
    }

    /// Where a row begins.
    #[inline(always)]
    fn begin(&self, row: usize) -> usize {
        self.first.wrapping_add_signed(row.cast_signed().wrapping_mul(self.step))
    }

    /// So many elements of a row, from a column on.
    #[inline(always)]
    fn elements<const V: usize>(&self, row: usize, column: usize) -> [T; V] {
        let first = self.begin(row);
        let from = match self.along {
            Kind::One => return [self.elements[first]; V],
            Kind::Again => first + column % BLOCK,
            Kind::Each => first + column,
        };
        *self.elements[from..].first_chunk().unwrap_or(&[T::zeroed(); V])
    }

    /// Asks for so many bytes of a row, from a column on.
    #[inline(always)]
    fn fetch<const BYTES: usize>(&self, row: usize, column: usize) {
        if let Kind::Each = self.along {
            fetch(cast_slice(&self.elements[self.begin(row) + column..][..BYTES / size_of::<T>()]));
        }
    }
}
