//! Compares the ends of rounds and of the game with what the rules give.

use super::{same, says};
use crate::shared::text::list;
use canasta_engine::game::Acted;
use canasta_engine::game::Game;
use canasta_engine::log::record::{EndReason, GameEnd, RoundEnd, Score};
use canasta_engine::scoring::{GameResult, RoundScore};
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, RoundOver};
use canasta_engine::text::interchange::Derived;
use std::fmt;

/// The record that must come next.
pub(super) enum Due {
    RoundEnd(Box<FilledRound>),
    GameEnd(GameResult),
}

pub(super) struct FilledRound {
    attempt: u32,
    /// The dealer, if nobody dealt the draw for seats.
    dealer: Option<Seat>,
    score: RoundScore,
    /// The result, if the game has ended too.
    pub result: Option<GameResult>,
}

impl Due {
    /// Returns the record that must follow an action, if any.
    pub(super) fn after(before: &Game, after: &Game, acted: &Acted, dealer: Seat) -> Option<Self> {
        let number = before.table.round_number();
        let is_voided = before.table.phase() != Phase::Setup && after.table.phase() == Phase::Setup;
        let voided = || RoundScore {
            number,
            over: RoundOver { reason: EndReason::Voided, seat: None, concealed: false },
            start_scores: before.table.scores().to_vec(),
            accounts: Vec::new(),
        };
        let score = acted.round.clone().or_else(|| is_voided.then(voided))?;
        let dealer = Some(dealer).filter(|_| number > 0);
        let (attempt, result) =
            (before.table.attempt().into(), acted.result.filter(|_| acted.round.is_some()));
        Some(Self::RoundEnd(Box::new(FilledRound { attempt, dealer, score, result })))
    }
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RoundEnd(ended) => {
                let RoundScore { number, over, .. } = &ended.score;
                write!(f, "the end of round {number} ({})", over.reason.name())
            }
            Self::GameEnd(result) => match result.winner {
                Some(winner) => write!(f, "the end of the game (winner {winner})"),
                None => f.write_str("the end of the game (nobody has won)"),
            },
        }
    }
}

/// Compares the recorded end of a round with the end that the rules give.
pub(super) fn compare_round_end(ended: &FilledRound, end: &RoundEnd, given: &Derived) -> Result<(), String> {
    let RoundScore { number, over, start_scores, .. } = &ended.score;
    same("round", Some(&end.round), &(*number).into())?;
    same("attempt", Some(&end.attempt), &ended.attempt)?;
    same("reason", Some(&end.reason.name()), &over.reason.name())?;
    present("seat", given.seat, over.seat)?;
    same("concealed", given.concealed.as_ref(), &over.concealed)?;
    present("dealer", given.dealer, ended.dealer)?;
    if let Some(start) = given.start_scores.as_ref().filter(|start| *start != start_scores) {
        return Err(says("start_scores", list(start), list(start_scores)));
    }
    for (at, score) in end.scores.iter().enumerate() {
        compare_score(at, score, ended, given)?;
    }
    Ok(())
}

fn compare_score(at: usize, score: &Score, ended: &FilledRound, given: &Derived) -> Result<(), String> {
    let place = |field: &str| format!("sides[{at}].{field}");
    let Some(account) = ended.score.accounts.get(usize::from(score.unit)) else {
        return Err(says(&format!("sides[{at}]"), "a score", "none"));
    };
    let stated = score.lines.iter().filter(|line| line.points != 0);
    let lines = account.lines.iter().filter(|line| line.points != 0);
    for line in stated.clone() {
        let field = format!("lines.{}", line.item.name());
        let Some(follows) = lines.clone().find(|follows| follows.item == line.item) else {
            return Err(says(&place(&field), line.points, "no such line"));
        };
        same(&place(&field), Some(&line.points), &follows.points)?;
        if let (Some(count), follows) = (line.count, follows.count.unwrap_or_default()) {
            same(&place(&format!("{field}.count")), Some(&u32::from(count)), &u32::from(follows))?;
        }
    }
    let missing = lines.clone().find(|line| !stated.clone().any(|stated| stated.item == line.item));
    if let Some(line) = missing.filter(|_| !score.lines.is_empty()) {
        return Err(says(&place(&format!("lines.{}", line.item.name())), "no such line", line.points));
    }
    if stated.clone().count() > lines.count() {
        return Err(says(&place("lines"), "an item twice", "each item once"));
    }
    let total = given.totals.as_ref().and_then(|totals| totals.get(at));
    same(&place("total"), total, &account.total.into())?;
    let cumulative = given.cumulative.iter().flatten().find(|(unit, _)| *unit == score.unit);
    same(&place("cumulative"), cumulative.map(|(_, points)| points), &account.cumulative)
}

pub(super) fn compare_game_end(
    result: &GameResult,
    scores: &[i32],
    end: &GameEnd,
    given: &Derived,
) -> Result<(), String> {
    let winner = result.winner.map(|unit| unit.0);
    if end.winner != winner {
        let name = |winner: Option<u8>| winner.map_or_else(|| "nobody".to_owned(), |unit| unit.to_string());
        return Err(says("winner", name(end.winner), name(winner)));
    }
    same("margin", given.margin.as_ref(), &result.margin)?;
    for (at, (unit, points)) in given.cumulative.iter().flatten().enumerate() {
        let place = format!("sides[{at}].cumulative");
        match scores.get(usize::from(*unit)) {
            Some(score) => same(&place, Some(points), score)?,
            None => return Err(says(&place, points, "none")),
        }
    }
    Ok(())
}

/// Compares a seat, if the record gives it.
fn present(field: &str, given: Option<Seat>, follows: Option<Seat>) -> Result<(), String> {
    match (given, follows) {
        (Some(given), None) => Err(says(field, given, "none")),
        (given, Some(follows)) => same(field, given.as_ref(), &follows),
        (None, None) => Ok(()),
    }
}
