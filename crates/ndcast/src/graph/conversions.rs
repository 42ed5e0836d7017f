//! Conversions for those that make something else of what the target does not hold: written out with those that leave nothing
//! open.

use std::borrow::Cow;

use super::kind::Convert;
use super::{Graph, Id, Kind};
use crate::array::Array;
use crate::convert::Overflow;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::op::Op;

/// How many operations in a row are looked at for what numbers lie between.
const DEPTH: usize = 8;

impl Convert {
    /// Whether it makes of what is too great for a float of 8 bits the greatest one.
    pub(crate) fn ends_at_short_floats(&self, _: DType) -> bool {
        matches!(self.to, DType::F8E4M3 | DType::F8E5M2) && self.overflow == Overflow::OnnxSaturate
    }

    /// Whether it makes of floats that are too great the greatest integer, and of NaN 0, where others leave that open.
    pub(crate) fn ends_at_integers(&self, from: DType) -> bool {
        let is_integer = matches!(self.to.class(), Class::Signed | Class::Unsigned);
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
        match convert.to.class() {
            Class::Bool => self.with_number(Op::NotEqual, x, 0),
            Class::Float => self.converted_to_float(convert, x),
            _ => self.converted_to_integer(convert, x),
        }
    }

    /// To the greatest float of a few bits, for what is greater.
    fn converted_to_float(&mut self, convert: &Convert, mut x: Id) -> Result<Id, Error> {
        let greatest = Array::scalar(f64::MAX).convert_as(convert.to, convert.overflow);
        let greatest: f64 = greatest.convert(DType::F64).item()?;
        let own = self.node(x)?.dtype();
        if own.class() != Class::Float || !own.computes() {
            x = self.add(plain(DType::F32), &[x])?;
        }
        let dtype = self.node(x)?.dtype();
        let (low, high) = (self.number(-greatest, dtype)?, self.number(greatest, dtype)?);
        let clamped = self.op(Op::Clip, &[x, low, high])?;
        self.add(plain(convert.to), &[clamped])
    }

    /// To the limits of an integer, and NaN to 0.
    fn converted_to_integer(&mut self, convert: &Convert, x: Id) -> Result<Id, Error> {
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
            let x = if convert.to.size() > Some(2) { self.without_nan(x)? } else { x };
            return self.add(plain(convert.to), &[x]);
        }
        let [low, high] = [bottom, top].map(|limit| self.number(limit, dtype));
        let (low, high) = (low?, high?);
        // First: OpenVINO clamps NaN to a limit, and takes it for greater than any.
        let number = self.without_nan(x)?;
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

    /// Elements, with 0 where there is no number.
    fn without_nan(&mut self, x: Id) -> Result<Id, Error> {
        let is_nan = self.apply(Op::Isnan, &[x])?;
        let zero = self.number(0, self.node(x)?.dtype())?;
        self.op(Op::Where, &[is_nan, zero, x])
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
