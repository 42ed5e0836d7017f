//! `pow` and `logaddexp`.
//!
//! `pow` of f32 is 2^(y log2 |x|) in f64, in a straight line, with the special cases of C's Annex F chosen after.
//! `pow` of f64 would need logarithms of 65 bits and is that of the crate pxfm, one by one.

use super::bits::{Power64, ROUND64, at_least, at_most, inverse46, poly64, round32};
use super::exponential::{Exp, exp_short};
use super::logarithm::{log1p_f64, split};
use crate::simd::Isa;

// Made by tools/accuracy/minimax.py: "log36".
const LOG36: [f64; 4] = [0.666666656450387, 0.40000335293971023, 0.28537301504769236, 0.23582293373031568];

/// The logarithm of base 2 of a number that is not negative, to about 36 bits.
#[inline(always)]
fn log2_middle<I: Isa>(x: f64) -> f64 {
    let (e, m) = split(x);
    let s = (m - 1.0) * inverse46::<I>(m + 1.0);
    let z = s * s;
    let log = s * I::fma64(z, poly64::<I, _>(z, LOG36), 2.0);
    let log = I::fma64(log, std::f64::consts::LOG2_E, e);
    let log = if x < f64::INFINITY { log } else { x };
    if x == 0.0 { f64::NEG_INFINITY } else { log }
}

/// x^y.
#[inline(always)]
pub(crate) fn pow_f32<I: Isa>(x: f32, y: f32) -> f32 {
    let (base, exponent) = (f64::from(x), f64::from(y));
    let magnitude = base.abs();
    let product = exponent * log2_middle::<I>(magnitude);
    // Also for NaN and infinity, whose products are no numbers. A negative base with NaN is seen to below.
    let one = (magnitude == 1.0) | (exponent == 0.0);
    let product = if one { 0.0 } else { product };
    let product = at_least(at_most(product, 200.0), -200.0);
    let power = Power64::nearest::<I>(product, 1.0);
    let r = (product - power.n) * std::f64::consts::LN_2;
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

/// x^y.
#[inline(always)]
pub(crate) fn pow_f64<I: Isa>(x: f64, y: f64) -> f64 {
    // pxfm has NaN for a NaN here, of which C takes any power of 1 and the power 0.
    if x == 1.0 || y == 0.0 { 1.0 } else { pxfm::f_pow(x, y) }
}

/// log(exp(x) + exp(y)), without overflow. Where the result is much nearer to 0 than x and y, its error is relative to
/// them.
#[inline(always)]
pub(crate) fn logaddexp_f64<I: Isa>(x: f64, y: f64) -> f64 {
    let (greater, smaller) = if x < y { (y, x) } else { (x, y) };
    let exp = Exp::new::<I>(at_least(smaller - greater, -750.0), 0.0);
    let t = exp.power.times(1.0 + (exp.upper + exp.lower));
    let sum = greater + log1p_f64::<I>(t);
    // Equal infinities have no difference.
    let sum = if x == y { x + std::f64::consts::LN_2 } else { sum };
    if x.is_nan() | y.is_nan() { f64::NAN } else { sum }
}

/// log(exp(x) + exp(y)), without overflow. Where the result is much nearer to 0 than x and y, its error is relative to
/// them.
#[inline(always)]
pub(crate) fn logaddexp_f32<I: Isa>(x: f32, y: f32) -> f32 {
    round32(logaddexp_f64::<I>(f64::from(x), f64::from(y)))
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
        assert_eq!((add(0.0, 0.0), add(1000.0, 0.0)), (std::f64::consts::LN_2, 1000.0));
        assert_eq!(logaddexp_f32::<B>(f32::NEG_INFINITY, f32::NEG_INFINITY), f32::NEG_INFINITY);
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
