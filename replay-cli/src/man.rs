//! `man`: manual pages of the program and its commands.

use crate::io::{Exit, Io};
use anyhow::Context;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `man`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The directory of the pages; it is created if it does not exist, and pages in it are replaced
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

const EXAMPLES: &str = "\
The program and each of its commands get one page, canasta-replay-COMMAND.1.

Exit codes: 0 written, 2 a page could not be written.

Example:
  canasta-replay man ~/.local/share/man/man1 && man canasta-replay-audit";

/// Writes the pages of the given command line.
pub fn run(args: &Args, command: clap::Command, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = || args.directory.display().to_string();
    fs::create_dir_all(&args.directory).with_context(name)?;
    clap_mangen::generate_to(command, &args.directory).with_context(name)?;
    writeln!(io.out, "wrote the manual pages to {}", name())?;
    Ok(Exit::Clean)
}
