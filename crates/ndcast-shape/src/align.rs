//! Alignment: which axis of an operand lies on which axis of the result.

/// How the axes of one operand are laid under those of the result.
///
/// ```
/// use ndcast_shape::Alignment;
/// // A matrix under a result of rank 4, right-aligned: its axes 0 and 1 lie on axes 2 and 3.
/// let right = Alignment::right(2, 4).unwrap();
/// assert_eq!((right.over(0), right.over(1)), (2, 3));
/// assert_eq!(Alignment::right(5, 4), None);
/// assert_eq!(Alignment::by_map(&[2, 0], 3).unwrap().over(0), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alignment(Over);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Over {
    /// The operand's axis 0 lies on this axis of the result, the others follow.
    From(usize),
    /// For each axis of the operand, the result's axis that it lies on: no axis twice.
    Map(Vec<usize>),
}

impl Alignment {
    /// Axis 0 on axis 0, and so on.
    pub const LEFT: Alignment = Alignment(Over::From(0));

    /// Last axis on last axis; `None` if the operand has more axes than the result.
    pub fn right(rank: usize, result: usize) -> Option<Alignment> {
        result.checked_sub(rank).map(|first| Alignment(Over::From(first)))
    }

    /// Axis 0 on axis `first`; `None` if the operand would pass the end.
    pub fn at(first: usize, rank: usize, result: usize) -> Option<Alignment> {
        (first.checked_add(rank)? <= result).then_some(Alignment(Over::From(first)))
    }

    /// Axis `i` on axis `map[i]`; `None` if one of them is out of range or stands twice.
    pub fn by_map(map: &[usize], result: usize) -> Option<Alignment> {
        let mut taken = vec![false; result];
        for &to in map {
            if std::mem::replace(taken.get_mut(to)?, true) {
                return None;
            }
        }
        Some(Alignment(Over::Map(map.to_vec())))
    }

    /// The axis of the result that this axis of the operand lies on.
    ///
    /// # Panics
    /// If the alignment was made from a map that has no such axis.
    pub fn over(&self, axis: usize) -> usize {
        match &self.0 {
            Over::From(first) => first + axis,
            Over::Map(map) => map[axis],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_inside() {
        assert_eq!(Alignment::at(1, 2, 3).map(|a| a.over(1)), Some(2));
        assert_eq!(Alignment::at(2, 2, 3), None);
        assert_eq!(Alignment::at(usize::MAX, 2, 3), None);
        assert_eq!(Alignment::by_map(&[0, 3], 3), None);
        assert_eq!(Alignment::by_map(&[1, 1], 3), None);
        assert!(Alignment::by_map(&[], 2).is_some());
    }
}
