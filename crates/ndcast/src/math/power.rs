//! `pow` and `logaddexp`.
//!
//! The powers that are written most are products of two or three factors, with the bits that rounding loses: they are so also
//! beside others, so that it does not matter where an exponent stands.
//!
//! `pow` is 2^(y log2 |x|), with the special cases of C's Annex F chosen after. A logarithm for it needs as many more
//! bits as the result has in its exponent: f32 takes one of 36 bits in f64, and f64 one in two parts.

use std::f64::consts::{LN_2, LOG2_E};

use super::bits::{
    Power, ROUND64, Real, at_least, at_most, inverse46, poly, product, round32, sum_greater_first,
};
use super::exponential::{Exp, exp, exp_of_sum, exp_short};
use super::logarithm::{log1p_f64, split, split_any};
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "log36", "log44", "log66".
const LOG36: [f64; 4] = [0.666666656450387, 0.40000335293971023, 0.28537301504769236, 0.23582293373031568];

const LOG44: [f64; 7] = [
    0.6666666667702039,
    0.39999997653573754,
    0.28571608084724187,
    0.2221573594316769,
    0.18306244988957882,
    0.14092715307309273,
    0.20017241986573045,
];

const LOG66: [f64; 7] = [
    0.40000000000001684,
    0.2857142857032672,
    0.22222222484913898,
    0.18181787079637535,
    0.15386644693302873,
    0.13259213793833263,
    0.13175803756272764,
];

/// The logarithm of base 2 of a number that is not negative, to about 36 bits.
#[inline(always)]
fn log2_middle<I: Isa>(x: f64) -> f64 {
    let (e, m) = split(x);
    let s = (m - 1.0) * inverse46::<I>(m + 1.0);
    let z = s * s;
    let log = s * I::fma64(z, poly::<I, _, _>(z, LOG36), 2.0);
    let log = I::fma64(log, LOG2_E, e);
    let log = if x < f64::INFINITY { log } else { x };
    if x == 0.0 { f64::NEG_INFINITY } else { log }
}

/// Whether a power with this exponent is a product.
#[inline(always)]
pub(super) fn is_product(exponent: f64) -> bool {
    (exponent == 2.0) | (exponent == 3.0) | (exponent == 4.0)
}

/// x^y, for these exponents. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn product_f32<I: Isa>(x: f32, y: f32) -> f32 {
    let base = f64::from(x);
    let square = base * base;
    let product = square * if y == 3.0 { base } else { square };
    round32(if y == 2.0 { square } else { product })
}

/// The same. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn product_f64<I: Isa>(x: f64, y: f64) -> f64 {
    let (square, square_low) = product::<I, _>(x, x);
    let is_cube = y == 3.0;
    let (factor, twice) = if is_cube { (x, square_low) } else { (square, 2.0 * square_low) };
    let (upper, lower) = product::<I, _>(square, factor);
    let whole = upper + I::fma64(twice, factor, lower);
    // What is lost is no number beside infinity, and has a sign of its own beside 0.
    let rounded = if (upper.abs() < f64::INFINITY) & (upper != 0.0) { whole } else { upper };
    if y == 2.0 { square } else { rounded }
}

/// x^y. At most 0.55 ULP.
#[inline(always)]
pub(crate) fn pow_f32<I: Isa>(x: f32, y: f32) -> f32 {
    let power = power_f32::<I>(x, y);
    if is_product(f64::from(y)) { product_f32::<I>(x, y) } else { power }
}

#[inline(always)]
fn power_f32<I: Isa>(x: f32, y: f32) -> f32 {
    let (base, exponent) = (f64::from(x), f64::from(y));
    let magnitude = base.abs();
    let product = exponent * log2_middle::<I>(magnitude);
    // Also for NaN and infinity, whose products are no numbers. A negative base with NaN is seen to below.
    let one = (magnitude == 1.0) | (exponent == 0.0);
    let product = if one { 0.0 } else { product };
    let product = at_least(at_most(product, 200.0), -200.0);
    let power = Power::nearest::<I>(product, 1.0);
    let r = (product - power.n) * LN_2;
    let power = power.value() * exp_short::<I>(r);
    // From 2^24 on all f32 are even.
    let bounded = at_least(at_most(exponent, 1e9), -1e9);
    let shifted = bounded + ROUND64;
    let integer = shifted - ROUND64 == bounded;
    let odd = shifted.to_bits() << 63;
    let signed = f64::from_bits(power.to_bits() ^ (base.to_bits() & odd));
    // A negative number has no power that is no integer, but infinity has; for -0 the comparison is false.
    let negative = (base < 0.0) & (magnitude < f64::INFINITY);
    let none = if negative { f64::NAN } else { power };
    round32(if integer { signed } else { none })
}

/// The logarithm of base 2 of a normal number that is not negative, in two parts, to about 65 bits.
#[inline(always)]
fn log2_long<I: Isa>(x: f64) -> (f64, f64) {
    const LOG2_E_LOWER: f64 = 2.035_527_374_093_103_3e-17;
    const TWO_THIRDS_LOWER: f64 = 3.700_743_415_417_188e-17;
    let (e, m) = split_any(x);
    // s = f / (2 + f), and the rest of the division; of 1 / (2 + f) = (1 - s) / 2 a few bits are enough for it.
    let f = m - 1.0;
    let (d, d_low) = sum_greater_first(2.0, f);
    let s = f / d;
    let (back, back_low) = product::<I, _>(s, d);
    let s_low = ((f - back) - back_low - s * d_low) * (0.5 - 0.5 * s);
    // log(m) = s (2 + z (2/3 + z q(z))), z = s^2.
    let (z, z_low) = product::<I, _>(s, s);
    let z_low = I::fma64(2.0 * s, s_low, z_low);
    let (a, a_low) = sum_greater_first(2.0 / 3.0, z * poly::<I, _, _>(z, LOG66));
    let (t, t_low) = product::<I, _>(z, a);
    let t_low = I::fma64(z, a_low + TWO_THIRDS_LOWER, I::fma64(z_low, a, t_low));
    let (u, u_low) = sum_greater_first(2.0, t);
    let (log, log_low) = product::<I, _>(s, u);
    let log_low = I::fma64(s, u_low + t_low, I::fma64(s_low, u, log_low));
    let (log2, log2_low) = product::<I, _>(log, LOG2_E);
    let log2_low = I::fma64(log, LOG2_E_LOWER, I::fma64(log_low, LOG2_E, log2_low));
    let (upper, lower) = sum_greater_first(e, log2);
    sum_greater_first(upper, lower + log2_low)
}

/// x^y. At most 0.8 ULP.
#[inline(always)]
pub(crate) fn pow_f64<I: Isa>(x: f64, y: f64) -> f64 {
    let power = power_f64::<I>(x, y);
    if is_product(y) { product_f64::<I>(x, y) } else { power }
}

#[inline(always)]
fn power_f64<I: Isa>(x: f64, y: f64) -> f64 {
    const LN_2_LOWER: f64 = 2.319_046_813_846_299_6e-17;
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    let magnitude = x.abs();
    let (log, log_low) = log2_long::<I>(magnitude);
    let finite = magnitude < f64::INFINITY;
    let log = if finite { log } else { magnitude };
    let log = if magnitude == 0.0 { f64::NEG_INFINITY } else { log };
    // A greater exponent gives the same, but would overflow before the logarithm is multiplied.
    let exponent = at_least(at_most(y, 1e25), -1e25);
    let (upper, lower) = product::<I, _>(exponent, log);
    let lower = I::fma64(exponent, log_low, lower);
    let one = (magnitude == 1.0) | (y == 0.0);
    let upper = if one { 0.0 } else { upper };
    // Beyond these the result is 0 or infinite, whatever the rest; which is no number there, or is great.
    let inside = upper.abs() < 1100.0;
    let lower = if inside & !one { lower } else { 0.0 };
    let upper = at_least(at_most(upper, 1100.0), -1100.0);
    let power = Power::nearest::<I>(upper, 1.0);
    let part = upper - power.n;
    let (r, r_low) = product::<I, _>(part, LN_2);
    let r_low = I::fma64(part, LN_2_LOWER, I::fma64(lower, LN_2, r_low));
    let exp = power.times(exp_of_sum::<I>(r, r_low));
    // The lowest bit of a float from 2^52 to 2^53 counts ones, and adding 2^52 to a smaller one makes it such.
    let size = y.abs();
    let shifted = if size < TWO_52 { size + TWO_52 } else { size };
    let integer = (size >= TWO_52) | (shifted - TWO_52 == size);
    let odd = if size < 2.0 * TWO_52 { shifted.to_bits() << 63 } else { 0 };
    let signed = f64::from_bits(exp.to_bits() ^ (x.to_bits() & odd));
    let none = if (x < 0.0) & finite { f64::NAN } else { exp };
    if integer { signed } else { none }
}

/// log(exp(x) + exp(y)), without overflow. Where the result is much nearer to 0 than x and y, its error is relative to
/// them. At most 1.5 ULP.
#[inline(always)]
pub(crate) fn logaddexp_f64<I: Isa>(x: f64, y: f64) -> f64 {
    let (greater, smaller) = if x < y { (y, x) } else { (x, y) };
    let exp = Exp::new::<I>(at_least(smaller - greater, f64::VANISHES), 0.0);
    let t = exp.power.times(1.0 + (exp.upper + exp.lower));
    let sum = greater + log1p_f64::<I>(t);
    // Equal infinities have no difference.
    let sum = if x == y { x + LN_2 } else { sum };
    if x.is_nan() | y.is_nan() { f64::NAN } else { sum }
}

/// log(exp(x) + exp(y)), without overflow. Where the result is less than a hundred thousandth of x or y, its error is
/// relative to them: 2^-43. At most 0.51 ULP.
#[inline(always)]
pub(crate) fn logaddexp_f32<I: Isa>(x: f32, y: f32) -> f32 {
    let (x, y) = (f64::from(x), f64::from(y));
    let (greater, smaller) = if x < y { (y, x) } else { (x, y) };
    let t = exp::<I, _>(at_least(smaller - greater, -150.0));
    // log(1 + t), to about 43 bits: what cancels of it needs more than an f32 has.
    let s = t * inverse46::<I>(2.0 + t);
    let z = s * s;
    let sum = greater + s * I::fma64(z, poly::<I, _, _>(z, LOG44), 2.0);
    // Equal infinities have no difference.
    let sum = if x == y { x + LN_2 } else { sum };
    round32(if x.is_nan() | y.is_nan() { f64::NAN } else { sum })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Baseline as B, Body, Level, at};

    /// C's Annex F 10.4.4, for both types.
    #[test]
    fn edges() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let cases = [
            (0.0, -1.0, inf),
            (-0.0, -1.0, -inf),
            (-0.0, -3.0, -inf),
            (-0.0, -2.0, inf),
            (-0.0, -0.5, inf),
            (0.0, -inf, inf),
            (0.0, 3.0, 0.0),
            (-0.0, 3.0, -0.0),
            (-0.0, 2.0, 0.0),
            (-0.0, 0.5, 0.0),
            (-1.0, inf, 1.0),
            (-1.0, -inf, 1.0),
            (1.0, nan, 1.0),
            (1.0, inf, 1.0),
            (nan, 0.0, 1.0),
            (nan, -0.0, 1.0),
            (inf, 0.0, 1.0),
            (-8.0, 1.0 / 3.0, nan),
            (0.5, -inf, inf),
            (-2.0, -inf, 0.0),
            (0.5, inf, 0.0),
            (-2.0, inf, inf),
            (-inf, -3.0, -0.0),
            (-inf, -2.0, 0.0),
            (-inf, -0.5, 0.0),
            (-inf, 3.0, -inf),
            (-inf, 2.0, inf),
            (-inf, 0.5, inf),
            (inf, -1.0, 0.0),
            (inf, 0.5, inf),
            (nan, 1.0, nan),
            (2.0, nan, nan),
            (-2.0, 3.0, -8.0),
            (-2.0, -2.0, 0.25),
            (-1.0, 1e30, 1.0),
            (-3.0, 1.0, -3.0),
            (-2.0, 1e300, inf),
            (10.0, 2.0, 100.0),
            (4.0, 0.5, 2.0),
        ];
        for (x, y, exact) in cases {
            let same = |got: f64, exact: f64| {
                (got.is_nan() && exact.is_nan())
                    || (got == exact && got.is_sign_negative() == exact.is_sign_negative())
            };
            assert!(same(pow_f64::<B>(x, y), exact), "{x}^{y}: {}", pow_f64::<B>(x, y));
            let single = pow_f32::<B>(round32(x), round32(y));
            assert!(same(f64::from(single), exact), "{x}^{y}: {single}");
        }
    }

    #[test]
    fn edges_of_logaddexp() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let add = logaddexp_f64::<B>;
        assert_eq!((add(-inf, -inf), add(inf, -inf), add(inf, inf), add(-inf, 2.0)), (-inf, inf, inf, 2.0));
        assert!(add(nan, 1.0).is_nan() && add(-inf, nan).is_nan() && add(nan, inf).is_nan());
        assert_eq!((add(0.0, 0.0), add(1000.0, 0.0)), (LN_2, 1000.0));
        assert_eq!(logaddexp_f32::<B>(f32::NEG_INFINITY, f32::NEG_INFINITY), f32::NEG_INFINITY);
    }

    /// Bases of all exponents: as what is nearly always rounded correctly has it, but for one in a thousand.
    #[test]
    fn powers_that_are_products() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        let mut different = 0;
        for k in 0..30_000 {
            // Half of them such that no power is too great or too small.
            let bits = next();
            let moderate = (bits & 0x800f_ffff_ffff_ffff) | (0x3d0 + (bits >> 52 & 0x3f)) << 52;
            let x = f64::from_bits(if k % 2 == 0 { bits } else { moderate });
            for y in [2.0, 3.0, 4.0] {
                let (got, exact) = (product_f64::<B>(x, y), pxfm::f_pow(x, y));
                assert_eq!(got.to_bits(), pow_f64::<B>(x, y).to_bits(), "{x:e}^{y}");
                let same = got == exact || got.is_nan() && exact.is_nan();
                different += u32::from(!same);
                let apart = got.to_bits().abs_diff(exact.to_bits());
                assert!(same || apart <= 1, "{x:e}^{y}: {got:e}, not {exact:e}");
                let (short, power) = (round32(x), round32(y));
                let (got, exact) = (product_f32::<B>(short, power), pxfm::f_pow(f64::from(short), y));
                assert_eq!(got.to_bits(), pow_f32::<B>(short, power).to_bits(), "{short:e}^{y}");
                assert!(got == round32(exact) || exact.is_nan(), "{short:e}^{y}: {got:e}, not {exact:e}");
            }
        }
        assert!(different < 90, "{different} are different");
    }

    struct Powers<'a>(&'a [f32], &'a [f32], &'a mut [f32]);

    impl Body for Powers<'_> {
        #[inline(always)]
        fn run<I: Isa>(self) {
            for ((out, &x), &y) in self.2.iter_mut().zip(self.0).zip(self.1) {
                *out = pow_f32::<I>(x, y);
            }
        }
    }

    /// Bases of all exponents, with powers of moderate size, of all signs, and near 1 with great powers.
    #[test]
    fn powers_of_f32_are_right() {
        let (mut x, mut y) = (vec![], vec![]);
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from(state >> 32).unwrap()
        };
        for k in 0..200_000 {
            let base = f32::from_bits(next() & 0x7fff_ffff);
            let of_one = f32::from_bits(0x3f80_0000 ^ (next() & 0x7fff));
            let base = if k % 2 == 0 { base } else { of_one };
            let power = f32::from_bits((next() & 0x807f_ffff) | 0x3f80_0000);
            let target = f64::from(power) * 80.0 / pxfm::f_log2(f64::from(base)).abs().max(1e-30);
            x.push(base);
            y.push(round32(target));
        }
        let mut out = vec![0.0; x.len()];
        for level in Level::all() {
            at(level, Powers(&x, &y, &mut out));
            for ((&x, &y), &got) in x.iter().zip(&y).zip(&out) {
                let exact = pxfm::f_pow(f64::from(x), f64::from(y));
                let ulp = f64::from(f32::from_bits(round32(exact).to_bits() + 1)) - f64::from(round32(exact));
                let near = (f64::from(got) - exact).abs() <= 0.55 * ulp;
                assert!(
                    near || !exact.is_finite() || round32(exact) == got,
                    "{x:e}^{y:e}: {got:e}, not {exact:e}"
                );
            }
        }
    }
}
