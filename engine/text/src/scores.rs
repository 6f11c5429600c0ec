//! A score sheet without actions: rounds with their scores, and nothing else.

use super::form::GameError;
use super::given::{Given, GivenRecord};
use super::read;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::record::{EndReason, Player, Record, Remark, ScoreLine};
use canasta_rules::rules::Rules;
use canasta_rules::seat::Seat;

/// A score sheet, as it is written down.
pub struct ScoreText {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The id of the game, if it is written.
    pub game_id: Option<[u8; 16]>,
    /// The players by seat, with their keys if they are written.
    pub players: Vec<Player>,
    /// The rounds, in order.
    pub rounds: Vec<ScoreTextRound>,
    /// The number of the winning side or seat, `None` inside if nobody won; and the number of the line.
    pub winner: Option<(Option<u8>, u32)>,
    /// The notes.
    pub notes: Vec<String>,
}

/// A round of a score sheet.
pub struct ScoreTextRound {
    /// Number of the line of its end.
    pub line: u32,
    /// Number of the round, if it is written.
    pub number: Option<u32>,
    /// The dealer, if it is written.
    pub dealer: Option<Seat>,
    /// The end of the round, if it is written.
    pub reason: Option<EndReason>,
    /// The scores of the sides or seats.
    pub scores: Vec<WrittenScore>,
}

/// The score of a side or seat, as it is written down.
pub struct WrittenScore {
    /// Number of the side or seat.
    pub unit: u8,
    /// Number of the line.
    pub line: u32,
    /// The points of the round.
    pub total: i64,
    /// The items of the score; `None` if the total stands alone.
    pub lines: Option<Vec<ScoreLine>>,
}

/// Reads a score sheet in the notation of games.
///
/// # Errors
/// All lines that cannot be read, or are not of a score sheet; at most 100.
pub fn score_text(text: &str) -> Result<ScoreText, Vec<GameError>> {
    let (read, mut faults) = read::every_line(text);
    let Some(read) = read else { return Err(faults) };
    let (rules, game_id, players) =
        (read.head.rules.clone(), read.head.game_id, read.head.players().to_vec());
    let mut sheet =
        ScoreText { rules, game_id, players, rounds: Vec::new(), winner: None, notes: Vec::new() };
    let (mut number, mut dealer) = (None, None);
    for GivenRecord { line, column, given, score_lines } in read.entries {
        let mut refuse = |reason: &str| {
            faults.push(GameError { line, column, reason: String::from(reason) });
        };
        match given {
            Given::Register(register) => (number, dealer) = (register.round, register.rest.dealer),
            Given::RoundEnd(end) => {
                let scores = end.scores.unwrap_or_default().into_iter().zip(score_lines);
                let scores = scores.map(|(score, at)| WrittenScore {
                    unit: score.unit,
                    line: at.line,
                    total: at.alone.unwrap_or_else(|| score.total()),
                    lines: at.alone.is_none().then_some(score.lines),
                });
                let (number, dealer) = (end.round.or(number.take()), dealer.take());
                let scores = scores.collect();
                sheet.rounds.push(ScoreTextRound { line, number, dealer, reason: end.reason, scores });
            }
            Given::GameEnd { winner: Some(winner), .. } if sheet.winner.is_none() => {
                sheet.winner = Some((winner, line));
            }
            Given::GameEnd { .. } => refuse("expected one line with the winner"),
            Given::Whole(Record::Remark(Remark { by: Some(_), text, .. })) => sheet.notes.push(text),
            Given::Action(_) | Given::Refusal(_) | Given::Whole(_) => {
                refuse("a score sheet has no actions: import makes a log of a game with actions");
            }
        }
    }
    faults.sort_by_key(|fault| (fault.line, fault.column));
    faults.truncate(read::FAULTS_MAX);
    if faults.is_empty() { Ok(sheet) } else { Err(faults) }
}
