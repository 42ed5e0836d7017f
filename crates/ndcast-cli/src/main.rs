//! The command `ndcast`: explains any broadcast of any dialect.
//!
//! Exit status: 0 fine; 1 the shapes or the data are at fault; 2 the command line is.

mod explain;
mod wire;

use std::io;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use ndcast::shape::Shape;

/// One broadcasting engine for every tensor dialect.
#[derive(Parser)]
#[command(name = "ndcast", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Say what a dialect's broadcasting rule does with given shapes, and why or why not
    Explain(Box<explain::Arguments>),
}

/// How a command ended, when nothing went wrong with reading and writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Fine,
    /// The shapes or the data are at fault.
    Fault,
    /// The command line is.
    Usage,
}

fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| {
        // A shape that begins with a negative extent looks like an option.
        let negative =
            |text: &String| text.starts_with('-') && text[1..].starts_with(|c: char| c.is_ascii_digit());
        let shape = std::env::args().skip(1).find(negative).map(|text| text.parse::<Shape>());
        if let (ErrorKind::UnknownArgument, Some(Err(shape))) = (error.kind(), shape) {
            tell(&format_args!("error: {shape}"));
            std::process::exit(2);
        }
        error.exit()
    });
    let Command::Explain(arguments) = cli.command;
    match explain::run(&arguments) {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Fault) => ExitCode::from(1),
        Ok(Outcome::Usage) => ExitCode::from(2),
        // Whoever reads the output has had enough of it.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            tell(&format_args!("error: {error}"));
            ExitCode::from(1)
        }
    }
}

/// Writes a line to stderr, if it can be written to.
fn tell(message: &dyn std::fmt::Display) {
    use io::Write;
    // There is nowhere left to say that this failed.
    let _ = writeln!(io::stderr(), "{message}");
}
