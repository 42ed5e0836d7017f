//! Binary operations, each with broadcast dimensions for the operand of lower rank.

use ndcast_shape::rule::xla;

use super::Builder;
use crate::dialect::hlo::{Comparison, Direction, check_same};
use crate::dialect::lay;
use crate::dtype::Class;
use crate::error::Error;
use crate::graph::Id;
use crate::op::Op;

macro_rules! binary {
    ($($(#[$doc:meta])* $method:ident $opcode:literal;)*) => {
        impl Builder<'_> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// As [`Builder::binary`].
                pub fn $method(&mut self, lhs: Id, rhs: Id, broadcast_dimensions: &[i64]) -> Result<Id, Error> {
                    self.binary($opcode, lhs, rhs, broadcast_dimensions)
                }
            )*
        }
    };
}

binary! {
    /// `Add`: the sum; of truth values whether one is true.
    add "add";
    /// `Sub`: the difference.
    sub "subtract";
    /// `Mul`: the product; of truth values whether both are true.
    mul "multiply";
    /// `Div`: the quotient; of integers cut towards 0, all ones if it is by 0, and the least by -1 is the least.
    div "divide";
    /// `Rem`: what division leaves, with the sign of the dividend; by 0 it is the dividend.
    rem "remainder";
    /// `Max`: the greater; NaN if one is. Of truth values whether one is true.
    max "maximum";
    /// `Min`: the less; NaN if one is. Of truth values whether both are true.
    min "minimum";
    /// `Pow`: the power.
    pow "power";
    /// `Atan2`: the angle of the point whose ordinate is the first.
    atan2 "atan2";
    /// `And`: the bits in both.
    and "and";
    /// `Or`: the bits in one or both.
    or "or";
    /// `Xor`: the bits in just one.
    xor "xor";
    /// `ShiftLeft`: 0 if it is by as many bits as there are, or more.
    shift_left "shift-left";
    /// `ShiftRightArithmetic`: filled up with the sign.
    shift_right_arithmetic "shift-right-arithmetic";
    /// `ShiftRightLogical`: filled up with 0.
    shift_right_logical "shift-right-logical";
    /// `Complex`: from real parts and imaginary parts.
    complex "complex";
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $method:ident $total:ident $direction:ident;)*) => {
        impl Builder<'_> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// As [`Builder::binary`].
                pub fn $method(&mut self, lhs: Id, rhs: Id, broadcast_dimensions: &[i64]) -> Result<Id, Error> {
                    self.compare(lhs, rhs, broadcast_dimensions, Direction::$direction, None)
                }

                $(#[$doc])*
                /// Floats are in their total order.
                ///
                /// # Errors
                /// As [`Builder::binary`].
                pub fn $total(&mut self, lhs: Id, rhs: Id, broadcast_dimensions: &[i64]) -> Result<Id, Error> {
                    self.compare_total_order(lhs, rhs, broadcast_dimensions, Direction::$direction)
                }
            )*
        }
    };
}

comparisons! {
    /// `Eq`: whether they are equal.
    eq eq_total_order Eq;
    /// `Ne`: whether they are not.
    ne ne_total_order Ne;
    /// `Lt`: whether the first is less.
    lt lt_total_order Lt;
    /// `Le`: whether the first is less or equal.
    le le_total_order Le;
    /// `Gt`: whether the first is greater.
    gt gt_total_order Gt;
    /// `Ge`: whether the first is greater or equal.
    ge ge_total_order Ge;
}

impl Builder<'_> {
    /// A binary operation by its opcode. The axes of the operand of lower rank lie on `broadcast_dimensions` of the
    /// other; then extents of 1 stretch, on both sides. Of equal ranks there are no dimensions, or all in order.
    ///
    /// # Errors
    /// In this order: there is no operation of the opcode, or none for the first operand's element type; element types
    /// differ (floats of different precision are told last); what
    /// [`rule::xla::binary`](ndcast_shape::rule::xla::binary) says.
    pub fn binary(
        &mut self,
        opcode: &str,
        lhs: Id,
        rhs: Id,
        broadcast_dimensions: &[i64],
    ) -> Result<Id, Error> {
        let op = self.hlo().op(opcode, &[], &[lhs])?;
        self.joined(op, [lhs, rhs], broadcast_dimensions)
    }

    /// `Compare(direction, type)`: truth values. The type must be that of the elements; only floats have two.
    ///
    /// # Errors
    /// As [`Builder::binary`]; or if elements are not compared so.
    pub fn compare(
        &mut self,
        lhs: Id,
        rhs: Id,
        broadcast_dimensions: &[i64],
        direction: Direction,
        comparison: Option<Comparison>,
    ) -> Result<Id, Error> {
        let op = self.hlo().comparison(direction, comparison, lhs)?;
        self.joined(op, [lhs, rhs], broadcast_dimensions)
    }

    /// A comparison with floats in their total order; others have only one.
    fn compare_total_order(
        &mut self,
        lhs: Id,
        rhs: Id,
        broadcast_dimensions: &[i64],
        direction: Direction,
    ) -> Result<Id, Error> {
        let float = self.graph.node(lhs)?.dtype().class() == Class::Float;
        let comparison = float.then_some(Comparison::TotalOrder);
        self.compare(lhs, rhs, broadcast_dimensions, direction, comparison)
    }

    fn joined(&mut self, op: Op, operands: [Id; 2], broadcast_dimensions: &[i64]) -> Result<Id, Error> {
        let doing = op.record().name;
        let same = check_same(self.graph, &operands);
        // "Binary op add with different element types": precision apart, floats are one type to the builder, so shapes
        // are looked at before the compiler refuses them.
        let mut floats = true;
        for id in operands {
            floats &= self.graph.node(id)?.dtype().class() == Class::Float;
        }
        if !floats {
            same.clone().map_err(|error| error.of(doing))?;
        }
        let laid = lay::all(self.graph, &xla::BINARY, Some(broadcast_dimensions), operands);
        let laid = laid.map_err(|error| error.called(doing))?;
        same.map_err(|error| error.of(doing))?;
        self.graph.apply(op, &laid)
    }
}
