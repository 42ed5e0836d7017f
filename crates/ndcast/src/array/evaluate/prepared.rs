//! A schedule that is made once and run again and again.
//!
//! What is computed into memory, what is fused into what, what is equal: all of it is decided by shapes and element
//! types, so it holds for other values too. It is made of arrays whose values are still to come.

use std::collections::HashMap;

use super::schedule::Schedule;
use crate::array::Array;
use crate::error::Error;
use crate::tensor::Tensor;

/// A schedule over placeholders, which is run with values again and again.
pub(crate) struct Prepared {
    schedule: Schedule,
    /// The item of each placeholder, if something reads it.
    inputs: Vec<Option<usize>>,
    roots: Vec<usize>,
}

impl Prepared {
    /// For what is asked for, made of these open arrays.
    pub(crate) fn new(inputs: &[Array], roots: &[&Array]) -> Prepared {
        let (schedule, roots) = Schedule::new(roots);
        let places: HashMap<usize, usize> = schedule
            .items
            .iter()
            .enumerate()
            .map(|(place, item)| (item.array.node().address(), place))
            .collect();
        let inputs = inputs.iter().map(|input| places.get(&input.node().address()).copied()).collect();
        Prepared { schedule, inputs, roots }
    }

    /// What is asked for, of these values: each has the shape and the element type of its open array.
    pub(crate) fn run(&self, values: &[Tensor]) -> Result<Vec<Tensor>, Error> {
        let mut schedule = self.schedule.with_arrays(|item| match item.stored {
            true => Array::open(item.array.node().shape(), item.array.node().dtype()),
            // A constant, or fused: then only its shape is read.
            false => item.array.clone(),
        });
        for (place, value) in self.inputs.iter().zip(values) {
            if let Some(place) = *place {
                schedule.items[place].array = value.clone().into();
            }
        }
        let roots: Vec<Array> = self.roots.iter().map(|&root| schedule.items[root].array.clone()).collect();
        schedule.run()?;
        roots.iter().map(Array::eval).collect()
    }
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Prepared({} arrays)", self.schedule.items.len())
    }
}
