//! The workloads: what people compute with broadcasting, at the sizes they do.
//!
//! Each is a record. It makes its data for a leading extent, so that the same thing can be had small enough for a
//! core's own cache, as it usually is, and far larger than any cache.

mod apart;
mod choosing;
mod images;
mod materialise;
mod matrices;
mod mixed;
mod rows;
mod sums;

use ndcast::Array;

use crate::limit::Traffic;
use crate::peer::Peer;

/// What a workload is slow by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// It moves elements and computes nothing.
    Materialise,
    /// A few operations for each element: memory is slower.
    Memory,
    /// Many operations for each element.
    Compute,
    /// A result far smaller than what is read.
    Reduce,
    /// So small that only the way there counts.
    Latency,
}

/// One workload.
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    pub(crate) class: Class,
    /// What it is, in the words of those who compute it.
    pub(crate) what: &'static str,
    /// The leading extent as given; 0 if it has one size only.
    pub(crate) leading: usize,
    /// The MiB of all its arrays then, an output of each side.
    pub(crate) mib: usize,
    /// Makes it with a leading extent.
    pub(crate) make: fn(usize) -> Case,
}

/// A workload with its data.
pub(crate) struct Case {
    /// What must be moved once.
    pub(crate) traffic: Traffic,
    /// Builds the expression; whoever calls it computes it.
    pub(crate) ours: Box<dyn FnMut() -> Array>,
    /// The same by `ndarray`, in its own idiom.
    pub(crate) ndarray: Box<dyn Peer>,
    /// And as loops by hand, unless the idiom is all that there is to write.
    pub(crate) by_hand: Option<Box<dyn Peer>>,
}

impl Case {
    /// A workload that reads all of these arrays and writes its output.
    fn new(read: &[&Array], ours: impl FnMut() -> Array + 'static, ndarray: impl Peer + 'static) -> Case {
        let read = read.iter().map(|array| bytes(array)).sum();
        Case {
            traffic: Traffic { read, written: ndarray.bytes() },
            ours: Box::new(ours),
            ndarray: Box::new(ndarray),
            by_hand: None,
        }
    }

    /// It as loops by hand too.
    fn by_hand(self, loops: impl Peer + 'static) -> Case {
        Case { by_hand: Some(Box::new(loops)), ..self }
    }

    /// Computes it on all sides and compares.
    ///
    /// # Errors
    /// Ours, or where the results differ.
    pub(crate) fn check(&mut self) -> Result<(), String> {
        let ours = (self.ours)().eval().map_err(|error| error.to_string())?;
        for (name, peer) in [("ndarray", Some(&mut self.ndarray)), ("by hand", self.by_hand.as_mut())] {
            if let Some(peer) = peer {
                peer.run();
                peer.compare(&ours).map_err(|error| format!("beside {name}: {error}"))?;
            }
        }
        Ok(())
    }
}

/// The bytes of an array's elements.
fn bytes(array: &Array) -> usize {
    let size = array.dtype().ok().and_then(ndcast::DType::size).unwrap_or(0);
    array.shape().map_or(0, |shape| shape.iter().product::<usize>()) * size
}

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = &'static Workload> {
    [
        images::ALL,
        rows::ALL,
        matrices::ALL,
        apart::ALL,
        choosing::ALL,
        sums::ALL,
        mixed::ALL,
        materialise::ALL,
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_agrees_with_its_peers() {
        for workload in all() {
            if let Err(error) = (workload.make)(workload.leading.min(2)).check() {
                panic!("{}: {error}", workload.name);
            }
        }
    }

    #[test]
    fn names_are_told_apart() {
        let mut names: Vec<_> = all().map(|workload| workload.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(all().all(|workload| !workload.what.is_empty()));
    }
}
