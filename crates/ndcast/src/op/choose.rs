//! Operations whose result is one of their arguments.

use super::term::{Term, chain, gradients};
use super::{Argument, Body, Define, Law, Names, Record, ResultType, X1_X2};
use crate::element::Real;
use crate::kernel::{BLOCK, Map2, Map3, ordered2, reals3, rounded2};
use crate::simd::Isa;

/// How much of the gradient of the greater of two goes to `x`: half if they are equal.
fn share<'a>(x: Term<'a>, y: Term<'a>) -> Term<'a> {
    x.equal(y).select(x.number(0.5), x.greater(y).select(x.number(1.0), x.number(0.0)))
}

/// The gradients of `min(max(x, least), greatest)`, as those of its two steps.
fn limited<'a>([x, least, greatest]: [Term<'a>; 3]) -> [Term<'a>; 3] {
    let raised = x.maximum(least);
    let through = share(greatest, raised);
    [through * share(x, least), through * share(least, x), share(raised, greatest)]
}

/// The greater one.
pub(crate) struct Maximum;

impl<C, T: Real> Map2<C, T> for Maximum {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        a.max(b)
    }

    #[inline(always)]
    fn fold<'c, I: Isa>(lanes: [T; BLOCK], chunks: impl Iterator<Item = &'c [T; BLOCK]> + Clone) -> [T; BLOCK]
    where
        T: 'c,
    {
        T::greatest(lanes, chunks)
    }
}

impl Define for Maximum {
    const RECORD: Record = Record {
        name: "maximum",
        summary: "The greater one; NaN if one is, and 0 rather than -0.",
        // DIFFERENCE: OpenVINO's reference gives its first argument if one is NaN, whichever it is; its specification
        // does not say, and its devices differ.
        names: Names {
            array_api: "maximum",
            onnx: "Max",
            openvino: "Maximum",
            stablehlo: "maximum",
            hlo: "maximum",
        },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(|d| ordered2::<Maximum>(d).or_else(|| rounded2::<Maximum>(d))),
        laws: &[Law::Commutative, Law::Associative, Law::Idempotent, Law::Neutral(f64::NEG_INFINITY)],
        accuracy: "exact",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[a, b], _| [share(a, b), share(b, a)])),
        examples: &[
            "f32: 1, 2 -> 2",
            "f32: 1, nan -> nan",
            "f32: nan, 1 -> nan",
            "f32: -0, 0 -> 0",
            "bool: true, false -> true",
        ],
    };
}

/// The smaller one.
pub(crate) struct Minimum;

impl<C, T: Real> Map2<C, T> for Minimum {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(a: T, b: T) -> T {
        a.min(b)
    }

    #[inline(always)]
    fn fold<'c, I: Isa>(lanes: [T; BLOCK], chunks: impl Iterator<Item = &'c [T; BLOCK]> + Clone) -> [T; BLOCK]
    where
        T: 'c,
    {
        T::least(lanes, chunks)
    }
}

impl Define for Minimum {
    const RECORD: Record = Record {
        name: "minimum",
        summary: "The smaller one; NaN if one is, and -0 rather than 0.",
        // DIFFERENCE: as for the maximum.
        names: Names {
            array_api: "minimum",
            onnx: "Min",
            openvino: "Minimum",
            stablehlo: "minimum",
            hlo: "minimum",
        },
        arguments: X1_X2,
        result: ResultType::Same,
        body: Body::Kernel(|d| ordered2::<Minimum>(d).or_else(|| rounded2::<Minimum>(d))),
        laws: &[Law::Commutative, Law::Associative, Law::Idempotent, Law::Neutral(f64::INFINITY)],
        accuracy: "exact",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[a, b], _| [share(b, a), share(a, b)])),
        examples: &[
            "f32: 1, 2 -> 1",
            "f32: 1, nan -> nan",
            "f32: nan, 1 -> nan",
            "f32: 0, -0 -> -0",
            "bool: true, false -> false",
        ],
    };
}

/// `min(max(x, min), max)`, but that a number that equals a bound stays as it is.
pub(super) struct Clip;

impl<C, T: Real> Map3<C, T> for Clip {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(x: T, least: T, greatest: T) -> T {
        x.clip(least, greatest)
    }
}

impl Define for Clip {
    const RECORD: Record = Record {
        name: "clip",
        summary: "The number, limited to the range from min to max; a number equal to a bound stays as it is. NaN if one of the three is.",
        names: Names { array_api: "clip", onnx: "Clip", openvino: "Clamp", ..Names::NONE },
        arguments: &[
            Argument::array("x"),
            Argument::number("min", f64::NEG_INFINITY),
            Argument::number("max", f64::INFINITY),
        ],
        result: ResultType::Same,
        body: Body::Kernel(reals3::<Clip>),
        laws: &[],
        accuracy: "exact",
        gradient: Some(|g, x, y, d| chain(g, (x, y, d), |[x, min, max], _| limited([x, min, max]))),
        examples: &[
            "f32: 5, -1, 1 -> 1",
            "i8: -5, -1 -> -1",
            "f32: nan, 0, 1 -> nan",
            "f32: 0, nan, 1 -> nan",
            "f32: 0, -1, nan -> nan",
            "f32: -0, 0, 1 -> -0",
            "i32: 5, 3, 1 -> 1",
            "u8: 7 -> 7",
        ],
    };
}

/// The same with the number in the middle.
pub(super) struct Clamp;

impl<C, T: Real> Map3<C, T> for Clamp {
    type Out = T;
    #[inline(always)]
    fn map<I: Isa>(least: T, x: T, greatest: T) -> T {
        x.max(least).min(greatest)
    }
}

impl Define for Clamp {
    const RECORD: Record = Record {
        name: "clamp",
        summary: "Clip with the arguments in the order least, number, greatest.",
        names: Names { stablehlo: "clamp", hlo: "clamp", ..Names::NONE },
        arguments: &[Argument::array("min"), Argument::array("x"), Argument::array("max")],
        result: ResultType::Same,
        body: Body::Kernel(reals3::<Clamp>),
        laws: &[],
        accuracy: "exact",
        gradient: Some(|g, x, y, d| {
            chain(g, (x, y, d), |[min, x, max], _| {
                let [x, min, max] = limited([x, min, max]);
                [min, x, max]
            })
        }),
        examples: &[
            "f32: -1, 5, 1 -> 1",
            "i8: -1, -5, 1 -> -1",
            "f32: 0, nan, 1 -> nan",
            "i32: 3, 2, 1 -> 1",
        ],
    };
}

/// The second or the third.
pub(super) struct Where;

impl Define for Where {
    const RECORD: Record = Record {
        name: "where",
        summary: "The second argument where the first is true, and the third elsewhere.",
        names: Names {
            array_api: "where",
            onnx: "Where",
            openvino: "Select",
            stablehlo: "select",
            hlo: "select",
        },
        arguments: &[Argument::array("condition"), Argument::array("x1"), Argument::array("x2")],
        result: ResultType::Same,
        body: Body::Select,
        laws: &[],
        accuracy: "exact",
        gradient: Some(|g, x, y, d| {
            gradients(g, (x, y, d), |[condition, _, _], _, d| {
                let zero = d.number(0.0);
                [None, Some(condition.select(d, zero)), Some(condition.select(zero, d))]
            })
        }),
        examples: &[
            "f32: true, 1, 2 -> 1",
            "i64: false, 1, 2 -> 2",
            "f32: true, -0, nan -> -0",
            "c64: false, 1, 2+1j -> 2+1j",
            "bool: true, false, true -> false",
        ],
    };
}
