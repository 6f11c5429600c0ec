//! Score sheets and results, written as messages.

use canasta_engine::scoring::{Account, Line, RoundScore};
use canasta_engine::state::EndReason;
use canasta_proto::v1::{self as pb, score::Owner};

/// Writes how a round ended. `by_seat`: seats keep the score, not sides.
pub fn round_end(score: &RoundScore, attempt: u16, by_seat: bool) -> pb::RoundEnd {
    let owner = |index: usize| if by_seat { Owner::Seat(index as u32) } else { Owner::Side(index as u32) };
    let sheet = |(index, account): (usize, &Account)| pb::Score {
        owner: Some(owner(index)),
        lines: account.lines.iter().map(line).collect(),
        total: account.total,
        cumulative: account.cumulative,
    };
    pb::RoundEnd {
        round: score.number.into(),
        attempt: attempt.into(),
        reason: reason(score.over.reason).into(),
        seat: score.over.seat.map(|seat| seat.0.into()),
        concealed: score.over.concealed,
        scores: score.accounts.iter().enumerate().map(sheet).collect(),
    }
}

fn line(line: &Line) -> pb::ScoreLine {
    pb::ScoreLine { item: line.item.name().into(), count: line.count.map(u32::from), points: line.points }
}

fn reason(reason: EndReason) -> pb::RoundEndReason {
    match reason {
        EndReason::Drawn => pb::RoundEndReason::Drawn,
        EndReason::WentOut => pb::RoundEndReason::WentOut,
        EndReason::StockExhausted => pb::RoundEndReason::StockExhausted,
        EndReason::LastThree => pb::RoundEndReason::LastThree,
        EndReason::LastDrawerDone => pb::RoundEndReason::LastDrawerDone,
        EndReason::SpecialHand => pb::RoundEndReason::SpecialHand,
        EndReason::Ruled => pb::RoundEndReason::Ruled,
        EndReason::Voided => pb::RoundEndReason::Voided,
    }
}
