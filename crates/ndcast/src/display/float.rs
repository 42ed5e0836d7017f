//! Floats as text: the fewest digits that tell a number from its neighbours, at most eight behind the point, and one
//! width for all of an array.
//!
//! These are the rules of NumPy 2.4's `FloatingFormat` with its default options. Digits beyond eight are rounded from
//! the number itself, ties to even, not from its digits.

use std::fmt;
use std::str::FromStr;

use half::{bf16, f16};

/// The most digits behind the point.
const PRECISION: usize = 8;

/// A float of a type that NumPy knows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Float {
    Half(f16),
    Single(f32),
    Double(f64),
}

/// Whether positive numbers have a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plus {
    Hidden,
    Shown,
}

impl Plus {
    fn text(self) -> &'static str {
        if self == Plus::Shown { "+" } else { "" }
    }
}

/// How the floats of one array are written.
#[derive(Debug)]
pub(super) struct Format {
    plus: Plus,
    /// The columns before the point and behind it.
    left: usize,
    right: usize,
    /// With an exponent: the digits behind the point and of the exponent.
    exponent: Option<(usize, usize)>,
}

/// Decimal digits, the point behind the first, times a power of ten.
struct Decimal {
    digits: String,
    exponent: i32,
}

impl Decimal {
    /// Of what `{:e}` writes, without its sign.
    fn of(text: &str) -> Decimal {
        let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let digits = digits.chars().filter(char::is_ascii_digit).collect();
        Decimal { digits, exponent: exponent.parse().unwrap_or(0) }
    }

    fn fraction(&self) -> usize {
        self.digits.len().saturating_sub(1)
    }

    /// What stands before the point and behind it if there is no exponent.
    fn positional(&self) -> (String, String) {
        let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
        if self.exponent < 0 {
            let digits = if self.digits == "0" { "" } else { &self.digits };
            return ("0".to_owned(), zeros(-1 - self.exponent) + digits);
        }
        let point = usize::try_from(self.exponent).unwrap_or(0) + 1;
        match self.digits.split_at_checked(point) {
            Some((whole, fraction)) => (whole.to_owned(), fraction.to_owned()),
            None => (self.digits.clone() + &zeros(self.exponent - last(&self.digits)), String::new()),
        }
    }

    /// The digits before and behind the point, and the exponent with its sign and at least so many digits.
    fn scientific(&self, digits: usize) -> (&str, &str, String) {
        let (whole, fraction) = self.digits.split_at_checked(1).unwrap_or((&self.digits, ""));
        let sign = if self.exponent < 0 { '-' } else { '+' };
        (whole, fraction, format!("e{sign}{:0digits$}", self.exponent.unsigned_abs()))
    }
}

/// The place of the last digit.
fn last(digits: &str) -> i32 {
    i32::try_from(digits.len()).unwrap_or(i32::MAX) - 1
}

impl Float {
    pub(super) fn half(float: f16) -> Float {
        Float::Half(float)
    }

    pub(super) fn single(float: f32) -> Float {
        Float::Single(float)
    }

    pub(super) fn double(float: f64) -> Float {
        Float::Double(float)
    }

    /// A bf16 as the f32 nearest to its own shortest digits, which has the same ones.
    pub(super) fn upper_half(float: bf16) -> Float {
        if !float.is_finite() {
            return Float::Single(float.to_f32());
        }
        let digits = shortest(float.to_bits(), |bits| f64::from(bf16::from_bits(bits)));
        let near = digits.parse().unwrap_or_else(|_| float.to_f32().abs());
        Float::Single(if float.is_sign_negative() { -near } else { near })
    }

    fn value(self) -> f64 {
        match self {
            Float::Half(float) => f64::from(float),
            Float::Single(float) => f64::from(float),
            Float::Double(float) => float,
        }
    }

    fn sign(self, plus: Plus) -> &'static str {
        if self.value().is_sign_negative() { "-" } else { plus.text() }
    }

    /// The fewest digits that are this number and no other of its type.
    fn decimal(self) -> Decimal {
        Decimal::of(&match self {
            Float::Half(float) => shortest(float.to_bits(), |bits| f64::from(f16::from_bits(bits))),
            Float::Single(float) => even(&float.abs()),
            Float::Double(float) => even(&float.abs()),
        })
    }

    /// Without an exponent.
    fn positional(self) -> (String, String) {
        let (whole, fraction) = self.decimal().positional();
        if fraction.len() <= PRECISION {
            return (whole, fraction);
        }
        let text = format!("{:.PRECISION$}", self.value().abs());
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        (whole.to_owned(), fraction.trim_end_matches('0').to_owned())
    }

    /// As a word with so many digits behind the point, and no exponent.
    pub(super) fn fixed(self, digits: usize, plus: Plus) -> String {
        let text = || format!("{}{:.digits$}", self.sign(plus), self.value().abs());
        self.special(plus).unwrap_or_else(text)
    }

    /// With so many digits behind the point.
    fn rounded(self, fraction: usize) -> Decimal {
        let decimal = self.decimal();
        if decimal.fraction() == fraction {
            return decimal;
        }
        Decimal::of(&format!("{:.fraction$e}", self.value().abs()))
    }

    /// With an exponent, and as many digits as there are.
    fn scientific(self) -> Decimal {
        let decimal = self.decimal();
        if decimal.fraction() <= PRECISION {
            return decimal;
        }
        let mut decimal = self.rounded(PRECISION);
        let kept = decimal.digits.trim_end_matches('0').len().max(1);
        decimal.digits.truncate(kept);
        decimal
    }

    /// Text for what has no digits.
    fn special(self, plus: Plus) -> Option<String> {
        let value = self.value();
        if value.is_nan() {
            return Some(format!("{}nan", plus.text()));
        }
        value.is_infinite().then(|| format!("{}inf", self.sign(plus)))
    }

    /// From here on there is an exponent: in an array, and in a number alone.
    fn limits(self) -> (f64, f64) {
        match self {
            Float::Half(_) => (1e3, 1e3),
            Float::Single(_) => (1e6, 1e6),
            Float::Double(_) => (1e8, 1e16),
        }
    }
}

/// Whether an array with these as its least and greatest numbers, without signs and zeros, is written with exponents.
/// What is computed for that is of their own type.
fn with_exponent(least: Float, greatest: Float) -> bool {
    let (small, ratio) = match (least, greatest) {
        (Float::Half(least), Float::Half(greatest)) => {
            let ratio = f16::from_f32(greatest.to_f32() / least.to_f32());
            (least < f16::from_f64(0.0001), f64::from(ratio))
        }
        (Float::Single(least), Float::Single(greatest)) => (least < 0.0001, f64::from(greatest / least)),
        _ => (least.value() < 0.0001, greatest.value() / least.value()),
    };
    greatest.value() >= greatest.limits().0 || small || ratio > 1000.0
}

impl Format {
    /// For all of these together.
    pub(super) fn of(floats: &[Float], plus: Plus) -> Format {
        let finite = || floats.iter().copied().filter(|float| float.value().is_finite());
        let size = |float: &Float| float.value().abs();
        let compare = |a: &Float, b: &Float| size(a).total_cmp(&size(b));
        let nonzero = || finite().filter(|float| float.value() != 0.0);
        let extremes = nonzero().min_by(compare).zip(nonzero().max_by(compare));
        let exponents =
            extremes.is_some_and(|(least, greatest)| with_exponent(positive(least), positive(greatest)));
        let mut format = Format { plus, left: 0, right: 0, exponent: None };
        if exponents {
            let (mut fraction, mut digits) = (0, 2);
            for float in finite() {
                let decimal = float.scientific();
                let (_, behind, exponent) = decimal.scientific(2);
                fraction = fraction.max(behind.len());
                digits = digits.max(exponent.len() - 2);
                format.left = format.left.max(float.sign(plus).len() + 1);
            }
            format.right = fraction + 2 + digits;
            format.exponent = Some((fraction, digits));
        } else {
            for float in finite() {
                let (whole, fraction) = float.positional();
                format.left = format.left.max(float.sign(plus).len() + whole.len());
                format.right = format.right.max(fraction.len());
            }
        }
        if finite().count() < floats.len() {
            let signed = floats.iter().any(|float| float.value() == f64::NEG_INFINITY);
            let widest = if signed || plus == Plus::Shown { 4 } else { 3usize };
            format.left = format.left.max(widest.saturating_sub(format.right + 1));
        }
        format
    }

    /// One of them.
    pub(super) fn word(&self, float: Float) -> String {
        let Format { plus, left, right, exponent } = *self;
        if let Some(text) = float.special(plus) {
            return format!("{text:>0$}", left + right + 1);
        }
        let sign = float.sign(plus);
        match exponent {
            Some((fraction, digits)) => {
                let decimal = float.rounded(fraction);
                let (whole, fraction, exponent) = decimal.scientific(digits);
                format!("{:>left$}.{fraction}{exponent}", sign.to_owned() + whole)
            }
            None => {
                let (whole, fraction) = float.positional();
                format!("{:>left$}.{fraction:<right$}", sign.to_owned() + &whole)
            }
        }
    }
}

fn positive(float: Float) -> Float {
    match float {
        Float::Half(float) => Float::Half(f16::from_bits(float.to_bits() & 0x7FFF)),
        Float::Single(float) => Float::Single(float.abs()),
        Float::Double(float) => Float::Double(float.abs()),
    }
}

/// A number alone: all its digits.
pub(super) fn scalar(float: Float) -> String {
    let text = alone(float, Plus::Hidden);
    // A whole number is still a float.
    let whole = text.chars().all(|c| c.is_ascii_digit() || c == '-');
    if whole { text + ".0" } else { text }
}

/// A complex number alone; of an imaginary one nothing else is written.
pub(super) fn complex_scalar(re: Float, im: Float) -> String {
    if re.value() == 0.0 && re.value().is_sign_positive() {
        return format!("{}j", alone(im, Plus::Hidden));
    }
    format!("({}{}j)", alone(re, Plus::Hidden), alone(im, Plus::Shown))
}

fn alone(float: Float, plus: Plus) -> String {
    if let Some(text) = float.special(plus) {
        return text;
    }
    let (size, (_, limit)) = (float.value().abs(), float.limits());
    let decimal = float.decimal();
    let (whole, fraction, exponent) = if size == 0.0 || (1e-4..limit).contains(&size) {
        let (whole, fraction) = decimal.positional();
        (whole, fraction, String::new())
    } else {
        let (whole, fraction, exponent) = decimal.scientific(2);
        (whole.to_owned(), fraction.to_owned(), exponent)
    };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{}{whole}{point}{fraction}{exponent}", float.sign(plus))
}

/// The fewest digits, as `{:e}` writes them, but of two that are equally near the even one.
fn even<T: fmt::LowerExp + FromStr + PartialEq>(size: &T) -> String {
    let text = format!("{size:e}");
    let fraction = Decimal::of(&text).fraction();
    let rounded = format!("{size:.fraction$e}");
    if rounded.parse().is_ok_and(|near: T| near == *size) { rounded } else { text }
}

/// The fewest digits, as `{:e}` writes them, of a finite float of 16 bits without its sign: those of a number nearer
/// to it than to its neighbours. Everything here is exact in f64.
fn shortest(bits: u16, value: impl Fn(u16) -> f64) -> String {
    let bits = bits & 0x7FFF;
    let own = value(bits);
    if bits == 0 {
        return "0e0".to_owned();
    }
    let below = (value(bits - 1) + own) / 2.0;
    let next = value(bits + 1);
    // Behind the greatest comes infinity, where the next one would be.
    let above = if next.is_finite() { (own + next) / 2.0 } else { own + (own - below) };
    // A number in the middle is read as the even one.
    let even = bits.is_multiple_of(2);
    let inside = |near: f64| (below < near && near < above) || (even && (near == below || near == above));
    for fraction in 0..5 {
        let text = format!("{own:.fraction$e}");
        let near: f64 = text.parse().unwrap_or(own);
        if inside(near) {
            return text;
        }
        // The other one of this length beside the number: where the neighbours are not equally far it may be inside.
        let decimal = Decimal::of(&text);
        let unit: f64 = format!("1e{}", decimal.exponent - last(&decimal.digits)).parse().unwrap_or(0.0);
        let other = format!("{:.fraction$e}", if near < own { near + unit } else { near - unit });
        if other.parse().is_ok_and(inside) {
            return other;
        }
    }
    format!("{own:e}")
}
