//! How far the functions of complex numbers are from the truth, and what they are at infinities, NaN and signed zeros.
//!
//! The values are in `reference.txt`, which tools/accuracy/reference.py made with mpmath and numpy.

use num_complex::Complex;

use super::complex::rounded;
use super::{ComplexMath, of_one};
use crate::simd::{Baseline, Isa};

type C = Complex<f64>;

/// A name, the function, and what each component may err in units of its last place.
type Row = (&'static str, fn(C) -> C, f64);

const UNARY: [Row; 19] = [
    ("exp", |z| of_one(z, C::exp_each::<Baseline>), 3.0),
    ("expm1", |z| of_one(z, C::expm1_each::<Baseline>), 5.0),
    ("log", |z| of_one(z, C::log_each::<Baseline>), 3.0),
    ("log1p", |z| of_one(z, C::log1p_each::<Baseline>), 3.0),
    ("log2", |z| of_one(z, C::log2_each::<Baseline>), 3.0),
    ("log10", |z| of_one(z, C::log10_each::<Baseline>), 3.0),
    ("sqrt", |z| of_one(z, C::sqrt_each::<Baseline>), 3.0),
    ("sin", |z| of_one(z, C::sin_each::<Baseline>), 3.0),
    ("cos", |z| of_one(z, C::cos_each::<Baseline>), 3.0),
    ("tan", |z| of_one(z, C::tan_each::<Baseline>), 5.0),
    ("asin", |z| of_one(z, C::asin_each::<Baseline>), 5.0),
    ("acos", |z| of_one(z, C::acos_each::<Baseline>), 5.0),
    ("atan", |z| of_one(z, C::atan_each::<Baseline>), 5.0),
    ("sinh", |z| of_one(z, C::sinh_each::<Baseline>), 3.0),
    ("cosh", |z| of_one(z, C::cosh_each::<Baseline>), 3.0),
    ("tanh", |z| of_one(z, C::tanh_each::<Baseline>), 5.0),
    ("asinh", |z| of_one(z, C::asinh_each::<Baseline>), 5.0),
    ("acosh", |z| of_one(z, C::acosh_each::<Baseline>), 5.0),
    ("atanh", |z| of_one(z, C::atanh_each::<Baseline>), 5.0),
];

/// The lines of a part of the table, as floats.
fn lines(name: &str) -> Vec<Vec<f64>> {
    let text = include_str!("reference.txt");
    let start = format!("= {name}\n");
    let begin = text.find(&start).expect("in the table") + start.len();
    let body = &text[begin..];
    let body = &body[..body.find('=').unwrap_or(body.len())];
    let float = |word: &str| f64::from_bits(u64::from_str_radix(word, 16).unwrap());
    body.lines().map(|line| line.split(' ').map(float).collect()).collect()
}

/// The distance in units of the last place of the exact one.
fn ulps(got: f64, exact: f64) -> f64 {
    if got == exact || (got.is_nan() && exact.is_nan()) {
        return 0.0;
    }
    let next = f64::from_bits(exact.abs().to_bits() + 1) - exact.abs();
    (got - exact).abs() / next
}

fn worst(name: &str, allowed: f64, values: impl Iterator<Item = (String, C, C)>) -> Vec<String> {
    let far = |(place, got, exact): (String, C, C)| {
        let error = ulps(got.re, exact.re).max(ulps(got.im, exact.im));
        (error, format!("{name} {place}: {error:.2}, {got} not {exact}"))
    };
    values.map(far).filter(|(error, _)| error.is_nan() || *error > allowed).map(|(_, text)| text).collect()
}

#[test]
fn components_are_within_their_bounds() {
    let mut wrong = vec![];
    for (name, function, allowed) in UNARY {
        let values = lines(&format!("c_{name}")).into_iter().map(|line| {
            let z = C::new(line[0], line[1]);
            (format!("{z:e}"), function(z), C::new(line[2], line[3]))
        });
        wrong.extend(worst(name, allowed, values));
    }
    let values = lines("c_div").into_iter().map(|line| {
        let (z, w) = (C::new(line[0], line[1]), C::new(line[2], line[3]));
        (format!("{z:e} {w:e}"), z.div(w), C::new(line[4], line[5]))
    });
    wrong.extend(worst("div", 3.0, values));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The errors of a power are relative to its magnitude: its angle is a product.
#[test]
fn powers_are_right() {
    for line in lines("c_pow") {
        let (z, w, exact) = (C::new(line[0], line[1]), C::new(line[2], line[3]), C::new(line[4], line[5]));
        let got = z.pow(w);
        assert!((got - exact).norm() <= 1e-14 * exact.norm(), "{z}^{w} = {got}, not {exact}");
    }
    assert_eq!(C::new(1.0, 1.0).pow(C::new(2.0, 0.0)), C::new(0.0, 2.0));
    assert_eq!(C::new(0.0, 0.0).pow(C::new(0.0, 0.0)), C::new(1.0, 0.0));
    assert_eq!(C::new(0.0, 0.0).pow(C::new(2.0, 1.0)), C::new(0.0, 0.0));
    assert_eq!(C::new(0.0, 0.0).pow(C::new(-1.0, 0.0)).re, f64::INFINITY);
}

/// Annex G.5.1, and numbers whose squares overflow.
#[test]
fn quotients_of_edges() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let div = |a, b, c, d| C::new(a, b).div(C::new(c, d));
    assert_eq!(div(1.0, 1.0, 0.0, 0.0), C::new(inf, inf));
    assert_eq!(div(inf, nan, 1.0, 1.0).re, inf);
    assert_eq!(div(1.0, 1.0, inf, nan), C::new(0.0, 0.0));
    assert!(div(0.0, 0.0, 0.0, 0.0).re.is_nan() && div(inf, 0.0, inf, 0.0).im.is_nan());
    assert_eq!(div(1e308, 1e308, 1e308, 1e308), C::new(1.0, 0.0));
    assert_eq!(div(5e-324, 0.0, 5e-324, 0.0), C::new(1.0, 0.0));
    let single = |re, im| Complex::<f32>::new(re, im);
    assert_eq!(single(1e38, 1e38).div(single(1e38, -1e38)), single(0.0, 1.0));
}

/// Where a sum of a product is rounded once, whatever instructions that takes.
struct Fused;

impl Isa for Fused {
    const FMA: bool = true;
}

#[test]
fn near_quotients_are_the_quotients() {
    let kinds =
        [0.0, -0.0, 1.0, -1.5, 3e-3, 7e4, 1e-30, -2e30, 1e59, 2e-44, 1e100, 1e-310, f64::INFINITY, f64::NAN];
    let mut state = 1_u64;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mantissa = f64::from_bits((state >> 12) | 1023 << 52);
        let kind = kinds[(state >> 33) as usize % kinds.len()];
        if state & 3 == 0 { kind } else { kind * mantissa }
    };
    let same = |one: f64, other: f64| one.to_bits() == other.to_bits() || one.is_nan() && other.is_nan();
    let mut near = [0, 0];
    for _ in 0..20_000 {
        let (z, w) = (C::new(number(), number()), C::new(number(), number()));
        if !z.is_far_quotient(w) {
            near[0] += 1;
            for level in [z.div_near::<Baseline>(w), z.div_near::<Fused>(w)] {
                let exact = z.div(w);
                assert!(
                    same(level.re, exact.re) && same(level.im, exact.im),
                    "{z} / {w}: {level}, not {exact}"
                );
            }
        }
        let (z, w) = (rounded(z), rounded(w));
        if !z.is_far_quotient(w) {
            near[1] += 1;
            let (quotient, exact) = (z.div_near::<Baseline>(w), z.div(w));
            let same = |one: f32, other: f32| same(one.into(), other.into());
            assert!(
                same(quotient.re, exact.re) && same(quotient.im, exact.im),
                "{z} / {w}: {quotient}, not {exact}"
            );
        }
    }
    assert!(near[0] > 3000 && near[1] > 3000, "{near:?}");
}

/// What the Python Array API standard lists for functions that numpy computes naively.
#[test]
fn edges_of_expm1_and_log1p() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let same = |got: C, re: f64, im: f64| {
        let one = |got: f64, exact: f64| {
            (got.is_nan() && exact.is_nan())
                || (got == exact && got.is_sign_negative() == exact.is_sign_negative())
        };
        assert!(one(got.re, re) && one(got.im, im), "{got}, not {re} {im}");
    };
    let expm1 = |re, im| of_one(C::new(re, im), C::expm1_each::<Baseline>);
    same(expm1(0.0, 0.0), 0.0, 0.0);
    same(expm1(-0.0, -0.0), 0.0, -0.0);
    same(expm1(-0.0, 0.0), 0.0, 0.0);
    same(expm1(1.0, inf), nan, nan);
    same(expm1(1.0, nan), nan, nan);
    same(expm1(inf, 0.0), inf, 0.0);
    same(expm1(-inf, 1.0), -1.0, 0.0);
    same(expm1(inf, 2.0), -inf, inf);
    same(expm1(-inf, inf), -1.0, 0.0);
    same(expm1(inf, inf), inf, nan);
    same(expm1(-inf, nan), -1.0, 0.0);
    same(expm1(inf, nan), inf, nan);
    same(expm1(nan, 0.0), nan, 0.0);
    same(expm1(nan, 1.0), nan, nan);
    let log1p = |re, im| of_one(C::new(re, im), C::log1p_each::<Baseline>);
    same(log1p(-1.0, 0.0), -inf, 0.0);
    same(log1p(0.0, -0.0), 0.0, -0.0);
    same(log1p(1.0, inf), inf, std::f64::consts::FRAC_PI_2);
    same(log1p(1.0, nan), nan, nan);
    same(log1p(-inf, 1.0), inf, std::f64::consts::PI);
    same(log1p(inf, 1.0), inf, 0.0);
    same(log1p(-inf, inf), inf, 3.0 * std::f64::consts::FRAC_PI_4);
    same(log1p(inf, nan), inf, nan);
    same(log1p(nan, 1.0), nan, nan);
    same(log1p(nan, inf), inf, nan);
}

#[test]
fn edges_are_those_of_annex_g() {
    let mut wrong = vec![];
    for (name, function, _) in UNARY {
        if ["expm1", "log1p", "log2", "log10"].contains(&name) {
            continue;
        }
        for line in lines(&format!("e_{name}")) {
            let (z, exact) = (C::new(line[0], line[1]), C::new(line[2], line[3]));
            let got = function(z);
            // Where there is no angle, an infinity and a zero may have either sign.
            let no_angle = exact.re.is_nan() || exact.im.is_nan();
            // The Array API lists one sign of the zero for every angle, and C another.
            let far = ["tan", "tanh"].contains(&name) && (z.re.is_infinite() || z.im.is_infinite());
            let same = |got: f64, exact: f64| match exact {
                _ if exact.is_nan() => got.is_nan(),
                0.0 if far => got == 0.0,
                _ if no_angle => got.abs() == exact.abs(),
                _ => ulps(got, exact) <= 3.0 && got.is_sign_negative() == exact.is_sign_negative(),
            };
            if !same(got.re, exact.re) || !same(got.im, exact.im) {
                wrong.push(format!("{name}({z}) = {got}, not {exact}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
