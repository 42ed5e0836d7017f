//! Products of matrices.

use super::call::{Built, Call};
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Broadcast, Lay, MatMul, Transpose};
use crate::op::Op;

pub(super) fn matmul(call: &mut Call<'_>) -> Built {
    let (a, b) = (call.input(0)?, call.input(1)?);
    Ok(vec![call.add(MatMul, &[a, b])?])
}

/// `alpha A' B' + beta C`. C is laid on the product; before opset 7 only if `broadcast` says so.
pub(super) fn gemm(call: &mut Call<'_>) -> Built {
    let (mut a, mut b) = (call.input(0)?, call.input(1)?);
    for (name, matrix) in [("transA", &mut a), ("transB", &mut b)] {
        let rank = call.rank(*matrix)?;
        if rank != 2 {
            return Err(Error::value(format!("it multiplies matrices, and an input has rank {rank}")));
        }
        if call.truth(name, 0)? {
            *matrix = call.add(Transpose::new([1, 0]), &[*matrix])?;
        }
    }
    let (alpha, beta) = (call.float("alpha", 1.0)?, call.float("beta", 1.0)?);
    let broadcast = if call.opset < 7 { call.truth("broadcast", 0)? } else { true };
    let product = call.add(MatMul, &[a, b])?;
    let product = scaled(call, product, alpha)?;
    let Some(c) = call.optional(2) else {
        if call.opset < 11 {
            return Err(Error::value("its input 2 may be left out since opset 11".to_owned()));
        }
        return Ok(vec![product]);
    };
    let c = scaled(call, c, beta)?;
    let c = if broadcast { call.laid(product, c)? } else { c };
    // What is to count for nothing is not read: a NaN of it neither.
    if beta == 0.0 {
        return Ok(vec![product]);
    }
    Ok(vec![call.graph.apply(Op::Add, &[product, c])?])
}

/// Integers are scaled as floats, and cut off.
fn scaled(call: &mut Call<'_>, x: Id, by: f64) -> Result<Id, Error> {
    let dtype = call.dtype(x);
    if by.to_bits() == 1f64.to_bits() {
        return Ok(x);
    }
    if dtype.class() == Class::Float {
        return call.graph.with_number(Op::Multiply, x, by);
    }
    let floats = call.convert(x, DType::F64)?;
    let scaled = call.graph.with_number(Op::Multiply, floats, by)?;
    call.convert(scaled, dtype)
}

/// Of 8-bit integers in i32, with what stands for 0 taken off first: one number, or one a row and one a column.
pub(super) fn integers(call: &mut Call<'_>) -> Built {
    let (a, b) = (call.input(0)?, call.input(1)?);
    let a = without_zero(call, a, call.optional(2), -2)?;
    let b = without_zero(call, b, call.optional(3), -1)?;
    Ok(vec![call.add(MatMul, &[a, b])?])
}

/// A zero point of one axis lies along this axis of the matrices; one of more as it is.
fn without_zero(call: &mut Call<'_>, x: Id, zero: Option<Id>, axis: i64) -> Result<Id, Error> {
    let x = call.convert(x, DType::I32)?;
    let Some(zero) = zero else { return Ok(x) };
    let mut zero = call.convert(zero, DType::I32)?;
    if call.rank(zero)? == 1 && axis == -2 && call.rank(x)? > 1 && call.maybe_extent(zero, 0) != Some(1) {
        zero = call.add(Broadcast::new([Lay::Axis(0), Lay::New(1)]), &[zero])?;
    }
    let zero = call.laid(x, zero)?;
    call.graph.apply(Op::Subtract, &[x, zero])
}

/// What an equation says of operands.
pub(super) fn einsum(call: &mut Call<'_>) -> Built {
    let equation = call.text("equation", "")?.to_owned();
    let inputs = call.all()?;
    Ok(vec![crate::dialect::einsum::einsum(call.graph, &equation, &inputs)?])
}
