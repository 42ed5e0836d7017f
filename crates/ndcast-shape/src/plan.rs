//! The normal form: every rule of every dialect becomes a [`Plan`].
//!
//! Strides, gradients, pictures, the text in another dialect: all are read from the plan. A plan does not
//! know which rule it came from.

use crate::extent::{Dim, Extent};

/// Where one axis of the result reads one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Walks along this axis of the operand.
    Axis(usize),
    /// Stays at index 0 of this axis of the operand, whose extent is 1.
    Stretched(usize),
    /// The operand has no such axis.
    New,
    /// Walks along this axis or stays on it: the extents are not known well enough to say.
    /// It never stands in a plan of known extents.
    Undecided(usize),
}

impl Source {
    /// The operand's axis, if there is one.
    pub fn axis(self) -> Option<usize> {
        match self {
            Source::Axis(a) | Source::Stretched(a) | Source::Undecided(a) => Some(a),
            Source::New => None,
        }
    }
}

/// The shape of a result, and how each operand is read to fill it.
///
/// Every axis of an operand stands exactly once among its sources, so a plan also tells the operands' ranks.
///
/// ```
/// use ndcast_shape::{Plan, Source, rule::array_api};
/// let plan = array_api::join(&[&[8, 1, 6][..], &[7, 1]])?;
/// assert_eq!(plan.shape(), [8, 7, 6]);
/// assert_eq!(plan.operand(1), [Source::New, Source::Axis(0), Source::Stretched(1)]);
/// // The second operand lies in memory as 7 rows of 1: what one step along each result axis adds.
/// assert_eq!(plan.strides(1, &[1, 1]), [0, 1, 0]);
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan<E = usize> {
    shape: Vec<E>,
    /// Operand after operand, a source for each axis of the result.
    sources: Vec<Source>,
    operands: usize,
}

/// How the gradient of one operand comes from the gradient of the result: see [`Plan::adjoint`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjoint {
    /// Axes of the result to sum over and drop: the operand has none there.
    pub new: Vec<usize>,
    /// Axes of the result to sum over and keep as 1.
    pub stretched: Vec<usize>,
    /// Axes of which only the extents at run time say whether they are summed.
    pub undecided: Vec<usize>,
    /// For each axis of the operand, the axis of the result that lies on it.
    pub order: Vec<usize>,
}

impl<E: Extent> Plan<E> {
    pub(crate) fn from_parts(shape: Vec<E>, sources: Vec<Source>, operands: usize) -> Plan<E> {
        debug_assert_eq!(sources.len(), shape.len() * operands);
        Plan { shape, sources, operands }
    }

    /// A plan of these sources; `None` unless every operand has a source for each axis of the result, and
    /// uses each axis of its own exactly once.
    pub fn new(shape: Vec<E>, operands: &[Vec<Source>]) -> Option<Plan<E>> {
        for sources in operands {
            if E::ALWAYS_KNOWN && sources.iter().any(|source| matches!(source, Source::Undecided(_))) {
                return None;
            }
            let mut axes: Vec<usize> = sources.iter().filter_map(|source| source.axis()).collect();
            axes.sort_unstable();
            if sources.len() != shape.len() || axes.iter().enumerate().any(|(i, &axis)| i != axis) {
                return None;
            }
        }
        Some(Plan { shape, sources: operands.concat(), operands: operands.len() })
    }

    /// The plan that reads one operand of this shape as it is.
    pub fn identity(shape: Vec<E>) -> Plan<E> {
        let sources = (0..shape.len()).map(Source::Axis).collect();
        Plan { shape, sources, operands: 1 }
    }

    /// The shape of the result.
    pub fn shape(&self) -> &[E] {
        &self.shape
    }

    /// The rank of the result.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// How many operands there are.
    pub fn operand_count(&self) -> usize {
        self.operands
    }

    /// How one operand is read: a source for each axis of the result.
    ///
    /// # Panics
    /// If there is no such operand.
    pub fn operand(&self, operand: usize) -> &[Source] {
        assert!(operand < self.operands, "operand {operand} of {}", self.operands);
        &self.sources[operand * self.rank()..][..self.rank()]
    }

    /// How each operand is read, in order.
    pub fn operands(&self) -> impl ExactSizeIterator<Item = &[Source]> {
        (0..self.operands).map(|operand| self.operand(operand))
    }

    /// Whether one operand is read as it is: nothing new, stretched or transposed.
    ///
    /// # Panics
    /// If there is no such operand.
    pub fn reads_as_it_is(&self, operand: usize) -> bool {
        self.operand(operand).iter().enumerate().all(|(axis, &source)| source == Source::Axis(axis))
    }

    /// The same plan with another shape of the result, of the same rank.
    pub(crate) fn with_shape(mut self, shape: &[E]) -> Plan<E> {
        debug_assert_eq!(self.rank(), shape.len());
        self.shape.clone_from_slice(shape);
        self
    }

    /// The same plan in extents that need not be known.
    pub fn to_dims(&self) -> Plan<Dim> {
        let shape = self.shape.iter().cloned().map(Into::into).collect();
        Plan { shape, sources: self.sources.clone(), operands: self.operands }
    }

    /// Composes two plans: this plan's result becomes one operand of `outer`.
    ///
    /// The operand is replaced by this plan's operands. `None` if `outer` has no such operand or that
    /// operand cannot have the shape of this result.
    ///
    /// ```
    /// use ndcast_shape::{Plan, Source, rule::array_api};
    /// let inner = array_api::broadcast_to(&[3][..], &[1, 3])?;
    /// let outer = array_api::join(&[&[1, 3][..], &[2, 1]])?;
    /// let both = inner.then(&outer, 0).unwrap();
    /// assert_eq!(both, array_api::join(&[&[3][..], &[2, 1]])?);
    /// # Ok::<(), ndcast_shape::Error>(())
    /// ```
    pub fn then(&self, outer: &Plan<E>, operand: usize) -> Option<Plan<E>> {
        if operand >= outer.operands || outer.operand_rank(operand) != self.rank() {
            return None;
        }
        let fits = |(axis, source): (usize, &Source)| match *source {
            Source::Axis(own) => self.shape[own].meet(&outer.shape[axis]).is_some(),
            Source::Stretched(own) => self.shape[own].may_be_one(),
            Source::Undecided(_) | Source::New => true,
        };
        if !outer.operand(operand).iter().enumerate().all(fits) {
            return None;
        }
        let mut sources = vec![];
        for (position, outer_sources) in outer.operands().enumerate() {
            if position != operand {
                sources.extend_from_slice(outer_sources);
                continue;
            }
            for inner in self.operands() {
                sources.extend(outer_sources.iter().map(|&source| through(inner, source)));
            }
        }
        Some(Plan { shape: outer.shape.clone(), sources, operands: outer.operands - 1 + self.operands })
    }

    /// The rank of one operand.
    ///
    /// # Panics
    /// If there is no such operand.
    pub fn operand_rank(&self, operand: usize) -> usize {
        self.operand(operand).iter().filter(|source| **source != Source::New).count()
    }

    /// The axes of the result along which one operand is repeated: the new ones and the stretched ones.
    ///
    /// # Panics
    /// If there is no such operand.
    pub fn broadcast_axes(&self, operand: usize) -> Vec<usize> {
        let repeated = |source: &Source| matches!(source, Source::New | Source::Stretched(_));
        self.operand(operand).iter().enumerate().filter(|(_, s)| repeated(s)).map(|(axis, _)| axis).collect()
    }

    /// What undoes the broadcast of one operand in a gradient: sums over the new and the stretched axes.
    ///
    /// ```
    /// use ndcast_shape::rule::array_api;
    /// let plan = array_api::join(&[&[8, 1, 6][..], &[7, 1]])?;
    /// let adjoint = plan.adjoint(1);
    /// assert_eq!((adjoint.new, adjoint.stretched, adjoint.order), (vec![0], vec![2], vec![1, 2]));
    /// # Ok::<(), ndcast_shape::Error>(())
    /// ```
    ///
    /// # Panics
    /// If there is no such operand.
    pub fn adjoint(&self, operand: usize) -> Adjoint {
        let mut adjoint = Adjoint {
            new: vec![],
            stretched: vec![],
            undecided: vec![],
            order: vec![0; self.operand_rank(operand)],
        };
        for (axis, &source) in self.operand(operand).iter().enumerate() {
            match source {
                Source::New => adjoint.new.push(axis),
                Source::Stretched(_) => adjoint.stretched.push(axis),
                Source::Undecided(_) => adjoint.undecided.push(axis),
                Source::Axis(_) => {}
            }
            if let Some(own) = source.axis() {
                adjoint.order[own] = axis;
            }
        }
        adjoint
    }
}

/// Composes sources: `source` reads the result of `inner`; what it reads of `inner`'s operand.
fn through(inner: &[Source], source: Source) -> Source {
    let Some(axis) = source.axis() else { return Source::New };
    match (source, inner[axis]) {
        (_, Source::New) => Source::New,
        (_, Source::Stretched(a)) | (Source::Stretched(_), Source::Axis(a) | Source::Undecided(a)) => {
            Source::Stretched(a)
        }
        (Source::Undecided(_), Source::Axis(a)) | (_, Source::Undecided(a)) => Source::Undecided(a),
        (_, Source::Axis(a)) => Source::Axis(a),
    }
}

impl Plan<usize> {
    /// The shape of one operand.
    ///
    /// # Panics
    /// If there is no such operand.
    pub fn operand_shape(&self, operand: usize) -> Vec<usize> {
        let mut shape = vec![1; self.operand_rank(operand)];
        for (axis, &source) in self.operand(operand).iter().enumerate() {
            if let Source::Axis(own) = source {
                shape[own] = self.shape[axis];
            }
        }
        shape
    }

    /// How many elements the result has; `None` if that is more than a `usize` holds.
    pub fn elements(&self) -> Option<usize> {
        if self.shape.contains(&0) {
            return Some(0);
        }
        self.shape.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent))
    }

    /// What a step along each axis of the result adds to the position in one operand, given the operand's
    /// own strides: 0 where it is new or stretched.
    ///
    /// # Panics
    /// If there is no such operand or `own` has not one stride for each of its axes.
    pub fn strides(&self, operand: usize, own: &[isize]) -> Vec<isize> {
        assert_eq!(own.len(), self.operand_rank(operand), "one stride for each axis of the operand");
        let stride = |source: &Source| if let Source::Axis(a) = source { own[*a] } else { 0 };
        self.operand(operand).iter().map(stride).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Source::{Axis, New, Stretched, Undecided};

    #[test]
    fn new_wants_every_axis_once() {
        assert!(Plan::new(vec![2, 3], &[vec![Axis(1), Axis(0)]]).is_some());
        assert!(Plan::new(vec![2, 3], &[vec![Axis(1), New]]).is_none());
        assert!(Plan::new(vec![2, 3], &[vec![Axis(0), Axis(0)]]).is_none());
        assert!(Plan::new(vec![2, 3], &[vec![Axis(0)]]).is_none());
        assert!(Plan::<usize>::new(vec![], &[vec![], vec![]]).is_some());
    }

    #[test]
    fn a_source_read_through_another() {
        for (outer, inner, both) in [
            (New, Axis(0), New),
            (Axis(0), New, New),
            (Axis(0), Axis(1), Axis(1)),
            (Axis(0), Stretched(1), Stretched(1)),
            (Stretched(0), Axis(1), Stretched(1)),
            (Stretched(0), Undecided(1), Stretched(1)),
            (Undecided(0), Axis(1), Undecided(1)),
            (Undecided(0), Stretched(1), Stretched(1)),
            (Axis(0), Undecided(1), Undecided(1)),
        ] {
            assert_eq!(through(&[inner], outer), both, "{outer:?} of {inner:?}");
        }
    }

    #[test]
    fn counts_elements_or_says_too_many() {
        assert_eq!(Plan::identity(vec![usize::MAX, 2]).elements(), None);
        assert_eq!(Plan::identity(vec![usize::MAX, 2, 0]).elements(), Some(0));
        assert_eq!(Plan::<usize>::identity(vec![]).elements(), Some(1));
    }
}
