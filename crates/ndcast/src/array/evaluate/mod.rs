//! Computes arrays: parts their expressions into stages, and runs these one after the other.
//!
//! A stage computes one array into memory, with everything that was fused into it. What is not fused: what is wanted
//! itself; what a stage needs as a whole (a view of it, a fold of it); what two stages need, unless to compute it
//! twice costs less than to move it; and what is repeated, that is, at most half as large as what it is needed for,
//! because it would be computed again for every element. Equal parts of an expression are one.

mod alone;
mod band;
mod collect;
mod fold;
mod fused;
mod hash;
mod order;
mod prepared;
mod program;
mod schedule;
mod stage;

pub(crate) use fold::of_tensor as folded;
pub(crate) use order::{Order, Strides};
pub(crate) use prepared::Prepared;
use schedule::Schedule;
pub(crate) use stage::{compact, fresh, operand, walk};

use super::Array;
use super::pending::Computing;
use crate::error::Error;

/// Computes arrays, unless they are errors.
pub(crate) fn evaluate(roots: &[&Array]) -> Result<(), Error> {
    let _computing = Computing::begin();
    if let [root] = roots
        && let Some(done) = alone::run(root)
    {
        return done.map_err(|error| error.computing(root.node().shape(), root.node().dtype()));
    }
    let (mut schedule, _) = Schedule::new(roots);
    schedule.run()
}
