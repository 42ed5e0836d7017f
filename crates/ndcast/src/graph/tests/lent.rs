//! Random graphs of arrays of which some lie in memory that is lent: what is computed is what it would be without the loan,
//! also if the memory is written behind it; and so are gradients.

use super::random::{Random, graph};
use crate::array::{Array, Keep, lend_elements};
use crate::error::Error;
use crate::graph::{Graph, Kind, Output, Tape};
use crate::tensor::Tensor;

/// The outputs of a graph whose nodes are made of arrays, one after another.
fn outputs(graph: &Graph, inputs: &[Array]) -> Vec<Array> {
    let mut values: Vec<Array> = Vec::with_capacity(graph.len());
    let mut rest = inputs.iter();
    for (_, node) in graph.nodes() {
        let arguments: Vec<Array> = node.arguments().iter().map(|id| values[id.place()].clone()).collect();
        values.push(match (node.kind(), rest.clone().next()) {
            (Kind::Input(_), Some(input)) => {
                rest.next();
                input.clone()
            }
            (kind, _) => kind.operation().run(&arguments),
        });
    }
    let output = |one: &Output| values[one.id().place()].clone();
    graph.outputs().iter().map(output).collect()
}

fn bits(tensor: &Tensor) -> Result<(Vec<usize>, Vec<u64>), Error> {
    Ok((tensor.shape().to_vec(), tensor.to_vec::<f64>()?.into_iter().map(f64::to_bits).collect()))
}

fn of(array: &Array) -> Result<(Vec<usize>, Vec<u64>), String> {
    array.eval().and_then(|tensor| bits(&tensor)).map_err(|error| error.to_string())
}

#[test]
fn what_is_computed_of_a_loan_stays() -> Result<(), Error> {
    let (mut same, mut views) = (0, 0);
    for seed in 0..1500 {
        let (graph, inputs) = graph(&mut Random(seed));
        let own: Vec<Array> = inputs.iter().cloned().map(Array::from).collect();
        let mut given = own.clone();
        let mut shared = Vec::new();
        for (place, tensor) in inputs.iter().enumerate() {
            if (seed >> place) % 2 == 0 || inputs.len() == 1 {
                let (memory, lent) = lend_elements(tensor)?;
                given[place] = lent;
                shared.push(memory);
            }
        }
        let expected: Vec<_> = outputs(&graph, &own).iter().map(of).collect();
        let found = outputs(&graph, &given);
        shared.iter().for_each(|memory| memory.fill(0x3F00_0000));
        for (found, expected) in found.iter().zip(&expected) {
            // Views show what is there.
            if found.is_lent() {
                views += 1;
                continue;
            }
            assert_eq!(&of(found), expected, "seed {seed}\n{graph}");
            same += usize::from(expected.is_ok());
        }
    }
    assert!(same > 1500 && views > 20, "{same} are the same, {views} are views");
    Ok(())
}

#[test]
fn gradients_beside_a_loan_are_the_same() -> Result<(), Error> {
    let (mut watched, mut alike) = (0, 0);
    for seed in 0..1500 {
        let (graph, inputs) = graph(&mut Random(seed));
        let gradient = |lent: bool| -> Result<Array, Error> {
            let tape = Tape::new(&[&Array::from(inputs[0].clone())])?;
            let mut given = vec![tape.watched()[0].clone()];
            let mut shared = Vec::new();
            for tensor in &inputs[1..] {
                let (memory, array) = lend_elements(tensor)?;
                shared.push(memory);
                given.push(if lent { array } else { tensor.clone().into() });
            }
            let results = outputs(&graph, &given);
            let sum = |sum: Array, one: &Array| sum + one.sum(.., Keep::Nothing);
            let sum = results.iter().fold(Array::scalar(0.0), sum);
            shared.iter().for_each(|memory| memory.fill(0x3F00_0000));
            Ok(tape.gradients(&sum)?.remove(0).eval()?.into())
        };
        let [found, expected] = [true, false].map(|lent| gradient(lent).map_err(|error| error.to_string()));
        match (found, expected) {
            (Ok(found), Ok(expected)) => {
                assert_eq!(of(&found), of(&expected), "seed {seed}\n{graph}");
                let zero = expected.to_vec::<f64>()?.iter().all(|&d| d == 0.0);
                watched += usize::from(!zero && inputs.len() > 1);
            }
            (found, expected) => {
                assert_eq!(found.err(), expected.err(), "seed {seed}\n{graph}");
                alike += 1;
            }
        }
    }
    assert!(watched > 200, "{watched} gradients, {alike} errors");
    Ok(())
}
