//! The page of op::Broadcast and nGraph's own tests: `type_prop`, `test/backend/broadcast.in.cpp`,
//! `builder_autobroadcast.cpp` and the adjoints.

use super::builder::*;
use super::op::*;
use super::*;
use crate::dtype::DType;
use crate::graph::{Kind, gradient};
use crate::op::Op;
use crate::tensor::Tensor;

fn floats(graph: &mut Graph, shape: &str) -> Id {
    let name = format!("x{}", graph.inputs().len());
    graph.input(&name, DType::F64, shape.parse().unwrap()).unwrap()
}

fn counted(shape: &[usize]) -> Tensor {
    let numbers: Vec<f64> = (0..shape.iter().product::<usize>()).map(|n| n as f64).collect();
    Tensor::new(shape, &numbers).unwrap()
}

fn outcome(graph: &Graph, made: Result<Id, Error>) -> String {
    match made {
        Ok(id) => graph.node(id).unwrap().shape().to_string(),
        Err(error) => error.to_string(),
    }
}

/// "For a coordinate C, let p(C) be a coordinate with the axes in broadcast_axes removed."
fn p(coordinate: &[usize], broadcast_axes: &AxisSet) -> Vec<usize> {
    (0..coordinate.len()).filter(|axis| !broadcast_axes.contains(axis)).map(|axis| coordinate[axis]).collect()
}

/// "output[C] = arg[p(C)]", as a loop over every coordinate.
fn by_definition(arg: &[usize], shape: &[usize], axes: &AxisSet) -> Vec<f64> {
    let mut coordinate = vec![0; shape.len()];
    let count: usize = shape.iter().product();
    let mut made = Vec::new();
    for _ in 0..count {
        let place = p(&coordinate, axes).iter().zip(arg).fold(0, |place, (&at, &extent)| place * extent + at);
        made.push(place as f64);
        for axis in (0..shape.len()).rev() {
            coordinate[axis] += 1;
            if coordinate[axis] < shape[axis] {
                break;
            }
            coordinate[axis] = 0;
        }
    }
    made
}

fn broadcast(arg: &[usize], shape: &[usize], axes: &AxisSet) -> Vec<f64> {
    let mut graph = Graph::new();
    let x = graph.input("arg", DType::F64, arg.into()).unwrap();
    let laid = Builder::new(&mut graph).add(Broadcast::new(x, shape, axes.iter().copied())).unwrap();
    graph.output("y", laid).unwrap();
    graph.run(&[counted(arg)]).unwrap()[0].to_vec::<f64>().unwrap()
}

#[test]
fn the_equations_of_the_page() {
    // "p([d0, d1, d2, d3, d4]) = [d0, d2, d4]" for broadcast_axes = {1, 3}.
    assert_eq!(p(&[10, 11, 12, 13, 14], &[1, 3].into()), [10, 12, 14]);
    // [a, b, c] as the rows of 2x3, and as the columns of 3x2.
    assert_eq!(broadcast(&[3], &[2, 3], &[0].into()), [0., 1., 2., 0., 1., 2.]);
    assert_eq!(broadcast(&[3], &[3, 2], &[1].into()), [0., 0., 1., 1., 2., 2.]);
}

#[test]
fn the_definition_holds_for_random_shapes() {
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    for _ in 0..300 {
        let rank = random(7);
        let shape: Vec<usize> = (0..rank).map(|_| random(4)).collect();
        let axes: AxisSet = (0..rank).filter(|_| random(2) == 0).collect();
        let arg: Vec<usize> = get_axes_mapping(&shape, &axes).into_iter().map(|axis| shape[axis]).collect();
        assert_eq!(broadcast(&arg, &shape, &axes), by_definition(&arg, &shape, &axes), "{shape:?} {axes:?}");
    }
}

/// `test/backend/broadcast.in.cpp`: shapes and axes, and the elements where the test has them.
#[test]
fn the_backend_tests() {
    let rows: &[(&[usize], &[usize], &[usize])] = &[
        (&[], &[4], &[0]),
        (&[], &[2, 2], &[0, 1]),
        (&[], &[2, 2, 2], &[0, 1, 2]),
        (&[2, 2, 2], &[2, 2, 2], &[]),
        (&[3], &[3, 4], &[1]),
        (&[4], &[3, 4], &[0]),
        (&[1], &[3, 1], &[0]),
        (&[2], &[3, 2, 4], &[0, 2]),
        (&[2], &[3, 2], &[0]),
        (&[2], &[4, 3, 2], &[0, 1]),
        (&[2], &[5, 4, 3, 2], &[0, 1, 2]),
        (&[], &[5, 4, 3, 2], &[0, 1, 2, 3]),
        (&[2], &[2, 3], &[1]),
        (&[2], &[2, 3, 4], &[1, 2]),
        (&[2], &[2, 3, 4, 5], &[1, 2, 3]),
        (&[4, 5], &[2, 3, 4, 5], &[0, 1]),
        (&[3, 5], &[2, 3, 4, 5], &[0, 2]),
        (&[3, 4], &[2, 3, 4, 5], &[0, 3]),
        (&[2, 4], &[2, 3, 4, 5], &[1, 3]),
        (&[2, 3, 4], &[5, 2, 3, 4], &[0]),
        (&[2, 3, 4], &[2, 5, 3, 4], &[1]),
        (&[2, 3, 4], &[2, 3, 5, 4], &[2]),
    ];
    for &(arg, shape, axes) in rows {
        let axes: AxisSet = axes.iter().copied().collect();
        assert_eq!(broadcast(arg, shape, &axes), by_definition(arg, shape, &axes), "{arg:?} {shape:?}");
    }
    // matrix_0, matrix_1, matrix_2.
    assert_eq!(broadcast(&[2, 2], &[2, 2, 2], &[0].into()), [0., 1., 2., 3., 0., 1., 2., 3.]);
    assert_eq!(broadcast(&[2, 2], &[2, 2, 2], &[1].into()), [0., 1., 0., 1., 2., 3., 2., 3.]);
    assert_eq!(broadcast(&[2, 2], &[2, 2, 2], &[2].into()), [0., 0., 1., 1., 2., 2., 3., 3.]);
}

/// `type_prop/broadcast.cpp`, with arguments that are known, partly known, and not known.
#[test]
fn what_is_inferred() {
    let mut wrong = Vec::new();
    for (arg, shape, axes, expected) in [
        ("2x4", &[2, 3, 4][..], &[1][..], "2x3x4"),
        ("2x4", &[2, 3, 4], &[1, 3], "! 3"),
        ("2x4", &[2, 3, 4, 5], &[1], "! 2"),
        ("2x4", &[2, 3, 5], &[1], "! 4"),
        ("...", &[2, 3, 4], &[1], "2x3x4"),
        ("...", &[2, 3, 4], &[1, 3], "! 3"),
        ("...", &[2, 3, 4, 5], &[1], "2x3x4x5"),
        ("?x4", &[2, 3, 4], &[1], "2x3x4"),
        ("?x4", &[2, 3, 4], &[1, 3], "! 3"),
        ("?x4", &[2, 3, 4, 5], &[1], "! 2"),
        ("?x4", &[2, 3, 5], &[1], "! 4"),
        // No extent of 1 stretches.
        ("1x3", &[2, 3], &[], "! 1"),
        ("1", &[3, 1], &[0], "3x1"),
        ("0", &[2, 0], &[0], "2x0"),
    ] {
        let mut graph = Graph::new();
        let x = floats(&mut graph, arg);
        let mut node = Broadcast::new(x, shape, axes.iter().copied());
        let validated = node.validate_and_infer_types(&graph);
        let found = match validated {
            Ok(()) => node.output().unwrap().shape.to_string(),
            Err(error) => error.to_string(),
        };
        let made = Builder::new(&mut graph).add(node);
        let made = outcome(&graph, made);
        let good = expected.strip_prefix("! ").map_or(found == expected, |part| found.contains(part));
        if !good || made != found {
            wrong.push(format!("{arg} {shape:?} {axes:?}: {found}; made {made}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_interface_of_the_page() {
    let mut graph = Graph::new();
    let arg = floats(&mut graph, "3");
    let mut node = Broadcast::new_default();
    assert_eq!(node, Broadcast::default());
    assert_eq!((node.description(), node.inputs().len(), node.output()), ("Broadcast", 0, None));
    let error = node.validate_and_infer_types(&graph).unwrap_err().to_string();
    assert_eq!(error, "Broadcast: it takes 1 argument, and 0 are given");
    node.set_argument(arg);
    node.set_broadcast_shape(&[2, 3]);
    node.set_broadcast_axes([0, 0]);
    node.validate_and_infer_types(&graph).unwrap();
    assert_eq!(node.inputs(), [arg]);
    assert_eq!(node.broadcast_axes(), &[0].into());
    assert_eq!(node.broadcast_shape(), [2, 3]);
    assert_eq!(node.attributes(), [("shape", "[2, 3]".to_owned()), ("broadcast_axes", "[0]".to_owned())]);
    let output = node.output().unwrap();
    assert_eq!((output.element_type, output.shape.to_string()), (DType::F64, "2x3".to_owned()));
}

/// An argument of unknown extents is checked when it runs.
#[test]
fn an_argument_that_does_not_fit_is_an_error_when_it_runs() {
    let mut graph = Graph::new();
    let x = floats(&mut graph, "?");
    let laid = Builder::new(&mut graph).add(Broadcast::new(x, &[2, 3], [0])).unwrap();
    graph.output("y", laid).unwrap();
    assert_eq!(graph.run(&[counted(&[3])]).unwrap()[0].shape(), [2, 3]);
    assert!(graph.run(&[counted(&[4])]).is_err());
    assert!(graph.run(&[counted(&[1])]).is_err());
}

#[test]
fn dyn_broadcast() {
    let i64s = |graph: &mut Graph, name: &str| graph.input(name, DType::I64, "?".parse().unwrap()).unwrap();
    // dyn_broadcast.in.cpp
    for (arg, shape, axes) in [
        (&[][..], &[2, 2][..], &[0, 1][..]),
        (&[], &[2, 2, 2], &[0, 1, 2]),
        (&[2], &[3, 2], &[0]),
        (&[2], &[2, 3], &[1]),
    ] {
        let mut graph = Graph::new();
        let x = graph.input("arg", DType::F64, arg.into()).unwrap();
        let (to, along) = (i64s(&mut graph, "shape"), i64s(&mut graph, "axes"));
        let node = DynBroadcast { arg: x, shape: to, broadcast_axes: along };
        let laid = Builder::new(&mut graph).add(node).unwrap();
        assert_eq!(graph.node(laid).unwrap().shape().rank(), None);
        graph.output("y", laid).unwrap();
        let list = |numbers: &[usize]| {
            let numbers: Vec<i64> = numbers.iter().map(|&n| i64::try_from(n).unwrap()).collect();
            Tensor::new(&[numbers.len()], &numbers).unwrap()
        };
        let made = graph.run(&[counted(arg), list(shape), list(axes)]).unwrap();
        let set: AxisSet = axes.iter().copied().collect();
        assert_eq!(made[0].to_vec::<f64>().unwrap(), by_definition(arg, shape, &set));
    }
    // What is known is inferred, and what is not as it must be is refused.
    let mut graph = Graph::new();
    let x = floats(&mut graph, "2x4");
    let [shape, long, axes, none] =
        [&[2, 3, 4][..], &[2, 3, 5], &[1], &[1, 3]].map(|list| graph.integers(list).unwrap());
    let later = i64s(&mut graph, "later");
    let truth = graph.input("truth", DType::Bool, "3".parse().unwrap()).unwrap();
    let matrix = graph.input("matrix", DType::I64, "2x2".parse().unwrap()).unwrap();
    for (shape, axes, part) in [
        (shape, axes, "2x3x4"),
        (shape, later, "2x3x4"),
        (later, axes, "..."),
        (long, axes, "DynBroadcast: ngraph.dyn-broadcast"),
        (shape, none, "3"),
        (truth, truth, "shape is of i64, and this is of bool"),
        (shape, truth, "axes is of i64, and this is of bool"),
        (matrix, matrix, "shape has one axis, and this has 2"),
        (shape, matrix, "axes has one axis, and this has 2"),
    ] {
        let made = Builder::new(&mut graph).add(DynBroadcast { arg: x, shape, broadcast_axes: axes });
        let found = outcome(&graph, made);
        assert!(found.contains(part), "{found}, not {part}");
    }
}

#[test]
fn broadcast_like() {
    for (arg, like, axes, part) in [
        ("3", "3x4", &[][..], "3x4"),
        ("scalar", "3x4", &[], "3x4"),
        ("3", "2x3", &[], "BroadcastLike: ngraph.broadcast-like"),
        ("3", "2x3", &[0], "2x3"),
        ("1", "4", &[], "BroadcastLike"),
    ] {
        let mut graph = Graph::new();
        let (arg, like) = (floats(&mut graph, arg), floats(&mut graph, like));
        let initial_axes = axes.iter().copied().collect();
        let made = Builder::new(&mut graph).add(BroadcastLike { arg, like, initial_axes });
        assert!(outcome(&graph, made).contains(part), "{part}");
    }
}

/// The axes of the nodes of a kind that a graph has.
fn axes_of(graph: &Graph, of: impl Fn(&Kind) -> Option<Vec<usize>>) -> Vec<Vec<usize>> {
    graph.nodes().filter_map(|(_, node)| of(node.kind())).collect()
}

/// "arg <- Sum(delta, broadcast_axes)", and of Sum: Broadcast(delta, shape of x, reduction_axes).
#[test]
fn the_adjoints_of_the_page() {
    for (arg, shape, axes) in [
        (&[3][..], &[2, 3][..], &[0][..]),
        (&[3], &[3, 2], &[1]),
        (&[2, 4], &[2, 3, 4, 5], &[1, 3]),
        (&[], &[2, 2], &[0, 1]),
    ] {
        let set: AxisSet = axes.iter().copied().collect();
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F64, arg.into()).unwrap();
        let w = graph.input("w", DType::F64, shape.into()).unwrap();
        let mut builder = Builder::new(&mut graph);
        let laid = builder.add(Broadcast::new(x, shape, axes.iter().copied())).unwrap();
        let y = builder.add(Elementwise::new(Op::Multiply, &[laid, w], AutoBroadcastType::None)).unwrap();
        graph.output("y", y).unwrap();
        let back = gradient(&graph, "y", Some(&["x"])).unwrap();
        let sums = axes_of(&back, |kind| match kind {
            Kind::Reduce(reduce) => Some(reduce.axes.clone()),
            _ => None,
        });
        assert_eq!(sums, [axes], "{back}");
        // delta is w, so that is what is summed.
        let mut sum = Graph::new();
        let delta = sum.input("w", DType::F64, shape.into()).unwrap();
        let made = Builder::new(&mut sum).add(Sum { arg: delta, reduction_axes: set.clone() }).unwrap();
        sum.output("sum", made).unwrap();
        let (x_value, delta_value) = (counted(arg), counted(shape));
        let found = back.run(&[x_value.clone(), delta_value.clone()]).unwrap();
        let expected = sum.run(&[delta_value]).unwrap();
        assert_eq!(found[0].to_vec::<f64>().unwrap(), expected[0].to_vec::<f64>().unwrap());
        assert_eq!(found[0].shape(), arg);
        // And the sum's own: delta laid over the shape again.
        let back = gradient(&sum, "sum", Some(&["w"])).unwrap();
        let news = axes_of(&back, |kind| match kind {
            Kind::Broadcast(broadcast) => Some(broadcast.repeated()),
            _ => None,
        });
        let reached: AxisSet = news.into_iter().flatten().collect();
        assert!(reached.is_superset(&set), "{back}");
        let ones = back.run(&[counted(shape)]).unwrap();
        assert_eq!(ones[0].to_vec::<f64>().unwrap(), vec![1.0; shape.iter().product()]);
    }
}

/// <B x, y> = <x, B' y>, with numbers that are exact.
#[test]
fn sum_is_the_adjoint_of_broadcast() {
    for (arg, shape, axes) in [(&[2, 4][..], &[2, 3, 4][..], &[1][..]), (&[3], &[4, 3, 2], &[0, 2])] {
        let set: AxisSet = axes.iter().copied().collect();
        let laid = broadcast(arg, shape, &set);
        let y: Vec<f64> = (0..laid.len()).map(|n| ((n * 7) % 5) as f64).collect();
        let left: f64 = laid.iter().zip(&y).map(|(a, b)| a * b).sum();
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F64, shape.into()).unwrap();
        let sum = Builder::new(&mut graph).add(Sum { arg: x, reduction_axes: set }).unwrap();
        graph.output("sum", sum).unwrap();
        let summed = graph.run(&[Tensor::new(shape, &y).unwrap()]).unwrap()[0].to_vec::<f64>().unwrap();
        let right: f64 = summed.iter().enumerate().map(|(n, b)| n as f64 * b).sum();
        assert_eq!(left, right);
    }
}

/// `auto_bcast_binary_elementwise(_pdpd)`, and where nGraph's PDPD is not OpenVINO's.
#[test]
fn auto_broadcast() {
    let mut wrong = Vec::new();
    for (a, b, auto, expected) in [
        ("2x3", "3", AutoBroadcastType::Numpy.into(), "2x3"),
        ("3", "2x3", AutoBroadcastType::Numpy.into(), "2x3"),
        ("2x3", "3", AutoBroadcastSpec::pdpd(1), "2x3"),
        ("2x3", "3", AutoBroadcastSpec::default(), "! openvino.eltwise.none"),
        ("2x3", "2x3", AutoBroadcastSpec::default(), "2x3"),
        ("2x3x4x5", "3x4", AutoBroadcastSpec::pdpd(1), "2x3x4x5"),
        ("2x3x4x5", "3x1", AutoBroadcastSpec::pdpd(1), "2x3x4x5"),
        ("2x3x4x5", "4x5x1", AutoBroadcastSpec::pdpd(2), "2x3x4x5"),
        ("2x3", "2x3", AutoBroadcastSpec::pdpd(1), "2x3"),
        ("2x3x4x5", "3x1x5", AutoBroadcastSpec::pdpd(1), "! ngraph.broadcast"),
        ("2x3x4x5", "3x4", AutoBroadcastSpec::pdpd(2), "! ngraph.broadcast"),
        ("2x3x4x?", "3x4", AutoBroadcastSpec::pdpd(1), "2x3x4x?"),
        ("6x7", "2x3", AutoBroadcastType::Numpy.into(), "! 6"),
    ] {
        let mut graph = Graph::new();
        let (x, y) = (floats(&mut graph, a), floats(&mut graph, b));
        let node = Elementwise::new(Op::Add, &[x, y], auto);
        let inferred = node.infer(&graph).map(|output| output.shape.to_string());
        let made = Builder::new(&mut graph).add(node);
        let found = outcome(&graph, made);
        let good = expected.strip_prefix("! ").map_or(found == expected, |part| found.contains(part));
        if !good || inferred.as_ref().is_ok_and(|shape| *shape != found) {
            wrong.push(format!("{a} {b} {auto:?}: {found}; {inferred:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let node = Elementwise::new(Op::Add, &[], AutoBroadcastSpec::pdpd(2));
    assert_eq!(node.attributes(), [("auto_broadcast", "PDPD 2".to_owned())]);
    assert_eq!(node.auto_broadcast().axis, 2);
}

/// `auto_bcast_binary_elementwise(_pdpd)`: every operation of the test, laid by NumPy's rule and by PDPD's.
#[test]
fn every_binary_operation_lays_its_arguments() {
    for op in [
        Op::Add,
        Op::Subtract,
        Op::Multiply,
        Op::Divide,
        Op::Maximum,
        Op::Minimum,
        Op::Pow,
        Op::Equal,
        Op::Greater,
        Op::GreaterEqual,
        Op::Less,
        Op::LessEqual,
        Op::NotEqual,
    ] {
        for auto in [AutoBroadcastType::Numpy.into(), AutoBroadcastSpec::pdpd(1)] {
            let run = |shapes: [&[usize]; 2], auto: AutoBroadcastSpec, given: &[Tensor]| {
                let mut graph = Graph::new();
                let [x, y] = shapes.map(|shape| {
                    let name = format!("x{}", graph.inputs().len());
                    graph.input(&name, DType::F64, shape.into()).unwrap()
                });
                let made = Builder::new(&mut graph).add(Elementwise::new(op, &[x, y], auto)).unwrap();
                graph.output("y", made).unwrap();
                graph.run(given).unwrap().remove(0)
            };
            let row = Tensor::new(&[3], &[2.0f64, 0.5, 4.0]).unwrap();
            let rows = Tensor::new(&[2, 3], &[2.0f64, 0.5, 4.0, 2.0, 0.5, 4.0]).unwrap();
            let made = run([&[2, 3], &[3]], auto, &[counted(&[2, 3]), row]);
            let whole = run([&[2, 3], &[2, 3]], AutoBroadcastType::None.into(), &[counted(&[2, 3]), rows]);
            assert_eq!(made.shape(), [2, 3]);
            assert_eq!(made.to_string(), whole.to_string(), "{op:?} {auto:?}");
        }
    }
}

/// `builder_autobroadcast.cpp`.
#[test]
fn builder_autobroadcast() {
    let shapes = |graph: &Graph, ids: &[Id]| -> Vec<String> {
        ids.iter().map(|&id| graph.node(id).unwrap().shape().to_string()).collect()
    };
    for (a, b, shape) in [
        ("3", "2x3", "2x3"),
        ("3x4", "2x3x4", "2x3x4"),
        ("2x1x4x5", "2x3x4x1", "2x3x4x5"),
        ("2x3x1x5", "3x1x5", "2x3x1x5"),
    ] {
        let mut graph = Graph::new();
        let (x, y) = (floats(&mut graph, a), floats(&mut graph, b));
        let (l, r) = numpy_broadcast(&mut graph, (x, y)).unwrap();
        assert_eq!(shapes(&graph, &[l, r]), [shape, shape]);
        let sum = make_with_numpy_broadcast(&mut graph, Op::Add, &[x, y]).unwrap();
        assert_eq!(shapes(&graph, &[sum]), [shape]);
        // What has the shape is itself.
        if b == shape {
            assert_eq!(r, y);
        }
    }
    let mut graph = Graph::new();
    let (x, y) = (floats(&mut graph, "2x3x4x5"), floats(&mut graph, "6x7x8x9"));
    assert!(numpy_broadcast(&mut graph, (x, y)).unwrap_err().to_string().contains("numpy_broadcast_outputs"));
    let z = floats(&mut graph, "2x3x4x5");
    assert_eq!(numpy_broadcast(&mut graph, (x, z)).unwrap(), (x, z));
    for (l, r, expected) in [
        ("3x1x4x6", "6x5", ["3x1x4x6", "3x1x6x5"]),
        ("3x1x4x6", "2x6x5", ["3x2x4x6", "3x2x6x5"]),
        ("4x6", "6x5", ["4x6", "6x5"]),
    ] {
        let (l, r) = (floats(&mut graph, l), floats(&mut graph, r));
        let (l, r) = numpy_broadcast_for_matmul_operation(&mut graph, l, r).unwrap();
        assert_eq!(shapes(&graph, &[l, r]), expected);
    }
    let row = floats(&mut graph, "3");
    assert!(numpy_broadcast_for_matmul_operation(&mut graph, row, x).is_err());
    for (b, axis) in [("scalar", 3), ("1x1x1", 1), ("5", 3), ("4x5", 2), ("3x4", 1), ("2", 0)] {
        let right = floats(&mut graph, b);
        let made = legacy_broadcast_for_binary_operation(&mut graph, x, right, axis);
        let (left, right) = made.unwrap_or_else(|error| panic!("{b} at {axis}: {error}"));
        assert_eq!((left, &shapes(&graph, &[right])[0][..]), (x, "2x3x4x5"));
    }
    let four = floats(&mut graph, "4");
    assert!(legacy_broadcast_for_binary_operation(&mut graph, x, four, 3).is_err());
    let laid = pdpd_broadcast(&mut graph, &[x, four], 2).unwrap();
    assert_eq!(shapes(&graph, &laid), ["2x3x4x5", "2x3x4x5"]);
    let to = numpy_broadcast_to(&mut graph, four, &[3, 1]).unwrap();
    assert_eq!(shapes(&graph, &[to]), ["3x4"]);
    assert_eq!(numpy_broadcast_to(&mut graph, four, &[1]).unwrap(), four);
    let made = make_broadcast_at(&mut graph, four, &[2, 4, 3], 1).unwrap();
    assert_eq!(shapes(&graph, &[made]), ["2x4x3"]);
    assert!(
        make_broadcast_at(&mut graph, four, &[2, 4], 2).unwrap_err().to_string().contains("make_broadcast")
    );
    let mapping = get_axes_mapping_output(&mut graph, &[3, 5, 4, 6], &[0, 2].into()).unwrap();
    assert_eq!(graph.node(mapping).unwrap().integers(), Some(vec![1, 3]));
    let truth = graph.input("truth", DType::Bool, "2x4".parse().unwrap()).unwrap();
    let column = floats(&mut graph, "2x1");
    let chosen = make_with_numpy_broadcast(&mut graph, Op::Where, &[truth, column, four]).unwrap();
    assert_eq!(shapes(&graph, &[chosen]), ["2x4"]);
}
