//! What nGraph's importers use around Broadcast: nodes broadcast to each other, to a shape, or from an axis on.

use ndcast_shape::Source;
use ndcast_shape::rule::openvino;

use super::elementwise::{extents, laid};
use super::op::{AxisSet, Broadcast, Elementwise, Operation};
use super::{AutoBroadcastSpec, AutoBroadcastType};
use crate::error::Error;
use crate::graph::kind::{self, Fit, Lay, Reshape};
use crate::graph::{Graph, Id};
use crate::layout::as_i64;
use crate::op::Op;

const NUMPY: AutoBroadcastSpec = AutoBroadcastSpec { broadcast_type: AutoBroadcastType::Numpy, axis: 0 };

/// Two nodes broadcast to each other by NumPy's rules. One that has the shape already is itself.
///
/// ```
/// use ndcast::dialect::ngraph::builder::numpy_broadcast;
/// use ndcast::{DType, graph::Graph};
/// let mut graph = Graph::new();
/// let a = graph.input("a", DType::F32, "2x1x4x5".parse()?)?;
/// let b = graph.input("b", DType::F32, "2x3x4x1".parse()?)?;
/// let (a, b) = numpy_broadcast(&mut graph, (a, b))?;
/// assert_eq!(graph.node(a)?.shape(), graph.node(b)?.shape());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If their shapes do not broadcast.
pub fn numpy_broadcast(graph: &mut Graph, values: (Id, Id)) -> Result<(Id, Id), Error> {
    let laid = numpy_broadcast_outputs(graph, &[values.0, values.1])?;
    Ok((laid[0], laid[1]))
}

/// The same for any number of nodes.
///
/// # Errors
/// If their shapes do not broadcast.
pub fn numpy_broadcast_outputs(graph: &mut Graph, values: &[Id]) -> Result<Vec<Id>, Error> {
    laid(graph, values, NUMPY).map_err(|error| error.called("numpy_broadcast_outputs"))
}

/// A node and a shape broadcast to each other: the result may exceed the shape.
///
/// # Errors
/// If the two do not broadcast.
pub fn numpy_broadcast_to(graph: &mut Graph, value: Id, shape: &[usize]) -> Result<Id, Error> {
    let extents: Vec<i64> = shape.iter().map(|&extent| as_i64(extent)).collect();
    let target = graph.integers(&extents)?;
    let fit = Fit::new(&openvino::BROADCAST_BIDIRECTIONAL, 1, 0);
    let laid = graph.add(fit, &[value, target]).map_err(|error| error.called("numpy_broadcast"))?;
    let same = graph.node(value)?.shape().extents() == graph.node(laid)?.shape().extents();
    Ok(if same && graph.node(value)?.shape().extents().is_some() { value } else { laid })
}

/// An operation on two nodes broadcast to each other. Of three the first, a condition, is left as it is.
///
/// # Errors
/// If their shapes do not broadcast, or the operation does not take them.
pub fn make_with_numpy_broadcast(graph: &mut Graph, op: Op, arguments: &[Id]) -> Result<Id, Error> {
    let untouched = arguments.len().saturating_sub(2);
    let mut all = arguments[..untouched].to_vec();
    all.extend(numpy_broadcast_outputs(graph, &arguments[untouched..])?);
    let made = Elementwise::new(op, &all, AutoBroadcastType::None);
    made.add_to(graph).map_err(|error| error.called(made.description()))
}

/// The nodes of a product of matrices, with all axes before the last two broadcast to each other.
///
/// ```
/// use ndcast::dialect::ngraph::builder::numpy_broadcast_for_matmul_operation;
/// use ndcast::{DType, graph::Graph};
/// let mut graph = Graph::new();
/// let left = graph.input("left", DType::F32, "3x1x4x6".parse()?)?;
/// let right = graph.input("right", DType::F32, "6x5".parse()?)?;
/// let (_, right) = numpy_broadcast_for_matmul_operation(&mut graph, left, right)?;
/// assert_eq!(graph.node(right)?.shape().to_string(), "3x1x6x5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If a shape is not known, has less than two axes, or the two do not broadcast.
pub fn numpy_broadcast_for_matmul_operation(
    graph: &mut Graph,
    left: Id,
    right: Id,
) -> Result<(Id, Id), Error> {
    let doing = "numpy_broadcast_for_matmul_operation";
    let shapes = [extents(graph, left)?, extents(graph, right)?];
    let batch = |shape: &[usize]| {
        let rank = shape.len().checked_sub(2);
        let text = || Error::value(format!("a matrix has two axes or more, and this has {}", shape.len()));
        rank.ok_or_else(|| text().of(doing))
    };
    let ranks = [batch(&shapes[0])?, batch(&shapes[1])?];
    let plan = openvino::eltwise_numpy(&[&shapes[0][..ranks[0]], &shapes[1][..ranks[1]]]);
    let plan = plan.map_err(|error| Error::from(error).of(doing))?;
    let mut made = [left, right];
    for (operand, id) in made.iter_mut().enumerate() {
        let sources = plan.shape().iter().zip(plan.operand(operand));
        let batch = sources.map(|(&extent, source)| match *source {
            Source::Axis(axis) => Lay::Axis(axis),
            Source::Stretched(axis) | Source::Undecided(axis) => Lay::Stretched(axis, extent),
            Source::New => Lay::New(extent),
        });
        let rank = ranks[operand];
        let laid = kind::Broadcast::new(batch.chain([Lay::Axis(rank), Lay::Axis(rank + 1)]));
        if !laid.is_identity() && plan.shape() != &shapes[operand][..rank] {
            *id = graph.add(laid, &[*id])?;
        }
    }
    Ok((made[0], made[1]))
}

/// The right operand laid on the left as ONNX did before opset 7: without extents of 1 at its end and its beginning, from
/// an axis of the left one on, which those at its beginning move.
///
/// # Errors
/// If a shape is not known, or the right one does not lie so.
pub fn legacy_broadcast_for_binary_operation(
    graph: &mut Graph,
    left: Id,
    right: Id,
    start_match_axis: usize,
) -> Result<(Id, Id), Error> {
    let (left_shape, right_shape) = (extents(graph, left)?, extents(graph, right)?);
    if left_shape == right_shape {
        return Ok((left, right));
    }
    let kept = right_shape.iter().rposition(|&extent| extent != 1).map_or(0, |last| last + 1);
    let ones = right_shape[..kept].iter().take_while(|&&extent| extent == 1).count();
    let shape = &right_shape[ones..kept];
    let reshaped = if shape == right_shape { right } else { graph.add(Reshape::new(shape), &[right])? };
    // Nothing but ones lies nowhere, wherever it begins.
    let start = if shape.is_empty() { 0 } else { start_match_axis + ones };
    let axes = calculate_broadcast_axes(&left_shape, shape, start);
    let broadcast = Broadcast::new(reshaped, &left_shape, axes).add_to(graph);
    Ok((left, broadcast.map_err(|error| error.called("legacy_broadcast_for_binary_operation"))?))
}

/// Each further node laid on the first from an axis on; -1 is last axis on last axis.
///
/// # Errors
/// If one does not lie so.
pub fn pdpd_broadcast(graph: &mut Graph, inputs: &[Id], axis: i64) -> Result<Vec<Id>, Error> {
    laid(graph, inputs, AutoBroadcastSpec::pdpd(axis)).map_err(|error| error.called("pdpd_broadcast"))
}

/// The axes of a shape on which a shape that begins at an axis does not lie.
///
/// ```
/// use ndcast::dialect::ngraph::builder::calculate_broadcast_axes;
/// assert_eq!(calculate_broadcast_axes(&[2, 3, 4, 5], &[3, 4], 1), [0, 3].into());
/// ```
pub fn calculate_broadcast_axes(
    output_shape: &[usize],
    input_shape: &[usize],
    start_match_axis: usize,
) -> AxisSet {
    let covered = start_match_axis..start_match_axis.saturating_add(input_shape.len());
    (0..output_shape.len()).filter(|axis| !covered.contains(axis)).collect()
}

/// The axes of a shape that are not broadcast: the axes_mapping of Broadcast-1.
///
/// ```
/// use ndcast::dialect::ngraph::builder::get_axes_mapping;
/// assert_eq!(get_axes_mapping(&[3, 5, 4, 6], &[0, 2].into()), [1, 3]);
/// ```
pub fn get_axes_mapping(output_shape: &[usize], broadcast_axes: &AxisSet) -> Vec<usize> {
    (0..output_shape.len()).filter(|axis| !broadcast_axes.contains(axis)).collect()
}

/// The same as a node.
///
/// # Errors
/// If the graph is full.
pub fn get_axes_mapping_output(
    graph: &mut Graph,
    output_shape: &[usize],
    broadcast_axes: &AxisSet,
) -> Result<Id, Error> {
    let mapping = get_axes_mapping(output_shape, broadcast_axes);
    let mapping: Vec<i64> = mapping.into_iter().filter_map(|axis| i64::try_from(axis).ok()).collect();
    graph.integers(&mapping)
}

/// A node broadcast to a shape along axes.
///
/// # Errors
/// Those of [`Broadcast`].
pub fn make_broadcast(
    graph: &mut Graph,
    node: Id,
    target_shape: &[usize],
    broadcast_axes: &AxisSet,
) -> Result<Id, Error> {
    let broadcast = Broadcast::new(node, target_shape, broadcast_axes.iter().copied());
    broadcast.add_to(graph).map_err(|error| error.called("make_broadcast"))
}

/// A node broadcast to a shape, on which it lies from an axis on.
///
/// # Errors
/// If the shape has no room for it there, and those of [`Broadcast`].
pub fn make_broadcast_at(
    graph: &mut Graph,
    node: Id,
    target_shape: &[usize],
    start_match_axis: usize,
) -> Result<Id, Error> {
    let shape = extents(graph, node)?;
    if shape.len().saturating_add(start_match_axis) > target_shape.len() {
        let text = format!(
            "{} axes from axis {start_match_axis} on do not lie on a shape of {}",
            shape.len(),
            target_shape.len()
        );
        return Err(Error::value(text).of("make_broadcast"));
    }
    let axes = calculate_broadcast_axes(target_shape, &shape, start_match_axis);
    make_broadcast(graph, node, target_shape, &axes)
}
