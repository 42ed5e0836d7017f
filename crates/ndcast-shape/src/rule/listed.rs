//! What the rules with a list of axes have in common: entry `i` says where the operand's axis `i` lies.

use super::call::Call;
use crate::align::Alignment;
use crate::error::{Error, Kind};
use crate::extent::Extent;
use crate::unify::{Clash, Found, Party, Stretch, Under};

/// A shape, whose it is, and whether its extents of 1 may grow.
pub(super) struct Side<'a, E> {
    pub(super) party: Party,
    pub(super) extents: &'a [E],
    pub(super) stretch: Stretch,
}

/// One entry of the list, as a position in a shape of `rank` axes.
pub(super) fn position<E: Extent>(call: &Call<'_, E>, entry: usize, rank: usize) -> Result<usize, Error> {
    let (axis, position) = (call.axes()[entry], Some(entry));
    match usize::try_from(axis) {
        Err(_) => Err(call.error(Kind::AxisNegative { axis, position })),
        Ok(to) if to >= rank => Err(call.error(Kind::AxisOutOfRange { axis, position, rank })),
        Ok(to) => Ok(to),
    }
}

/// Every entry of the list, as positions in a shape of `rank` axes.
pub(super) fn positions<E: Extent>(call: &Call<'_, E>, rank: usize) -> Result<Vec<usize>, Error> {
    (0..call.axes().len()).map(|entry| position(call, entry, rank)).collect()
}

/// The list must have an entry for each axis of the operand.
pub(super) fn check_count<E: Extent>(call: &Call<'_, E>, operand: &[E]) -> Result<(), Error> {
    let (expected, found) = (operand.len(), call.axes().len());
    if expected == found { Ok(()) } else { Err(call.error(Kind::AxesCount { expected, found })) }
}

/// An entry must be larger than the one before it.
pub(super) fn check_order<E: Extent>(call: &Call<'_, E>, entry: usize) -> Result<(), Error> {
    let axis = call.axes()[entry];
    match entry.checked_sub(1).map(|before| call.axes()[before]) {
        Some(previous) if previous >= axis => {
            Err(call.error(Kind::AxesOrder { position: entry, axis, previous }))
        }
        _ => Ok(()),
    }
}

/// No axis may stand twice in the list.
pub(super) fn check_unique<E: Extent>(call: &Call<'_, E>) -> Result<(), Error> {
    let mut sorted = call.axes().to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(call.error(Kind::AxesRepeated { axis: pair[0] })),
        None => Ok(()),
    }
}

/// The alignment of positions; none may stand twice.
pub(super) fn alignment<E: Extent>(
    call: &Call<'_, E>,
    map: &[usize],
    rank: usize,
) -> Result<Alignment, Error> {
    Alignment::by_map(map, rank).ok_or_else(|| {
        let twice = (1..map.len()).find(|&entry| map[..entry].contains(&map[entry])).unwrap_or(0);
        let axis = map.get(twice).and_then(|&to| i64::try_from(to).ok()).unwrap_or(0);
        call.error(Kind::AxesRepeated { axis })
    })
}

/// The extent mismatch of the map's last entry.
pub(super) fn clash<E: Extent>(
    call: &Call<'_, E>,
    mapped: &Side<'_, E>,
    onto: &Side<'_, E>,
    map: &[usize],
) -> Error {
    let (own, axis) = (map.len() - 1, map[map.len() - 1]);
    let found = |side: &Side<'_, E>, axis: usize| Found {
        party: side.party,
        axis,
        extent: side.extents[axis].clone().into(),
        stretch: side.stretch,
    };
    let mut under = vec![None; onto.extents.len()];
    for (own, &to) in map.iter().enumerate() {
        under[to] = Some(own);
    }
    let mut found = [found(mapped, own), found(onto, axis)];
    let mut layout = vec![
        Under { party: mapped.party, axes: under },
        Under { party: onto.party, axes: (0..onto.extents.len()).map(Some).collect() },
    ];
    // Operands are told in their order.
    if onto.party == Party::Operand(0) {
        found.reverse();
        layout.reverse();
    }
    call.clash(Clash { axis, found }, vec![axis], layout)
}

/// Goes through the list: each entry must be in range and, before the next one is looked at, pass the check.
/// The check gets the entry's number, its position, and the positions up to it.
pub(super) fn each<E: Extent>(
    call: &Call<'_, E>,
    rank: usize,
    check: impl Fn(usize, usize, &[usize]) -> Result<(), Error>,
) -> Result<Vec<usize>, Error> {
    let mut map = Vec::with_capacity(call.axes().len());
    for entry in 0..call.axes().len() {
        let to = position(call, entry, rank)?;
        map.push(to);
        check(entry, to, &map)?;
    }
    Ok(map)
}
