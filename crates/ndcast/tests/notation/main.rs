//! Expressions as text: against NumPy, and what is said of those that are wrong.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says what must hold")]

use ndcast::notation::Expression;
use ndcast::{Array, DType, Error, Op};

fn arrays() -> Vec<(String, Array)> {
    let named = |name: &str, array: Array| (name.to_owned(), array);
    vec![
        named("a", Array::new(&[2, 3], &[1i64, 2, 3, 4, 5, 6])),
        named("x", Array::new(&[2, 3], &[0.5, 1.5, -2.0, 3.0, 4.0, -0.25])),
        named("f", Array::new(&[3], &[1.0f32, 2.0, 4.0])),
        named("b", Array::new(&[3], &[true, false, true])),
    ]
}

fn compute(text: &str) -> Result<Array, Error> {
    text.parse::<Expression>()?.compute(&arrays())
}

/// `f64 2x3` and the elements, of a complex number both parts.
fn shown(array: &Array) -> (String, Vec<f64>) {
    let (dtype, shape) = (array.dtype().unwrap(), ndcast::shape::Shape::from(array.shape().unwrap()));
    let floats = |array: &Array| array.convert(DType::F64).to_vec::<f64>().unwrap();
    let elements = match dtype {
        DType::C128 => {
            floats(&array.real()).into_iter().zip(floats(&array.imag())).flat_map(|(r, i)| [r, i]).collect()
        }
        _ => floats(array),
    };
    (format!("{dtype} {shape}"), elements)
}

/// Each line: the expression, the type and shape of what NumPy 2.4 makes of it, and its elements. With
/// `a = arange(1, 7).reshape(2, 3)`, `x = array([[.5, 1.5, -2], [3, 4, -.25]])`, `f = array([1, 2, 4], float32)` and
/// `b = array([True, False, True])`.
#[test]
fn as_numpy() {
    let mut wrong = Vec::new();
    for line in include_str!("numpy.tsv").lines() {
        let [text, form, elements] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let expected: Vec<f64> = elements.split_whitespace().map(|n| n.parse().unwrap()).collect();
        match compute(text) {
            Ok(array) => {
                let (found_form, found) = shown(&array);
                let tolerance = if form.starts_with("f32") { 1e-6 } else { 1e-14 };
                let near = |(a, b): (&f64, &f64)| a == b || (a - b).abs() <= tolerance * b.abs().max(1.0);
                if found_form != form
                    || found.len() != expected.len()
                    || !found.iter().zip(&expected).all(near)
                {
                    wrong.push(format!("{text}: {found_form} {found:?}, and NumPy has {form} {expected:?}"));
                }
            }
            Err(error) => wrong.push(format!("{text}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn errors_say_where() {
    for (text, message) in [
        ("x + y", "there is no y; the arrays are a, x, f, b\n  x + y\n      ^"),
        ("x + pii", "there is no pii; did you mean pi?\n  x + pii\n      ^^^"),
        ("maxmum(x, 0)", "there is no function maxmum; did you mean maximum"),
        ("x.maen()", "there is no function maen; did you mean mean"),
        (
            "f * (x + x.T)",
            "add: array-api: 2x3 and 3x2 do not broadcast: on axis 1 of the result, axis 1 of operand 0 is 3 and axis 1 of \
             operand 1 is 2; they must be equal, or one of them 1\n  f * (x + x.T)\n         ^",
        ),
        (
            "0 < x < 1",
            "comparisons are not chained: write (a < b) & (b < c) for a < b < c\n  0 < x < 1\n        ^",
        ),
        ("x > 0 and x < 1", "there is no `and` here: write & between arrays of truth values"),
        ("not x", "there is no `not` here: write ~"),
        ("x = 1", "there are no assignments; for \"are equal\" write ==\n  x = 1\n    ^"),
        ("x +", "the expression ends where a value is expected\n  x +\n     ^"),
        ("", "there is no expression"),
        ("(x", "the expression ends where `)` is expected"),
        ("x)", "an operator is expected here\n  x)\n   ^"),
        ("x x", "an operator is expected before `x`\n  x x\n    ^"),
        ("x[1, 2, 3]", "select: "),
        ("x[5]", "select: "),
        ("x[x > 0]", "an index has integers, slices, None and ..."),
        ("x[::0]", "the step of a slice cannot be 0\n  x[::0]\n   ^^^^^"),
        ("x[..., ...]", "an index has one ... at most"),
        ("x[1.5]", "an integer is expected, and this is 1.5"),
        ("sum(x, axis=2)", "sum: there is no axis 2: the rank is 2\n  sum(x, axis=2)\n  ^^^"),
        ("sum(x, axs=1)", "there is no axs among them; did you mean axis?"),
        ("sum()", "the argument x is missing; it takes (x, axis=None, keepdims=False)"),
        ("sum(x, 0, False, 1)", "it takes 3 arguments at most, and 4 are given"),
        ("sum(x, axis=1, axis=0)", "the argument axis is given twice"),
        ("sum(axis=1, x)", "an argument without a name stands behind one with a name"),
        ("sqrt", "sqrt is a function, and there is no bracket behind it"),
        ("x(1)", "x is an array and no function; an index has square brackets"),
        ("(x)(1)", "only functions are called, and this is a value"),
        ("x.shpe", "an array has no shpe; did you mean shape"),
        ("a / 2", "divide: it takes no elements of type i64; convert them to one of"),
        ("a.astype(floaty)", "there is no floaty; "),
        ("a.astype('floaty')", "dtype: there is no element type \"floaty\""),
        ("2 ** 200", "pow: the integer has more than 128 bits"),
        ("x.reshape(4, -1)", "no extent in place of -1 makes 2x3 elements of [4, -1]"),
        ("x.reshape(4)", "reshape: "),
        ("'a' + x", "an array is expected, and this is a text"),
        ("None", "an array is expected, and this is None"),
        ("12abc", "12abc is not a number\n  12abc\n  ^^^^^"),
        ("'x", "the quote does not end"),
        ("x ? 1", "'?' means nothing here"),
        ("where(x > 0,\n  x, y)", "there is no y; the arrays are a, x, f, b\n    x, y)\n       ^"),
        ("ä + x", "there is no ä; the arrays are a, x, f, b\n  ä + x\n  ^"),
    ] {
        let error = compute(text).expect_err(text).to_string();
        assert!(error.contains(message), "{text}: {error}\n   and not {message}");
    }
}

#[test]
fn depth_and_length() {
    let nested = |depth: usize| "(".repeat(depth) + "x" + &")".repeat(depth);
    assert!(compute(&nested(90)).is_ok());
    let error = compute(&nested(10_000)).unwrap_err().to_string();
    assert!(error.starts_with("it is nested deeper than 100\n"), "{error}");
    for deep in
        ["-".repeat(10_000) + "x", "x**".repeat(10_000) + "x", "f(".repeat(10_000), "[".repeat(10_000)]
    {
        assert!(compute(&deep).is_err());
    }
    // A long sum is no deep one.
    let sum = vec!["x"; 5000].join(" + ");
    assert_eq!(compute(&sum).unwrap().to_vec::<f64>().unwrap()[0], 2500.0);
}

#[test]
fn every_operation_is_a_function() {
    for op in Op::ALL {
        let record = op.record();
        let array = if *op == Op::Where { "b" } else { "x" };
        let needed = record.arguments.iter().filter(|argument| argument.default.is_none()).count();
        let others = std::iter::repeat_n("x", needed - 1).collect::<Vec<_>>().join(", ");
        let text = format!("{}({array}{}{others})", record.name, if needed > 1 { ", " } else { "" });
        // It is found: what it then says is about element types.
        let result = compute(&text).map(|_| ()).map_err(|error| error.to_string());
        assert!(
            result.is_ok() || result.as_ref().unwrap_err().starts_with(record.name),
            "{text}: {result:?}"
        );
    }
    let named = compute("leaky_relu(x, alpha=0.5)").unwrap().to_vec::<f64>().unwrap();
    assert_eq!(named, [0.5, 1.5, -1.0, 3.0, 4.0, -0.125]);
    assert_eq!(
        compute("clip(x, max=1)").unwrap().to_vec::<f64>().unwrap(),
        [0.5, 1.0, -2.0, 1.0, 1.0, -0.25]
    );
}

#[test]
fn names_and_text() {
    let expression: Expression = " x + sqrt(y) * x[i] - pi".parse().unwrap();
    assert_eq!(expression.names(), ["x", "y", "i", "pi"]);
    assert_eq!(expression.to_string(), " x + sqrt(y) * x[i] - pi");
}

/// Words in any order are an expression or an error, never a panic.
#[test]
fn nothing_panics() {
    let words = [
        "x",
        "a",
        "f",
        "b",
        "1",
        "2.5",
        "1j",
        "'t'",
        "+",
        "-",
        "*",
        "**",
        "/",
        "//",
        "%",
        "@",
        "~",
        "&",
        "<<",
        "<",
        "==",
        "(",
        ")",
        "[",
        "]",
        ",",
        ":",
        "...",
        ".",
        "=",
        "None",
        "True",
        "sum",
        "axis",
        "reshape",
        "T",
        "where",
        "-1",
        "99999999999",
        "float32",
        "concat",
        "einsum",
        "arange",
        "shape",
        "roll",
        "\n",
    ];
    let mut state = 1u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut good = 0;
    for _ in 0..20_000 {
        let length = 1 + next(8);
        let text: Vec<&str> = (0..length).map(|_| words[next(words.len())]).collect();
        good += usize::from(compute(&text.join(" ")).is_ok());
    }
    assert!(good > 100, "{good}");
}
