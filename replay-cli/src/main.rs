//! The program `canasta-replay`: the library with the process's arguments and streams.

use canasta_replay::{Cli, Exit, Io, run};
use clap::Parser;
use std::io::{IsTerminal, stderr, stdin, stdout};

fn main() -> std::process::ExitCode {
    let cli = Cli::parse();
    let mut io = Io::new(stdin(), stdout().lock(), stderr(), stderr().is_terminal());
    io.terminal = stdout().is_terminal();
    let exit = match run(&cli.command, &mut io) {
        Ok(exit) => exit,
        Err(error) => {
            eprintln!("canasta-replay: {error:#}");
            Exit::Failure
        }
    };
    exit.into()
}
