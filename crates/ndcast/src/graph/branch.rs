//! Branches that are written out where they stand: all are computed, and the values of one are chosen.
//!
//! What is not chosen may be infinite or no number, and so may be its derivatives, which zeros times them do not make 0. So it is
//! remembered which nodes are a branch's, and on the way back nothing of a branch that was not chosen leaves it. It is remembered
//! of a graph that was read and of its copies; what is written, in any format or as a graph's text, are choices like any others.

use std::collections::HashMap;
use std::sync::Arc;

use super::kind::Apply;
use super::{Graph, Id, Kind};
use crate::error::Error;
use crate::op::Op;

/// A branch that is written out, told from others by where this is.
#[derive(Debug)]
pub(crate) struct Branch {
    /// The branch in which it stands.
    around: Option<Arc<Branch>>,
}

/// A choice of the values of branches: those that there are where its condition is true, and where it is false.
#[derive(Debug)]
pub(super) struct Choice([Vec<Arc<Branch>>; 2]);

/// When branches are chosen: where all of these scalars are so. The graph's nodes keep the branches where they are.
#[derive(Default)]
pub(super) struct Conditions(HashMap<*const Branch, Vec<(Id, bool)>>);

impl Graph {
    /// What is added from now on is a branch's, up to [`Graph::end_branch`].
    pub(crate) fn begin_branch(&mut self) -> Arc<Branch> {
        let branch = Arc::new(Branch { around: self.origin.branch.take() });
        self.origin.branch = Some(Arc::clone(&branch));
        branch
    }

    /// What is added from now on is that of whatever the last branch stands in.
    pub(crate) fn end_branch(&mut self) {
        self.origin.branch = self.origin.branch.take().and_then(|branch| branch.around.clone());
    }

    /// Says of which branches a node chooses the values: of the first where its condition is true, of the others elsewhere.
    pub(crate) fn chooses(&mut self, id: Id, first: &Arc<Branch>, others: &[Arc<Branch>]) {
        let choice = Choice([vec![Arc::clone(first)], others.to_vec()]);
        if let Some(node) = self.nodes.get_mut(id.place()) {
            node.origin.choice = Some(Arc::new(choice));
        }
    }

    /// If a node chooses between branches, adds under which condition each of them is chosen.
    pub(super) fn add_conditions(&self, id: Id, conditions: &mut Conditions) {
        let node = self.at(id);
        let (Kind::Apply(Apply(Op::Where)), Some(choice)) = (node.kind(), &node.origin.choice) else {
            return;
        };
        let mut scalar = node.arguments[0];
        while let (Kind::Broadcast(_) | Kind::Fit(_), &[of, ..]) =
            (self.at(scalar).kind(), self.at(scalar).arguments())
        {
            scalar = of;
        }
        if self.at(scalar).shape().rank() != Some(0) {
            return;
        }
        let Choice(sides) = &**choice;
        for (branches, is) in sides.iter().zip([true, false]) {
            for branch in branches {
                let known = conditions.0.entry(Arc::as_ptr(branch)).or_default();
                if !known.contains(&(scalar, is)) {
                    known.push((scalar, is));
                }
            }
        }
    }

    /// The gradient that a node passes to an argument outside of its branch: zeros where the branch is not chosen.
    pub(super) fn leaving(
        &mut self,
        node: Id,
        argument: Id,
        mut d: Id,
        conditions: &Conditions,
    ) -> Result<Id, Error> {
        let mut branch = self.at(node).origin.branch.clone();
        while let Some(left) = branch.filter(|left| !self.is_within(argument, left)) {
            for &(scalar, is) in conditions.0.get(&Arc::as_ptr(&left)).into_iter().flatten() {
                let zeros = self.full_like(0, d)?;
                let [scalar, laid] = self.joined([scalar, d])?;
                d = self.apply(Op::Where, &if is { [scalar, laid, zeros] } else { [scalar, zeros, laid] })?;
            }
            branch = left.around.clone();
        }
        Ok(d)
    }

    fn is_within(&self, id: Id, branch: &Arc<Branch>) -> bool {
        let mut own = self.at(id).origin.branch.as_ref();
        while let Some(around) = own {
            if Arc::ptr_eq(around, branch) {
                return true;
            }
            own = around.around.as_ref();
        }
        false
    }
}
