//! The text of an `.xml`, layer by layer, as OpenVINO writes it.

use std::fmt::Write;

use ndcast_shape::{Dim, Shape};

use crate::dialect::openvino::precision_name;
use crate::dtype::DType;
use crate::error::Error;

/// An output of a layer that is written.
#[derive(Clone, Debug)]
pub(super) struct Port {
    layer: usize,
    port: usize,
    pub(super) dtype: DType,
    pub(super) shape: Shape,
}

/// A layer to be written.
pub(super) struct Layer<'l> {
    pub(super) kind: &'l str,
    pub(super) opset: u32,
    pub(super) attributes: &'l [(&'l str, String)],
    pub(super) name: &'l str,
    /// What it gives.
    pub(super) outputs: &'l [Output<'l>],
}

/// What a layer gives.
pub(super) struct Output<'l> {
    pub(super) dtype: DType,
    pub(super) shape: Shape,
    /// The names of the tensor.
    pub(super) names: &'l [String],
}

#[derive(Debug, Default)]
pub(super) struct Document {
    layers: String,
    edges: String,
    count: usize,
}

/// A text inside of quotes.
fn quoted(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => made.push_str("&amp;"),
            '<' => made.push_str("&lt;"),
            '>' => made.push_str("&gt;"),
            '"' => made.push_str("&quot;"),
            '\n' | '\t' | '\r' => {
                let _ = write!(made, "&#{};", u32::from(letter));
            }
            // XML has no other letters of control.
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                made.push('\u{fffd}');
            }
            letter => made.push(letter),
        }
    }
    made
}

/// An extent in a port: -1 if it is not known.
fn extent(dim: &Dim) -> String {
    if let Dim::Known(n) = dim { n.to_string() } else { "-1".to_owned() }
}

impl Document {
    /// How many layers there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Writes a layer and the edges to it; its outputs.
    pub(super) fn layer(&mut self, layer: &Layer<'_>, inputs: &[Port]) -> Result<Vec<Port>, Error> {
        let id = self.count;
        let text = &mut self.layers;
        // Writing into a text does not fail.
        let _ = writeln!(
            text,
            "\t\t<layer id=\"{id}\" name=\"{}\" type=\"{}\" version=\"opset{}\">",
            quoted(layer.name),
            layer.kind,
            layer.opset
        );
        if !layer.attributes.is_empty() {
            text.push_str("\t\t\t<data");
            for (name, value) in layer.attributes {
                let _ = write!(text, " {name}=\"{}\"", quoted(value));
            }
            text.push_str("/>\n");
        }
        if !inputs.is_empty() {
            text.push_str("\t\t\t<input>\n");
            for (place, input) in inputs.iter().enumerate() {
                port(text, place, input.dtype, &input.shape, &[])?;
                let _ = writeln!(
                    self.edges,
                    "\t\t<edge from-layer=\"{}\" from-port=\"{}\" to-layer=\"{id}\" to-port=\"{place}\"/>",
                    input.layer, input.port
                );
            }
            text.push_str("\t\t\t</input>\n");
        }
        // Ports are counted on from the inputs.
        let outputs = || (inputs.len()..).zip(layer.outputs);
        if !layer.outputs.is_empty() {
            text.push_str("\t\t\t<output>\n");
            for (place, output) in outputs() {
                port(text, place, output.dtype, &output.shape, output.names)?;
            }
            text.push_str("\t\t\t</output>\n");
        }
        text.push_str("\t\t</layer>\n");
        self.count += 1;
        let made = |(port, output): (usize, &Output<'_>)| Port {
            layer: id,
            port,
            dtype: output.dtype,
            shape: output.shape.clone(),
        };
        Ok(outputs().map(made).collect())
    }

    /// The whole.
    pub(super) fn finished(self, name: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<net name=\"{}\" version=\"11\">\n\t<layers>\n{}\t</layers>\n\t<edges>\n{}\t</edges>\n\
             \t<rt_info/>\n</net>\n",
            quoted(name),
            self.layers,
            self.edges
        )
    }
}

fn port(text: &mut String, id: usize, dtype: DType, shape: &Shape, names: &[String]) -> Result<(), Error> {
    let _ = write!(text, "\t\t\t\t<port id=\"{id}\" precision=\"{}\"", precision_name(dtype)?);
    if !names.is_empty() {
        let names: Vec<String> = names.iter().map(|name| name.replace(',', "\\,")).collect();
        let _ = write!(text, " names=\"{}\"", quoted(&names.join(",")));
    }
    match shape.dims() {
        None | Some([]) => text.push_str("/>\n"),
        Some(dims) => {
            text.push_str(">\n");
            for dim in dims {
                let _ = writeln!(text, "\t\t\t\t\t<dim>{}</dim>", extent(dim));
            }
            text.push_str("\t\t\t\t</port>\n");
        }
    }
    Ok(())
}
