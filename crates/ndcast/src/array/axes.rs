//! Axes in another order, inserted, and taken away: views.

use ndcast_shape::Index;

use super::expression::Axes;
use super::movement::sorted;
use super::{Array, Extents, Over};
use crate::error::Error;
use crate::layout::{Layout, LayoutError, as_i64};

impl Array {
    /// The axes in another order: axis `i` of the result is axis `order[i]`.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    /// assert_eq!(x.transpose(&[1, 0]).to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    #[doc(alias = "permute_dims")]
    pub fn transpose(&self, order: &[usize]) -> Array {
        if let Some(Ok(tensor)) = self.node().at_hand() {
            return Array::from(tensor.transpose(order).map_err(|error| error.of("transpose")));
        }
        self.read("transpose", |own| {
            let layout = Layout::row_major(own)?.transpose(order)?;
            Ok((layout.shape().into(), order.iter().map(|&axis| Some(axis)).collect()))
        })
    }

    /// The last two axes exchanged.
    pub fn matrix_transpose(&self) -> Array {
        let rank = self.node().shape().len();
        if rank < 2 {
            return self.no_matrices("matrix_transpose");
        }
        let order: Extents = (0..rank.saturating_sub(2)).chain([rank.max(1) - 1, rank.max(2) - 2]).collect();
        self.transpose(&order)
    }

    /// The error that an array has not the axes of matrices, or its own.
    pub(super) fn no_matrices(&self, doing: &'static str) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        let rank = self.node().shape().len();
        let error = Error::value(format!("it takes an array of at least 2 axes, and this has {rank}"));
        Array::of_error(error.of(doing))
    }

    /// With an axis of extent 1 before this one; the rank puts it last.
    ///
    /// ```
    /// use ndcast::Array;
    /// let (column, row) = (Array::new(&[2], &[10, 20]).expand(1), Array::new(&[3], &[1, 2, 3]));
    /// assert_eq!((&column + &row).to_vec::<i32>()?, [11, 12, 13, 21, 22, 23]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    #[doc(alias("expand_dims", "unsqueeze", "newaxis"))]
    pub fn expand(&self, axis: usize) -> Array {
        self.read("expand", |own| {
            let layout = Layout::row_major(own)?.expand(axis)?;
            let mut axes: Axes = (0..own.len()).map(Some).collect();
            axes.insert(axis, None);
            Ok((layout.shape().into(), axes))
        })
    }

    /// Without these axes, whose extent must be 1.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// assert_eq!(Array::zeros(&[2, 1, 3, 1], DType::F32).squeeze([1, 3]).shape()?, [2, 3]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn squeeze(&self, axes: impl Into<Over>) -> Array {
        let axes = axes.into();
        self.read("squeeze", |own| {
            let axes = axes.sorted(own.len())?;
            let mut layout = Layout::row_major(own)?;
            for &axis in axes.iter().rev() {
                layout = layout.squeeze(axis)?;
            }
            let kept = (0..own.len()).filter(|axis| !axes.contains(axis)).map(Some);
            Ok((layout.shape().into(), kept.collect()))
        })
    }

    /// Axes put elsewhere: axis `from[i]` of this is axis `to[i]` of the result, and the others keep their order.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// let x = Array::zeros(&[2, 3, 4], DType::F32);
    /// assert_eq!(x.move_axes(&[0], &[2]).shape()?, [3, 4, 2]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    #[doc(alias = "moveaxis")]
    pub fn move_axes(&self, from: &[usize], to: &[usize]) -> Array {
        if self.check().is_err() {
            return self.clone();
        }
        match moved(self.node().shape().len(), from, to) {
            Ok(order) => self.transpose(&order),
            Err(error) => Array::of_error(error.of("move_axes")),
        }
    }

    /// The parts along an axis, which goes away.
    ///
    /// ```
    /// use ndcast::Array;
    /// let rows = Array::new(&[2, 2], &[1, 2, 3, 4]).unstack(0)?;
    /// assert_eq!((&rows[0] + &rows[1]).to_vec::<i32>()?, [4, 6]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such axis; or that of the first operation that could not be done.
    pub fn unstack(&self, axis: usize) -> Result<Vec<Array>, Error> {
        let shape = self.shape()?;
        let no_axis = || Error::from(LayoutError::NoAxis { axis, rank: shape.len() }).of("unstack");
        let extent = *shape.get(axis).ok_or_else(no_axis)?;
        let mut index = vec![Index::WHOLE; axis + 1];
        let part = |at| {
            index[axis] = Index::At(as_i64(at));
            self.select(&index)
        };
        Ok((0..extent).map(part).collect())
    }
}

/// The order of axes in which those of `from` are at the places of `to`, and the others between them as they were.
fn moved(rank: usize, from: &[usize], to: &[usize]) -> Result<Extents, Error> {
    sorted(from, rank)?;
    sorted(to, rank)?;
    if from.len() != to.len() {
        return Err(Error::value(format!("{} axes cannot be put at {} places", from.len(), to.len())));
    }
    let mut others = (0..rank).filter(|axis| !from.contains(axis));
    let at = |place| to.iter().position(|&to| to == place).map(|number| from[number]);
    Ok((0..rank).filter_map(|place| at(place).or_else(|| others.next())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_go_where_they_are_put() -> Result<(), Error> {
        let orders: [(&[usize], &[usize], &[usize]); 6] = [
            (&[], &[], &[0, 1, 2, 3]),
            (&[0], &[3], &[1, 2, 3, 0]),
            (&[3], &[0], &[3, 0, 1, 2]),
            (&[2], &[1], &[0, 2, 1, 3]),
            (&[0, 1], &[3, 0], &[1, 2, 3, 0]),
            (&[3, 0, 2, 1], &[0, 1, 2, 3], &[3, 0, 2, 1]),
        ];
        for (from, to, order) in orders {
            assert_eq!(moved(4, from, to)?[..], *order, "{from:?} to {to:?}");
        }
        Ok(())
    }

    #[test]
    fn parts_and_one_line_of_what_lies_anyhow() -> Result<(), Error> {
        let x = Array::new(&[2, 3, 2], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]).move_axes(&[0], &[2]);
        for x in [x.clone(), x.flip([1]), &x + 1] {
            let parts = x.unstack(1)?;
            assert_eq!(parts.len(), 2);
            assert_eq!(Array::stack(&parts, 1).to_vec::<i32>()?, x.to_vec::<i32>()?);
            assert_eq!((x.elements()?, x.flatten().shape()?), (12, &[12][..]));
            assert_eq!(x.flatten().to_vec::<i32>()?, x.to_vec::<i32>()?);
        }
        assert_eq!(empty().flatten().shape()?, [0]);
        assert_eq!(Array::scalar(5).flatten().to_vec::<i32>()?, [5]);
        assert!(empty().unstack(1)?.is_empty());
        let text = Array::scalar(5).unstack(0).unwrap_err().to_string();
        assert_eq!(text, "unstack: there is no axis 0: the rank is 0");
        Ok(())
    }

    fn empty() -> Array {
        Array::new(&[3, 0], &[0i32; 0])
    }
}
