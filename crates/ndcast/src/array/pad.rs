//! Elements around an array: a number, or what the array itself has there.

use ndcast_shape::Index;

use super::{Array, Extents, Number};
use crate::dtype::DType;
use crate::error::Error;
use crate::layout::as_i64;

/// What stands around an array that is padded with its own elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// The first one, and the last one.
    Edge,
    /// The array mirrored, without its edge again.
    Reflect,
    /// The array mirrored.
    Symmetric,
    /// The array again.
    Wrap,
}

impl Padding {
    /// Every one, with its name in NumPy.
    pub const ALL: [(&'static str, Padding); 4] = [
        ("edge", Padding::Edge),
        ("reflect", Padding::Reflect),
        ("symmetric", Padding::Symmetric),
        ("wrap", Padding::Wrap),
    ];
}

impl Array {
    /// Padded with a number: so many times before and after each axis.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[2], &[1, 2]);
    /// assert_eq!(x.pad(&[(1, 2)], 9).to_vec::<i32>()?, [9, 1, 2, 9, 9]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn pad(&self, around: &[(usize, usize)], number: impl Into<Number>) -> Array {
        let number = number.into();
        let own = match self.padded(around).and_then(|own| {
            number.kept(self.dtype()?).map_err(|error| error.of("pad"))?;
            Ok(own)
        }) {
            Ok(own) => own,
            Err(error) => return Array::of_error(error),
        };
        let shape: Extents =
            own.iter().zip(around).map(|(&n, &(a, b))| n.saturating_add(a).saturating_add(b)).collect();
        let mut whole = Array::full(&shape, number, self.node().dtype()).called("full", "pad");
        if whole.check().is_err() {
            return whole;
        }
        let inside: Vec<Index> = own
            .iter()
            .zip(around)
            .map(|(&extent, &(before, _))| Index::part(Some(as_i64(before)), Some(as_i64(before + extent))))
            .collect();
        whole.set_later(&inside, self);
        whole
    }

    /// Padded with its own elements: so many before and after each axis.
    ///
    /// ```
    /// use ndcast::{Array, Padding};
    /// let x = Array::new(&[3], &[1, 2, 3]);
    /// assert_eq!(x.pad_with(&[(2, 4)], Padding::Reflect).to_vec::<i32>()?, [3, 2, 1, 2, 3, 2, 1, 2, 3]);
    /// assert_eq!(x.pad_with(&[(0, 2)], Padding::Symmetric).to_vec::<i32>()?, [1, 2, 3, 3, 2]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn pad_with(&self, around: &[(usize, usize)], padding: Padding) -> Array {
        let own = match self.padded(around) {
            Ok(own) => own,
            Err(error) => return Array::of_error(error),
        };
        let mut array = self.clone();
        for (axis, (&extent, &(before, after))) in own.iter().zip(around).enumerate() {
            if (before, after) == (0, 0) {
                continue;
            }
            if extent == 0 {
                let what = format!("axis {axis} has extent 0, and no elements to be padded with");
                return Array::of_error(Error::shapes(what, &[own], Some(axis)).of("pad"));
            }
            let count = extent.saturating_add(before).saturating_add(after);
            let place = Array::counted(count, DType::I64, "pad") - as_i64(before);
            let last = as_i64(extent - 1);
            let number = match padding {
                Padding::Edge => place.clip(0, last),
                Padding::Wrap => place.remainder(as_i64(extent)),
                // There and back again; on the way back the distance to the end of the round is the place.
                Padding::Reflect => {
                    let round = last.saturating_mul(2).max(1);
                    let there = place.remainder(round);
                    there.minimum(round - &there)
                }
                Padding::Symmetric => {
                    let round = last.saturating_mul(2).saturating_add(2);
                    let there = place.remainder(round);
                    there.minimum(round - 1 - &there)
                }
            };
            array = array.take(&number, axis).called("take", "pad");
        }
        array
    }

    /// The extents of what is padded, if there is a pair for each.
    fn padded(&self, around: &[(usize, usize)]) -> Result<&[usize], Error> {
        let own = self.shape()?;
        if around.len() != own.len() {
            let what = format!("{} pairs are given for {} axes", around.len(), own.len());
            return Err(Error::shapes(what, &[own], None).of("pad"));
        }
        Ok(own)
    }
}
