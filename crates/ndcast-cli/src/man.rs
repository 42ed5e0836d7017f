//! `ndcast man`: the manual pages, made from the command's own help.

use clap::{Args, Command};
use clap_mangen::Man;

use crate::fault::Fault;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    ndcast man | man -l -\n  \
    ndcast man explain > ndcast-explain.1\n\n\
    Exit status: 0 fine, 1 it cannot be written, 2 the command line is at fault.")]
pub(crate) struct Arguments {
    /// A subcommand; without one the page is the whole command's
    subcommand: Option<String>,
}

/// What is to be printed.
pub(crate) fn run(arguments: &Arguments, mut command: Command) -> Result<String, Fault> {
    command.build();
    let wanted = match &arguments.subcommand {
        None => command,
        Some(name) => command.find_subcommand(name).cloned().ok_or_else(|| {
            let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            Fault::usage(format!("there is no subcommand {name}; there are {}", names.join(", ")))
        })?,
    };
    let mut page = Vec::new();
    let source = concat!("ndcast ", env!("CARGO_PKG_VERSION"));
    let rendered = Man::new(wanted).source(source).render(&mut page);
    rendered.map_err(|error| Fault::data(error.to_string()))?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}
