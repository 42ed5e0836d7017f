//! A program becomes a graph: operation by operation, functions, branches and loops written out where they are.

use std::collections::{HashMap, HashSet};

use ndcast_shape::{Extent, Shape};

use super::call::Call;
use super::control::is_control;
use super::map::is_map;
use super::operations::{CUSTOM, make};
use super::{Attribute, Function, Operation, Place, Program, Region, TensorType, Type, Use, knows};
use crate::error::{Error, ErrorKind};
use crate::graph::{Graph, Id};

/// Functions call each other, and branches and loops lie within each other, no deeper than this.
const DEEPEST: usize = 64;

/// A program written out may be this many operations in all: two calls in each of a row of functions are exponentially many,
/// and a loop may never end.
const MOST: usize = 1 << 19;

/// The graph of a program.
pub(in crate::format) fn graph(program: &Program) -> Result<Graph, Error> {
    check_known(program)?;
    let main = program.functions.get(program.main);
    let main = main.ok_or_else(|| Error::value("there is no function".to_owned()))?;
    let mut builder = Builder::over(program, Graph::new());
    let arguments = main.body.arguments.iter();
    let arguments: Vec<(&str, &Type)> =
        arguments.flat_map(|(name, type_)| type_.parts().iter().map(move |part| (&name[..], part))).collect();
    let names = called(&main.inputs, arguments.len(), |place| format!("arg{place}"));
    let mut inputs = Vec::new();
    for (place, (name, type_)) in arguments.into_iter().enumerate() {
        let Type::Tensor(TensorType { dtype, shape }) = type_ else {
            return Err(main
                .place
                .wrong(format!("the input {name} is no tensor with elements that are here")));
        };
        builder.graph.at_line(main.place.line);
        inputs.push(builder.graph.input(&names[place], *dtype, shape.clone())?);
    }
    let outputs = builder.function(main, inputs)?;
    let names = called(&main.outputs, outputs.len(), |place| place.to_string());
    for (name, id) in names.iter().zip(outputs) {
        builder.graph.output(name, id)?;
    }
    builder.graph.pruned()
}

/// The names of all inputs or outputs: those that are given, if no two are the same.
fn called(given: &[Option<String>], count: usize, by_place: fn(usize) -> String) -> Vec<String> {
    let name = |place: usize| given.get(place).cloned().flatten().unwrap_or_else(|| by_place(place));
    let all: Vec<String> = (0..count).map(name).collect();
    let different: HashSet<&String> = all.iter().collect();
    if different.len() == count { all } else { (0..count).map(by_place).collect() }
}

/// Checks that every operation is known: if not, all that are not are named.
fn check_known(program: &Program) -> Result<(), Error> {
    let mut all: Vec<&Operation> = Vec::new();
    // Where branches or loops are found, what stands in them is looked at next.
    let mut regions: Vec<&Region> = program.functions.iter().rev().map(|function| &function.body).collect();
    while let Some(region) = regions.pop() {
        all.extend(&region.operations);
        let with_ways = region.operations.iter().filter(|operation| is_control(operation));
        regions.extend(with_ways.flat_map(|operation| &operation.regions));
    }
    all.sort_by_key(|operation| (operation.place.line, operation.place.column));
    let unknown = all.into_iter().filter(|operation| !knows(&operation.name) || is_foreign(operation));
    let operators: Vec<String> = unknown
        .map(|operation| {
            let target = operation.attribute("call_target_name").and_then(Attribute::text);
            let target = target.map(|target| format!(" @{target}")).unwrap_or_default();
            format!("{}{target} (line {})", operation.name, operation.place.line)
        })
        .collect();
    if operators.is_empty() { Ok(()) } else { Err(Error::new(ErrorKind::Unsupported { operators })) }
}

fn is_foreign(operation: &Operation) -> bool {
    let target = operation.attribute("call_target_name").and_then(Attribute::text);
    // HLO writes it with another hyphen.
    operation.name.replace('-', "_").ends_with("custom_call")
        && !CUSTOM.iter().any(|(name, _)| target == Some(name))
}

/// The values of a function or a region by their names, and those around it, which it sees.
#[derive(Default)]
pub(super) struct Values<'v> {
    own: HashMap<&'v str, Vec<Id>>,
    around: Option<&'v Values<'v>>,
}

impl<'v> Values<'v> {
    /// Those of a region within others.
    pub(super) fn within(around: &'v Values<'v>) -> Values<'v> {
        Values { own: HashMap::new(), around: Some(around) }
    }

    pub(super) fn get(&self, name: &str) -> Option<&[Id]> {
        match (self.own.get(name), self.around) {
            (Some(ids), _) => Some(ids),
            (None, Some(around)) => around.get(name),
            (None, None) => None,
        }
    }

    pub(super) fn define(&mut self, name: &'v str, ids: Vec<Id>) -> Result<(), Error> {
        if self.get(name).is_some() {
            return Err(Error::value(format!("there are two values called %{name}")));
        }
        self.own.insert(name, ids);
        Ok(())
    }
}

pub(super) struct Builder<'p> {
    pub(super) program: &'p Program,
    pub(super) graph: Graph,
    /// How many operations were built.
    pub(super) count: usize,
    /// The functions that are being written out.
    calls: Vec<&'p str>,
    /// The loops that are being written out: their lines, and which round.
    pub(super) rounds: Vec<(usize, usize)>,
    /// How many functions, branches and loops lie around what is being written out.
    pub(super) depth: usize,
}

impl<'p> Builder<'p> {
    /// One that builds of a program into a graph.
    pub(super) fn over(program: &'p Program, graph: Graph) -> Builder<'p> {
        Builder { program, graph, count: 0, calls: Vec::new(), rounds: Vec::new(), depth: 0 }
    }

    fn function(&mut self, function: &'p Function, arguments: Vec<Id>) -> Result<Vec<Id>, Error> {
        let body = &function.body;
        let expected: usize = body.arguments.iter().map(|(_, type_)| type_.parts().len()).sum();
        if arguments.len() != expected {
            let text = format!("{} takes {expected} values, and is given {}", function.name, arguments.len());
            return Err(Error::value(text));
        }
        if self.calls.contains(&&function.name[..]) {
            let text = format!("functions call each other without end: {}", self.calls.join(", "));
            return Err(Error::value(text));
        }
        let mut values = Values::default();
        let mut rest = arguments.into_iter();
        for (name, type_) in &body.arguments {
            let parts = type_.parts();
            let ids: Vec<Id> = rest.by_ref().take(parts.len()).collect();
            for (&id, part) in ids.iter().zip(parts) {
                self.check(id, part).map_err(|error| function.place.of(error))?;
            }
            values.define(name, ids).map_err(|error| function.place.of(error))?;
        }
        self.calls.push(&function.name);
        let returned = self.region(&body.operations, values)?;
        self.calls.pop();
        let Some((place, made)) = returned else {
            return Err(function.place.wrong(format!("{} returns nothing", function.name)));
        };
        for (&id, type_) in made.iter().zip(&function.results) {
            self.check(id, type_).map_err(|error| place.of(error))?;
        }
        if !function.results.is_empty() && made.len() != function.results.len() {
            let (found, said) = (made.len(), function.results.len());
            let text = format!("{} returns {found} values, and its type says {said}", function.name);
            return Err(place.wrong(text));
        }
        Ok(made)
    }

    /// What operations return, and where; they see these values.
    pub(super) fn region<'v>(
        &mut self,
        operations: &'p [Operation],
        mut values: Values<'v>,
    ) -> Result<Option<(Place, Vec<Id>)>, Error>
    where
        'p: 'v,
    {
        self.depth += 1;
        if self.depth > DEEPEST {
            let text = format!("more than {DEEPEST} functions, branches and loops lie within each other");
            return Err(Error::value(text));
        }
        for operation in operations {
            let of = |error: Error| operation.place.of(error);
            let operands = operands(&values, &operation.operands)?;
            self.begin(operation);
            self.check_operands(operation, &operands).map_err(of)?;
            if operation.name.ends_with(".return") {
                self.depth -= 1;
                return Ok(Some((operation.place, operands)));
            }
            let made = match is_control(operation) {
                true => self.control(operation, operands, &values)?,
                false => self.operation(operation, operands, &values)?,
            };
            let results: usize = operation.results.iter().map(|(_, count)| count).sum();
            // A text may leave results unnamed that nothing uses.
            if made.len() != results && results != 0 {
                let text = format!("{} gives {} values, and {results} are named", operation.name, made.len());
                return Err(operation.place.wrong(text));
            }
            for (id, type_) in made.iter().zip(&operation.result_types) {
                self.check(*id, type_).map_err(of)?;
            }
            let mut made = made.into_iter();
            for (name, count) in &operation.results {
                values.define(name, made.by_ref().take(*count).collect()).map_err(of)?;
            }
        }
        Ok(None)
    }

    /// Records this operation as the origin of the nodes that are added from now on.
    pub(super) fn begin(&mut self, operation: &Operation) {
        self.graph.at_line(operation.place.line);
        let name = operation.results.first().map(|(name, _)| format!("%{name}"));
        self.graph.of_operator(&name.unwrap_or_default());
    }

    pub(super) fn count_one(&mut self, operation: &Operation) -> Result<(), Error> {
        self.count += 1;
        if self.count > MOST {
            let place = match self.rounds.last() {
                Some((line, round)) => format!(", in round {round} of the loop on line {line}"),
                None => String::new(),
            };
            let text =
                format!("with functions and loops written out, there are more than {MOST} operations{place}");
            return Err(operation.place.wrong(text));
        }
        Ok(())
    }

    fn operation(
        &mut self,
        operation: &'p Operation,
        operands: Vec<Id>,
        values: &Values<'_>,
    ) -> Result<Vec<Id>, Error> {
        let of = |error: Error| operation.place.of(error);
        self.count_one(operation)?;
        if is_map(operation) {
            return self.mapped(operation, &operands);
        }
        let callee = match &operation.name[..] {
            "func.call" | "hlo.call" | "hlo.fusion" => operation.attribute("callee"),
            "stablehlo.composite" => operation.attribute("decomposition"),
            _ => {
                let (graph, program) = (&mut self.graph, self.program);
                let call = Call { graph, program, operation, operands, values };
                return make(call).map_err(of);
            }
        };
        self.call(operation, callee.and_then(Attribute::text), operands)
    }

    /// The values of the function that an operation calls.
    pub(super) fn call(
        &mut self,
        operation: &Operation,
        callee: Option<&str>,
        arguments: Vec<Id>,
    ) -> Result<Vec<Id>, Error> {
        let callee =
            callee.ok_or_else(|| operation.place.wrong("it is not said which function is called"))?;
        let function = self.program.function(callee);
        let function =
            function.ok_or_else(|| operation.place.wrong(format!("there is no function {callee}")))?;
        self.function(function, arguments).map_err(|error| match error.kind() {
            ErrorKind::Place { .. } => error,
            _ => operation.place.of(error),
        })
    }

    /// What the text says of its operands must be so.
    fn check_operands(&self, operation: &Operation, operands: &[Id]) -> Result<(), Error> {
        if operation.operand_types.is_empty() {
            return Ok(());
        }
        if operation.operand_types.len() != operands.len() {
            let types = operation.operand_types.len();
            return Err(Error::value(format!(
                "there are {} operands and {types} types of them",
                operands.len()
            )));
        }
        let mut pairs = operands.iter().zip(&operation.operand_types);
        pairs.try_for_each(|(&id, type_)| self.check(id, type_))
    }

    /// A value must be what the text says that it is.
    pub(super) fn check(&self, id: Id, type_: &Type) -> Result<(), Error> {
        let node = self.graph.node(id)?;
        let said = match type_ {
            Type::Tensor(said) => said,
            Type::Other(text) => return Err(Error::value(format!("there are no values of {text} here"))),
            Type::Tuple(_) | Type::Function(..) => return Ok(()),
        };
        if node.dtype() == said.dtype && agree(node.shape(), &said.shape) {
            return Ok(());
        }
        Err(Error::value(format!(
            "it is {} of shape {}, and the text says {} of shape {}",
            node.dtype(),
            node.shape().brief(),
            said.dtype,
            said.shape.brief()
        )))
    }
}

/// Whether both may be the same shape.
fn agree(a: &Shape, b: &Shape) -> bool {
    match (a.dims(), b.dims()) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.meet(b).is_some()),
        _ => true,
    }
}

pub(super) fn operands(values: &Values<'_>, used: &[Use]) -> Result<Vec<Id>, Error> {
    let mut all = Vec::with_capacity(used.len());
    for Use { name, part, place } in used {
        let found = values.get(name);
        let found = found.ok_or_else(|| place.wrong(format!("there is no value %{name} before this")))?;
        match part {
            None => all.extend(found),
            Some(part) => {
                let id = found.get(*part).ok_or_else(|| {
                    place.wrong(format!("%{name} is {} values, and there is no #{part}", found.len()))
                })?;
                all.push(*id);
            }
        }
    }
    Ok(all)
}
