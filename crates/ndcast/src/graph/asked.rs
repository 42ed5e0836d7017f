//! Which question of which rule a broadcast in a graph answers, for whoever explains it.
//!
//! A [`Broadcast`](super::kind::Broadcast) knows no rule. So a node keeps beside it what was asked when it was added, as it
//! keeps its name; nothing is computed from it, and a copy of the graph need not have it.

use std::sync::Arc;

use ndcast_shape::rule::stablehlo;
use ndcast_shape::{Request, Shape};

use super::kind::Lay;
use super::{Graph, Id, Kind};
use crate::error::Error;

/// A question to a rule, and the operand for which a node holds the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The question.
    pub request: Request,
    /// Which of its operands the node lays over the result.
    pub operand: usize,
}

impl Graph {
    /// The rule's question that a broadcasting node answers: rule, operand shapes, target. A broadcast made by no rule is put as
    /// StableHLO's `broadcast_in_dim`, if its extents are known and it repeats something (more than axes of extent 1). `None`
    /// for other nodes, and where too little is known.
    ///
    /// ```
    /// use ndcast::{DType, graph::Graph};
    /// let mut graph = Graph::new();
    /// let x = graph.input("x", DType::F32, "2x3".parse()?)?;
    /// let y = graph.input("y", DType::F32, "3".parse()?)?;
    /// let [_, y] = graph.joined([x, y])?;
    /// let asked = graph.asked(y)?.unwrap();
    /// assert_eq!((asked.request.rule.name, asked.operand), ("array-api", 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the node is another graph's.
    pub fn asked(&self, id: Id) -> Result<Option<Asked>, Error> {
        let node = self.node(id)?;
        Ok(match node.kind() {
            Kind::Fit(_) => self.question(node.kind(), node.arguments()),
            Kind::Broadcast(broadcast) => match &node.asked {
                Some(asked) => Some(Asked::clone(asked)),
                None => {
                    let operand = self.node(node.arguments()[0])?;
                    written(&broadcast.axes, operand.shape(), node.shape())
                }
            },
            _ => None,
        })
    }

    /// What a kind with these arguments asks of a rule, if it does and enough is known.
    pub(super) fn question(&self, kind: &Kind, arguments: &[Id]) -> Option<Asked> {
        let Kind::Fit(fit) = kind else { return None };
        let nodes: Option<Vec<_>> = arguments.iter().map(|&id| self.node(id).ok()).collect();
        let request = fit.asked(&nodes?).ok()??;
        Some(Asked { request, operand: fit.operand })
    }

    /// Notes what a node was made of, if it broadcasts.
    pub(crate) fn answers(&mut self, id: Id, asked: Option<Asked>) {
        let node = &mut self.nodes[id.place()];
        if let (Kind::Broadcast(_), None, Some(asked)) = (&node.kind, &node.asked, asked) {
            node.asked = Some(Arc::new(asked));
        }
    }
}

/// A broadcast as StableHLO's, if every extent is known and it repeats something.
fn written(axes: &[Lay], operand: &Shape, result: &Shape) -> Option<Asked> {
    let rank = operand.rank()?;
    let elements = |shape: &Shape| shape.extents()?.into_iter().try_fold(1usize, usize::checked_mul);
    if elements(operand)? == elements(result)? {
        return None;
    }
    let place = |own: usize| {
        let place = axes.iter().position(|lay| lay.axis() == Some(own))?;
        i64::try_from(place).ok()
    };
    let dimensions = (0..rank).map(place).collect::<Option<Vec<i64>>>()?;
    let request = Request {
        target: Some(result.clone()),
        axes: Some(dimensions),
        ..Request::new(&stablehlo::BROADCAST_IN_DIM, vec![operand.clone()])
    };
    Some(Asked { request, operand: 0 })
}
