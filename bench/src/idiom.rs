//! The other side that we are measured by: `ndarray` in its own idiom, as somebody would write it who knows it well.
//!
//! Arrays are views in their own shapes, zipped with `azip!`: an element, a row, a channel or a plane at a time,
//! whichever was the fastest of those tried. How they lie in memory is left to the crate.

use ndarray::{ArrayBase, ArrayView, Dimension, IntoDimension, RawData};
use ndcast::{Element, Tensor};

use crate::data::slice;
use crate::peer::is_shared;

/// `azip!`, by all threads if what comes first says that there is enough to do.
macro_rules! zip {
    ($shared:expr, $($zip:tt)*) => {
        if $shared { ndarray::par_azip!($($zip)*) } else { ndarray::azip!($($zip)*) }
    };
}
pub(crate) use zip;

/// Whether to go over this array is for all threads.
pub(crate) fn large<S: RawData, D: Dimension>(array: &ArrayBase<S, D>) -> bool {
    is_shared(array.len() * size_of::<S::Elem>())
}

/// A tensor of this type and so many axes, as `ndarray` sees it.
#[allow(clippy::expect_used, reason = "without data there is nothing to measure")]
pub(crate) fn view<T: Element, D: Dimension>(tensor: &Tensor) -> ArrayView<'_, T, D> {
    let mut shape = D::zeros(tensor.rank());
    shape.slice_mut().copy_from_slice(tensor.shape());
    ArrayView::from_shape(shape, slice(tensor)).expect("the elements lie one behind the other")
}

/// A view broadcast to a shape.
#[allow(clippy::expect_used, reason = "the shapes of the workloads fit")]
pub(crate) fn stretched<'a, T, D, E>(view: &'a ArrayView<'_, T, D>, shape: E) -> ArrayView<'a, T, E::Dim>
where
    D: Dimension,
    E: IntoDimension,
{
    view.broadcast(shape).expect("the shapes fit")
}
