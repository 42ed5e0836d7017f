//! Pad and Tile.

use ndcast_shape::Extent;

use super::{Builder, Call, Layer};
use crate::dialect::around::{self, tiled};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::Take;
use crate::layout::as_i64;
use crate::op::Op;

pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "Pad",
        since: 1,
        build: |builder, call| Ok(vec![pad(builder, call, Negative::IsRefused)?]),
    },
    // "Pad-12: negative values of pads_begin and pads_end crop".
    Layer { name: "Pad", since: 12, build: |builder, call| Ok(vec![pad(builder, call, Negative::Crops)?]) },
    Layer {
        name: "Tile",
        since: 1,
        build: |builder, call| {
            call.takes(2, 2)?;
            Ok(vec![builder.tile(call.input(0)?, call.input(1)?)?])
        },
    },
];

/// What becomes of a negative number of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Negative {
    IsRefused,
    Crops,
}

/// The attribute `pad_mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    /// A number.
    Constant,
    /// The outermost element again and again.
    Edge,
    /// The elements backwards from the outermost, which is not repeated.
    Reflect,
    /// The elements backwards, the outermost first.
    Symmetric,
}

fn pad(builder: &mut Builder<'_>, call: &Call<'_>, negative: Negative) -> Result<Id, Error> {
    call.takes(3, 4)?;
    let x = call.input(0)?;
    let rank = builder.rank(x)?;
    let words = [
        ("constant", Around::Constant),
        ("edge", Around::Edge),
        ("reflect", Around::Reflect),
        ("symmetric", Around::Symmetric),
    ];
    let around = call.attributes.word("pad_mode", &words)?.unwrap_or(Around::Constant);
    let sides = [call.input(1)?, call.input(2)?];
    let value = match call.optional(3) {
        Some(value) => value,
        None => {
            let dtype = builder.dtype(x)?;
            builder.graph.number(0, dtype)?
        }
    };
    let is_open = |&side: &Id| builder.graph.at(side).integers().is_none();
    if around == Around::Constant && sides.iter().any(is_open) {
        // Of what is computed, negative ones crop in every opset.
        return around::filled_by(builder.graph, x, value, sides);
    }
    let mut pads = [vec![], vec![]];
    for (pads, (side, name)) in pads.iter_mut().zip(sides.into_iter().zip(["pads_begin", "pads_end"])) {
        *pads = builder.known(side, name)?;
        if pads.len() != rank {
            return Err(Error::value(format!("{name} has {} numbers, and the rank is {rank}", pads.len())));
        }
        if let Some(wrong) = pads.iter().find(|&&n| n < 0 && negative == Negative::IsRefused) {
            return Err(Error::value(format!("{name} has {wrong}; negative ones there are since opset12")));
        }
    }
    let mut made = x;
    for (axis, (&before, &behind)) in pads[0].iter().zip(&pads[1]).enumerate() {
        if (before, behind) != (0, 0) {
            made = match around {
                Around::Constant => {
                    around::Around { axis, before, behind }.filled(builder.graph, made, value)?
                }
                _ => builder.with_own(made, axis, [before, behind], around)?,
            };
        }
    }
    Ok(made)
}

impl Builder<'_> {
    /// An array's own elements before and behind it, found by their numbers along the axis.
    fn with_own(&mut self, x: Id, axis: usize, pads: [i64; 2], around: Around) -> Result<Id, Error> {
        let [before, behind] = pads;
        if let Some(extent) = self.dims(x)?[axis].known() {
            // "pads must not be greater than the extent", less 1 where the outermost is not repeated.
            let extent = as_i64(extent);
            let most = match around {
                Around::Reflect => extent - 1,
                Around::Symmetric => extent,
                _ if extent == 0 => 0,
                _ => i64::MAX,
            };
            if before > most || behind > most {
                return Err(Error::value(format!(
                    "axis {axis} has extent {extent}, of which there are not {} to put around it",
                    before.max(behind)
                )));
            }
            if before.saturating_add(extent).saturating_add(behind) < 0 {
                return Err(Error::value(format!(
                    "{} are cut off axis {axis}, which has extent {extent}",
                    before.saturating_add(behind).saturating_neg()
                )));
            }
        }
        let extent = self.graph.extents_of(x, &[axis])?;
        let both = before
            .checked_add(behind)
            .ok_or_else(|| Error::value(format!("there are too many places around axis {axis}")))?;
        let count = self.graph.with_number(Op::Add, extent, both)?;
        let places = self.graph.counted(count)?;
        let places = self.graph.with_number(Op::Subtract, places, before)?;
        let last = self.graph.with_number(Op::Subtract, extent, 1i64)?;
        let numbers = match around {
            Around::Edge => {
                let places = self.graph.with_number(Op::Maximum, places, 0i64)?;
                self.op(Op::Minimum, &[places, last])?
            }
            // Before the first: -1 - n, or -n. Behind the last: the same from the other end.
            _ => {
                let shift = i64::from(around == Around::Symmetric);
                let turned = self.op(Op::Negative, &[places])?;
                let turned = self.graph.with_number(Op::Subtract, turned, shift)?;
                let inside = self.op(Op::Maximum, &[places, turned])?;
                let twice = self.op(Op::Add, &[last, last])?;
                let twice = self.graph.with_number(Op::Add, twice, shift)?;
                let other = self.op(Op::Subtract, &[twice, inside])?;
                self.op(Op::Minimum, &[inside, other])?
            }
        };
        self.graph.add(Take { axis, batch: 0 }, &[x, numbers])
    }

    /// Each axis so often as the repeats say; the shorter of shape and repeats has ones before it.
    pub(super) fn tile(&mut self, x: Id, repeats: Id) -> Result<Id, Error> {
        super::broadcast::check_integers(self.graph.node(repeats)?, "repeats")?;
        let repeats = self.convert(repeats, DType::I64)?;
        let count = self.entries(repeats)?.map(|entries| entries.len());
        let count =
            count.ok_or_else(|| Error::value("how many repeats there are must be known".to_owned()))?;
        if let Some(wrong) =
            self.graph.node(repeats)?.integers().and_then(|all| all.into_iter().find(|&n| n < 0))
        {
            return Err(Error::value(format!("there is a repeat of {wrong}")));
        }
        let own = self.rank(x)?;
        let rank = own.max(count);
        let x = self.graph.with_axes(x, &(0..rank - own).collect::<Vec<_>>())?;
        let ones = self.graph.integers(&vec![1; rank - count])?;
        let repeats = self.graph.listed(&[ones, repeats])?;
        tiled(self.graph, x, repeats)
    }
}
