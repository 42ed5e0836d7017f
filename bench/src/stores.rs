//! The loops that the machine's limits are measured with: fill, copy, triad and read, through the cache and past it.
//!
//! They are as good as one thread can do it: compiled for 512 bits where the processor has them, and with stores that
//! do not read the line first.

#![allow(
    unsafe_code,
    reason = "stores past the cache, and functions for more instructions than the baseline"
)]

/// How results are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stores {
    /// Into the cache.
    Plain,
    /// Past it.
    Streaming,
}

/// What a loop does with every element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Loop {
    /// `to = 1`.
    Fill,
    /// `to = a`.
    Copy,
    /// `to = a + 3 b`.
    Triad,
    /// The sum of `a`.
    Read,
}

/// Goes over all elements once; the slices have the same length. What it answers keeps the reads alive.
pub(crate) fn run(what: Loop, stores: Stores, to: &mut [f32], a: &[f32], b: &[f32]) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor was just asked.
        return unsafe { wide::run(what, stores, to, a, b) };
    }
    let _ = stores;
    plain(what, to, a, b)
}

#[inline(always)]
fn plain(what: Loop, to: &mut [f32], a: &[f32], b: &[f32]) -> f32 {
    match what {
        Loop::Fill => to.fill(1.0),
        Loop::Copy => to.iter_mut().zip(a).for_each(|(to, &a)| *to = a),
        Loop::Triad => to.iter_mut().zip(a).zip(b).for_each(|((to, &a), &b)| *to = a + 3.0 * b),
        Loop::Read => {
            let mut sums = [0.0f32; 128];
            for part in a.chunks_exact(128) {
                sums.iter_mut().zip(part).for_each(|(sum, &a)| *sum += a);
            }
            return sums.iter().sum();
        }
    }
    0.0
}

#[cfg(target_arch = "x86_64")]
mod wide {
    //! For processors with AVX-512.

    use std::arch::x86_64::{
        _mm_sfence, _mm512_add_ps, _mm512_loadu_ps, _mm512_mul_ps, _mm512_set1_ps, _mm512_stream_ps,
    };

    use super::{Loop, Stores, plain};

    const WIDTH: usize = 16;

    #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,fma")]
    pub(super) fn run(what: Loop, stores: Stores, to: &mut [f32], a: &[f32], b: &[f32]) -> f32 {
        let aligned = to.as_ptr().align_offset(64) == 0 && to.len().is_multiple_of(WIDTH);
        if stores == Stores::Plain || what == Loop::Read || !aligned {
            return plain(what, to, a, b);
        }
        let (one, three) = (_mm512_set1_ps(1.0), _mm512_set1_ps(3.0));
        let (a, b) = (a.chunks_exact(WIDTH), b.chunks_exact(WIDTH));
        match what {
            Loop::Fill | Loop::Read => {
                for to in to.chunks_exact_mut(WIDTH) {
                    // SAFETY: the chunk has 64 bytes and begins on a multiple of 64, as was asked above.
                    unsafe { _mm512_stream_ps(to.as_mut_ptr(), one) };
                }
            }
            Loop::Copy => {
                for (to, a) in to.chunks_exact_mut(WIDTH).zip(a) {
                    // SAFETY: as above; and `a` has 64 bytes.
                    unsafe { _mm512_stream_ps(to.as_mut_ptr(), _mm512_loadu_ps(a.as_ptr())) };
                }
            }
            Loop::Triad => {
                for ((to, a), b) in to.chunks_exact_mut(WIDTH).zip(a).zip(b) {
                    // SAFETY: as above; and `a` and `b` have 64 bytes.
                    unsafe {
                        let sum = _mm512_add_ps(
                            _mm512_loadu_ps(a.as_ptr()),
                            _mm512_mul_ps(three, _mm512_loadu_ps(b.as_ptr())),
                        );
                        _mm512_stream_ps(to.as_mut_ptr(), sum);
                    }
                }
            }
        }
        _mm_sfence();
        0.0
    }
}
