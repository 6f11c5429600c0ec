//! `fmt`: formats the notation of a game.

use crate::shared::caret::pointed_in_game;
use crate::shared::io::{Exit, Io, Wrong};
use crate::shared::output::OutputFile;
use crate::shared::paths;
use crate::shared::paths::in_utf8;
use crate::shared::text::join;
use canasta_engine::text::{TEXT_MAX, formatted};
use std::io::Write;
use std::path::PathBuf;

/// The arguments of `fmt`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The notation of a game (docs/formats/NOTATION.md), or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the result to the file itself, if it differs
    #[arg(short, long, conflicts_with = "check")]
    write: bool,
    /// Write nothing: exit code 1 if the file is not formatted
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "\
Actions, cards and seats get their strict spelling; blanks and empty lines are evened out. Comments stay, \
and nothing is left out: the text describes the same game. The id of a game whose text names none follows from \
the text; it is written down (`game ...`), so that the game stays the same when lines are added. Lines that cannot be read are named, all at once, and \
nothing is written.

Exit codes: 0 formatted; 1 the text cannot be read, or --check found a difference; 2 a file could not be \
read or written.

Examples:
  canasta-replay fmt table-7.txt
  canasta-replay fmt --write table-7.txt";

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let name = args.file.display().to_string();
    if args.write {
        paths::named_file(&args.file, "the text is written to its file")?;
    }
    let bytes = paths::read(&args.file, TEXT_MAX as u64, &mut io.input)?;
    let text = in_utf8(&bytes).map_err(|reason| Wrong(format!("{name}: {reason}")))?;
    let formatted = formatted(text).map_err(|faults| {
        let faults = join(faults.iter().map(|fault| pointed_in_game(text, fault)), "\n");
        Wrong(format!("{name}: {faults}"))
    })?;
    let differs = formatted != text;
    match (args.write, args.check) {
        (false, false) => io.out.write_all(formatted.as_bytes())?,
        _ if !differs => {}
        (true, _) => OutputFile::in_place(&args.file)?.write(formatted.as_bytes(), &mut io.out)?,
        (false, true) => {
            return io.finding(format_args!("{name}: not formatted (canasta-replay fmt --write formats it)"));
        }
    }
    Ok(Exit::Clean)
}
