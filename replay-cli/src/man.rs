//! `man`: manual pages of the program and its commands.

use crate::shared::io::{Exit, Io};
use crate::shared::output::OutputFile;
use anyhow::Context;
use clap_mangen::Man;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `man`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The directory of the pages; it is created if it does not exist
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Overwrite pages that exist
    #[arg(long)]
    force: bool,
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
    let mut command = command.disable_help_subcommand(true);
    command.build();
    write_pages(args, &command, io)?;
    writeln!(io.out, "wrote the manual pages to {}", name())?;
    Ok(Exit::Clean)
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(args: &Args, command: &clap::Command, io: &mut Io<'_>) -> anyhow::Result<()> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        write_pages(args, subcommand, io)?;
    }
    let (man, mut page) = (Man::new(command.clone()), Vec::new());
    man.render(&mut page)?;
    let page = with_sections(&String::from_utf8(page)?);
    OutputFile::new(&args.directory.join(man.get_filename()), args.force, [""; 0])?
        .write(page.as_bytes(), &mut io.out)
}

/// Returns the page with the sections that manual pages have; the generator puts all of them into one.
fn with_sections(page: &str) -> String {
    let page = page.replace("\n.SH EXTRA\n", "\n.SH NOTES\n");
    let page = ["Exit codes: ", "Exit codes of a check: "]
        .iter()
        .fold(page, |page, words| page.replace(&format!("\n{words}"), "\n.SH \"EXIT STATUS\"\n"));
    let page = ["Example", "Examples"]
        .iter()
        .fold(page, |page, word| page.replace(&format!("\n{word}:\n"), "\n.SH EXAMPLES\n"));
    page.replace("\n.SH NOTES\n.SH", "\n.SH")
}
