//! What processors do with f16: to f32 and back.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _MM_FROUND_TO_NEAREST_INT, _mm_cvtph_ps, _mm_cvtsi32_si128, _mm_cvtss_f32, _mm256_cvtps_ph,
    _mm256_set_m128i, _mm512_cvtps_ph,
};

#[cfg(target_arch = "x86_64")]
use bytemuck::cast;

/// So many are converted at once.
pub(crate) const HALVES: usize = 16;

/// The f32 of an f16's code. The compiler makes vectors of it: to it, this is a conversion like others.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "f16c")]
pub(super) fn of_f16(code: u16) -> f32 {
    _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtsi32_si128(i32::from(code))))
}

/// The codes of the f16 next to each f32.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx,f16c")]
pub(super) fn to_f16s_avx(numbers: &[f32; HALVES]) -> [u16; HALVES] {
    let [lower, upper] = cast::<_, [[f32; 8]; 2]>(*numbers).map(cast);
    let [lower, upper] = [
        _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(lower),
        _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(upper),
    ];
    cast(_mm256_set_m128i(upper, lower))
}

/// The same in one instruction.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn to_f16s_avx512(numbers: &[f32; HALVES]) -> [u16; HALVES] {
    cast(_mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(cast(*numbers)))
}
