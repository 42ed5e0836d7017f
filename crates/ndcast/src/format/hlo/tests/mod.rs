//! What is written: read again it is the same, and gives the same. That jaxlib runs it is `tools/xla/written.py`'s to say.

mod compiled;

use ndcast_shape::Shape;

use super::*;
use crate::dtype::{Class, DType};
use crate::format::program::recorded::{differences, is_shorter, names, none, parts, recorded, text};
use crate::format::stablehlo;
use crate::graph::kind::{Direction, ReshapeTo, Start};
use crate::graph::{Id, kind};
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// What HLO has no instruction for, and no formula is for.
const UNSAID: &[(&str, &[&str])] = &[
    ("errors", &["erf_inv"]),
    ("gammas", &["lgamma", "digamma", "zeta", "polygamma", "bessel_i1e"]),
    ("next_after", &["nextafter"]),
];

/// Here formulas stand for operations: what they give is near.
const NEAR: &[&str] = &["angles.mlir", "cumulative.mlir", "cumulative.hlo", "gelu.mlir"];

/// The same graph with the extents of what it is given.
fn settled(graph: &Graph, inputs: &[Tensor]) -> Graph {
    let shapes: Vec<Shape> = inputs.iter().map(|input| Shape::from(input.shape())).collect();
    graph.with_shapes(&shapes).unwrap()
}

/// Whether two tensors are the same to the bit, but for which NaN it is.
fn same(a: &Tensor, b: &Tensor) -> bool {
    let bits = |tensor: &Tensor| match tensor.dtype().class() {
        Class::Float | Class::Complex => {
            let usual = |n: f64| if n.is_nan() { f64::NAN.to_bits() } else { n.to_bits() };
            parts(tensor).into_iter().map(usual).collect()
        }
        _ => crate::Array::from(tensor.clone()).convert(DType::U64).to_vec::<u64>().unwrap(),
    };
    (a.dtype(), a.shape(), bits(a)) == (b.dtype(), b.shape(), bits(b))
}

/// What is wrong with the graph of a file written as HLO and read again.
fn wrong_with(graph: &Graph, file: &str) -> Vec<String> {
    let name = file.split('.').next().unwrap();
    let [inputs, _] = recorded(name);
    let graph = settled(graph, &inputs);
    let unsaid = UNSAID.iter().find(|(other, _)| *other == name);
    let written = match (write(&graph), unsaid) {
        (Ok(written), None) => written,
        (Ok(_), Some(_)) => return vec![format!("{file}: it is said now")],
        (Err(error), None) => return vec![format!("{file}: {error}")],
        (Err(error), Some((_, unsaid))) => {
            let error = error.to_string();
            let count = error.matches("no operation does this").count();
            let named = unsaid.iter().all(|op| error.contains(&format!(" = {op}: no operation does this")));
            return if named && count >= unsaid.len() {
                Vec::new()
            } else {
                vec![format!("{file}: {error}")]
            };
        }
    };
    let second = match read(&written) {
        Ok(second) => second,
        Err(error) => return vec![format!("{file}: {error}")],
    };
    let mut wrong = differences(&second, name);
    let made = [&graph, &second].map(|graph| graph.run(&inputs).unwrap());
    let other: Vec<usize> =
        (0..made[0].len()).filter(|&place| !same(&made[0][place], &made[1][place])).collect();
    if other.is_empty() == NEAR.contains(&file) {
        wrong.push(format!("{file}: the outputs {other:?} are other when it is read again"));
    }
    let twice = write(&second).unwrap();
    let line = written.lines().zip(twice.lines()).find(|(a, b)| a != b);
    if let Some((a, b)) = line.filter(|_| !is_shorter(name)) {
        wrong.push(format!("{file}: written at first and then\n    {a}\n    {b}"));
    }
    wrong
}

#[test]
fn programs_are_the_same_when_they_are_read_again() {
    let mut wrong = Vec::new();
    for name in names("mlir") {
        let file = format!("{name}.mlir");
        wrong.extend(wrong_with(&stablehlo::read(&text(&file)).unwrap(), &file));
    }
    for name in names("hlo") {
        let file = format!("{name}.hlo");
        wrong.extend(wrong_with(&read(&text(&file)).unwrap(), &file));
    }
    none("programs written", &wrong);
}

/// A graph of one input `x` of f32, and what an output is made of it by a function.
fn of_one(shape: &str, make: impl Fn(&mut Graph, Id) -> Id) -> Graph {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, shape.parse().unwrap()).unwrap();
    let y = make(&mut graph, x);
    graph.output("y", y).unwrap();
    graph
}

/// An extent of 1 is left out before it is laid over others, and axes may lie in any order.
#[test]
fn broadcasts_are_as_hlo_has_them() {
    let laid = |axes: Vec<kind::Lay>| {
        move |graph: &mut Graph, x: Id| graph.add(kind::Broadcast { axes: axes.clone() }, &[x]).unwrap()
    };
    use kind::Lay::{Axis, New, Stretched};
    let stretched = write(&of_one("3x1", laid(vec![New(2), Axis(0), Stretched(1, 4)]))).unwrap();
    assert_eq!(
        stretched,
        "HloModule ndcast\n\nENTRY main {\n  arg0 = f32[3,1] parameter(0)\n  reshape.1 = f32[3] reshape(arg0)\n  \
         ROOT broadcast.2 = f32[2,3,4] broadcast(reshape.1), dimensions={1}\n}\n"
    );
    let scalar = write(&of_one("scalar", laid(vec![New(2), New(0)]))).unwrap();
    assert!(scalar.contains("ROOT broadcast.1 = f32[2,0] broadcast(arg0), dimensions={}\n"), "{scalar}");
    let kept = write(&of_one("1x3", laid(vec![Axis(0), New(2), Axis(1)]))).unwrap();
    assert!(kept.contains("f32[1,2,3] broadcast(arg0), dimensions={0,2}\n"), "{kept}");
}

/// One output is the root, whatever it is; several are a tuple, and so are none.
#[test]
fn roots() {
    let input = of_one("3", |_, x| x);
    assert!(write(&input).unwrap().contains("  ROOT arg0 = f32[3] parameter(0)\n"));
    let mut both = of_one("3", |graph, x| graph.apply(Op::Negative, &[x]).unwrap());
    both.output("x", both.inputs()[0]).unwrap();
    let text = write(&both).unwrap();
    assert!(text.contains("  ROOT results = (f32[3], f32[3]) tuple(negate.1, arg0)\n"), "{text}");
    assert_eq!(read(&text).unwrap().outputs().len(), 2);
    let text = write(&Graph::new()).unwrap();
    assert_eq!(text, "HloModule ndcast\n\nENTRY main {\n  ROOT results = () tuple()\n}\n");
    assert_eq!(read(&text).unwrap().outputs().len(), 0);
}

/// What is folded in one way, and of one type, is one computation.
#[test]
fn computations_are_written_once() {
    let graph = of_one("2x3", |graph, x| {
        let running = kind::Accumulate {
            reduction: Reduction::Sum,
            axis: 1,
            direction: Direction::Backward,
            start: Start::Before,
        };
        let running = graph.add(running, &[x]).unwrap();
        graph.fold(Reduction::Sum, running, &[0, 1], crate::array::Keep::Nothing).unwrap()
    });
    let text = write(&graph).unwrap();
    assert!(text.contains(", window={size=1x3 pad=0_0x-1_3}, to_apply=add_f32\n"), "{text}");
    assert!(text.contains(", dimensions={0,1}, to_apply=add_f32\n"), "{text}");
    assert_eq!(text.matches("\nadd_f32 {\n").count(), 1);
    let x = Tensor::new(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    assert_eq!(read(&text).unwrap().run(&[x]).unwrap()[0].to_vec::<f32>().unwrap(), [25.0]);
}

/// Everything that cannot be said is told at once, and what follows from it is not.
#[test]
fn what_cannot_be_said_is_told_at_once() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, "3".parse().unwrap()).unwrap();
    let small = graph.input("small", DType::U3, "3".parse().unwrap()).unwrap();
    let open = graph.input("open", DType::F32, "2x?".parse().unwrap()).unwrap();
    let to = graph.input("to", DType::I64, "2".parse().unwrap()).unwrap();
    let gamma = graph.apply(Op::Lgamma, &[x]).unwrap();
    let exp = graph.apply(Op::Exp, &[gamma]).unwrap();
    let follows = graph.apply(Op::Exp, &[open]).unwrap();
    let computed = graph.add(ReshapeTo, &[x, to]).unwrap();
    for (place, id) in [exp, small, follows, computed].into_iter().enumerate() {
        graph.output(&place.to_string(), id).unwrap();
    }
    assert_eq!(
        write(&graph).unwrap_err().to_string(),
        "HLO has no operations for the input small: it has no elements of type u3; the input open: its shape 2x? has \
         extents that are not known, and HLO says them all; %4 = lgamma: no operation does this with elements of type \
         f32; %7 = reshape_to: its shape ?x? has extents that are not known, and HLO says them all"
    );
}

/// The formulas for angles and hyperbolic functions are near over all of their range, and the same where it ends.
#[test]
fn formulas_are_near() {
    let numbers: Vec<f32> =
        [0.0, 1e-38, 1e-20, 1e-8, 0.003, 0.4, 0.9999999, 1.0, 1.0000001, 1.5, 2.0, 7.25, 88.0, 89.0, 90.0]
            .into_iter()
            .chain([1e10, 1e19, 3e38, f32::INFINITY])
            .flat_map(|n| [n, -n])
            .chain([f32::NAN])
            .collect();
    let given = Tensor::new(&[numbers.len()], &numbers).unwrap();
    for op in [Op::Acos, Op::Acosh, Op::Asin, Op::Asinh, Op::Atan, Op::Atanh, Op::Cosh, Op::Sinh, Op::Isinf] {
        let graph = of_one(&numbers.len().to_string(), |graph, x| graph.apply(op, &[x]).unwrap());
        let second = read(&write(&graph).unwrap()).unwrap();
        let [wanted, found] =
            [&graph, &second].map(|graph| parts(&graph.run(std::slice::from_ref(&given)).unwrap()[0]));
        for ((n, wanted), found) in numbers.iter().zip(wanted).zip(found) {
            let near = (wanted - found).abs() <= 1e-6 * wanted.abs();
            let same = wanted == found || (wanted.is_nan() && found.is_nan());
            assert!(near || same, "{op}({n}) is {wanted}, and by its formula {found}");
            assert!(wanted.is_nan() || wanted.is_sign_negative() == found.is_sign_negative(), "{op}({n})");
        }
    }
}

/// Which NaN a constant has, as XLA writes it.
#[test]
fn nan_in_constants() {
    let constant = |text: &str| read(&format!("HloModule m\nENTRY e {{\n ROOT c = {text}\n}}\n"));
    let text = "f32[3] constant({nan, -nan, nan(0x1)})";
    let found = constant(text).unwrap().run(&[]).unwrap()[0].to_vec::<f32>().unwrap();
    assert_eq!(
        found.iter().map(|n| n.to_bits()).collect::<Vec<_>>(),
        [0x7FC0_0000, 0xFFC0_0000, 0x7F80_0001]
    );
    for (text, words) in [
        ("f32[] constant(nan(0x800000))", "0x800000 is no NaN of type f32, whose mantissa has 23 bits"),
        ("f16[] constant(nan(0x0))", "0x0 is no NaN of type f16, whose mantissa has 10 bits"),
        ("f32[] constant(nan(12))", "which NaN it is is a number as in `nan(0x400001)`"),
    ] {
        let error = constant(text).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

/// As XLA prints them: bounds stand in the headings too.
#[test]
fn bounded_extents_of_a_compiled_module() {
    let text = "HloModule bounded, entry_computation_layout={(f32[<=5]{0}, s32[2,<=3]{1,0})->f32[<=5]{0}}

ENTRY %main.4 (x.1: f32[<=5], y.1: s32[2,<=3]) -> f32[<=5] {
  %x.1 = f32[<=5]{0} parameter(0)
  %y.1 = s32[2,<=3]{1,0} parameter(1)
  ROOT %sum.3 = f32[<=5]{0} add(%x.1, %x.1)
}
";
    let graph = read(text).unwrap();
    let shapes: Vec<String> =
        graph.inputs().iter().map(|&id| graph.node(id).unwrap().shape().to_string()).collect();
    assert_eq!(shapes, ["..5", "2x..3"]);
    let given = [Tensor::new(&[2], &[1.0f32, 2.0]).unwrap(), Tensor::new(&[2, 1], &[3i32, 4]).unwrap()];
    assert_eq!(parts(&graph.run(&given).unwrap()[0]), [2.0, 4.0]);
}

/// What holds a compiler back changes nothing, of a tuple neither, and in a fold neither.
#[test]
fn barriers_of_one_and_of_several() {
    let text = "HloModule barriers

held_sum {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  sum = f32[] add(p, q)
  ROOT held = f32[] opt-barrier(sum)
}

ENTRY main {
  a = f32[2] parameter(0)
  b = s32[] parameter(1)
  both = (f32[2], s32[]) tuple(a, b)
  held = (f32[2], s32[]) opt-barrier(both)
  first = f32[2] get-tuple-element(held), index=0
  second = s32[] get-tuple-element(held), index=1
  again = f32[2] opt-barrier(first)
  zero = f32[] constant(0)
  total = f32[] reduce(again, zero), dimensions={0}, to_apply=held_sum
  ROOT results = (s32[], f32[2], f32[]) tuple(second, again, total)
}
";
    let given = [Tensor::new(&[2], &[1.0f32, 2.0]).unwrap(), Tensor::new(&[], &[3i32]).unwrap()];
    let made = read(text).unwrap().run(&given).unwrap();
    assert_eq!(made.iter().map(parts).collect::<Vec<_>>(), [vec![3.0], vec![1.0, 2.0], vec![3.0]]);
}

/// Lists of nothing are as many as their axes say, for which there may be no memory.
#[test]
fn constants_of_nothing() {
    let of = |shape: &[usize]| {
        let mut graph = Graph::new();
        let id = graph.constant(Tensor::zeros(shape, DType::F32).unwrap()).unwrap();
        graph.output("y", id).unwrap();
        write(&graph)
    };
    assert!(of(&[2, 0, 3]).unwrap().contains("constant({{}, {}})"), "{:?}", of(&[2, 0, 3]));
    let error = of(&[1 << 56, 0]).unwrap_err().to_string();
    assert!(error.contains("memory to compute 72057594037927936x0 of f32: "), "{error}");
}
