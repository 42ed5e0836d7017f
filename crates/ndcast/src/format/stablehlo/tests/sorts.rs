//! Sorts by whatever region says what is before what, and the greatest of each row in each of its forms.

use super::*;

/// The outputs of a program of one input `x` of f32 and one `n` of i32, both of shape 5.
fn run(body: &str, results: &str) -> Result<Vec<Tensor>, Error> {
    let text =
        format!("func.func @main(%x: tensor<5xf32>, %n: tensor<5xi32>) -> ({results}) {{\n{body}\n}}\n");
    let x = Tensor::new(&[5], &[1.0f32, f32::NAN, 0.0, -0.0, 1.0])?;
    read(&text)?.run(&[x, Tensor::new(&[5], &[3, 1, 2, 1, 3])?])
}

fn sort(attributes: &str, region: &str) -> Result<Vec<Vec<f64>>, Error> {
    let body = format!(
        "%0:2 = \"stablehlo.sort\"(%x, %n) {attributes} ({{
        ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
          {region}
          stablehlo.return %p : tensor<i1>
        }}) : (tensor<5xf32>, tensor<5xi32>) -> (tensor<5xf32>, tensor<5xi32>)
        return %0#1 : tensor<5xi32>"
    );
    run(&body, "tensor<5xi32>").map(|made| made.iter().map(numbers).collect())
}

fn compare(name: &str, direction: &str, operands: &str, as_what: &str) -> String {
    let element = if operands.contains('a') { "f32" } else { "i32" };
    format!(
        "%{name} = stablehlo.compare {direction}, {operands}{as_what} : (tensor<{element}>, tensor<{element}>) -> tensor<i1>"
    )
}

#[test]
fn what_is_before_what() {
    let along = "<{dimension = 0 : i64, is_stable = true}>";
    let pair = |first: &str, second: &str, equal: &str, both: &str, either: &str| {
        [first, second, equal, both, either].join("\n")
    };
    let by_both = pair(
        &compare("q", "GT", "%c, %d", ""),
        &compare("r", "LT", "%a, %b", ", TOTALORDER"),
        &compare("s", "EQ", "%d, %c", ", SIGNED"),
        "%t = stablehlo.and %s, %r : tensor<i1>",
        "%p = stablehlo.or %t, %q : tensor<i1>",
    );
    for (attributes, region, expected) in [
        // As numbers NaN is the greatest, and both zeros are one.
        (along, compare("p", "LT", "%a, %b", ", FLOAT"), [2.0, 1.0, 3.0, 3.0, 1.0]),
        (along, compare("p", "GT", "%b, %a", ""), [2.0, 1.0, 3.0, 3.0, 1.0]),
        (along, compare("p", "GT", "%a, %b", ""), [1.0, 3.0, 3.0, 2.0, 1.0]),
        (along, compare("p", "LT", "%a, %b", ", TOTALORDER"), [1.0, 2.0, 3.0, 3.0, 1.0]),
        // The last axis, if none is said.
        ("<{is_stable = false}>", compare("p", "LT", "%c, %d", ", SIGNED"), [1.0, 1.0, 2.0, 3.0, 3.0]),
        ("<{dimension = -1 : i64}>", compare("p", "GT", "%c, %d", ""), [3.0, 3.0, 2.0, 1.0, 1.0]),
        (along, by_both, [3.0, 3.0, 2.0, 1.0, 1.0]),
    ] {
        assert_eq!(sort(attributes, &region).unwrap(), [expected], "{region}");
    }
    for (attributes, region, message) in [
        (
            along,
            compare("p", "LE", "%a, %b", ""),
            "its region (compare, return) is none of the comparisons that are known",
        ),
        (along, compare("p", "LT", "%a, %a", ""), "none of the comparisons that are known"),
        ("<{dimension = 1 : i64}>", compare("p", "LT", "%a, %b", ""), "sort: axis 1 is outside rank 1"),
        ("<{dimension = -2 : i64}>", compare("p", "LT", "%a, %b", ""), "sort: "),
    ] {
        let error = sort(attributes, &region).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn the_greatest_in_every_form() {
    let results = "tensor<3xf32>, tensor<3xi32>";
    let returned = format!("return %0#0, %0#1 : {results}");
    for form in [
        "chlo.top_k(%x, k = 3) : tensor<5xf32> -> (tensor<3xf32>, tensor<3xi32>)",
        "\"chlo.top_k\"(%x) <{k = 3 : i64}> : (tensor<5xf32>) -> (tensor<3xf32>, tensor<3xi32>)",
        "stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 3 : i64, largest = true}, mhlo.version = 1 : i64} \
         : (tensor<5xf32>) -> (tensor<3xf32>, tensor<3xi32>)",
    ] {
        let made = run(&format!("%0:2 = {form}\n{returned}"), results)
            .unwrap_or_else(|error| panic!("{form}: {error}"));
        assert_eq!(numbers(&made[1]), [1.0, 0.0, 4.0], "{form}");
    }
    let least = "%0:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 3 : i64, largest = false}} : \
                 (tensor<5xf32>) -> (tensor<3xf32>, tensor<3xi32>)";
    // Totally ordered: -0 is before 0.
    assert_eq!(numbers(&run(&format!("{least}\n{returned}"), results).unwrap()[1]), [3.0, 2.0, 0.0]);
    for (form, message) in [
        ("chlo.top_k(%x, k = 6)", "topk: 6 elements are wanted along axis 0, which has extent 5"),
        ("chlo.top_k(%x, k = -1)", "topk: -1 elements are wanted"),
        ("chlo.top_k(%x)", "the attribute k is missing"),
        ("chlo.top_k(%x, %n, k = 1)", "it takes 1 operands, and there are 2"),
    ] {
        let types = "tensor<5xf32> -> (tensor<3xf32>, tensor<3xi32>)";
        let types = if form.contains("%n") {
            types.replace("tensor<5xf32> ->", "(tensor<5xf32>, tensor<5xi32>) ->")
        } else {
            types.to_owned()
        };
        let error = run(&format!("%0:2 = {form} : {types}\n{returned}"), results).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// What is sorted is written by a region that says the same, with an extent or a number that is open, too.
#[test]
fn sorts_are_written() {
    use crate::graph::kind::{Argsort, Order};
    let values = [1.0f32, f32::NAN, 0.0, -0.0, 1.0, -f32::NAN, -2.0, 0.5];
    for dtype in [DType::F32, DType::F16, DType::Bf16, DType::F64, DType::I8, DType::U64, DType::Bool] {
        for order in [Order::Numbers, Order::Total] {
            for (direction, shape) in
                [(crate::Direction::Ascending, "2x4"), (crate::Direction::Descending, "?x?")]
            {
                let mut graph = Graph::new();
                let x = graph.input("x", dtype, shape.parse().unwrap()).unwrap();
                let k = graph.input("k", DType::I64, "scalar".parse().unwrap()).unwrap();
                let three = graph.number(3, DType::I64).unwrap();
                let all = Argsort { axis: 1, direction, order, to: DType::I64 };
                for count in [None, Some(three), Some(k)] {
                    for id in graph.sorted(x, all.clone(), count).unwrap() {
                        graph.output(&id.place().to_string(), id).unwrap();
                    }
                }
                let text = write(&graph).unwrap();
                assert!(!text.contains("gather"), "{text}");
                let second = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                let x = Array::new(&[2, 4], &values).convert(dtype).eval().unwrap();
                let given = [x, Tensor::scalar(2i64).unwrap()];
                let [a, b] = [&graph, &second].map(|graph| graph.run(&given).unwrap());
                for (a, b) in a.iter().zip(&b) {
                    assert_eq!((a.shape(), a.dtype()), (b.shape(), b.dtype()));
                    let [a, b] =
                        [a, b].map(|one| numbers(one).into_iter().map(f64::to_bits).collect::<Vec<_>>());
                    assert_eq!(a, b, "{dtype} {order:?}");
                }
            }
        }
    }
    let mut graph = Graph::new();
    let z = graph.input("z", DType::C64, "4".parse().unwrap()).unwrap();
    let (direction, order) = (crate::Direction::Ascending, Order::Numbers);
    let y = graph.add(Argsort { axis: 0, direction, order, to: DType::I64 }, &[z]).unwrap();
    graph.output("y", y).unwrap();
    let error = write(&graph).unwrap_err().to_string();
    assert_eq!(
        error,
        "StableHLO has no operations for %1 = argsort: complex numbers are not compared as a whole"
    );
}
