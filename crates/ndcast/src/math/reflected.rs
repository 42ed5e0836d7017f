//! `lgamma` and `digamma` of all numbers: those below 0 are positive ones reflected, since
//! `gamma(x) gamma(-x) = -pi / (x sin(pi x))`.
//!
//! f32 is computed in f64, which is enough. For f64 everything that is added has two parts; a sum that is so near to a
//! root that it would take more comes from the crate pxfm, one number after the other.

use std::f64::consts::PI;

use super::bits::{at_least, poly, product, round32, sum, sum_greater_first, with_sign};
use super::each::{NearAndFar, near_and_far, unless};
use super::gamma::{digamma_parts, lgamma_parts, nearest};
use super::logarithm::log_long;
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "sinpi64", "cospi64".
const SIN_PI: [f64; 6] = [
    -5.16771278004996,
    2.55016403987398,
    -0.5992645289726668,
    0.08214587005136192,
    -0.0073700325815799295,
    0.000461585079884523,
];
const COS_PI: [f64; 6] = [
    4.058712126416768,
    -1.3352627688540655,
    0.2353306302930034,
    -0.02580688808966212,
    0.0019294942720607486,
    -0.00010369797307519081,
];

/// A number in two parts.
type Two = (f64, f64);

/// What pi is more than its f64.
const PI_REST: f64 = 1.2246467991473532e-16;
const LOG_PI: Two = (1.1447298858494002, 1.0265951162707826e-17);
/// The second coefficient of cos(pi r): -pi^2 / 2.
const COS_PI_2: Two = (-4.934802200544679, -3.1326477543698557e-16);

/// Values of `lgamma` nearer to 0, of numbers below 0, take more bits.
const LGAMMA_ROOT: f64 = 0.25;
/// Those of `digamma`.
const DIGAMMA_ROOT: f64 = 0.5;
/// Of numbers between this and 0 the first term is all.
const TINY: f64 = 1e-20;

/// 1 / x to a few bits, for an x that f32 can hold.
#[inline(always)]
fn rough_inverse(x: f64) -> f64 {
    f64::from(1.0 / round32(x))
}

/// What x is more than an integer nearest to it; 0 if it is great.
#[inline(always)]
fn over_integer(x: f64) -> f64 {
    let x = if x < 4_503_599_627_370_496.0 { x } else { 0.0 };
    x - nearest(x)
}

/// sin(pi r) and cos(pi r), for an r from 0 to 1/2.
#[inline(always)]
fn sin_cos_pi<I: Isa>(r: f64) -> (Two, Two) {
    let is_near = r <= 0.25;
    let r = if is_near { r } else { 0.5 - r };
    let (z, z_low) = product::<I, _>(r, r);

    let (line, line_low) = product::<I, _>(r, PI);
    let (sin, sin_low) = sum_greater_first(line, r * I::fma64(z, poly::<I, _, _>(z, SIN_PI), PI_REST));
    let sin = (sin, sin_low + line_low);

    let (fall, fall_low) = product::<I, _>(z, COS_PI_2.0);
    let rest = I::fma64(z_low, COS_PI_2.0, z * I::fma64(z, poly::<I, _, _>(z, COS_PI), COS_PI_2.1));
    let (cos, cos_low) = sum_greater_first(1.0, fall);
    let cos = sum_greater_first(cos, rest + (cos_low + fall_low));

    if is_near { (sin, cos) } else { (cos, sin) }
}

/// log |gamma(-a)|, from log gamma(a).
#[inline(always)]
fn lgamma_below<I: Isa>(a: f64, (above, above_low): Two) -> f64 {
    let ((sin, sin_low), _) = sin_cos_pi::<I>(over_integer(a).abs());
    let (divisor, divisor_low) = product::<I, _>(a, sin);
    let (log, log_low) = log_long::<I>(divisor);
    let log_low = log_low + I::fma64(a, sin_low, divisor_low) * rough_inverse(at_least(divisor, 1e-30));

    let (first, first_low) = sum(LOG_PI.0, -log);
    let (second, second_low) = sum(first, -above);
    let value = second + ((second_low + first_low) + ((LOG_PI.1 - log_low) - above_low));
    let value = if divisor > 0.0 { value } else { f64::INFINITY };
    if a < TINY { above + above_low } else { value }
}

/// digamma(-a), from digamma(a): `digamma(a) + 1 / a + pi / tan(pi a)`.
#[inline(always)]
fn digamma_below<I: Isa>(a: f64, (above, above_low): Two) -> f64 {
    let inverse = 1.0 / a;
    let (whole, whole_low) = product::<I, _>(inverse, a);
    let inverse_low = ((1.0 - whole) - whole_low) * inverse;

    let r = over_integer(a);
    let ((sin, sin_low), (cos, cos_low)) = sin_cos_pi::<I>(r.abs());
    let (sin, sin_low) = if r < 0.0 { (-sin, -sin_low) } else { (sin, sin_low) };
    let cot = cos / sin;
    let (whole, whole_low) = product::<I, _>(cot, sin);
    let cot_low = (((cos - whole) - whole_low) + I::fma64(-cot, sin_low, cos_low)) * rough_inverse(sin);
    let (times_pi, times_pi_low) = product::<I, _>(cot, PI);
    let times_pi_low = times_pi_low + I::fma64(cot, PI_REST, cot_low * PI);

    let (first, first_low) = sum(times_pi, inverse);
    let (second, second_low) = sum(first, above);
    let value = second + ((first_low + second_low) + ((times_pi_low + inverse_low) + above_low));
    let value = if r == 0.0 { f64::NAN } else { value };
    if a < TINY { inverse } else { value }
}

/// log |gamma(x)| of what is not so near to a root at a negative number.
#[inline(always)]
fn lgamma_near<I: Isa>(x: f64) -> f64 {
    let a = x.abs();
    let above = lgamma_parts::<I>(a);
    if x < 0.0 { lgamma_below::<I>(a, above) } else { above.0 + above.1 }
}

/// Its derivative, of the same.
#[inline(always)]
fn digamma_near<I: Isa>(x: f64) -> f64 {
    // -0 stays.
    let a = if x < 0.0 { -x } else { x };
    let above = digamma_parts::<I>(a);
    if x < 0.0 { digamma_below::<I>(a, above) } else { above.0 + above.1 }
}

/// Whether a value of a number is that of one below 0 which is nearer to a root than that.
#[inline(always)]
fn is_near_root(x: f64, value: f64, root: f64) -> bool {
    (x < 0.0) & (value.abs() < root)
}

/// log |gamma(x)|; infinite at 0, at the negative integers and at both infinities. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn lgamma_f32<I: Isa>(x: f32) -> f32 {
    round32(lgamma_near::<I>(f64::from(x)))
}

/// log |gamma(x)|; infinite at 0, at the negative integers and at both infinities. At most 1.5 ULP, but for the few
/// floats next to its roots at negative numbers, where the error is 1e-19.
#[inline(always)]
pub(crate) fn lgamma_f64<I: Isa>(x: f64) -> f64 {
    let near = lgamma_near::<I>(x);
    if is_near_root(x, near, LGAMMA_ROOT) { pxfm::f_lgamma(x) } else { near }
}

/// The derivative of `lgamma`: -infinity at 0, infinity at -0, and NaN at the negative integers, where it has no limit.
/// At most 0.51 ULP.
#[inline(always)]
pub(crate) fn digamma_f32<I: Isa>(x: f32) -> f32 {
    // What sums and quotients lose is nothing to an f32.
    let a = f64::from(if x < 0.0 { -x } else { x });
    let (above, above_low) = digamma_parts::<I>(a);
    let above = above + above_low;
    let r = over_integer(a);
    let ((sin, _), (cos, _)) = sin_cos_pi::<I>(r.abs());
    let cot = cos / with_sign(sin, r);
    let below = I::fma64(cot, PI, above + 1.0 / a);
    let below = if r == 0.0 { f64::NAN } else { below };
    round32(if x < 0.0 { below } else { above })
}

/// The same. At most 1.7 ULP, but for the few floats next to its roots at negative numbers, where the error is 1e-17.
#[inline(always)]
pub(crate) fn digamma_f64<I: Isa>(x: f64) -> f64 {
    let near = digamma_near::<I>(x);
    if is_near_root(x, near, DIGAMMA_ROOT) { pxfm::f_digamma(x) } else { near }
}

/// `lgamma`, for [`super::each`].
pub(crate) struct Lgamma;
/// `digamma`, for [`super::each`].
pub(crate) struct Digamma;

near_and_far! { |x, value| unless(is_near_root(x, value, LGAMMA_ROOT)), below 1;
    Lgamma f64: lgamma_near::<I>(x), pxfm::f_lgamma(x);
}

near_and_far! { |x, value| unless(is_near_root(x, value, DIGAMMA_ROOT)), below 1;
    Digamma f64: digamma_near::<I>(x), pxfm::f_digamma(x);
}

// Nothing is far.
near_and_far! { |_x, _value| unless(false), below 1;
    Lgamma f32: lgamma_f32::<I>(_x), _x;
    Digamma f32: digamma_f32::<I>(_x), _x;
}

#[cfg(test)]
mod tests {
    use super::super::each::each;
    use super::*;
    use crate::simd::{Baseline as B, Body, Level, at};

    #[test]
    fn edges() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        for x in [0.0, -0.0, -1.0, -7.0, inf, -inf, f64::MAX] {
            assert_eq!((lgamma_f64::<B>(x), lgamma_f32::<B>(round32(x))), (inf, f32::INFINITY), "{x}");
        }
        assert_eq!((lgamma_f64::<B>(1.0), lgamma_f64::<B>(2.0)), (0.0, 0.0));
        assert_eq!((digamma_f64::<B>(0.0), digamma_f64::<B>(-0.0), digamma_f64::<B>(inf)), (-inf, inf, inf));
        assert_eq!(
            (digamma_f32::<B>(0.0), digamma_f32::<B>(-0.0), digamma_f32::<B>(f32::MAX)),
            (f32::NEG_INFINITY, f32::INFINITY, 88.72284)
        );
        assert_eq!((digamma_f64::<B>(5e-324), digamma_f64::<B>(-(0.5f64.powi(900)))), (-inf, 2f64.powi(900)));
        for x in [-3.0, -1e30, nan] {
            assert!(digamma_f64::<B>(x).is_nan() && digamma_f32::<B>(round32(x)).is_nan());
        }
        assert!(lgamma_f64::<B>(nan).is_nan() && lgamma_f32::<B>(f32::NAN).is_nan());
    }

    /// On both sides of 0, to beyond where the series begin, and next to roots: as what is nearly always rounded correctly has it,
    /// or nearly.
    #[test]
    fn many_are_as_they_should_be() {
        let apart = |got: f64, exact: f64| got.to_bits().abs_diff(exact.to_bits());
        for k in 1..40_000_u32 {
            let x = f64::from(k) * 0.000_917_3 - 18.3;
            let (lgamma, digamma) = (lgamma_f64::<B>(x), digamma_f64::<B>(x));
            assert!(apart(lgamma, pxfm::f_lgamma(x)) <= 2, "lgamma({x}): {lgamma}");
            assert!(apart(digamma, pxfm::f_digamma(x)) <= 2, "digamma({x}): {digamma}");
        }
    }

    #[test]
    fn many_are_as_each_alone() {
        struct All<'a>(&'a [f64], &'a mut [f64]);
        impl Body for All<'_> {
            #[inline(always)]
            fn run<I: Isa>(self) {
                each::<I, f64, Lgamma>(self.0, self.1);
            }
        }
        let x: Vec<f64> = (-900..900).map(|k| f64::from(k) * 0.0371).collect();
        for level in Level::all() {
            let mut out = vec![0.0; x.len()];
            at(level, All(&x, &mut out));
            for (&x, &out) in x.iter().zip(&out) {
                let exact = pxfm::f_lgamma(x);
                assert!((out - exact).abs() <= 2.3e-16 * exact.abs() || out == exact, "{x}: {out}");
            }
        }
    }
}
