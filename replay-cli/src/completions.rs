//! `completions`: a script that completes the command line in a shell.

use crate::shared::io::{Exit, Io};
use clap_complete::{Shell, generate};
use std::io::Write;

/// The arguments of `completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The shell that reads the script
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

const EXAMPLES: &str = "\
Exit codes: 0 written, 2 failure.

Examples:
  canasta-replay completions bash > ~/.local/share/bash-completion/completions/canasta-replay
  canasta-replay completions fish > ~/.config/fish/completions/canasta-replay.fish";

/// Writes the script for the given command line.
pub fn run(args: &Args, mut command: clap::Command, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = command.get_name().to_owned();
    // `generate` panics if its writer fails, and a closed pipe must not cause a panic.
    let mut script = Vec::new();
    generate(args.shell, &mut command, &name, &mut script);
    let mut script = String::from_utf8(script)?;
    if args.shell == Shell::Bash {
        // The generator spells a hyphen of the program's name in one way where it sets the state, in another where it
        // reads it.
        script = script.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"));
    }
    io.out.write_all(script.as_bytes())?;
    Ok(Exit::Clean)
}
