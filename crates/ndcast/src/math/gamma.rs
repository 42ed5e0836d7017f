//! `lgamma` and `digamma`, of the gamma function.
//!
//! Up to 8, x is as many whole steps from an interval in which there is a polynomial. Each step multiplies gamma by a
//! number, so that the logarithm of one product is added to `lgamma`, and inverses to `digamma`; what sums, products
//! and quotients lose is kept, because the sum may be near 0. From 8 on there are Stirling's series.
//!
//! Below 0 both are reflected. There f64 may be so near to a root that it takes more than twice its bits: that is done
//! one by one, by the crate pxfm. f32 is computed in f64, which is enough.

use super::bits::{ROUND64, at_least, poly, product, round32, sum, sum_greater_first};
use super::each::{NearAndFar, near_and_far, unless};
use super::logarithm::log_long;
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "lgamma64", "stirling64", "digamma64", "digamma_great64", "sinpi64", "cospi64".
const LGAMMA: [f64; 17] = [
    0.32246703342411326,
    -0.0673523010531964,
    0.020580808427778492,
    -0.0073855510288924064,
    0.002890510331159291,
    -0.0011927539020840728,
    0.0005096695119935791,
    -0.00022315496302015837,
    9.945772149390658e-05,
    -4.4923836407926904e-05,
    2.0505215684118644e-05,
    -9.45582154515176e-06,
    4.386359914456804e-06,
    -1.9753736915181916e-06,
    9.161987299052189e-07,
    -5.801312595464294e-07,
    2.824204629948993e-07,
];
const STIRLING: [f64; 7] = [
    0.08333333333333333,
    -0.0027777777777740994,
    0.0007936507898351899,
    -0.0005952366070541609,
    0.0008414728629408152,
    -0.0018905407679347503,
    0.005069266938146937,
];
const DIGAMMA: [f64; 22] = [
    0.9015925158282158,
    -0.3697749644574109,
    0.1927201246014606,
    -0.10919698588595221,
    0.06426251743387999,
    -0.03855782679688573,
    0.023380439918236573,
    -0.01426252130130191,
    0.00873086828078139,
    -0.005355731775186181,
    0.003289419601314523,
    -0.002021841326549263,
    0.0012434326712121905,
    -0.0007649066749958813,
    0.00046959010828133066,
    -0.0002886090365575723,
    0.0001823512812470291,
    -0.00011322513535999081,
    5.5454271670440045e-05,
    -3.231822230219653e-05,
    4.38671141211359e-05,
    -2.8371315328986833e-05,
];
const DIGAMMA_GREAT: [f64; 8] = [
    0.08333333333333333,
    -0.008333333333331734,
    0.00396825396607012,
    -0.004166665528474438,
    0.0075754648377502915,
    -0.021051521571886004,
    0.08004478128065204,
    -0.2998162652465183,
];
const SIN_PI: [f64; 8] = [
    3.1415926535897927,
    -5.167712780049786,
    2.5501640398619,
    -0.5992645288260054,
    0.0821458788252404,
    -0.007370364378917796,
    0.0004659871682016359,
    -2.1133801519296903e-05,
];
const COS_PI: [f64; 8] = [
    -4.934802200544679,
    4.058712126416736,
    -1.3352627688518854,
    0.23533063027228077,
    -0.025806890027281846,
    0.0019295626607308384,
    -0.00010458288768583549,
    4.166426894170355e-06,
];

/// From here on there are Stirling's series.
const GREAT: f64 = 8.0;
/// 1 - Euler's constant, in two parts.
const ONE_LESS_EULER: (f64, f64) = (0.42278433509846713, 4.942915152430645e-18);
/// log(2 pi) / 2.
const HALF_LOG_TWO_PI: f64 = 0.9189385332046728;
const LOG_PI: f64 = 1.1447298858494002;
/// The middle of the interval in which `digamma` is a polynomial.
const MIDDLE: f64 = 1.625;
/// What the root of `digamma` is more than that, in two parts.
const ROOT: (f64, f64) = (-0.16336785503163767, 1.2233227452770237e-17);

/// The nearest integer, of what is not great.
#[inline(always)]
fn nearest(x: f64) -> f64 {
    (x + ROUND64) - ROUND64
}

/// The product that gamma(x) is of the gamma of x less all but 2 of its nearest integer, of which there are up to 8;
/// what it is of, if there are fewer than 2. And what it lacks.
#[inline(always)]
fn steps<I: Isa>(x: f64, nearest: f64) -> (f64, f64) {
    let (next, next_low) = sum_greater_first(1.0, x);
    let (two, two_low) = product::<I, _>(x, next);
    let below = if nearest < 0.5 { (two, I::fma64(x, next_low, two_low)) } else { (x, 0.0) };
    let (mut above, mut low) = (if nearest > 2.5 { x - 1.0 } else { 1.0 }, 0.0);
    for step in [2.0, 3.0, 4.0, 5.0, 6.0] {
        let factor = if nearest > step + 1.5 { x - step } else { 1.0 };
        let (product, lost) = product::<I, _>(above, factor);
        (above, low) = (product, I::fma64(low, factor, lost));
    }
    if nearest < 1.5 { below } else { (above, low) }
}

/// log gamma(x), for an x that is not below 0. At most 1.5 ULP.
#[inline(always)]
fn lgamma_positive<I: Isa>(x: f64) -> f64 {
    let is_great = x >= GREAT;
    let nearest = nearest(x);
    let (step, step_low) = steps::<I>(x, nearest);
    let (log, log_low) = log_long::<I>(if is_great { x } else { step });

    // Of 1 / step a few bits are enough.
    let log_low_near = log_low + step_low * f64::from(1.0 / round32(at_least(step, 1e-30)));
    let sign = if nearest < 1.5 { -1.0 } else { 1.0 };
    let t = x - nearest;
    let (line, line_low) = product::<I, _>(t, ONE_LESS_EULER.0);
    let rest = I::fma64(t, I::fma64(t, poly::<I, _, _>(t, LGAMMA), ONE_LESS_EULER.1), line_low);
    let (near, near_low) = sum(sign * log, line);
    let near = near + (near_low + I::fma64(sign, log_low_near, rest));

    let (half, inverse) = (x - 0.5, 1.0 / x);
    let (product, product_low) = product::<I, _>(half, log);
    let (great, great_low) = sum_greater_first(product, -x);
    let rest = I::fma64(inverse, poly::<I, _, _>(inverse * inverse, STIRLING), HALF_LOG_TWO_PI);
    let great = great + (great_low + (I::fma64(half, log_low, product_low) + rest));
    // What infinity lacks is no number.
    let great = if product == f64::INFINITY { product } else { great };

    let value = if is_great { great } else { near };
    if x == 0.0 { f64::INFINITY } else { value }
}

/// What x is more than an integer nearest to it; 0 if it is great.
#[inline(always)]
fn over_integer(x: f64) -> f64 {
    let x = if x < 4_503_599_627_370_496.0 { x } else { 0.0 };
    x - nearest(x)
}

/// sin(pi r), for an r from -1/2 to 1/2.
#[inline(always)]
fn sin_pi<I: Isa>(r: f64) -> f64 {
    r * poly::<I, _, _>(r * r, SIN_PI)
}

/// log |gamma(x)|; infinite at 0, at the negative integers and at both infinities. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn lgamma_f32<I: Isa>(x: f32) -> f32 {
    let magnitude = f64::from(x.abs());
    let above = lgamma_positive::<I>(magnitude);
    // gamma(x) gamma(-x) = -pi / (x sin(pi x)).
    let divisor = magnitude * sin_pi::<I>(over_integer(magnitude)).abs();
    let (log, low) = log_long::<I>(divisor);
    let below = LOG_PI - log - above - low;
    let below = if divisor > 0.0 { below } else { f64::INFINITY };
    round32(if x < 0.0 { below } else { above })
}

/// log |gamma(x)|; infinite at 0, at the negative integers and at both infinities. At most 1.5 ULP, but for the few
/// floats next to its roots at negative numbers, where the error is 1e-19.
#[inline(always)]
pub(crate) fn lgamma_f64<I: Isa>(x: f64) -> f64 {
    if x < 0.0 { pxfm::f_lgamma(x) } else { lgamma_positive::<I>(x) }
}

/// The derivative of `lgamma`, for an x that is not below 0; -infinity at 0, and infinity at -0.
#[inline(always)]
fn digamma_positive<I: Isa>(x: f64) -> f64 {
    let nearest = nearest(x - MIDDLE);
    let inverse = 1.0 / x;

    // What 1 / x loses would be no number where that is infinite; then only it is left.
    let (whole, low) = product::<I, _>(inverse, x);
    let is_below = nearest < -0.5;
    let mut steps = if is_below { -inverse } else { 0.0 };
    let mut steps_low = if is_below { -(((1.0 - whole) - low) * inverse) } else { 0.0 };
    // The least last.
    for step in [6.0, 5.0, 4.0, 3.0, 2.0, 1.0] {
        let is_step = nearest > step - 0.5;
        let is_before = step == 1.0 && nearest < -1.5;
        let divisor = if is_step { x - step } else { 1.0 };
        let divisor = if is_before { x + 1.0 } else { divisor };
        let sign = if is_step { 1.0 } else { 0.0 };
        let sign = if is_before { -1.0 } else { sign };
        let quotient = sign / divisor;
        let (product, product_low) = product::<I, _>(quotient, divisor);
        let (sum, sum_low) = sum_greater_first(steps, quotient);
        steps_low += I::fma64((sign - product) - product_low, quotient * sign, sum_low);
        steps = sum;
    }
    let t = x - (nearest + MIDDLE);
    let from_root = (t - ROOT.0) - ROOT.1;
    let near = steps + I::fma64(from_root, poly::<I, _, _>(t, DIGAMMA), steps_low);

    let (log, log_low) = log_long::<I>(x);
    let square = inverse * inverse;
    let great = log + (log_low - I::fma64(square, poly::<I, _, _>(square, DIGAMMA_GREAT), 0.5 * inverse));
    let great = if x == f64::INFINITY { x } else { great };

    let value = if x >= GREAT { great } else { near };
    if x < 1e-20 { -inverse } else { value }
}

/// The derivative of `lgamma`: -infinity at 0, infinity at -0, and NaN at the negative integers, where it has no limit.
/// At most 0.51 ULP.
#[inline(always)]
pub(crate) fn digamma_f32<I: Isa>(x: f32) -> f32 {
    let wide = f64::from(x);
    let magnitude = if x < 0.0 { -wide } else { wide };
    let above = digamma_positive::<I>(magnitude);
    // digamma(-x) = digamma(x) + 1 / x + pi / tan(pi x).
    let r = over_integer(magnitude);
    let cos = I::fma64(r * r, poly::<I, _, _>(r * r, COS_PI), 1.0);
    let below = (above + 1.0 / magnitude) + std::f64::consts::PI * (cos / sin_pi::<I>(r));
    let below = if r == 0.0 { f64::NAN } else { below };
    round32(if x < 0.0 { below } else { above })
}

/// The same. At most 1.7 ULP, but for the few floats next to its roots at negative numbers, where the error is 1e-17.
#[inline(always)]
pub(crate) fn digamma_f64<I: Isa>(x: f64) -> f64 {
    if x < 0.0 { digamma_below(x) } else { digamma_positive::<I>(x) }
}

/// Of a negative number.
fn digamma_below(x: f64) -> f64 {
    if x > -1e-20 { -1.0 / x } else { pxfm::f_digamma(x) }
}

/// `lgamma`, for [`super::each`].
pub(crate) struct Lgamma;
/// `digamma`, for [`super::each`].
pub(crate) struct Digamma;

near_and_far! { |x| unless(x < 0.0), below 1;
    Lgamma f64: lgamma_positive::<I>(x), pxfm::f_lgamma(x);
    Digamma f64: digamma_positive::<I>(x), digamma_below(x);
}

// Nothing is far.
near_and_far! { |_x| unless(false), below 1;
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

    /// From 0 to beyond where the series begin: as what is nearly always rounded correctly has it, or nearly.
    #[test]
    fn many_are_as_they_should_be() {
        let apart = |got: f64, exact: f64| got.to_bits().abs_diff(exact.to_bits());
        for k in 1..20_000_u32 {
            let x = f64::from(k) * 0.000_917_3;
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
