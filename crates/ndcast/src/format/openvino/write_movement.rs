//! The layers of everything that is not elementwise.

use ndcast_shape::rule::{Rule, array_api, onnx, openvino};
use ndcast_shape::{Extent, Index, Shape};

use super::write::{OPSET, OWN_OVERFLOW, Writer, Written};
use super::xml::Port;
use crate::array::{Array, Keep};
use crate::dialect::openvino::element_type_name;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Broadcast, Direction, Fit, Lay, Start};
use crate::graph::{Graph, Id, Kind, Node};
use crate::layout::as_i64;
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

pub(super) fn plain<'l>(kind: &'l str) -> Written<'l> {
    (kind, OPSET, Vec::new())
}

pub(super) fn with<'l>(kind: &'l str, attributes: &[(&'l str, String)]) -> Written<'l> {
    (kind, OPSET, attributes.to_vec())
}

fn signed(numbers: impl IntoIterator<Item = usize>) -> Vec<i64> {
    numbers.into_iter().map(as_i64).collect()
}

fn no_layer(why: &str) -> Error {
    Error::value(why.to_owned())
}

/// The rules that a layer can say.
pub(super) static RULES: [&Rule; 9] = [
    &openvino::BROADCAST_NUMPY,
    &openvino::BROADCAST_BIDIRECTIONAL,
    &openvino::BROADCAST_PDPD,
    &openvino::BROADCAST_EXPLICIT,
    &openvino::ELTWISE_NONE,
    &openvino::ELTWISE_NUMPY,
    &openvino::ELTWISE_PDPD,
    &onnx::MULTIDIRECTIONAL,
    &onnx::EXPAND,
];

/// Whether a part put into an array is no SliceScatter: at a place that is computed, which OpenVINO 2026.4 takes for another
/// place or does not survive; or if the part has an axis that its place has not.
pub(super) fn is_scattered(kind: &Kind) -> bool {
    match kind {
        Kind::Insert(insert) => insert.index.contains(&Index::New),
        kind => matches!(kind, Kind::InsertBy(_)),
    }
}

/// Whether a node is the identity, so that no layer is written for it.
pub(super) fn passes(graph: &Graph, node: &Node) -> bool {
    match node.kind() {
        Kind::Broadcast(broadcast) => broadcast.is_identity(),
        Kind::Slice(slice) => slice.index.is_empty(),
        // OpenVINO does not read a fold along no axes.
        Kind::Reduce(reduce) => reduce.axes.is_empty(),
        Kind::Fit(fit) => fit.rule.name == openvino::ELTWISE_NONE.name && fit.operand == 0,
        Kind::Convert(convert) => {
            let from = node.arguments().first().and_then(|&id| graph.node(id).ok());
            from.is_some_and(|from| from.dtype() == convert.to)
        }
        _ => false,
    }
}

/// A constant with its axes in another order, which is a constant of its own in a file: OpenVINO 2026.4 computes wrong products
/// where one square constant is read as it is and turned.
pub(super) fn turned_constant<'g>(graph: &'g Graph, node: &'g Node) -> Option<(&'g Tensor, &'g [usize])> {
    let Kind::Transpose(transpose) = node.kind() else { return None };
    let tensor = graph.node(*node.arguments().first()?).ok()?.constant()?;
    Some((tensor, &transpose.order))
}

/// Whether it has axes, of extent 1 all.
fn is_one(shape: &Shape) -> bool {
    shape.dims().is_some_and(|dims| !dims.is_empty() && dims.iter().all(Extent::is_one))
}

pub(super) fn node(writer: &mut Writer<'_>, id: Id, node: &Node) -> Result<Port, Error> {
    if let Some((tensor, order)) = turned_constant(writer.graph, node) {
        let turned = Array::from(tensor.clone()).transpose(order).eval()?;
        return writer.constant_layer(id, &turned);
    }
    let mut inputs = writer.ports(node.arguments())?;
    match node.kind() {
        Kind::Range(_) => {
            let to = [("output_type", element_type_name(node.dtype())?)];
            writer.last(id, with("Range", &to), &inputs)
        }
        Kind::Convert(convert) => {
            convert.check_own(writer.graph.node(node.arguments()[0])?.dtype(), OWN_OVERFLOW)?;
            let to = [("destination_type", element_type_name(node.dtype())?)];
            writer.last(id, with("Convert", &to), &inputs)
        }
        Kind::Broadcast(broadcast) => writer.broadcast(id, broadcast, inputs[0].clone()),
        Kind::Fit(fit) => writer.fit(id, fit, inputs),
        Kind::ShapeOf(_) => writer.shape_of(id, node, &inputs),
        // Reshape could say it, and OpenVINO 2026.4 does not survive one behind a product of matrices.
        Kind::Reshape(reshape) if reshape.to.is_empty() && is_one(&inputs[0].shape) => {
            writer.last(id, plain("Squeeze"), &inputs)
        }
        Kind::Reshape(reshape) => {
            let to: Vec<i64> = reshape.to.iter().map(|n| n.map_or(-1, as_i64)).collect();
            inputs.push(writer.integers(&to)?);
            writer.last(id, with("Reshape", &[("special_zero", "false".to_owned())]), &inputs)
        }
        Kind::ReshapeTo(_) => {
            writer.last(id, with("Reshape", &[("special_zero", "false".to_owned())]), &inputs)
        }
        Kind::Transpose(transpose) => {
            inputs.push(writer.integers(&signed(transpose.order.iter().copied()))?);
            writer.last(id, plain("Transpose"), &inputs)
        }
        Kind::Slice(slice) => writer.strided_slice(id, &slice.index, inputs),
        Kind::SliceBy(slice) => {
            if let Some(starts) = writer.first_places(id, node)? {
                inputs[1] = starts;
            }
            inputs.push(writer.integers(&signed(slice.axes.iter().copied()))?);
            writer.last(id, plain("Slice"), &inputs)
        }
        Kind::Insert(insert) => writer.insert(id, &insert.index, inputs),
        Kind::Concatenate(concatenate) => {
            writer.last(id, with("Concat", &[("axis", concatenate.axis.to_string())]), &inputs)
        }
        Kind::Take(take) => {
            inputs[1] = writer.numbers(&inputs[1])?;
            inputs.push(writer.integer(as_i64(take.axis))?);
            writer.last(id, with("Gather", &[("batch_dims", take.batch.to_string())]), &inputs)
        }
        Kind::TakeAlong(take) => {
            if let Some(elements) = writer.elements_in_order(node) {
                return Ok(elements);
            }
            inputs[1] = writer.numbers(&inputs[1])?;
            writer.last(id, with("GatherElements", &[("axis", take.axis.to_string())]), &inputs)
        }
        Kind::Scatter(scatter) => {
            let reduction = match scatter.with {
                None => "none",
                Some(Op::Add) => "sum",
                Some(Op::Multiply) => "prod",
                Some(Op::Minimum) => "min",
                Some(Op::Maximum) => "max",
                Some(_) => return Err(no_layer("elements are put with another operation")),
            };
            inputs[1] = writer.numbers(&inputs[1])?;
            inputs.push(writer.integer(as_i64(scatter.axis))?);
            let attributes = [("reduction", reduction.to_owned()), ("use_init_val", "true".to_owned())];
            writer.last(id, with("ScatterElementsUpdate", &attributes), &inputs)
        }
        Kind::Reduce(reduce) => {
            let kind = reduce.reduction.record().names.openvino;
            inputs.push(writer.integers(&signed(reduce.axes.iter().copied()))?);
            let keep = [("keep_dims", (reduce.keep == Keep::Axes).to_string())];
            writer.last(id, with(kind, &keep), &inputs)
        }
        Kind::Accumulate(running) if running.reduction == Reduction::Sum => {
            inputs.push(writer.integer(as_i64(running.axis))?);
            let attributes = [
                ("exclusive", (running.start == Start::Before).to_string()),
                ("reverse", (running.direction == Direction::Backward).to_string()),
            ];
            writer.last(id, with("CumSum", &attributes), &inputs)
        }
        Kind::Argsort(sort) => writer.argsort(id, sort, &inputs),
        Kind::Find(find) => writer.find(id, find, &inputs[0]),
        Kind::MatMul(_) => {
            let attributes = ["transpose_a", "transpose_b"].map(|name| (name, "false".to_owned()));
            writer.last(id, with("MatMul", &attributes), &inputs)
        }
        _ => Err(no_layer("no layer does this")),
    }
}

impl Writer<'_> {
    /// Numbers of rows, of a type that layers take.
    fn numbers(&mut self, numbers: &Port) -> Result<Port, Error> {
        if matches!(numbers.dtype, DType::I32 | DType::I64) {
            return Ok(numbers.clone());
        }
        let to = [("destination_type", element_type_name(DType::I64)?)];
        self.step(with("Convert", &to), std::slice::from_ref(numbers), DType::I64, numbers.shape.clone())
    }

    /// The starts of a part from the first place on that GatherElements takes elements of. OpenVINO 2026.4 drops such a Slice,
    /// and then finds the data longer than the indices; it does not where the starts are others, and what is before the first
    /// place means that one.
    fn first_places(&mut self, id: Id, node: &Node) -> Result<Option<Port>, Error> {
        let starts = self.graph.node(node.arguments()[1])?;
        let takes = |other: &Node| matches!(other.kind(), Kind::TakeAlong(_)) && other.arguments()[0] == id;
        match starts.integers() {
            Some(places)
                if starts.dtype() == DType::I64
                    && places.iter().all(|&place| place == 0)
                    && self.graph.nodes().any(|(_, other)| takes(other)) =>
            {
                self.integers(&vec![i64::from(i32::MIN); places.len()]).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn shape_of(&mut self, id: Id, node: &Node, inputs: &[Port]) -> Result<Port, Error> {
        let to = element_type_name(node.dtype())?;
        if matches!(node.dtype(), DType::I32 | DType::I64) {
            return self.last(id, with("ShapeOf", &[("output_type", to)]), inputs);
        }
        let shape = self.extents(inputs)?;
        self.last(id, with("Convert", &[("destination_type", to)]), &[shape])
    }

    /// The extents of an array as i64.
    pub(super) fn extents(&mut self, of: &[Port]) -> Result<Port, Error> {
        let rank = of[0].shape.rank().map_or(ndcast_shape::Dim::UNKNOWN, ndcast_shape::Dim::Known);
        let to = [("output_type", element_type_name(DType::I64)?)];
        self.step(with("ShapeOf", &to), of, DType::I64, Shape::from([rank]))
    }

    /// Axes of extent 1 by Unsqueeze, everything else by Broadcast-3 in mode explicit, its axes in order first.
    fn broadcast(&mut self, id: Id, broadcast: &Broadcast, x: Port) -> Result<Port, Error> {
        let node = self.graph.node(id)?;
        let axes: Vec<usize> = broadcast.axes.iter().filter_map(|lay| lay.axis()).collect();
        let mut x = x;
        if axes.windows(2).any(|pair| pair[0] > pair[1]) {
            let order = self.integers(&signed(axes.iter().copied()))?;
            if broadcast.axes.iter().all(|lay| matches!(lay, Lay::Axis(_))) {
                return self.last(id, plain("Transpose"), &[x, order]);
            }
            let dims = x.shape.dims().map(|dims| axes.iter().map(|&axis| dims[axis].clone()).collect());
            let (dtype, shape) = (x.dtype, dims.unwrap_or(Shape::UNRANKED));
            x = self.step(plain("Transpose"), &[x, order], dtype, shape)?;
        }
        let new: Vec<usize> =
            (0..broadcast.axes.len()).filter(|&place| matches!(broadcast.axes[place], Lay::New(_))).collect();
        if broadcast.axes.iter().all(|lay| matches!(lay, Lay::Axis(_) | Lay::New(1))) {
            let new = self.integers(&signed(new))?;
            return self.last(id, plain("Unsqueeze"), &[x, new]);
        }
        let target = match node.shape().extents() {
            Some(extents) => self.integers(&signed(extents))?,
            None => self.target(broadcast, &x)?,
        };
        let mapping = (0..broadcast.axes.len()).filter(|place| !new.contains(place));
        let mapping = self.integers(&signed(mapping))?;
        self.last(id, with("Broadcast", &[("mode", "explicit".to_owned())]), &[x, target, mapping])
    }

    /// The extents of a result of which some are the operand's own, which are not known.
    fn target(&mut self, broadcast: &Broadcast, x: &Port) -> Result<Port, Error> {
        let shape = self.extents(std::slice::from_ref(x))?;
        let mut parts = Vec::new();
        let mut own = 0;
        for lay in &broadcast.axes {
            parts.push(match *lay {
                Lay::New(extent) | Lay::Stretched(_, extent) => self.integers(&signed([extent]))?,
                Lay::Axis(_) => {
                    let (place, axis) = (self.integers(&[own])?, self.integer(0)?);
                    let gather = with("Gather", &[("batch_dims", "0".to_owned())]);
                    self.step(gather, &[shape.clone(), place, axis], DType::I64, Shape::from([1usize]))?
                }
            });
            own += i64::from(lay.axis().is_some());
        }
        let rank = broadcast.axes.len();
        self.step(with("Concat", &[("axis", "0".to_owned())]), &parts, DType::I64, Shape::from([rank]))
    }

    /// What a rule lays when the graph runs.
    fn fit(&mut self, id: Id, fit: &Fit, inputs: Vec<Port>) -> Result<Port, Error> {
        let mode = |mode: &str| vec![("mode", mode.to_owned())];
        let broadcast = |attributes| ("Broadcast", OPSET, attributes);
        let mut inputs = inputs;
        let rule = fit.rule;
        if [&openvino::BROADCAST_NUMPY, &array_api::BROADCAST_TO].contains(&rule) {
            return self.last(id, broadcast(mode("numpy")), &inputs);
        }
        if [&openvino::BROADCAST_BIDIRECTIONAL, &onnx::EXPAND].contains(&rule) {
            return self.last(id, broadcast(mode("bidirectional")), &inputs);
        }
        if *rule == openvino::BROADCAST_PDPD {
            let axis = fit.axis.unwrap_or(0).to_string();
            let attributes = vec![("mode", "pdpd".to_owned()), ("mode.mode.axis", axis)];
            return self.last(id, broadcast(attributes), &inputs);
        }
        if *rule == openvino::BROADCAST_EXPLICIT {
            if let Some(axes) = &fit.axes {
                inputs.push(self.integers(axes)?);
            }
            return self.last(id, broadcast(mode("explicit")), &inputs);
        }
        if *rule == openvino::ELTWISE_PDPD && fit.operand < inputs.len() {
            // All are laid on the first.
            let axis = fit.axis.unwrap_or(0).to_string();
            let attributes = vec![("mode", "pdpd".to_owned()), ("mode.mode.axis", axis)];
            let both = [inputs[fit.operand].clone(), self.extents(&inputs[..1])?];
            return self.last(id, broadcast(attributes), &both);
        }
        let joins = [&openvino::ELTWISE_NUMPY, &array_api::JOIN, &onnx::MULTIDIRECTIONAL].contains(&rule);
        if !joins || fit.operand >= inputs.len() {
            return Err(no_layer(&format!("the ranks are not known of what {} lays", rule.name)));
        }
        // One operand is laid over all others, one after the other.
        let mut x = inputs.remove(fit.operand);
        let last = inputs.len().checked_sub(1);
        for (place, other) in inputs.iter().enumerate() {
            let shape = self.extents(std::slice::from_ref(other))?;
            let both = [x, shape];
            if Some(place) == last {
                return self.last(id, broadcast(mode("bidirectional")), &both);
            }
            let dtype = both[0].dtype;
            x = self.step(broadcast(mode("bidirectional")), &both, dtype, Shape::UNRANKED)?;
        }
        Ok(x)
    }

    /// An index as begins, ends, strides, and masks for what they do not say.
    fn strided_slice(&mut self, id: Id, index: &[Index], inputs: Vec<Port>) -> Result<Port, Error> {
        let (mut begins, mut ends, mut strides) = (Vec::new(), Vec::new(), Vec::new());
        let mut masks: [Vec<&str>; 5] = Default::default();
        for part in index {
            let (begin, end, stride, set) = match *part {
                Index::At(i) => (Some(i), (i != -1).then_some(i.saturating_add(1)), 1, [false, true, false]),
                Index::Slice { start, stop, step } => (start, stop, step.get(), [false, false, false]),
                Index::New => (None, None, 1, [true, false, false]),
                Index::Ellipsis => (None, None, 1, [false, false, true]),
            };
            begins.push(begin.unwrap_or(0));
            ends.push(end.unwrap_or(0));
            strides.push(stride);
            let [new, shrinks, ellipsis] = set;
            let set = [begin.is_none(), end.is_none(), new, shrinks, ellipsis];
            for (mask, set) in masks.iter_mut().zip(set) {
                mask.push(if set { "1" } else { "0" });
            }
        }
        let names = ["begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"];
        let attributes: Vec<(&str, String)> =
            names.into_iter().zip(masks.iter().map(|mask| mask.join(","))).collect();
        let mut inputs = inputs;
        for list in [begins, ends, strides] {
            inputs.push(self.integers(&list)?);
        }
        self.last(id, with("StridedSlice", &attributes), &inputs)
    }

    /// A part put at its place: SliceScatter, for which the part has the axes that the index drops.
    fn insert(&mut self, id: Id, index: &[Index], inputs: Vec<Port>) -> Result<Port, Error> {
        let rank = inputs[0].shape.rank().ok_or_else(|| no_layer("the rank is not known"))?;
        let laid = Index::on_axes(index, rank)
            .map_err(|taken| no_layer(&format!("{taken} axes are named of {rank}")))?;
        let (mut axes, mut starts, mut stops, mut steps) = (vec![], vec![], vec![], vec![]);
        let mut dropped = Vec::new();
        for (part, axis) in laid {
            let (start, stop, step) = match part {
                Index::At(i) => {
                    dropped.push(axis);
                    (i, if i == -1 { i64::MAX } else { i.saturating_add(1) }, 1)
                }
                part if part == Index::WHOLE => continue,
                Index::Slice { start, stop, step } => {
                    let forward = step.get() > 0;
                    let first = if forward { 0 } else { i64::MAX };
                    let last = if forward { i64::MAX } else { i64::MIN };
                    (start.unwrap_or(first), stop.unwrap_or(last), step.get())
                }
                // That is a scatter.
                Index::New | Index::Ellipsis => {
                    return Err(no_layer("an axis of the part is new in its place"));
                }
            };
            axes.push(axis);
            starts.push(start);
            stops.push(stop);
            steps.push(step);
        }
        let mut inputs = inputs;
        if !dropped.is_empty() {
            let dims = inputs[1].shape.dims().map(|dims| {
                let mut dims = dims.to_vec();
                for &axis in &dropped {
                    dims.insert(axis.min(dims.len()), ndcast_shape::Dim::Known(1));
                }
                Shape::from(dims)
            });
            let (part, axes) = (inputs[1].clone(), self.integers(&signed(dropped))?);
            let (dtype, shape) = (part.dtype, dims.unwrap_or(Shape::UNRANKED));
            inputs[1] = self.step(plain("Unsqueeze"), &[part, axes], dtype, shape)?;
        }
        for list in [starts, stops, steps, signed(axes)] {
            inputs.push(self.integers(&list)?);
        }
        self.last(id, ("SliceScatter", 15, Vec::new()), &inputs)
    }
}
