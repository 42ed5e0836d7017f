//! Values for a model's inputs: from files, by name or by number, or made up.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use ndcast::dtype::Class;
use ndcast::error::{Error, ErrorKind};
use ndcast::format::{self, data};
use ndcast::graph::{Graph, Node};
use ndcast::shape::{Dim, Shape};
use ndcast::{Array, DType, Tensor};

use crate::fault::Fault;

#[derive(Args)]
pub(crate) struct Inputs {
    /// A value for an input: its name or its number, and a file of one array. It overrides one from --inputs
    #[arg(long = "input", value_name = "NAME=FILE")]
    single: Vec<String>,

    /// Values for inputs, by their names; by their numbers if none of the names is there
    #[arg(long = "inputs", value_name = "FILE.npz")]
    archive: Option<PathBuf>,

    /// Use random values for inputs that are not given; an unknown extent is --extent's, that of what is given, or 2
    #[arg(long)]
    random: bool,

    /// The seed of random values: the same seed gives the same values
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Fixes an open extent, for random values or a written model: N=32 by its name, ?=8 for all without one
    // `grad -o` conflicts with --random, which lifts this requirement.
    #[arg(long = "extent", value_name = "NAME=N", requires = "random", value_parser = extent_named)]
    extents: Vec<(String, usize)>,
}

/// What stands for the extents that are not known and have no name.
const NOT_KNOWN: &str = "?";

/// `N=32`, taken apart.
pub(crate) fn extent_named(text: &str) -> Result<(String, usize), String> {
    let (name, extent) = text.split_once('=').ok_or("it is written NAME=N, or ?=N")?;
    let extent = extent.parse().map_err(|_| format!("{extent} is no extent"))?;
    Ok((name.to_owned(), extent))
}

/// The graph of a model's file; an ending that no such file has is a fault of the command line.
pub(crate) fn opened(path: &Path) -> Result<Graph, Fault> {
    format::of_ending(path).map_err(Fault::usage)?;
    Ok(format::open(path)?)
}

/// Which files are models.
pub(crate) fn model_help() -> String {
    let formats = format::ALL.iter().map(|format| format!("{} (.{})", format.name, format.ending));
    format!("The model, by the ending of its file: {}", formats.collect::<Vec<_>>().join(", "))
}

/// A thing of a graph by its name there, or by its number.
pub(crate) fn place(name: &str, names: &[String]) -> Option<usize> {
    let named = names.iter().position(|own| own == name);
    named.or_else(|| name.parse().ok().filter(|&number: &usize| number < names.len()))
}

/// `NAME=FILE`, taken apart at the first `=` that is behind one of these names or a number of one, or else at the first:
/// either may have more of them.
pub(crate) fn named_file<'t>(text: &'t str, names: &[String]) -> Result<(&'t str, &'t str), Fault> {
    let parted = text.match_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]));
    parted
        .clone()
        .find(|(name, _)| place(name, names).is_some())
        .or_else(|| parted.clone().next())
        .filter(|(name, file)| !name.is_empty() && !file.is_empty())
        .ok_or_else(|| Fault::usage(format!("{text}: it is written NAME=FILE.npy")))
}

/// The array of a file: its only one, or the one of a name if there are several.
pub(crate) fn one_array(file: &str, name: Option<&str>) -> Result<Tensor, Fault> {
    let mut tensors = data::open(file)?;
    if let Some(place) = tensors.iter().position(|(own, _)| Some(own.as_str()) == name) {
        return Ok(tensors.swap_remove(place).1);
    }
    match tensors.pop() {
        Some((_, only)) if tensors.is_empty() => Ok(only),
        last => {
            let count = tensors.len() + usize::from(last.is_some());
            let wanted = name.map_or(String::new(), |name| format!(", and none is called {name}"));
            Err(Fault::data(format!("{file} holds {count} arrays{wanted}; one is needed")))
        }
    }
}

impl Inputs {
    /// A value for each input of a graph, in order.
    pub(crate) fn bound(&self, graph: &Graph) -> Result<Vec<Tensor>, Fault> {
        let nodes = graph.inputs().iter().map(|&id| graph.node(id)).collect::<Result<Vec<_>, _>>()?;
        let names: Vec<String> =
            nodes.iter().map(|node| node.name().unwrap_or_default().to_owned()).collect();
        let mut values: Vec<Option<Tensor>> = vec![None; nodes.len()];
        let unknown = |name: &str| {
            let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            format!("there is no input {name}; the model's inputs: {there}")
        };
        if let Some(path) = &self.archive {
            let tensors = data::open(path)?;
            // Beside inputs by name there may be the outputs of a case, which are called by number.
            let named = tensors.iter().any(|(name, _)| names.contains(name));
            let is_other = |name: &String| named && !names.contains(name) && name.parse::<usize>().is_ok();
            for (name, tensor) in tensors.into_iter().filter(|(name, _)| !is_other(name)) {
                if name.is_empty() {
                    let path = path.display();
                    let text =
                        format!("{path} holds one array without a name: give it with --input NAME={path}");
                    return Err(Fault::data(text));
                }
                let place = place(&name, &names).ok_or_else(|| Fault::data(unknown(&name)))?;
                values[place] = Some(tensor);
            }
        }
        let mut given = vec![false; nodes.len()];
        for text in &self.single {
            let (name, file) = named_file(text, &names)?;
            let place = place(name, &names).ok_or_else(|| Fault::usage(unknown(name)))?;
            if std::mem::replace(&mut given[place], true) {
                return Err(Fault::usage(format!("the input {} is given twice with --input", names[place])));
            }
            values[place] = Some(one_array(file, Some(&names[place]))?);
        }
        check_extents(&self.extents, &nodes)?;
        // What is given decides the extents that have its names, for what is not.
        let mut extents = Extents { said: &self.extents, given: BTreeMap::new() };
        for (value, (node, name)) in values.iter_mut().zip(nodes.iter().zip(&names)) {
            let Some(tensor) = value.take() else { continue };
            extents.add(node, name, &tensor)?;
            let wanted = node.dtype();
            let fitting = data::fitting(name, tensor, wanted).map_err(|error| match error.kind() {
                ErrorKind::InputType { .. } => {
                    Fault::data(format!("{error}, with ndcast eval 'x.astype({wanted})' x=FILE -o NEW.npy"))
                }
                _ => Fault::from(error),
            });
            *value = Some(fitting?);
        }
        let mut random = Random(self.seed);
        let mut bound = Vec::new();
        for ((value, node), name) in values.into_iter().zip(&nodes).zip(&names) {
            bound.push(match value {
                Some(tensor) => tensor,
                None if self.random => {
                    let dims = node.dims().unwrap_or_default();
                    let shape = dims.iter().map(|dim| extents.of(dim, name));
                    let shape: Vec<usize> = shape.collect::<Result<_, _>>()?;
                    let made = random.tensor(node.dtype(), &shape);
                    made.map_err(|error| {
                        let (dtype, shape) = (node.dtype(), Shape::from(shape));
                        Fault::data(format!("random values for the input {name} ({dtype} {shape}): {error}"))
                    })?
                }
                None => {
                    return Err(Fault::usage(format!(
                        "the input {name} ({} {}) has no value: give it with --input {name}=FILE.npy, or all that are \
                         missing with --random",
                        node.dtype(),
                        node.shape()
                    )));
                }
            });
        }
        Ok(bound)
    }

    /// See [`with_extents`].
    pub(crate) fn with_extents(&self, graph: Graph, path: &Path) -> Result<Graph, Fault> {
        with_extents(graph, path, &self.extents)
    }
}

/// What decides the open extents of random values.
struct Extents<'a> {
    /// What --extent says.
    said: &'a [(String, usize)],
    /// By the name of an extent: what it is in the first given value that has it.
    given: BTreeMap<String, usize>,
}

impl Extents<'_> {
    /// Takes over the extents that the given value of an input decides, unless another was said. Whether the value fits
    /// otherwise, and what others say, is asked when the model runs.
    fn add(&mut self, node: &Node, input: &str, value: &Tensor) -> Result<(), Fault> {
        let dims = node.dims().unwrap_or_default();
        if dims.len() != value.shape().len() {
            return Ok(());
        }
        for (dim, &extent) in dims.iter().zip(value.shape()) {
            let Dim::Symbol(symbol) = dim else { continue };
            let name = symbol.name();
            if let Some(said) = said_of(self.said, dim).filter(|&said| said != extent) {
                return Err(Fault::usage(format!(
                    "the extent {name} is {extent} in the value of the input {input}, and --extent says {said}"
                )));
            }
            self.given.entry(name.to_owned()).or_insert(extent);
        }
        Ok(())
    }

    /// An extent of random values for an input: the one that was said or given, or 2 where nothing is.
    fn of(&self, dim: &Dim, input: &str) -> Result<usize, Fault> {
        match dim {
            Dim::Known(extent) => Ok(*extent),
            Dim::Interval(interval) => match said_of(self.said, dim) {
                Some(said) if !dim.contains(said) => Err(Fault::usage(format!(
                    "an extent of the input {input} is {dim}, and --extent says {said}"
                ))),
                Some(said) => Ok(said),
                None => Ok(interval.max().unwrap_or(usize::MAX).min(interval.min().max(2))),
            },
            Dim::Symbol(symbol) => {
                let given = || self.given.get(symbol.name()).copied();
                Ok(said_of(self.said, dim).or_else(given).unwrap_or(2))
            }
        }
    }
}

/// Whether each extent that is said is one of the inputs', and said once.
fn check_extents(said: &[(String, usize)], inputs: &[&Node]) -> Result<(), Fault> {
    let dims = inputs.iter().flat_map(|node| node.dims().unwrap_or_default());
    let mut there: Vec<&str> = dims.filter_map(open_name).collect();
    there.sort_unstable();
    there.dedup();
    for (place, (name, _)) in said.iter().enumerate() {
        if !there.contains(&name.as_str()) {
            let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
            let text = format!(
                "there is no extent {name} that is open; the open ones of the model's inputs: {there}"
            );
            return Err(Fault::usage(text));
        }
        if said[..place].iter().any(|(own, _)| own == name) {
            return Err(Fault::usage(format!("the extent {name} is given twice with --extent")));
        }
    }
    Ok(())
}

/// What an extent that is open is called.
fn open_name(dim: &Dim) -> Option<&str> {
    match dim {
        Dim::Known(_) => None,
        Dim::Interval(_) => Some(NOT_KNOWN),
        Dim::Symbol(symbol) => Some(symbol.name()),
    }
}

/// The extent that was said for an open one.
fn said_of(said: &[(String, usize)], dim: &Dim) -> Option<usize> {
    let name = open_name(dim)?;
    said.iter().find(|(own, _)| own == name).map(|(_, extent)| *extent)
}

/// The graph of a model's file with the open extents that are said; the others stay open.
pub(crate) fn with_extents(graph: Graph, path: &Path, said: &[(String, usize)]) -> Result<Graph, Fault> {
    if said.is_empty() {
        return Ok(graph);
    }
    let inputs = graph.inputs().iter().map(|&id| graph.node(id)).collect::<Result<Vec<_>, _>>()?;
    check_extents(said, &inputs)?;
    let known = |dim: &Dim| said_of(said, dim).map_or_else(|| dim.clone(), Dim::Known);
    let shapes = inputs.iter().map(|node| match node.dims() {
        Some(dims) => dims.iter().map(known).collect::<Vec<_>>().into(),
        None => node.shape().clone(),
    });
    graph.with_shapes(&shapes.collect::<Vec<_>>()).map_err(Fault::of_model(path))
}

/// Numbers that look random (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to before 1.
    fn part(&mut self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "53 bits are exact")]
        let part = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        part
    }

    /// Elements of a type: floats between -1 and 1, integers from 0 to 9, truth values.
    fn tensor(&mut self, dtype: DType, shape: &[usize]) -> Result<Tensor, Error> {
        let whole = !matches!(dtype.class(), Class::Float | Class::Complex);
        let most = if dtype == DType::Bool { 2 } else { 10 };
        // What most models take needs no memory besides.
        if dtype == DType::F32 {
            let mut tensor = Tensor::zeros(shape, dtype)?;
            #[allow(clippy::cast_possible_truncation, reason = "it is rounded")]
            for element in tensor.as_slice_mut::<f32>().unwrap_or_default() {
                *element = (2.0 * self.part() - 1.0) as f32;
            }
            return Ok(tensor);
        }
        let mut tensor = Tensor::zeros(shape, DType::F64)?;
        for element in tensor.as_slice_mut::<f64>().unwrap_or_default() {
            let part = self.part();
            *element = if whole { (part * f64::from(most)).floor() } else { 2.0 * part - 1.0 };
        }
        Array::from(tensor).convert(dtype).eval()
    }
}
