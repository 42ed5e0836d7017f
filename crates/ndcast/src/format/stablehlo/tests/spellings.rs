//! Every way in which the same is spelled: constants, types, names, forms of operations.

use super::*;
use crate::op::Op;

/// A constant as the output of a program.
fn constant(spelled: &str, type_: &str) -> Result<Tensor, String> {
    let body = format!("%0 = stablehlo.constant {spelled} : {type_}\nreturn %0 : {type_}");
    let text = format!("func.func @main() -> {type_} {{\n{body}\n}}");
    let graph = read(&text).map_err(|error| error.to_string())?;
    Ok(graph.run(&[]).unwrap().remove(0))
}

#[test]
fn constants_in_every_spelling() {
    for (spelled, type_, expected) in [
        ("dense<1.0>", "tensor<f32>", vec![1.0]),
        ("dense<1.>", "tensor<f32>", vec![1.0]),
        ("dense<-1.250000e+01>", "tensor<2xf64>", vec![-12.5, -12.5]),
        ("dense<0xFF800000>", "tensor<f32>", vec![f64::NEG_INFINITY]),
        ("dense<[[1.0, 2.0], [3.0, 0x3F800000]]>", "tensor<2x2xf32>", vec![1.0, 2.0, 3.0, 1.0]),
        ("dense<0x3C00>", "tensor<f16>", vec![1.0]),
        ("dense<0x3F80>", "tensor<bf16>", vec![1.0]),
        ("dense<0x38>", "tensor<f8E4M3FN>", vec![1.0]),
        ("dense<0x3FF0000000000000>", "tensor<f64>", vec![1.0]),
        ("dense<[-128, 127, 0xFF]>", "tensor<3xi8>", vec![-128.0, 127.0, -1.0]),
        ("dense<255>", "tensor<2xui8>", vec![255.0, 255.0]),
        ("dense<[-8, 7]>", "tensor<2xi4>", vec![-8.0, 7.0]),
        ("dense<[true, false, 1, 0]>", "tensor<4xi1>", vec![1.0, 0.0, 1.0, 0.0]),
        ("dense<>", "tensor<0x3xi8>", vec![]),
        ("dense<[]>", "tensor<0xf32>", vec![]),
        ("dense<[[], []]>", "tensor<2x0xf32>", vec![]),
        ("dense<\"0x0000803F00000040\">", "tensor<2xf32>", vec![1.0, 2.0]),
        ("dense<\"0x0000803F\">", "tensor<2xf32>", vec![1.0, 1.0]),
        ("dense<\"0x05\">", "tensor<3xi1>", vec![1.0, 0.0, 1.0]),
        ("dense<\"0x010001\">", "tensor<3xi1>", vec![1.0, 0.0, 1.0]),
        ("dense<\"0xFF\">", "tensor<3xi1>", vec![1.0, 1.0, 1.0]),
        ("dense<\"0x0F07\">", "tensor<2xi4>", vec![-1.0, 7.0]),
        ("dense<3>", "tensor<2xindex>", vec![3.0, 3.0]),
    ] {
        let found = constant(spelled, type_).unwrap_or_else(|error| panic!("{spelled} : {type_}: {error}"));
        assert_eq!(numbers(&found), expected, "{spelled} : {type_}");
    }
    let z = constant("dense<[(1.0,-2.0), (0x7F800000,0.5)]>", "tensor<2xcomplex<f32>>").unwrap();
    assert_eq!(parts(&z), [1.0, f64::INFINITY, -2.0, 0.5]);
    let z = constant("dense<(1.0, -2.0)>", "tensor<2xcomplex<f64>>").unwrap();
    assert_eq!(parts(&z), [1.0, 1.0, -2.0, -2.0]);
}

#[test]
fn constants_that_are_none() {
    let mut differ = Vec::new();
    for (spelled, type_, place, says) in [
        ("dense<1>", "tensor<f32>", "2, column 31", "a float, with a dot"),
        ("dense<.5>", "tensor<f32>", "2, column 31", "a float"),
        ("dense<1e3>", "tensor<f32>", "2, column 31", "a float"),
        ("dense<inf>", "tensor<f32>", "2, column 31", "a float"),
        ("dense<1.5>", "tensor<i32>", "2, column 31", "a whole number"),
        ("dense<-1>", "tensor<ui8>", "2, column 31", "-1"),
        ("dense<128>", "tensor<i8>", "2, column 31", "128"),
        ("dense<2>", "tensor<i1>", "2, column 31", "2"),
        ("dense<0x1FF>", "tensor<i8>", "2, column 31", "more bits"),
        ("dense<-0x1>", "tensor<i8>", "2, column 3", "`>`"),
        ("dense<[1.0, 2.0, 3.0]>", "tensor<2xf32>", "2, column 45", "3 elements, and axis 0 has 2"),
        ("dense<[[1.0], [2.0]]>", "tensor<2xf32>", "2, column 32", "deeper"),
        ("dense<[1.0]>", "tensor<1x1xf32>", "2, column 32", "2 axes"),
        ("dense<>", "tensor<2xf32>", "2, column 31", "no element"),
        ("dense<(1.0,2.0)>", "tensor<f32>", "2, column 32", "no complex"),
        ("dense<1.0>", "tensor<complex<f32>>", "2, column 31", "a complex number"),
        ("dense<\"0x00\">", "tensor<2xf32>", "2, column 31", "1 bytes"),
        ("dense<\"0x000\">", "tensor<2xf32>", "2, column 31", "pairs"),
        ("dense<\"00\">", "tensor<i8>", "2, column 31", "0x"),
        ("dense<1.0>", "tensor<?xf32>", "2, column 38", "numbers"),
        ("dense<1.0>", "tensor<2x!quant.uniform<i8:f32, 1.0>>", "2, column 38", "quant"),
        ("dense_resource<nothing>", "tensor<2xf32>", "2, column 40", "no bytes called nothing"),
    ] {
        let error = constant(spelled, type_).expect_err(spelled);
        let said = error.starts_with(&format!("line {place}")) && error.contains(says);
        differ.extend((!said).then(|| format!("{spelled} : {type_}: {error}")));
    }
    none("errors", &differ);
}

/// A claim is checked before there is memory for it, and one element stays one.
#[test]
fn one_element_for_all_takes_no_memory() {
    let text = "func.func @main(%i: tensor<i32>) -> tensor<f32> {
        %0 = stablehlo.constant dense<1.5> : tensor<1000000x1000000xf32>
        %c = stablehlo.constant dense<0> : tensor<i32>
        %1 = stablehlo.dynamic_slice %0, %i, %c, sizes = [1, 1] : (tensor<1000000x1000000xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>
        %2 = stablehlo.reshape %1 : (tensor<1x1xf32>) -> tensor<f32>
        return %2 : tensor<f32>
    }";
    let graph = read(text).unwrap();
    let index = Tensor::scalar(999_999i32).unwrap();
    assert_eq!(graph.run(&[index]).unwrap()[0].to_vec::<f32>().unwrap(), [1.5]);
    let huge = "tensor<9223372036854775807x9223372036854775807xf32>";
    let text = format!(
        "func.func @main() -> {huge} {{
           %0 = stablehlo.constant dense<1.0> : {huge}
           return %0 : {huge}
         }}"
    );
    let error = read(&text).and_then(|graph| graph.run(&[])).unwrap_err().to_string();
    assert!(error.contains("has more elements than can be addressed"), "{error}");
}

#[test]
fn bytes_at_the_end_of_a_file() {
    let text = "func.func @main() -> tensor<2xf32> {
        %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>
        return %0 : tensor<2xf32>
    }
    {-# dialect_resources: { builtin: { w: \"0x040000000000803F00000040\" } } #-}";
    assert_eq!(numbers(&read(text).unwrap().run(&[]).unwrap()[0]), [1.0, 2.0]);
}

#[test]
fn operations_in_every_form() {
    let x = "%x = stablehlo.constant dense<[4.0, 9.0]> : tensor<2xf32>\n%i = stablehlo.constant dense<0.0> : tensor<f32>\n";
    for body in [
        "%1 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>",
        "%1 = \"stablehlo.reduce\"(%x, %i) <{dimensions = array<i64: 0>}> ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %s = \"stablehlo.add\"(%b, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
            \"stablehlo.return\"(%s) : (tensor<f32>) -> () }) : (tensor<2xf32>, tensor<f32>) -> tensor<f32>",
        // As in 2023: attributes behind, and lists as constants.
        "%1 = \"stablehlo.reduce\"(%x, %i) ({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %s = stablehlo.add %a, %b {note = unit, more = [1.5 : f32, \"x\" : !t]} : tensor<f32> loc(\"here\")
            stablehlo.return %s : tensor<f32> }) {dimensions = dense<0> : tensor<1xi64>} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>",
        "%1 = stablehlo.reduce(%x init: %i) across dimensions = [0] {a = #b} : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
            reducer(%a: tensor<f32>, %b: tensor<f32>) { %s = stablehlo.add %a, %b : tensor<f32>
            stablehlo.return %s : tensor<f32> }",
        "%d = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], precision = [HIGHEST, DEFAULT] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
            %h = stablehlo.constant dense<84.0> : tensor<f32>\n%1 = stablehlo.subtract %d, %h : tensor<f32>",
        "%2:2 = call @two(%x) : (tensor<2xf32>) -> (tensor<f32>, tensor<f32>)\n%1 = chlo.broadcast_add %2#0, %2#1 : (tensor<f32>, tensor<f32>) -> tensor<f32>",
        "%2 = stablehlo.slice %x [0:2:2] : (tensor<2xf32>) -> tensor<1xf32>
            %3 = stablehlo.slice %x [1:2] : (tensor<2xf32>) -> tensor<1xf32>
            %4 = chlo.broadcast_add %2, %3 {broadcast_dimensions = array<i64: 0>} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
            %1 = stablehlo.reshape %4 : (tensor<1xf32>) -> tensor<f32>",
    ] {
        let text = format!(
            "#b = loc(\"f\":1:2)\n!t = tensor<2xf32>\nmodule @m attributes {{a.b = 1 : i32}} {{\n\
             func.func public @main() -> (tensor<f32> {{jax.result_info = \"}}\"}}) attributes {{x}} {{\n{x}{body}\nreturn %1 : tensor<f32> loc(#b)\n}} loc(#b)\n\
             func.func private @two(%arg0: !t {{y}} loc(#c)) -> (tensor<f32>, tensor<f32>) {{\n\
             %0 = stablehlo.slice %arg0 [0:1] : (!t) -> tensor<1xf32>\n%1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>\n\
             %2 = stablehlo.slice %arg0 [1:2] : (!t) -> tensor<1xf32>\n%3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>\n\
             func.return %1, %3 : tensor<f32>, tensor<f32>\n}}\n}} loc(#b)\n#c = loc(unknown)\n"
        );
        let graph = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(numbers(&graph.run(&[]).unwrap()[0]), [13.0], "{body}");
    }
}

#[test]
fn types_that_are_open_or_bounded() {
    let graph = of(
        "%a: tensor<?x3xf32>, %b: tensor<?x4xf32, #stablehlo.bounds<5, ?>>, %c: tensor<*xf32>, %d: tensor<f32>",
        "return %d : tensor<f32>",
    )
    .unwrap();
    let shapes: Vec<String> =
        graph.inputs().iter().map(|&id| graph.node(id).unwrap().shape().to_string()).collect();
    assert_eq!(shapes, ["?x3", "..5x4", "...", "scalar"]);
}

/// The whole order of floats is another comparison, and reduced precision another format.
#[test]
fn words_of_forms() {
    let two = "%a = stablehlo.constant dense<-0.0> : tensor<f32>\n%b = stablehlo.constant dense<0.0> : tensor<f32>\n";
    let less = |comparison: &str| {
        value(&format!(
            "{two}%p = stablehlo.compare LT, %a, %b{comparison} : (tensor<f32>, tensor<f32>) -> tensor<i1>\n\
             %0 = stablehlo.convert %p : (tensor<i1>) -> tensor<f32>\nreturn %0 : tensor<f32>"
        ))
    };
    assert_eq!(
        [less(""), less(", FLOAT"), less(", TOTALORDER"), less(", NOTYPE")].map(|x| numbers(&x)[0]),
        [0.0, 0.0, 1.0, 0.0]
    );
    let reduced = value(
        "%a = stablehlo.constant dense<1.0009> : tensor<f32>\n\
         %0 = stablehlo.reduce_precision %a, format = e5m2 : tensor<f32>\nreturn %0 : tensor<f32>",
    );
    assert_eq!(numbers(&reduced), [1.0]);
}

/// The branch of a number that is known is the only one that is built; of another, all are.
#[test]
fn branches_of_known_and_of_computed_numbers() {
    let text = |which: &str| {
        format!(
            "func.func @main(%n: tensor<i32>, %p: tensor<i1>, %x: tensor<f32>) -> tensor<f32> {{
               %one = stablehlo.constant dense<1> : tensor<i32>
               %no = stablehlo.constant dense<false> : tensor<i1>
               %0 = {which} ({{
                 %1 = stablehlo.negate %x : tensor<f32>
                 stablehlo.return %1 : tensor<f32>
               }}, {{
                 %1 = stablehlo.exponential %x : tensor<f32>
                 stablehlo.return %1 : tensor<f32>
               }}) : (tensor<{}>) -> tensor<f32>
               return %0 : tensor<f32>
             }}",
            if which.contains("case") { "i32" } else { "i1" }
        )
    };
    for (which, others, of) in [
        ("\"stablehlo.case\"(%one)", false, [1.0, 1.0, 1.0]),
        ("\"stablehlo.if\"(%no)", false, [1.0, 1.0, 1.0]),
        ("\"stablehlo.case\"(%n)", true, [1.0, 0.0, 1.0]),
        ("\"stablehlo.if\"(%p)", true, [1.0, 0.0, 0.0]),
    ] {
        let graph = read(&text(which)).unwrap();
        assert_eq!(graph.to_string().contains("negative"), others, "{which}");
        for (n, expected) in [-1i32, 0, 9].into_iter().zip(of) {
            let inputs =
                [Tensor::scalar(n), Tensor::scalar(n >= 0), Tensor::scalar(0.0f32)].map(Result::unwrap);
            assert_eq!(numbers(&graph.run(&inputs).unwrap()[0]), [expected], "{which} {n}");
        }
    }
    let deep = "\"stablehlo.if\"(%p) ({\n".repeat(70);
    let deep = format!("func.func @main(%p: tensor<i1>) -> tensor<i1> {{\n{deep}");
    let error = read(&deep).unwrap_err().to_string();
    assert!(error.contains("more than 64 brackets lie within each other"), "{error}");
}

/// Windows whose size is computed are as long as the axis, or that is an error.
#[test]
fn windows_of_a_computed_size() {
    let text = |size: &str, low: &str| {
        format!(
            "func.func @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {{
               %c = stablehlo.add %a, %b : tensor<f32>
               return %c : tensor<f32>
             }}
             func.func @main(%x: tensor<?xf32>, %other: tensor<i32>) -> tensor<?xf32> {{
               %zero = stablehlo.constant dense<0.0> : tensor<f32>
               %one = stablehlo.constant dense<1> : tensor<1xi32>
               %none = stablehlo.constant dense<0> : tensor<1xi32>
               %m = stablehlo.reshape %other : (tensor<i32>) -> tensor<1xi32>
               %i = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
               %n = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
               %r = stablehlo.subtract %n, %one : tensor<1xi32>
               %p = stablehlo.concatenate {low}, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
               %q = stablehlo.reshape %p : (tensor<2xi32>) -> tensor<1x2xi32>
               %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, {size}, %one, %one, %one, %q)
                 {{called_computations = [@sum]}} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>,
                  tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
               return %0 : tensor<?xf32>
             }}"
        )
    };
    let inputs = [Tensor::new(&[3], &[1.0f32, 2.0, 4.0]).unwrap(), Tensor::scalar(2i32).unwrap()];
    for (low, expected) in [("%r, %none", [1.0, 3.0, 7.0]), ("%none, %r", [7.0, 6.0, 4.0])] {
        let graph = read(&text("%n", low)).unwrap();
        assert_eq!(numbers(&graph.run(&inputs).unwrap()[0]), expected);
        // Of two elements, where there are three.
        let error = read(&text("%m", low)).unwrap().run(&inputs).unwrap_err().to_string();
        assert!(error.contains("the elements of 3 do not fill the shape [2]"), "{error}");
    }
    for (size, low) in [("%n", "%r, %r"), ("%one", "%r, %none"), ("%n", "%none, %none")] {
        let error = read(&text(size, low)).unwrap_err().to_string();
        assert!(error.contains("the size of the windows along axis 0 is not known"), "{error}");
    }
}

/// The place of the first truth, as JAX has it of the greatest, and of the first that is none.
#[test]
fn places_of_truth_values() {
    let text = |first: bool, direction: &str| {
        format!(
            "func.func @main(%x: tensor<2x3xi1>) -> tensor<2xi32> {{
               %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
               %f = stablehlo.constant dense<{first}> : tensor<i1>
               %z = stablehlo.constant dense<0> : tensor<i32>
               %1:2 = stablehlo.reduce(%x init: %f), (%i init: %z) across dimensions = [1] : (tensor<2x3xi1>,
                 tensor<2x3xi32>, tensor<i1>, tensor<i32>) -> (tensor<2xi1>, tensor<2xi32>)
               reducer(%a: tensor<i1>, %c: tensor<i1>) (%b: tensor<i32>, %d: tensor<i32>) {{
                 %2 = stablehlo.compare {direction}, %a, %c, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
                 %3 = stablehlo.compare NE, %a, %a, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
                 %4 = stablehlo.or %2, %3 : tensor<i1>
                 %5 = stablehlo.compare EQ, %a, %c, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
                 %6 = stablehlo.compare LT, %b, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                 %7 = stablehlo.and %5, %6 : tensor<i1>
                 %8 = stablehlo.or %4, %7 : tensor<i1>
                 %9 = stablehlo.select %4, %a, %c : tensor<i1>, tensor<i1>
                 %10 = stablehlo.select %8, %b, %d : tensor<i1>, tensor<i32>
                 stablehlo.return %9, %10 : tensor<i1>, tensor<i32>
               }}
               return %1#1 : tensor<2xi32>
             }}"
        )
    };
    let x = Tensor::new(&[2, 3], &[false, true, true, true, true, false]).unwrap();
    for (first, direction, expected) in [(false, "GT", [1.0, 0.0]), (true, "LT", [0.0, 2.0])] {
        let graph = read(&text(first, direction)).unwrap();
        assert_eq!(numbers(&graph.run(std::slice::from_ref(&x)).unwrap()[0]), expected);
    }
}

/// One start of two numbers, and slices with the whole of the third axis.
#[test]
fn a_row_by_two_numbers() {
    let text = "func.func @main(%x: tensor<?x4x?xf32>) -> tensor<?xf32> {
        %at = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
        %i = stablehlo.get_dimension_size %x, dim = 2 : (tensor<?x4x?xf32>) -> tensor<i32>
        %n = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
        %one = stablehlo.constant dense<1> : tensor<1xi32>
        %sizes = stablehlo.concatenate %one, %one, %n, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
        %0 = \"stablehlo.dynamic_gather\"(%x, %at, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [0],
          collapsed_slice_dims = [0, 1], start_index_map = [0, 1]>}> : (tensor<?x4x?xf32>, tensor<2xi32>, tensor<3xi32>)
          -> tensor<?xf32>
        return %0 : tensor<?xf32>
      }";
    let x = Tensor::new(&[2, 4, 2], &(0..16u8).map(f32::from).collect::<Vec<_>>()).unwrap();
    assert_eq!(numbers(&read(text).unwrap().run(&[x]).unwrap()[0]), [12.0, 13.0]);
}

/// What holds a compiler back changes nothing: each operand is a result.
#[test]
fn barriers_of_one_and_of_several() {
    let text = "func.func @main(%a: tensor<2xf32>, %b: tensor<i32>) -> (tensor<i32>, tensor<2xf32>) {
        %0:2 = stablehlo.optimization_barrier %a, %b : tensor<2xf32>, tensor<i32>
        %1 = stablehlo.optimization_barrier %0#0 : tensor<2xf32>
        return %0#1, %1 : tensor<i32>, tensor<2xf32>
    }";
    let given = [Tensor::new(&[2], &[1.0f32, 2.0]).unwrap(), Tensor::new(&[], &[3i32]).unwrap()];
    let made = read(text).unwrap().run(&given).unwrap();
    assert_eq!(made.iter().map(numbers).collect::<Vec<_>>(), [vec![3.0], vec![1.0, 2.0]]);
    let wrong = text.replace("%a, %b : tensor<2xf32>", "%a, %b : tensor<3xf32>");
    let error = read(&wrong).unwrap_err().to_string();
    assert!(error.contains("f32 of shape 2, and the text says f32 of shape 3"), "{error}");
}

/// On which devices values lie changes none of them.
#[test]
fn devices_that_values_lie_on() {
    let text = r#"module @sharded {
      sdy.mesh @mesh = <["d"=1]> {stablehlo.mesh = {axes = [{name = "d", size = 1 : i64}]}}
      func.func public @main(%x: tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> tensor<2x3xf32> {
        %0 = sdy.sharding_constraint %x <@mesh, [{"d"}, {}]> : tensor<2x3xf32>
        %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{replicated}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
        %2 = stablehlo.add %0, %1 : tensor<2x3xf32>
        return %2 : tensor<2x3xf32>
      }
    }"#;
    let x = Tensor::new(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    assert_eq!(numbers(&read(text).unwrap().run(&[x]).unwrap()[0]), [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
}

/// As JAX writes the logistic function: it is that one, whose gradient is 0 where the exponential is infinite.
#[test]
fn a_logistic_function_in_parts() {
    for (one, sum) in [("%one", "%one, %2"), ("%one", "%2, %one"), ("%two", "%one, %2")] {
        let text = format!(
            "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{
            %cst = stablehlo.constant dense<1.0> : tensor<f32>
            %one = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
            %two = stablehlo.add %one, %one : tensor<3xf32>
            %1 = stablehlo.negate %x : tensor<3xf32>
            %2 = stablehlo.exponential %1 : tensor<3xf32>
            %3 = stablehlo.add {sum} : tensor<3xf32>
            %4 = stablehlo.divide {one}, %3 : tensor<3xf32>
            return %4 : tensor<3xf32>
            }}"
        );
        let graph = read(&text).unwrap();
        let is_logistic = graph.to_string().contains("sigmoid");
        assert_eq!(is_logistic, one == "%one", "{text}");
        let x = Tensor::new(&[3], &[-100.0f32, 0.0, 100.0]).unwrap();
        let name = graph.outputs()[0].name().to_owned();
        let gradient = crate::graph::gradient(&graph, &name, None).unwrap().run(&[x]).unwrap();
        if is_logistic {
            let [far, middle, near] = gradient[0].to_vec::<f32>().unwrap()[..] else {
                panic!("{gradient:?}")
            };
            assert!(middle == 0.25 && [far, near].iter().all(|d| (0.0..1e-40).contains(d)), "{gradient:?}");
        }
    }
}

/// What is true of one of two constants is no sum of truth values, which XLA takes for an exclusive or.
#[test]
fn logic_is_written_as_such() {
    let mut graph = Graph::new();
    let [a, b] = ["a", "b"].map(|name| graph.input(name, DType::Bool, "2".parse().unwrap()).unwrap());
    for (name, op) in [("or", Op::LogicalOr), ("and", Op::LogicalAnd), ("xor", Op::LogicalXor)] {
        let made = graph.apply(op, &[a, b]).unwrap();
        graph.output(name, made).unwrap();
    }
    let text = write(&graph).unwrap();
    for name in ["or", "and", "xor"] {
        assert!(text.contains(&format!("stablehlo.{name} ")), "{text}");
    }
    assert!(!text.contains("add") && !text.contains("multiply"), "{text}");
}
