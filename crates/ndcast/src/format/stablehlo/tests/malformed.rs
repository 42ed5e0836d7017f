//! Texts that are not as they must be: each says where, and what.

use super::*;
use crate::error::ErrorKind;

fn wrong(text: &str) -> String {
    read(text).map(|graph| graph.to_string()).expect_err(text).to_string()
}

#[test]
fn texts_that_are_no_modules() {
    let mut differ = Vec::new();
    for (text, expected) in [
        ("", "line 1, column 1: there is no function, so nothing to run"),
        (
            "ML\u{ef}R",
            "this is MLIR's bytecode, and not its text, which `stablehlo-translate --deserialize` makes of it",
        ),
        ("module {", "line 1, column 9: the text ends where `}` must be"),
        ("func.func @main(", "line 1, column 17: the text ends where a type must be"),
        ("func.func @main() {\n  %0 = \n}", "line 3, column 1: there is `}` where an operation must be"),
        ("func.func @main() {\n  %0 stablehlo", "line 2, column 6: there is `stablehlo` where `=` must be"),
        (
            "func.func @main() {\n  add\n}",
            "line 2, column 3: there is `add` where an operation, with its dialect before it, must be",
        ),
        (
            "func.func @main() {\n  %a:0 = stablehlo.constant dense<1> : tensor<i8>\n}",
            "line 2, column 5: there is no operation of so many results",
        ),
        (
            "stablehlo.add %a, %b : tensor<f32>",
            "line 1, column 1: stablehlo.add stands outside of every function",
        ),
        ("func.func @main(%a: tensor<4f32>) {\n}", "line 1, column 29: there is `f32>) {` where `x` must be"),
        (
            "func.func @main(%a: tensor<99999999999999999999xf32>) {\n}",
            "line 1, column 28: an extent is at most 9223372036854775807",
        ),
        (
            "func.func @main(%a: tensor<?xf32, #stablehlo.bounds<1, 2>>) {\n}",
            "line 1, column 52: there are 2 bounds for 1 axes",
        ),
        ("func.func @main() {\n}", "line 1, column 1: main returns nothing"),
        (
            "func.func @main(%a: tensor<4xf8E3M4>) { return }",
            "line 1, column 1: the input a is no tensor with elements that are here",
        ),
        (
            "func.func @f() { return }\nfunc.func @f() { return }",
            "line 2, column 1: there are two functions called f",
        ),
        (
            "func.func @main() { call @main() : () -> ()\nreturn }",
            "line 1, column 21: functions call each other without end: main",
        ),
        ("func.func @main() { call @g() : () -> ()\nreturn }", "line 1, column 21: there is no function g"),
        ("func.func @main() {\n return \"", "line 2, column 9: the string does not end"),
        (
            "func.func @main() { ^bb0: return\n^bb1: return }",
            "line 1, column 21: a region of several blocks is not read",
        ),
    ] {
        let found = wrong(text);
        differ.extend((found != expected).then(|| format!("{text}\n    {found}\n    {expected}")));
    }
    none("errors", &differ);
    let deep = format!("func.func @main() {{ \"stablehlo.add\"() {{a = {}", "[".repeat(100_000));
    assert!(wrong(&deep).contains("more than 64 brackets"));
    assert!(wrong(&"module {".repeat(100_000)).contains("more than 64 brackets"));
}

#[test]
fn operations_that_are_not_as_they_must_be() {
    let mut differ = Vec::new();
    let head = "%x: tensor<2x3xf32>, %y: tensor<2xf32>, %i: tensor<i32>, %s: tensor<f32>";
    for (operation, expected) in [
        ("%0 = stablehlo.add %x, %q : tensor<2x3xf32>", "column 24: there is no value %q before this"),
        ("%0 = stablehlo.add %x, %x#1 : tensor<2x3xf32>", "column 24: %x is 1 values, and there is no #1"),
        ("%x = stablehlo.add %x, %x : tensor<2x3xf32>", "column 6: there are two values called %x"),
        (
            "%0 = stablehlo.add %x, %y : tensor<2x3xf32>",
            "column 6: add: the shapes must be equal, and they are 2x3 and 2",
        ),
        (
            "%0 = stablehlo.add %x, %x : tensor<3x2xf32>",
            "column 6: it is f32 of shape 2x3, and the text says f32 of shape 3x2",
        ),
        (
            "%0 = stablehlo.add %x, %x : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>",
            "column 6: it is f32 of shape 2x3, and the text says f32 of shape scalar",
        ),
        (
            "%0:2 = stablehlo.add %x, %x : tensor<2x3xf32>",
            "column 8: stablehlo.add gives 1 values, and 2 are named",
        ),
        (
            "%0 = stablehlo.compare XX, %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>",
            "column 6: there is no XX; there is EQ, NE, LT, LE, GT, GE",
        ),
        (
            "%0 = stablehlo.transpose %x : (tensor<2x3xf32>) -> tensor<3x2xf32>",
            "column 6: the attribute permutation is missing",
        ),
        (
            "%0 = stablehlo.transpose %x, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
            "column 6: transpose: ",
        ),
        ("%0 = stablehlo.iota dim = 2 : tensor<2x3xi32>", "column 6: iota: "),
        (
            "%0 = stablehlo.iota dim = 0 : tensor<?x3xi32>",
            "column 6: the extents of its result ?x3 must be numbers",
        ),
        (
            "%0 = stablehlo.select %x, %x : tensor<i1>, tensor<2x3xf32>",
            "column 6: it takes 3 operands, and there are 2",
        ),
        (
            "%0 = stablehlo.reduce(%x init: %s) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>\n reducer(%a: tensor<f32>, %b: tensor<f32>) { %c = stablehlo.subtract %a, %b : tensor<f32>\n stablehlo.return %c : tensor<f32> }",
            "column 6: reduce: there is no fold by subtract of elements of type f32",
        ),
        (
            "%0 = stablehlo.reduce(%i init: %i) applies stablehlo.or across dimensions = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>",
            "column 6: reduce: there is no fold by or of elements of type i32",
        ),
        (
            "%0 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<2xf32>) -> tensor<2x3xf32>",
            "column 6: broadcast_in_dim: ",
        ),
        (
            "%0 = stablehlo.slice %x [0:2, 0:4] : (tensor<2x3xf32>) -> tensor<2x4xf32>",
            "column 6: slice: on axis 1, of extent 3, from 0 to 4 by 1: the limit is beyond the extent",
        ),
        (
            "%0 = \"stablehlo.gather\"(%x, %i) : (tensor<2x3xf32>, tensor<i32>) -> tensor<3xf32>",
            "column 6: the attribute dimension_numbers is missing",
        ),
        (
            "%0 = \"stablehlo.scatter\"(%x, %i, %y) ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\nstablehlo.return %b : tensor<f32>\n}) : (tensor<2x3xf32>, tensor<i32>, tensor<2xf32>) -> tensor<2x3xf32>",
            "column 6: the attribute scatter_dimension_numbers is missing",
        ),
        (
            "%0 = \"stablehlo.scatter\"(%x, %i, %y) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%c = stablehlo.add %b, %b : tensor<f32>\nstablehlo.return %c : tensor<f32>\n}) : (tensor<2x3xf32>, tensor<i32>, tensor<2xf32>) -> tensor<2x3xf32>",
            "column 6: its region (add, return) is no instruction on what is there and the update",
        ),
        (
            "%0 = \"stablehlo.scatter\"(%x, %i, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\nstablehlo.return %b : tensor<f32>\n}) : (tensor<2x3xf32>, tensor<i32>, tensor<2x3xf32>) -> tensor<2x3xf32>",
            "column 6: scatter: ",
        ),
        (
            "%0 = \"stablehlo.case\"(%s) ({\nstablehlo.return %x : tensor<2x3xf32>\n}) : (tensor<f32>) -> tensor<2x3xf32>",
            "column 6: the elements are f32, not i32",
        ),
        (
            "%0 = \"stablehlo.case\"(%i) ({\nstablehlo.return %x : tensor<2x3xf32>\n}, {\nstablehlo.return\n}) : (tensor<i32>) -> tensor<2x3xf32>",
            "column 6: one branch gives 1 values, and another 0",
        ),
        (
            "%0 = \"stablehlo.case\"(%i) ({\nstablehlo.return %x : tensor<2x3xf32>\n}, {\nstablehlo.return %y : tensor<2xf32>\n}) : (tensor<i32>) -> tensor<2x3xf32>",
            "column 6: select: ",
        ),
        (
            "%0 = \"stablehlo.case\"(%i) : (tensor<i32>) -> tensor<f32>",
            "column 6: there must be one operand, and a branch",
        ),
        (
            "%0 = \"stablehlo.if\"(%i) ({\nstablehlo.return %x : tensor<2x3xf32>\n}) : (tensor<i32>) -> tensor<2x3xf32>",
            "column 6: there must be two branches",
        ),
        (
            "%0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>",
            "column 6: it takes 7 operands, and there are 2",
        ),
        (
            "%0 = stablehlo.pad %x, %s, low = [1], high = [1, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x5xf32>",
            "column 6: there are 1 low, 2 high and 1 interior paddings",
        ),
    ] {
        let text = format!("func.func @main({head}) {{\n{operation}\nreturn\n}}");
        let found = wrong(&text);
        let said = found.starts_with(&format!("line 2, {expected}"));
        differ.extend((!said).then(|| format!("{operation}\n    {found}\n    {expected}")));
    }
    none("errors", &differ);
}

/// Bytecode is no text at all: it is told before anything is read as one.
#[test]
fn files_that_are_no_texts() {
    let path = std::env::temp_dir().join(format!("ndcast-no-text-{}.mlir", std::process::id()));
    for (bytes, expected) in [
        (&b"ML\xefR\x0dStableHLO_v1.13.0\0\x01\xff"[..], "this is MLIR's bytecode, and not its text"),
        (b"module {\xff}", "it is no text: byte 8 is not UTF-8"),
        (b"module {", "line 1, column 9: the text ends where `}` must be"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let found = crate::format::open(&path).map(|graph| graph.to_string()).unwrap_err().to_string();
        std::fs::remove_file(&path).unwrap();
        assert!(found.starts_with(&format!("at {}: {expected}", path.display())), "{found}");
    }
}

/// What is not here is told at once, whatever its form.
#[test]
fn what_is_not_here_is_told_at_once() {
    let text = "module {
        func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
          %0:2 = stablehlo.while(%a = %x, %b = %n) : tensor<4xf32>, tensor<i32>
          cond {
            %p = stablehlo.compare LT, %b, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %p : tensor<i1>
          } do {
            %q = mhlo.tan %a : tensor<4xf32>
            stablehlo.return %q, %b : tensor<4xf32>, tensor<i32>
          }
          %1 = \"stablehlo.map\"(%0#0) <{dimensions = array<i64: 0>}> ({
          ^bb0(%a: tensor<f32>):
            %p = stablehlo.negate %a : tensor<f32>
            stablehlo.return %p : tensor<f32>
          }) : (tensor<4xf32>) -> tensor<4xf32>
          %2 = stablehlo.custom_call @solve(%1) {backend_config = \"\"} : (tensor<4xf32>) -> tensor<4xf32>
          %3 = call @f(%2) : (tensor<4xf32>) -> tensor<4xf32>
          return %3 : tensor<4xf32>
        }
        func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
          %0 = mhlo.topk(%x, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>) // ) not closed
          %1 = mhlo.tan %x : tensor<4xf32>
          %2 = stablehlo.convolution(%x, %x) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0],
            window = {stride = [1], pad = [[1, 1]]} {feature_group_count = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
          %3 = mhlo.tan %x : tensor<4xf32>
          return %1 : tensor<4xf32>
        }
      }";
    let error = read(text).unwrap_err();
    let ErrorKind::Unsupported { operators } = error.kind() else { panic!("{error}") };
    assert_eq!(
        operators[..],
        [
            "mhlo.tan (line 8)",
            "stablehlo.custom_call @solve (line 16)",
            "mhlo.topk (line 21)",
            "mhlo.tan (line 22)",
            "stablehlo.convolution (line 23)",
            "mhlo.tan (line 25)",
        ]
    );
}

/// Calls that double at each of many functions are not written out for ever.
#[test]
fn calls_do_not_grow_without_end() {
    let call = |n: usize| {
        format!(
            "%0 = call @f{n}(%x) : (tensor<f32>) -> tensor<f32>\n%1 = call @f{n}(%0) : (tensor<f32>) -> tensor<f32>\n"
        )
    };
    let mut text = format!(
        "func.func @main(%x: tensor<f32>) -> tensor<f32> {{\n{}return %1 : tensor<f32>\n}}\n",
        call(0)
    );
    for n in 0..40 {
        text.push_str(&format!(
            "func.func private @f{n}(%x: tensor<f32>) -> tensor<f32> {{\n{}return %1 : tensor<f32>\n}}\n",
            call(n + 1)
        ));
    }
    text.push_str("func.func private @f40(%x: tensor<f32>) -> tensor<f32> { %1 = stablehlo.negate %x : tensor<f32>\nreturn %1 : tensor<f32> }\n");
    assert!(wrong(&text).contains("written out, there are more than"));
}

/// No part of a program, cut off or exchanged, makes the reader panic.
#[test]
fn nothing_panics() {
    for name in [
        "indexing.mlir",
        "argmax.mlir",
        "sorting_pairs.mlir",
        "generic_places.mlir",
        "literals.mlir",
        "loops.mlir",
    ] {
        let whole = text(name);
        let marks: Vec<usize> = whole.char_indices().map(|(at, _)| at).collect();
        for &at in marks.iter().step_by(389) {
            let _ = read(&whole[..at]);
            let cut = format!("{}{}", &whole[..at], whole[at..].chars().skip(1).collect::<String>());
            let _ = read(&cut);
            for other in ["(", ">", "\"", "-", "x", "9", "%", "\n"] {
                let _ = read(&format!("{}{other}{}", &whole[..at], &whole[at..]));
            }
        }
    }
}
