//! `ndcast completions`: a script that makes a shell complete the command's arguments.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    ndcast completions bash > ~/.local/share/bash-completion/completions/ndcast\n  \
    ndcast completions zsh > ~/.zfunc/_ndcast\n  \
    ndcast completions fish > ~/.config/fish/completions/ndcast.fish\n\n\
    Exit status: 0 fine, 1 it cannot be written, 2 the command line is at fault.")]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

/// What is to be printed.
pub(crate) fn run(arguments: &Arguments, mut command: Command) -> String {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    generate(arguments.shell, &mut command, name, &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
