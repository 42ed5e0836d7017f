//! Special functions: of the normal distribution, and of the factorial.

use std::f64::consts::FRAC_2_SQRT_PI;

use super::term::{Term, chain, gradients};
use super::{Argument, Body, Define, Names, Record, ResultType, X};
use crate::element::Float;
use crate::kernel::{Floats, Map1, Map2, floats1, floats2};
use crate::simd::Isa;

functions! { floats1 Erf erf Erfc erfc ErfInv erf_inv }
functions! { each1 Lgamma lgamma lgamma_each Digamma digamma digamma_each }
functions! { floats2 Polygamma polygamma Zeta zeta }

impl Define for Erf {
    const RECORD: Record = Record {
        name: "erf",
        summary: "The error function: the probability that a normal value of variance 1/2 is nearer to 0.",
        names: Names { onnx: "Erf", openvino: "Erf", stablehlo: "chlo.erf", hlo: "erf", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(floats1::<Erf>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [(-x.square()).exp() * FRAC_2_SQRT_PI])),
        examples: &[
            "f32: 1 -> 0.8427008",
            "f32: -0 -> -0",
            "f32: inf -> 1",
            "f64: 0.5 -> 0.5204998778130465",
        ],
    };
}

impl Define for Erfc {
    const RECORD: Record = Record {
        name: "erfc",
        summary: "The complementary error function, 1 - erf(x), without cancellation.",
        names: Names { stablehlo: "chlo.erfc", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(floats1::<Erfc>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [(-x.square()).exp() * -FRAC_2_SQRT_PI])),
        examples: &[
            "f32: 3 -> 2.2090497e-5",
            "f32: 0 -> 1",
            "f32: -inf -> 2",
            "f64: 1 -> 0.15729920705028513",
        ],
    };
}

impl Define for ErfInv {
    const RECORD: Record = Record {
        name: "erf_inv",
        summary: "The inverse of the error function.",
        names: Names { stablehlo: "chlo.erf_inv", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(floats1::<ErfInv>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64",
        gradient: Some(|g, x, y, d| {
            chain(g, (x, y, d), |[_], y| [y.square().exp() * FRAC_2_SQRT_PI.recip()])
        }),
        examples: &["f32: 0.5 -> 0.47693628", "f32: 1 -> inf", "f32: -0 -> -0", "f32: 2 -> nan"],
    };
}

impl Define for Lgamma {
    const RECORD: Record = Record {
        name: "lgamma",
        summary: "The logarithm of the absolute value of the gamma function.",
        names: Names { stablehlo: "chlo.lgamma", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(floats1::<Lgamma>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; 1e-19 next to its roots below 0",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [x.digamma()])),
        examples: &[
            "f32: 3 -> 0.6931472",
            "f32: 0.5 -> 0.5723649",
            "f32: -0.5 -> 1.2655121",
            "f32: 0 -> inf",
            "f32: -inf -> inf",
        ],
    };
}

impl Define for Digamma {
    const RECORD: Record = Record {
        name: "digamma",
        summary: "The digamma function, the derivative of lgamma.",
        names: Names { stablehlo: "chlo.digamma", ..Names::NONE },
        arguments: X,
        result: ResultType::Same,
        body: Body::Kernel(floats1::<Digamma>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64; 1e-17 next to its roots below 0",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x], _| [x.number(1.0).polygamma(x)])),
        examples: &[
            "f32: 1 -> -0.5772157",
            "f32: 2 -> 0.42278433",
            "f32: -0.5 -> 0.036489975",
            "f32: -1 -> nan",
        ],
    };
}

impl Define for Polygamma {
    const RECORD: Record = Record {
        name: "polygamma",
        summary: "The derivative of this order of digamma.",
        names: Names { stablehlo: "chlo.polygamma", ..Names::NONE },
        arguments: &[Argument::array("n"), Argument::array("x")],
        result: ResultType::Same,
        body: Body::Kernel(floats2::<Polygamma>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64, for orders up to 4096",
        // The order is a whole number.
        gradient: Some(|g, x, y, d| {
            gradients(g, (x, y, d), |[n, x], _, d| [None, Some(d * (n + 1.0).polygamma(x))])
        }),
        examples: &[
            "f32: 1, 2 -> 0.64493406",
            "f32: 2, 3 -> -0.1541138",
            "f32: 0, 2 -> 0.42278433",
            "f32: -1, 2 -> nan",
        ],
    };
}

/// The derivative of [`Zeta`] by the power, for positive `q`: the first terms one by one, the others as Euler and Maclaurin sum
/// them.
fn zeta_by_power<'a>(x: Term<'a>, q: Term<'a>) -> Term<'a> {
    /// The Bernoulli numbers of 2, 4, .. by the factorials of these.
    const PARTS: [f64; 5] =
        [1.0 / 12.0, -1.0 / 720.0, 1.0 / 30_240.0, -1.0 / 1_209_600.0, 1.0 / 47_900_160.0];
    let term = |base: Term<'a>| base.log() * (-x * base.log()).exp();
    let first = (1..12).fold(term(q), |sum, k| sum + term(q + f64::from(k)));
    let base = q + 12.0;
    let (log, power) = (base.log(), (-x * base.log()).exp());
    let whole = base * power / (x - 1.0) * (log + (x - 1.0).reciprocal());
    // The power times x (x + 1) .. of as many factors as a part has, by as many bases, and the derivative of its logarithm. The
    // factors alone would be too great where the power is 0.
    let (mut factors, mut slope) = (power * (x / base), x.reciprocal() - log);
    let mut parts = factors * slope * PARTS[0];
    for (part, of) in PARTS.iter().zip([0.0, 2.0, 4.0, 6.0, 8.0]).skip(1) {
        let (one, two) = (x + (of - 1.0), x + of);
        factors = factors * (one / base) * (two / base);
        slope = slope + one.reciprocal() + two.reciprocal();
        parts = parts + factors * slope * *part;
    }
    parts - first - whole - term(base) * 0.5
}

impl Define for Zeta {
    const RECORD: Record = Record {
        name: "zeta",
        summary: "The Hurwitz zeta function: the sum of 1 / (q + k)^x over k >= 0.",
        names: Names { stablehlo: "chlo.zeta", ..Names::NONE },
        arguments: &[Argument::array("x"), Argument::array("q")],
        result: ResultType::Same,
        body: Body::Kernel(floats2::<Zeta>),
        laws: &[],
        accuracy: "1 ULP in f32, 2 in f64",
        gradient: Some(|g, x, y, d| {
            gradients(g, (x, y, d), |[x, q], _, d| {
                [Some(d * zeta_by_power(x, q)), Some(d * (-x * (x + 1.0).zeta(q)))]
            })
        }),
        examples: &["f32: 2, 1 -> 1.644934", "f32: 3, 2 -> 0.2020569", "f32: 1, 2 -> inf"],
    };
}
