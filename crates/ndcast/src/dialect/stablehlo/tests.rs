//! What StableHLO's own operations refuse: shapes and places that are operands, and CHLO's that broadcast by themselves.

use super::Builder;
use crate::dialect::hlo::{Comparison, Direction};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::{Graph, Id};

/// What a call of the builder makes of a `2x3` and a `3` of f32, an `i64` of unknown numbers along an axis of 2, and a scalar.
fn made(call: impl Fn(&mut Builder<'_>, [Id; 4]) -> Result<Id, Error>) -> String {
    let mut graph = Graph::new();
    let mut input =
        |name: &str, dtype: DType, shape: &str| graph.input(name, dtype, shape.parse().unwrap()).unwrap();
    let inputs = [
        input("x", DType::F32, "2x3"),
        input("row", DType::F32, "3"),
        input("n", DType::I64, "2"),
        input("s", DType::F32, "scalar"),
    ];
    match call(&mut Builder::new(&mut graph), inputs) {
        Ok(id) => graph.node(id).unwrap().shape().to_string(),
        Err(error) => error.to_string(),
    }
}

fn integers(builder: &mut Builder<'_>, numbers: &[i64]) -> Id {
    builder.graph().integers(numbers).unwrap()
}

#[test]
fn shapes_that_are_operands() {
    let found = [
        made(|b, [_, row, n, _]| b.dynamic_broadcast_in_dim(row, n, &[1])),
        made(|b, [_, row, n, _]| b.dynamic_broadcast_in_dim(row, n, &[0, 1])),
        made(|b, [_, row, n, _]| b.dynamic_broadcast_in_dim(row, n, &[2])),
        made(|b, [x, _, n, _]| b.dynamic_broadcast_in_dim(x, n, &[1, 1])),
        made(|b, [x, row, _, _]| b.dynamic_broadcast_in_dim(row, x, &[1])),
        made(|b, [_, row, _, _]| {
            let shape = integers(b, &[2, 4]);
            b.dynamic_broadcast_in_dim(row, shape, &[1])
        }),
        made(|b, [x, row, _, _]| b.dynamic_reshape(x, row)),
        made(|b, [x, _, n, _]| b.dynamic_reshape(x, n)),
        made(|b, [x, _, _, _]| {
            let shape = integers(b, &[4, 2]);
            b.dynamic_reshape(x, shape)
        }),
        made(|b, [_, _, n, _]| b.dynamic_iota(DType::I32, n, 2)),
        made(|b, [_, _, n, _]| b.dynamic_iota(DType::Bool, n, 0)),
        made(|b, [_, _, n, _]| b.dynamic_iota(DType::I32, n, 1)),
    ];
    let expected = [
        "?x3",
        "dynamic_broadcast_in_dim: 2 axes are listed for an operand of rank 1; it takes one for each axis",
        "dynamic_broadcast_in_dim: entry 0 of the axes, 2, is out of range for rank 2",
        "dynamic_broadcast_in_dim: axis 1 is listed twice",
        "dynamic_broadcast_in_dim: a shape is integers along one axis, and this has shape 2x3",
        "dynamic_broadcast_in_dim: stablehlo.broadcast-in-dim: 3 does not broadcast to 2x4 with axes [1]: on axis 1 of the \
         result, axis 0 of operand 0 is 3 and axis 1 of the target is 4; only 4 or 1 fits on the target",
        "dynamic_reshape: extents and places are integers, and these are f32",
        "?x?",
        "dynamic_reshape: the elements of 2x3 do not fill the shape [4, 2]",
        "dynamic_iota: entry 0 of the axes, 2, is out of range for rank 2",
        "dynamic_iota: it takes no elements of type bool; convert them to one of i8, i16, i32, i64, u8, u16, u32, u64, f16, \
         bf16, f32, f64, c64, c128",
        "?x?",
    ];
    assert_eq!(found, expected);
}

#[test]
fn places_that_are_operands() {
    let found = [
        made(|b, [x, _, n, _]| b.real_dynamic_slice(x, [n, n, n])),
        made(|b, [x, row, n, _]| b.real_dynamic_slice(x, [n, n, row])),
        made(|b, [_, row, n, _]| b.real_dynamic_slice(row, [n, n, n])),
        made(|b, [x, _, n, s]| b.dynamic_pad(x, s, [n, n, n])),
        made(|b, [_, row, n, s]| b.dynamic_pad(row, s, [n, n, n])),
        made(|b, [x, _, _, s]| {
            let (two, three) = (integers(b, &[1, 1]), integers(b, &[1, 1, 1]));
            b.dynamic_pad(x, s, [two, three, two])
        }),
        made(|b, [x, _, _, s]| {
            let three = integers(b, &[1, 1, 1]);
            b.dynamic_pad(x, s, [three, three, three])
        }),
        made(|b, [x, _, _, s]| {
            let (one, none) = (integers(b, &[1, -1]), integers(b, &[0, 0]));
            b.dynamic_pad(x, s, [one, one, none])
        }),
    ];
    let expected = [
        "..2x..3",
        "real_dynamic_slice: extents and places are integers, and these are f32",
        "real_dynamic_slice: 2 numbers are given for 1 axes",
        "?x?",
        "dynamic_pad: 2 axes are listed for an operand of rank 1; it takes one for each axis",
        "dynamic_pad: there are 2 low, 3 high and 2 interior paddings",
        "pad: 3 axes are listed for an operand of rank 2; it takes one for each axis",
        "4x1",
    ];
    assert_eq!(found, expected);
}

#[test]
fn chlo_broadcasts_by_itself() {
    let found = [
        made(|b, [x, row, _, _]| b.broadcast_binary("add", [x, row], Some(&[1]))),
        made(|b, [x, row, _, _]| b.broadcast_binary("add", [x, row], None)),
        made(|b, [x, row, _, _]| b.broadcast_binary("add", [x, row], Some(&[0]))),
        made(|b, [x, _, n, _]| b.broadcast_binary("add", [x, n], None)),
        made(|b, [x, row, _, _]| b.broadcast_binary("plus", [x, row], None)),
        made(|b, [x, row, _, _]| {
            b.broadcast_compare(Direction::Lt, Some(Comparison::Signed), [x, row], None)
        }),
        made(|b, [x, row, _, _]| b.broadcast_compare(Direction::Lt, None, [x, row], None)),
        made(|b, [x, row, _, s]| b.broadcast_select([x, row, s])),
        made(|b, [x, row, _, s]| {
            let less = b.broadcast_compare(Direction::Lt, None, [s, row], None)?;
            b.broadcast_select([less, x, s])
        }),
    ];
    let expected = [
        "2x3",
        "2x3",
        "add: chlo.broadcast: 2x3 and 3 do not broadcast with axes [0]: only the last axes are allowed: leave them out or \
         list [1]",
        "f32 and i64 have no common element type: the types must be equal; convert one of them",
        "there is no elementwise operation plus",
        "compare: elements of type f32 are not compared as SIGNED",
        "2x3",
        "broadcast_select: the elements are f32, not bool",
        "2x3",
    ];
    assert_eq!(found, expected);
}
