//! `lgamma` and `digamma`, of the gamma function, of numbers that are not below 0. [`super::reflected`] has the others.
//!
//! Up to 8, x is as many whole steps from an interval in which there is a polynomial. Each step multiplies gamma by a
//! number, so that the logarithm of one product is added to `lgamma`, and inverses to `digamma`; what sums, products
//! and quotients lose is kept, because the sum may be near 0. From 8 on there are Stirling's series.

use super::bits::{ROUND64, at_least, poly, product, round32, sum, sum_greater_first};
use super::logarithm::log_long;
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "lgamma64", "stirling64", "digamma64", "digamma_great64".
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
/// From here on there are Stirling's series.
const GREAT: f64 = 8.0;
/// 1 - Euler's constant, in two parts.
const ONE_LESS_EULER: (f64, f64) = (0.42278433509846713, 4.942915152430645e-18);
/// log(2 pi) / 2.
const HALF_LOG_TWO_PI: f64 = 0.9189385332046728;
/// The middle of the interval in which `digamma` is a polynomial.
const MIDDLE: f64 = 1.625;
/// What the root of `digamma` is more than that, in two parts.
const ROOT: (f64, f64) = (-0.16336785503163767, 1.2233227452770237e-17);

/// The nearest integer, of what is not great.
#[inline(always)]
pub(super) fn nearest(x: f64) -> f64 {
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

/// log gamma(x) in two parts, for an x that is not below 0.
#[inline(always)]
pub(super) fn lgamma_parts<I: Isa>(x: f64) -> (f64, f64) {
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
    let near_low = near_low + I::fma64(sign, log_low_near, rest);

    let (half, inverse) = (x - 0.5, 1.0 / x);
    let (product, product_low) = product::<I, _>(half, log);
    let (great, great_low) = sum_greater_first(product, -x);
    let rest = I::fma64(inverse, poly::<I, _, _>(inverse * inverse, STIRLING), HALF_LOG_TWO_PI);
    let great_low = great_low + (I::fma64(half, log_low, product_low) + rest);

    let parts = if is_great { (great, great_low) } else { (near, near_low) };
    // What infinity lacks is no number.
    let is_infinite = (x == 0.0) | (is_great & (product == f64::INFINITY));
    if is_infinite { (f64::INFINITY, 0.0) } else { parts }
}

/// Its derivative in two parts, for an x that is not below 0; -infinity at 0, and infinity at -0.
#[inline(always)]
pub(super) fn digamma_parts<I: Isa>(x: f64) -> (f64, f64) {
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
    let (near, near_low) = sum(steps, from_root * poly::<I, _, _>(t, DIGAMMA));

    let (log, log_low) = log_long::<I>(x);
    let square = inverse * inverse;
    let great_low = log_low - I::fma64(square, poly::<I, _, _>(square, DIGAMMA_GREAT), 0.5 * inverse);

    let parts = if x >= GREAT { (log, great_low) } else { (near, near_low + steps_low) };
    let parts = if x == f64::INFINITY { (x, 0.0) } else { parts };
    if x < 1e-20 { (-inverse, 0.0) } else { parts }
}
