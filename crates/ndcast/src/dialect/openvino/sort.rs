//! The greatest or the least along an axis and where they are: TopK, which differs between opsets in what it may say of equal
//! ones and of the places' type.
//!
//! DIFFERENCE: OpenVINO's order of elements among which there is NaN is none; here NaN is greater than all others.

use super::{Builder, Call, Layer};
use crate::Direction;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::{Argsort, Order, TakeAlong};
use crate::graph::steps::axis_of;

pub(super) const LAYERS: &[Layer] = &[
    Layer { name: "TopK", since: 1, build: |builder, call| top_k(builder, call, Sort::OfAnyOrder) },
    Layer {
        name: "TopK",
        since: 11,
        build: |builder, call| {
            let stable = call.attributes.is_set("stable")? == Some(true);
            top_k(builder, call, if stable { Sort::Stable } else { Sort::OfAnyOrder })
        },
    },
];

/// Whether equal ones must stay in their order, as they always do here.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Stable,
    OfAnyOrder,
}

/// The attribute `sort`: in which order the chosen ones are.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Value,
    Index,
    Nothing,
}

fn top_k(builder: &mut Builder<'_>, call: &Call<'_>, stable: Sort) -> Result<Vec<Id>, Error> {
    call.takes(2, 2)?;
    let (x, k) = (call.input(0)?, call.input(1)?);
    let axis = axis_of(call.attributes.needed_integer("axis")?, builder.rank(x)?)?;
    call.attributes.needed("mode")?;
    let modes = [("max", Direction::Descending), ("min", Direction::Ascending)];
    let direction = call.attributes.word("mode", &modes)?.unwrap_or(Direction::Descending);
    let words = [("value", By::Value), ("index", By::Index), ("none", By::Nothing)];
    let by = call.attributes.word("sort", &words)?.unwrap_or(By::Value);
    if (stable, by) == (Sort::Stable, By::Nothing) {
        return Err(Error::value("what is stable is sorted by value or by index".to_owned()));
    }
    if builder.rank(k)? != 0 {
        let shape = builder.graph.node(k)?.shape().brief();
        return Err(Error::value(format!("k is one number without axes, and no array of {shape}")));
    }
    let to = call.attributes.dtype("index_element_type")?.unwrap_or(DType::I32);
    if !matches!(to, DType::I32 | DType::I64) {
        return Err(Error::not_taken(to, vec![DType::I32, DType::I64]));
    }
    let sort = Argsort { axis, direction, order: Order::Numbers, to };
    let [elements, places] = builder.graph.sorted(x, sort.clone(), Some(k))?;
    if by != By::Index {
        return Ok(vec![elements, places]);
    }
    let in_place = Argsort { direction: Direction::Ascending, ..sort };
    let [places, _] = builder.graph.sorted(places, in_place, None)?;
    Ok(vec![builder.graph.add(TakeAlong { axis }, &[x, places])?, places])
}
