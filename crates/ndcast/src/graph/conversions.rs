//! Conversions for those that make something else of what the target does not hold: written out with those that leave nothing
//! open.

use std::borrow::Cow;

use super::kind::Convert;
use super::{Graph, Id, Kind};
use crate::array::Array;
use crate::convert::{Beyond, Overflow};
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::op::Op;

/// How many operations in a row are looked at for what numbers lie between.
const DEPTH: usize = 8;

impl Convert {
    /// Whether a format whose conversion to this type is `own` would make something else of some number.
    pub(crate) fn differs(&self, from: DType, own: Overflow) -> bool {
        // Integers wrap into integers everywhere, and none of them is NaN, which is all that differs in f4e2m1.
        let is_float = matches!(from.class(), Class::Float | Class::Complex);
        let counts = is_float || matches!(self.to, DType::F8E4M3 | DType::F8E5M2 | DType::F8E8M0);
        counts && from != self.to && self.overflow.beyond(self.to) != own.beyond(self.to)
    }

    /// Refuses what neither a format's own conversion says nor other operations do: another rounding to f8e8m0. There are
    /// no operations on its codes, and arithmetic on powers as small as its least is not exact on every processor.
    pub(crate) fn check_own(&self, from: DType, own: Overflow) -> Result<(), Error> {
        match [self.overflow, own].map(|overflow| overflow.beyond(self.to)) {
            [Beyond::Power(rounding, ends), Beyond::Power(own_rounding, own_ends)]
                if self.differs(from, own) =>
            {
                let wanted = Overflow::Power(rounding, ends).to_string();
                let named = self.overflow.to_string();
                let named = if named == wanted { named } else { format!("{named}, which is {wanted}") };
                let written = Overflow::Power(own_rounding, own_ends);
                Err(Error::value(format!(
                    "it converts to {} by {named}; with overflow={written}, as conversions are there, it can be written",
                    self.to
                )))
            }
            _ => Ok(()),
        }
    }

    /// Whether it makes of floats that are too great the greatest integer, and of NaN 0, where others leave that open.
    pub(crate) fn ends_at_integers(&self, from: DType) -> bool {
        let is_integer = self.to.is_integer();
        self.overflow == Overflow::Xla && from.class() == Class::Float && is_integer && self.to.computes()
    }

    /// Whether it makes truth values of numbers, by a dialect whose conversion makes them of all but 0.
    pub(crate) fn tells_zeros(&self, from: DType) -> bool {
        self.to == DType::Bool
            && self.overflow != Overflow::OpenVino
            && from != DType::Bool
            && from.computes()
    }
}

impl Graph {
    /// The same graph with those conversions written out for which the function says so, by the type that is converted.
    pub(crate) fn with_conversions(
        &self,
        other: impl Fn(&Convert, DType) -> bool,
    ) -> Result<Cow<'_, Graph>, Error> {
        let other = |graph: &Graph, kind: &Kind, arguments: &[Id]| match kind {
            Kind::Convert(convert) => other(convert, graph.at(arguments[0]).dtype()),
            _ => false,
        };
        if !self.nodes().any(|(_, node)| other(self, node.kind(), node.arguments())) {
            return Ok(Cow::Borrowed(self));
        }
        let copied = self.copied(
            |_, node| node.shape().clone(),
            |to, node, ids| match node.kind() {
                Kind::Convert(convert) if other(to, node.kind(), ids) => to.converted(convert, ids[0]),
                kind => to.add(kind.clone(), ids),
            },
        );
        copied.map(Cow::Owned)
    }

    /// Elements as another type by operations that leave nothing open.
    fn converted(&mut self, convert: &Convert, x: Id) -> Result<Id, Error> {
        match (convert.to.class(), convert.to, convert.overflow.beyond(convert.to)) {
            (Class::Bool, ..) => self.with_number(Op::NotEqual, x, 0),
            // All that others make of it is exact, and rounded alike: only NaN is not.
            (Class::Float, DType::F4E2M1, _) => self.converted_without_nan(convert, x),
            // There are no operations: see `check_own`.
            (Class::Float, DType::F8E8M0, _) => self.add(convert.clone(), &[x]),
            (Class::Float, _, Beyond::Limit) => self.converted_to_float(convert, x),
            (Class::Float, ..) => self.add(convert.clone(), &[x]),
            (_, _, Beyond::LowBits) => self.converted_to_low_bits(convert, x),
            _ => self.converted_to_integer(convert, x),
        }
    }

    /// The elements as floats with arithmetic that hold them, or come as near as matters to a float of a few bits.
    fn as_floats(&mut self, x: Id) -> Result<Id, Error> {
        match self.node(x)?.dtype() {
            dtype if dtype.class() == Class::Float && dtype.computes() => Ok(x),
            DType::C128 => self.add(plain(DType::F64), &[x]),
            _ => self.add(plain(DType::F32), &[x]),
        }
    }

    /// To a float that has no NaN, with what the conversion makes of NaN (but for NaN's sign).
    fn converted_without_nan(&mut self, convert: &Convert, x: Id) -> Result<Id, Error> {
        let x = self.as_floats(x)?;
        let made: f64 =
            Array::scalar(f64::NAN).convert_as(convert.to, convert.overflow).convert(DType::F64).item()?;
        let x = self.with_nan_as(made, x)?;
        self.add(plain(convert.to), &[x])
    }

    /// To the greatest float of a few bits, for what is greater.
    fn converted_to_float(&mut self, convert: &Convert, x: Id) -> Result<Id, Error> {
        let greatest = Array::scalar(f64::MAX).convert_as(convert.to, convert.overflow);
        let greatest: f64 = greatest.convert(DType::F64).item()?;
        let x = self.as_floats(x)?;
        let dtype = self.node(x)?.dtype();
        let (low, high) = (self.number(-greatest, dtype)?, self.number(greatest, dtype)?);
        let clamped = self.op(Op::Clip, &[x, low, high])?;
        self.add(plain(convert.to), &[clamped])
    }

    /// To the low bits of an integer: 0 of NaN and of what is beyond an i32.
    fn converted_to_low_bits(&mut self, convert: &Convert, x: Id) -> Result<Id, Error> {
        let x = self.as_floats(x)?;
        let ends = [f64::MIN, f64::MAX].map(|end| Array::scalar(end).convert_as(convert.to, Overflow::Xla));
        let [bottom, top] = ends.map(|end| end.convert(DType::F64).item::<f64>());
        let (least, greatest) = self.bounds(x, DEPTH);
        if least >= bottom? && greatest <= top? {
            return self.add(plain(convert.to), &[x]);
        }
        let magnitude = self.apply(Op::Abs, &[x])?;
        let beyond = self.number(2f64.powi(31), self.node(x)?.dtype())?;
        let is_within = self.op(Op::Less, &[magnitude, beyond])?;
        let zero = self.number(0, self.node(x)?.dtype())?;
        let x = self.op(Op::Where, &[is_within, x, zero])?;
        let whole = self.add(plain(DType::I32), &[x])?;
        self.add(plain(convert.to), &[whole])
    }

    /// To the limits of an integer, and NaN to 0.
    fn converted_to_integer(&mut self, convert: &Convert, x: Id) -> Result<Id, Error> {
        let x = self.as_floats(x)?;
        let dtype = self.node(x)?.dtype();
        let ends =
            [f64::MIN, f64::MAX].map(|end| Array::scalar(end).convert_as(convert.to, convert.overflow));
        // As floats, of which some compute the long ones in f32; the greatest is odd, and still is if it is exact.
        let [low, high] =
            ends.each_ref().map(|end| end.convert(if dtype == DType::F64 { DType::F32 } else { dtype }));
        let (bottom, top): (f64, f64) = (low.convert(DType::F64).item()?, high.convert(DType::F64).item()?);
        let is_exact = top % 2.0 == 1.0;
        let (least, greatest) = self.bounds(x, DEPTH);
        if is_exact && least >= bottom && greatest <= top {
            // NaN in a byte or two is 0: that, or the low bits of the least of 32, is what processors make of it.
            let x = if convert.to.size() > Some(2) { self.with_nan_as(0.0, x)? } else { x };
            return self.add(plain(convert.to), &[x]);
        }
        let [low, high] = [bottom, top].map(|limit| self.number(limit, dtype));
        let (low, high) = (low?, high?);
        // First: OpenVINO clamps NaN to a limit, and takes it for greater than any.
        let number = self.with_nan_as(0.0, x)?;
        if is_exact {
            let clamped = self.op(Op::Clip, &[number, low, high])?;
            return self.add(plain(convert.to), &[clamped]);
        }
        let mut made = self.add(plain(convert.to), &[number])?;
        for (is_beyond, limit, end) in [(Op::GreaterEqual, high, &ends[1]), (Op::LessEqual, low, &ends[0])] {
            let is_beyond = self.op(is_beyond, &[number, limit])?;
            let end = self.constant(end.eval()?)?;
            made = self.op(Op::Where, &[is_beyond, end, made])?;
        }
        Ok(made)
    }

    /// Elements, with a number in the place of NaN.
    fn with_nan_as(&mut self, number: f64, x: Id) -> Result<Id, Error> {
        let is_nan = self.apply(Op::Isnan, &[x])?;
        let number = self.number(number, self.node(x)?.dtype())?;
        self.op(Op::Where, &[is_nan, number, x])
    }

    /// What numbers among elements are known to lie between, from so many operations before them; NaN may be among them.
    fn bounds(&self, x: Id, operations: usize) -> (f64, f64) {
        let unknown = (f64::NEG_INFINITY, f64::INFINITY);
        let node = self.at(x);
        if let Some(number) = node.number() {
            return (number, number);
        }
        if operations == 0 {
            return unknown;
        }
        let of = |place: usize| self.bounds(node.arguments()[place], operations - 1);
        let rounded = |round: fn(f64) -> f64| {
            let (low, high) = of(0);
            (round(low), round(high))
        };
        let greater = |(a, b): (f64, f64), (c, d): (f64, f64)| (a.max(c), b.max(d));
        let smaller = |(a, b): (f64, f64), (c, d): (f64, f64)| (a.min(c), b.min(d));
        match node.kind() {
            Kind::Broadcast(_) | Kind::Reshape(_) | Kind::Transpose(_) | Kind::Slice(_) => of(0),
            Kind::Fit(fit) => of(fit.operand),
            Kind::Apply(apply) => match apply.0 {
                Op::Maximum => greater(of(0), of(1)),
                Op::Minimum => smaller(of(0), of(1)),
                Op::Clip => smaller(greater(of(0), of(1)), of(2)),
                Op::Clamp => smaller(greater(of(1), of(0)), of(2)),
                Op::Floor => rounded(f64::floor),
                Op::Ceil => rounded(f64::ceil),
                Op::Round => rounded(f64::round_ties_even),
                _ => unknown,
            },
            _ => unknown,
        }
    }
}

/// The conversion as everyone has it.
fn plain(to: DType) -> Convert {
    Convert { to, overflow: Overflow::Numpy }
}
