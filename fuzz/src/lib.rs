//! What must hold of whatever a parser makes of any bytes: it gives an answer or an error, in little memory, and what
//! it answers can be written, read again and computed.
//!
//! An error that there is not enough memory is a finding: nothing in so small a file needs as much as the limit here, so
//! somebody believed what the file claims.

use std::sync::Once;

use ndcast::buffer::Pool;
use ndcast::error::ErrorKind;
use ndcast::graph::Graph;
use ndcast::shape::{Dim, Shape};
use ndcast::threads::set_threads;
use ndcast::{Array, Error, Tensor};

/// The pool of buffers ends here. The heap's limit is libFuzzer's, `-malloc_limit_mb`.
const MEMORY: usize = 256 << 20;

/// What has more elements is not computed, so that every input takes little time.
const ELEMENTS: usize = 1 << 12;

/// To be called first: one thread, so that what happens happens again, and little memory.
pub fn limit() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        set_threads(1);
        Pool::global().set_limit(MEMORY);
    });
}

/// The value, unless memory was asked for that a file only claims to need. Errors print.
pub fn value<T>(result: Result<T, Error>) -> Option<T> {
    let error = match result {
        Ok(value) => return Some(value),
        Err(error) => error,
    };
    assert!(!matches!(error.kind(), ErrorKind::Memory { .. }), "memory was asked for: {error}");
    assert!(!error.to_string().is_empty());
    None
}

/// Checks a model that was read: its text is read as the same graph; what its own format writes of it is read as one with
/// the same inputs and outputs; it runs.
///
/// `written` writes and reads again: nothing if the format cannot say the graph.
pub fn model(graph: &Graph, written: impl Fn(&Graph) -> Option<Result<Graph, Error>>) {
    let text = graph.to_string();
    let same: Result<Graph, Error> = text.parse();
    match same {
        Ok(same) => assert_eq!(same.to_string(), text),
        Err(error) => panic!("the graph's text is not read: {error}\n{text}"),
    }
    match written(graph) {
        None => {}
        Some(Ok(again)) => assert_eq!(ends(&again), ends(graph)),
        Some(Err(error)) => panic!("what is written is not read: {error}\n{text}"),
    }
    run(graph);
}

/// The element types of what goes in and comes out, and the known shapes.
fn ends(graph: &Graph) -> Vec<String> {
    let outputs = graph.outputs().iter().map(|output| output.id());
    let ids = graph.inputs().iter().copied().chain(outputs);
    let of = |id| graph.node(id).map(|node| format!("{} {}", node.dtype(), node.shape().dims().is_some()));
    ids.filter_map(|id| of(id).ok()).collect()
}

/// Runs a graph that is small for inputs of zeros, whose unknown extents are 2.
fn run(graph: &Graph) {
    let extent = |dim: &Dim| match dim {
        Dim::Known(extent) => *extent,
        _ => 2,
    };
    let mut inputs = Vec::new();
    for &id in graph.inputs() {
        let Some(node) = value(graph.node(id)) else { return };
        let Some(dims) = node.shape().dims() else { return };
        let extents: Vec<usize> = dims.iter().map(extent).collect();
        if !few(&extents) {
            return;
        }
        inputs.extend(value(Tensor::zeros(&extents, node.dtype())));
    }
    let shapes: Vec<Shape> = inputs.iter().map(|input| input.shape().into()).collect();
    let Some(known) = value(graph.with_shapes(&shapes)) else { return };
    let small = |shape: &Shape| shape.extents().is_some_and(|extents| few(&extents));
    if known.nodes().all(|(_, node)| small(node.shape())) {
        value(graph.run(&inputs));
    }
}

/// Checks tensors that were read: they are written again and read as the same, in whatever order a format has them.
pub fn tensors(bytes: &[u8], write: impl Fn(&[(String, Tensor)]) -> Result<Vec<u8>, Error>) {
    use ndcast::format::data::read;
    limit();
    let Some(tensors) = value(read(bytes)) else { return };
    let Some(written) = value(write(&tensors)) else { return };
    let again = read(&written).expect("what was written is read");
    assert_eq!(listed(&again), listed(&tensors));
    assert_eq!(write(&again).expect("it was written before"), written);
}

/// Names with element types and shapes, by name.
fn listed(tensors: &[(String, Tensor)]) -> Vec<(&str, String, &[usize])> {
    let mut listed = Vec::new();
    for (name, tensor) in tensors {
        listed.push((name.as_str(), tensor.dtype().to_string(), tensor.shape()));
    }
    listed.sort();
    listed
}

/// Looks at an array, and computes it if it is small.
pub fn array(array: &Array) {
    let (Some(shape), Some(_)) = (value(array.shape()), value(array.dtype())) else { return };
    if few(shape) {
        value(array.eval().map(|tensor| tensor.to_string()));
    }
}

fn few(extents: &[usize]) -> bool {
    extents.iter().try_fold(1usize, |all, &extent| all.checked_mul(extent)).is_some_and(|all| all <= ELEMENTS)
}
