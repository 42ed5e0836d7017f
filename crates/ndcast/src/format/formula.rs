//! Elementwise operations that a format has no name for, as formulas of those it has; and the numbers that nodes are.

use crate::array::Array;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::{Graph, Id, Kind, Node};
use crate::op::{Formula, Op};

/// How often formulas may expand into other formulas; none contains itself.
const DEEP: usize = 6;

/// The element type that decides what an elementwise operation is.
pub(super) fn dtype_of(graph: &Graph, node: &Node) -> Option<DType> {
    graph.node(*node.arguments().last()?).ok().map(Node::dtype)
}

/// The same graph without dead nodes, with formulas for the operations that `is_said` refuses.
pub(super) fn expanded(
    graph: &Graph,
    is_said: impl Fn(&Graph, &Node, Op, DType) -> bool,
) -> Result<Graph, Error> {
    let formula = |graph: &Graph, node: &Node| -> Option<Formula> {
        let Kind::Apply(apply) = node.kind() else { return None };
        let dtype = dtype_of(graph, node)?;
        if is_said(graph, node, apply.0, dtype) { None } else { apply.0.otherwise(dtype) }
    };
    let mut graph = graph.pruned()?;
    for _ in 0..DEEP {
        if !graph.nodes().any(|(_, node)| formula(&graph, node).is_some()) {
            break;
        }
        graph = graph.with_formulas(formula)?;
    }
    Ok(graph)
}

/// The constant that a node is everywhere: a broadcast constant of one element.
pub(super) fn number(graph: &Graph, id: Id) -> Option<f64> {
    let mut node = graph.node(id).ok()?;
    loop {
        let place = match node.kind() {
            Kind::Broadcast(_) => 0,
            Kind::Fit(fit) => fit.operand,
            _ => break,
        };
        node = graph.node(*node.arguments().get(place)?).ok()?;
    }
    let tensor = node.constant().filter(|tensor| tensor.elements() == 1)?;
    if matches!(tensor.dtype().class(), Class::Complex | Class::Text) {
        return None;
    }
    Array::from(tensor.clone()).convert(DType::F64).to_vec::<f64>().ok()?.first().copied()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::format::{hlo, onnx, openvino, stablehlo};
    use crate::tensor::Tensor;

    /// A graph of one operation on inputs of a type.
    pub(in crate::format) fn of_one(op: Op, dtype: DType) -> Graph {
        let mut graph = Graph::new();
        let select = usize::from(op == Op::Where);
        let arguments: Vec<Id> = (0..op.arity())
            .map(|place| {
                let dtype = if place < select { DType::Bool } else { dtype };
                graph.input(&format!("x{place}"), dtype, "4".parse().unwrap()).unwrap()
            })
            .collect();
        let y = graph.apply(op, &arguments).unwrap();
        graph.output("y", y).unwrap();
        graph
    }

    /// Inputs for it: small numbers, of which some are negative if the operation takes such.
    fn inputs(graph: &Graph, op: Op) -> Vec<Tensor> {
        let shifts = op.record().name.contains("shift");
        let of = |(place, &id): (usize, &Id)| {
            let dtype = graph.node(id).unwrap().dtype();
            let mut values =
                [[0.5, 1.0, -3.0, 5.0], [0.25, -2.0, 1.0, 2.0], [0.75, 3.0, 2.0, -4.0]][place % 3];
            if shifts || dtype.class() == Class::Unsigned {
                values = values.map(f64::abs);
            }
            Array::new(&[4], &values).convert(dtype).eval().unwrap()
        };
        graph.inputs().iter().enumerate().map(of).collect()
    }

    fn numbers(tensor: &Tensor) -> Vec<f64> {
        let array = Array::from(tensor.clone());
        let parts = match tensor.dtype().class() {
            Class::Complex => vec![array.clone().real(), array.imag()],
            _ => vec![array],
        };
        parts.into_iter().flat_map(|part| part.convert(DType::F64).to_vec::<f64>().unwrap()).collect()
    }

    /// What is not said by a format: names with the types, of which every other operation is written, as itself or as a formula,
    /// and gives the same when it is read.
    fn not_said(types: &[DType], again: fn(&Graph) -> Result<Graph, Error>) -> Vec<String> {
        let mut unsaid: Vec<(Op, Vec<String>)> = Vec::new();
        for &op in Op::ALL {
            let mut without = Vec::new();
            for &dtype in types {
                if op.result(dtype).is_none() {
                    continue;
                }
                let graph = of_one(op, dtype);
                let Ok(second) = again(&graph) else {
                    without.push(dtype.to_string());
                    continue;
                };
                let inputs = inputs(&graph, op);
                let [a, b] = [&graph, &second].map(|graph| {
                    numbers(&graph.run(&inputs).unwrap_or_else(|error| panic!("{op} {dtype}: {error}"))[0])
                });
                let near = |(a, b): (&f64, &f64)| {
                    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 2e-5 * (0.1 + b.abs())
                };
                assert!(a.iter().zip(&b).all(near), "{op} {dtype}: {a:?} and then {b:?}\n{second}");
            }
            if !without.is_empty() {
                unsaid.push((op, without));
            }
        }
        unsaid.into_iter().map(|(op, without)| format!("{op} {}", without.join(" "))).collect()
    }

    /// The upper halves of all products of bytes, and of some of the longest integers.
    #[test]
    fn upper_halves_in_other_words() {
        let bytes: Vec<i64> = (0..256).flat_map(|n| std::iter::repeat_n(n, 256)).collect();
        let others: Vec<i64> = (0..65536).map(|n| n % 256).collect();
        let long = [i64::MIN, i64::MAX, -1, 0, 1, -0x1_2345_6789, 0x7FFF_FFFF_FFFF, 0x1_0000_0000];
        let longs: Vec<i64> = long.iter().flat_map(|&n| [n; 8]).collect();
        let long: Vec<i64> = (0..64).map(|n| long[n % 8]).collect();
        for (dtype, a, b) in [
            (DType::I8, &bytes, &others),
            (DType::U8, &bytes, &others),
            (DType::I64, &longs, &long),
            (DType::U64, &longs, &long),
        ] {
            let mut graph = Graph::new();
            let inputs = ["a", "b"].map(|name| graph.input(name, dtype, [a.len()].into()).unwrap());
            let y = graph.apply(Op::MultiplyHigh, &inputs).unwrap();
            graph.output("y", y).unwrap();
            let text = hlo::write(&graph).unwrap();
            assert!(!text.contains("mulhi"), "{text}");
            let given = [a, b].map(|all| Array::new(&[all.len()], all).convert(dtype).eval().unwrap());
            let [a, b] = [graph, hlo::read(&text).unwrap()].map(|graph| graph.run(&given).unwrap());
            assert_eq!(a[0].as_bytes(), b[0].as_bytes(), "{dtype}");
        }
    }

    /// JAX takes what is said of every operation on every type: what CHLO has besides is of floats, or of both.
    #[test]
    fn names_are_of_elements_that_jax_takes() {
        let mut wrong = Vec::new();
        for (&op, dtype) in Op::ALL.iter().flat_map(|op| DType::all().map(move |dtype| (op, dtype))) {
            if op.result(dtype).is_none() {
                continue;
            }
            let graph = of_one(op, dtype);
            for text in [stablehlo::write(&graph), hlo::write(&graph)].into_iter().flatten() {
                let refused = text.lines().filter(|line| !name_and_element(line).is_none_or(takes));
                wrong.extend(refused.map(|line| format!("{op} {dtype}: {line}")));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// The name in a line of either text, and the elements of its first operand, or in HLO of its result.
    fn name_and_element(line: &str) -> Option<(&str, &str)> {
        let (_, said) = line.split_once(" = ")?;
        let Some((before, types)) = said.split_once(" : ") else {
            let (typed, said) = said.split_once("] ")?;
            return Some((said.split_once('(')?.0, typed.split_once('[')?.0));
        };
        let name = before.trim_start_matches('"').split([' ', '"']).next()?;
        let (_, typed) = types.split_once("tensor<")?;
        // `complex<f32>` ends with its first bracket too.
        let element = typed.split('>').next()?.rsplit('x').next()?;
        let complex = typed.split('>').next()?.contains("complex<");
        Some((name, if complex { "complex" } else { element }))
    }

    fn takes((name, element): (&str, &str)) -> bool {
        let (complex, float) = (element.starts_with('c'), element.contains('f'));
        match name {
            "stablehlo.abs" | "abs" => !element.starts_with('u') && !matches!(element, "i1" | "pred"),
            "stablehlo.sign" | "sign" => !element.starts_with('u'),
            "acos" | "acosh" | "asin" | "asinh" | "atanh" | "cosh" | "sinh" | "mulhi" => false,
            "chlo.mulhi" => true,
            name if name.starts_with("chlo.is_") => float && !complex,
            name if name.starts_with("chlo.") => float || complex,
            _ => true,
        }
    }

    const REAL: &[DType] = &[DType::F32, DType::I32, DType::U8, DType::Bool];

    #[test]
    fn operations_are_said_in_stablehlo() {
        let types = [REAL, &[DType::C64]].concat();
        let found = not_said(&types, |graph| stablehlo::read(&stablehlo::write(graph)?));
        assert_eq!(found, ["reduce_precision f32", "bessel_i0e f32"]);
    }

    #[test]
    fn operations_are_said_in_hlo() {
        let types = [REAL, &[DType::C64]].concat();
        let found = not_said(&types, |graph| hlo::read(&hlo::write(graph)?));
        let unsaid = [
            "nextafter f32",
            "reduce_precision f32",
            "erf_inv f32",
            "lgamma f32",
            "digamma f32",
            "polygamma f32",
            "zeta f32",
            "bessel_i0e f32",
            "bessel_i1e f32",
        ];
        assert_eq!(found, unsaid);
    }

    #[test]
    fn operations_are_said_in_onnx() {
        let own = ["bitwise_left_shift i32", "bitwise_right_shift i32"];
        let found = not_said(REAL, |graph| onnx::read(&onnx::write(graph)?, None));
        let (shifts, found): (Vec<_>, Vec<_>) =
            found.iter().map(String::as_str).partition(|one| own.contains(one));
        assert_eq!((shifts.as_slice(), found.as_slice()), (&own[..], UNSAID));
        assert!(onnx::write(&of_one(Op::Where, DType::C64)).is_ok());
        let error = onnx::write(&of_one(Op::Log10, DType::C64)).unwrap_err().to_string();
        assert!(error.ends_with("ONNX cannot say it: it does not compute with c64"), "{error}");
    }

    #[test]
    fn operations_are_said_in_openvino() {
        let found = not_said(REAL, |graph| {
            let (xml, bin) = openvino::write(graph)?;
            openvino::read(&xml, &bin)
        });
        assert_eq!(found, UNSAID);
    }

    /// What both have no name for, nor for what it could be made of.
    const UNSAID: &[&str] = &[
        "multiply_high i32 u8",
        "nextafter f32",
        "count_ones i32 u8",
        "count_leading_zeros i32 u8",
        "shift_right_arithmetic i32 u8",
        "shift_right_logical i32 u8",
        "reduce_precision f32",
        "imag f32",
        "complex f32",
        "erf_inv f32",
        "lgamma f32",
        "digamma f32",
        "polygamma f32",
        "zeta f32",
        "bessel_i0e f32",
        "bessel_i1e f32",
    ];
}
