//! Loops, which are written out round by round; and those that cannot be.

use super::*;

/// A loop of an integer and an array, which are given what begins them, what the condition says, and what is done.
fn spelled(start: &str, condition: &str, body: &str) -> String {
    format!(
        "func.func @main(%n: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {{
  %start = stablehlo.constant dense<{start}> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %start, %y = %x) : tensor<i32>, tensor<2xf32>
  cond {{
    {condition}
  }} do {{
    {body}
  }}
  return %0#1 : tensor<2xf32>
}}"
    )
}

/// As long as the counter is positive.
const POSITIVE: &str =
    "%1 = stablehlo.compare GT, %i, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>";

/// One less, and the sum with what stands around.
const SUMMED: &str = "%1 = stablehlo.subtract %i, %one : tensor<i32>
    %2 = stablehlo.add %y, %x : tensor<2xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<2xf32>";

fn run(text: &str) -> Vec<f64> {
    let inputs = [Tensor::scalar(1i32).unwrap(), Array::new(&[2], &[1f32, -3.0]).eval().unwrap()];
    let graph = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    numbers(&graph.run(&inputs).unwrap()[0])
}

#[test]
fn rounds_are_counted() {
    for (start, times) in [("3", 4.0), ("1", 2.0), ("0", 1.0), ("-5", 1.0)] {
        assert_eq!(run(&spelled(start, POSITIVE, SUMMED)), [times, -3.0 * times], "{start}");
    }
    let with_attributes =
        spelled("2", POSITIVE, SUMMED).replace("  cond {", "   attributes {a.b = 1 : i64} cond {");
    assert_eq!(run(&with_attributes), [3.0, -9.0]);
}

#[test]
fn the_generic_form() {
    let text = "func.func @main(%n: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %start = \"stablehlo.constant\"() {value = dense<2> : tensor<i32>} : () -> tensor<i32>
  %0:2 = \"stablehlo.while\"(%start, %x) ({
  ^bb0(%i: tensor<i32>, %y: tensor<2xf32>):
    %zero = \"stablehlo.constant\"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = \"stablehlo.compare\"(%i, %zero) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    \"stablehlo.return\"(%1) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %y: tensor<2xf32>):
    %one = \"stablehlo.constant\"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
    %1 = \"stablehlo.subtract\"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = \"stablehlo.add\"(%y, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    \"stablehlo.return\"(%1, %2) : (tensor<i32>, tensor<2xf32>) -> ()
  }) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)
  return %0#1 : tensor<2xf32>
}";
    assert_eq!(run(text), [4.0, -12.0]);
}

/// What a loop puts together row by row is a concatenation; if it does not fill the array, or not along one axis, rows that
/// are put in.
#[test]
fn rows_that_fill_an_array() {
    let text = |extents: &str, start: [&str; 2]| {
        let [row, column] = start;
        format!(
            "func.func @main(%x: tensor<1x1xf32>) -> tensor<{extents}xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %first = stablehlo.constant dense<9.0> : tensor<{extents}xf32>
  %0:3 = stablehlo.while(%i = %zero, %a = %first, %y = %x) : tensor<i32>, tensor<{extents}xf32>, tensor<1x1xf32>
  cond {{
    %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %a, %y, {row}, {column} : (tensor<{extents}xf32>, tensor<1x1xf32>, tensor<i32>, tensor<i32>) -> tensor<{extents}xf32>
    %3 = stablehlo.add %y, %x : tensor<1x1xf32>
    stablehlo.return %1, %2, %3 : tensor<i32>, tensor<{extents}xf32>, tensor<1x1xf32>
  }}
  return %0#1 : tensor<{extents}xf32>
}}"
        )
    };
    for (extents, start, steps, expected) in [
        ("3x1", ["%i", "%zero"], "concatenate", vec![1.0, 2.0, 3.0]),
        ("1x3", ["%zero", "%i"], "concatenate", vec![1.0, 2.0, 3.0]),
        ("4x1", ["%i", "%zero"], "insert", vec![1.0, 2.0, 3.0, 9.0]),
        ("2x1", ["%i", "%zero"], "insert", vec![1.0, 3.0]),
        ("2x2", ["%i", "%i"], "insert", vec![1.0, 9.0, 9.0, 3.0]),
        ("1x1", ["%i", "%zero"], "add", vec![3.0]),
    ] {
        let graph = read(&text(extents, start)).unwrap();
        assert!(graph.to_string().contains(&format!("{steps}(")), "{extents}: {graph}");
        let x = Array::new(&[1, 1], &[1f32]).eval().unwrap();
        assert_eq!(numbers(&graph.run(&[x]).unwrap()[0]), expected, "{extents}");
    }
}

#[test]
fn loops_that_cannot_be_written_out() {
    let same = "stablehlo.return %i, %y : tensor<i32>, tensor<2xf32>";
    let of_input = POSITIVE.replace("%i", "%n");
    for (condition, body, expected) in [
        (
            &of_input[..],
            SUMMED,
            "line 5, column 10: how many rounds a loop takes must be known when the text is read",
        ),
        (POSITIVE, same, "there are more than 524288 operations, in round 174761 of the loop on line 5"),
        ("stablehlo.return %i : tensor<i32>", SUMMED, "line 5, column 10: the elements are i32, not bool"),
        (
            "%1 = stablehlo.compare GT, %y, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>\nstablehlo.return %1 : tensor<2xi1>",
            SUMMED,
            "line 5, column 10: which way is taken is no 2",
        ),
        ("stablehlo.return", SUMMED, "line 5, column 10: the condition of a loop is one value"),
        (
            POSITIVE,
            "stablehlo.return %i : tensor<i32>",
            "line 5, column 10: a loop of 2 values has a body that gives 1",
        ),
        (
            POSITIVE,
            "stablehlo.return %i, %i : tensor<i32>, tensor<i32>",
            "line 5, column 10: it is i32 of shape scalar, and the text says f32 of shape 2",
        ),
        (POSITIVE, "", "line 5, column 10: a region of it returns nothing"),
    ] {
        let error = read(&spelled("1", condition, body)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n  {expected}");
    }
    let without = spelled("1", POSITIVE, SUMMED);
    let (head, body) = without.split_once(" do {").unwrap();
    let behind = body.split_once("  }\n").unwrap().1;
    let error = read(&format!("{head}\n{behind}")).unwrap_err().to_string();
    assert!(error.contains("line 5, column 10: a loop has a condition and a body"), "{error}");
}

/// An array of no rows stays one.
#[test]
fn loops_over_nothing() {
    let text = "func.func @main(%x: tensor<0x2xf32>) -> tensor<0x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<0x2xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %a, %a, %i, %zero : (tensor<0x2xf32>, tensor<0x2xf32>, tensor<i32>, tensor<i32>) -> tensor<0x2xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<0x2xf32>
  }
  return %0#1 : tensor<0x2xf32>
}";
    let made = read(text).unwrap().run(&[Tensor::zeros(&[0, 2], DType::F32).unwrap()]).unwrap();
    assert_eq!(made[0].shape(), [0, 2]);
}
