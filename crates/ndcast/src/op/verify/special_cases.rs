//! The special cases of the Array API, and some of its neighbours: zeros, infinities, what is no number.
//!
//! Every case is computed in both precisions. Of complex functions each case stands for those that follow from its
//! symmetries, and those of the hyperbolic functions for the trigonometric ones, as the standard has it.

use std::f64::consts::PI;

use super::super::Op;
use super::{Cell, agree, compute, number, rounded, tolerance};
use crate::dtype::DType;

/// An operation, and its cases.
const REAL: &str = "
abs: nan -> nan; -0 -> 0; 0 -> 0; -inf -> inf; inf -> inf; -2.5 -> 2.5
acos: nan -> nan; 1.5 -> nan; -1.5 -> nan; 1 -> 0; -1 -> pi; 0 -> pi/2; inf -> nan
acosh: nan -> nan; 0.5 -> nan; -2 -> nan; 1 -> 0; inf -> inf; -inf -> nan
add: nan, 1 -> nan; 1, nan -> nan; inf, -inf -> nan; -inf, inf -> nan; inf, inf -> inf; -inf, -inf -> -inf
add: inf, 1 -> inf; -inf, 1 -> -inf; 1, inf -> inf; 1, -inf -> -inf; -0, -0 -> -0; -0, 0 -> 0; 0, -0 -> 0; 0, 0 -> 0
add: 0, 2 -> 2; -0, 2 -> 2; 2, -0 -> 2; 2, -2 -> 0; -2, 2 -> 0
asin: nan -> nan; 1.5 -> nan; -1.5 -> nan; 0 -> 0; -0 -> -0; 1 -> pi/2; -1 -> -pi/2
asinh: nan -> nan; 0 -> 0; -0 -> -0; inf -> inf; -inf -> -inf
atan: nan -> nan; 0 -> 0; -0 -> -0; inf -> pi/2; -inf -> -pi/2; 1 -> pi/4
atan2: nan, 1 -> nan; 1, nan -> nan; 1, 0 -> pi/2; 1, -0 -> pi/2; 0, 1 -> 0; 0, 0 -> 0; 0, -0 -> pi; 0, -1 -> pi
atan2: -0, 1 -> -0; -0, 0 -> -0; -0, -0 -> -pi; -0, -1 -> -pi; -1, 0 -> -pi/2; -1, -0 -> -pi/2
atan2: 1, inf -> 0; 1, -inf -> pi; -1, inf -> -0; -1, -inf -> -pi; inf, 1 -> pi/2; -inf, 1 -> -pi/2
atan2: inf, inf -> pi/4; inf, -inf -> 3pi/4; -inf, inf -> -pi/4; -inf, -inf -> -3pi/4
atanh: nan -> nan; -1.5 -> nan; 1.5 -> nan; -1 -> -inf; 1 -> inf; 0 -> 0; -0 -> -0
cbrt: nan -> nan; 0 -> 0; -0 -> -0; inf -> inf; -inf -> -inf; -8 -> -2
ceil: 3 -> 3; inf -> inf; -inf -> -inf; 0 -> 0; -0 -> -0; nan -> nan; 0.5 -> 1; -0.5 -> -0; -1.5 -> -1
clip: nan, 0, 1 -> nan; 0.5, nan, 1 -> nan; 0.5, 0, nan -> nan; inf, 0, 1 -> 1; -inf, 0, 1 -> 0; 0.5, 0, 1 -> 0.5
clip: 0.5, -inf, inf -> 0.5; -inf, -inf, inf -> -inf; 5, 7, 3 -> 3; inf, -inf, inf -> inf
copysign: 3, -1 -> -3; 3, -0 -> -3; -3, 0 -> 3; -3, 1 -> 3; 0, -1 -> -0; -0, 1 -> 0; inf, -1 -> -inf; -inf, 0 -> inf
copysign: 3, nan -> 3; -3, nan -> 3; nan, -1 -> nan
cos: nan -> nan; 0 -> 1; -0 -> 1; inf -> nan; -inf -> nan
cosh: nan -> nan; 0 -> 1; -0 -> 1; inf -> inf; -inf -> inf
divide: nan, 1 -> nan; 1, nan -> nan; inf, inf -> nan; inf, -inf -> nan; 0, 0 -> nan; -0, 0 -> nan
divide: 0, 2 -> 0; -0, 2 -> -0; 0, -2 -> -0; -0, -2 -> 0; 2, 0 -> inf; 2, -0 -> -inf; -2, 0 -> -inf; -2, -0 -> inf
divide: inf, 2 -> inf; inf, -2 -> -inf; -inf, 2 -> -inf; -inf, -2 -> inf; 2, inf -> 0; 2, -inf -> -0; -2, inf -> -0
divide: -2, -inf -> 0; inf, 0 -> inf; -inf, 0 -> -inf; 0, inf -> 0; 7, 2 -> 3.5; -7, 2 -> -3.5
exp: nan -> nan; 0 -> 1; -0 -> 1; inf -> inf; -inf -> 0; 1000 -> inf; -1000 -> 0
expm1: nan -> nan; 0 -> 0; -0 -> -0; inf -> inf; -inf -> -1
floor: 3 -> 3; inf -> inf; -inf -> -inf; 0 -> 0; -0 -> -0; nan -> nan; 0.5 -> 0; -0.5 -> -1; -1.5 -> -2
floor_divide: nan, 1 -> nan; 1, nan -> nan; inf, inf -> nan; inf, -inf -> nan; -inf, -inf -> nan; 0, 0 -> nan; -0, -0 -> nan
floor_divide: 0, 2 -> 0; -0, 2 -> -0; 0, -2 -> -0; -0, -2 -> 0; 2, 0 -> inf; 2, -0 -> -inf; -2, 0 -> -inf; -2, -0 -> inf
floor_divide: inf, 2 -> inf; inf, -2 -> -inf; -inf, 2 -> -inf; -inf, -2 -> inf; 2, inf -> 0; -2, -inf -> 0
floor_divide: 2, -inf -> -0; -2, inf -> -0; 0, inf -> 0; 0, -inf -> -0; -0, inf -> -0; inf, 0 -> inf; inf, -0 -> -inf
floor_divide: 7, 2 -> 3; -7, 2 -> -4; 7, -2 -> -4; -7, -2 -> 3; 1, 3 -> 0; -1, 3 -> -1; 1, 0.1 -> 9; -1, -0.1 -> 9
floor_divide: 6, 3 -> 2; -6, 3 -> -2; 0.5, 0.25 -> 2; 1e-30, 1e30 -> 0; -1e-30, 1e30 -> -1
hypot: inf, nan -> inf; nan, -inf -> inf; inf, 1 -> inf; -inf, -inf -> inf; 0, -2 -> 2; -2, -0 -> 2; 0, 0 -> 0
hypot: -0, -0 -> 0; 1, nan -> nan; nan, 1 -> nan; nan, nan -> nan; nan, 0 -> nan; 3, 4 -> 5; 3e30, 4e30 -> 5e30
log: nan -> nan; -1 -> nan; 0 -> -inf; -0 -> -inf; 1 -> 0; inf -> inf; -inf -> nan
log10: nan -> nan; -1 -> nan; 0 -> -inf; -0 -> -inf; 1 -> 0; inf -> inf; 100 -> 2
log1p: nan -> nan; -2 -> nan; -1 -> -inf; -0 -> -0; 0 -> 0; inf -> inf
log2: nan -> nan; -1 -> nan; 0 -> -inf; -0 -> -inf; 1 -> 0; inf -> inf; 0.5 -> -1
logaddexp: nan, 1 -> nan; 1, nan -> nan; inf, nan -> nan; inf, 1 -> inf; 1, inf -> inf; inf, inf -> inf; inf, -inf -> inf
logaddexp: -inf, 1 -> 1; 1, -inf -> 1; -inf, -inf -> -inf; 1000, -1000 -> 1000
maximum: nan, 1 -> nan; 1, nan -> nan; nan, nan -> nan; inf, -inf -> inf; -0, 0 -> 0; 0, -0 -> 0; -0, -0 -> -0
maximum: inf, nan -> nan; nan, inf -> nan; -1, 1 -> 1; -inf, 1 -> 1
minimum: nan, 1 -> nan; 1, nan -> nan; nan, nan -> nan; inf, -inf -> -inf; -0, 0 -> -0; 0, -0 -> -0; 0, 0 -> 0
minimum: -inf, nan -> nan; nan, -inf -> nan; -1, 1 -> -1; inf, 1 -> 1
multiply: nan, 1 -> nan; 1, nan -> nan; inf, 0 -> nan; -inf, 0 -> nan; 0, -inf -> nan; -0, inf -> nan; inf, inf -> inf
multiply: inf, -inf -> -inf; -inf, -inf -> inf; inf, 2 -> inf; inf, -2 -> -inf; -2, inf -> -inf; 0, -2 -> -0; -0, -2 -> 0
negative: 0 -> -0; -0 -> 0; inf -> -inf; nan -> nan
nextafter: nan, 1 -> nan; 1, nan -> nan; -0, 0 -> 0; 0, -0 -> -0; 2, 2 -> 2; inf, inf -> inf
positive: 0 -> 0; -0 -> -0; nan -> nan; -inf -> -inf
pow: 2, nan -> nan; nan, 0 -> 1; nan, -0 -> 1; nan, 2 -> nan; inf, 0 -> 1; 0, 0 -> 1; 1, nan -> 1
pow: 2, inf -> inf; -2, inf -> inf; 2, -inf -> 0; -2, -inf -> 0; 1, inf -> 1; -1, inf -> 1; 1, -inf -> 1; -1, -inf -> 1
pow: 0.5, inf -> 0; -0.5, inf -> 0; 0.5, -inf -> inf; -0.5, -inf -> inf; 0, inf -> 0; 0, -inf -> inf; -0, inf -> 0
pow: inf, 2 -> inf; inf, 0.5 -> inf; inf, -2 -> 0; -inf, 3 -> -inf; -inf, 2 -> inf; -inf, 0.5 -> inf; -inf, -3 -> -0
pow: -inf, -2 -> 0; -inf, -0.5 -> 0; inf, inf -> inf; inf, -inf -> 0; -inf, inf -> inf; -inf, -inf -> 0
pow: 0, 2 -> 0; 0, 0.5 -> 0; 0, -2 -> inf; 0, -3 -> inf; -0, 3 -> -0; -0, 2 -> 0; -0, 0.5 -> 0; -0, -3 -> -inf
pow: -0, -2 -> inf; -0, -0.5 -> inf; -2, 0.5 -> nan; -2, -1.5 -> nan; -2, 3 -> -8; -2, 2 -> 4; -1, 3 -> -1
reciprocal: nan -> nan; 0 -> inf; -0 -> -inf; inf -> 0; -inf -> -0; 4 -> 0.25
remainder: nan, 1 -> nan; 1, nan -> nan; inf, inf -> nan; -inf, inf -> nan; 0, 0 -> nan; -0, 0 -> nan; 0, -0 -> nan
remainder: 0, 2 -> 0; -0, 2 -> 0; 0, -2 -> -0; -0, -2 -> -0; 2, 0 -> nan; 2, -0 -> nan; -2, 0 -> nan; -2, -0 -> nan
remainder: inf, 2 -> nan; inf, -2 -> nan; -inf, 2 -> nan; -inf, -2 -> nan; 2, inf -> 2; 2, -inf -> -inf; -2, inf -> inf
remainder: -2, -inf -> -2; 7, 3 -> 1; -7, 3 -> 2; 7, -3 -> -2; -7, -3 -> -1; 6, 3 -> 0; -6, 3 -> 0; 6, -3 -> -0; -6, -3 -> -0
remainder: 0, inf -> 0; 0, -inf -> -0; -0, inf -> 0
remainder_toward_zero: 7, 3 -> 1; -7, 3 -> -1; 7, -3 -> 1; -7, -3 -> -1; -6, 3 -> -0; -0, 3 -> -0; 0, -3 -> 0
remainder_toward_zero: 2, inf -> 2; -2, inf -> -2; 2, -inf -> 2; inf, 2 -> nan; 2, 0 -> nan; nan, 2 -> nan; 2, nan -> nan
round: 3 -> 3; inf -> inf; -inf -> -inf; 0 -> 0; -0 -> -0; nan -> nan; 0.5 -> 0; 1.5 -> 2; 2.5 -> 2; -0.5 -> -0; -1.5 -> -2
round: 0.25 -> 0; -0.25 -> -0; 0.75 -> 1; 8388609 -> 8388609; 4194303.5 -> 4194304
round_away: 0.5 -> 1; 1.5 -> 2; 2.5 -> 3; -0.5 -> -1; -2.5 -> -3; -0 -> -0; nan -> nan; inf -> inf; 0.25 -> 0
rsqrt: nan -> nan; 0 -> inf; -0 -> -inf; inf -> 0; -1 -> nan; 4 -> 0.5
sigmoid: nan -> nan; 0 -> 0.5; -0 -> 0.5; inf -> 1; -inf -> 0; 1000 -> 1; -1000 -> 0
sign: 2 -> 1; -2 -> -1; nan -> nan; 0 -> 0; -0 -> 0; inf -> 1; -inf -> -1; 1e-30 -> 1
sign_keeping_zero: 2 -> 1; nan -> nan; 0 -> 0; -0 -> -0; -inf -> -1
sin: nan -> nan; 0 -> 0; -0 -> -0; inf -> nan; -inf -> nan
sinh: nan -> nan; 0 -> 0; -0 -> -0; inf -> inf; -inf -> -inf
sqrt: nan -> nan; -1 -> nan; 0 -> 0; -0 -> -0; inf -> inf; -inf -> nan; 4 -> 2
square: nan -> nan; -inf -> inf; -0 -> 0; -3 -> 9
subtract: nan, 1 -> nan; inf, inf -> nan; -inf, -inf -> nan; inf, -inf -> inf; 0, 0 -> 0; 0, -0 -> 0; -0, 0 -> -0; -0, -0 -> 0
subtract: 2, 2 -> 0; 1, inf -> -inf
tan: nan -> nan; 0 -> 0; -0 -> -0; inf -> nan; -inf -> nan
tanh: nan -> nan; 0 -> 0; -0 -> -0; inf -> 1; -inf -> -1; 1000 -> 1
trunc: 3 -> 3; inf -> inf; -inf -> -inf; 0 -> 0; -0 -> -0; nan -> nan; 0.5 -> 0; -0.5 -> -0; -1.5 -> -1
erf: nan -> nan; 0 -> 0; -0 -> -0; inf -> 1; -inf -> -1
erfc: nan -> nan; 0 -> 1; -0 -> 1; inf -> 0; -inf -> 2
erf_inv: nan -> nan; 0 -> 0; -0 -> -0; 1 -> inf; -1 -> -inf; 1.5 -> nan; -1.5 -> nan
lgamma: nan -> nan; 1 -> 0; 2 -> 0; 0 -> inf; -0 -> inf; -1 -> inf; inf -> inf; -inf -> inf
bessel_i1e: nan -> nan; 0 -> 0; -0 -> -0; inf -> 0; -inf -> -0
bessel_i0e: nan -> nan; 0 -> 1; -0 -> 1; inf -> 0; -inf -> 0
relu: nan -> nan; -0 -> -0; 0 -> 0; inf -> inf; -inf -> 0
elu: nan, 1 -> nan; inf, 1 -> inf; -inf, 1 -> -1; -0, 1 -> -0
gelu: nan -> nan; 0 -> 0; inf -> inf
softplus: nan -> nan; inf -> inf; -inf -> 0; 1000 -> 1000; -1000 -> 0
hsigmoid: nan -> nan; inf -> 1; -inf -> 0; 3 -> 1; -3 -> 0
";

/// An operation and its cases: the parts of the argument, and of the result, of which `±` leaves a sign open.
const COMPLEX: &str = "
acos: 0 0 -> pi/2 -0; -0 0 -> pi/2 -0; 0 nan -> pi/2 nan; -0 nan -> pi/2 nan; 2 inf -> pi/2 -inf; 2 nan -> nan nan
acos: -inf 2 -> pi -inf; inf 2 -> 0 -inf; -inf inf -> 3pi/4 -inf; inf inf -> pi/4 -inf; inf nan -> nan ±inf
acos: -inf nan -> nan ±inf; nan 2 -> nan nan; nan inf -> nan -inf; nan nan -> nan nan
acosh: 0 0 -> 0 pi/2; -0 0 -> 0 pi/2; 2 inf -> inf pi/2; 2 nan -> nan nan; 0 nan -> nan ±pi/2; -inf 2 -> inf pi
acosh: inf 2 -> inf 0; -inf inf -> inf 3pi/4; inf inf -> inf pi/4; inf nan -> inf nan; -inf nan -> inf nan
acosh: nan 2 -> nan nan; nan inf -> inf nan; nan nan -> nan nan
asinh: 0 0 -> 0 0; 2 inf -> inf pi/2; 2 nan -> nan nan; inf 2 -> inf 0; inf inf -> inf pi/4; nan 0 -> nan 0
asinh: nan 2 -> nan nan; nan inf -> ±inf nan; nan nan -> nan nan
atanh: 0 0 -> 0 0; 0 nan -> 0 nan; 1 0 -> inf 0; 2 inf -> 0 pi/2; 2 nan -> nan nan; inf 2 -> 0 pi/2
atanh: inf inf -> 0 pi/2; inf nan -> 0 nan; nan 2 -> nan nan; nan 1e30 -> nan nan; nan inf -> ±0 pi/2; nan nan -> nan nan
cosh: 0 0 -> 1 0; 0 inf -> nan ±0; 0 nan -> nan ±0; 2 inf -> nan nan; 2 nan -> nan nan; inf 0 -> inf 0
cosh: inf 1 -> inf inf; inf 2 -> -inf inf; inf inf -> ±inf nan; inf nan -> inf nan; nan 0 -> nan ±0; nan -0 -> nan ±0
cosh: nan 2 -> nan nan; nan nan -> nan nan
exp: 0 0 -> 1 0; -0 0 -> 1 0; 2 inf -> nan nan; 2 nan -> nan nan; inf 0 -> inf 0; -inf 1 -> 0 0; -inf 2 -> -0 0
exp: inf 1 -> inf inf; inf 2 -> -inf inf; -inf inf -> ±0 ±0; inf inf -> ±inf nan; -inf nan -> ±0 ±0; inf nan -> ±inf nan
exp: nan 0 -> nan 0; nan 2 -> nan nan; nan nan -> nan nan; 1000 0 -> inf 0; -1000 2 -> -0 0
expm1: 0 0 -> 0 0; 2 inf -> nan nan; 2 nan -> nan nan; inf 0 -> inf 0; -inf 1 -> -1 0; -inf 2 -> -1 0
expm1: inf 1 -> inf inf; inf 2 -> -inf inf; -inf inf -> -1 ±0; inf inf -> ±inf nan; -inf nan -> -1 ±0; inf nan -> ±inf nan
expm1: nan 0 -> nan 0; nan 2 -> nan nan; nan nan -> nan nan
log: -0 0 -> -inf pi; 0 0 -> -inf 0; 2 inf -> inf pi/2; 2 nan -> nan nan; -inf 2 -> inf pi; inf 2 -> inf 0
log: -inf inf -> inf 3pi/4; inf inf -> inf pi/4; inf nan -> inf nan; -inf nan -> inf nan; nan 2 -> nan nan
log: nan inf -> inf nan; nan nan -> nan nan; -1 0 -> 0 pi; 0 1 -> 0 pi/2
log1p: -1 0 -> -inf 0; 2 inf -> inf pi/2; 2 nan -> nan nan; -inf 2 -> inf pi; inf 2 -> inf 0; -inf inf -> inf 3pi/4
log1p: inf inf -> inf pi/4; inf nan -> inf nan; -inf nan -> inf nan; nan 2 -> nan nan; nan inf -> inf nan; nan nan -> nan nan
sinh: 0 0 -> 0 0; 0 inf -> ±0 nan; 0 nan -> ±0 nan; 2 inf -> nan nan; 2 nan -> nan nan; inf 0 -> inf 0; inf 1 -> inf inf
sinh: inf 2 -> -inf inf; inf inf -> ±inf nan; inf nan -> ±inf nan; nan 0 -> nan 0; nan 2 -> nan nan; nan nan -> nan nan
sqrt: 0 0 -> 0 0; -0 0 -> 0 0; 2 inf -> inf inf; nan inf -> inf inf; inf inf -> inf inf; -inf inf -> inf inf
sqrt: 2 nan -> nan nan; -inf 2 -> 0 inf; inf 2 -> inf 0; -inf nan -> nan ±inf; inf nan -> inf nan; nan 2 -> nan nan
sqrt: nan nan -> nan nan; -4 0 -> 0 2
tanh: 0 0 -> 0 0; 2 inf -> nan nan; 0 inf -> 0 nan; 2 nan -> nan nan; 0 nan -> 0 nan; inf 2 -> 1 0; inf 1 -> 1 0
tanh: inf inf -> 1 ±0; inf nan -> 1 ±0; nan 0 -> nan 0; nan 2 -> nan nan; nan nan -> nan nan
sign: 0 0 -> 0 0; -0 -0 -> ±0 ±0; nan 0 -> nan nan; 0 nan -> nan nan; nan inf -> nan nan; 0 -2 -> 0 -1
negative: 0 -1 -> -0 1; nan inf -> nan -inf
conj: 0 0 -> 0 -0; 1 nan -> 1 nan; inf -inf -> inf inf
";

/// Complex numbers to real ones.
const MAGNITUDES: &str = "
abs: inf nan -> inf; nan -inf -> inf; -inf 1 -> inf; 1 inf -> inf; 0 -2 -> 2; -2 0 -> 2; nan 1 -> nan; 1 nan -> nan
abs: nan nan -> nan; -0 -0 -> 0; 3 4 -> 5
real: nan 1 -> nan; -0 1 -> -0
imag: 1 nan -> nan; 1 -0 -> -0
";

/// Each operation with the text of one of its cases: the arguments and the result.
fn cases(table: &str) -> impl Iterator<Item = (Op, &str, &str)> {
    table.lines().filter(|line| !line.is_empty()).flat_map(|line| {
        let (name, cases) = line.split_once(": ").unwrap();
        let op = Op::named(name).unwrap_or_else(|| panic!("there is no {name}"));
        cases.split("; ").map(move |case| case.split_once(" -> ").unwrap()).map(move |(x, y)| (op, x, y))
    })
}

/// A number, or a multiple of pi such as `-3pi/4`.
fn real(text: &str) -> f64 {
    let Some((times, over)) = text.split_once("pi") else { return text.parse().unwrap() };
    let times = match times {
        "" => 1.0,
        "-" => -1.0,
        times => times.parse().unwrap(),
    };
    times * PI / over.strip_prefix('/').map_or(1.0, |over| over.parse().unwrap())
}

#[test]
fn of_real_numbers() {
    for (op, arguments, result) in cases(REAL) {
        for dtype in [DType::F32, DType::F64] {
            let cells: Vec<Cell> = arguments.split(", ").map(|text| number(dtype, real(text))).collect();
            let (found, expected) = (compute(op, dtype, &cells), number(dtype, real(result)));
            let same = agree(dtype, found, expected, tolerance(op, dtype));
            assert!(same, "{op} {dtype}: {arguments} -> {result}: is {found:?}");
        }
    }
}

/// A part of a result, of which the sign may be open.
#[derive(Clone, Copy, Debug)]
struct Part {
    value: f64,
    sign: Sign,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sign {
    Given,
    Open,
}

impl Part {
    fn read(text: &str) -> Part {
        match text.strip_prefix('±') {
            Some(text) => Part { value: real(text), sign: Sign::Open },
            None => Part { value: real(text), sign: Sign::Given },
        }
    }

    fn negated(self) -> Part {
        Part { value: -self.value, ..self }
    }

    fn agrees(self, dtype: DType, found: f64) -> bool {
        let found = if self.sign == Sign::Open { found.abs().copysign(self.value) } else { found };
        agree(dtype.part(), Cell::Float(found), Cell::Float(rounded(dtype, self.value)), 16.0)
    }
}

type Case = (Op, [f64; 2], [Part; 2]);

/// The case, the conjugate of it, and those with the other sign; and for hyperbolic functions the trigonometric ones,
/// since `sin(z)` is `-i sinh(iz)`.
fn with_symmetries((op, [re, im], [y_re, y_im]): Case) -> Vec<Case> {
    let mut all = vec![(op, [re, im], [y_re, y_im]), (op, [re, -im], [y_re, y_im.negated()])];
    for (op, [re, im], [y_re, y_im]) in all.clone() {
        match op {
            Op::Sinh | Op::Tanh | Op::Asinh | Op::Atanh => {
                all.push((op, [-re, -im], [y_re.negated(), y_im.negated()]));
            }
            Op::Cosh => all.push((op, [-re, -im], [y_re, y_im])),
            _ => {}
        }
    }
    for (op, [re, im], [y_re, y_im]) in all.clone() {
        let turned = |op: Op| (op, [im, -re], [y_im, y_re.negated()]);
        all.extend(match op {
            Op::Sinh => Some(turned(Op::Sin)),
            Op::Tanh => Some(turned(Op::Tan)),
            Op::Asinh => Some(turned(Op::Asin)),
            Op::Atanh => Some(turned(Op::Atan)),
            Op::Cosh => Some((Op::Cos, [im, -re], [y_re, y_im])),
            _ => None,
        });
    }
    all
}

/// The two parts of a complex number.
fn parts(text: &str) -> [&str; 2] {
    text.split_once(' ').unwrap().into()
}

#[test]
fn of_complex_numbers() {
    let all = cases(COMPLEX).flat_map(|(op, x, y)| match op {
        Op::Negative | Op::Sign => vec![(op, parts(x).map(real), parts(y).map(Part::read))],
        _ => with_symmetries((op, parts(x).map(real), parts(y).map(Part::read))),
    });
    let mut wrong = Vec::new();
    for (op, [re, im], [y_re, y_im]) in all {
        for dtype in [DType::C64, DType::C128] {
            let Cell::Complex(a, b) = compute(op, dtype, &[Cell::Complex(re, im)]) else { panic!("{op}") };
            if !(y_re.agrees(dtype, a) && y_im.agrees(dtype, b)) {
                let (y_re, y_im) = (y_re.value, y_im.value);
                wrong.push(format!("{op} {dtype}: {re} {im} -> {y_re} {y_im}: is {a} {b}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn magnitudes() {
    for (op, x, y) in cases(MAGNITUDES) {
        let [re, im] = parts(x).map(real);
        for dtype in [DType::C64, DType::C128] {
            let found = compute(op, dtype, &[Cell::Complex(re, im)]);
            let same = agree(dtype.part(), found, number(dtype.part(), real(y)), 4.0);
            assert!(same, "{op} {dtype}: {x} -> {y}: is {found:?}");
        }
    }
}

/// A floor and what it leaves belong together, and the rest is below the divisor and on its side.
#[test]
fn quotient_and_rest() {
    let numbers = [7.0, -7.0, 1.0, 0.1, -0.3, 1e10, 123.456, -0.7, 3.0, 1e-5];
    for dtype in [DType::F32, DType::F64] {
        for (a, b) in numbers.iter().flat_map(|a| numbers.map(|b| (rounded(dtype, *a), rounded(dtype, b)))) {
            let of = |op: Op| match compute(op, dtype, &[Cell::Float(a), Cell::Float(b)]) {
                Cell::Float(x) => x,
                other => panic!("{other:?}"),
            };
            let (quotient, rest) = (of(Op::FloorDivide), of(Op::Remainder));
            assert!(
                quotient == quotient.floor() && rest.abs() <= b.abs(),
                "{dtype} {a} {b}: {quotient} {rest}"
            );
            assert!(rest == 0.0 || (rest < 0.0) == (b < 0.0), "{dtype} {a} {b}: {rest}");
            let epsilon = if dtype == DType::F32 { f64::from(f32::EPSILON) } else { f64::EPSILON };
            let error = (quotient.mul_add(b, rest) - a).abs();
            assert!(error <= 2.0 * epsilon * (a.abs() + b.abs()), "{dtype} {a} {b}: {quotient} {rest}");
        }
    }
    for dtype in DType::all().filter(|dtype| dtype.is_integer()) {
        if !dtype.computes() {
            continue;
        }
        let samples = super::samples(dtype);
        for (a, b) in samples.iter().flat_map(|a| samples.iter().map(move |b| (*a, *b))) {
            let (Cell::Integer(dividend), Cell::Integer(divisor)) = (a, b) else { panic!("{a:?} {b:?}") };
            if divisor == 0 || divisor == -1 {
                continue;
            }
            let floor =
                dividend.div_euclid(divisor) - i128::from(divisor < 0 && dividend.rem_euclid(divisor) != 0);
            let rest = dividend - floor * divisor;
            assert_eq!(compute(Op::FloorDivide, dtype, &[a, b]), Cell::Integer(floor), "{dtype} {a:?} {b:?}");
            assert_eq!(compute(Op::Remainder, dtype, &[a, b]), Cell::Integer(rest), "{dtype} {a:?} {b:?}");
        }
    }
}
