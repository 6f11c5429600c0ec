//! The program `canasta-replay`: the library with the process's arguments and streams.

use canasta_replay::{Cli, Exit, Io, Painter, columns, in_words, run, wants_no_color};
use clap::Parser;
use ratatui::crossterm::terminal::size;
use std::io::{IsTerminal, Write, sink, stderr, stdin, stdout};

fn main() -> std::process::ExitCode {
    let cli = Cli::parse();
    // Standard output stays unlocked: a signal leaves the screen of `step` from another thread.
    let terminal = stdout().is_terminal();
    let no_color = wants_no_color(|name| std::env::var_os(name));
    let paints = cli.command.is_for_people() && cli.color.holds(terminal, no_color);
    let out: Box<dyn Write> = if paints { Box::new(Painter::new(stdout())) } else { Box::new(stdout()) };
    let err: Box<dyn Write> = if cli.quiet { Box::new(sink()) } else { Box::new(stderr()) };
    let mut io = Io::new(stdin(), out, err, stderr().is_terminal() && !cli.quiet);
    io.terminal = terminal;
    io.choose_language(cli.language(|name| std::env::var_os(name)));
    io.width = size().ok().filter(|_| terminal).and_then(|(width, _)| columns(width));
    let exit = match run(&cli.command, &mut io) {
        Ok(exit) => exit,
        Err(error) => {
            eprintln!("canasta-replay: {}", in_words(&error));
            Exit::Failure
        }
    };
    exit.into()
}
