//! `sinew completions`: shell completion of arguments.

use crate::output;
use clap::CommandFactory;
use clap_complete::Shell;
use std::process::ExitCode;

/// Print a script for shell completion of this command
#[derive(clap::Args)]
#[command(after_help = "Example: sinew completions bash > ~/.local/share/bash-completion/completions/sinew")]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub fn main<Command: CommandFactory>(args: &Args) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Command::command(), "sinew", &mut script);
    output::print(&String::from_utf8_lossy(&script));
    ExitCode::SUCCESS
}
