//! Alignment: which axis of an operand lies on which axis of the result.

/// How the axes of one operand are laid under those of the result.
///
/// ```
/// use ndcast_shape::Alignment;
/// // A matrix under a result of rank 4, right-aligned: its axes 0 and 1 lie on axes 2 and 3.
/// let right = Alignment::right(2, 4).unwrap();
/// let under: Vec<_> = (0..4).map(|axis| right.under(axis, 2)).collect();
/// assert_eq!(under, [None, None, Some(0), Some(1)]);
/// assert_eq!(Alignment::right(5, 4), None);
/// assert_eq!(Alignment::by_map(&[2, 0], 3).unwrap().under(2, 2), Some(0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// The operand's axis 0 lies on this axis of the result, the others follow.
    At(usize),
    /// For each axis of the result, the operand's axis laid on it.
    Map(Vec<Option<usize>>),
}

impl Alignment {
    /// Last axis on last axis; `None` if the operand has more axes than the result.
    pub fn right(rank: usize, result: usize) -> Option<Alignment> {
        result.checked_sub(rank).map(Alignment::At)
    }

    /// Axis 0 on axis `first`; `None` if the operand would pass the end.
    pub fn at(first: usize, rank: usize, result: usize) -> Option<Alignment> {
        (first.checked_add(rank)? <= result).then_some(Alignment::At(first))
    }

    /// Axis `i` on axis `map[i]`; `None` if one of them is out of range or stands twice.
    pub fn by_map(map: &[usize], result: usize) -> Option<Alignment> {
        let mut under = vec![None; result];
        for (axis, &to) in map.iter().enumerate() {
            let slot = under.get_mut(to)?;
            if slot.replace(axis).is_some() {
                return None;
            }
        }
        Some(Alignment::Map(under))
    }

    /// The axis of an operand of `rank` axes that lies under this axis of the result.
    pub fn under(&self, axis: usize, rank: usize) -> Option<usize> {
        match self {
            Alignment::At(first) => axis.checked_sub(*first).filter(|&a| a < rank),
            Alignment::Map(under) => under.get(axis).copied().flatten(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_inside() {
        assert_eq!(Alignment::at(1, 2, 3), Some(Alignment::At(1)));
        assert_eq!(Alignment::at(2, 2, 3), None);
        assert_eq!(Alignment::at(usize::MAX, 2, 3), None);
        assert_eq!(Alignment::by_map(&[0, 3], 3), None);
        assert_eq!(Alignment::by_map(&[1, 1], 3), None);
        assert_eq!(Alignment::by_map(&[], 2), Some(Alignment::Map(vec![None, None])));
        assert_eq!(Alignment::At(0).under(0, 0), None);
    }
}
