//! Which element types the operators take that are written. Runtimes refuse a file that gives them others.
//!
//! These are the type constraints of ONNX's own schemas, as `onnx.defs.get_schema(name, 21)` has them, less what onnxruntime has
//! not implemented and a wider type has (it says so when it loads such a node); operators that move elements take all that compute
//! here, and are not in the table but for `Expand`. Of floats every operator takes all, or all but bf16, which is computed in f32.

use super::{Value, Writer, cannot};
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::promote::promote;

/// Names of operators, and whether these take an element type.
type Row = (&'static str, fn(DType) -> bool);

const TAKEN: &[Row] = &[
    ("And Not Or Xor", |dtype| dtype == DType::Bool),
    ("BitShift", |dtype| dtype.class() == Class::Unsigned),
    ("BitwiseAnd BitwiseNot BitwiseOr BitwiseXor", integers),
    ("Abs Add Clip Div Greater GreaterOrEqual Less LessOrEqual Mod Mul Shrink Sign Sub", |dtype| {
        integers(dtype) || floats(dtype)
    }),
    ("ArgMax ArgMin", |dtype| matches!(dtype, DType::I8 | DType::U8) || folded(dtype)),
    ("Max Min", |dtype| (integers(dtype) && !sixteen_bits(dtype)) || floats(dtype)),
    ("Equal", |dtype| dtype == DType::Bool || integers(dtype) || floats(dtype)),
    ("Identity", DType::computes),
    ("Where", |dtype| {
        dtype.computes() && !matches!(dtype, DType::Bool | DType::Bf16 | DType::U64) && !sixteen_bits(dtype)
    }),
    ("Neg Relu", |dtype| dtype.class() == Class::Signed || floats(dtype)),
    ("Pow", |dtype| matches!(dtype, DType::I32 | DType::I64) || floats(dtype)),
    ("MatMul PRelu", |dtype| wide(dtype) || longer(dtype)),
    ("Expand", |dtype| dtype != DType::Bf16),
    // Where it combines what it puts with what is there.
    ("ScatterElements", |dtype| integers(dtype) || matches!(dtype, DType::F32 | DType::F64)),
    ("CumSum ReduceProd ReduceSum", folded),
    ("ReduceMax ReduceMin", |dtype| matches!(dtype, DType::Bool | DType::I8 | DType::U8) || folded(dtype)),
    ("Range", |dtype| matches!(dtype, DType::I16 | DType::I32 | DType::I64 | DType::F32 | DType::F64)),
    ("TopK", |dtype| (integers(dtype) && !matches!(dtype, DType::U16 | DType::U32)) || longer(dtype)),
    ("Celu", |dtype| dtype == DType::F32),
];

fn floats(dtype: DType) -> bool {
    dtype.class() == Class::Float
}

fn integers(dtype: DType) -> bool {
    dtype.is_integer()
}

fn sixteen_bits(dtype: DType) -> bool {
    matches!(dtype, DType::I16 | DType::U16)
}

/// What sums are implemented for.
fn folded(dtype: DType) -> bool {
    (wide(dtype) && dtype != DType::U32) || longer(dtype)
}

/// The floats that all runtimes compute with.
fn longer(dtype: DType) -> bool {
    floats(dtype) && dtype != DType::Bf16
}

fn wide(dtype: DType) -> bool {
    integers(dtype) && dtype.size().is_some_and(|size| size >= 4)
}

/// Whether an operator takes elements of a type. Those that are not in the table take floats.
pub(in crate::format::onnx) fn takes(name: &str, dtype: DType) -> bool {
    let row = TAKEN.iter().find(|(names, _)| names.split(' ').any(|other| other == name));
    row.map_or_else(|| floats(dtype), |(_, takes)| takes(dtype))
}

/// The type in which the operator computes `dtype` without loss: `dtype` itself if it is taken, else the first wider
/// one that is (of the same width for Where, which only moves bits).
pub(super) fn within(name: &str, dtype: DType) -> Option<DType> {
    // What is only chosen is so by its bits.
    let chosen = |wider: DType| name == "Where" && integers(dtype) && wider.size() == dtype.size();
    let holds = |wider: DType| dtype == DType::Bool || promote(dtype, wider) == Ok(wider) || chosen(wider);
    let wider = [DType::I32, DType::I64, DType::F32].into_iter().filter(|&wider| holds(wider));
    std::iter::once(dtype).chain(wider).find(|&dtype| takes(name, dtype))
}

impl Writer<'_> {
    /// Operands of a type as an operator takes them, and of which type they are then.
    pub(super) fn taken(
        &mut self,
        name: &str,
        dtype: DType,
        operands: &[&str],
    ) -> Result<(Vec<String>, DType), Error> {
        let wider = within(name, dtype).ok_or_else(|| cannot(format!("its {name} does not take {dtype}")))?;
        let as_taken = |operand: &&str| {
            if wider == dtype { Ok((*operand).to_owned()) } else { self.cast(operand, wider) }
        };
        Ok((operands.iter().map(as_taken).collect::<Result<_, _>>()?, wider))
    }

    /// An operator whose result has its operands' type, computed in a wider one if it must be: the low bits of
    /// integer sums and products are the same.
    pub(super) fn of_taken(
        &mut self,
        name: &str,
        dtype: DType,
        (operands, besides): (&[&str], &[&str]),
        attributes: &[(&str, Value<'_>)],
    ) -> Result<String, Error> {
        let (operands, wider) = self.taken(name, dtype, operands)?;
        let inputs: Vec<&str> = operands.iter().map(String::as_str).chain(besides.iter().copied()).collect();
        let made = self.node(name, &inputs, attributes);
        if wider == dtype { Ok(made) } else { self.cast(&made, dtype) }
    }
}
