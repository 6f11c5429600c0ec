//! The file of an event, as it is written: docs/EVENT.md describes every field.

use crate::auditing::audit::standings::{Criterion, MATCH_POINTS, Ranking};
use crate::shared::caret::near;
use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The name and version of the format.
pub const FORMAT: &str = "canasta-event/1";
/// Maximum size of the file, in bytes.
pub const BYTES_MAX: u64 = 1 << 20;
/// Maximum size of a name or reason, in bytes, and of a number.
const TEXT_MAX: usize = 200;
const NUMBER_MAX: i64 = 1_000_000;

/// An event as its file has it. Lists whose lines errors name have their places in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventFile {
    pub format: Spanned<String>,
    pub name: String,
    pub kind: Kind,
    /// A preset, or a file of house rules beside this one.
    pub rule_set: Option<String>,
    #[serde(default)]
    pub scoring: Scoring,
    #[serde(default)]
    pub entries: Vec<Spanned<EventEntry>>,
    #[serde(default)]
    pub rounds: Vec<Spanned<EventRound>>,
    #[serde(default)]
    pub forfeits: Vec<Spanned<TableDecision>>,
    #[serde(default)]
    pub adjustments: Vec<Spanned<TableDecision>>,
    #[serde(default)]
    pub penalties: Vec<Spanned<EntryPenalty>>,
    #[serde(default)]
    pub withdrawals: Vec<Spanned<Withdrawal>>,
}

/// The kind of what is ranked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Two players who always play together.
    Pairs,
    /// Any number of players, of whom some play at a table.
    Teams,
    /// Single players, whose partners change.
    Individual,
}

/// The rules by which results become standings.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scoring {
    /// The figure that ranks, unless it is the one against the field.
    pub ranking: Option<Ranking>,
    /// The comparison of the tables that play the same board.
    pub field: Option<FieldScale>,
    /// The figures of a side not at fault, of one without another table to compare with, and of one at fault.
    pub averages: Option<[i64; 3]>,
    /// The standard deviation of the difference between two tables of a board, in points.
    pub deviation: Option<i64>,
    /// The figures that break ties, in their order; absent: those of the ranking.
    pub tie_breaks: Option<Vec<Criterion>>,
    /// The match points of a game won, drawn and lost.
    pub match_points: [i64; 3],
    /// The worth of a table without opponents.
    pub bye: Credit,
    /// The worth of a forfeit for the others at the table (TF-022).
    pub forfeit: Option<Credit>,
    /// The worth of a game that broke off: its rounds that ended (TF-012), or nothing.
    pub unfinished: Worth,
    /// The worth of the games that an entry played before it withdrew.
    pub withdrawn: Worth,
    /// Numbers of entries, the best lot first.
    pub lots: Vec<u32>,
}

impl Default for Scoring {
    fn default() -> Self {
        Self {
            ranking: None,
            field: None,
            averages: None,
            deviation: None,
            tie_breaks: None,
            match_points: MATCH_POINTS,
            bye: Credit::default(),
            forfeit: None,
            unfinished: Worth::Void,
            withdrawn: Worth::Score,
            lots: Vec::new(),
        }
    }
}

/// The scale on which results of a board are compared with those of the other tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldScale {
    /// The mean of the differences in points.
    Difference,
    /// Two points for each lower result and one for each equal one, as percentage of what can be had.
    Matchpoints,
    /// The mean of the IMPs.
    Imps,
}

/// Match points and points without a game.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Credit {
    pub match_points: i64,
    pub points: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Worth {
    Void,
    Score,
}

/// One that is ranked: a pair, a team or a player.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventEntry {
    pub number: u32,
    pub players: Vec<String>,
    /// The name in the table; absent: the players.
    pub name: Option<String>,
    /// The first round, of an entry that came late.
    #[serde(default = "first")]
    pub from: u32,
}

fn first() -> u32 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventRound {
    pub number: u32,
    pub tables: Vec<Spanned<RoundTable>>,
    #[serde(default)]
    pub sits_out: Vec<u32>,
}

/// A table of a round. The entries are those of its sides, or of its seats in an individual event.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundTable {
    pub table: u32,
    #[serde(default)]
    pub board: u32,
    pub entries: Vec<u32>,
    /// The id of the game, unless it is the one that `event ids` gives.
    pub game: Option<String>,
}

/// A decision about a game: a forfeit, or on appeal its result, whatever logs and sheets say.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableDecision {
    pub round: u32,
    pub table: u32,
    #[serde(default)]
    pub board: u32,
    /// The entry that forfeits.
    pub entry: Option<u32>,
    /// The points of the sides, in the order of the table.
    pub points: Option<Vec<i64>>,
    /// The match points of the sides; absent: those that the points give.
    pub match_points: Option<Vec<i64>>,
    /// The figures of the sides against the field, which nothing is compared with.
    pub field: Option<Vec<i64>>,
    /// Whether the game counts for nobody.
    #[serde(default)]
    pub void: bool,
    pub reason: String,
    /// The official or jury that decided.
    pub by: Option<String>,
}

/// Points, match points or a figure against the field that an entry loses.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryPenalty {
    pub entry: u32,
    #[serde(default = "first")]
    pub round: u32,
    #[serde(default)]
    pub points: i64,
    #[serde(default)]
    pub match_points: i64,
    #[serde(default)]
    pub field: i64,
    pub reason: String,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Withdrawal {
    pub entry: u32,
    /// The first round that the entry does not play.
    pub from: u32,
    pub reason: String,
}

/// A remark on the file: a line from 1, and the text.
pub type Remark = (usize, String);

/// Parses the text of the file.
///
/// # Errors
/// The first place that is no TOML or not of the format, or all texts and numbers that are too large.
pub fn parse(text: &str) -> Result<EventFile, Vec<Remark>> {
    let broken = |error: toml::de::Error| {
        let mut message = error.message().replace('\n', "; ");
        // "unknown field `rnd`, expected one of `round`, `table`"
        let mut words = message.split('`').skip(1).step_by(2);
        let found = words.next().unwrap_or_default();
        let meant = near(found, words).first().map(|word| format!(" (did you mean {word}?)"));
        message += &meant.unwrap_or_default();
        vec![(line_of(text, error.span().map_or(0, |span| span.start)), message)]
    };
    let mut faults = Vec::new();
    let table = DeTable::parse(text).map_err(broken)?;
    table.get_ref().values().for_each(|value| bound(text, value, &mut faults));
    if faults.is_empty() { toml::from_str(text).map_err(broken) } else { Err(faults) }
}

/// Finds texts and numbers that are too large.
fn bound(text: &str, value: &Spanned<DeValue<'_>>, faults: &mut Vec<Remark>) {
    let fault = match value.get_ref() {
        DeValue::Array(all) => return all.iter().for_each(|value| bound(text, value, faults)),
        DeValue::Table(all) => return all.values().for_each(|value| bound(text, value, faults)),
        DeValue::String(found)
            if found.trim().is_empty() || found.len() > TEXT_MAX || found.contains(char::is_control) =>
        {
            format!("expected 1 to {TEXT_MAX} bytes without control characters, found {found:?}")
        }
        DeValue::Integer(found)
            if !found.as_str().parse().is_ok_and(|found: i64| found.abs() <= NUMBER_MAX) =>
        {
            format!("expected at most {NUMBER_MAX}, found {found}")
        }
        _ => return,
    };
    faults.push((line_of(text, value.span().start), fault));
}

/// Returns the number of the line, from 1, in which a byte stands.
pub fn line_of(text: &str, byte: usize) -> usize {
    text.bytes().take(byte).filter(|&byte| byte == b'\n').count() + 1
}
