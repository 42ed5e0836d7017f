//! What lays, orders and gathers elements, and counts.

use ndcast_shape::rule::{Rule, array_api, hlo, onnx, openvino, stablehlo, xla};
use ndcast_shape::{Dim, Extent, Shape};

use super::extents::Size;
use super::{Says, Typed, Value, Writer};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Broadcast, Fit, Lay};
use crate::graph::{Kind, Node};

/// Rules that take a target.
const BY_TARGET: &[&Rule] = &[
    &onnx::EXPAND,
    &array_api::BROADCAST_TO,
    &openvino::BROADCAST_NUMPY,
    &openvino::BROADCAST_EXPLICIT,
    &openvino::BROADCAST_BIDIRECTIONAL,
];

/// Those of them that leave an extent as it is where the target has 1.
const TO_AND_FRO: &[&Rule] = &[&onnx::EXPAND, &openvino::BROADCAST_BIDIRECTIONAL];

/// Rules that lay last axes on last axes, or scalars on all.
const JOINS: &[&Rule] = &[
    &onnx::MULTIDIRECTIONAL,
    &array_api::JOIN,
    &openvino::ELTWISE_NUMPY,
    &stablehlo::CHLO_BROADCAST,
    &hlo::SELECT,
    &hlo::CLAMP,
];

/// The same, one way.
const ONTO_FIRST: &[&Rule] = &[&onnx::UNIDIRECTIONAL, &array_api::IN_PLACE];

impl Writer<'_> {
    pub(super) fn moved(&mut self, node: &Node, operands: &[Value], typed: Typed) -> Result<Value, Error> {
        match node.kind() {
            Kind::Broadcast(broadcast) => self.broadcast(broadcast, operands[0], &typed.1),
            Kind::Fit(fit) => self.fit(fit, node, operands, &typed.1),
            Kind::ShapeOf(shape) => {
                let rank = self.dims(operands[0])?.len();
                let sizes = (0..rank).map(|axis| self.size_of(operands[0], axis));
                let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
                let made = self.shape_of(&sizes)?;
                self.convert(made, shape.0)
            }
            Kind::Reshape(_) => self.reshape(operands[0], typed),
            Kind::ReshapeTo(_) => self.reshape_to(node, operands, typed),
            Kind::Transpose(transpose) => {
                self.operation("transpose", operands, &Says::Axes(transpose.order.clone()), typed)
            }
            Kind::Concatenate(concatenate) => {
                self.operation("concatenate", operands, &Says::Axis(concatenate.axis), typed)
            }
            Kind::Range(_) => self.range(node, operands, typed),
            Kind::Take(take) => self.take(take, node, operands, typed),
            Kind::Scatter(scatter) => self.scatter(scatter, operands, typed),
            Kind::TakeAlong(along) => match self.elements_in_order(along.axis, node, &typed)? {
                Some(elements) => Ok(elements),
                None => self.take_along(along.axis, node, operands, typed),
            },
            _ => Err(Error::value("there is none".to_owned())),
        }
    }

    fn broadcast(&mut self, broadcast: &Broadcast, value: Value, shape: &Shape) -> Result<Value, Error> {
        if broadcast.is_identity() {
            return Ok(value);
        }
        let mut axes = vec![0; broadcast.operand_rank()];
        let mut sizes = Vec::with_capacity(broadcast.axes.len());
        for (place, &lay) in broadcast.axes.iter().enumerate() {
            if let Some(axis) = lay.axis() {
                axes[axis] = place;
            }
            sizes.push(match lay {
                Lay::New(extent) | Lay::Stretched(_, extent) => Size::Known(extent),
                Lay::Axis(axis) => self.size_of(value, axis)?,
            });
        }
        self.laid(value, &axes, &sizes, shape)
    }

    /// A broadcast by a rule whose extents are open.
    fn fit(&mut self, fit: &Fit, node: &Node, operands: &[Value], shape: &Shape) -> Result<Value, Error> {
        let value = operands[fit.operand];
        let dims =
            shape.dims().ok_or_else(|| Error::value("the rank of its result is not known".to_owned()))?;
        let own = self.dims(value)?.len();
        let last: Vec<usize> = (dims.len() - own.min(dims.len())..dims.len()).collect();
        let called = |rules: &[&'static Rule]| rules.contains(&fit.rule);
        if called(BY_TARGET) {
            let mut target = operands[fit.operands];
            if called(TO_AND_FRO) {
                target = self.expanded_target(value, target, dims.len())?;
            }
            let argument =
                || node.arguments().get(fit.operands + 1).and_then(|&id| self.graph.at(id).integers());
            let axes = match (fit.axes.clone().or_else(argument), fit.rule == &openvino::BROADCAST_EXPLICIT) {
                (Some(axes), true) => axes.iter().filter_map(|&axis| usize::try_from(axis).ok()).collect(),
                (None, true) => {
                    return Err(Error::value("its axes are known only when the graph runs".to_owned()));
                }
                _ => last,
            };
            let typed = (self.dtype(value), shape.clone());
            return self.operation("dynamic_broadcast_in_dim", &[value, target], &Says::Axes(axes), typed);
        }
        let mut alike = true;
        for &operand in &operands[..fit.operands] {
            let rank = self.dims(operand)?.len();
            alike &= rank == 0 || rank == dims.len();
        }
        let others: Vec<Value> = if called(JOINS) || (alike && fit.rule == &xla::BINARY) {
            operands[..fit.operands].to_vec()
        } else if called(ONTO_FIRST) {
            operands[..1].to_vec()
        } else {
            let text = format!("the rule {} is not known by the extents of its operands", fit.rule.name);
            return Err(Error::value(text));
        };
        let mut sizes = Vec::with_capacity(dims.len());
        for (place, dim) in dims.iter().enumerate() {
            sizes.push(self.joined_size(&others, dims.len() - place, dim)?);
        }
        self.laid(value, &last, &sizes, shape)
    }

    /// The extent of an axis, counted from behind, of values that are broadcast together: the one that is not 1.
    pub(super) fn joined_size(&mut self, values: &[Value], behind: usize, dim: &Dim) -> Result<Size, Error> {
        if let Some(extent) = dim.known() {
            return Ok(Size::Known(extent));
        }
        let mut size: Option<Size> = None;
        for &value in values {
            let Some(axis) = self.dims(value)?.len().checked_sub(behind) else { continue };
            let next = self.size_of(value, axis)?;
            size = Some(match (size, next) {
                (None, next) => next,
                (Some(before), Size::Known(1)) => before,
                (Some(before), next) => self.unless(1, before, next)?,
            });
        }
        Ok(size.unwrap_or(Size::Known(1)))
    }

    /// ONNX's target, where a 1 is the operand's own extent.
    fn expanded_target(&mut self, value: Value, target: Value, rank: usize) -> Result<Value, Error> {
        let own = self.dims(value)?.len();
        let length = self.dims(target)?.first().and_then(Extent::known);
        let length = length.ok_or_else(|| Error::value("the rank of its target is not known".to_owned()))?;
        let target = self.convert(target, DType::I32)?;
        let mut sizes = Vec::with_capacity(rank);
        for behind in (1..=rank).rev() {
            let wanted = match length.checked_sub(behind) {
                None => None,
                Some(place) => Some(self.element(target, place)?),
            };
            let given = match own.checked_sub(behind) {
                None => None,
                Some(axis) => Some(self.size_of(value, axis)?),
            };
            sizes.push(match (wanted, given) {
                (Some(wanted), Some(given)) => self.unless(1, wanted, given)?,
                (one, other) => one.or(other).unwrap_or(Size::Known(1)),
            });
        }
        self.shape_of(&sizes)
    }

    /// How many numbers there are from a start to before a stop, by a step that is a constant.
    fn count_between(&mut self, node: &Node, operands: &[Value]) -> Result<Value, Error> {
        let [start, step] = [0, 2].map(|place| self.graph.at(node.arguments()[place]).integers());
        let Some(&[step]) = step.as_deref().filter(|step| *step != [0]) else {
            return Err(Error::value(
                "how many numbers there are is known only when the graph runs".to_owned(),
            ));
        };
        let typed = self.typed(operands[1]).clone();
        let mut count = operands[1];
        if start != Some(vec![0]) {
            count = self.operation("subtract", &[count, operands[0]], &Says::Nothing, typed.clone())?;
        }
        if step != 1 {
            // What is left of a step is a step too.
            let rest = self.number(step - step.signum(), typed.0)?;
            count = self.operation("add", &[count, rest], &Says::Nothing, typed.clone())?;
            count = self.operation("divide", &[count, operands[2]], &Says::Nothing, typed.clone())?;
        }
        if start == Some(vec![0]) && step == 1 {
            return Ok(count);
        }
        let zero = self.number(0, typed.0)?;
        self.operation("maximum", &[count, zero], &Says::Nothing, typed)
    }

    /// Numbers in order: an iota, times the step, and the first.
    fn range(&mut self, node: &Node, operands: &[Value], typed: Typed) -> Result<Value, Error> {
        let counted = match typed.1.extents() {
            Some(_) => self.operation("iota", &[], &Says::Axis(0), typed.clone())?,
            None => {
                let count = self.count_between(node, operands)?;
                let count = self.reshaped(count, &[1])?;
                self.operation("dynamic_iota", &[count], &Says::Axis(0), typed.clone())?
            }
        };
        let number = |place: usize| self.graph.at(node.arguments()[place]).number();
        let (start, step) = (number(0), number(2));
        let size = [self.size_of(counted, 0)?];
        let mut made = counted;
        if step != Some(1.0) {
            let step = self.laid(operands[2], &[], &size, &typed.1)?;
            made = self.operation("multiply", &[made, step], &Says::Nothing, typed.clone())?;
        }
        if start != Some(0.0) {
            let start = self.laid(operands[0], &[], &size, &typed.1)?;
            made = self.operation("add", &[made, start], &Says::Nothing, typed)?;
        }
        Ok(made)
    }
}
