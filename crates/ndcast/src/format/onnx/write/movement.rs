//! Broadcasts, parts, folds, and what else moves elements.

use ndcast_shape::Index;
use ndcast_shape::rule::{Rule, array_api, onnx};

use super::{Value, Writer, brief, cannot, number_of};
use crate::array::Keep;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Accumulate, Broadcast, Direction, Fit, Lay, Reduce, Start, Take};
use crate::graph::{Kind, Node};
use crate::layout::as_i64;
use crate::op::Op;
use crate::reduction::Reduction;

/// What an extent of 0 says in a Reshape.
#[derive(Clone, Copy, PartialEq)]
enum Zeros {
    /// 0.
    Zero,
    /// The operand's own extent, which is ONNX's default; used where the shape has no 0.
    Copied,
}

impl Writer<'_> {
    pub(super) fn moved(&mut self, node: &Node, inputs: &[&str]) -> Result<String, Error> {
        let of = |place: usize| self.graph.at(node.arguments()[place]);
        match node.kind() {
            Kind::Range(_) => self.of_taken("Range", of(0).dtype(), (inputs, &[]), &[]),
            Kind::Broadcast(broadcast) => self.broadcast(broadcast, of(0).dtype(), inputs[0]),
            Kind::Bitcast(bitcast) => {
                let (from, to) = (of(0).dtype(), bitcast.0);
                if from.bits() != to.bits() {
                    return Err(cannot(format!(
                        "its BitCast makes one element of one, and not {to} of {from}"
                    )));
                }
                Ok(self.node("BitCast", inputs, &[("to", Value::Int(number_of(to)?))]))
            }
            Kind::Fit(fit) => self.fit(fit, node.dtype(), inputs),
            Kind::ShapeOf(shape) => {
                let name = self.node("Shape", inputs, &[]);
                if shape.0 == DType::I64 { Ok(name) } else { self.cast(&name, shape.0) }
            }
            Kind::Reshape(reshape) => {
                let to: Vec<i64> = reshape.to.iter().map(|extent| extent.map_or(-1, as_i64)).collect();
                let zero = to.contains(&0);
                let to = self.integers(&to)?;
                Ok(self.reshape(inputs[0], &to, if zero { Zeros::Zero } else { Zeros::Copied }))
            }
            Kind::ReshapeTo(_) => {
                let to = self.cast(inputs[1], DType::I64)?;
                Ok(self.reshape(inputs[0], &to, Zeros::Zero))
            }
            Kind::Transpose(transpose) => {
                let order = transpose.order.iter().map(|&axis| as_i64(axis)).collect();
                Ok(self.node("Transpose", inputs, &[("perm", Value::Ints(order))]))
            }
            Kind::Slice(slice) => self.slice(&slice.index, rank(of(0))?, inputs[0]),
            Kind::SliceBy(slice) => self.slice_by(&slice.axes, inputs[0], &inputs[1..]),
            Kind::Concatenate(concatenate) => {
                Ok(self.node("Concat", inputs, &[("axis", Value::Int(as_i64(concatenate.axis)))]))
            }
            Kind::Take(take) => {
                let (own, theirs) = (of(0), of(1));
                let ranks = if take.batch == 0 { [0, 0] } else { [rank(own)?, rank(theirs)?] };
                let numbers = match theirs.dtype() {
                    DType::I32 | DType::I64 => inputs[1].to_owned(),
                    _ => self.cast(inputs[1], DType::I64)?,
                };
                self.take(take, &[inputs[0], &numbers], ranks)
            }
            Kind::TakeAlong(take) => {
                if let Some(elements) = self.elements_in_order(node) {
                    return Ok(elements);
                }
                let numbers = self.cast(inputs[1], DType::I64)?;
                let axis = Value::Int(as_i64(take.axis));
                Ok(self.node("GatherElements", &[inputs[0], &numbers], &[("axis", axis)]))
            }
            Kind::Scatter(scatter) => {
                let reduction = match scatter.with {
                    None => "none",
                    Some(Op::Add) => "add",
                    Some(Op::Multiply) => "mul",
                    Some(Op::Maximum) => "max",
                    Some(Op::Minimum) => "min",
                    Some(op) => return Err(cannot(format!("it does not put elements with {op}"))),
                };
                let numbers = self.cast(inputs[1], DType::I64)?;
                let attributes =
                    [("axis", Value::Int(as_i64(scatter.axis))), ("reduction", Value::Text(reduction))];
                let (name, dtype) = ("ScatterElements", of(0).dtype());
                if scatter.with.is_none() {
                    return Ok(self.node(name, &[inputs[0], &numbers, inputs[2]], &attributes));
                }
                let (both, wider) = self.taken(name, dtype, &[inputs[0], inputs[2]])?;
                let made = self.node(name, &[&both[0], &numbers, &both[1]], &attributes);
                if wider == dtype { Ok(made) } else { self.cast(&made, dtype) }
            }
            Kind::Reduce(reduce) => self.reduce(reduce, of(0).dtype(), inputs[0]),
            Kind::Accumulate(accumulate) => self.accumulate(accumulate, of(0).dtype(), inputs[0]),
            Kind::Find(find) => {
                let name = if find.which == Reduction::Max { "ArgMax" } else { "ArgMin" };
                let keep = i64::from(find.keep == Keep::Axes);
                let attributes = [("axis", Value::Int(as_i64(find.axis))), ("keepdims", Value::Int(keep))];
                let (x, _) = self.taken(name, of(0).dtype(), inputs)?;
                let found = self.node(name, &[&x[0]], &attributes);
                if find.to == DType::I64 { Ok(found) } else { self.cast(&found, find.to) }
            }
            Kind::MatMul(_) => self.of_taken("MatMul", of(0).dtype(), (inputs, &[]), &[]),
            other => Err(cannot(format!("it has nothing like {}", other.name()))),
        }
    }

    /// To other extents; those of 0 are the operand's own unless told otherwise.
    fn reshape(&mut self, x: &str, to: &str, zeros: Zeros) -> String {
        let attributes = [("allowzero", Value::Int(1))];
        self.node("Reshape", &[x, to], if zeros == Zeros::Zero { &attributes } else { &[] })
    }

    /// The operand's axes in their order, new ones between them, then all expanded.
    fn broadcast(&mut self, broadcast: &Broadcast, dtype: DType, x: &str) -> Result<String, Error> {
        let own: Vec<usize> = broadcast.axes.iter().filter_map(|lay| lay.axis()).collect();
        let mut x = x.to_owned();
        if own.windows(2).any(|pair| pair[0] > pair[1]) {
            let order = own.iter().map(|&axis| as_i64(axis)).collect();
            x = self.node("Transpose", &[&x], &[("perm", Value::Ints(order))]);
        }
        let new: Vec<usize> =
            (0..broadcast.axes.len()).filter(|&place| broadcast.axes[place].axis().is_none()).collect();
        if !new.is_empty() {
            let axes = self.axes(&new)?;
            x = self.node("Unsqueeze", &[&x, &axes], &[]);
        }
        // What is walked along stays as it is against an extent of 1.
        let extent = |lay: &Lay| match *lay {
            Lay::Axis(_) => 1,
            Lay::Stretched(_, extent) | Lay::New(extent) => as_i64(extent),
        };
        let mut target: Vec<i64> = broadcast.axes.iter().map(extent).collect();
        // onnxruntime 1.32 drops an Expand to no elements, as if there were one; so these are a part of what there is.
        let empty: Vec<usize> = (0..target.len()).filter(|&place| target[place] == 0).collect();
        if !empty.is_empty() {
            let (zeros, axes) = (self.integers(&vec![0; empty.len()])?, self.axes(&empty)?);
            x = self.node("Slice", &[&x, &zeros, &zeros, &axes], &[]);
            empty.iter().for_each(|&place| target[place] = 1);
        }
        if target.iter().all(|&extent| extent == 1) {
            return Ok(x);
        }
        let target = self.integers(&target)?;
        self.expand(dtype, &x, &target)
    }

    fn expand(&mut self, dtype: DType, x: &str, to: &str) -> Result<String, Error> {
        self.of_taken("Expand", dtype, (&[x], &[to]), &[])
    }

    /// A broadcast by a rule that is one of ONNX's, or that says the same.
    fn fit(&mut self, fit: &Fit, dtype: DType, inputs: &[&str]) -> Result<String, Error> {
        let x = inputs[fit.operand];
        let joins = [&onnx::MULTIDIRECTIONAL, &array_api::JOIN];
        let by_target = [&onnx::EXPAND, &array_api::BROADCAST_TO];
        if by_target.contains(&fit.rule) {
            let target = self.cast(inputs[fit.operands], DType::I64)?;
            return self.expand(dtype, x, &target);
        }
        let others: Vec<usize> = if joins.contains(&fit.rule) {
            (0..fit.operands).filter(|&operand| operand != fit.operand).collect()
        } else if *fit.rule == onnx::UNIDIRECTIONAL {
            (0..fit.operands).take(1).filter(|&operand| operand != fit.operand).collect()
        } else {
            return Err(cannot(format!("the ranks are not known of what {} lays", fit.rule.name)));
        };
        let mut x = x.to_owned();
        for other in others {
            let shape = self.node("Shape", &[inputs[other]], &[]);
            x = self.expand(dtype, &x, &shape)?;
        }
        Ok(x)
    }

    fn slice(&mut self, index: &[Index], rank: usize, x: &str) -> Result<String, Error> {
        let laid = Index::on_axes(index, rank).map_err(|found| {
            Error::value(format!("the index speaks of {found} axes, and there are {rank}"))
        })?;
        let (mut axes, mut starts, mut stops, mut steps) = (vec![], vec![], vec![], vec![]);
        let mut gone = Vec::new();
        let mut new = Vec::new();
        let mut place = 0;
        for (part, axis) in laid {
            let (start, stop, step) = match part {
                Index::At(at) => {
                    gone.push(axis);
                    (at, if at == -1 { i64::MAX } else { at.saturating_add(1) }, 1)
                }
                Index::Slice { start, stop, step } => {
                    place += 1;
                    let (first, last) = if step.get() > 0 { (0, i64::MAX) } else { (i64::MAX, i64::MIN) };
                    (start.unwrap_or(first), stop.unwrap_or(last), step.get())
                }
                Index::New | Index::Ellipsis => {
                    new.push(place);
                    place += 1;
                    continue;
                }
            };
            if part != Index::WHOLE {
                axes.push(as_i64(axis));
                starts.push(start);
                stops.push(stop);
                steps.push(step);
            }
        }
        let mut x = x.to_owned();
        if !axes.is_empty() {
            let lists = [starts, stops, axes, steps];
            let names = lists.iter().map(|list| self.integers(list)).collect::<Result<Vec<_>, _>>()?;
            let inputs: Vec<&str> =
                std::iter::once(x.as_str()).chain(names.iter().map(String::as_str)).collect();
            x = self.node("Slice", &inputs, &[]);
        }
        if !gone.is_empty() {
            let axes = self.axes(&gone)?;
            x = self.node("Squeeze", &[&x, &axes], &[]);
        }
        if !new.is_empty() {
            let axes = self.axes(&new)?;
            x = self.node("Unsqueeze", &[&x, &axes], &[]);
        }
        Ok(x)
    }

    fn slice_by(&mut self, axes: &[usize], x: &str, places: &[&str]) -> Result<String, Error> {
        let axes = self.axes(axes)?;
        let places =
            places.iter().map(|place| self.cast(place, DType::I64)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.node("Slice", &[x, &places[0], &places[1], &axes, &places[2]], &[]))
    }

    fn scalar(&mut self, n: i64) -> Result<String, Error> {
        self.tensor(&crate::tensor::Tensor::scalar(n)?)
    }

    /// Rows of batches are what GatherND takes, if their axis is the first behind the batch: it is put there, and what was
    /// between goes back.
    fn take(&mut self, take: &Take, inputs: &[&str], [own, theirs]: [usize; 2]) -> Result<String, Error> {
        let axis = Value::Int(as_i64(take.axis));
        if take.batch == 0 {
            return Ok(self.node("Gather", inputs, &[("axis", axis)]));
        }
        let numbers = self.cast(inputs[1], DType::I64)?;
        let last = self.integers(&[-1])?;
        let tuples = self.node("Unsqueeze", &[&numbers, &last], &[]);
        let mut order: Vec<usize> = (0..own).filter(|&other| other != take.axis).collect();
        order.insert(take.batch, take.axis);
        let perm = |order: &[usize]| Value::Ints(order.iter().map(|&axis| as_i64(axis)).collect());
        let x = self.node("Transpose", &inputs[..1], &[("perm", perm(&order))]);
        let batch = Value::Int(as_i64(take.batch));
        let rows = self.node("GatherND", &[&x, &tuples], &[("batch_dims", batch)]);
        let between = take.axis - take.batch;
        let back: Vec<usize> = (0..take.batch)
            .chain(theirs..theirs + between)
            .chain(take.batch..theirs)
            .chain(theirs + between..theirs + own - take.batch - 1)
            .collect();
        Ok(self.node("Transpose", &[&rows], &[("perm", perm(&back))]))
    }

    fn reduce(&mut self, reduce: &Reduce, dtype: DType, x: &str) -> Result<String, Error> {
        let name = match reduce.reduction {
            Reduction::Any => "ReduceMax",
            Reduction::All => "ReduceMin",
            other => other.record().names.onnx,
        };
        let axes = self.axes(&reduce.axes)?;
        let attributes = [
            ("keepdims", Value::Int(i64::from(reduce.keep == Keep::Axes))),
            // No axes are none, and not all of them.
            ("noop_with_empty_axes", Value::Int(1)),
        ];
        self.of_taken(name, dtype, (&[x], &[&axes]), &attributes)
    }

    fn accumulate(&mut self, accumulate: &Accumulate, dtype: DType, x: &str) -> Result<String, Error> {
        if accumulate.reduction != Reduction::Sum {
            return Err(cannot(format!("it has no running {}", accumulate.reduction)));
        }
        let axis = self.scalar(as_i64(accumulate.axis))?;
        let attributes = [
            ("exclusive", Value::Int(i64::from(accumulate.start == Start::Before))),
            ("reverse", Value::Int(i64::from(accumulate.direction == Direction::Backward))),
        ];
        self.of_taken("CumSum", dtype, (&[x], &[&axis]), &attributes)
    }
}

/// The rules that ONNX has.
pub(super) static RULES: [&Rule; 3] = [&onnx::MULTIDIRECTIONAL, &onnx::UNIDIRECTIONAL, &onnx::EXPAND];

fn rank(node: &Node) -> Result<usize, Error> {
    let rank = node.shape().rank();
    rank.ok_or_else(|| cannot(format!("a part of an operand of shape {}", brief(node.shape()))))
}
