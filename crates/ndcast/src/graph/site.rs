//! Every broadcast of a graph: which of its nodes needs it, on which line of the file, by which rule, and what it costs.

use std::collections::HashMap;
use std::fmt;

use ndcast_shape::explain::human_bytes;
use ndcast_shape::{Dim, Plan, Request, Shape};

use super::{Asked, Graph, Id, Kind, Node};
use crate::dtype::DType;
use crate::error::{Error, ErrorKind};

/// A place in a graph where something is broadcast: one question to a rule, for all its operands.
#[derive(Clone, Debug)]
pub struct Site {
    /// The node that needs it: what its file calls it, or its number in the graph's text.
    pub node: String,
    /// What that node does with what is broadcast; nothing if it only broadcasts.
    pub operation: Option<&'static str>,
    /// The line of the file that says it, if that is a text.
    pub line: Option<usize>,
    /// What is asked of a rule.
    pub request: Request,
    /// The operands' element type.
    pub dtype: DType,
}

/// What it is of: `add`, `%3 (multiply, line 12)`.
impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = self.operation.filter(|operation| *operation != self.node).map(str::to_owned);
        let line = self.line.map(|line| format!("line {line}"));
        let details: Vec<String> = operation.into_iter().chain(line).collect();
        f.write_str(&self.node)?;
        if details.is_empty() { Ok(()) } else { write!(f, " ({})", details.join(", ")) }
    }
}

impl Site {
    /// How many broadcasts these are, in words.
    pub fn count_text(sites: &[Site]) -> String {
        match sites.len() {
            0 => "no broadcasts".to_owned(),
            1 => "1 broadcast".to_owned(),
            many => format!("{many} broadcasts"),
        }
    }

    /// How many broadcasts these are, and the bytes of copies of all that they lay out, in words.
    pub fn total_text(sites: &[Site]) -> String {
        let known: Vec<usize> = sites.iter().filter_map(Site::materialised).collect();
        let all = human_bytes(known.iter().map(|&bytes| bytes as u128).sum());
        let open = sites.len() - known.len();
        let cost = match known.len() {
            0 => "none of known extents".to_owned(),
            _ if open == 0 => format!("materialised, they would take {all}"),
            known => {
                format!("materialised, {known} would take {all}, and the extents of {open} are not known")
            }
        };
        format!("In all {}; {cost}", Site::count_text(sites))
    }

    /// The bytes of each operand, where they are known.
    pub fn operand_bytes(&self) -> Vec<Option<usize>> {
        self.request.shapes.iter().map(|shape| self.bytes(shape)).collect()
    }

    /// The bytes of one operand that is copied to the result's shape, if they are known.
    pub fn result_bytes(&self) -> Option<usize> {
        self.bytes(self.request.answer().ok()?.shape())
    }

    /// The bytes of copies of all operands that are not read as they are, if they are known.
    pub fn materialised(&self) -> Option<usize> {
        let answer = self.request.answer().ok()?;
        let copied = |plan: &Plan<Dim>| {
            (0..self.request.shapes.len()).filter(|&operand| !plan.reads_as_it_is(operand)).count()
        };
        Some(self.bytes(answer.shape())?.saturating_mul(answer.plan().map_or(1, copied)))
    }

    fn bytes(&self, shape: &Shape) -> Option<usize> {
        let elements = shape.extents()?.into_iter().try_fold(1usize, usize::checked_mul)?;
        elements.checked_mul(self.dtype.size()?)
    }
}

impl Graph {
    /// Every broadcast, once for all its operands, in the graph's order.
    ///
    /// ```
    /// use ndcast::graph::{Graph, Site};
    /// let text = "%0 = input \"x\" dtype=f32 shape=2x3\n%1 = input \"b\" dtype=f32 shape=3\n\
    ///     %2 = fit(%1, %0) rule=array-api operands=2 operand=0\n%3 = add(%0, %2)\noutput \"y\" = %3\n";
    /// let sites = text.parse::<Graph>()?.broadcasts();
    /// assert_eq!(sites[0].to_string(), "%3 (add, line 3)");
    /// assert_eq!((sites[0].request.rule.name, sites[0].materialised()), ("array-api", Some(24)));
    /// assert_eq!(Site::total_text(&sites), "In all 1 broadcast; materialised, they would take 24 B");
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn broadcasts(&self) -> Vec<Site> {
        let needing = self.needing();
        let mut found: Vec<Site> = Vec::new();
        // Where the sites of each name are.
        let mut places: HashMap<String, Vec<usize>> = HashMap::new();
        for (id, node) in self.nodes() {
            let Ok(Some(Asked { request, operand })) = self.asked(id) else { continue };
            let plan = request.answer().ok().and_then(|answer| answer.plan().cloned());
            if plan.is_some_and(|plan| plan.reads_as_it_is(operand)) {
                continue;
            }
            let needed = needing[id.place()];
            let by = &self.nodes[needed.place()];
            let site = Site {
                node: called(needed, by),
                operation: (needed != id).then(|| by.kind().name()),
                line: node.line(),
                dtype: by.arguments().get(operand).map_or(node, |of| &self.nodes[of.place()]).dtype(),
                request,
            };
            let own = places.entry(site.node.clone()).or_default();
            if !own.iter().any(|&place| found[place].request == site.request) {
                own.push(found.len());
                found.push(site);
            }
        }
        found
    }

    /// The broadcasts of the node that is called so.
    ///
    /// ```
    /// use ndcast::graph::Graph;
    /// let graph: Graph = "%0 = input \"x\" dtype=f32 shape=2x3\n%1 = input \"b\" dtype=f32 shape=3\n\
    ///     %2 = fit(%1, %0) rule=array-api operands=2 operand=0\n%3 = add(%0, %2)\noutput \"y\" = %3\n".parse()?;
    /// assert_eq!(graph.broadcasts_of("%3")?.len(), 1);
    /// let message = graph.broadcasts_of("sum").unwrap_err().to_string();
    /// assert_eq!(message, "there is no broadcasting node called sum; there is %3");
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such node, or it broadcasts nothing.
    pub fn broadcasts_of(&self, name: &str) -> Result<Vec<Site>, Error> {
        let (wanted, others): (Vec<Site>, Vec<Site>) =
            self.broadcasts().into_iter().partition(|site| site.node == name);
        if !wanted.is_empty() {
            return Ok(wanted);
        }
        if self.nodes().any(|(id, node)| called(id, node) == name) {
            return Err(Error::value(format!("nothing is broadcast for the node {name}")));
        }
        let mut names: Vec<String> = others.into_iter().map(|site| site.node).collect();
        names.dedup();
        Err(Error::new(ErrorKind::NoName { what: "broadcasting node", name: name.to_owned(), names }))
    }

    /// For each broadcast the node that needs it: the next one with a name, or if none has one that which is made of it. For a
    /// node with a name itself.
    fn needing(&self) -> Vec<Id> {
        let nodes: Vec<(Id, &Node)> = self.nodes().collect();
        let mut needing: Vec<Id> = nodes.iter().map(|(id, _)| *id).collect();
        let has_name = |id: Id| nodes[id.place()].1.name().is_some();
        let broadcasts = |id: Id| matches!(nodes[id.place()].1.kind(), Kind::Broadcast(_) | Kind::Fit(_));
        // From the end, so that what a node leads to is known before it; of several the first stays.
        for &(id, node) in nodes.iter().rev() {
            for &argument in node.arguments().iter().filter(|&&argument| !has_name(argument)) {
                if has_name(needing[id.place()]) || (broadcasts(argument) && broadcasts(id)) {
                    needing[argument.place()] = needing[id.place()];
                } else if broadcasts(argument) {
                    needing[argument.place()] = id;
                }
            }
        }
        needing
    }
}

/// What a node is called in its file, or its number as the graph's text has it.
fn called(id: Id, node: &Node) -> String {
    node.called().map_or_else(|| format!("%{}", id.place()), str::to_owned)
}
