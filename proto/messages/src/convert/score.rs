//! Conversion of score sheets and results to messages.

use canasta_engine::log::codes::END_REASONS;
use canasta_engine::scoring::{self, Account, GameResult, Line, RoundScore};
use canasta_engine::table::{RoundOver, Table};
use canasta_proto::v1::{self as pb, score::Owner};

use super::choice;

/// Writes the end of a round with its scores. `by_seat`: each seat has a score, not each side.
pub fn round_end(score: &RoundScore, by_seat: bool) -> pb::RoundEnd {
    let owner = |index: usize| if by_seat { Owner::Seat(index as u32) } else { Owner::Side(index as u32) };
    let sheet = |(index, account): (usize, &Account)| pb::Score {
        owner: Some(owner(index)),
        lines: account.lines.iter().map(line).collect(),
        total: account.total,
        cumulative: account.cumulative,
    };
    let scores = score.accounts.iter().enumerate().map(sheet).collect();
    pb::RoundEnd { scores, ..unscored(score.number, score.over) }
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

/// Writes the result of a game with these totals.
pub fn game_end(result: &GameResult, totals: &[i32]) -> pb::GameEnd {
    pb::GameEnd {
        winner: result.winner.map(|unit| unit.0.into()),
        margin: result.margin,
        totals: totals.to_vec(),
    }
}

fn line(line: &Line) -> pb::ScoreLine {
    pb::ScoreLine { item: line.item.name().into(), count: line.count.map(u32::from), points: line.points }
}
