//! The parts of an array along its first axis, one after the other.

use std::sync::atomic::{AtomicUsize, Ordering};

use ndcast::Array;
use ndcast::shape::Index;
use pyo3::prelude::*;

use crate::array::{PyArray, made};

/// Goes through the parts of what the array was when it began.
#[pyclass(frozen, module = "ndcast")]
pub(crate) struct Parts {
    array: Array,
    next: AtomicUsize,
    extent: usize,
}

impl Parts {
    /// Those of an array whose first axis has so many.
    pub(crate) fn of(array: Array, extent: usize) -> Parts {
        Parts { array, next: AtomicUsize::new(0), extent }
    }
}

#[pymethods]
impl Parts {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyArray>> {
        let claim = |next| (next < self.extent).then_some(next + 1);
        let claimed = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, claim);
        let Ok(next) = claimed else { return Ok(None) };
        let at = Index::At(i64::try_from(next).unwrap_or(i64::MAX));
        made(py, self.array.select(&[at])).map(Some)
    }

    fn __length_hint__(&self) -> usize {
        self.extent.saturating_sub(self.next.load(Ordering::Relaxed))
    }
}
