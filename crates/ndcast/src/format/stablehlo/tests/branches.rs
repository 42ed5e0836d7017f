//! Gradients of branches: what is not chosen may be infinite, and so may be its derivatives.

use super::super::{read, write};
use crate::graph::{Graph, gradient};
use crate::tensor::Tensor;

/// The logarithm, the square or the quotient of a vector, within another choice.
const CASES: &str = "
func.func @main(%n: tensor<i32>, %p: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<3xf32>
  %twice = stablehlo.add %x, %x : tensor<3xf32>
  %0 = \"stablehlo.case\"(%n) ({
    %1 = stablehlo.log %twice : tensor<3xf32>
    stablehlo.return %1 : tensor<3xf32>
  }, {
    %1 = \"stablehlo.if\"(%p) ({
      %2 = stablehlo.sqrt %x : tensor<3xf32>
      %3 = stablehlo.multiply %2, %twice : tensor<3xf32>
      stablehlo.return %3 : tensor<3xf32>
    }, {
      %2 = stablehlo.multiply %x, %x : tensor<3xf32>
      stablehlo.return %2 : tensor<3xf32>
    }) : (tensor<i1>) -> tensor<3xf32>
    stablehlo.return %1 : tensor<3xf32>
  }, {
    %1 = stablehlo.divide %one, %x : tensor<3xf32>
    stablehlo.return %1 : tensor<3xf32>
  }) : (tensor<i32>) -> tensor<3xf32>
  %4 = stablehlo.multiply %0, %x : tensor<3xf32>
  return %4 : tensor<3xf32>
}";

fn by_x(graph: &Graph, n: i32, p: bool, x: [f32; 3]) -> Vec<f32> {
    let given = [Tensor::scalar(n), Tensor::scalar(p), Tensor::new(&[3], &x)].map(Result::unwrap);
    graph.run(&given).unwrap()[0].to_vec().unwrap()
}

#[test]
fn nothing_comes_of_a_branch_that_is_not_chosen() {
    let graph = read(CASES).unwrap();
    let by = gradient(&graph, graph.outputs()[0].name(), Some(&["arg2"])).unwrap();
    // The same in what is written of it.
    for by in [&by, &read(&write(&by).unwrap()).unwrap()] {
        let near = |found: &[f32], expected: [f32; 3]| {
            let is_near = |(a, b): (&f32, f32)| (a - b).abs() <= 1e-5 * b.abs().max(1.0);
            assert!(found.iter().zip(expected).all(is_near), "{found:?} {expected:?}");
        };
        // The cube of what neither the logarithm nor the root takes.
        near(&by_x(by, 1, false, [-1.0, 0.0, 2.0]), [3.0, 0.0, 12.0]);
        near(&by_x(by, 1, true, [1.0, 4.0, 9.0]), [5.0, 40.0, 135.0]);
        near(&by_x(by, 0, true, [0.5, 1.0, 2.0]), [1.0, 1.0 + 2f32.ln(), 1.0 + 4f32.ln()]);
        // A quotient times itself; of any other number it is the last.
        near(&by_x(by, 9, false, [-1.0, 2.0, 3.0]), [0.0; 3]);
        // What is chosen is as little a number as it is.
        assert!(!by_x(by, 0, false, [0.0, 1.0, 1.0])[0].is_finite());
    }
}
