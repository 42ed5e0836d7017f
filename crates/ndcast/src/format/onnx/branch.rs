//! Nodes that hold graphs. The branches of `If` are written out where it stands, the one that is taken if that is known when
//! the model is read.
//!
//! DIFFERENCE: if it is known only when the graph runs, both are computed and the values of one are chosen. Neither has an
//! effect besides its values, so these are the same; but both must give the same element types and shapes.

use super::proto::{Graph as GraphProto, Node};
use super::reader::{Frame, Reader, check_dense, found, is_own, new};
use crate::array::Array;
use crate::dialect::hlo;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::Id;

/// The attributes of `If` that are graphs, in the order of truth and falsehood.
const BRANCHES: [&str; 2] = ["then_branch", "else_branch"];

/// Graphs lie within each other, also through functions, no deeper than this.
const DEEPEST: usize = 64;

/// Whether a node holds graphs that are written out.
pub(super) fn holds_graphs(node: &Node<'_>) -> bool {
    matches!(node.op_type, "If" | "Loop" | "Scan") && is_own(node.domain)
}

/// Those graphs.
pub(super) fn graphs<'m>(node: &'m Node<'m>) -> impl Iterator<Item = &'m GraphProto<'m>> {
    let holds = holds_graphs(node);
    let all = node.attributes.iter().filter(move |_| holds);
    all.filter_map(|attribute| attribute.graph.as_ref())
}

/// The graph that an attribute is.
pub(super) fn graph_of<'m>(node: &'m Node<'m>, name: &str) -> Result<&'m GraphProto<'m>, Error> {
    let attribute = node.attributes.iter().find(|attribute| attribute.name == name);
    let graph = attribute.and_then(|attribute| attribute.graph.as_ref());
    graph.ok_or_else(|| Error::value(format!("there is no graph {name}")))
}

/// The names of what a graph is given, holds and makes.
fn named_in<'m>(graph: &'m GraphProto<'m>) -> impl Iterator<Item = &'m str> {
    let inputs = graph.inputs.iter().map(|input| input.name);
    let tensors = graph.initializers.iter().map(|tensor| tensor.name);
    let made = graph.nodes.iter().flat_map(|node| node.outputs.iter().copied());
    inputs.chain(tensors).chain(made).filter(|name| !name.is_empty())
}

impl<'m> Reader<'m> {
    /// A node that holds graphs: what it makes has the names of its outputs.
    pub(super) fn written_out(&mut self, frame: &mut Frame<'m>, node: &'m Node<'m>) -> Result<(), Error> {
        let made = match node.op_type {
            "Loop" => self.rounds(frame, node)?,
            "Scan" => self.scanned(frame, node)?,
            _ => self.chosen(frame, node)?,
        };
        if node.outputs.len() > made.len() {
            let (outputs, made) = (node.outputs.len(), made.len());
            return Err(Error::value(format!("it has {outputs} outputs, and its graph gives {made}")));
        }
        for (&name, id) in node.outputs.iter().zip(made) {
            if !name.is_empty() {
                new(&mut frame.values, name, id)?;
            }
        }
        Ok(())
    }

    /// The values of the branch that a condition says.
    fn chosen(&mut self, frame: &Frame<'m>, node: &'m Node<'m>) -> Result<Vec<Id>, Error> {
        let [then, otherwise] = BRANCHES.map(|name| graph_of(node, name));
        let (then, otherwise) = (then?, otherwise?);
        let [name] = node.inputs[..] else {
            return Err(Error::value(format!("it takes one input, and {} are given", node.inputs.len())));
        };
        let condition = found(&frame.values, name)?;
        let condition = condition.ok_or_else(|| Error::value("its condition is left out".to_owned()))?;
        if let Some(truth) = self.truth(condition)? {
            return self.within(frame, if truth { then } else { otherwise }, &[]);
        }
        let mut written_out = |graph| {
            let branch = self.graph.begin_branch();
            let values = self.within(frame, graph, &[])?;
            self.graph.end_branch();
            Ok::<_, Error>((branch, values))
        };
        let ((then, one), (otherwise, other)) = (written_out(then)?, written_out(otherwise)?);
        if one.len() != other.len() {
            let text = format!("one branch gives {} values, and the other {}", one.len(), other.len());
            return Err(Error::value(text));
        }
        // HLO's choice of two values goes by one truth value as well.
        let condition = hlo::Builder::new(&mut self.graph).reshape(condition, &[])?;
        let choose = |(one, other)| {
            let chosen = hlo::Builder::new(&mut self.graph).select(condition, one, other);
            let chosen = chosen.or_else(|error| Err(self.disagreement(one, other)?.unwrap_or(error)))?;
            self.graph.chooses(chosen, &then, std::slice::from_ref(&otherwise));
            Ok(chosen)
        };
        one.into_iter().zip(other).map(choose).collect()
    }

    /// What to say of branches of which one gives another type or shape than the other.
    fn disagreement(&self, one: Id, other: Id) -> Result<Option<Error>, Error> {
        let (one, other) = (self.graph.node(one)?, self.graph.node(other)?);
        let alike = one.dtype() == other.dtype() && one.shape() == other.shape();
        let text = || {
            let (dtype, shape, other_dtype, other_shape) =
                (one.dtype(), one.shape(), other.dtype(), other.shape());
            format!(
                "its branches must agree, since it is known only when the model runs which one is taken: then_branch \
                 gives {dtype} {shape}, and else_branch {other_dtype} {other_shape}"
            )
        };
        Ok((!alike).then(|| Error::value(text())))
    }

    /// The one element of a condition, if that is known.
    pub(super) fn truth(&mut self, condition: Id) -> Result<Option<bool>, Error> {
        let node = self.graph.node(condition)?;
        if node.dtype() != DType::Bool {
            return Err(Error::other_type(node.dtype(), DType::Bool));
        }
        match self.integers(condition)?.as_deref() {
            None => Ok(None),
            Some(&[number]) => Ok(Some(number != 0)),
            Some(numbers) => {
                Err(Error::value(format!("its condition has {} elements, and not one", numbers.len())))
            }
        }
    }

    /// The elements of integers or truth values, if they are known or computed from what is.
    pub(super) fn integers(&mut self, id: Id) -> Result<Option<Vec<i64>>, Error> {
        if let Some(integers) = self.graph.node(id)?.integers() {
            return Ok(Some(integers));
        }
        let computed = self.graph.computed(id, &mut self.computed);
        computed.map(|tensor| Array::from(tensor).convert(DType::I64).to_vec()).transpose()
    }

    /// The values of a graph within another one, which is given these and sees what is around it.
    pub(super) fn within(
        &mut self,
        frame: &Frame<'m>,
        graph: &'m GraphProto<'m>,
        given: &[Id],
    ) -> Result<Vec<Id>, Error> {
        if graph.inputs.len() != given.len() {
            let (takes, given) = (graph.inputs.len(), given.len());
            return Err(Error::value(format!("a graph of it takes {takes} inputs, and is given {given}")));
        }
        if self.depth == DEEPEST {
            return Err(Error::value(format!("more than {DEEPEST} graphs lie within each other")));
        }
        self.count_one()?;
        check_dense(graph)?;
        if let Some(name) = named_in(graph).find(|name| frame.values.contains_key(name)) {
            return Err(Error::value(format!(
                "a graph of it and the graph around it both have a value called {name:?}, and names in both must differ"
            )));
        }
        let mut values = frame.values.clone();
        for (input, &id) in graph.inputs.iter().zip(given) {
            new(&mut values, input.name, id)?;
        }
        self.initial(&graph.initializers, &mut values)?;
        let attributes = frame.attributes.clone();
        let inner =
            Frame { nodes: &graph.nodes, next: 0, opset: frame.opset, values, attributes, call: frame.call };
        self.depth += 1;
        let values = self.run(inner)?;
        self.depth -= 1;
        let outputs = graph.outputs.iter().map(|output| {
            let id = found(&values, output.name)?;
            id.ok_or_else(|| Error::value("an output of a graph has no name".to_owned()))
        });
        outputs.collect()
    }
}
