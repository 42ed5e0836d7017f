//! Loops compiled for the best instruction set of the machine they run on. The dispatch is here, but for
//! what is written past the cache and looked up in registers, whose instructions are called by name in `simd/`.
//!
//! A kernel is a plain loop over slices in a [`Body`]. [`simd`] compiles it once for each [`Isa`] and runs the best
//! one; the compiler makes the vectors. Everything that a body calls must be inlined into it, or it is compiled for
//! the baseline: `#[inline(always)]` on `run` and on what `run` calls for each element.

#![allow(
    unsafe_code,
    reason = "a function for more instructions than the baseline may run only where they are"
)]

mod complex;
mod halves;
mod partition;
mod shuffle;
mod square;
mod stores;
mod together;
mod window;

#[cfg(target_arch = "x86_64")]
use std::sync::OnceLock;

use bytemuck::Pod;
pub(crate) use halves::HALVES;
use num_complex::Complex;
pub(crate) use shuffle::{Shuffle, WINDOW, shuffles};
pub(crate) use square::SQUARE;
pub(crate) use stores::{ASIDE, Aside, LINE, OnLine, Stores, prefetch, store_fence, stream};
pub(crate) use together::{Source, Splat, Together};
pub(crate) use window::{PICKED, window};

/// An instruction set that bodies are compiled for.
pub(crate) trait Isa: Sized + 'static {
    /// Calls a body instead of inlining it, for the same instructions: for a long one that is used in several places.
    #[inline(always)]
    fn called<B: Body>(body: B) {
        body.run::<Self>();
    }

    /// Whether a fused multiply-add is one instruction; without, it would be a slow call.
    const FMA: bool;

    /// `a * b + c`, in one rounding where that is one instruction and in two elsewhere.
    #[inline(always)]
    fn fma32(a: f32, b: f32, c: f32) -> f32 {
        if Self::FMA { a.mul_add(b, c) } else { a * b + c }
    }

    /// The elementwise products of complex numbers.
    #[inline(always)]
    fn products32(a: [Complex<f32>; 4], b: [Complex<f32>; 4]) -> [Complex<f32>; 4] {
        complex::products(a, b)
    }

    /// The products of each two complex numbers.
    #[inline(always)]
    fn products64(a: [Complex<f64>; 2], b: [Complex<f64>; 2]) -> [Complex<f64>; 2] {
        complex::products(a, b)
    }

    /// Transposes a square of these rows.
    #[inline(always)]
    fn transpose<W: Pod>(lines: [&[W; SQUARE]; SQUARE]) -> [[W; SQUARE]; SQUARE] {
        square::transpose(lines)
    }

    /// Looks up elements by index in a table of [`window`] elements.
    #[inline(always)]
    fn pick<W: Pod>(window: &[W], places: &[u32; PICKED], to: &mut [W; PICKED]) {
        window::pick(window, places, to);
    }

    /// Stable partition: what is less than `than` to the front, the rest into `others`. Returns how many are less.
    #[inline(always)]
    fn partition<W: Pod + Ord>(words: &mut [W], than: W, others: &mut [W]) -> usize {
        partition::partition(words, than, others)
    }

    /// Writes the line that a shuffle makes of a window, past the cache.
    #[inline(always)]
    fn shuffle(window: &[u8; WINDOW], shuffle: &Shuffle, to: &mut [u8; LINE]) {
        shuffle::shuffle(window, shuffle, to);
    }

    /// Copies bytes past the cache, but for those that are no whole line of it. Both slices have the same length.
    #[inline(always)]
    fn stream(from: &[u8], to: &mut [u8]) {
        #[cfg(target_arch = "x86_64")]
        stores::stream_sse2(from, to);
        #[cfg(not(target_arch = "x86_64"))]
        to.copy_from_slice(from);
    }

    /// The f32 of an f16's bits, if there is an instruction.
    #[inline(always)]
    fn of_f16(_code: u16) -> Option<f32> {
        None
    }

    /// The bits of the f16 nearest to each f32, if there is an instruction. A NaN becomes quiet, its payload is cut.
    #[inline(always)]
    fn to_f16s(_numbers: &[f32; HALVES]) -> Option<[u16; HALVES]> {
        None
    }

    /// `a * b + c`, in one rounding where that is one instruction and in two elsewhere.
    #[inline(always)]
    fn fma64(a: f64, b: f64, c: f64) -> f64 {
        if Self::FMA { a.mul_add(b, c) } else { a * b + c }
    }
}

/// What every machine of the architecture has.
pub(crate) struct Baseline;
impl Isa for Baseline {
    #[inline(always)]
    fn called<B: Body>(body: B) {
        baseline(body);
    }

    const FMA: bool = cfg!(target_arch = "aarch64");
}

/// What every instruction set from AVX2 with fused multiply-add on has.
#[cfg(target_arch = "x86_64")]
macro_rules! of_avx2 {
    () => {
        const FMA: bool = true;

        #[inline(always)]
        fn products32(a: [Complex<f32>; 4], b: [Complex<f32>; 4]) -> [Complex<f32>; 4] {
            // SAFETY: this is an instruction set with AVX2, for which bodies run only where the processor has it.
            unsafe { complex::products32_avx2(a, b) }
        }

        #[inline(always)]
        fn products64(a: [Complex<f64>; 2], b: [Complex<f64>; 2]) -> [Complex<f64>; 2] {
            // SAFETY: this is an instruction set with AVX2, for which bodies run only where the processor has it.
            unsafe { complex::products64_avx2(a, b) }
        }

        #[inline(always)]
        fn transpose<W: Pod>(lines: [&[W; SQUARE]; SQUARE]) -> [[W; SQUARE]; SQUARE] {
            // SAFETY: this is an instruction set with AVX2, for which bodies run only where the processor has it.
            unsafe { square::transpose_avx2(lines) }
        }

        #[inline(always)]
        fn of_f16(code: u16) -> Option<f32> {
            // SAFETY: this is an instruction set with F16C, for which bodies run only where the processor has it.
            Some(unsafe { halves::of_f16(code) })
        }
    };
}

/// AVX2 with fused multiply-add: x86-64-v3.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx2;
#[cfg(target_arch = "x86_64")]
impl Isa for Avx2 {
    of_avx2!();

    #[inline(always)]
    fn called<B: Body>(body: B) {
        // SAFETY: this is an instruction set with AVX2, for which bodies run only where the processor has it.
        unsafe { avx2(body) }
    }

    #[inline(always)]
    fn to_f16s(numbers: &[f32; HALVES]) -> Option<[u16; HALVES]> {
        // SAFETY: this is an instruction set with F16C, for which bodies run only where the processor has it.
        Some(unsafe { halves::to_f16s_avx(numbers) })
    }

    #[inline(always)]
    fn shuffle(window: &[u8; WINDOW], shuffle: &Shuffle, to: &mut [u8; LINE]) {
        // SAFETY: this is an instruction set with AVX2, for which bodies run only where the processor has it.
        unsafe { shuffle::shuffle_avx2(window, shuffle, to) }
    }

    #[inline(always)]
    fn stream(from: &[u8], to: &mut [u8]) {
        // SAFETY: this is an instruction set with AVX2, for which bodies run only where the processor has it.
        unsafe { stores::stream_avx2(from, to) }
    }
}

/// AVX-512: x86-64-v4.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx512;
#[cfg(target_arch = "x86_64")]
impl Isa for Avx512 {
    of_avx2!();

    #[inline(always)]
    fn called<B: Body>(body: B) {
        // SAFETY: this is an instruction set with AVX-512, for which bodies run only where the processor has it.
        unsafe { avx512(body) }
    }

    #[inline(always)]
    fn to_f16s(numbers: &[f32; HALVES]) -> Option<[u16; HALVES]> {
        // SAFETY: this is an instruction set with AVX-512, for which bodies run only where the processor has it.
        Some(unsafe { halves::to_f16s_avx512(numbers) })
    }

    #[inline(always)]
    fn shuffle(window: &[u8; WINDOW], shuffle: &Shuffle, to: &mut [u8; LINE]) {
        // SAFETY: this is an instruction set with AVX-512, for which bodies run only where the processor has it.
        unsafe { shuffle::shuffle_avx512(window, shuffle, to) }
    }

    #[inline(always)]
    fn partition<W: Pod + Ord>(words: &mut [W], than: W, others: &mut [W]) -> usize {
        // SAFETY: this is an instruction set with AVX-512, for which bodies run only where the processor has it.
        unsafe { partition::partition_avx512(words, than, others) }
    }

    #[inline(always)]
    fn pick<W: Pod>(window: &[W], places: &[u32; PICKED], to: &mut [W; PICKED]) {
        // SAFETY: this is an instruction set with AVX-512, for which bodies run only where the processor has it.
        unsafe { window::pick_avx512(window, places, to) }
    }

    #[inline(always)]
    fn stream(from: &[u8], to: &mut [u8]) {
        // SAFETY: this is an instruction set with AVX-512, for which bodies run only where the processor has it.
        unsafe { stores::stream_avx512(from, to) }
    }
}

/// A loop.
pub(crate) trait Body {
    /// Runs the loop. An implementation is `#[inline(always)]`.
    fn run<I: Isa>(self);
}

/// The instruction sets that bodies are compiled for, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// [`Baseline`].
    Baseline,
    /// [`Avx2`].
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// [`Avx512`].
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The best level whose features are there, as this macro answers for each.
#[cfg(target_arch = "x86_64")]
macro_rules! level_by {
    ($has:ident) => {
        if !($has!("avx2") && $has!("fma") && $has!("bmi1") && $has!("bmi2") && $has!("lzcnt"))
            || !($has!("popcnt") && $has!("f16c"))
        {
            Level::Baseline
        } else if $has!("avx512f")
            && ($has!("avx512bw") && $has!("avx512cd") && $has!("avx512dq") && $has!("avx512vl"))
        {
            Level::Avx512
        } else {
            Level::Avx2
        }
    };
}

impl Level {
    /// What the build assumes of every machine, as with `-C target-cpu=native`: no body is compiled for less.
    #[cfg(target_arch = "x86_64")]
    const LEAST: Level = {
        macro_rules! is_assumed {
            ($feature:tt) => {
                cfg!(target_feature = $feature)
            };
        }
        level_by!(is_assumed)
    };

    /// The best that this machine has.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn best() -> Level {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(|| level_by!(is_x86_feature_detected))
    }

    /// The best that this machine has.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn best() -> Level {
        Level::Baseline
    }

    /// All that this machine has, the least first.
    #[cfg(test)]
    pub(crate) fn all() -> impl Iterator<Item = Level> {
        #[cfg(target_arch = "x86_64")]
        let levels = [Level::Baseline, Level::Avx2, Level::Avx512];
        #[cfg(not(target_arch = "x86_64"))]
        let levels = [Level::Baseline];
        levels.into_iter().filter(|level| *level <= Level::best())
    }
}

// These are not inlined: a body is one function, wherever it is called.
#[inline(never)]
fn baseline<B: Body>(body: B) {
    body.run::<Baseline>();
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
fn avx2<B: Body>(body: B) {
    body.run::<Avx2>();
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
fn avx512<B: Body>(body: B) {
    body.run::<Avx512>();
}

/// Runs a body compiled for the best that this machine has.
#[inline]
pub(crate) fn simd<B: Body>(body: B) {
    at(Level::best(), body);
}

/// Whether there are vectors of 512 bits.
pub(crate) fn is_wide() -> bool {
    #[cfg(target_arch = "x86_64")]
    return Level::best() >= Level::Avx512;
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Runs a body compiled for these alone; without them, does nothing.
#[inline]
pub(crate) fn wide<B: Body>(body: B) {
    #[cfg(target_arch = "x86_64")]
    if is_wide() {
        // SAFETY: `is_wide` found all of its features.
        unsafe { avx512(body) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = body;
}

/// Runs a body at a level, or at the nearest to it that both the machine and the build have.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn at<B: Body>(level: Level, body: B) {
    const HAS_BASELINE: bool = matches!(Level::LEAST, Level::Baseline);
    const HAS_AVX2: bool = matches!(Level::LEAST, Level::Baseline | Level::Avx2);
    let level = level.min(Level::best());
    if HAS_BASELINE && level == Level::Baseline {
        body.run::<Baseline>();
    } else if HAS_AVX2 && level <= Level::Avx2 {
        // SAFETY: `best` found all of its features, or the build assumes them.
        unsafe { avx2(body) }
    } else {
        // SAFETY: `best` found all of its features, or the build assumes them.
        unsafe { avx512(body) }
    }
}

/// Runs a body compiled for a level, of which there is one.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(crate) fn at<B: Body>(_level: Level, body: B) {
    body.run::<Baseline>();
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum<'a>(&'a [f32], &'a mut f32);
    impl Body for Sum<'_> {
        #[inline(always)]
        fn run<I: Isa>(self) {
            *self.1 = self.0.iter().fold(0.0, |sum, &x| I::fma32(x, 2.0, sum));
        }
    }

    #[test]
    fn every_level_computes_the_same() {
        for level in Level::all() {
            let mut sum = 0.0;
            at(level, Sum(&[1.0, 2.0, 3.5], &mut sum));
            assert_eq!(sum, 13.0, "{level:?}");
        }
        let mut sum = 0.0;
        simd(Sum(&[1.0], &mut sum));
        assert_eq!(sum, 2.0);
    }
}
