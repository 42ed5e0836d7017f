//! Which axes a reduction goes over.

use std::ops::RangeFull;

use smallvec::{SmallVec, smallvec};

use super::movement::sorted;
use crate::error::Error;

/// Which axes a reduction goes over: `..` is all of them, a number is one, and a slice or an array is those that it names.
///
/// ```
/// use ndcast::{Array, Keep};
/// let x = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
/// assert_eq!(x.sum(.., Keep::Nothing).item::<i64>()?, 21);
/// assert_eq!(x.sum(0, Keep::Nothing).to_vec::<i64>()?, [5, 7, 9]);
/// assert_eq!(x.sum([0, 1], Keep::Axes).shape()?, [1, 1]);
/// # Ok::<(), ndcast::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over(Option<SmallVec<[usize; 6]>>);

impl Over {
    /// The axes of an array of this rank in order, each once.
    pub(super) fn sorted(&self, rank: usize) -> Result<SmallVec<[usize; 6]>, Error> {
        match &self.0 {
            None => Ok((0..rank).collect()),
            Some(axes) => sorted(axes, rank),
        }
    }
}

impl From<RangeFull> for Over {
    fn from(_: RangeFull) -> Over {
        Over(None)
    }
}

impl From<usize> for Over {
    fn from(axis: usize) -> Over {
        Over(Some(smallvec![axis]))
    }
}

impl From<&[usize]> for Over {
    fn from(axes: &[usize]) -> Over {
        Over(Some(axes.into()))
    }
}

impl<const N: usize> From<&[usize; N]> for Over {
    fn from(axes: &[usize; N]) -> Over {
        axes.as_slice().into()
    }
}

impl<const N: usize> From<[usize; N]> for Over {
    fn from(axes: [usize; N]) -> Over {
        axes.as_slice().into()
    }
}

impl From<&Vec<usize>> for Over {
    fn from(axes: &Vec<usize>) -> Over {
        axes.as_slice().into()
    }
}

impl From<Vec<usize>> for Over {
    fn from(axes: Vec<usize>) -> Over {
        axes.as_slice().into()
    }
}

impl From<&Over> for Over {
    fn from(axes: &Over) -> Over {
        axes.clone()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Array, Error, Keep, Over};

    #[test]
    fn some_axes_and_all() -> Result<(), Error> {
        let x = Array::new(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 9.0]);
        let axes = vec![1, 0];
        for all in [Over::from(..), (&axes).into(), axes.clone().into(), (&axes[..]).into(), (&[0, 1]).into()]
        {
            assert_eq!(x.sum(&all, Keep::Nothing).item::<f64>()?, 24.0);
            assert_eq!(x.mean(&all, Keep::Axes).shape()?, [1, 1]);
            assert_eq!(x.var(&all, 1.0, Keep::Nothing).item::<f64>()?, 8.0);
            assert_eq!(x.nanmean(&all, Keep::Nothing).item::<f64>()?, 4.0);
            assert_eq!(x.vector_norm(&all, 1.0, Keep::Nothing).item::<f64>()?, 24.0);
            assert_eq!(x.logsumexp(&all, Keep::Nothing).shape()?, [0usize; 0]);
        }
        assert_eq!(x.max(0, Keep::Nothing).to_vec::<f64>()?, [4.0, 5.0, 9.0]);
        assert_eq!(x.mean(1, Keep::Nothing).to_vec::<f64>()?, [2.0, 6.0]);
        assert_eq!(x.sum([], Keep::Nothing).shape()?, [2, 3]);
        assert_eq!(Array::scalar(7).sum(.., Keep::Nothing).item::<i64>()?, 7);
        Ok(())
    }

    #[test]
    fn axes_that_are_not_there() {
        let x = Array::new(&[2, 3], &[0.0; 6]);
        let folds = [
            ("sum", x.sum(2, Keep::Nothing)),
            ("mean", x.mean([0, 2], Keep::Axes)),
            ("std", x.std(2, 0.0, Keep::Nothing)),
            ("logsumexp", x.logsumexp(2, Keep::Nothing)),
        ];
        for (name, fold) in folds {
            let error = fold.eval().unwrap_err().to_string();
            assert_eq!(error, format!("{name}: there is no axis 2: the rank is 2"));
        }
        let twice = x.mean([1, 1], Keep::Nothing).eval().unwrap_err().to_string();
        assert!(twice.contains("axis 1 is named twice"), "{twice}");
    }
}
