//! `map`: what a region does with scalars, done with all elements.

use super::build::{Builder, Values};
use super::{Operation, Type};
use crate::error::Error;
use crate::graph::{Graph, Id, Kind};

/// Whether an operation is one.
pub(super) fn is_map(operation: &Operation) -> bool {
    matches!(&operation.name[..], "stablehlo.map" | "hlo.map")
}

impl<'p> Builder<'p> {
    /// The region is a graph of scalars, whose nodes are made of arrays then.
    pub(super) fn mapped(&mut self, operation: &'p Operation, operands: &[Id]) -> Result<Vec<Id>, Error> {
        let of = |error: Error| operation.place.of(error);
        let region = self.program.region_of(operation);
        let region =
            region.ok_or_else(|| operation.place.wrong("it has no region that says what it does"))?;
        if region.arguments.len() != operands.len() || operands.is_empty() {
            let (takes, given) = (region.arguments.len(), operands.len());
            let text = format!("its region takes {takes} values, and is given {given}");
            return Err(operation.place.wrong(text));
        }
        let mut scalars = Builder::over(self.program, Graph::new());
        (scalars.count, scalars.depth) = (self.count, self.depth);
        let mut values = Values::default();
        for (place, (name, type_)) in region.arguments.iter().enumerate() {
            let Type::Tensor(type_) = type_ else {
                return Err(operation.place.wrong("its region takes no tensors"));
            };
            let dtype = self.graph.node(operands[place]).map_err(of)?.dtype();
            if type_.shape.rank() != Some(0) || type_.dtype != dtype {
                let text = format!(
                    "its region takes {} of shape {}, and the elements are {dtype}",
                    type_.dtype,
                    type_.shape.brief()
                );
                return Err(operation.place.wrong(text));
            }
            let id = scalars.graph.input(&place.to_string(), dtype, type_.shape.clone()).map_err(of)?;
            values.define(name, vec![id]).map_err(of)?;
        }
        let returned = scalars.region(&region.operations, values)?;
        let (_, made) = returned.ok_or_else(|| operation.place.wrong("its region returns nothing"))?;
        self.count = scalars.count;
        self.begin(operation);
        self.of_arrays(&scalars.graph, &made, operands).map_err(of)
    }

    /// Nodes of a graph of scalars, made of arrays of one shape for its inputs.
    fn of_arrays(&mut self, scalars: &Graph, wanted: &[Id], operands: &[Id]) -> Result<Vec<Id>, Error> {
        let mut made: Vec<Id> = Vec::with_capacity(scalars.len());
        let mut inputs = operands.iter();
        for (_, node) in scalars.nodes() {
            let arguments: Vec<Id> = node.arguments().iter().map(|id| made[id.place()]).collect();
            made.push(match (node.kind(), &arguments[..]) {
                (Kind::Input(_), _) => {
                    let input = inputs.next().copied();
                    input.ok_or_else(|| Error::value("there are too few operands".to_owned()))?
                }
                (Kind::Apply(apply), arguments) => self.graph.op(apply.0, arguments)?,
                (kind @ (Kind::Constant(_) | Kind::Convert(_) | Kind::Bitcast(_)), arguments) => {
                    self.graph.add(kind.clone(), arguments)?
                }
                // Of a scalar all shapes are its own.
                (Kind::Broadcast(_) | Kind::Reshape(_), &[x]) => x,
                (kind, _) => {
                    let text = format!("its region has {}, which is of no single element", kind.name());
                    return Err(Error::value(text));
                }
            });
        }
        let all = |id: &Id| Ok(self.graph.joined_all(&[made[id.place()], operands[0]])?[0]);
        wanted.iter().map(all).collect()
    }
}
