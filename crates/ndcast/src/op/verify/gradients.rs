//! Gradients, backwards through a tape of plain numbers: compared with differences, and with what is known at kinks.

use super::super::{Algebra, Body, Law, Op, ResultType, Value};
use super::{Cell, Plain, number, rounded};
use crate::dtype::DType;

/// Arguments for which an operation does not have the derivative that differences give, with the reason.
const NO_DERIVATIVE: &[(Op, usize, &str)] = &[
    (Op::Polygamma, 0, "the order is a whole number"),
    (Op::ReducePrecision, 0, "as if it did not round"),
    (Op::ReducePrecision, 1, "a number of bits"),
    (Op::ReducePrecision, 2, "a number of bits"),
    (Op::Nextafter, 0, "the next number is no smooth function"),
    (Op::Nextafter, 1, "the next number is no smooth function"),
];

/// Gradients that far from 0 or near it are the difference of numbers that are nearly the same: what is wrong may be as much as
/// a rounding of these.
const DIFFERENCES: &[Op] = &[Op::BesselI0e, Op::BesselI1e, Op::Celu, Op::Softsign];

fn float(cell: Cell) -> f64 {
    match cell {
        Cell::Float(x) => x,
        other => panic!("no real number: {other:?}"),
    }
}

/// The value at a point, and the gradient of each argument, where 0 stands for none.
fn backwards(op: Op, point: &[f64]) -> (f64, Vec<f64>) {
    backwards_in(DType::F64, op, point)
}

/// The same where every step is of this type.
fn backwards_in(dtype: DType, op: Op, point: &[f64]) -> (f64, Vec<f64>) {
    let mut plain = Plain { dtype, nodes: Vec::new() };
    let arguments: Vec<Value> = point.iter().map(|x| plain.number(*x)).collect();
    let result = plain.apply(op, &arguments);
    let count = plain.nodes.len();
    let mut gradients: Vec<Option<Value>> = vec![None; count];
    gradients[result.0 as usize] = Some(plain.number(1.0));
    for node in (0..count).rev() {
        let (Some(d), Some((op, from))) = (gradients[node], plain.nodes[node].from.clone()) else { continue };
        let Some(gradient) = op.record().gradient else { continue };
        let value = Value(u32::try_from(node).unwrap());
        let parts = gradient(&mut plain, &from, value, d);
        assert_eq!(parts.len(), from.len(), "{op}");
        for (argument, part) in from.iter().zip(parts) {
            let place = &mut gradients[argument.0 as usize];
            *place = match (*place, part) {
                (Some(before), Some(part)) => Some(plain.apply(Op::Add, &[before, part])),
                (before, part) => before.or(part),
            };
        }
    }
    let gradient = |value: &Value| gradients[value.0 as usize].map_or(0.0, |d| float(plain.cell(d)));
    (float(plain.cell(result)), arguments.iter().map(gradient).collect())
}

fn value(op: Op, point: &[f64]) -> f64 {
    let cells: Vec<Cell> = point.iter().map(|x| number(DType::F64, *x)).collect();
    float(super::compute(op, DType::F64, &cells))
}

/// Points away from kinks and whole numbers, inside and outside of [-1, 1].
fn points(op: Op) -> Vec<Vec<f64>> {
    let numbers = [0.31, -0.42, 0.77, 1.63, -2.37, 3.7];
    match op.arity() {
        // The order is a whole number.
        2 if op == Op::Polygamma => vec![vec![1.0, 0.58], vec![2.0, 2.21], vec![3.0, 3.7]],
        1 => numbers.iter().map(|x| vec![*x]).collect(),
        2 => numbers.iter().flat_map(|a| [0.58, 2.21, -1.14].map(|b| vec![*a, b])).collect(),
        _ => numbers.iter().flat_map(|a| [[0.58, 2.21], [1.14, 0.27]].map(|[b, c]| vec![*a, b, c])).collect(),
    }
}

#[test]
fn as_differences() {
    for &op in Op::ALL {
        let takes_reals = op.result(DType::F64) == Some(DType::F64) && op != Op::Where;
        if !takes_reals {
            continue;
        }
        let mut compared = 0;
        for point in points(op) {
            let (y, gradient) = backwards(op, &point);
            if !y.is_finite() {
                continue;
            }
            for (k, found) in gradient.into_iter().enumerate() {
                if NO_DERIVATIVE.iter().any(|(other, argument, _)| (*other, *argument) == (op, k)) {
                    continue;
                }
                let step = 1e-5;
                let moved = |by: f64| {
                    let mut point = point.clone();
                    point[k] += by;
                    value(op, &point)
                };
                let expected = (moved(step) - moved(-step)) / (2.0 * step);
                if expected.is_finite() {
                    let near = (found - expected).abs() <= 1e-6 * (1.0 + expected.abs());
                    assert!(near, "{op}{point:?}, argument {k}: {found}, differences {expected}");
                    compared += 1;
                }
            }
        }
        let exempt = NO_DERIVATIVE.iter().filter(|(other, _, _)| *other == op).count();
        assert!(compared >= 2 || exempt == op.arity(), "{op}: {compared} points");
    }
}

/// At kinks and in the limits: halves on ties, nothing from zeros, and no NaN where the derivative is finite.
#[test]
fn at_kinks() {
    for (op, point, expected) in [
        (Op::Relu, &[0.0][..], &[0.0][..]),
        (Op::Abs, &[0.0], &[0.0]),
        (Op::Maximum, &[1.0, 1.0], &[0.5, 0.5]),
        (Op::Minimum, &[1.0, 1.0], &[0.5, 0.5]),
        (Op::Maximum, &[-0.0, 0.0], &[0.5, 0.5]),
        (Op::Clip, &[0.5, 0.0, 1.0], &[1.0, 0.0, 0.0]),
        (Op::Clip, &[2.0, 0.0, 1.0], &[0.0, 0.0, 1.0]),
        (Op::Clip, &[-2.0, 0.0, 1.0], &[0.0, 1.0, 0.0]),
        (Op::Clip, &[0.0, 0.0, 1.0], &[0.5, 0.5, 0.0]),
        (Op::Clip, &[2.0, 3.0, 1.0], &[0.0, 0.0, 1.0]),
        (Op::Clamp, &[0.0, 2.0, 1.0], &[0.0, 0.0, 1.0]),
        (Op::Pow, &[0.0, 2.0], &[0.0, 0.0]),
        (Op::Pow, &[0.0, 1.0], &[1.0, 0.0]),
        (Op::Pow, &[0.0, 0.0], &[0.0, 0.0]),
        (Op::Pow, &[3.0, 0.0], &[0.0, 1.098_612_288_668_109_8]),
        (Op::Pow, &[-2.0, 3.0], &[12.0, f64::NAN]),
        (Op::Elu, &[0.0, 1.0], &[1.0, 0.0]),
        (Op::Elu, &[1000.0, 1.0], &[1.0, 0.0]),
        (Op::Celu, &[1000.0, 1.0], &[1.0, 0.0]),
        (Op::Elu, &[-1000.0, 1.0], &[0.0, -1.0]),
        (Op::LeakyRelu, &[0.0, 0.5], &[1.0, 0.0]),
        (Op::Sigmoid, &[-1000.0], &[0.0]),
        (Op::Tanh, &[1000.0], &[0.0]),
        (Op::Hypot, &[3.0, 4.0], &[0.6, 0.8]),
        (Op::Copysign, &[-3.0, 2.0], &[-1.0, 0.0]),
        (Op::Divide, &[1.0, f64::INFINITY], &[0.0, 0.0]),
        (Op::Remainder, &[-7.0, 3.0], &[1.0, 3.0]),
        (Op::RemainderTowardZero, &[-7.0, 3.0], &[1.0, 2.0]),
        (Op::Floor, &[0.5], &[0.0]),
        (Op::HardSigmoid, &[10.0, 0.2, 0.5], &[0.0, 0.0, 0.0]),
    ] {
        let (_, found) = backwards(op, point);
        for (found, expected) in found.iter().zip(expected) {
            let same = (found - expected).abs() < 1e-12 || found.is_nan() && expected.is_nan();
            assert!(same, "{op}{point:?}: {found} instead of {expected}");
        }
    }
}

/// Far from 0, where squares on the way would be too great or too small, and at the ends.
#[test]
fn far_away() {
    let inf = f64::INFINITY;
    for (op, point, expected) in [
        (Op::Asinh, &[1e200][..], &[1e-200][..]),
        (Op::Asinh, &[-1e200], &[1e-200]),
        (Op::Asinh, &[inf], &[0.0]),
        (Op::Acosh, &[1e200], &[1e-200]),
        (Op::Acosh, &[1.0], &[inf]),
        (Op::Acosh, &[inf], &[0.0]),
        (Op::Acosh, &[-3.0], &[f64::NAN]),
        (Op::Atan, &[1e155], &[1e-310]),
        (Op::Atan, &[inf], &[0.0]),
        (Op::Atan2, &[1e200, 1e200], &[5e-201, -5e-201]),
        (Op::Atan2, &[3e-200, 4e-200], &[1.6e199, -1.2e199]),
        (Op::Atan2, &[0.0, -2.0], &[-0.5, 0.0]),
    ] {
        let (_, found) = backwards(op, point);
        for (found, expected) in found.iter().zip(expected) {
            let near = (found - expected).abs() <= 1e-12 * expected.abs();
            let same = near || found == expected || found.is_nan() && expected.is_nan();
            assert!(same, "{op}{point:?}: {found} instead of {expected}");
        }
    }
}

/// Numbers at which steps on the way are too great or too small for a type, beside others that are not.
fn far_points(dtype: DType, op: Op) -> Vec<Vec<f64>> {
    let sizes: &[f64] = if dtype == DType::F16 { &[1e-4, 300.0] } else { &[1e-4, 300.0, 1e20] };
    let far = sizes.iter().flat_map(|&size| [size, -size]);
    let mut all: Vec<Vec<f64>> = far.clone().map(|x| vec![x; op.arity()]).collect();
    if op.arity() > 1 {
        for place in 0..op.arity() {
            all.extend(far.clone().map(|x| {
                let mut point = [0.58, 2.21, 1.14][..op.arity()].to_vec();
                point[place] = x;
                point
            }));
        }
    }
    all.into_iter().map(|point| point.into_iter().map(|x| rounded(dtype, x)).collect()).collect()
}

/// In short types too the gradient is that of f64 at the same point, as far as the type holds it.
#[test]
fn in_short_types() {
    let mut wrong = String::new();
    for (dtype, epsilon, least) in
        [(DType::F16, 2f64.powi(-10), 2f64.powi(-24)), (DType::F32, 2f64.powi(-23), 2f64.powi(-149))]
    {
        for &op in Op::ALL {
            if op.result(DType::F64) != Some(DType::F64) || op == Op::Where {
                continue;
            }
            for point in far_points(dtype, op) {
                let (y, expected) = backwards(op, &point);
                if !rounded(dtype, y).is_finite() {
                    continue;
                }
                let (_, found) = backwards_in(dtype, op, &point);
                for (k, (found, exact)) in found.into_iter().zip(expected).enumerate() {
                    let expected = rounded(dtype, exact);
                    let least_size = if DIFFERENCES.contains(&op) { 1.0 } else { 0.0 };
                    let size = (32.0 * expected.abs()).max(least_size);
                    let near = (found - expected).abs() <= epsilon * size + 4.0 * least;
                    if expected.is_finite() && !near {
                        wrong +=
                            &format!("\n{dtype} {op}{point:?}, argument {k}: {found} instead of {expected}");
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A gradient that is infinite or NaN does not leak into the branch that was not chosen.
#[test]
fn of_a_choice() {
    let mut plain = Plain { dtype: DType::F64, nodes: Vec::new() };
    let arguments = [Cell::Truth(true), Cell::Float(1.0), Cell::Float(2.0)].map(|cell| plain.leaf(cell));
    let result = plain.apply(Op::Where, &arguments);
    let d = plain.number(f64::INFINITY);
    let gradient = Op::Where.record().gradient.unwrap();
    let found = gradient(&mut plain, &arguments, result, d);
    let found: Vec<Option<f64>> = found.iter().map(|d| d.map(|d| float(plain.cell(d)))).collect();
    assert_eq!(found, [None, Some(f64::INFINITY), Some(0.0)]);
}

/// What has no gradient gives truth values or integers, is a formula, or is constant between its steps.
#[test]
fn those_without() {
    let without = |op: &&Op| {
        let record = op.record();
        let formula = matches!(record.body, Body::Formula(_));
        record.gradient.is_none()
            && !formula
            && record.result != ResultType::Truth
            && op.result(DType::F64).is_some()
    };
    let names: Vec<&str> = Op::ALL.iter().filter(without).map(|op| op.record().name).collect();
    assert_eq!(
        names,
        [
            "floor_divide",
            "sign",
            "sign_keeping_zero",
            "nextafter",
            "floor",
            "ceil",
            "trunc",
            "round",
            "round_away",
            "imag"
        ],
    );
    assert!(Op::Floor.record().laws.contains(&Law::Idempotent));
}
