//! `ndcast eval`: an expression of arrays in files.

use std::path::PathBuf;

use clap::Args;
use ndcast::buffer::Pool;
use ndcast::error::ErrorKind;
use ndcast::format::data;
use ndcast::notation::{Expression, FUNCTIONS, signature};
use ndcast::reduction::Reduction;
use ndcast::{Array, Op};

use crate::fault::Fault;
use crate::inputs::{named_file, one_array};
use crate::progress::Progress;
use crate::run::summary;

#[derive(Args)]
#[command(
    after_help = "Run with --help for the functions, and examples.",
    after_long_help = long_help()
)]
pub(crate) struct Arguments {
    /// The expression, in NumPy's notation: '(a - a.mean(axis=0)) * b'
    #[arg(allow_hyphen_values = true)]
    expression: String,

    /// The arrays: each a name of the expression and the file that it is in
    #[arg(value_name = "NAME=FILE")]
    arrays: Vec<String>,

    /// Where the result goes; it may be larger than memory. Without it, it is printed
    #[arg(short = 'o', long = "output", value_name = "FILE.npy")]
    output: Option<PathBuf>,

    /// How much memory may be in use, such as 512MiB; three quarters of the machine's by default
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<usize>,
}

fn long_help() -> String {
    let mut text = "Operators, those that bind most first:\n  \
         x[...] x.f()   **   -x ~x   * / // % @   + -   << >>   &   ^   |   < <= > >= == !=\n\n\
         Names: pi inf nan True False None newaxis, and element types such as float32, int or f16\n\n\
         Also: [1, 2, 3], x[1:, None, ..., ::-2], x.T x.mT x.shape x.ndim x.size x.dtype\n\n\
         Integers divided by 0, and with negative powers, give numbers and no error\n\n\
         Kinds of elements do not mix, and what is for floats takes no integers: x.astype(float64) converts them\n\n\
         Functions, also written as methods of their first argument:\n"
        .to_owned();
    let folds = Reduction::ALL.into_iter().map(|fold| fold.record().name);
    let names = folds.chain(FUNCTIONS.iter().map(|function| function.name));
    for signature in names.filter_map(signature) {
        text.push_str(&format!("  {signature}\n"));
    }
    text.push_str("\nElementwise functions:\n");
    for signature in Op::ALL.iter().filter_map(|op| signature(op.record().name)) {
        text.push_str(&format!("  {signature}\n"));
    }
    text.push_str(
        "\nExamples:\n  \
         ndcast eval 'a * b + c' a=a.npy b=b.npy c=c.npy -o out.npy\n  \
         ndcast eval '(x - x.mean(axis=0)) / x.std(axis=0)' x=x.npy\n  \
         ndcast eval 'where(x > 0, x, 0)[:, ::2].sum(axis=1)' x=arrays.npz\n\n\
         Exit status: 0 fine, 1 the expression or the data is at fault, 2 the command line is.",
    );
    text
}

/// `512MiB` in bytes.
fn memory(text: &str) -> Result<usize, String> {
    const UNITS: [(&str, u32); 8] =
        [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("K", 10), ("M", 20), ("G", 30), ("B", 0)];
    let (digits, shift) =
        UNITS.iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, *shift))).unwrap_or((text, 0));
    let bytes = digits.trim().parse::<usize>().ok().and_then(|n| n.checked_mul(1 << shift));
    bytes.ok_or_else(|| "a size is a number of bytes, or of KiB, MiB, GiB or TiB: 512MiB".to_owned())
}

/// What is to be printed.
pub(crate) fn run(arguments: &Arguments) -> Result<String, Fault> {
    if let Some(bytes) = arguments.memory {
        Pool::global().set_limit(bytes);
    }
    if let Some(path) = &arguments.output
        && path.extension().is_none_or(|ending| !ending.eq_ignore_ascii_case("npy"))
    {
        return Err(Fault::usage(format!("{}: the result is written to an .npy file", path.display())));
    }
    let expression: Expression = arguments.expression.parse()?;
    let names = expression.names();
    let mut arrays: Vec<(String, Array)> = Vec::new();
    for text in &arguments.arrays {
        let (name, file) = named_file(text, &[])?;
        if arrays.iter().any(|(other, _)| other == name) {
            return Err(Fault::usage(format!("{name} is given twice")));
        }
        if !names.contains(&name) {
            return Err(Fault::usage(format!("{text}: there is no {name} in the expression")));
        }
        arrays.push((name.to_owned(), one_array(file, Some(name))?.into()));
    }
    let result = expression.compute(&arrays).map_err(|error| match error.innermost().kind() {
        ErrorKind::Promotion(_) | ErrorKind::NotTaken { .. } => {
            Fault::data(format!("{error}\nx is converted by x.astype(TYPE), such as x.astype(float64)"))
        }
        _ => error.into(),
    })?;
    let progress = Progress::of("computing".to_owned());
    if let Some(path) = &arguments.output {
        data::save_in_parts(path, &result)?;
        return Ok(String::new());
    }
    let result = result.eval()?;
    drop(progress);
    let mut text = String::new();
    summary(&mut text, None, &result)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (text, bytes) in [("512", 512), ("1KiB", 1024), ("2 MiB", 2 << 20), ("3G", 3 << 30), ("7B", 7)] {
            assert_eq!(memory(text), Ok(bytes), "{text}");
        }
        for text in ["", "MiB", "1.5GiB", "-1", "99999999999999TiB"] {
            assert!(memory(text).is_err(), "{text}");
        }
    }
}
