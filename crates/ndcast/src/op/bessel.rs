//! The modified Bessel functions of the first kind, scaled by `exp(-|x|)` so that they do not overflow.

use super::term::chain;
use super::{Body, Define, Names, Record, ResultType, X};
use crate::element::Float;
use crate::kernel::{Floats, Map1, floats1};
use crate::simd::Isa;

functions! { floats1 BesselI0e bessel_i0e BesselI1e bessel_i1e }

impl Define for BesselI1e {
    const RECORD: Record = Record {
        name: "bessel_i1e",
        summary: "The modified Bessel function of order 1 times exp(-|x|).",
        names: Names { stablehlo: "chlo.bessel_i1e", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(floats1::<BesselI1e>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64",
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

impl Define for BesselI0e {
    const RECORD: Record = Record {
        name: "bessel_i0e",
        summary: "The modified Bessel function of order 0 times exp(-|x|).",
        names: Names::NONE,
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(floats1::<BesselI0e>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64",
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
