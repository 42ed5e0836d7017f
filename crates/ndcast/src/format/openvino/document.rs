//! What stands in the `.xml`: layers with their ports, and what each input port is joined to. Nothing here knows what a
//! layer does.

use std::collections::HashMap;

use roxmltree::{Document, Node};

use crate::dialect::openvino::Attributes;
use crate::error::{Error, ErrorKind};

/// A model as it is written.
#[derive(Debug)]
pub(super) struct Model {
    /// 10 or 11.
    pub(super) version: u32,
    pub(super) layers: Vec<Layer>,
}

#[derive(Debug)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) kind: String,
    /// The number of its opset; `None` if it is another set of operations.
    pub(super) opset: Option<u32>,
    /// What is written of its set of operations.
    pub(super) set: String,
    pub(super) attributes: Attributes,
    /// For each input port what it is joined to: a layer's place and the place of its output.
    pub(super) inputs: Vec<(usize, usize)>,
    pub(super) outputs: Vec<Output>,
    /// The line in which it begins.
    pub(super) line: usize,
}

#[derive(Debug)]
pub(super) struct Output {
    port: u64,
    /// The names of the tensor.
    pub(super) names: Vec<String>,
}

/// An error in a line.
pub(super) fn at_line(line: usize, error: Error) -> Error {
    Error::new(ErrorKind::Line { line, error: Box::new(error) })
}

fn wrong(line: usize, text: String) -> Error {
    at_line(line, Error::value(text))
}

/// Where lines begin, so that a place has a line without counting from the first one again.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Lines {
        Lines(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(place, _)| place).collect())
    }

    fn line(&self, node: Node<'_, '_>) -> usize {
        self.0.partition_point(|&place| place < node.range().start) + 1
    }
}

/// A child element of this name.
fn child<'a, 'x>(node: Node<'a, 'x>, name: &str) -> Option<Node<'a, 'x>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn children<'a, 'x>(node: Option<Node<'a, 'x>>, name: &'static str) -> impl Iterator<Item = Node<'a, 'x>> {
    node.into_iter().flat_map(|node| node.children()).filter(move |child| child.has_tag_name(name))
}

/// The number of an attribute.
fn number(node: Node<'_, '_>, name: &str, line: usize) -> Result<u64, Error> {
    let tag = node.tag_name().name();
    let text =
        node.attribute(name).ok_or_else(|| wrong(line, format!("<{tag}> lacks the attribute {name}")))?;
    text.parse().map_err(|_| wrong(line, format!("{name}=\"{text}\" of <{tag}> is no number")))
}

/// Names with commas between them; a comma of a name has a backslash before it.
fn names(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, names.last_mut()) {
            ('\\', Some(name)) if letters.peek() == Some(&',') => name.extend(letters.next()),
            (',', _) => names.push(String::new()),
            (letter, Some(name)) => name.push(letter),
            (_, None) => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// An input port, while edges are still missing.
struct Open {
    port: u64,
    source: Option<(usize, usize)>,
}

impl Model {
    pub(super) fn read(text: &str) -> Result<Model, Error> {
        // Entities of a document's own are refused: nothing else grows while it is read.
        let document = Document::parse(text).map_err(|error| {
            // Of a text that ends too early the parser says no place.
            let ends =
                matches!(error, roxmltree::Error::UnexpectedEndOfStream | roxmltree::Error::UnclosedRootNode);
            let row = if ends { text.lines().count() } else { usize::try_from(error.pos().row).unwrap_or(1) };
            wrong(row.max(1), error.to_string())
        })?;
        let (root, lines) = (document.root_element(), Lines::of(text));
        let line = lines.line(root);
        if !root.has_tag_name("net") {
            return Err(wrong(
                line,
                format!("<{}> is no OpenVINO model: that is a <net>", root.tag_name().name()),
            ));
        }
        let version = match root.attribute("version") {
            Some("10") => 10,
            Some("11") => 11,
            Some(other) => {
                return Err(wrong(
                    line,
                    format!("version {other} of OpenVINO IR is not read; 10 and 11 are"),
                ));
            }
            None => return Err(wrong(line, "<net> lacks the attribute version".to_owned())),
        };
        let mut layers: Vec<(Layer, Vec<Open>)> = Vec::new();
        let mut places: HashMap<u64, usize> = HashMap::new();
        for node in children(child(root, "layers"), "layer") {
            let line = lines.line(node);
            let id = number(node, "id", line)?;
            if let Some(&before) = places.get(&id) {
                let before = &layers[before].0;
                return Err(wrong(
                    line,
                    format!(
                        "the id {id} is that of the layer {} in line {} already",
                        before.name, before.line
                    ),
                ));
            }
            places.insert(id, layers.len());
            layers.push(Model::layer(node, line)?);
        }
        for node in children(child(root, "edges"), "edge") {
            Model::edge(node, lines.line(node), &mut layers, &places)?;
        }
        let joined = layers.into_iter().map(|(mut layer, open)| {
            for Open { port, source } in open {
                layer.inputs.push(source.ok_or_else(|| {
                    wrong(layer.line, format!("no edge leads to the port {port} of the layer {}", layer.name))
                })?);
            }
            Ok(layer)
        });
        Ok(Model { version, layers: joined.collect::<Result<_, Error>>()? })
    }

    fn layer(node: Node<'_, '_>, line: usize) -> Result<(Layer, Vec<Open>), Error> {
        let text = |name: &str| {
            let found = node.attribute(name).map(str::to_owned);
            found.ok_or_else(|| wrong(line, format!("<layer> lacks the attribute {name}")))
        };
        let (name, kind, set) = (text("name")?, text("type")?, text("version")?);
        let opset = set.strip_prefix("opset").and_then(|number| number.parse().ok());
        let data = child(node, "data");
        let attributes = data.iter().flat_map(|data| data.attributes());
        let attributes = attributes.map(|attribute| (attribute.name(), attribute.value())).collect();
        let mut ports: Vec<u64> = Vec::new();
        let mut port = |node| -> Result<u64, Error> {
            let id = number(node, "id", line)?;
            // Few layers have more than a few ports, so a list is looked through.
            if ports.contains(&id) {
                return Err(wrong(line, format!("the layer {name} has two ports of the id {id}")));
            }
            if ports.len() >= MOST_PORTS {
                return Err(wrong(line, format!("the layer {name} has more than {MOST_PORTS} ports")));
            }
            ports.push(id);
            Ok(id)
        };
        let mut open = Vec::new();
        for node in children(child(node, "input"), "port") {
            open.push(Open { port: port(node)?, source: None });
        }
        let mut outputs = Vec::new();
        for node in children(child(node, "output"), "port") {
            let names = node.attribute("names").map(names).unwrap_or_default();
            outputs.push(Output { port: port(node)?, names });
        }
        let layer = Layer { name, kind, opset, set, attributes, inputs: Vec::new(), outputs, line };
        Ok((layer, open))
    }

    fn edge(
        node: Node<'_, '_>,
        line: usize,
        layers: &mut [(Layer, Vec<Open>)],
        places: &HashMap<u64, usize>,
    ) -> Result<(), Error> {
        let end = |layer: &str, port: &str| -> Result<(usize, u64), Error> {
            let (id, port) = (number(node, layer, line)?, number(node, port, line)?);
            let place = places.get(&id).copied();
            Ok((place.ok_or_else(|| wrong(line, format!("{layer}=\"{id}\": there is no such layer")))?, port))
        };
        let (from, from_port) = end("from-layer", "from-port")?;
        let (to, to_port) = end("to-layer", "to-port")?;
        let source = &layers[from].0;
        let output = source.outputs.iter().position(|output| output.port == from_port).ok_or_else(|| {
            wrong(line, format!("the layer {} has no output port {from_port}", source.name))
        })?;
        let (layer, open) = &mut layers[to];
        let input = open
            .iter_mut()
            .find(|input| input.port == to_port)
            .ok_or_else(|| wrong(line, format!("the layer {} has no input port {to_port}", layer.name)))?;
        if input.source.is_some() {
            return Err(wrong(
                line,
                format!("two edges lead to the port {to_port} of the layer {}", layer.name),
            ));
        }
        input.source = Some((from, output));
        Ok(())
    }
}

/// More ports than this has no layer.
const MOST_PORTS: usize = 65536;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tensors() {
        assert_eq!(names("a,b"), ["a", "b"]);
        assert_eq!(names("a\\,b,c"), ["a,b", "c"]);
        assert_eq!(names("a\\b"), ["a\\b"]);
        assert!(names("").is_empty());
    }
}
