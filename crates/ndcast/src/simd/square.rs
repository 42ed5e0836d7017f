//! Transposes of small squares: the one thing that the compiler makes no good vectors of.
//!
//! Elements of 4 and of 8 bytes have instructions of their own where there is AVX2; the others are exchanged by loops.

use bytemuck::Pod;

/// The edge of the squares.
pub(crate) const SQUARE: usize = 8;

/// Swaps the off-diagonal quarters of every square of twice this edge: for 1, 2 and 4 together, a transpose.
#[inline(always)]
fn exchange<const EDGE: usize, W: Pod>(square: [[W; SQUARE]; SQUARE]) -> [[W; SQUARE]; SQUARE] {
    let mut exchanged = square;
    for (row, line) in exchanged.iter_mut().enumerate() {
        for (column, to) in line.iter_mut().enumerate() {
            let stays = (row & EDGE == 0) == (column & EDGE == 0);
            *to = if stays { square[row][column] } else { square[row ^ EDGE][column ^ EDGE] };
        }
    }
    exchanged
}

/// Transposes these lines.
#[inline(always)]
pub(super) fn transpose<W: Pod>(lines: [&[W; SQUARE]; SQUARE]) -> [[W; SQUARE]; SQUARE] {
    exchange::<4, W>(exchange::<2, W>(exchange::<1, W>(lines.map(|line| *line))))
}

/// The same with the instructions of AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn transpose_avx2<W: Pod>(lines: [&[W; SQUARE]; SQUARE]) -> [[W; SQUARE]; SQUARE] {
    match size_of::<W>() {
        4 => bytemuck::cast(of_4_bytes(lines.map(|line| bytemuck::cast(*line)))),
        8 => bytemuck::cast(of_8_bytes(lines.map(|line| bytemuck::cast(*line)))),
        _ => transpose(lines),
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m128, __m128d, __m256, __m256d, _mm256_castpd128_pd256, _mm256_castps128_ps256, _mm256_insertf128_pd,
    _mm256_insertf128_ps, _mm256_shuffle_ps, _mm256_unpackhi_pd, _mm256_unpackhi_ps, _mm256_unpacklo_pd,
    _mm256_unpacklo_ps,
};

/// Lines of two halves of four elements.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
fn of_4_bytes(lines: [[__m128; 2]; SQUARE]) -> [__m256; SQUARE] {
    let mut columns = [bytemuck::Zeroable::zeroed(); SQUARE];
    for half in 0..2 {
        // Two lines in one register, so that what follows need not go from one half of it to the other.
        let both = |line: usize| {
            _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(lines[line][half]), lines[line + 4][half])
        };
        let (a, b, c, d) = (both(0), both(1), both(2), both(3));
        let (low, high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (other_low, other_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        columns[4 * half] = _mm256_shuffle_ps::<0x44>(low, other_low);
        columns[4 * half + 1] = _mm256_shuffle_ps::<0xEE>(low, other_low);
        columns[4 * half + 2] = _mm256_shuffle_ps::<0x44>(high, other_high);
        columns[4 * half + 3] = _mm256_shuffle_ps::<0xEE>(high, other_high);
    }
    columns
}

/// Lines of four parts of two elements; columns of two halves of four.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
#[allow(clippy::needless_range_loop, reason = "a half is one of the columns and one of the lines")]
fn of_8_bytes(lines: [[__m128d; 4]; SQUARE]) -> [[__m256d; 2]; SQUARE] {
    let mut columns = [[bytemuck::Zeroable::zeroed(); 2]; SQUARE];
    for part in 0..4 {
        for half in 0..2 {
            let both = |line: usize| {
                let line = 4 * half + line;
                _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(lines[line][part]), lines[line + 2][part])
            };
            let (a, b) = (both(0), both(1));
            columns[2 * part][half] = _mm256_unpacklo_pd(a, b);
            columns[2 * part + 1][half] = _mm256_unpackhi_pd(a, b);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Body, Isa, Level, at};

    struct Columns<'a, W>(&'a [[W; SQUARE]; SQUARE], &'a mut [[W; SQUARE]; SQUARE]);
    impl<W: Pod> Body for Columns<'_, W> {
        #[inline(always)]
        fn run<I: Isa>(self) {
            *self.1 = I::transpose(self.0.each_ref());
        }
    }

    fn transposes<W: Pod + PartialEq + std::fmt::Debug>(of: impl Fn(usize) -> W) {
        let mut square = [[W::zeroed(); SQUARE]; SQUARE];
        for (row, line) in square.iter_mut().enumerate() {
            for (column, to) in line.iter_mut().enumerate() {
                *to = of(row * SQUARE + column);
            }
        }
        for level in Level::all() {
            let mut columns = [[W::zeroed(); SQUARE]; SQUARE];
            at(level, Columns(&square, &mut columns));
            for (row, line) in square.iter().enumerate() {
                for (column, element) in line.iter().enumerate() {
                    assert_eq!(columns[column][row], *element, "{level:?} {row} {column}");
                }
            }
        }
    }

    #[test]
    fn rows_become_columns() {
        transposes(|at| u8::try_from(at).unwrap_or_default());
        transposes(|at| u16::try_from(at).unwrap_or_default());
        transposes(|at| u32::try_from(at).unwrap_or_default());
        transposes(|at| at as u64);
        transposes(|at| [at as u64, 7]);
    }
}
