//! Parts of arrays and what lies around them, where extents, ends and paddings are known only when a graph runs.

use super::*;
use crate::graph::Id;
use crate::graph::kind::{Fit, Insert, InsertBy, Slice, SliceBy};
use crate::op::Op;

/// Parts of open extents, taken and put: from either end, beyond the ends, with steps, backwards, and empty.
#[test]
fn parts_of_open_extents() {
    let indices = [
        "1:",
        ":3",
        "-2:",
        ":-4",
        "1:-1:2",
        "2:1",
        "5:",
        "12:",
        "::3",
        "1:6:3",
        "::-1",
        "::-2",
        "-1::-3",
        "3:0:-1",
        "-2:-9:-2",
        "0:2:-1",
        "..., -1",
        "0",
        "..., 1:9223372036854775807:2",
        "1:, newaxis, ::-2",
        "-3, 1:",
        "9223372036854775807::-1",
        "9223372036854775807::-3, 1:",
        ":9223372036854775807:-1",
        "9223372036854775807",
    ];
    for (shape, extents) in [("?x?", [0, 1, 2, 3, 7].as_slice()), ("?x7", &[0, 1, 2, 5, 7])] {
        for index in indices {
            let mut graph = Graph::new();
            let x = graph.input("x", DType::I32, shape.parse().unwrap()).unwrap();
            let zero = graph.number(0, DType::I32).unwrap();
            let index = ndcast_shape::parse_index(index).unwrap();
            let part = graph.add(Slice { index: index.clone() }, &[x]).unwrap();
            let double = graph.apply(Op::Add, &[x, x]).unwrap();
            let among = graph.add(Insert { index: index.clone() }, &[double, part]).unwrap();
            let zeros = graph.add(Fit::join(2, 0), &[zero, x]).unwrap();
            let padded = graph.add(Insert { index: index.clone() }, &[zeros, part]).unwrap();
            for (place, id) in [part, among, padded].into_iter().enumerate() {
                graph.output(&place.to_string(), id).unwrap();
            }
            let (text, second) = again(&graph);
            assert!(!text.contains("bounds"), "{text}");
            for &extent in extents {
                let extents = [extent, 7];
                let values: Vec<i32> = (1..).take(extents.iter().product()).collect();
                let x = Tensor::new(&extents, &values).unwrap();
                let [wanted, found] = [&graph, &second].map(|graph| graph.run(std::slice::from_ref(&x)));
                // An element that is not there is an error of the one.
                let Ok(wanted) = wanted else { continue };
                let found = found.unwrap_or_else(|error| panic!("{index:?} of {extents:?}: {error}\n{text}"));
                for (found, wanted) in found.iter().zip(&wanted) {
                    let found = (found.shape(), numbers(found));
                    assert_eq!(found, (wanted.shape(), numbers(wanted)), "{index:?} of {extents:?}\n{text}");
                }
            }
        }
    }
}

/// A part by computed ends along axes, and its place in twice the array, as outputs; written and read again.
fn part_and_among(graph: &mut Graph, axes: &[usize], [x, starts, stops, steps]: [Id; 4]) -> (String, Graph) {
    let axes = axes.to_vec();
    let part = graph.add(SliceBy { axes: axes.clone() }, &[x, starts, stops, steps]).unwrap();
    let double = graph.apply(Op::Add, &[x, x]).unwrap();
    let among = graph.add(InsertBy { axes }, &[double, part, starts, stops, steps]).unwrap();
    graph.output("part", part).unwrap();
    graph.output("among", among).unwrap();
    again(graph)
}

/// The same by numbers that are computed.
#[test]
fn parts_by_computed_ends() {
    for steps in [[1i64, 1], [2, 3]] {
        let mut graph = Graph::new();
        let x = graph.input("x", DType::I32, "?x?".parse().unwrap()).unwrap();
        let [starts, stops] =
            ["starts", "stops"].map(|name| graph.input(name, DType::I64, "2".parse().unwrap()).unwrap());
        let steps = graph.integers(&steps).unwrap();
        let (text, second) = part_and_among(&mut graph, &[1, 0], [x, starts, stops, steps]);
        for (starts, stops) in [([0, 0], [3, 9]), ([1, -3], [-1, -1]), ([2, 5], [1, 9]), ([-9, 1], [9, 4])] {
            let [starts, stops] = [starts, stops].map(|ends: [i64; 2]| Tensor::new(&[2], &ends).unwrap());
            let x = Tensor::new(&[4, 6], &(1..25).collect::<Vec<i32>>()).unwrap();
            let inputs = [x, starts, stops];
            let [wanted, found] = [&graph, &second].map(|graph| graph.run(&inputs).unwrap());
            for (found, wanted) in found.iter().zip(&wanted) {
                assert_eq!((found.shape(), numbers(found)), (wanted.shape(), numbers(wanted)), "{text}");
            }
        }
    }
}

/// A part of a size that is known, from a computed start on, ends with its array; only where its start was moved before, so
/// that it does not, a `dynamic_slice` gives the same.
#[test]
fn parts_of_a_size_from_computed_starts() {
    for (shape, steps, size) in [("5", 1, 2), ("?", 1, 2), ("5", 2, 4), ("5", 1, 5), ("5", 1, 6)] {
        let mut graph = Graph::new();
        let x = graph.input("x", DType::I32, shape.parse().unwrap()).unwrap();
        let starts = graph.input("starts", DType::I64, "1".parse().unwrap()).unwrap();
        let [size, steps] = [size, steps].map(|n| graph.integers(&[n]).unwrap());
        let stops = graph.apply(Op::Add, &[starts, size]).unwrap();
        let (text, second) = part_and_among(&mut graph, &[0], [x, starts, stops, steps]);
        assert!(!text.contains("stablehlo.dynamic_slice"), "{text}");
        for start in [-9i64, -5, -2, -1, 0, 1, 3, 4, 5, 9] {
            let inputs = [Tensor::new(&[5], &[1, 2, 3, 4, 5]).unwrap(), Tensor::new(&[1], &[start]).unwrap()];
            let [wanted, found] = [&graph, &second].map(|graph| graph.run(&inputs).unwrap());
            for (found, wanted) in found.iter().zip(&wanted) {
                let found = (found.shape(), numbers(found));
                assert_eq!(found, (wanted.shape(), numbers(wanted)), "{start}\n{text}");
            }
        }
    }
}

#[test]
fn clamped_starts_are_those_of_a_dynamic_slice() {
    for [a, b] in [["5", "7"], ["?", "7"], ["?", "?"]] {
        let text = format!(
            "func.func @main(%x: tensor<{a}x{b}xi32>, %s: tensor<i32>, %t: tensor<i32>) -> tensor<{a}x{b}xi32> {{
               %y = stablehlo.dynamic_slice %x, %s, %t, sizes = [2, 3]
                 : (tensor<{a}x{b}xi32>, tensor<i32>, tensor<i32>) -> tensor<2x3xi32>
               %z = stablehlo.add %y, %y : tensor<2x3xi32>
               %w = stablehlo.dynamic_update_slice %x, %z, %s, %t
                 : (tensor<{a}x{b}xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> tensor<{a}x{b}xi32>
               return %w : tensor<{a}x{b}xi32>
             }}"
        );
        let graph = read(&text).unwrap();
        let (written, second) = again(&graph);
        let is_there =
            ["stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice"].map(|name| written.contains(name));
        assert!(is_there == [true; 2] && !written.contains("real_dynamic_slice"), "{written}");
        for starts in [[0, 0], [3, 4], [4, 5], [-1, 9]] {
            let mut inputs = vec![Tensor::new(&[5, 7], &(1..36).collect::<Vec<i32>>()).unwrap()];
            inputs.extend(starts.map(|start: i32| Tensor::new(&[], &[start]).unwrap()));
            let [wanted, found] = [&graph, &second].map(|graph| graph.run(&inputs).unwrap());
            assert_eq!(numbers(&found[0]), numbers(&wanted[0]), "{starts:?}\n{written}");
        }
    }
}

/// Paddings that are computed are those that are numbers: negative ones take away what they and those between have put.
#[test]
fn paddings_that_are_operands() {
    let text = r#"func.func @main(%x: tensor<?xi32>, %low: tensor<1xi32>, %high: tensor<1xi32>, %between: tensor<1xi32>)
        -> tensor<?xi32> {
      %v = stablehlo.constant dense<9> : tensor<i32>
      %y = stablehlo.dynamic_pad %x, %v, %low, %high, %between
        : (tensor<?xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
      return %y : tensor<?xi32>
    }"#;
    let computed = read(text).unwrap();
    for (low, high, between) in
        [(1, 2, 0), (0, 0, 2), (-2, 1, 1), (-1, -3, 2), (2, -4, 1), (-1, -1, 0), (3, -3, 0)]
    {
        let known = format!(
            r#"func.func @main(%x: tensor<3xi32>) -> tensor<?xi32> {{
              %v = stablehlo.constant dense<9> : tensor<i32>
              %y = stablehlo.pad %x, %v, low = [{low}], high = [{high}], interior = [{between}]
                : (tensor<3xi32>, tensor<i32>) -> tensor<?xi32>
              return %y : tensor<?xi32>
            }}"#
        );
        let x = Tensor::new(&[3], &[1, 2, 3]).unwrap();
        let wanted = read(&known).unwrap().run(std::slice::from_ref(&x)).unwrap();
        let paddings = [low, high, between].map(|n: i32| Tensor::new(&[1], &[n]).unwrap());
        let inputs: Vec<Tensor> = std::iter::once(x).chain(paddings).collect();
        let found = computed.run(&inputs).unwrap();
        assert_eq!(numbers(&found[0]), numbers(&wanted[0]), "{low} {high} {between}");
    }
    let none = [0usize, 1, 1, 1].map(|n| Tensor::new(&[n], &vec![2; n]).unwrap());
    assert_eq!(numbers(&computed.run(&none).unwrap()[0]), [9.0; 4]);
    let padded = |paddings: [i32; 3]| {
        let x = Tensor::new(&[3], &[1, 2, 3]).unwrap();
        let paddings = paddings.map(|n| Tensor::new(&[1], &[n]).unwrap());
        computed.run(&std::iter::once(x).chain(paddings).collect::<Vec<_>>())
    };
    let error = padded([-2, -3, 0]).unwrap_err().to_string();
    assert!(error.contains("the target has the extent -2, and none is negative"), "{error}");
    for (between, reason) in [(-1, "a step is 0"), (-2, "the target has the extent -1, and none is negative")]
    {
        let error = padded([0, 0, between]).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    // Of those that are known one is seen before anything runs.
    let negative = text
        .replace(
            "dense<9> : tensor<i32>",
            "dense<9> : tensor<i32>
      %m = stablehlo.constant dense<-1> : tensor<1xi32>",
        )
        .replace("%low, %high, %between\n", "%low, %high, %m\n");
    let error = read(&negative).unwrap_err().to_string();
    assert!(error.contains("-1 elements between two"), "{error}");
}

/// Paddings between elements of an open extent, of which some are lost.
#[test]
fn paddings_of_an_open_extent() {
    for (low, high) in [(-1, 0), (0, -2), (-3, 1)] {
        let [open, known] = ["?", "3"].map(|extent| {
            read(&format!(
                "func.func @main(%x: tensor<{extent}xi32>) -> tensor<?xi32> {{
                   %v = stablehlo.constant dense<9> : tensor<i32>
                   %y = stablehlo.pad %x, %v, low = [{low}], high = [{high}], interior = [1]
                     : (tensor<{extent}xi32>, tensor<i32>) -> tensor<?xi32>
                   return %y : tensor<?xi32>
                 }}"
            ))
            .unwrap()
        });
        let x = [Tensor::new(&[3], &[1, 2, 3]).unwrap()];
        let [open, known] = [open, known].map(|graph| numbers(&graph.run(&x).unwrap()[0]));
        assert_eq!(open, known, "{low} {high}");
    }
}

/// Numbers beside which one more is none.
#[test]
fn paddings_of_an_open_extent_that_no_number_holds() {
    let (least, most) = (i64::MIN, i64::MAX);
    for (low, high, between) in
        [(least, 0, 0), (0, least, 0), (0, 0, most), (most, most, 0), (-2, least + 1, 0)]
    {
        let text = format!(
            "func.func @main(%x: tensor<?xi32>) -> tensor<?xi32> {{
               %v = stablehlo.constant dense<9> : tensor<i32>
               %y = stablehlo.pad %x, %v, low = [{low}], high = [{high}], interior = [{between}]
                 : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
               return %y : tensor<?xi32>
             }}"
        );
        let error = read(&text).unwrap_err().to_string();
        let expected = format!("pad: an extent is not padded by {low}, {high} and {between} between: ");
        assert!(error.contains(&expected), "{error}");
    }
}

/// A part whose extent is known along one axis, beside one along which it is not.
#[test]
fn parts_are_known_axis_by_axis() {
    let text = r"func.func @main(%a: tensor<?x9xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
      %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x9xf32>) -> tensor<i32>
      %m = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
      %c = stablehlo.constant dense<7> : tensor<1xi32>
      %s = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
      %d = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
      %l = stablehlo.concatenate %m, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %p = stablehlo.real_dynamic_slice %a, %s, %l, %d
        : (tensor<?x9xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x3xf32>
      %r = stablehlo.add %p, %b : tensor<?x3xf32>
      return %r : tensor<?x3xf32>
    }";
    let a = Tensor::new(&[2, 9], &(1u16..19).map(f32::from).collect::<Vec<_>>()).unwrap();
    let b = Tensor::new(&[1, 3], &[100.0f32, 200.0, 300.0]).unwrap();
    assert_eq!(numbers(&read(text).unwrap().run(&[a, b]).unwrap()[0]), [111.0, 213.0, 315.0]);
    let error =
        read(&text.replace("[1, 2]> : tensor<2xi32>", "[1, 0]> : tensor<2xi32>")).unwrap_err().to_string();
    assert!(error.contains("a step is 0"), "{error}");
}
