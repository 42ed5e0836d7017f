//! Graphs written as models and read again.

use super::*;
use crate::array::Keep;
use crate::convert::Overflow;
use crate::graph::Output;
use crate::graph::kind::*;
use crate::op::Op;
use crate::reduction::Reduction;

#[test]
fn what_was_read_is_written_and_read_again() {
    let mut wrong = Vec::new();
    for name in names() {
        let (xml, bin) = files(&name);
        let graph = read(&xml, &bin).unwrap();
        let (xml, bin) = match write(&graph) {
            Ok(written) => written,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        match read(&xml, &bin) {
            Ok(again) => {
                let names = |graph: &Graph| -> Vec<String> {
                    graph.outputs().iter().map(|output| output.name().to_owned()).collect()
                };
                assert_eq!(names(&again), names(&graph), "{name}");
                wrong.extend(differences(&again, &name));
                // What is written of that is the same text.
                let (third, third_bin) = write(&again).unwrap();
                let fourth = read(&third, &third_bin).unwrap();
                let fifth = write(&fourth).unwrap().0;
                if fifth != third {
                    wrong.push(format!("{name}: not the same text again"));
                }
            }
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
        // For OpenVINO itself to look at: tools/openvino/make_models.py --check FOLDER.
        if let Ok(folder) = std::env::var("NDCAST_WRITE_MODELS") {
            fs::write(PathBuf::from(&folder).join(format!("{name}.xml")), xml).unwrap();
            fs::write(PathBuf::from(&folder).join(format!("{name}.bin")), bin).unwrap();
        }
    }
    none("written", &wrong);
}

/// A graph of one input, and what it gives before and after.
fn there_and_back(
    make: impl Fn(&mut Graph, crate::graph::Id) -> Result<crate::graph::Id, Error>,
    shape: &str,
) -> String {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, shape.parse().unwrap()).unwrap();
    let y = make(&mut graph, x).unwrap();
    graph.output("y", y).unwrap();
    let (xml, bin) = write(&graph).unwrap();
    let again = read(&xml, &bin).unwrap_or_else(|error| panic!("{error}\n{xml}"));
    let values: Vec<f32> = (0..24).map(|n| n as f32 / 8.0 - 1.0).collect();
    let input = Tensor::new(&[2, 3, 4], &values).unwrap();
    let inputs = [input];
    let (before, after) = (graph.run(&inputs).unwrap(), again.run(&inputs).unwrap());
    assert_eq!((before[0].shape(), before[0].dtype()), (after[0].shape(), after[0].dtype()), "{xml}");
    let near =
        |(a, b): (f64, f64)| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-5 * b.abs().max(1.0);
    let mut pairs = numbers(&before[0]).into_iter().zip(numbers(&after[0]));
    assert!(pairs.all(near), "{graph}\n{xml}");
    xml
}

/// Every operation of floats that OpenVINO has or that is made of such.
#[test]
fn operations() {
    let mut without = Vec::new();
    for &op in Op::ALL {
        if op.result(DType::F32).is_none() || op == Op::Where {
            continue;
        }
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F32, "2x3x4".parse().unwrap()).unwrap();
        let arguments: Vec<_> = op
            .record()
            .arguments
            .iter()
            .map(|argument| match argument.default {
                Some(number) => graph.full_like(number, x).unwrap(),
                None => x,
            })
            .collect();
        let y = graph.apply(op, &arguments).unwrap();
        graph.output("y", y).unwrap();
        if write(&graph).is_err() {
            without.push(op.record().name);
            continue;
        }
        let arrays = op.record().arguments.iter().filter(|argument| argument.default.is_none()).count();
        there_and_back(
            |graph, x| {
                let mut arguments = vec![x; arrays];
                for argument in op.record().arguments.iter().filter_map(|argument| argument.default) {
                    arguments.push(graph.full_like(argument, x)?);
                }
                graph.apply(op, &arguments)
            },
            "2x?x4",
        );
    }
    assert_eq!(
        without,
        [
            "nextafter",
            "reduce_precision",
            "imag",
            "complex",
            "erf_inv",
            "lgamma",
            "digamma",
            "polygamma",
            "zeta",
            "bessel_i0e",
            "bessel_i1e"
        ]
    );
}

/// Every kind of node, with extents known and not.
#[test]
fn kinds() {
    type Make = fn(&mut Graph, crate::graph::Id) -> Result<crate::graph::Id, Error>;
    let rows: &[(Make, &str)] = &[
        (
            |g, x| g.add(Broadcast::new([Lay::New(5), Lay::Axis(0), Lay::Axis(1), Lay::Axis(2)]), &[x]),
            "Broadcast",
        ),
        (
            |g, x| g.add(Broadcast::new([Lay::Axis(2), Lay::New(1), Lay::Axis(0), Lay::Axis(1)]), &[x]),
            "Unsqueeze",
        ),
        (
            |g, x| g.add(Broadcast::new([Lay::Axis(2), Lay::New(2), Lay::Axis(0), Lay::Axis(1)]), &[x]),
            "Transpose",
        ),
        (|g, x| g.add(Reshape { to: vec![Some(6), None] }, &[x]), "Reshape"),
        (|g, x| g.add(Transpose::new([2, 0, 1]), &[x]), "Transpose"),
        (
            |g, x| g.add(Slice { index: ndcast_shape::parse_index("0, None, ::-2, ...")? }, &[x]),
            "StridedSlice",
        ),
        (|g, x| g.add(Slice { index: ndcast_shape::parse_index("-1, ..., 1:-1")? }, &[x]), "StridedSlice"),
        (
            |g, x| {
                let part = g.add(Slice { index: ndcast_shape::parse_index("1, :, ::2")? }, &[x])?;
                g.add(Insert { index: ndcast_shape::parse_index("0, :, 1::2")? }, &[x, part])
            },
            "SliceScatter",
        ),
        (
            |g, x| {
                let part = g.add(Slice { index: ndcast_shape::parse_index("1:, 0, None, :")? }, &[x])?;
                g.add(Insert { index: ndcast_shape::parse_index("1:, 2, None, :")? }, &[x, part])
            },
            "ScatterElementsUpdate",
        ),
        (
            |g, x| {
                let all =
                    g.add(Reduce { reduction: Reduction::Sum, axes: vec![0, 1, 2], keep: Keep::Axes }, &[x])?;
                g.add(Reshape::new(&[]), &[all])
            },
            "Squeeze",
        ),
        (
            |g, x| {
                let shape = g.add(ShapeOf(DType::I64), &[x])?;
                let (one, place) = (g.integers(&[1])?, g.integers(&[2])?);
                let stop = g.add(Take { axis: 0, batch: 0 }, &[shape, place])?;
                g.add(SliceBy { axes: vec![2] }, &[x, one, stop, one])
            },
            "Slice",
        ),
        (|g, x| g.add(Concatenate { axis: 1 }, &[x, x]), "Concat"),
        (
            |g, x| {
                let numbers = g.constant(Tensor::new(&[2], &[-1i8, 0])?)?;
                g.add(Take { axis: 1, batch: 0 }, &[x, numbers])
            },
            "Gather",
        ),
        (
            |g, x| {
                let numbers = g.constant(Tensor::zeros(&[2, 1, 4], DType::I64)?)?;
                g.add(TakeAlong { axis: 1 }, &[x, numbers])
            },
            "GatherElements",
        ),
        (
            |g, x| {
                let numbers = g.constant(Tensor::zeros(&[2, 1, 4], DType::I64)?)?;
                let part = g.constant(Tensor::new(&[2, 1, 4], &[5.0f32; 8])?)?;
                g.add(Scatter { axis: 1, with: Some(Op::Maximum) }, &[x, numbers, part])
            },
            "ScatterElementsUpdate",
        ),
        (
            |g, x| g.add(Reduce { reduction: Reduction::Prod, axes: vec![0, 2], keep: Keep::Axes }, &[x]),
            "ReduceProd",
        ),
        (
            |g, x| {
                g.add(
                    Accumulate {
                        reduction: Reduction::Sum,
                        axis: 1,
                        direction: Direction::Backward,
                        start: Start::Before,
                    },
                    &[x],
                )
            },
            "CumSum",
        ),
        (
            |g, x| {
                let turned = g.add(Transpose::new([0, 2, 1]), &[x])?;
                g.add(MatMul, &[x, turned])
            },
            "MatMul",
        ),
        (
            |g, x| {
                let sort = Argsort {
                    axis: 2,
                    direction: crate::Direction::Descending,
                    order: Order::Numbers,
                    to: DType::I16,
                };
                g.add(sort, &[x])
            },
            "TopK",
        ),
        (
            |g, x| {
                let direction = crate::Direction::Ascending;
                let sort = Argsort { axis: 1, direction, order: Order::Numbers, to: DType::I64 };
                let two = g.integers(&[2])?;
                let [elements, places] = g.sorted(x, sort, Some(two))?;
                let places = g.add(Convert { to: DType::F32, overflow: Overflow::Numpy }, &[places])?;
                g.apply(Op::Subtract, &[elements, places])
            },
            "TopK",
        ),
        (
            |g, x| {
                let (which, keep) = (Reduction::Max, Keep::Nothing);
                g.add(Find { which, axis: 2, keep, to: DType::I64 }, &[x])
            },
            "TopK",
        ),
        (
            |g, x| {
                let (which, keep) = (Reduction::Min, Keep::Axes);
                g.add(Find { which, axis: 0, keep, to: DType::U8 }, &[x])
            },
            "TopK",
        ),
        (|g, x| g.add(ShapeOf(DType::U8), &[x]), "ShapeOf"),
        (
            |g, x| {
                let row = g.constant(Tensor::new(&[4], &[1.0f32, 2.0, 3.0, 4.0])?)?;
                let [x, row] = g.joined([x, row])?;
                g.apply(Op::Subtract, &[row, x])
            },
            "Subtract",
        ),
        (
            |g, x| {
                let row = g.constant(Tensor::new(&[3, 1], &[1.0f32, 2.0, 3.0])?)?;
                let truth = g.full_like(0.5, x)?;
                let truth = g.apply(Op::Less, &[x, truth])?;
                let [x, row] = g.joined([x, row])?;
                g.apply(Op::Where, &[truth, row, x])
            },
            "Select",
        ),
    ];
    for (make, layer) in rows {
        for shape in ["2x3x4", "?x3x?", "NxMx4"] {
            let xml = there_and_back(*make, shape);
            // Slice with numbers that are known is StridedSlice.
            assert!(xml.contains(&format!("{layer}\" version")), "{layer} in\n{xml}");
        }
    }
}

/// What OpenVINO refuses, or computes wrongly, is written otherwise.
#[test]
fn what_openvino_does_not_do() {
    let layers = |graph: &Graph| {
        let (xml, bin) = write(graph).unwrap();
        read(&xml, &bin).unwrap();
        xml.split(" type=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    for (op, dtype, expected) in [
        (Op::Isnan, DType::I32, &["Parameter", "NotEqual", "Result"][..]),
        (Op::Isinf, DType::U8, &["Parameter", "NotEqual", "Result"]),
        (Op::Isfinite, DType::I64, &["Parameter", "Equal", "Result"]),
        (Op::Isnan, DType::F32, &["Parameter", "IsNaN", "Result"]),
        (Op::Negative, DType::U8, &["Parameter", "Const", "Subtract", "Result"]),
    ] {
        let mut graph = Graph::new();
        let x = graph.input("x", dtype, "3".parse().unwrap()).unwrap();
        let y = graph.apply(op, &[x]).unwrap();
        graph.output("y", y).unwrap();
        assert_eq!(layers(&graph), expected, "{op} {dtype}");
    }
    let xml = there_and_back(|g, x| g.fold(Reduction::Sum, x, &[], Keep::Axes), "2x3x4");
    assert!(!xml.contains("Reduce"), "{xml}");
    for (shape, by_name) in [("2x3x4", true), ("?x?x4", false)] {
        let xml = there_and_back(
            |g, x| {
                let slope = g.number(-0.5, DType::F32)?;
                let [x, slope] = g.joined([x, slope])?;
                g.apply(Op::Prelu, &[x, slope])
            },
            shape,
        );
        assert_eq!(xml.contains("PReLU"), by_name, "{xml}");
    }
    // A constant that is turned is another constant, and if nothing else needs the first, it is not there.
    for plain in [true, false] {
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F32, "2x2".parse().unwrap()).unwrap();
        let w = graph.constant(Tensor::new(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0]).unwrap()).unwrap();
        let turned = graph.add(Transpose::new([1, 0]), &[w]).unwrap();
        let mut y = graph.add(MatMul, &[x, turned]).unwrap();
        if plain {
            y = graph.add(MatMul, &[y, w]).unwrap();
        }
        graph.output("y", y).unwrap();
        let found = layers(&graph);
        let constants = found.iter().filter(|kind| *kind == "Const").count();
        assert_eq!((constants, found.contains(&"Transpose".to_owned())), (1 + usize::from(plain), false));
        let (xml, bin) = write(&graph).unwrap();
        let given = [Tensor::new(&[2, 2], &[1.0f32, 0.0, 0.0, 1.0]).unwrap()];
        let [a, b] =
            [&graph, &read(&xml, &bin).unwrap()].map(|graph| numbers(&graph.run(&given).unwrap()[0]));
        assert_eq!(a, b);
    }
}

/// What an elementwise layer broadcasts by itself is not written, and what it does not is.
#[test]
fn broadcasts_that_layers_make_themselves() {
    let count = |xml: &str| xml.matches("type=\"Broadcast\"").count();
    let row = |g: &mut Graph, shape: &[usize]| {
        let extents: usize = shape.iter().product();
        g.constant(Tensor::new(shape, &vec![2.0f32; extents]).unwrap())
    };
    for (lay, from, broadcasts) in [
        (vec![Lay::New(2), Lay::New(3), Lay::Axis(0)], &[4][..], 0),
        (vec![Lay::New(2), Lay::Axis(0), Lay::Stretched(1, 4)], &[3, 1], 0),
        (vec![Lay::New(2), Lay::Axis(0), Lay::New(4)], &[3], 1),
    ] {
        let xml = there_and_back(
            |g, x| {
                let row = row(g, from)?;
                let row = g.add(Broadcast::new(lay.clone()), &[row])?;
                g.apply(Op::Multiply, &[x, row])
            },
            "2x3x4",
        );
        assert_eq!(count(&xml), broadcasts, "{xml}");
    }
    // Nothing else has the whole shape, so one of both must be laid over it.
    let xml = there_and_back(
        |g, x| {
            let first = g.add(Slice { index: ndcast_shape::parse_index("0, 0")? }, &[x])?;
            let laid = g.add(Broadcast::new([Lay::New(2), Lay::New(3), Lay::Axis(0)]), &[first])?;
            g.apply(Op::Multiply, &[laid, laid])
        },
        "2x3x4",
    );
    assert_eq!(count(&xml), 1, "{xml}");
}

#[test]
fn what_openvino_cannot_say_is_named() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "?x3".parse().unwrap()).unwrap();
    let z = graph.input("z", DType::C64, "2".parse().unwrap()).unwrap();
    let root = graph.apply(Op::Lgamma, &[x]).unwrap();
    let product =
        Accumulate { reduction: Reduction::Prod, axis: 0, direction: Direction::Forward, start: Start::With };
    let running = graph.add(product, &[root]).unwrap();
    let real = graph.apply(Op::Real, &[z]).unwrap();
    graph.name(running, "the run").unwrap();
    graph.output("running", running).unwrap();
    graph.output("real", real).unwrap();
    let error = write(&graph).unwrap_err().to_string();
    for part in [
        "lgamma: no layer does this",
        "accumulate (the run): no layer does this",
        "OpenVINO has no elements of type c64",
        "real: ",
    ] {
        assert!(error.contains(part), "{part} in {error}");
    }
}

/// Equal constants share their bytes; names with letters that XML does not like come back.
#[test]
fn names_and_constants() {
    let mut graph = Graph::new();
    let name = "a,b <\"&'> \n ü";
    let x = graph.input(name, DType::F32, "3".parse().unwrap()).unwrap();
    let constants = [0, 1].map(|_| graph.constant(Tensor::new(&[3], &[1.0f32, 2.0, 3.0]).unwrap()).unwrap());
    let sum = graph.apply(Op::Add, &[x, constants[0]]).unwrap();
    let sum = graph.apply(Op::Multiply, &[sum, constants[1]]).unwrap();
    graph.output("y,z", sum).unwrap();
    graph.output("same", sum).unwrap();
    graph.output("given", x).unwrap();
    let (xml, bin) = write(&graph).unwrap();
    assert_eq!(bin.len(), 12);
    let again = read(&xml, &bin).unwrap();
    assert_eq!(again.node(again.inputs()[0]).unwrap().name(), Some(name));
    let names: Vec<&str> = again.outputs().iter().map(Output::name).collect();
    assert_eq!(names, ["y,z", "same", "given"]);
}

/// Elements in order and their places are one layer, whose tensors have the names of both.
#[test]
fn elements_and_places_are_one_layer() {
    for (of_elements, of_places) in [(true, true), (true, false), (false, true)] {
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F32, "?x3".parse().unwrap()).unwrap();
        let two = graph.number(2, DType::I64).unwrap();
        let (direction, order) = (crate::Direction::Descending, Order::Numbers);
        let sort = Argsort { axis: 1, direction, order, to: DType::I64 };
        let [elements, places] = graph.sorted(x, sort, Some(two)).unwrap();
        for (wanted, name, id) in [(of_elements, "elements", elements), (of_places, "places", places)] {
            if wanted {
                graph.output(name, id).unwrap();
            }
        }
        let (xml, bin) = write(&graph).unwrap();
        assert_eq!((xml.matches("TopK").count(), xml.matches("Gather").count()), (2, 0), "{xml}");
        assert_eq!(xml.contains("names=\"elements\""), of_elements, "{xml}");
        assert_eq!(xml.contains("names=\"places\""), of_places, "{xml}");
        let given = [Tensor::new(&[2, 3], &[1.0f32, 3.0, 2.0, 5.0, 4.0, 5.0]).unwrap()];
        let made = read(&xml, &bin).unwrap().run(&given).unwrap();
        let expected: Vec<Vec<f64>> =
            [of_elements.then(|| vec![3.0, 2.0, 5.0, 5.0]), of_places.then(|| vec![1.0, 2.0, 0.0, 2.0])]
                .into_iter()
                .flatten()
                .collect();
        assert_eq!(made.iter().map(numbers).collect::<Vec<_>>(), expected);
    }
}

/// How many are wanted may be a number with an axis, or without, whose extent nobody knows before.
#[test]
fn how_many_are_first_is_a_number_of_any_rank() {
    for shape in ["scalar", "1", "?"] {
        let mut graph = Graph::new();
        let x = graph.input("x", DType::F32, "?x3".parse().unwrap()).unwrap();
        let count = graph.input("count", DType::I64, shape.parse().unwrap()).unwrap();
        let (direction, order) = (crate::Direction::Descending, Order::Numbers);
        let sort = Argsort { axis: 1, direction, order, to: DType::I64 };
        let [elements, _] = graph.sorted(x, sort, Some(count)).unwrap();
        graph.output("elements", elements).unwrap();
        let (xml, bin) = write(&graph).unwrap();
        let squeezed = usize::from(shape != "scalar");
        assert_eq!(xml.matches("type=\"Squeeze\"").count(), squeezed, "{shape}");
        let own: &[usize] = if squeezed == 1 { &[1] } else { &[] };
        let count = Tensor::new(own, &[2i64]).unwrap();
        let given = [Tensor::new(&[2, 3], &[1.0f32, 3.0, 2.0, 5.0, 4.0, 6.0]).unwrap(), count];
        let made = read(&xml, &bin).unwrap().run(&given).unwrap();
        assert_eq!(made[0].to_vec::<f32>().unwrap(), [3.0, 2.0, 6.0, 5.0], "{shape}");
    }
}
