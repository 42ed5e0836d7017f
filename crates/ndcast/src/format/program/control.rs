//! Control flow: branches and loops.
//!
//! DIFFERENCE: if which branch is taken is known only when the graph runs, all of them are computed and the values of one are
//! chosen. None has an effect besides its values, so these are the same.
//!
//! DIFFERENCE: a loop is written out round by round, so how many rounds there are must be known when the text is read: they are
//! counted, as those of JAX's `scan` and `fori_loop` are, by integers that begin with constants.

use super::build::{Builder, Values, operands};
use super::{Attribute, Operation, Region, Use};
use crate::array::Array;
use crate::dialect::hlo;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;
use crate::layout::as_i64;
use crate::op::Op;

/// Whether an operation takes its regions as ways that it may go.
pub(super) fn is_control(operation: &Operation) -> bool {
    is_loop(operation) || matches!(&operation.name[..], "stablehlo.case" | "stablehlo.if" | "hlo.conditional")
}

fn is_loop(operation: &Operation) -> bool {
    matches!(&operation.name[..], "stablehlo.while" | "hlo.while")
}

/// One of the ways that an operation may go.
#[derive(Clone, Copy)]
enum Way<'p> {
    /// What stands within the operation, and sees the values around it.
    Region(&'p Region),
    /// A function by its name.
    Function(Option<&'p str>),
}

/// An operation's regions or computations, in order: true before false, a loop's condition before its body.
fn ways(operation: &Operation) -> Vec<Way<'_>> {
    if !operation.regions.is_empty() {
        return operation.regions.iter().map(Way::Region).collect();
    }
    let named = |names: [&str; 2]| names.into_iter().filter_map(|name| operation.attribute(name)).collect();
    let listed: Vec<&Attribute> = match operation.attribute("branch_computations") {
        Some(Attribute::List(all)) => all.iter().collect(),
        _ if is_loop(operation) => named(["condition", "body"]),
        _ => named(["true_computation", "false_computation"]),
    };
    listed.into_iter().map(|name| Way::Function(name.text())).collect()
}

impl<'p> Builder<'p> {
    /// The values of an operation that takes one of its ways.
    pub(super) fn control(
        &mut self,
        operation: &'p Operation,
        operands: Vec<Id>,
        values: &Values<'_>,
    ) -> Result<Vec<Id>, Error> {
        match is_loop(operation) {
            true => self.rounds(operation, operands, values),
            false => self.branches(operation, &operands, values),
        }
    }

    /// What a loop's values are behind its last round.
    fn rounds(
        &mut self,
        operation: &'p Operation,
        mut carried: Vec<Id>,
        values: &Values<'_>,
    ) -> Result<Vec<Id>, Error> {
        let of = |error: Error| operation.place.of(error);
        let [condition, body] = ways(operation)[..] else {
            return Err(operation.place.wrong("a loop has a condition and a body"));
        };
        self.rounds.push((operation.place.line, 0));
        loop {
            let [again] = self.way(operation, condition, carried.clone(), values)?[..] else {
                return Err(operation.place.wrong("the condition of a loop is one value"));
            };
            self.check_which(again, DType::Bool).map_err(of)?;
            match self.number(again).map_err(of)? {
                Some(0) => {
                    self.rounds.pop();
                    let filled = carried.into_iter().map(|id| self.graph.filled(id));
                    return filled.collect::<Result<_, _>>().map_err(of);
                }
                Some(_) => {}
                None => {
                    return Err(operation.place.wrong(
                        "how many rounds a loop takes must be known when the text is read, and what this one's \
                         condition says is not computed from integers that are constants",
                    ));
                }
            }
            let made = self.way(operation, body, carried.clone(), values)?;
            if made.len() != carried.len() {
                let (found, expected) = (made.len(), carried.len());
                let text = format!("a loop of {expected} values has a body that gives {found}");
                return Err(operation.place.wrong(text));
            }
            carried = made;
            if let Some((_, round)) = self.rounds.last_mut() {
                *round += 1;
            }
        }
    }

    /// The values of the branch that the first operand says: of `case` the one of its number, or the last if there is none;
    /// of `if` the first where it is true. HLO's `conditional` is both, by what the operand is.
    fn branches(
        &mut self,
        operation: &'p Operation,
        operands: &[Id],
        values: &Values<'_>,
    ) -> Result<Vec<Id>, Error> {
        let of = |error: Error| operation.place.of(error);
        let branches = ways(operation);
        let (([which], [.., _]) | ([which, ..], [.., Way::Function(..)])) = (operands, &branches[..]) else {
            return Err(operation.place.wrong("there must be one operand, and a branch"));
        };
        let last = branches.len() - 1;
        let by_truth = match &operation.name[..] {
            "hlo.conditional" => self.graph.node(*which).map_err(of)?.dtype() == DType::Bool,
            name => name == "stablehlo.if",
        };
        if by_truth && last != 1 {
            return Err(operation.place.wrong("there must be two branches"));
        }
        self.check_which(*which, if by_truth { DType::Bool } else { DType::I32 }).map_err(of)?;
        if let Some(number) = self.number(*which).map_err(of)? {
            let place = match by_truth {
                true => usize::from(number == 0),
                false => usize::try_from(number).unwrap_or(last).min(last),
            };
            return self.branch(operation, &branches, place, values);
        }
        let mut written_out = vec![self.graph.begin_branch()];
        let mut made = self.branch(operation, &branches, last, values)?;
        self.graph.end_branch();
        for place in (0..last).rev() {
            let own = self.graph.begin_branch();
            let branch = self.branch(operation, &branches, place, values)?;
            self.graph.end_branch();
            if branch.len() != made.len() {
                let text = format!("one branch gives {} values, and another {}", branch.len(), made.len());
                return Err(operation.place.wrong(text));
            }
            self.begin(operation);
            let taken = match by_truth {
                true => *which,
                false => self
                    .graph
                    .number(as_i64(place), DType::I32)
                    .and_then(|number| self.graph.apply(Op::Equal, &[*which, number]))
                    .map_err(of)?,
            };
            for (value, other) in made.iter_mut().zip(branch) {
                *value = hlo::Builder::new(&mut self.graph).select(taken, other, *value).map_err(of)?;
                self.graph.chooses(*value, &own, &written_out);
            }
            written_out.push(own);
        }
        Ok(made)
    }

    /// The values of one branch: a function has an operand of its own, behind the one that says which.
    fn branch(
        &mut self,
        operation: &'p Operation,
        branches: &[Way<'p>],
        place: usize,
        values: &Values<'_>,
    ) -> Result<Vec<Id>, Error> {
        let given: &[Use] = match branches[place] {
            Way::Region(_) => &[],
            Way::Function(_) => operation.operands.get(place + 1).map_or(&[], std::slice::from_ref),
        };
        let given = operands(values, given)?;
        self.way(operation, branches[place], given, values)
    }

    /// What one way gives that is given these values.
    fn way(
        &mut self,
        operation: &'p Operation,
        way: Way<'p>,
        given: Vec<Id>,
        values: &Values<'_>,
    ) -> Result<Vec<Id>, Error> {
        let of = |error: Error| operation.place.of(error);
        self.count_one(operation)?;
        let region = match way {
            Way::Function(name) => return self.call(operation, name, given),
            Way::Region(region) => region,
        };
        if region.arguments.len() != given.len() {
            let (found, expected) = (region.arguments.len(), given.len());
            let text = format!("a region of it takes {found} values, and is given {expected}");
            return Err(operation.place.wrong(text));
        }
        let mut inside = Values::within(values);
        for ((name, type_), id) in region.arguments.iter().zip(given) {
            self.check(id, type_).map_err(of)?;
            inside.define(name, vec![id]).map_err(of)?;
        }
        let returned = self.region(&region.operations, inside)?;
        Ok(returned.ok_or_else(|| operation.place.wrong("a region of it returns nothing"))?.1)
    }

    /// The selector must be a scalar of this type.
    fn check_which(&self, which: Id, expected: DType) -> Result<(), Error> {
        let node = self.graph.node(which)?;
        if node.dtype() != expected {
            return Err(Error::other_type(node.dtype(), expected));
        }
        match node.shape().rank() {
            Some(0) => Ok(()),
            _ => Err(Error::value(format!("which way is taken is no {}", node.shape().brief()))),
        }
    }

    /// The number that a node is, if that is known before anything runs.
    fn number(&self, id: Id) -> Result<Option<i64>, Error> {
        let node = self.graph.node(id)?;
        if let Some([number]) = node.integers().as_deref() {
            return Ok(Some(*number));
        }
        let constant = node.constant().filter(|tensor| tensor.elements() == 1);
        let number = constant.map(|tensor| Array::from(tensor.clone()).convert(DType::I64).item::<i64>());
        number.transpose()
    }
}
