//! The gate before the engine: outside the time of play no seat acts, and no round begins after it (TF-007, TF-011,
//! TF-012). Such a refusal is never recorded, since by the rules of the game the action may be legal.

use canasta_engine::action::{Action, As};
use canasta_engine::game::Game;
use canasta_engine::rejection::{Field, Rejection, Violation};
use canasta_engine::table::Phase;
use canasta_engine::violations::Code;
use canasta_messages::answers::proposal::{ProposedRecord, ReadProposal};
use canasta_messages::convert::violation;
use canasta_proto::v1::Rejected;

use super::judge::Proposals;
use crate::entry::{EntryKind, JournalEntry};
use crate::timing;

/// Returns the refusal of an action outside the time of play; `None` if the engine is to judge it.
pub fn refuse(
    proposals: &Proposals,
    before: &JournalEntry,
    state: &Game,
    proposed: &ReadProposal,
) -> Option<Rejected> {
    let (clock, at) = (&proposals.settings.clock, proposals.at);
    let is_own = !matches!(proposals.kind, EntryKind::Acted);
    let ProposedRecord::Action(action) = &proposed.record else { return None };
    let plays = !matches!(action, Action::Ruling(_) | Action::Dispute { .. } | Action::Sign { .. });
    if is_own || !proposals.settings.has_clock() || !plays || state.table.phase() == Phase::GameOver {
        return None;
    }
    let is_early = timing::is_before_start(clock, at.time_ms) && matches!(proposed.who, As::Seat(_));
    let is_late = timing::is_stopped(before) || timing::is_time_up(clock, before, &state.table, at.time_ms);
    let state_fact = if is_late {
        "TIME_UP"
    } else if is_early {
        "NOT_STARTED"
    } else {
        return None;
    };
    let fault = Violation::new(Code::GameClock, Field::Action).fact("state", state_fact);
    let rejection = Rejection { action: action.kind(), violations: vec![fault], repairs_cut: false };
    Some(violation::write(&rejection, &state.table.rules().books()))
}
