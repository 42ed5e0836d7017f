//! Differences of neighbours.

use std::num::NonZeroI64;

use ndcast_shape::Index;

use super::Array;

const ONE: NonZeroI64 = NonZeroI64::new(1).unwrap();

impl Array {
    /// The differences of neighbours along an axis: one less than there are elements.
    ///
    /// ```
    /// use ndcast::Array;
    /// assert_eq!(Array::new(&[3], &[1, 4, 9]).diff(0).to_vec::<i32>()?, [3, 5]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn diff(&self, axis: usize) -> Array {
        match self.shape() {
            Ok(shape) if axis >= shape.len() => return self.no_axis("diff", axis),
            Ok(_) => {}
            Err(_) => return self.clone(),
        }
        let part = |start, stop| {
            let mut index = vec![Index::WHOLE; axis];
            index.push(Index::Slice { start, stop, step: ONE });
            self.select(&index)
        };
        (part(Some(1), None) - part(None, Some(-1))).called("subtract", "diff")
    }
}
