//! Elements found by number, put where numbers say, and numbers as rows of ones.
//!
//! DIFFERENCE: a number of a row that is not there is an error; OpenVINO gives 0 for it.

use super::{Builder, Call, Layer};
use crate::dialect::beside::Beside;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Apply, Concatenate, Scatter, Take, TakeAlong};
use crate::graph::steps::axis_of;
use crate::op::Op;

pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "Gather",
        since: 1,
        build: |builder, call| {
            call.takes(3, 3)?;
            Ok(vec![gather(builder, call, 0)?])
        },
    },
    Layer {
        name: "Gather",
        since: 7,
        build: |builder, call| {
            call.takes(3, 3)?;
            let batch = call.attributes.integer("batch_dims")?.unwrap_or(0);
            Ok(vec![gather(builder, call, batch)?])
        },
    },
    Layer {
        name: "GatherElements",
        since: 6,
        build: |builder, call| {
            call.takes(2, 2)?;
            let data = call.input(0)?;
            let axis = axis_of(call.attributes.needed_integer("axis")?, builder.rank(data)?)?;
            Ok(vec![builder.graph.add(TakeAlong { axis }, call.inputs)?])
        },
    },
    Layer {
        name: "Concat",
        since: 1,
        build: |builder, call| {
            call.takes(1, usize::MAX)?;
            let rank = call.inputs.iter().find_map(|&input| builder.rank(input).ok());
            let rank = rank.map_or_else(|| builder.rank(call.input(0)?), Ok)?;
            let axis = axis_of(call.attributes.needed_integer("axis")?, rank)?;
            Ok(vec![builder.graph.add(Concatenate { axis }, call.inputs)?])
        },
    },
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
        name: "OneHot",
        since: 1,
        build: |builder, call| {
            call.takes(4, 4)?;
            Ok(vec![one_hot(builder, call)?])
        },
    },
];

fn gather(builder: &mut Builder<'_>, call: &Call<'_>, batch: i64) -> Result<Id, Error> {
    let (data, numbers) = (call.input(0)?, call.input(1)?);
    let rank = builder.rank(data)?;
    let axis = axis_of(builder.known_one(call.input(2)?, "axis")?, rank)?;
    let numbers_rank = builder.rank(numbers)?;
    let batch = match batch {
        0 => 0,
        batch => {
            let signed = i64::try_from(numbers_rank).unwrap_or(i64::MAX);
            let found = usize::try_from(if batch < 0 { batch.saturating_add(signed) } else { batch }).ok();
            let wrong =
                || Error::value(format!("batch_dims is {batch}, and the rank of indices {numbers_rank}"));
            found.filter(|&batch| batch <= numbers_rank).ok_or_else(wrong)?
        }
    };
    builder.graph.add(Take { axis, batch }, &[data, numbers])
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

impl Builder<'_> {
    fn scatter(&mut self, call: &Call<'_>, reduced: Reduced, initial: Initial) -> Result<Id, Error> {
        let (data, numbers, updates) = (call.input(0)?, call.input(1)?, call.input(2)?);
        let axis = axis_of(self.known_one(call.input(3)?, "axis")?, self.rank(data)?)?;
        // Numbers for a part of the data alone: that part is changed, and put back.
        let beside = Beside::of(self.graph, data, numbers, axis)?;
        let part = beside.part(self.graph, data)?;
        let part = self.scattered([part, numbers, updates], axis, reduced, initial)?;
        beside.put(self.graph, data, part)
    }

    fn scattered(
        &mut self,
        [data, numbers, updates]: [Id; 3],
        axis: usize,
        reduced: Reduced,
        initial: Initial,
    ) -> Result<Id, Error> {
        let with = match reduced {
            Reduced::Nothing => {
                return self.graph.add(Scatter { axis, with: None }, &[data, numbers, updates]);
            }
            Reduced::With(op) => op,
            Reduced::Mean => Op::Add,
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

/// `on` where the place along a new axis is the number, else `off`.
fn one_hot(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<Id, Error> {
    let (numbers, depth, on, off) = (call.input(0)?, call.input(1)?, call.input(2)?, call.input(3)?);
    let rank = builder.rank(numbers)? + 1;
    let axis = axis_of(call.attributes.integer("axis")?.unwrap_or(-1), rank)?;
    let depth = builder.convert(depth, DType::I64)?;
    if let Some([depth]) = builder.graph.node(depth)?.integers().as_deref()
        && *depth < 0
    {
        return Err(Error::value(format!("the depth is {depth}")));
    }
    let places = builder.graph.counted(depth)?;
    let others: Vec<usize> = (0..rank).filter(|&other| other != axis).collect();
    let places = builder.graph.with_axes(places, &others)?;
    let numbers = builder.convert(numbers, DType::I64)?;
    let numbers = builder.graph.with_axes(numbers, &[axis])?;
    let is_it = builder.op(Op::Equal, &[numbers, places])?;
    builder.op(Op::Where, &[is_it, on, off])
}
