//! `sheet`: writes a sheet to print, on which a game with real cards is recorded and scored, or checks a score sheet.

mod page;
mod paper;

use crate::rulesets::house::RuleSetFile;
use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::output::OutputFile;
use std::path::PathBuf;

/// The arguments of `sheet`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A rule set, or a file of house rules
    #[arg(value_name = "RULESET", default_value = "classic-4p")]
    rules: String,
    /// The file of the page, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Overwrite FILE if it exists; a file that is read is never written over
    #[arg(long)]
    force: bool,
    /// Check a score sheet that was typed, or that players have signed: rounds with `end` and `score` lines, without actions
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "output", "force"])]
    check: Option<PathBuf>,
    /// A photograph of the sheet, whose digest is told and looked for among the notes of the sheet. May be given several
    /// times
    #[arg(long, value_name = "FILE", requires = "check")]
    photo: Vec<PathBuf>,
    /// The sheet of a second scorer, which must have the same scores
    #[arg(long, value_name = "FILE", requires = "check")]
    second: Option<PathBuf>,
    /// The promises of the tournament (TOML), whose register says with which keys players sign
    #[arg(long, value_name = "FILE", requires = "check")]
    policy: Option<PathBuf>,
    /// Format of the result of a check
    #[arg(long, value_enum, default_value_t, requires = "check")]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
The first page is the score sheet of the rule set: every line that it can score with its worth, the minimum of the initial \
meld, what going out needs, and how the game ends. The second has the lines that docs/judge/TRANSCRIPT.md describes: whoever \
types them gets a log. Print it from a browser on A4; it needs no network. `--lang de` writes it in German.

With --check the score lines of a game are counted again: sums, what one round of the rule set can pay (bonuses, threes, who \
goes out, the worth of the pack), the minimum of each side in each round, the end of the game and its winner; of a sheet that \
`sign --sheet` wrote, the signatures too. A total may stand alone, and is read as far as it goes. The verdict is \
SCORES_ONLY, never more: without actions nobody can say whether the cards give these scores.

Exit codes of a check: 0 the scores hold; 1 a fault, or the second sheet differs; 2 a file could not be read.

Examples:
  canasta-replay sheet classic-4p -o sheet.html
  canasta-replay sheet club.toml --lang de -o zettel.html
  canasta-replay sheet --check table-7.txt --second other.txt --photo table-7.jpg";

/// Writes the sheet, or checks one.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(file) = &args.check {
        return paper::check(file, args, io);
    }
    let output = OutputFile::new(&args.output, args.force, [&args.rules])?;
    let rules = RuleSetFile::find(&args.rules, io)?.playable()?;
    output.write(page::page(&rules, io.language).as_bytes(), &mut io.out)?;
    Ok(Exit::Clean)
}
