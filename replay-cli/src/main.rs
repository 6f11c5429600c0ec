//! The program `canasta-replay`: the library with the process's arguments and streams.

use canasta_replay::{Cli, Exit, Io, in_words, run};
use clap::Parser;
use std::io::{IsTerminal, stderr, stdin, stdout};

fn main() -> std::process::ExitCode {
    let cli = Cli::parse();
    // Standard output stays unlocked: a signal leaves the screen of `step` from another thread.
    let mut io = Io::new(stdin(), stdout(), stderr(), stderr().is_terminal());
    io.terminal = stdout().is_terminal();
    let exit = match run(&cli.command, &mut io) {
        Ok(exit) => exit,
        Err(error) => {
            eprintln!("canasta-replay: {}", in_words(&error));
            Exit::Failure
        }
    };
    exit.into()
}
