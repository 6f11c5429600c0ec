//! Conversion of score sheets and results to messages.

use canasta_engine::citation::Books;
use canasta_engine::log::codes::END_REASONS;
use canasta_engine::rules::{Rules, ScoreUnit};
use canasta_engine::scoring::{self, Account, GameResult, Line, RoundScore};
use canasta_engine::table::{RoundOver, Table};
use canasta_proto::v1::{self as pb, score::Owner};

use super::choice;

/// Writes the end of a round with its scores.
pub fn round_end(score: &RoundScore, rules: &Rules) -> pb::RoundEnd {
    pb::RoundEnd { scores: accounts(&score.accounts, rules), ..unscored(score.number, score.over) }
}

/// Writes the accounts of all sides, or of all seats where seats keep the score.
pub fn accounts(accounts: &[Account], rules: &Rules) -> Vec<pb::Score> {
    let by_seat = rules.set().score_unit == ScoreUnit::Seat;
    let books = rules.books();
    let owner = |index: u32| if by_seat { Owner::Seat(index) } else { Owner::Side(index) };
    let sheet = |(index, account): (u32, &Account)| pb::Score {
        owner: Some(owner(index)),
        lines: account.lines.iter().map(|one| line(one, &books)).collect(),
        total: account.total,
        cumulative: account.cumulative,
    };
    (0..).zip(accounts).map(sheet).collect()
}

/// Writes the end of a round without its scores.
pub fn unscored(number: u16, over: RoundOver) -> pb::RoundEnd {
    pb::RoundEnd {
        round: number.into(),
        reason: choice::write(&END_REASONS, over.reason),
        seat: over.seat.map(|seat| seat.0.into()),
        concealed: over.concealed,
        scores: Vec::new(),
    }
}

/// Writes the result of a game that is over.
pub fn standing(table: &Table) -> pb::GameEnd {
    game_end(&scoring::standing(table), table.scores())
}

pub fn game_end(result: &GameResult, totals: &[i32]) -> pb::GameEnd {
    pb::GameEnd {
        winner: result.winner.map(|unit| unit.0.into()),
        margin: result.margin,
        totals: totals.to_vec(),
    }
}

fn line(line: &Line, books: &Books) -> pb::ScoreLine {
    pb::ScoreLine {
        item: line.item.name().into(),
        count: line.count.map(u32::from),
        points: line.points,
        rule_ids: line.item.rules(books).into_iter().map(String::from).collect(),
    }
}
