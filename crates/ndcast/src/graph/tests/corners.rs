//! Gradients at the corners of what is moved and folded: several for one place, nothing at all, and what is too great on the way.

use super::super::kind::{Accumulate, Direction, Reduce, Start};
use super::super::{Graph, gradient};
use super::floats;
use crate::array::{Array, Keep};
use crate::dtype::DType;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// The elements of a tensor, whatever their type.
fn numbers(tensor: &Tensor) -> Vec<f64> {
    Array::from(tensor.clone()).convert(DType::F64).to_vec::<f64>().unwrap()
}

/// A whole product, and the last of a running one: what is too great beside a 0 does no harm, nor what is for a half on the way.
#[test]
fn products_beyond_what_is_used() {
    let derivatives = |dtype: DType, of: &[f64]| {
        let shape = ndcast_shape::Shape::from([of.len()]);
        let x = Array::new(&[of.len()], of).convert(dtype).eval().unwrap();
        [true, false].map(|is_whole| {
            let mut graph = Graph::new();
            let id = graph.input("x", dtype, shape.clone()).unwrap();
            let y = if is_whole {
                graph.fold(Reduction::Prod, id, &[0], Keep::Nothing).unwrap()
            } else {
                let (reduction, direction, start) = (Reduction::Prod, Direction::Forward, Start::With);
                let run = graph.add(Accumulate { reduction, axis: 0, direction, start }, &[id]).unwrap();
                graph.part(run, 0, Some(-1), None).unwrap()
            };
            graph.output("y", y).unwrap();
            numbers(&gradient(&graph, "y", None).unwrap().run(std::slice::from_ref(&x)).unwrap()[0])
        })
    };
    let inf = f64::INFINITY;
    assert_eq!(derivatives(DType::F16, &[0.0, 2.0, 300.0, 300.0]), [[inf, 0.0, 0.0, 0.0]; 2]);
    assert_eq!(derivatives(DType::F64, &[0.0, 2.0, 1e200, 1e200]), [[inf, 0.0, 0.0, 0.0]; 2]);
    // Of no element the product of the others is too great for a half, and 2^8 times 2^8 on the way is.
    let [whole, run] = derivatives(DType::F16, &[0.000_976_562_5, 0.5, 256.0, 256.0]);
    assert_eq!((&whole, whole[0]), (&run, 32768.0));
    // Along several axes.
    let mut graph = Graph::new();
    let x = floats(&mut graph, "x", "3x2");
    let all = Reduce { reduction: Reduction::Prod, axes: vec![0, 1], keep: Keep::Nothing };
    let y = graph.add(all, &[x]).unwrap();
    graph.output("y", y).unwrap();
    let x = Tensor::new(&[3, 2], &[0.0, 2.0, 1e200, 1e200, 1e200, 1e200]).unwrap();
    let d = gradient(&graph, "y", None).unwrap().run(&[x]).unwrap();
    assert_eq!(numbers(&d[0]), [inf, 0.0, 0.0, 0.0, 0.0, 0.0]);
}
