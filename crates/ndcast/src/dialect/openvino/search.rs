//! Where elements are not 0, and where they belong among others that are in order.
//!
//! A place among others is how many of them are less, so they need not be in order for there to be one.

use super::{Builder, Layer};
use crate::array::Keep;
use crate::convert::Overflow;
use crate::dialect::nonzero;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::Convert;
use crate::op::Op;
use crate::reduction::Reduction;

pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "NonZero",
        since: 3,
        build: |builder, call| {
            call.takes(1, 1)?;
            let to = call.attributes.dtype("output_type")?.unwrap_or(DType::I64);
            let places = nonzero::coordinates(builder.graph, call.input(0)?)?;
            Ok(vec![builder.convert(places, to)?])
        },
    },
    Layer {
        name: "Bucketize",
        since: 3,
        build: |builder, call| {
            call.takes(2, 2)?;
            let (data, buckets) = (call.input(0)?, call.input(1)?);
            let found = builder.rank(buckets)?;
            if found != 1 {
                return Err(Error::value(format!("buckets lie along one axis, and their rank is {found}")));
            }
            let with_right = call.attributes.is_set("with_right_bound")? != Some(false);
            let than = if with_right { Op::Less } else { Op::LessEqual };
            let to = call.attributes.dtype("output_type")?.unwrap_or(DType::I64);
            Ok(vec![count(builder, buckets, data, than, to)?])
        },
    },
    Layer {
        name: "SearchSorted",
        since: 15,
        build: |builder, call| {
            call.takes(2, 2)?;
            let (sorted, values) = (call.input(0)?, call.input(1)?);
            let (rank, theirs) = (builder.rank(sorted)?, builder.rank(values)?);
            if rank != 1 && rank != theirs {
                let text = format!(
                    "what is in order has rank 1 or that of the values, and the ranks are {rank} and {theirs}"
                );
                return Err(Error::value(text));
            }
            let right = call.attributes.is_set("right_mode")? == Some(true);
            let than = if right { Op::LessEqual } else { Op::Less };
            let to = call.attributes.dtype("output_type")?.unwrap_or(DType::I64);
            Ok(vec![count(builder, sorted, values, than, to)?])
        },
    },
];

/// How many of the others along their last axis are less than each value, or so much as it at most.
fn count(builder: &mut Builder<'_>, others: Id, values: Id, than: Op, to: DType) -> Result<Id, Error> {
    let (rank, theirs) = (builder.rank(values)?, builder.rank(others)?);
    let mut others = others;
    if theirs > 1 {
        let (own, given) = (builder.dims(others)?, builder.dims(values)?);
        let unequal =
            (0..rank - 1).find(|&axis| ndcast_shape::Extent::meet(&own[axis], &given[axis]).is_none());
        if let Some(axis) = unequal {
            return Err(Error::value(format!(
                "what is in order has extent {} along axis {axis}, and the values {}",
                own[axis], given[axis]
            )));
        }
        others = builder.graph.with_axes(others, &[rank - 1])?;
    }
    let values = builder.graph.with_axes(values, &[rank])?;
    let before = builder.op(than, &[others, values])?;
    let before = builder.graph.add(Convert { to, overflow: Overflow::OpenVino }, &[before])?;
    builder.graph.fold(Reduction::Sum, before, &[rank], Keep::Nothing)
}
