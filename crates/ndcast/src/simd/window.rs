//! Elements that are looked up in registers, where the compiler would read one after the other from memory.

use bytemuck::Pod;

use super::Level;

/// So many are looked up at once.
pub(crate) const PICKED: usize = 16;

/// The bytes that they are looked up in: two of the widest registers.
#[cfg(any(target_arch = "x86_64", test))]
const WINDOW: usize = 128;

/// The elements of a table for lookups, of so many bytes each; 0 where there is no instruction.
pub(crate) fn window(size: usize) -> usize {
    match (Level::best(), size) {
        #[cfg(target_arch = "x86_64")]
        (Level::Avx512, 2 | 4 | 8) => WINDOW / size,
        _ => 0,
    }
}

/// The elements at these places of a window.
#[inline(always)]
pub(super) fn pick<W: Pod>(window: &[W], places: &[u32; PICKED], to: &mut [W; PICKED]) {
    for (to, &place) in to.iter_mut().zip(places) {
        *to = window[place as usize];
    }
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m512i, _mm512_castsi256_si512, _mm512_castsi512_si256, _mm512_cvtepi32_epi16, _mm512_cvtepu32_epi64,
    _mm512_extracti64x4_epi64, _mm512_permutex2var_epi16, _mm512_permutex2var_epi32,
    _mm512_permutex2var_epi64,
};

/// The elements at these places of a window, with the instructions of AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
pub(super) fn pick_avx512<W: Pod>(window: &[W], places: &[u32; PICKED], to: &mut [W; PICKED]) {
    let Some(bytes) = bytemuck::cast_slice::<W, u8>(window).first_chunk::<WINDOW>() else {
        return pick(window, places, to);
    };
    let [low, high]: [__m512i; 2] = bytemuck::cast(*bytes);
    let places: __m512i = bytemuck::cast(*places);
    match size_of::<W>() {
        2 => {
            let places = _mm512_castsi256_si512(_mm512_cvtepi32_epi16(places));
            let picked = _mm512_castsi512_si256(_mm512_permutex2var_epi16(low, places, high));
            *to = bytemuck::cast(picked);
        }
        4 => *to = bytemuck::cast(_mm512_permutex2var_epi32(low, places, high)),
        8 => {
            let halves = [_mm512_castsi512_si256(places), _mm512_extracti64x4_epi64::<1>(places)];
            *to = bytemuck::cast(
                halves.map(|places| _mm512_permutex2var_epi64(low, _mm512_cvtepu32_epi64(places), high)),
            );
        }
        _ => pick(window, &bytemuck::cast(places), to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Body, Isa, at};

    struct Pick<'a, W>(&'a [W], &'a [u32; PICKED], &'a mut [W; PICKED]);
    impl<W: Pod> Body for Pick<'_, W> {
        #[inline(always)]
        fn run<I: Isa>(self) {
            I::pick(self.0, self.1, self.2);
        }
    }

    fn picks<W: Pod + PartialEq + std::fmt::Debug>(of: impl Fn(usize) -> W) {
        let elements = WINDOW / size_of::<W>();
        let memory: Vec<W> = (0..elements).map(of).collect();
        for step in [1, 3, 7] {
            let places =
                std::array::from_fn(|at| u32::try_from((at * step + step) % elements).unwrap_or_default());
            for level in Level::all() {
                let mut picked = [W::zeroed(); PICKED];
                at(level, Pick(&memory, &places, &mut picked));
                assert_eq!(picked, places.map(|place| memory[place as usize]), "{level:?}");
            }
        }
    }

    #[test]
    fn elements_are_found_at_their_places() {
        picks(|at| u8::try_from(at).unwrap_or_default());
        picks(|at| u16::try_from(at).unwrap_or_default());
        picks(|at| u32::try_from(at).unwrap_or_default());
        picks(|at| at as u64);
        picks(|at| [at as u64, 7]);
    }
}
