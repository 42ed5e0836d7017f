//! The modified Bessel functions of the first kind, scaled by `exp(-|x|)` so that they do not overflow.

use super::term::chain;
use super::{Body, Define, Names, Record, ResultType, X};
use crate::element::Float;
use crate::kernel::{Floats, Map1, floats1};
use crate::simd::Isa;

functions! { floats1 BesselI1e bessel_i1e }

impl Define for BesselI1e {
    const RECORD: Record = Record {
        name: "bessel_i1e",
        summary: "The modified Bessel function of order 1 times exp(-|x|).",
        names: Names { stablehlo: "chlo.bessel_i1e", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(floats1::<BesselI1e>),
        laws: &[],
        accuracy: "3 ULP in f32, 8 in f64",
        gradient: Some(|g, x, y, d| {
            chain(g, (x, y, d), |[x], y| {
                let zero = x.number(0.0);
                let by_x = x.equal(zero).select(x.number(0.5), y / x);
                [x.bessel_i0e() - x.sign() * y - by_x]
            })
        }),
        examples: &[
            "f32: 1 -> 0.20791042",
            "f32: -1 -> -0.20791042",
            "f32: -0 -> -0",
            "f64: 3 -> 0.19682671329730086",
        ],
    };
}

/// `I0(x) * exp(-|x|)`.
pub(super) struct BesselI0e;

impl<T: Float> Map1<Floats, T> for BesselI0e {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T) -> T {
        let x = x.copysign::<I>(T::ONE);
        let near = series(&NEAR, x.div(T::of(4.0)).sub(T::ONE));
        let far = series(&FAR, T::of(16.0).div(x).sub(T::ONE)).div(x.sqrt::<I>());
        if x > T::of(8.0) { far } else { near }
    }
}

/// The sum of Chebyshev polynomials with these coefficients, by Clenshaw's recurrence.
#[inline(always)]
fn series<T: Float, const N: usize>(coefficients: &[f64; N], x: T) -> T {
    let twice = x.add(x);
    let (mut sum, mut before) = (T::ZERO, T::ZERO);
    for coefficient in coefficients.iter().skip(1).rev() {
        (sum, before) = (T::of(*coefficient).add(twice.mul(sum)).sub(before), sum);
    }
    T::of(coefficients[0]).add(x.mul(sum)).sub(before)
}

impl Define for BesselI0e {
    const RECORD: Record = Record {
        name: "bessel_i0e",
        summary: "The modified Bessel function of order 0 times exp(-|x|).",
        names: Names::NONE,
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(floats1::<BesselI0e>),
        laws: &[],
        accuracy: "4 ULP",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], y| [x.bessel_i1e() - x.sign() * y])),
        examples: &[
            "f32: 1 -> 0.4657596",
            "f32: -0 -> 1",
            "f64: -3 -> 0.24300035416182542",
            "f64: 20 -> 0.08978031188482602",
            "f32: inf -> 0",
            "f32: nan -> nan",
        ],
    };
}

/// Chebyshev coefficients of the scaled function of order 0, for x from 0 to 8, in x / 4 - 1.
#[rustfmt::skip]
const NEAR: [f64; 30] = [
    0.33839763720473803, -0.3046826723431984, 0.17162090152220877, -0.09490109704804764,
    0.04930528423967071, -0.02373741480589947, 0.010546460394594998, -0.004324309995050576,
    0.0016394756169413357, -0.0005763755745385824, 0.00018850288509584165, -5.754195010082104e-05,
    1.6448448070728896e-05, -4.4167383584587505e-06, 1.1173875391201037e-06, -2.670793853940612e-07,
    6.046995022541919e-08, -1.300025009986248e-08, 2.6598237246823866e-09, -5.189795601635263e-10,
    9.675809035373237e-11, -1.726826291441556e-11, 2.95505266312964e-12, -4.856446783111929e-13,
    7.676185498604936e-14, -1.1685332877993451e-14, 1.715391285555133e-15, -2.431279846547955e-16,
    3.3307945188222384e-17, -4.4153416464793395e-18,
];

/// Chebyshev coefficients of the scaled function of order 0 times the root of x, for x from 8 on, in 16 / x - 1.
#[rustfmt::skip]
const FAR: [f64; 25] = [
    0.4022452055070544, 0.0033691164782556943, 6.889758346916825e-05, 2.8913705208347567e-06,
    2.0489185894690638e-07, 2.266668990498178e-08, 3.3962320257083865e-09, 4.94060238822497e-10,
    1.1889147107846439e-11, -3.1499165279632416e-11, -1.3215811840447713e-11, -1.7941785315068062e-12,
    7.180124451383666e-13, 3.8527783827421426e-13, 1.54008621752141e-14, -4.150569347287222e-14,
    -9.554846698828307e-15, 3.8116806693526224e-15, 1.7725601330565263e-15, -3.425485619677219e-16,
    -2.8276239805165836e-16, 3.461222867697461e-17, 4.46562142029676e-17, -4.830504485944182e-18,
    -7.233180487874754e-18,
];
