//! `ndcast run`: a model on inputs.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use ndcast::format::data;
use ndcast::graph::{Graph, Runner};
use ndcast::shape::Shape;
use ndcast::{Array, Tensor};

use crate::fault::Fault;
use crate::inputs::{Inputs, model_help, named_file, opened, place};
use crate::progress::Progress;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    ndcast run model.xml --input x=x.npy\n  \
    ndcast run model.onnx --inputs in.npz --outputs out.npz\n  \
    ndcast run model.graph --random --time\n\n\
    Exit status: 0 fine, 1 the model or the data is at fault, 2 the command line is.")]
pub(crate) struct Arguments {
    #[arg(help = model_help())]
    model: PathBuf,

    #[command(flatten)]
    inputs: Inputs,

    /// Where an output goes: its name or its number, and an .npy or .safetensors file
    #[arg(long = "output", value_name = "NAME=FILE.npy")]
    output: Vec<String>,

    /// Where all outputs go: an .npz or .safetensors file, or the .npy file of the only one
    #[arg(long, value_name = "FILE.npz")]
    outputs: Option<PathBuf>,

    /// Run it again and again, and say how long it takes
    #[arg(long)]
    time: bool,
}

/// What is to be printed.
pub(crate) fn run(arguments: &Arguments) -> Result<String, Fault> {
    let graph = opened(&arguments.model)?;
    let names: Vec<String> = graph.outputs().iter().map(|output| output.name().to_owned()).collect();
    // What is wrong with the options is said before anything runs.
    let mut files = Vec::new();
    for text in &arguments.output {
        let (name, file) = named_file(text, &names)?;
        let found = place(name, &names).ok_or_else(|| {
            Fault::usage(format!("there is no output {name}; the model's outputs: {}", names.join(", ")))
        })?;
        files.push((found, file));
    }
    let all = arguments.outputs.as_deref();
    let mut taken = HashSet::new();
    for file in files.iter().map(|(_, file)| Path::new(file)).chain(all) {
        data::of_ending(file).map_err(Fault::usage)?;
        if !taken.insert(std::path::absolute(file).unwrap_or_else(|_| file.to_owned())) {
            return Err(Fault::usage(format!("two outputs would be written to {}", file.display())));
        }
    }
    let progress = Progress::of(format!("running {}", arguments.model.display()));
    let inputs = arguments.inputs.bound(&graph)?;
    let runner = Runner::new(graph);
    let outputs = runner.run(&inputs).map_err(Fault::of_model(&arguments.model))?;
    for &(output, file) in &files {
        data::save(file, &[(String::new(), outputs[output].clone())])?;
    }
    if let Some(path) = &arguments.outputs {
        let named: Vec<_> = names.iter().cloned().zip(outputs.iter().cloned()).collect();
        data::save(path, &named)?;
    }
    let timed = if arguments.time { timed(&runner, &inputs, &outputs)? } else { String::new() };
    drop(progress);
    let mut text = String::new();
    if files.is_empty() && arguments.outputs.is_none() {
        for (name, tensor) in names.iter().zip(&outputs) {
            summary(&mut text, Some(name), tensor)?;
        }
    }
    Ok(text + &timed)
}

/// `y: f32 2x3`, and its elements, the middle of many left out.
pub(crate) fn summary(text: &mut String, name: Option<&str>, tensor: &Tensor) -> Result<(), Fault> {
    let shape = Shape::from(tensor.shape());
    let name = name.map_or(String::new(), |name| format!("{name}: "));
    let written = writeln!(text, "{name}{} {shape}\n{tensor}", tensor.dtype());
    written.map_err(|_| Fault::data("the output cannot be printed".to_owned()))
}

/// The median time of a run, the bytes of inputs, outputs and constants, and the rate compared with a plain copy's.
fn timed(runner: &Runner, inputs: &[Tensor], outputs: &[Tensor]) -> Result<String, Fault> {
    let run = median(|| runner.run(inputs).map(drop).map_err(Fault::from))?;
    let bytes = bytes(inputs.iter().chain(outputs)) + constants(runner.graph());
    let copy = Array::full(&[(bytes / 8).max(1)], 1.0, ndcast::DType::F32).copy().eval()?;
    let copied = median(|| Array::from(copy.clone()).copy().eval().map(drop).map_err(Fault::from))?;
    #[allow(clippy::cast_precision_loss, reason = "for people")]
    let rate = |bytes: usize, time: Duration| bytes as f64 / time.as_secs_f64().max(1e-9) / 1e9;
    let own = rate(bytes, run);
    let share = 100.0 * own / rate(bytes, copied).max(1e-9);
    Ok(format!(
        "{:.1} us a run (median), {bytes} bytes in, out and of constants: {own:.2} GB/s, {share:.0} % of a copy of as many\n",
        run.as_secs_f64() * 1e6,
    ))
}

fn bytes<'t>(tensors: impl Iterator<Item = &'t Tensor>) -> usize {
    tensors.map(|tensor| tensor.elements() * tensor.dtype().size().unwrap_or(0)).sum()
}

fn constants(graph: &Graph) -> usize {
    bytes(graph.nodes().filter_map(|(_, node)| node.constant()))
}

/// The median time of something that is done for about a second, and three times at least.
fn median(mut what: impl FnMut() -> Result<(), Fault>) -> Result<Duration, Fault> {
    let begun = Instant::now();
    let mut times = Vec::new();
    while times.len() < 3 || (begun.elapsed() < Duration::from_secs(1) && times.len() < 10_000) {
        let start = Instant::now();
        what()?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    Ok(times[times.len() / 2])
}
