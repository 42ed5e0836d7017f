//! What a person sees: stdout and stderr, how wide and how colourful they are.

use std::io::{self, IsTerminal, Write};

use clap::{ColorChoice, ValueEnum};
use ndcast::shape::explain::Paint;

/// When text is coloured.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    Auto,
    /// Even into a file or a pipe
    Always,
    /// Plain text
    Never,
}

/// Whether the environment is for colours.
fn coloured() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    !refused && !dumb
}

impl Color {
    /// Whether what goes to stdout is coloured.
    pub(crate) fn paint(self) -> Paint {
        let wanted = match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => io::stdout().is_terminal() && coloured(),
        };
        if wanted { Paint::Ansi } else { Paint::Plain }
    }
}

/// The columns of the terminal, within reason; so many if there is none.
pub(crate) fn width(without: usize) -> usize {
    let terminal = terminal_size::terminal_size_of(io::stdout());
    terminal.map_or(without, |(terminal_size::Width(columns), _)| usize::from(columns).clamp(40, 120))
}

/// The parser, told how its helps and its errors look. By itself it reads more of the environment than the command says.
pub(crate) fn shown(command: clap::Command) -> clap::Command {
    let terminals = io::stdout().is_terminal() && io::stderr().is_terminal();
    let color = if terminals && coloured() { ColorChoice::Always } else { ColorChoice::Never };
    command.term_width(width(100).min(100)).color(color)
}

/// Writes to stdout.
pub(crate) fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()
}

/// Writes a line to stderr, if it can be written to.
pub(crate) fn tell(message: &dyn std::fmt::Display) {
    // There is nowhere left to say that this failed.
    let _ = writeln!(io::stderr(), "{message}");
}
