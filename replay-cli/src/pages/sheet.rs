//! `sheet`: writes a sheet to print, on which a game with real cards is recorded and scored, or checks a score sheet.

mod paper;

use crate::rulesets::house::RuleSetFile;
use crate::shared::html::visible;
use crate::shared::html::{head, style};
use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::output::OutputFile;
use crate::shared::text::PlayerNames;
use canasta_engine::rules::{RuleSet, Rules, ScoreUnit};
use canasta_engine::scoring::{Item, may_score};
use canasta_engine::seat::Unit;
use maud::{DOCTYPE, Markup, html};
use std::path::PathBuf;

const STYLE: &str = include_str!("sheet.css");
/// Number of rounds for which there are columns of scores.
const ROUNDS: u32 = 6;
/// Number of lines for turns.
const TURNS: u32 = 44;

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
The sheet has the lines that docs/judge/TRANSCRIPT.md describes: whoever types them gets a log. Print it from a \
browser; it needs no network.

With --check the score lines of a game are counted again: sums, what one round of the rule set can pay (bonuses, threes, who \
goes out, the worth of the pack), the minimum of each side in each round, the end of the game and its winner; of a sheet that \
`sign --sheet` wrote, the signatures too. A total may stand alone, and is read as far as it goes. The verdict is \
SCORES_ONLY, never more: without actions nobody can say whether the cards give these scores.

Exit codes of a check: 0 the scores hold; 1 a fault, or the second sheet differs; 2 a file could not be read.

Examples:
  canasta-replay sheet classic-4p -o sheet.html
  canasta-replay sheet --check table-7.txt --second other.txt --photo table-7.jpg";

/// Writes the sheet, or checks one.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(file) = &args.check {
        return paper::check(file, args, io);
    }
    let output = OutputFile::new(&args.output, args.force, [&args.rules])?;
    let rules = RuleSetFile::find(&args.rules, io)?.playable()?;
    output.write(page(&rules).as_bytes(), &mut io.out)?;
    Ok(Exit::Clean)
}

fn page(rules: &Rules) -> String {
    let style = format!("{}\n{STYLE}", style());
    let title = html! { "Canasta · " (visible(rules.id())) };
    let names = PlayerNames::seats_of(rules.set());
    html! {
        (DOCTYPE) "\n"
        html lang="en" {
            (head(&title, &style))
            body class="sheet" {
                h1 { (title) }
                (beginning(rules, &names))
                (turns())
                (scores(rules.set(), &names))
                (reminder())
            }
        }
    }
    .into_string()
}

/// Returns the lines before the first turn, as the notation of a game has them.
fn beginning(rules: &Rules, names: &PlayerNames) -> Markup {
    html! {
        section class="head" {
            p { code { "rules " (visible(rules.id())) } "   " code { "cards transcribed" } "   started" span class="gap" {} }
            p { code { "seats " } @for seat in names.seats() { (names.seat(seat)) span class="gap" {} } }
            p { code { "round " } span class="gap short" {} code { " dealer " } span class="gap short" {}
                code { " upcards " } span class="gap short" {} " table" span class="gap short" {} }
        } "\n"
    }
}

fn turns() -> Markup {
    let half = TURNS / 2;
    html! {
        section class="turns" {
            @for column in 0..2 {
                table {
                    tr { th { "seat" } th { "what the seat does: draw, take, meld, discard" } }
                    @for _ in column * half..(column + 1) * half { tr { td {} td {} } }
                }
            }
        } "\n"
    }
}

/// Returns a table with a row for each line of the score sheet that the rule set may pay.
fn scores(set: &RuleSet, names: &PlayerNames) -> Markup {
    let units = || (0..set.unit_count()).map(Unit);
    let unit = |unit: Unit| match set.score_unit {
        ScoreUnit::Seat => names.seat(canasta_engine::seat::Seat(unit.0)),
        ScoreUnit::Side => names.unit(unit),
    };
    html! {
        section class="scores" {
            table {
                tr { th { "score" } @for round in 1..=ROUNDS { th colspan=(set.unit_count()) { "round " (round) } } }
                tr { td {} @for _ in 0..ROUNDS { @for each in units() { td class="unit" { (unit(each)) } } } }
                @for item in Item::ALL.into_iter().filter(|item| may_score(set, *item)) {
                    tr { td { code { (item.name()) } } @for _ in 0..ROUNDS { @for _ in units() { td {} } } }
                }
                @for sum in ["total", "so far"] {
                    tr class="sum" { td { (sum) } @for _ in 0..ROUNDS { @for _ in units() { td {} } } }
                }
            }
        } "\n"
    }
}

/// Returns how the lines are written.
fn reminder() -> Markup {
    html! {
        section class="how" {
            p {
                "Cards: rank A K Q J T 9 … 2 and suit s h d c, joker X; ?? is a card that nobody knows. "
                code { "N: draw 6h, meld KsKhKd / QsQh2c, discard 4d" } " · "
                code { "E: take 7h 7d, discard 9c" } " · " code { "S: ask" } " · " code { "N: answer yes" } " · "
                code { "W: refused take Kh 2s" } " · " code { "director: note …" } " · " code { "end went_out" }
            }
        } "\n"
    }
}
