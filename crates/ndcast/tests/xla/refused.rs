//! What each operation refuses, and with which words.

use ndcast::dialect::hlo::{Comparison, Direction, DotDimensions, GatherDimensions, Padding};
use ndcast::dialect::xla::Builder;
use ndcast::graph::Graph;
use ndcast::{DType, Error};

use super::kind;

#[test]
fn what_is_malformed() {
    let mut graph = Graph::new();
    let mut other = Graph::new();
    let foreign = other.input("x", DType::F32, "2x3".parse().unwrap()).unwrap();
    let mut xla = Builder::new(&mut graph);
    let mut number = 0;
    let mut parameter = |xla: &mut Builder<'_>, dtype, shape: &str| {
        number += 1;
        xla.parameter(number - 1, dtype, shape.parse().unwrap(), &format!("p{}", number - 1)).unwrap()
    };
    let x = parameter(&mut xla, DType::F32, "2x3");
    let row = parameter(&mut xla, DType::F32, "3");
    let ints = parameter(&mut xla, DType::I32, "2x3");
    let brain = parameter(&mut xla, DType::Bf16, "2x3");
    let truth = parameter(&mut xla, DType::Bool, "2x3");
    let scalar = parameter(&mut xla, DType::F32, "()");
    let open = parameter(&mut xla, DType::F32, "?x3");
    let unranked = parameter(&mut xla, DType::F32, "...");
    let before = xla.graph().len();
    let dot = |left: &[i64], right: &[i64]| DotDimensions {
        left_contracting: left.to_vec(),
        right_contracting: right.to_vec(),
        ..DotDimensions::default()
    };
    let pads = [Padding { low: -2, high: -2, interior: 0 }, Padding::default()];
    let rows: Vec<(Result<_, Error>, &str, &str)> = vec![
        (xla.add(x, foreign, &[]), "other-graph", "the node is of another graph"),
        (
            xla.add(x, row, &[]),
            "rank-mismatch",
            "add: xla.binary: 2x3 and 3 do not broadcast with axes []: the ranks are [2, 1], and",
        ),
        (xla.add(x, row, &[0]), "extent-mismatch", "axis 0 of operand 0 is 2 and axis 0 of operand 1 is 3"),
        (xla.add(x, row, &[2]), "axis-out-of-range", "entry 0 of the axes, 2, is out of range for rank 2"),
        (xla.add(x, row, &[-1]), "axis-negative", "-1"),
        (xla.add(x, row, &[0, 1]), "axes-count", "1"),
        (xla.add(x, scalar, &[0]), "axes-count", "0"),
        (xla.add(x, x, &[1, 0]), "axes-identity", "2x3 and 2x3"),
        (xla.add(x, unranked, &[]), "rank-unknown", "rank"),
        (xla.add(x, ints, &[]), "element-types", "add: f32 and i32 have no common element type"),
        (xla.add(x, brain, &[]), "element-types", "add: f32 and bf16 have no common element type"),
        // What the builder looks at first is told first.
        (xla.add(brain, row, &[0]), "extent-mismatch", "add: xla.binary: 2x3 and 3 do not broadcast"),
        (xla.add(ints, row, &[0]), "element-types", "add: i32 and f32 have no common element type"),
        (xla.sub(truth, row, &[0]), "not-taken", "subtract: it takes no elements of type bool"),
        (xla.and(x, ints, &[0]), "not-taken", "bitwise_and: it takes no elements of type f32"),
        (xla.atan2(ints, ints, &[]), "not-taken", "atan2: it takes no elements of type i32"),
        (xla.shift_left(x, x, &[]), "not-taken", "bitwise_left_shift: it takes no elements of type f32"),
        (xla.binary("plus", x, x, &[]), "value", "there is no elementwise operation plus"),
        (
            xla.compare(ints, ints, &[], Direction::Lt, Some(Comparison::TotalOrder)),
            "value",
            "compare: elements of type i32 are not compared as TOTALORDER",
        ),
        (
            xla.compare(x, x, &[], Direction::Lt, Some(Comparison::Signed)),
            "value",
            "compare: elements of type f32 are not compared as SIGNED",
        ),
        (
            xla.floor(ints),
            "not-taken",
            "floor: it takes no elements of type i32; convert them to one of f16,",
        ),
        (xla.select(x, x, x), "other-type", "select: the elements are f32, not bool"),
        (xla.select(truth, x, ints), "element-types", "select: f32 and i32"),
        (xla.select(truth, x, row), "rank-mismatch", "select: hlo.select: "),
        (xla.clamp(scalar, x, row), "rank-mismatch", "clamp: hlo.clamp: 2x3, 2x3 and 3 do not broadcast"),
        (xla.clamp(x, ints, x), "element-types", "clamp: f32 and i32"),
        (xla.broadcast(x, &[-1]), "negative-extent", "broadcast: "),
        (
            xla.broadcast(open, &[2]),
            "extent-unknown",
            "broadcast: xla.broadcast: ?x3 does not broadcast to 2",
        ),
        (
            xla.broadcast_in_dim(row, &[3, 4], &[1]),
            "extent-mismatch",
            "broadcast_in_dim: xla.broadcast-in-dim",
        ),
        (xla.broadcast_in_dim(row, &[3, 4], &[]), "axes-count", "broadcast_in_dim: "),
        (xla.reshape(x, &[5]), "reshape", "reshape: the elements of 2x3 do not fill the shape [5]"),
        (xla.reshape(x, &[-1]), "negative-extent", "reshape: "),
        (xla.collapse(x, &[1, 0]), "value", "collapse: axis 0 does not follow axis 1"),
        (
            xla.transpose(x, &[0]),
            "order",
            "transpose: the order must name each of 2 axes once, and it is [0]",
        ),
        (xla.transpose(x, &[0, -1]), "order", "it is [0, -1]"),
        (xla.rev(x, &[2]), "axis-out-of-range", "reverse: "),
        (xla.rev(x, &[1, 1]), "axes-repeated", "reverse: "),
        (
            xla.slice(x, &[0, 0], &[3, 3], &[1, 1]),
            "value",
            "slice: on axis 0, of extent 2, from 0 to 3 by 1: the limit is beyond the extent",
        ),
        (xla.slice(x, &[0, 0], &[2, 3], &[1, 0]), "value", "on axis 1, of extent 3, from 0 to 3 by 0"),
        (xla.slice(x, &[0], &[2], &[1]), "axes-count", "slice: "),
        (xla.pad(x, row, &pads), "unequal", "pad: the shapes must be equal, and they are 3 and scalar"),
        (xla.pad(ints, scalar, &pads), "element-types", "pad: i32 and f32"),
        (xla.pad(x, scalar, &pads[..1]), "axes-count", "pad: "),
        (
            xla.pad(x, scalar, &pads),
            "value",
            "pad: an extent of 2 padded by -2, -2 and 0 between would be -2",
        ),
        (xla.concat_in_dim(&[], 0), "value", "concatenate: there is no operand"),
        (xla.concat_in_dim(&[x, x], 2), "axis-out-of-range", "concatenate: "),
        (
            xla.concat_in_dim(&[x, open], 1),
            "",
            "", // ? may be 2
        ),
        (xla.dynamic_slice(x, &[row, row], &[1, 1]), "unequal", "dynamic_slice: "),
        (
            xla.dynamic_slice(x, &[scalar, scalar], &[1, 1]),
            "not-taken",
            "dynamic_slice: it takes no elements of type f32",
        ),
        (xla.dynamic_slice(x, &[], &[1, 1]), "axes-count", "dynamic_slice: "),
        (xla.dynamic_slice(x, &[scalar, scalar], &[3, 1]), "index-out-of-range", "dynamic_slice: "),
        (xla.dynamic_update_slice(x, row, &[]), "axes-count", "dynamic_update_slice: "),
        (xla.reduce(x, scalar, "add", &[2]), "axis-out-of-range", "reduce: "),
        (
            xla.reduce(x, scalar, "subtract", &[0]),
            "value",
            "reduce: there is no fold by subtract of elements of type f32",
        ),
        (xla.reduce(ints, scalar, "add", &[0]), "element-types", "reduce: i32 and f32"),
        (xla.iota(DType::Bool, &[2], 0), "not-taken", "iota: it takes no elements of type bool"),
        (xla.iota(DType::F32, &[2], 1), "axis-out-of-range", "iota: "),
        (xla.dot(x, x), "value", "dot: axis 1 of the left has extent 3 and axis 0 of the right has 2"),
        (xla.dot(scalar, x), "axis-out-of-range", "dot: "),
        (xla.dot_general(x, x, &dot(&[1], &[]), None), "axes-count", "dot_general: "),
        (xla.dot_general(x, x, &dot(&[1, 1], &[1, 0]), None), "axes-repeated", "dot_general: "),
        (
            xla.gather(x, scalar, &GatherDimensions::default(), &[1, 1]),
            "not-taken",
            "gather: it takes no elements of type f32",
        ),
        (xla.get_dimension_size(x, 2), "axis-out-of-range", "get_dimension_size: "),
        (xla.bitcast_convert_type(x, DType::F64), "value", "bitcast: 2 f32 make one f64"),
        (xla.reduce_precision(x, 0, 3), "value", "reduce_precision: there is no float of 0 bits of exponent"),
        (
            xla.parameter(3, DType::F32, "2".parse().unwrap(), "q"),
            "value",
            "parameter: the next parameter is 8",
        ),
        (
            xla.parameter(8, DType::F32, "2".parse().unwrap(), "p0"),
            "value",
            "parameter: there are two inputs called p0",
        ),
        (
            xla.constant_r2(&[&[1.0f32], &[]]),
            "value",
            "constant: the first row has 1 numbers, and another has 0",
        ),
    ];
    let mut faults = Vec::new();
    for (row, (result, expected, words)) in rows.into_iter().enumerate() {
        match result {
            Ok(_) if expected.is_empty() => {}
            Ok(_) => faults.push(format!("row {row}: taken, and should be {expected}")),
            Err(error) if kind(&error) != expected || !error.to_string().contains(words) => {
                faults.push(format!("row {row}: {}: {error}\n      {expected}: {words}", kind(&error)));
            }
            Err(_) => {}
        }
    }
    assert!(faults.is_empty(), "{} rows fail:\n  {}", faults.len(), faults.join("\n  "));
    assert!(xla.graph().len() > before);
}
