//! More around an array, and an array several times: Pad and Tile.

use ndcast_shape::Extent;

use super::{Builder, Call, Layer};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Broadcast, Concatenate, Fit, Lay, Take};
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
    let mut pads = [vec![], vec![]];
    for (pads, (place, name)) in pads.iter_mut().zip([(1, "pads_begin"), (2, "pads_end")]) {
        *pads = builder.known(call.input(place)?, name)?;
        if pads.len() != rank {
            return Err(Error::value(format!("{name} has {} numbers, and the rank is {rank}", pads.len())));
        }
        if let Some(wrong) = pads.iter().find(|&&n| n < 0 && negative == Negative::IsRefused) {
            return Err(Error::value(format!("{name} has {wrong}; negative ones there are since opset12")));
        }
    }
    let value = match call.optional(3) {
        Some(value) => value,
        None => {
            let dtype = builder.dtype(x)?;
            builder.graph.number(0, dtype)?
        }
    };
    let mut made = x;
    for (axis, (&before, &behind)) in pads[0].iter().zip(&pads[1]).enumerate() {
        if (before, behind) != (0, 0) {
            made = match around {
                Around::Constant => builder.with_constant(made, axis, [before, behind], value)?,
                _ => builder.with_own(made, axis, [before, behind], around)?,
            };
        }
    }
    Ok(made)
}

impl Builder<'_> {
    /// A number before and behind an array; less than nothing cuts off.
    fn with_constant(&mut self, x: Id, axis: usize, pads: [i64; 2], value: Id) -> Result<Id, Error> {
        let cut = pads.map(|n| n.min(0).saturating_neg());
        let mut x = x;
        if cut != [0, 0] {
            if let Some(extent) = self.dims(x)?[axis].known()
                && cut[0].saturating_add(cut[1]) > i64::try_from(extent).unwrap_or(i64::MAX)
            {
                return Err(Error::value(format!(
                    "{} before and {} behind are cut off axis {axis}, which has extent {extent}",
                    cut[0], cut[1]
                )));
            }
            x = self.part(x, axis, Some(cut[0]), (cut[1] > 0).then_some(-cut[1]))?;
        }
        let [before, behind] = pads;
        let mut parts = Vec::new();
        if before > 0 {
            parts.push(self.slab(x, axis, before, value)?);
        }
        parts.push(x);
        if behind > 0 {
            parts.push(self.slab(x, axis, behind, value)?);
        }
        self.graph.add(Concatenate { axis }, &parts)
    }

    /// One number in the shape of an array, but for one axis.
    fn slab(&mut self, x: Id, axis: usize, extent: i64, value: Id) -> Result<Id, Error> {
        let mut pieces = Vec::new();
        for own in 0..self.rank(x)? {
            pieces.push(if own == axis { self.graph.integers(&[extent])? } else { self.extent(x, own)? });
        }
        let shape = self.joined(&pieces)?;
        self.over(value, shape)
    }

    /// An array's own elements before and behind it, found by their numbers along the axis.
    fn with_own(&mut self, x: Id, axis: usize, pads: [i64; 2], around: Around) -> Result<Id, Error> {
        let [before, behind] = pads;
        if let Some(extent) = self.dims(x)?[axis].known() {
            // "pads must not be greater than the extent", less 1 where the outermost is not repeated.
            let extent = i64::try_from(extent).unwrap_or(i64::MAX);
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
        let extent = self.extent(x, axis)?;
        let both = before
            .checked_add(behind)
            .ok_or_else(|| Error::value(format!("there are too many places around axis {axis}")))?;
        let count = self.with_number(Op::Add, extent, both)?;
        let places = self.numbers_to(count)?;
        let places = self.with_number(Op::Subtract, places, before)?;
        let last = self.with_number(Op::Subtract, extent, 1i64)?;
        let numbers = match around {
            Around::Edge => {
                let places = self.with_number(Op::Maximum, places, 0i64)?;
                self.op(Op::Minimum, &[places, last])?
            }
            // Before the first: -1 - n, or -n. Behind the last: the same from the other end.
            _ => {
                let shift = i64::from(around == Around::Symmetric);
                let turned = self.op(Op::Negative, &[places])?;
                let turned = self.with_number(Op::Subtract, turned, shift)?;
                let inside = self.op(Op::Maximum, &[places, turned])?;
                let twice = self.op(Op::Add, &[last, last])?;
                let twice = self.with_number(Op::Add, twice, shift)?;
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
        let x = self.with_axes(x, &(0..rank - own).collect::<Vec<_>>())?;
        let (mut apart, mut together) = (Vec::new(), Vec::new());
        for axis in 0..rank {
            let times = match axis.checked_sub(rank - count) {
                Some(place) => self.element(repeats, place)?,
                None => self.graph.integers(&[1])?,
            };
            let extent = self.extent(x, axis)?;
            together.push(self.op(Op::Multiply, &[times, extent])?);
            apart.extend([times, extent]);
        }
        if rank == 0 {
            return Ok(x);
        }
        let (apart, together) = (self.joined(&apart)?, self.joined(&together)?);
        let lay = |place: usize| if place.is_multiple_of(2) { Lay::New(1) } else { Lay::Axis(place / 2) };
        let opened = self.graph.add(Broadcast::new((0..2 * rank).map(lay)), &[x])?;
        let rule = &ndcast_shape::rule::openvino::BROADCAST_NUMPY;
        let repeated = self.graph.add(Fit::new(rule, 1, 0), &[opened, apart])?;
        self.reshaped(repeated, together)
    }
}
