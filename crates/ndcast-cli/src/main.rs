//! The command `ndcast`: explains any broadcast of any dialect; runs, converts and differentiates models; computes
//! expressions of arrays.
//!
//! Exit status: 0 fine; 1 the shapes or the data are at fault, or the answer cannot be written; 2 the command line is.

mod completions;
mod convert;
mod eval;
mod explain;
mod explain_model;
mod fault;
mod grad;
mod inputs;
mod interrupt;
mod list;
mod man;
mod progress;
mod run;
mod table;
mod terminal;
mod wire;

use std::io;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use ndcast::shape::Shape;

use crate::terminal::{print, tell};

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
    /// Run a model on inputs from files, or on made-up ones
    Run(run::Arguments),
    /// Write a model in another format
    Convert(convert::Arguments),
    /// The gradient of the sum of a model's output, computed, or as a model
    Grad(grad::Arguments),
    /// Compute an expression of arrays in files, in NumPy's notation
    Eval(eval::Arguments),
    /// List the rules, operations, models' operators, element types or file formats there are
    List(list::Arguments),
    /// Print what makes a shell complete the command's arguments
    Completions(completions::Arguments),
    /// Print the command's manual page, or that of a subcommand
    Man(man::Arguments),
}

/// How a command ended, whether or not its answer could be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Fine,
    /// The shapes or the data are at fault.
    Fault,
    /// The command line is.
    Usage,
}

fn main() -> ExitCode {
    let parsed = terminal::shown(Cli::command()).try_get_matches();
    let cli = parsed.and_then(|found| Cli::from_arg_matches(&found)).unwrap_or_else(|error| {
        // A shape that begins with a negative extent looks like an option.
        if let (ErrorKind::UnknownArgument, Some(ContextValue::String(argument))) =
            (error.kind(), error.get(ContextKind::InvalidArg))
            && std::env::args_os().nth(1).is_some_and(|command| command == "explain")
            && argument.starts_with('-')
            && argument[1..].starts_with(|c: char| c.is_ascii_digit())
        {
            // The parser names only its first letters, so the longest argument that begins so is what was typed.
            let arguments = std::env::args_os().map(|text| text.to_string_lossy().into_owned());
            let typed = arguments.filter(|text| text.starts_with(argument.as_str())).max_by_key(String::len);
            if let Some(Err(shape)) = typed.map(|text| text.parse::<Shape>()) {
                tell(&format_args!("error: {shape}"));
                std::process::exit(2);
            }
        }
        error.exit()
    });
    interrupt::remove_unfinished_files();
    let (outcome, written) = match cli.command {
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Run(arguments) => told(run::run(&arguments)),
        Command::Convert(arguments) => told(convert::run(&arguments)),
        Command::Grad(arguments) => told(grad::run(&arguments)),
        Command::Eval(arguments) => told(eval::run(&arguments)),
        Command::List(arguments) => told(list::run(&arguments)),
        Command::Completions(arguments) => told(Ok(completions::run(&arguments, Cli::command()))),
        Command::Man(arguments) => told(man::run(&arguments, Cli::command())),
    };
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            tell(&format_args!("error: {error}"));
            ExitCode::from(1)
        }
        // If whoever reads the output has had enough of it, the answer is still what it is.
        _ => match outcome {
            Outcome::Fine => ExitCode::SUCCESS,
            Outcome::Fault => ExitCode::from(1),
            Outcome::Usage => ExitCode::from(2),
        },
    }
}

/// What a command has to print, or why it ended without.
fn told(result: Result<String, fault::Fault>) -> (Outcome, io::Result<()>) {
    match result {
        Ok(text) => (Outcome::Fine, print(&text)),
        Err(fault) => {
            tell(&format_args!("error: {fault}"));
            (fault.outcome, Ok(()))
        }
    }
}
