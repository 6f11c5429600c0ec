//! The command line.

use crate::arena::{self, player};
use crate::auditing::{audit, diff, verify_deal};
use crate::files::{append, export, fmt, import, keygen, pack, sign, simulate, unpack};
use crate::judging::{check, conform, explain, judge, position, records, rule, show, what_if};
use crate::pages::{link, report, sheet};
use crate::rulesets::rules;
use crate::shared::paint::ColorChoice;
use crate::tournament::{audit_tournament, compare, fetch, prove, publish, verify_proof, witness};
use crate::{completions, event, man, stats, step};
use canasta_engine::violations::template::Language;
use clap::{Parser, Subcommand};
use std::ffi::OsString;

/// Reads, checks and explains logs of the Canasta family.
///
/// The result goes to stdout; progress and errors go to stderr. Exit codes: 0 clean; 1 findings; 2 failure (usage,
/// input and output, nothing found).
#[derive(Parser, Debug)]
#[command(name = "canasta-replay", version, max_term_width = 110, after_help = EXAMPLES)]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
    /// Write the result alone: no progress and no remarks; failures are still named, and the exit code tells of findings
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// When text results have colours
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Language of the sentences about games, of laws and of statistics: en or de [default: that of LC_ALL, LC_MESSAGES or LANG;
    /// if they name no known language, that of the words that are typed]. Other rules are in English
    #[arg(long, global = true, value_name = "LANG", value_parser = language)]
    pub lang: Option<Language>,
}

impl Cli {
    /// Returns the language of sentences: the one that was asked for, else that of the environment, if it is known.
    pub fn language(&self, variable: impl Fn(&str) -> Option<OsString>) -> Option<Language> {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).unwrap_or_default();
        let locale = locale.to_string_lossy().to_lowercase();
        let tag = locale.split(['_', '-', '.', '@']).next().unwrap_or_default();
        self.lang.or_else(|| Language::from_tag(tag))
    }
}

fn language(tag: &str) -> Result<Language, String> {
    Language::from_tag(tag).ok_or_else(|| "expected en or de".into())
}

impl Command {
    /// Whether the result is text for people, which may have colours.
    pub fn is_for_people(&self) -> bool {
        matches!(
            self,
            Self::Audit(_)
                | Self::Check(_)
                | Self::Explain(_)
                | Self::Log(_)
                | Self::Review(_)
                | Self::Show(_)
                | Self::WhatIf(_)
        )
    }
}

const EXAMPLES: &str = "\
Examples:
  canasta-replay simulate --games 10 --seed 1 --out games     ten whole games to experiment with
  canasta-replay audit games                                  audit every log below a directory
  canasta-replay show games/game-000000.clog --at 57          the table after record 57
  canasta-replay explain PILE_FROZEN_NEEDS_PAIR               the meaning of a code, with an example";

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Audit logs from their own bytes alone
    Audit(audit::Args),
    /// List the records of a log with their numbers
    Log(records::Args),
    /// Show the table after a record of a log; without a number, the last one
    #[command(after_help = show::EXAMPLES)]
    Show(show::WantedRecord),
    /// Print the position after a record in notation, with ?? for unknown cards
    #[command(after_help = position::EXAMPLES)]
    Position(show::WantedRecord),
    /// Step through a game in the terminal: the table, every record, reasons and alternatives
    Step(step::Args),
    /// Write a game as one HTML page: the table to step through, reasons, score sheets, the audit
    Report(report::Args),
    /// Write a whole game as a link that a page opens and judges itself
    Link(link::Args),
    /// Count over many games: lengths, scores, going out, piles, melds, refusals, and whether deals look
    /// honest
    Stats(stats::Args),
    /// Set every decision of a game beside that of the bot, from what its seat knew: points lost, and the luck of the deals
    Review(stats::review::Args),
    /// Check the file of an event, and make its table of results from logs and sheets
    Event(event::Args),
    /// Explain a violation code, a rule, or why a record was refused or allowed
    Explain(explain::Args),
    /// Judge another action at a record of a log, and show what would follow
    WhatIf(what_if::Args),
    /// Judge an action in a position, without a log
    Check(check::Args),
    /// Find the law for what went wrong at a table, and write the ruling
    Rule(rule::Args),
    /// Verify that the deals of a log were fixed beforehand
    VerifyDeal(verify_deal::Args),
    /// Compare two copies of a log
    Diff(diff::Args),
    /// Append frames to a log, safely stored
    Append(append::Args),
    /// Make a key that signs checkpoints
    Keygen(keygen::Args),
    /// Sign a checkpoint over the last record of a log
    Sign(sign::Args),
    /// Publish games so that no game can be changed or dropped later
    Publish(publish::Args),
    /// Audit a published tournament: every game, every proof, every signature
    AuditTournament(audit_tournament::Args),
    /// Fetch the logs of a recorder's games while they are played
    Fetch(fetch::Args),
    /// Cosign checkpoints of tournaments that only grow
    Witness(witness::Args),
    /// Write the proof of one game as a page that checks itself in a browser
    Prove(prove::Args),
    /// Check the proof of one game from its block of data alone
    VerifyProof(verify_proof::Args),
    /// Compare two checkpoints of a tournament: equal, prefix or fork
    Compare(compare::Args),
    /// Write a log as text, one JSON object per line
    Export(export::Args),
    /// Format the notation of a game
    Fmt(fmt::Args),
    /// Make a log from its text form, or check the text
    Import(import::Args),
    /// Pack many logs into one small archive
    Pack(pack::Args),
    /// Extract logs from an archive, list it, or check it
    Unpack(unpack::Args),
    /// Judge proposed actions in the positions of a log
    Judge(judge::Args),
    /// Answer the questions of the conformance kit, one per line
    Conform(conform::Args),
    /// List rule sets, or show one
    Rules(rules::Args),
    /// Write a sheet to print, on which a game with real cards is recorded and scored
    Sheet(sheet::Args),
    /// Play whole games, the same for the same seed, and write their logs
    Simulate(simulate::Args),
    /// Play players against each other on the same deals: programs, levels of the bot, random players
    Arena(arena::Args),
    /// Play as the bot for a program that speaks the players' protocol
    Player(player::Args),
    /// Write a script that completes this command line in a shell
    Completions(completions::Args),
    /// Write the manual pages
    Man(man::Args),
}
