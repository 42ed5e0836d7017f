//! A program becomes a graph: operation by operation, functions written out where they are called.

use std::collections::HashMap;

use ndcast_shape::{Extent, Shape};

use super::call::Call;
use super::operations::make;
use super::{Attribute, Function, Operation, Program, TensorType, Type, Use, knows};
use crate::error::{Error, ErrorKind};
use crate::graph::{Graph, Id};

/// Functions call each other no deeper than this.
const DEEPEST: usize = 64;

/// Functions written out where they are called may be this many operations in all: two calls in each of a row of functions
/// are exponentially many.
const MOST: usize = 1 << 17;

/// The graph of a program.
pub(in crate::format) fn graph(program: &Program) -> Result<Graph, Error> {
    check_known(program)?;
    let main = program.functions.get(program.main);
    let main = main.ok_or_else(|| Error::value("there is no function".to_owned()))?;
    let mut builder = Builder { program, graph: Graph::new(), count: 0, calls: Vec::new() };
    let mut inputs = Vec::new();
    for (place, (name, type_)) in main.body.arguments.iter().enumerate() {
        let Type::Tensor(TensorType { dtype, shape }) = type_ else {
            return Err(main
                .place
                .wrong(format!("the input {name} is no tensor with elements that are here")));
        };
        inputs.push(builder.graph.input(&format!("arg{place}"), *dtype, shape.clone())?);
    }
    let outputs = builder.function(main, inputs)?;
    for (place, id) in outputs.into_iter().enumerate() {
        builder.graph.output(&place.to_string(), id)?;
    }
    builder.graph.pruned()
}

/// Checks that every operation is known: if not, all that are not are named.
fn check_known(program: &Program) -> Result<(), Error> {
    let all = program.functions.iter().flat_map(|function| &function.body.operations);
    let unknown = all.filter(|operation| !knows(&operation.name) || is_foreign(operation));
    let operators: Vec<String> = unknown
        .map(|operation| {
            let target = operation.attribute("call_target_name").and_then(Attribute::text);
            let target = target.map(|target| format!(" @{target}")).unwrap_or_default();
            format!("{}{target} (line {})", operation.name, operation.place.line)
        })
        .collect();
    if operators.is_empty() { Ok(()) } else { Err(Error::new(ErrorKind::Unsupported { operators })) }
}

/// What a file says of its own shapes; everything else that is called by a custom name is foreign.
const ASSERTION: &str = "shape_assertion";

fn is_foreign(operation: &Operation) -> bool {
    let target = operation.attribute("call_target_name").and_then(Attribute::text);
    operation.name.ends_with("custom_call") && target != Some(ASSERTION)
}

/// The values of a function by their names.
type Values<'p> = HashMap<&'p str, Vec<Id>>;

struct Builder<'p> {
    program: &'p Program,
    graph: Graph,
    /// How many operations were built.
    count: usize,
    /// The functions that are being written out.
    calls: Vec<&'p str>,
}

impl<'p> Builder<'p> {
    fn function(&mut self, function: &'p Function, arguments: Vec<Id>) -> Result<Vec<Id>, Error> {
        let body = &function.body;
        let expected = body.arguments.len();
        if arguments.len() != expected {
            let text = format!("{} takes {expected} values, and is given {}", function.name, arguments.len());
            return Err(Error::value(text));
        }
        if self.calls.contains(&&function.name[..]) || self.calls.len() >= DEEPEST {
            let text = format!("functions call each other without end: {}", self.calls.join(", "));
            return Err(Error::value(text));
        }
        self.calls.push(&function.name);
        let mut values = Values::new();
        for ((name, type_), id) in body.arguments.iter().zip(arguments) {
            self.check(id, type_).map_err(|error| function.place.of(error))?;
            define(&mut values, name, vec![id]).map_err(|error| function.place.of(error))?;
        }
        for operation in &body.operations {
            let of = |error: Error| operation.place.of(error);
            let operands = operands(&values, &operation.operands)?;
            if operation.name.ends_with(".return") {
                self.check_operands(operation, &operands).map_err(of)?;
                for (&id, type_) in operands.iter().zip(&function.results) {
                    self.check(id, type_).map_err(of)?;
                }
                if !function.results.is_empty() && operands.len() != function.results.len() {
                    let (found, said) = (operands.len(), function.results.len());
                    let text = format!("{} returns {found} values, and its type says {said}", function.name);
                    return Err(operation.place.wrong(text));
                }
                self.calls.pop();
                return Ok(operands);
            }
            self.check_operands(operation, &operands).map_err(of)?;
            let made = self.operation(operation, operands)?;
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
                define(&mut values, name, made.by_ref().take(*count).collect()).map_err(of)?;
            }
        }
        Err(function.place.wrong(format!("{} returns nothing", function.name)))
    }

    fn operation(&mut self, operation: &'p Operation, operands: Vec<Id>) -> Result<Vec<Id>, Error> {
        let of = |error: Error| operation.place.of(error);
        self.count += 1;
        if self.count > MOST {
            return Err(of(Error::value(format!(
                "the functions written out are more than {MOST} operations"
            ))));
        }
        let callee = match &operation.name[..] {
            "func.call" | "hlo.call" | "hlo.fusion" => operation.attribute("callee"),
            "stablehlo.composite" => operation.attribute("decomposition"),
            _ => {
                let call = Call { graph: &mut self.graph, program: self.program, operation, operands };
                return make(call).map_err(of);
            }
        };
        let callee = callee.and_then(Attribute::text);
        let callee =
            callee.ok_or_else(|| operation.place.wrong("it is not said which function is called"))?;
        let function = self.program.function(callee);
        let function =
            function.ok_or_else(|| operation.place.wrong(format!("there is no function {callee}")))?;
        self.function(function, operands).map_err(|error| match error.kind() {
            ErrorKind::Place { .. } => error,
            _ => of(error),
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
    fn check(&self, id: Id, type_: &Type) -> Result<(), Error> {
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

fn define<'p>(values: &mut Values<'p>, name: &'p str, ids: Vec<Id>) -> Result<(), Error> {
    match values.insert(name, ids) {
        None => Ok(()),
        Some(_) => Err(Error::value(format!("there are two values called %{name}"))),
    }
}

fn operands(values: &Values<'_>, used: &[Use]) -> Result<Vec<Id>, Error> {
    let mut all = Vec::with_capacity(used.len());
    for Use { name, part, place } in used {
        let found = values.get(&name[..]);
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
