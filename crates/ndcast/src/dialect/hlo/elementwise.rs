//! Elementwise instructions, comparisons, selections and conversions.

use std::fmt;
use std::str::FromStr;

use ndcast_shape::rule::hlo;

use super::{Builder, axes};
use crate::convert::Overflow;
use crate::dialect::lay;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::kind::{Bitcast, Convert};
use crate::graph::{Arguments, Graph, Id};
use crate::layout::as_i64;
use crate::op::{Names, Op, condition, entries};

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident: $($(#[$what:meta])* $variant:ident $text:literal)*;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$what])* $variant,)*
        }

        impl $name {
            /// Every one.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// How the texts of HLO and StableHLO write it.
            pub fn text(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }
        }

        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<$name, Error> {
                $name::ALL.iter().copied().find(|one| one.text() == text).ok_or_else(|| {
                    let all: Vec<&str> = $name::ALL.iter().map(|one| one.text()).collect();
                    Error::value(format!("there is no {text}; there is {}", all.join(", ")))
                })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.text())
            }
        }
    )*};
}

words! {
    /// What a comparison asks.
    Direction:
        /// Whether they are equal.
        Eq "EQ"
        /// Whether they are not.
        Ne "NE"
        /// Whether the first is less.
        Lt "LT"
        /// Whether the first is less or equal.
        Le "LE"
        /// Whether the first is greater.
        Gt "GT"
        /// Whether the first is greater or equal.
        Ge "GE";
    /// As what elements are compared. It must be what they are; only floats have two ways.
    Comparison:
        /// Floats, as IEEE 754 has it: NaN is equal to nothing, and -0 to 0.
        Float "FLOAT"
        /// Floats in the total order: -NaN, -infinity, ..., -0, 0, ..., infinity, NaN.
        TotalOrder "TOTALORDER"
        /// Signed integers.
        Signed "SIGNED"
        /// Unsigned integers and truth values.
        Unsigned "UNSIGNED";
}

impl Comparison {
    /// How elements of a type are compared if nothing is said.
    pub fn of(dtype: DType) -> Comparison {
        match dtype.class() {
            Class::Signed => Comparison::Signed,
            Class::Bool | Class::Unsigned | Class::Text => Comparison::Unsigned,
            Class::Float | Class::Complex => Comparison::Float,
        }
    }

    fn check(self, dtype: DType) -> Result<(), Error> {
        let total = self == Comparison::TotalOrder && dtype.class() == Class::Float;
        if total || self == Comparison::of(dtype) {
            return Ok(());
        }
        Err(Error::value(format!("elements of type {dtype} are not compared as {self}")))
    }
}

/// The operation that a dialect calls so for elements of this type, which it must take.
pub(in crate::dialect) fn operation(
    dialect: fn(&Names) -> &'static str,
    name: &str,
    conditions: &[&str],
    dtype: DType,
) -> Result<Op, Error> {
    let all = [conditions, &[condition(dtype)]].concat();
    let op = Op::called(dialect, name, &all);
    let op = op.ok_or_else(|| Error::value(format!("there is no elementwise operation {name}")))?;
    if takes(op, dtype) {
        return Ok(op);
    }
    Err(Error::not_taken(dtype, DType::all().filter(|&other| takes(op, other)).collect())
        .of(op.record().name))
}

/// What a dialect calls an elementwise operation for elements of a type, and the conditions of that name, if it has it.
pub(in crate::dialect) fn called(
    dialect: fn(&Names) -> &'static str,
    op: Op,
    dtype: DType,
) -> Option<(&'static str, Vec<&'static str>)> {
    entries(dialect(&op.record().names))
        .find(|(name, conditions)| operation(dialect, name, conditions, dtype).is_ok_and(|found| found == op))
}

/// What HLO calls an elementwise operation for elements of a type, and the conditions of that name, if it has it.
pub(crate) fn name_of(op: Op, dtype: DType) -> Option<(&'static str, Vec<&'static str>)> {
    called(|names| names.hlo, op, dtype)
}

/// Whether XLA takes elements of a type, of those that the operation itself takes: what is whole already is not rounded,
/// and only floats are infinite.
fn takes(op: Op, dtype: DType) -> bool {
    let class = dtype.class();
    let as_xla = match op {
        Op::Floor | Op::Ceil | Op::Round | Op::RoundAway | Op::Isfinite => class == Class::Float,
        Op::Real | Op::Imag => matches!(class, Class::Float | Class::Complex),
        Op::Sign => class != Class::Unsigned,
        _ => true,
    };
    as_xla && op.result(dtype).is_some()
}

/// Operands must have one element type.
pub(in crate::dialect) fn check_same(graph: &Graph, operands: &[Id]) -> Result<DType, Error> {
    let mut dtypes = Vec::with_capacity(operands.len());
    for &id in operands {
        dtypes.push(graph.node(id)?.dtype());
    }
    let same = crate::promote::same(&dtypes)?;
    same.ok_or_else(|| Error::value("there is no operand".to_owned()))
}

impl Builder<'_> {
    /// The elementwise instruction of this opcode, on operands of one shape and one element type.
    ///
    /// # Errors
    /// If there is none of the name, or it does not take the element type; if element types or shapes differ.
    pub fn elementwise(&mut self, opcode: &str, operands: &[Id]) -> Result<Id, Error> {
        let op = self.op(opcode, &[], operands)?;
        self.graph.apply(op, operands)
    }

    /// What an opcode is for the element type of the first operand.
    pub(in crate::dialect) fn op(
        &self,
        opcode: &str,
        conditions: &[&str],
        operands: &[Id],
    ) -> Result<Op, Error> {
        let first = operands.first().ok_or_else(|| Error::value(format!("{opcode} of nothing")))?;
        operation(|names| names.hlo, opcode, conditions, self.graph.node(*first)?.dtype())
    }

    /// `compare`: truth values. Without a comparison floats are compared as IEEE 754 has it.
    ///
    /// # Errors
    /// If the elements are not compared so; if element types or shapes differ.
    pub fn compare(
        &mut self,
        direction: Direction,
        comparison: Option<Comparison>,
        operands: [Id; 2],
    ) -> Result<Id, Error> {
        let op = self.comparison(direction, comparison, operands[0])?;
        self.graph.apply(op, &operands)
    }

    /// What a comparison is for the element type of an operand.
    pub(in crate::dialect) fn comparison(
        &self,
        direction: Direction,
        comparison: Option<Comparison>,
        operand: Id,
    ) -> Result<Op, Error> {
        let dtype = self.graph.node(operand)?.dtype();
        let comparison = comparison.unwrap_or(Comparison::of(dtype));
        comparison.check(dtype).map_err(|error| error.of("compare"))?;
        let conditions = [format!("direction={direction}"), format!("type={comparison}")];
        let conditions = conditions.each_ref().map(String::as_str);
        self.op("compare", &conditions, &[operand])
    }

    /// `select`: the second operand where the predicate is true, and the third elsewhere. The predicate may be a scalar.
    ///
    /// # Errors
    /// In this order: the branches differ in their element types, or in their shapes; the predicate is not of truth
    /// values; its shape is another.
    pub fn select(&mut self, predicate: Id, on_true: Id, on_false: Id) -> Result<Id, Error> {
        self.selected([predicate, on_true, on_false]).map_err(|error| error.called("select"))
    }

    fn selected(&mut self, operands: [Id; 3]) -> Result<Id, Error> {
        // "Operands to select must be the same shape": element types are part of what XLA calls a shape.
        check_same(self.graph, &operands[1..])?;
        let shapes = self.shapes(&operands)?;
        let mut branches = ndcast_shape::Request::new(&hlo::SELECT, shapes);
        branches.shapes[0] = ndcast_shape::Shape::from([0usize; 0]);
        branches.answer()?;
        // "Select's pred operand must have PRED element type"
        let dtype = self.graph.node(operands[0])?.dtype();
        if dtype != DType::Bool {
            return Err(Error::other_type(dtype, DType::Bool));
        }
        let laid = lay::all(self.graph, &hlo::SELECT, None, operands)?;
        self.graph.apply(Op::Where, &laid)
    }

    fn shapes(&self, operands: &[Id]) -> Result<Vec<ndcast_shape::Shape>, Error> {
        operands.iter().map(|&id| Ok(self.graph.node(id)?.shape().clone())).collect()
    }

    /// `clamp`: the operand, at least the first limit, then at most the second. The limits may be scalars.
    ///
    /// # Errors
    /// If element types differ, or there is no order on them; if the shapes do.
    pub fn clamp(&mut self, min: Id, operand: Id, max: Id) -> Result<Id, Error> {
        self.clamped([min, operand, max]).map_err(|error| error.called("clamp"))
    }

    fn clamped(&mut self, operands: [Id; 3]) -> Result<Id, Error> {
        let dtype = check_same(self.graph, &operands)?;
        let op = operation(|names| names.hlo, "clamp", &[], dtype)?;
        let laid = lay::all(self.graph, &hlo::CLAMP, None, operands)?;
        self.graph.apply(op, &laid)
    }

    /// `convert`: the elements as another type. Floats are cut towards 0 and end at the limits of an integer, NaN is 0
    /// there; integers wrap; all but 0 is true.
    ///
    /// # Errors
    /// If one of the types is text.
    pub fn convert(&mut self, operand: Id, to: DType) -> Result<Id, Error> {
        self.graph.add(Convert { to, overflow: Overflow::Xla }, &[operand])
    }

    /// `bitcast-convert`: the same bits as another type; see [`Bitcast`].
    ///
    /// # Errors
    /// If elements of the one do not make elements of the other.
    pub fn bitcast_convert(&mut self, operand: Id, to: DType) -> Result<Id, Error> {
        self.graph.add(Bitcast(to), &[operand])
    }

    /// `reduce-precision`: rounded to so many bits of exponent and mantissa.
    ///
    /// # Errors
    /// If the elements are no floats, or the bits are less than 1 and 0.
    pub fn reduce_precision(&mut self, operand: Id, exponent: i64, mantissa: i64) -> Result<Id, Error> {
        let dtype = self.graph.node(operand)?.dtype();
        let is_short = matches!(dtype, DType::F16 | DType::Bf16);
        let wide = if is_short { self.convert(operand, DType::F32)? } else { operand };
        let op = self.op("reduce-precision", &[], &[wide])?;
        if exponent < 1 || mantissa < 0 {
            let text = format!("there is no float of {exponent} bits of exponent and {mantissa} of mantissa");
            return Err(Error::value(text).of("reduce_precision"));
        }
        let own = match dtype {
            DType::F16 => (5, 10),
            DType::Bf16 => (8, 7),
            DType::F32 => (8, 23),
            _ => (11, 52),
        };
        // A type's own precision leaves it as it is.
        if exponent >= own.0 && mantissa >= own.1 {
            return Ok(operand);
        }
        let mut operands = Arguments::from_slice(&[wide]);
        for bits in [exponent, mantissa] {
            operands.push(self.graph.full_like(bits, wide)?);
        }
        let made = self.graph.apply(op, &operands)?;
        if is_short { self.convert(made, dtype) } else { Ok(made) }
    }

    /// `get-dimension-size`: an extent, as an s32.
    ///
    /// # Errors
    /// If there is no such axis.
    pub fn get_dimension_size(&mut self, operand: Id, axis: i64) -> Result<Id, Error> {
        let axis = axes::axis(axis, axes::rank(self.graph, operand)?)
            .map_err(|error| error.of("get_dimension_size"))?;
        let shape = self.graph.add(crate::graph::kind::ShapeOf(DType::I32), &[operand])?;
        let index = vec![ndcast_shape::Index::At(as_i64(axis))];
        self.graph.add(crate::graph::kind::Slice { index }, &[shape])
    }
}
