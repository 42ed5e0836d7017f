//! A model as it is written becomes a graph: layer by layer, each behind its inputs.

use std::collections::{BTreeSet, HashMap, HashSet};

use ndcast_shape::{Dim, Shape};

use super::document::{Layer, Model, at_line};
use super::weights::Weights;
use crate::dialect::openvino::{self, Builder, element_type};
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::{Graph, Id};
use crate::tensor::Tensor;

pub(super) fn graph(model: &Model, weights: &mut Weights<'_>) -> Result<Graph, Error> {
    check_known(model)?;
    let order = order(&model.layers)?;
    let mut reader = Reader {
        model,
        weights,
        graph: Graph::new(),
        made: model.layers.iter().map(|_| Vec::new()).collect(),
        constants: HashMap::new(),
        named: HashSet::new(),
    };
    // Inputs in the file's order, whatever needs them first.
    for (place, layer) in model.layers.iter().enumerate() {
        if layer.kind == "Parameter" {
            let id = reader.parameter(layer).map_err(|error| of(layer, error))?;
            reader.made[place].push(id);
        }
    }
    for place in order {
        let layer = &model.layers[place];
        if !matches!(&layer.kind[..], "Parameter" | "Result") {
            reader.made[place] = reader.layer(layer).map_err(|error| of(layer, error))?;
        }
    }
    for layer in model.layers.iter().filter(|layer| layer.kind == "Result") {
        reader.result(layer).map_err(|error| of(layer, error))?;
    }
    Ok(reader.graph)
}

/// An error of a layer: with its name and its line.
fn of(layer: &Layer, error: Error) -> Error {
    at_line(layer.line, error.at(&layer.name))
}

/// What the format itself has, besides the layers of the dialect.
const OWN: [&str; 3] = ["Parameter", "Const", "Result"];

/// Checks that every layer is known: if not, all that are not are named.
fn check_known(model: &Model) -> Result<(), Error> {
    let knows = |layer: &&Layer| match layer.opset {
        Some(opset) if openvino::OPSETS.contains(&opset) => {
            OWN.contains(&&layer.kind[..]) || openvino::knows(&layer.kind, opset)
        }
        _ => false,
    };
    let unknown: Vec<String> = model
        .layers
        .iter()
        .filter(|layer| !knows(layer))
        .map(|layer| format!("{} of {} ({}, line {})", layer.kind, layer.set, layer.name, layer.line))
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    Err(Error::value(format!("there are layers that are not known: {}", unknown.join("; "))))
}

/// An order in which each layer stands behind its inputs, else that of the file.
fn order(layers: &[Layer]) -> Result<Vec<usize>, Error> {
    let mut missing: Vec<usize> = layers.iter().map(|layer| layer.inputs.len()).collect();
    let mut takers: Vec<Vec<usize>> = layers.iter().map(|_| Vec::new()).collect();
    for (place, layer) in layers.iter().enumerate() {
        for &(from, _) in &layer.inputs {
            takers[from].push(place);
        }
    }
    let mut ready: BTreeSet<usize> = (0..layers.len()).filter(|&place| missing[place] == 0).collect();
    let mut order = Vec::with_capacity(layers.len());
    while let Some(place) = ready.pop_first() {
        order.push(place);
        for &taker in &takers[place] {
            missing[taker] -= 1;
            if missing[taker] == 0 {
                ready.insert(taker);
            }
        }
    }
    if order.len() == layers.len() {
        return Ok(order);
    }
    Err(cycle(layers, &missing))
}

/// The names along a cycle: from any layer that waits, back along inputs that wait, until one is met again.
fn cycle(layers: &[Layer], missing: &[usize]) -> Error {
    let waits = |place: usize| missing[place] > 0;
    let mut place = (0..layers.len()).find(|&place| waits(place)).unwrap_or(0);
    let mut way: Vec<usize> = Vec::new();
    let mut met = vec![None; layers.len()];
    while met[place].is_none() {
        met[place] = Some(way.len());
        way.push(place);
        let before = layers[place].inputs.iter().map(|&(from, _)| from).find(|&from| waits(from));
        place = before.unwrap_or(place);
    }
    let from = met[place].unwrap_or(0);
    let names: Vec<&str> = way[from..].iter().rev().map(|&place| &layers[place].name[..]).take(20).collect();
    at_line(
        layers[place].line,
        Error::value(format!("the layers {} are made of each other, in a circle", names.join(", "))),
    )
}

struct Reader<'m, 'w> {
    model: &'m Model,
    weights: &'m mut Weights<'w>,
    graph: Graph,
    /// What was made of each layer.
    made: Vec<Vec<Id>>,
    /// Constants by where they are, so that those that share bytes share memory.
    constants: HashMap<(u64, u64, DType, Vec<usize>), Tensor>,
    /// Names of outputs that are taken.
    named: HashSet<String>,
}

impl Reader<'_, '_> {
    fn source(&self, (layer, output): (usize, usize)) -> Result<Id, Error> {
        let made = &self.made[layer];
        made.get(output).copied().ok_or_else(|| {
            let layer = &self.model.layers[layer];
            Error::value(format!("{} of type {} has no output {output}", layer.name, layer.kind))
        })
    }

    fn inputs(&self, layer: &Layer) -> Result<Vec<Id>, Error> {
        layer.inputs.iter().map(|&source| self.source(source)).collect()
    }

    /// An input is called by the first name of its tensor, else as its layer.
    fn parameter(&mut self, layer: &Layer) -> Result<Id, Error> {
        self.graph.at_line(layer.line);
        let dtype = element_type(layer.attributes.get("element_type").unwrap_or("dynamic"))?;
        let shape = shape(layer.attributes.get("shape").unwrap_or(""))?;
        let names = layer.outputs.first().map_or(&[][..], |output| &output.names);
        let name = names.first().unwrap_or(&layer.name);
        self.graph.input(name, dtype, shape)
    }

    fn layer(&mut self, layer: &Layer) -> Result<Vec<Id>, Error> {
        self.graph.at_line(layer.line);
        self.graph.of_operator(&layer.name);
        let before = self.graph.len();
        let made = if layer.kind == "Const" {
            vec![self.constant(layer)?]
        } else {
            let inputs = self.inputs(layer)?;
            let opset = layer.opset.unwrap_or(1);
            Builder::new(&mut self.graph).layer(&layer.kind, opset, &inputs, &layer.attributes)?
        };
        for &id in &made {
            // A layer that changes nothing is what it was made of, which has a name.
            if id.place() >= before {
                self.graph.name(id, &layer.name)?;
            }
        }
        Ok(made)
    }

    fn constant(&mut self, layer: &Layer) -> Result<Id, Error> {
        let text = |name: &str| {
            let text = layer.attributes.get(name);
            text.ok_or_else(|| Error::value(format!("the attribute {name} is missing")))
        };
        let number = |name: &str| {
            let text = text(name)?;
            text.parse::<u64>().map_err(|_| Error::value(format!("{name}=\"{text}\" is no number")))
        };
        let dtype = element_type(text("element_type")?)?;
        let dims = shape(text("shape")?)?;
        let shape = dims.extents();
        let shape = shape
            .ok_or_else(|| Error::value(format!("the shape of a constant is known, and this is {dims}")))?;
        let (offset, size) = (number("offset")?, number("size")?);
        let key = (offset, size, dtype, shape);
        let tensor = match self.constants.get(&key) {
            Some(tensor) => tensor.clone(),
            None => {
                let tensor = self.weights.tensor(dtype, &key.3, offset, size)?;
                self.constants.insert(key, tensor.clone());
                tensor
            }
        };
        self.graph.constant(tensor)
    }

    /// An output is called by a name of its own, by the first of its tensor's that is free, else as its layer. Of version 10 the
    /// name of what makes it is a name of the tensor.
    fn result(&mut self, layer: &Layer) -> Result<(), Error> {
        let &[(from, output)] = &layer.inputs[..] else {
            return Err(Error::value(format!("it has one input, and there are {}", layer.inputs.len())));
        };
        let id = self.source((from, output))?;
        let source = &self.model.layers[from];
        let own = layer.attributes.get("output_names").map(|names| names.to_owned());
        let tensor = source.outputs.get(output).map_or(&[][..], |output| &output.names);
        let maker = (self.model.version == 10).then_some(&source.name);
        let mut names = own.iter().chain(tensor).chain(maker).chain([&layer.name]);
        let name = names.find(|name| !self.named.contains(*name)).unwrap_or(&layer.name).clone();
        self.graph.output(&name, id)?;
        self.named.insert(name);
        Ok(())
    }
}

/// Extents as attributes have them: `2,?,3..5`; `...` if not even their number is known.
fn shape(text: &str) -> Result<Shape, Error> {
    let text = text.trim();
    let dim = |token: &str| {
        let token = token.trim();
        if token == "-1" {
            return Ok(Dim::UNKNOWN);
        }
        // A name is none of OpenVINO's.
        let own = token.starts_with(|c: char| c.is_ascii_digit() || c == '?' || c == '.');
        let dim = token.parse::<Dim>().ok().filter(|_| own);
        dim.ok_or_else(|| Error::value(format!("\"{token}\" in shape=\"{text}\" is no extent")))
    };
    match text {
        "" => Ok(Shape::from(Vec::<Dim>::new())),
        "..." => Ok(Shape::UNRANKED),
        text => text.split(',').map(dim).collect::<Result<Vec<Dim>, _>>().map(Shape::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_attributes() {
        for (text, expected) in [
            ("", "scalar"),
            ("2,3", "2x3"),
            ("?,-1, 2..5,2..,..5", "?x?x2..5x2..x..5"),
            ("...", "..."),
            ("0", "0"),
        ] {
            assert_eq!(shape(text).unwrap().to_string(), expected);
        }
        for wrong in ["N", "2,", "-2", "2,,3", "...,2", "5..2", "1e3", "99999999999999999999"] {
            assert!(shape(wrong).is_err(), "{wrong}");
        }
    }
}
