//! Tests that loop over the records: each example is computed, each law holds, each gradient is that of differences.
//!
//! Operations are computed one element at a time by their kernels, and formulas by an algebra of plain numbers, so that
//! what is tested here needs nothing but the records.

mod dialects;
mod gradients;
mod page;
mod special_cases;

use half::{bf16, f16};
use num_complex::Complex;

use super::{Algebra, Body, Law, Op, ResultType, Value};
use crate::dtype::{Class, DType};

/// One element.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    Truth(bool),
    Integer(i128),
    Float(f64),
    Complex(f64, f64),
}

/// The bytes of a cell as an element of this type, aligned for any.
fn bytes(dtype: DType, cell: Cell) -> [u64; 2] {
    let mut buffer = [0_u64; 2];
    macro_rules! put {
        ($value:expr) => {{
            let value = $value;
            let size = size_of_val(&value);
            bytemuck::cast_slice_mut::<u64, u8>(&mut buffer)[..size]
                .copy_from_slice(bytemuck::bytes_of(&value));
        }};
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cells hold what fits")]
    match (dtype, cell) {
        (DType::Bool, Cell::Truth(x)) => put!(u8::from(x)),
        (DType::I8 | DType::U8, Cell::Integer(x)) => put!(x as u8),
        (DType::I16 | DType::U16, Cell::Integer(x)) => put!(x as u16),
        (DType::I32 | DType::U32, Cell::Integer(x)) => put!(x as u32),
        (DType::I64 | DType::U64, Cell::Integer(x)) => put!(x as u64),
        (DType::F32, Cell::Float(x)) => put!(x as f32),
        (DType::F64, Cell::Float(x)) => put!(x),
        (DType::C64, Cell::Complex(re, im)) => put!(Complex::new(re as f32, im as f32)),
        (DType::C128, Cell::Complex(re, im)) => put!(Complex::new(re, im)),
        other => panic!("no element: {other:?}"),
    }
    buffer
}

/// The cell that these bytes are an element of.
fn cell(dtype: DType, bytes: &[u8]) -> Cell {
    macro_rules! get {
        ($type:ty) => {
            bytemuck::pod_read_unaligned::<$type>(bytes)
        };
    }
    match dtype {
        DType::Bool => Cell::Truth(bytes[0] == 1),
        DType::I8 => Cell::Integer(get!(i8).into()),
        DType::I16 => Cell::Integer(get!(i16).into()),
        DType::I32 => Cell::Integer(get!(i32).into()),
        DType::I64 => Cell::Integer(get!(i64).into()),
        DType::U8 => Cell::Integer(get!(u8).into()),
        DType::U16 => Cell::Integer(get!(u16).into()),
        DType::U32 => Cell::Integer(get!(u32).into()),
        DType::U64 => Cell::Integer(get!(u64).into()),
        DType::F32 => Cell::Float(get!(f32).into()),
        DType::F64 => Cell::Float(get!(f64)),
        DType::C64 => {
            let z = get!(Complex<f32>);
            Cell::Complex(z.re.into(), z.im.into())
        }
        DType::C128 => {
            let z = get!(Complex<f64>);
            Cell::Complex(z.re, z.im)
        }
        other => panic!("no kernel computes {other}"),
    }
}

/// A number as an element of this type, as it is made of a default: infinities of integers are their extremes.
fn number(dtype: DType, n: f64) -> Cell {
    #[allow(clippy::cast_possible_truncation, reason = "clamped to the type before")]
    match dtype.class() {
        Class::Bool => Cell::Truth(n > 0.0),
        Class::Signed => {
            let half = 1_i128 << (dtype.bits().unwrap() - 1);
            Cell::Integer((n as i128).clamp(-half, half - 1))
        }
        Class::Unsigned => Cell::Integer((n as i128).clamp(0, (1_i128 << dtype.bits().unwrap()) - 1)),
        Class::Float => Cell::Float(rounded(dtype, n)),
        Class::Complex => Cell::Complex(rounded(dtype, n), 0.0),
        Class::Text => panic!("a number is no text"),
    }
}

/// The nearest number of this type, or of its parts'.
fn rounded(dtype: DType, n: f64) -> f64 {
    #[allow(clippy::cast_possible_truncation, reason = "that is what it is for")]
    match dtype.part() {
        DType::F16 => f16::from_f64(n).into(),
        DType::Bf16 => bf16::from_f64(n).into(),
        DType::F32 => (n as f32).into(),
        _ => n,
    }
}

/// What an operation gives for these arguments, the first of which is of this type if it is not a truth value.
fn compute(op: Op, dtype: DType, arguments: &[Cell]) -> Cell {
    let record = op.record();
    let result = op.result(dtype).unwrap_or_else(|| panic!("{op} does not take {dtype}"));
    let inner = dtype.computed_in();
    let mut arguments = arguments.to_vec();
    for argument in &record.arguments[arguments.len()..] {
        arguments.push(number(dtype, argument.default.unwrap()));
    }
    let cell = match record.body {
        Body::Formula(formula) => {
            let mut plain = Plain { dtype: inner, nodes: Vec::new() };
            let values: Vec<Value> = arguments.iter().map(|cell| plain.leaf(*cell)).collect();
            let value = formula(&mut plain, &values);
            plain.cell(value)
        }
        _ => run(op, inner, &arguments),
    };
    match cell {
        Cell::Float(x) => Cell::Float(rounded(result, x)),
        other => other,
    }
}

/// Runs the kernel on a run of equal elements, which all must give the same.
fn run(op: Op, dtype: DType, arguments: &[Cell]) -> Cell {
    const COUNT: usize = 19;
    let kernel = op.kernel(dtype).unwrap();
    let result = match op.record().result {
        ResultType::Truth => DType::Bool,
        other => other.of(dtype).unwrap(),
    };
    let spread = |argument: &Cell| {
        let dtype = if matches!(argument, Cell::Truth(_)) { DType::Bool } else { dtype };
        let (element, size) = (bytes(dtype, *argument), dtype.size().unwrap());
        let mut buffer = vec![0_u64; 2 * COUNT];
        for place in bytemuck::cast_slice_mut::<u64, u8>(&mut buffer).chunks_exact_mut(size).take(COUNT) {
            place.copy_from_slice(&bytemuck::cast_slice::<u64, u8>(&element)[..size]);
        }
        (buffer, size)
    };
    let buffers: Vec<(Vec<u64>, usize)> = arguments.iter().map(spread).collect();
    let slices: Vec<&[u8]> = buffers
        .iter()
        .map(|(buffer, size)| &bytemuck::cast_slice::<u64, u8>(buffer)[..COUNT * size])
        .collect();
    let size = result.size().unwrap();
    let mut out = vec![0_u64; 2 * COUNT];
    let out = &mut bytemuck::cast_slice_mut::<u64, u8>(&mut out)[..COUNT * size];
    kernel.run(&slices, out);
    let mut cells = out.chunks_exact(size).map(|bytes| cell(result, bytes));
    let first = cells.next().unwrap();
    for other in cells {
        assert!(agree(DType::F64, first, other, 0.0), "{op}: elements of a run differ: {first:?} {other:?}");
    }
    first
}

/// Plain numbers, each of which remembers what it was computed from.
struct Plain {
    dtype: DType,
    nodes: Vec<Node>,
}

struct Node {
    cell: Cell,
    /// `None` for numbers and arguments.
    from: Option<(Op, Vec<Value>)>,
}

impl Plain {
    fn leaf(&mut self, cell: Cell) -> Value {
        self.nodes.push(Node { cell, from: None });
        Value(u32::try_from(self.nodes.len() - 1).unwrap())
    }

    fn node(&self, value: Value) -> &Node {
        &self.nodes[value.0 as usize]
    }

    fn cell(&self, value: Value) -> Cell {
        self.node(value).cell
    }
}

impl Algebra for Plain {
    fn apply(&mut self, op: Op, arguments: &[Value]) -> Value {
        assert_eq!(op.arity(), arguments.len(), "{op}");
        if let Body::Formula(formula) = op.record().body {
            return formula(self, arguments);
        }
        let cells: Vec<Cell> = arguments.iter().map(|value| self.cell(*value)).collect();
        let truths = matches!(cells.last(), Some(Cell::Truth(_)));
        let cell = match run(op, if truths { DType::Bool } else { self.dtype.computed_in() }, &cells) {
            Cell::Float(x) => Cell::Float(rounded(self.dtype, x)),
            other => other,
        };
        let value = self.leaf(cell);
        self.nodes[value.0 as usize].from = Some((op, arguments.to_vec()));
        value
    }

    fn number(&mut self, n: f64) -> Value {
        self.leaf(number(self.dtype, n))
    }
}

/// Whether they are the same but for so many units in the last place; 0 says the same bits, but for NaNs.
fn agree(dtype: DType, a: Cell, b: Cell, ulps: f64) -> bool {
    let epsilon = match dtype.part() {
        DType::F16 => f16::EPSILON.into(),
        DType::Bf16 => bf16::EPSILON.into(),
        DType::F32 => f32::EPSILON.into(),
        _ => f64::EPSILON,
    };
    let near = |a: f64, b: f64, size: f64| {
        let same = a == b
            && (ulps > 0.0 && dtype.class() == Class::Complex
                || a.is_sign_negative() == b.is_sign_negative());
        same || a.is_nan() && b.is_nan() || a.is_finite() && (a - b).abs() <= ulps * epsilon * size
    };
    match (a, b) {
        (Cell::Float(a), Cell::Float(b)) => near(a, b, b.abs()),
        (Cell::Complex(a, c), Cell::Complex(b, d)) => {
            let size = if b.hypot(d).is_finite() { b.hypot(d) } else { 1.0 };
            near(a, b, size) && near(c, d, size)
        }
        _ => a == b,
    }
}

/// How many units in the last place the operation may be wrong by in these tests: several times what is promised.
fn tolerance(op: Op, dtype: DType) -> f64 {
    let record = op.record();
    let exact = record.accuracy.starts_with("exact") || record.accuracy.starts_with("rounded once");
    match (exact, dtype.class()) {
        (true, Class::Complex) => {
            if record.accuracy.contains("complex") {
                16.0
            } else {
                0.0
            }
        }
        (true, _) => 0.0,
        (false, _) => 16.0,
    }
}

/// A line of text: the element type, the arguments, and the result.
fn read(example: &str) -> (DType, Vec<Cell>, &str) {
    let (dtype, rest) = example.split_once(": ").unwrap();
    let (arguments, result) = rest.split_once(" -> ").unwrap();
    let dtype: DType = dtype.parse().unwrap();
    (dtype, arguments.split(", ").map(|text| parse(dtype, text)).collect(), result)
}

fn parse(dtype: DType, text: &str) -> Cell {
    match (text, dtype.class()) {
        ("true", _) => Cell::Truth(true),
        ("false", _) => Cell::Truth(false),
        (_, Class::Signed | Class::Unsigned) => Cell::Integer(text.parse().unwrap()),
        (_, Class::Complex) => {
            let real = |text: &str| rounded(dtype, text.parse().unwrap());
            let Some(start) = text.strip_suffix('j') else { return Cell::Complex(real(text), 0.0) };
            let sign = start
                .char_indices()
                .rev()
                .find(|(at, sign)| *at > 0 && "+-".contains(*sign) && !start[..*at].ends_with('e'));
            let (re, im) = start.split_at(sign.map_or(0, |(at, _)| at));
            Cell::Complex(if re.is_empty() { 0.0 } else { real(re) }, real(im))
        }
        _ => Cell::Float(rounded(dtype, text.parse().unwrap())),
    }
}

#[test]
fn examples() {
    for op in Op::ALL {
        for example in op.record().examples {
            let (dtype, arguments, result) = read(example);
            let result_type = op.result(dtype).unwrap_or_else(|| panic!("{op} does not take {dtype}"));
            let (found, expected) = (compute(*op, dtype, &arguments), parse(result_type, result));
            assert!(
                agree(result_type, found, expected, tolerance(*op, dtype)),
                "{op} {example}: is {found:?}"
            );
        }
    }
}

#[test]
fn records_are_complete() {
    let mut names: Vec<&str> = Op::ALL.iter().map(|op| op.record().name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "a name is there twice");
    for op in Op::ALL {
        let record = op.record();
        assert_eq!(Op::named(record.name), Some(*op));
        let sentence = record.summary.ends_with('.') && record.summary.len() < 120;
        assert!(sentence && !record.accuracy.is_empty(), "{op}");
        assert!(record.examples.len() >= 2, "{op}");
        assert!((1..=3).contains(&op.arity()), "{op}");
        let defaults = record.arguments.iter().skip_while(|argument| argument.default.is_none());
        assert!(defaults.into_iter().all(|argument| argument.default.is_some()), "{op}: arrays come first");
        assert!(DType::all().any(|dtype| op.result(dtype).is_some()), "{op} takes nothing");
        let formula = matches!(record.body, Body::Formula(_));
        assert!(
            !formula || record.gradient.is_none(),
            "{op}: the gradient of a formula follows from its parts"
        );
    }
}

/// Elements of a type that say most: zeros, ones, extremes, halves, what is no number.
fn samples(dtype: DType) -> Vec<Cell> {
    let floats =
        [0.0, -0.0, 1.0, -1.0, 0.5, -1.5, 2.5, 3.0, 1e-3, 100.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    match dtype.class() {
        Class::Bool => vec![Cell::Truth(false), Cell::Truth(true)],
        Class::Signed | Class::Unsigned => {
            let numbers = [0.0, 1.0, 2.0, 3.0, 7.0, 100.0, -1.0, -5.0, f64::INFINITY, f64::NEG_INFINITY];
            numbers.map(|n| number(dtype, n)).to_vec()
        }
        Class::Complex => {
            let parts = [0.0, 1.0, -0.5, 3.0];
            parts.into_iter().flat_map(|re| parts.map(|im| Cell::Complex(re, im))).collect()
        }
        _ => floats.map(|n| number(dtype, n)).to_vec(),
    }
}

/// Whether they are equal but for rounding and the sign of a zero.
fn equal(dtype: DType, a: Cell, b: Cell, ulps: f64) -> bool {
    let plus = |cell| match cell {
        Cell::Float(x) => Cell::Float(x + 0.0),
        Cell::Complex(re, im) => Cell::Complex(re + 0.0, im + 0.0),
        other => other,
    };
    agree(dtype, plus(a), plus(b), ulps)
}

#[test]
fn laws() {
    for op in Op::ALL {
        for dtype in DType::all().filter(|dtype| op.result(*dtype).is_some()) {
            for law in op.record().laws {
                check_law(*op, dtype, *law);
            }
        }
    }
}

fn check_law(op: Op, dtype: DType, law: Law) {
    let ulps = tolerance(op, dtype);
    let result = op.result(dtype).unwrap();
    let samples = samples(dtype);
    let apply = |arguments: &[Cell]| compute(op, dtype, arguments);
    let same = |a: Cell, b: Cell| equal(result, a, b, ulps);
    for &a in &samples {
        match law {
            Law::Idempotent if op.arity() == 1 => {
                let once = apply(&[a]);
                assert!(same(compute(op, result, &[once]), once), "{op} {dtype} {law:?} {a:?}");
            }
            Law::Idempotent => assert!(same(apply(&[a, a]), a), "{op} {dtype} {law:?} {a:?}"),
            Law::Involution => assert!(same(apply(&[apply(&[a])]), a), "{op} {dtype} {law:?} {a:?}"),
            Law::Neutral(n) => {
                let n = number(dtype, n);
                assert!(same(apply(&[a, n]), a), "{op} {dtype} {law:?} {a:?}: {:?}", apply(&[a, n]));
            }
            Law::Twice(once) => {
                let once = compute(once, dtype, &[a]);
                assert!(agree(result, apply(&[a, a]), once, 0.0), "{op} {dtype} {law:?} {a:?}: {once:?}");
            }
            Law::Commutative => {
                for &b in &samples {
                    assert!(same(apply(&[a, b]), apply(&[b, a])), "{op} {dtype} {law:?} {a:?} {b:?}");
                }
            }
            Law::Associative if matches!(dtype.class(), Class::Float | Class::Complex) => {}
            Law::Associative => {
                for &b in &samples {
                    for &c in &samples {
                        let (left, right) = (apply(&[apply(&[a, b]), c]), apply(&[a, apply(&[b, c])]));
                        assert!(same(left, right), "{op} {dtype} {law:?} {a:?} {b:?} {c:?}");
                    }
                }
            }
        }
    }
}

/// The element types that each operation takes, by class: what the standard says nothing of is not taken.
#[test]
fn element_types() {
    for op in Op::ALL {
        for dtype in DType::all() {
            assert!(op.result(dtype).is_none() || dtype.computes() || *op == Op::Where, "{op} {dtype}");
        }
        // What is taken as one integer is taken as all of them, and so on; but for kernels without f16 and bf16.
        let takes = |dtype: DType| op.result(dtype).is_some();
        assert_eq!(takes(DType::I8), takes(DType::U64), "{op}");
        assert_eq!(takes(DType::F32), takes(DType::F64), "{op}");
        let halves = takes(DType::F32) && !matches!(op.record().body, Body::Direct(_)) && *op != Op::Complex;
        assert_eq!((takes(DType::F16), takes(DType::Bf16)), (halves, halves), "{op}");
    }
    for name in ["exp", "sin", "sqrt", "divide", "atan2", "logaddexp", "hypot", "copysign", "reciprocal"] {
        assert_eq!(Op::named(name).unwrap().result(DType::I32), None, "{name}");
    }
}
