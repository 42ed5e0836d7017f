//! OpenVINO: Broadcast-1, Broadcast-3 and the `auto_broadcast` of elementwise operations.
//!
//! <https://docs.openvino.ai/latest/documentation/openvino-ir-format/operation-sets/operation-specs/movement/broadcast-1.html>
//!
//! The checks and their order are those of the shape inference as it is implemented; where that accepts what it
//! then computes wrongly, there is an error here, marked DIFFERENCE.

use super::array_api::join_right;
use super::call::{Call, Report, layout};
use super::listed::{self, Side};
use super::onnx::both_ways;
use super::{Count, Dialect, Need, Rule, plain, unranked};
use crate::align::Alignment;
use crate::error::{Error, Kind, Ranks};
use crate::extent::Extent;
use crate::plan::Plan;
use crate::shape::Shape;
use crate::unify::{Clash, Found, Laid, Party, Stretch};

const BROADCAST: Rule = Rule { target: Need::Required, ..plain(Dialect::OpenVino) };

/// `openvino.broadcast.numpy`: see [`broadcast_numpy`].
pub static BROADCAST_NUMPY: Rule = Rule {
    name: "openvino.broadcast.numpy",
    summary: "Broadcast-1 and -3, mode numpy: one way, last axis on last axis",
    answer: |call| numpy(call).map(Into::into),
    unranked: unranked::target,
    ..BROADCAST
};

/// `openvino.broadcast.explicit`: see [`broadcast_explicit`].
pub static BROADCAST_EXPLICIT: Rule = Rule {
    name: "openvino.broadcast.explicit",
    summary: "Broadcast-1 and -3, mode explicit: each axis of the data goes where axes_mapping says",
    axes: Need::Required,
    answer: |call| explicit(call).map(Into::into),
    unranked: |request| {
        // The count is checked wherever both numbers are known.
        let (rank, axes) = (request.shapes[0].rank(), request.axes.as_deref().unwrap_or(&[]));
        check_count(rank.unwrap_or(axes.len()), axes).map_err(|kind| request.error(kind))?;
        unranked::target(request)
    },
    ..BROADCAST
};

/// `openvino.broadcast.bidirectional`: see [`broadcast_bidirectional`].
pub static BROADCAST_BIDIRECTIONAL: Rule = Rule {
    name: "openvino.broadcast.bidirectional",
    summary: "Broadcast-3, mode bidirectional: data and target stretched to each other",
    answer: |call| both_ways(call).map(Into::into),
    unranked: unranked::nothing,
    ..BROADCAST
};

/// `openvino.broadcast.pdpd`: see [`broadcast_pdpd`].
pub static BROADCAST_PDPD: Rule = Rule {
    name: "openvino.broadcast.pdpd",
    summary: "Broadcast-1 and -3, mode pdpd: the data from one axis of the target to its last",
    axis: Need::Optional,
    answer: |call| pdpd_to_target(call).map(Into::into),
    unranked: unranked::target_rank,
    ..BROADCAST
};

const ELTWISE: Rule = Rule { operands: Count::AtLeast(1), ..plain(Dialect::OpenVino) };

/// `openvino.eltwise.none`: see [`eltwise_none`].
pub static ELTWISE_NONE: Rule = Rule {
    name: "openvino.eltwise.none",
    summary: "auto_broadcast none: the shapes must be equal",
    answer: |call| none(call).map(Into::into),
    unranked: unranked::others,
    ..ELTWISE
};

/// `openvino.eltwise.numpy`: see [`eltwise_numpy`].
pub static ELTWISE_NUMPY: Rule = Rule {
    name: "openvino.eltwise.numpy",
    summary: "auto_broadcast numpy: last axis on last axis, extents of 1 stretch",
    answer: |call| join_right(call, Report::First).map(Into::into),
    unranked: unranked::nothing,
    ..ELTWISE
};

/// `openvino.eltwise.pdpd`: see [`eltwise_pdpd`].
pub static ELTWISE_PDPD: Rule = Rule {
    name: "openvino.eltwise.pdpd",
    summary: "auto_broadcast pdpd: the others laid on the first from one of its axes on",
    axis: Need::Optional,
    answer: |call| pdpd(call).map(Into::into),
    unranked: |request| match request.shapes[0].rank() {
        None => Ok(Shape::UNRANKED),
        Some(_) => unranked::nothing(request),
    },
    ..ELTWISE
};

/// Broadcast with mode `numpy`: the data's last axis on the target's last, one way.
///
/// Extents that are not known are not checked, and the result is the target as written, as in OpenVINO.
///
/// ```
/// use ndcast_shape::rule::openvino;
/// assert_eq!(openvino::broadcast_numpy(&[16, 1, 1], &[1, 16, 50, 50])?.shape(), [1, 16, 50, 50]);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `rank-too-high`; `extent-mismatch`.
pub fn broadcast_numpy<E: Extent>(data: &[E], target: &[E]) -> Result<Plan<E>, Error> {
    numpy(&Call { target: Some(target), ..Call::new(&BROADCAST_NUMPY, &[data]) })
}

fn numpy<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let target = call.target();
    let rank = target.len();
    // "Broadcast target_shape has smaller rank T than arg shape R"
    let laid = call.lay_right(0, rank, Stretch::Ones)?;
    // "Input shape dimension equal D cannot be broadcasted (numpy mode) to t": of known extents only.
    let data: Vec<E> = laid.extents.iter().map(Extent::without_bounds).collect();
    let known: Vec<E> = target.iter().map(Extent::without_bounds).collect();
    let laid = [
        Laid { extents: &data, ..laid },
        Laid { extents: &known, ..call.lay_target(rank, Stretch::Nothing) },
    ];
    let plan = call.unify(rank, &laid, Report::First)?;
    Ok(plan.with_shape(target))
}

/// Broadcast with mode `explicit`: the data's axis `i` on the target's axis `axes_mapping[i]`.
///
/// ```
/// use ndcast_shape::rule::openvino;
/// assert_eq!(openvino::broadcast_explicit(&[16], &[1, 16, 50, 50], &[1])?.shape(), [1, 16, 50, 50]);
/// // Extents of 1 stretch.
/// assert_eq!(openvino::broadcast_explicit(&[3, 1], &[2, 3, 3], &[1, 2])?.shape(), [2, 3, 3]);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// In this order: `axes-count`; `axes-order`, `axes-repeated`; then for each axis `axis-negative`,
/// `axis-out-of-range`, `scalar-axes`, `extent-mismatch`.
pub fn broadcast_explicit<E: Extent>(
    data: &[E],
    target: &[E],
    axes_mapping: &[i64],
) -> Result<Plan<E>, Error> {
    explicit(&Call {
        target: Some(target),
        axes: Some(axes_mapping),
        ..Call::new(&BROADCAST_EXPLICIT, &[data])
    })
}

fn explicit<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let (data, target, axes) = (call.operands[0], call.target(), call.axes());
    let rank = target.len();
    check_count(data.len(), axes).map_err(|kind| call.error(kind))?;
    let scalar_with_axis = data.is_empty() && axes.len() == 1;
    // "The index values in this tensor should be sorted." They are sorted as unsigned numbers, so a negative
    // one comes last.
    for (before, pair) in axes.windows(2).enumerate() {
        let (previous, axis) = (pair[0], pair[1]);
        if axis.cast_unsigned() < previous.cast_unsigned() {
            return Err(call.error(Kind::AxesOrder { position: before + 1, axis, previous }));
        }
        // DIFFERENCE: OpenVINO lets equal neighbours pass, and then reads memory that was never written.
        if axis == previous {
            return Err(call.error(Kind::AxesRepeated { axis }));
        }
    }
    let mapped = Side { party: Party::Operand(0), extents: data, stretch: Stretch::Ones };
    let onto = Side { party: Party::Target, extents: target, stretch: Stretch::Nothing };
    let map = listed::each(call, rank, |i, to, map| {
        if scalar_with_axis {
            // "Broadcast target[axes_mapping[0]]. Expected 1. Got 2"
            let extent = target[to].clone().into();
            let fits = target[to].may_be_one();
            return if fits { Ok(()) } else { Err(call.error(Kind::ScalarAxes { axis: to, extent })) };
        }
        // "Broadcast target[axes_mapping[i]] Expected D. Got t": equal, or the data's extent is 1.
        let fits = data[i].may_be_one() || data[i].meet(&target[to]).is_some();
        if fits { Ok(()) } else { Err(listed::clash(call, &mapped, &onto, map)) }
    })?;
    let alignment = if scalar_with_axis { Alignment::LEFT } else { listed::alignment(call, &map, rank)? };
    let laid = [call.lay(0, alignment, Stretch::Ones), call.lay_target(rank, Stretch::Nothing)];
    let plan = call.unify(rank, &laid, Report::First)?;
    Ok(plan.with_shape(target))
}

/// "The size of axis_mapping should match the rank of input data tensor"; a scalar may have one axis too.
fn check_count(rank: usize, axes: &[i64]) -> Result<(), Kind> {
    let fits = axes.len() == rank || rank == 0 && axes.len() == 1;
    if fits { Ok(()) } else { Err(Kind::AxesCount { expected: rank, found: axes.len() }) }
}

/// Broadcast-3 with mode `bidirectional`: the result may exceed the target.
///
/// ```
/// use ndcast_shape::rule::openvino;
/// let plan = openvino::broadcast_bidirectional(&[16, 1, 1], &[1, 1, 50, 50])?;
/// assert_eq!(plan.shape(), [1, 16, 50, 50]);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `extent-mismatch`.
pub fn broadcast_bidirectional<E: Extent>(data: &[E], target: &[E]) -> Result<Plan<E>, Error> {
    both_ways(&Call { target: Some(target), ..Call::new(&BROADCAST_BIDIRECTIONAL, &[data]) })
}

/// Broadcast with mode `pdpd`: the data's axis 0 on the target's axis `axis` (-1: last on last), to its end.
///
/// ```
/// use ndcast_shape::rule::openvino;
/// assert_eq!(openvino::broadcast_pdpd(&[3, 1], &[2, 3, 6], 1)?.shape(), [2, 3, 6]);
/// // An extent of 1 in the target grows.
/// assert_eq!(openvino::broadcast_pdpd(&[3, 6], &[2, 1, 6], 1)?.shape(), [2, 3, 6]);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `axis-negative` below -1; `axis-out-of-range`; `rank-too-high`; `operand-too-short`; `extent-mismatch`.
pub fn broadcast_pdpd<E: Extent>(data: &[E], target: &[E], axis: i64) -> Result<Plan<E>, Error> {
    pdpd_to_target(&Call { target: Some(target), axis: Some(axis), ..Call::new(&BROADCAST_PDPD, &[data]) })
}

fn pdpd_to_target<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let (data, rank) = (call.operands[0].len(), call.target().len());
    let first = first_axis(call, 0, rank)?;
    if first + data > rank {
        return Err(call.error(Kind::RankTooHigh { operand: 0, rank: data, limit: rank - first }));
    }
    if first + data < rank {
        return Err(call.error(Kind::OperandTooShort { axis: first + data, rank }));
    }
    both_ways(call)
}

/// Where an operand begins under a result of `rank` axes.
fn first_axis<E: Extent>(call: &Call<'_, E>, operand: usize, rank: usize) -> Result<usize, Error> {
    let own = call.operands[operand].len();
    // The attribute's default is 0 in every reader, whatever the documentation says.
    let axis = call.axis.unwrap_or(0);
    match usize::try_from(axis) {
        Ok(first) if first > rank => Err(call.error(Kind::AxisOutOfRange { axis, position: None, rank })),
        Ok(first) => Ok(first),
        Err(_) if axis == -1 => rank
            .checked_sub(own)
            .ok_or_else(|| call.error(Kind::RankTooHigh { operand, rank: own, limit: rank })),
        Err(_) => Err(call.error(Kind::AxisNegative { axis, position: None })),
    }
}

/// An elementwise operation with `auto_broadcast="none"`: equal shapes.
///
/// ```
/// use ndcast_shape::rule::openvino;
/// assert!(openvino::eltwise_none(&[&[2, 3][..], &[2, 3]]).is_ok());
/// assert!(openvino::eltwise_none(&[&[2, 3][..], &[1, 3]]).is_err());
/// ```
///
/// # Errors
/// `rank-mismatch`; `extent-mismatch`.
pub fn eltwise_none<E: Extent>(operands: &[&[E]]) -> Result<Plan<E>, Error> {
    none(&Call::new(&ELTWISE_NONE, operands))
}

fn none<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let ranks: Vec<usize> = call.operands.iter().map(|operand| operand.len()).collect();
    let rank = ranks.first().copied().unwrap_or(0);
    if ranks.iter().any(|&other| other != rank) {
        return Err(call.error(Kind::RankMismatch { ranks, of: Ranks::Operands }));
    }
    let laid: Vec<_> =
        (0..ranks.len()).map(|operand| call.lay(operand, Alignment::LEFT, Stretch::Nothing)).collect();
    call.unify(rank, &laid, Report::First)
}

/// An elementwise operation with `auto_broadcast="numpy"`.
///
/// ```
/// let plan = ndcast_shape::rule::openvino::eltwise_numpy(&[&[8, 1, 6, 1][..], &[7, 1, 5]])?;
/// assert_eq!(plan.shape(), [8, 7, 6, 5]);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `extent-mismatch`.
pub fn eltwise_numpy<E: Extent>(operands: &[&[E]]) -> Result<Plan<E>, Error> {
    join_right(&Call::new(&ELTWISE_NUMPY, operands), Report::First)
}

/// An elementwise operation with `auto_broadcast="pdpd"`: each further operand's axis 0 lies on axis `axis`
/// of the first (-1: last on last). The result has the first operand's shape.
///
/// ```
/// use ndcast_shape::rule::openvino;
/// assert_eq!(openvino::eltwise_pdpd(&[&[2, 3, 4, 5][..], &[3, 4]], 1)?.shape(), [2, 3, 4, 5]);
/// assert!(openvino::eltwise_pdpd(&[&[1, 3][..], &[2, 3]], 0).is_err());
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
///
/// # Errors
/// `rank-too-high`; `axis-negative` below -1; `axis-out-of-range`; `extent-mismatch`.
pub fn eltwise_pdpd<E: Extent>(operands: &[&[E]], axis: i64) -> Result<Plan<E>, Error> {
    pdpd(&Call { axis: Some(axis), ..Call::new(&ELTWISE_PDPD, operands) })
}

fn pdpd<E: Extent>(call: &Call<'_, E>) -> Result<Plan<E>, Error> {
    let Some(a) = call.operands.first() else {
        return Err(call.error(Kind::OperandCount { least: 1, most: None, found: 0 }));
    };
    let rank = a.len();
    let mut laid = vec![call.lay(0, Alignment::LEFT, Stretch::Ones)];
    for (operand, b) in call.operands.iter().enumerate().skip(1) {
        if b.len() > rank {
            return Err(call.error(Kind::RankTooHigh { operand, rank: b.len(), limit: rank }));
        }
        let first = first_axis(call, operand, rank)?;
        let alignment = Alignment::at(first, b.len(), rank)
            .ok_or_else(|| call.error(Kind::RankTooHigh { operand, rank: b.len(), limit: rank - first }))?;
        laid.push(call.lay(operand, alignment, Stretch::Ones));
    }
    // B never enlarges A. Extents of 0 are smaller than 1, so they pass, and an A of 1 becomes 0. Only known
    // extents are compared, as in OpenVINO.
    let larger = |axis: usize| {
        laid[1..].iter().find_map(|b| {
            let own = (0..b.extents.len()).find(|&own| b.alignment.over(own) == axis)?;
            (b.extents[own].known()? > a[axis].known()?).then_some((b, own))
        })
    };
    let enlarged: Vec<usize> = (0..rank).filter(|&axis| larger(axis).is_some()).collect();
    if let Some((axis, (b, own))) = enlarged.first().and_then(|&axis| Some((axis, larger(axis)?))) {
        let found = |l: &Laid<'_, E>, axis: usize, stretch| Found {
            party: l.party,
            axis,
            extent: l.extents[axis].clone().into(),
            stretch,
        };
        let found = [found(&laid[0], axis, Stretch::Nothing), found(b, own, Stretch::Ones)];
        return Err(call.clash(Clash { axis, found }, enlarged, layout(rank, &laid)));
    }
    call.unify(rank, &laid, Report::First)
}
