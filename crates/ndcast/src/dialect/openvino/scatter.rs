//! Elements and rows put where numbers say.
//!
//! DIFFERENCE: a negative number counts from the end in all of them; for ScatterUpdate OpenVINO refuses it.

use ndcast_shape::{Extent, Shape};

use super::{Builder, Call, Layer};
use crate::dialect::beside::Beside;
use crate::dialect::tuples;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Apply, ReshapeTo, Scatter};
use crate::graph::steps::axis_of;
use crate::op::Op;

pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "ScatterElementsUpdate",
        since: 3,
        build: |builder, call| {
            call.takes(4, 4)?;
            Ok(vec![builder.scatter(call, Reduced::Nothing, Initial::Counts)?])
        },
    },
    Layer {
        name: "ScatterElementsUpdate",
        since: 12,
        build: |builder, call| {
            call.takes(4, 4)?;
            let words = [
                ("none", Reduced::Nothing),
                ("sum", Reduced::With(Op::Add)),
                ("prod", Reduced::With(Op::Multiply)),
                ("min", Reduced::With(Op::Minimum)),
                ("max", Reduced::With(Op::Maximum)),
                ("mean", Reduced::Mean),
            ];
            let reduced = call.attributes.word("reduction", &words)?.unwrap_or(Reduced::Nothing);
            let counts = call.attributes.is_set("use_init_val")? != Some(false);
            let initial = if counts { Initial::Counts } else { Initial::IsReplaced };
            Ok(vec![builder.scatter(call, reduced, initial)?])
        },
    },
    Layer {
        name: "ScatterUpdate",
        since: 3,
        build: |builder, call| {
            call.takes(4, 4)?;
            Ok(vec![scatter_update(builder, call)?])
        },
    },
    Layer {
        name: "ScatterNDUpdate",
        since: 3,
        build: |builder, call| {
            call.takes(3, 3)?;
            Ok(vec![scatter_tuples(builder, call, Reduced::Nothing)?])
        },
    },
    Layer {
        name: "ScatterNDUpdate",
        since: 15,
        build: |builder, call| {
            call.takes(3, 3)?;
            let words = [
                ("none", Reduced::Nothing),
                ("sum", Reduced::With(Op::Add)),
                ("sub", Reduced::With(Op::Subtract)),
                ("prod", Reduced::With(Op::Multiply)),
                ("min", Reduced::With(Op::Minimum)),
                ("max", Reduced::With(Op::Maximum)),
            ];
            let reduced = call.attributes.word("reduction", &words)?.unwrap_or(Reduced::Nothing);
            Ok(vec![scatter_tuples(builder, call, reduced)?])
        },
    },
];

fn scatter_tuples(builder: &mut Builder<'_>, call: &Call<'_>, reduced: Reduced) -> Result<Id, Error> {
    let (data, numbers, updates) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let combined = Combined::of(builder, data, updates, reduced)?;
    let given = [combined.data, numbers, combined.updates];
    let made = tuples::scattered(builder.graph, given, combined.with.with())?;
    Combined::back(builder, made, data, reduced)
}

/// Rows along an axis: the updates have the axes of the indices in place of it.
fn scatter_update(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<Id, Error> {
    let (data, numbers, updates) = (call.input(0)?, call.input(1)?, call.input(2)?);
    let (rank, theirs) = (builder.rank(data)?, builder.rank(numbers)?);
    let axis = axis_of(builder.known_one(call.input(3)?, "axis")?, rank)?;
    let (own, dims) = (builder.dims(updates)?, builder.dims(data)?);
    let expected = [&dims[..axis], &builder.dims(numbers)?[..], &dims[axis + 1..]].concat();
    if own.len() != expected.len() || !own.iter().zip(&expected).all(|(a, b)| a.meet(b).is_some()) {
        let [own, expected] = [own, expected].map(|dims| Shape::from(dims).to_string());
        return Err(Error::value(format!("the updates are {own}, and must be {expected}")));
    }
    let all: Vec<usize> = (0..theirs).collect();
    let [before, behind] = [(0..axis), (axis + 1..rank)].map(Vec::from_iter);
    let before = builder.graph.extents_of(data, &before)?;
    let count = builder.graph.count_along(numbers, &all, DType::I64)?;
    let behind = builder.graph.extents_of(data, &behind)?;
    let to = builder.graph.listed(&[before, count, behind])?;
    let updates = builder.graph.add(ReshapeTo, &[updates, to])?;
    let to = builder.graph.listed(&[count])?;
    let numbers = builder.graph.add(ReshapeTo, &[numbers, to])?;
    let numbers = builder.graph.along(numbers, axis, rank)?;
    let shape = builder.graph.shape_of(updates)?;
    let numbers = builder.graph.over(numbers, shape)?;
    builder.graph.add(Scatter { axis, with: None }, &[data, numbers, updates])
}

/// The attribute `reduction`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reduced {
    Nothing,
    With(Op),
    Mean,
}

/// Whether what is there already counts: the attribute `use_init_val`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Initial {
    Counts,
    IsReplaced,
}

impl Reduced {
    fn with(self) -> Option<Op> {
        match self {
            Reduced::Nothing => None,
            Reduced::With(op) => Some(op),
            Reduced::Mean => Some(Op::Add),
        }
    }
}

/// Data and updates so that there is an operation for them: truth values are combined as the numbers 0 and 1, and what is
/// taken away is added as what it is less than 0.
struct Combined {
    data: Id,
    updates: Id,
    with: Reduced,
}

impl Combined {
    fn of(builder: &mut Builder<'_>, data: Id, updates: Id, with: Reduced) -> Result<Combined, Error> {
        let mut combined = Combined { data, updates, with };
        let truths = [builder.dtype(data)?, builder.dtype(updates)?] == [DType::Bool; 2];
        if with != Reduced::Nothing && truths {
            if with == Reduced::Mean {
                return Err(Error::value("truth values have no mean".to_owned()));
            }
            combined.data = builder.convert(data, DType::I32)?;
            combined.updates = builder.convert(updates, DType::I32)?;
        }
        if with == Reduced::With(Op::Subtract) {
            let zero = builder.graph.full_like(0, combined.updates)?;
            combined.updates = builder.graph.add(Apply(Op::Subtract), &[zero, combined.updates])?;
            combined.with = Reduced::With(Op::Add);
        }
        Ok(combined)
    }

    /// The result as what the data were. A truth value that is taken away turns another one round.
    fn back(builder: &mut Builder<'_>, made: Id, data: Id, with: Reduced) -> Result<Id, Error> {
        let (own, to) = (builder.dtype(made)?, builder.dtype(data)?);
        let mut made = made;
        if own != to && with == Reduced::With(Op::Subtract) {
            made = builder.graph.with_number(Op::BitwiseAnd, made, 1)?;
        }
        builder.convert(made, to)
    }
}

impl Builder<'_> {
    fn scatter(&mut self, call: &Call<'_>, reduced: Reduced, initial: Initial) -> Result<Id, Error> {
        let (data, numbers, updates) = (call.input(0)?, call.input(1)?, call.input(2)?);
        let axis = axis_of(self.known_one(call.input(3)?, "axis")?, self.rank(data)?)?;
        // Numbers for a part of the data alone: that part is changed, and put back.
        let combined = Combined::of(self, data, updates, reduced)?;
        let beside = Beside::of(self.graph, data, numbers, axis)?;
        let part = beside.part(self.graph, combined.data)?;
        let part = self.scattered([part, numbers, combined.updates], axis, combined.with, initial)?;
        let made = beside.put(self.graph, combined.data, part)?;
        Combined::back(self, made, data, reduced)
    }

    fn scattered(
        &mut self,
        [data, numbers, updates]: [Id; 3],
        axis: usize,
        reduced: Reduced,
        initial: Initial,
    ) -> Result<Id, Error> {
        let Some(with) = reduced.with() else {
            return self.graph.add(Scatter { axis, with: None }, &[data, numbers, updates]);
        };
        let mut data = data;
        if initial == Initial::IsReplaced {
            // What an operation leaves as it is in place of what is there.
            let neutral = match with {
                Op::Multiply => self.graph.full_like(1, updates)?,
                // One of the updates of each place is as good as nothing.
                Op::Minimum | Op::Maximum => updates,
                _ => self.graph.full_like(0, updates)?,
            };
            data = self.graph.add(Scatter { axis, with: None }, &[data, numbers, neutral])?;
        }
        let sum = self.graph.add(Scatter { axis, with: Some(with) }, &[data, numbers, updates])?;
        if reduced != Reduced::Mean {
            return Ok(sum);
        }
        let (ones, first) = (self.graph.full_like(1, updates)?, i128::from(initial == Initial::Counts));
        let mut counts = self.graph.full_like(1, data)?;
        if first == 0 {
            let zeros = self.graph.full_like(0, updates)?;
            counts = self.graph.add(Scatter { axis, with: None }, &[counts, numbers, zeros])?;
        }
        let counts = self.graph.add(Scatter { axis, with: Some(Op::Add) }, &[counts, numbers, ones])?;
        let divide = if self.is_float(data)? { Op::Divide } else { Op::FloorDivide };
        self.graph.add(Apply(divide), &[sum, counts])
    }
}
