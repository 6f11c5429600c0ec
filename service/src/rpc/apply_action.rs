//! ApplyAction.

use canasta_engine::action::As;
use canasta_engine::log::writer::{Acted, Stamp, act, refuse};
use canasta_engine::rules::ScoreUnit;
use canasta_engine::state::State;
use canasta_engine::token::{self, Catalogue};
use canasta_engine::view::events;
use canasta_proto::v1::{
    Accepted, ApplyActionRequest, ApplyActionResponse, Recorded, apply_action_response::Outcome,
};

use crate::convert::field::{fault, within};
use crate::convert::{action, event, log, score, view, violation};
use crate::desk;
use crate::status::Fault;

/// Longest time between two records: a year. Sums of such times cannot overflow.
const MAX_ELAPSED_MS: u64 = 31_536_000_000;

/// The judgement, and the state after a legal action.
pub fn answer(catalogue: &Catalogue, request: ApplyActionRequest) -> Result<ApplyActionResponse, Fault> {
    let action = action::read(request.action)?;
    let (mut state, who) = desk::open(catalogue, &request.state, request.r#as)?;
    desk::expect(&state, request.expected_seq, &request.expected_head)?;
    let stamp = stamp(request.elapsed_ms)?;
    let wanted = Wanted { events: request.want_events, view: request.want_view };
    let outcome = match act(&mut state, who, &action, stamp) {
        Ok(acted) => Outcome::Accepted(accepted(&state, who, acted, wanted)),
        Err(rejection) => {
            let mut rejected = violation::write(&rejection, &desk::books(&state));
            if request.record_refusal {
                let frames = refuse(&mut state, who, &action, &rejection, stamp).map_err(log::fault)?;
                rejected.recorded = Some(recorded(&state, frames));
            }
            Outcome::Rejected(rejected)
        }
    };
    Ok(ApplyActionResponse { outcome: Some(outcome) })
}

/// What of the answer the caller wants.
struct Wanted {
    events: bool,
    view: bool,
}

fn stamp(elapsed_ms: Option<u64>) -> Result<Stamp, Fault> {
    match elapsed_ms {
        Some(elapsed) if elapsed > MAX_ELAPSED_MS => {
            Err(within("elapsed_ms")(fault(format!("{elapsed}, at most {MAX_ELAPSED_MS}"))).into())
        }
        elapsed_ms => Ok(Stamp { elapsed_ms, signature: None }),
    }
}

fn accepted(state: &State, who: As, acted: Acted, wanted: Wanted) -> Accepted {
    let link = state.link();
    let by_seat = state.set().score_unit == ScoreUnit::Seat;
    let events = if wanted.events { events(&acted.events, who) } else { Vec::new() };
    Accepted {
        state: token::encode(state),
        n: link.n,
        seq: link.seq,
        head: link.head.into(),
        frames: acted.frames,
        events: events.iter().map(event::write).collect(),
        view: wanted.view.then(|| view::write(state, who)),
        round_end: acted.round.map(|round| score::round_end(&round, by_seat)),
        game_end: acted.result.map(|result| score::game_end(&result, state.scores())),
    }
}

fn recorded(state: &State, frames: Vec<u8>) -> Recorded {
    let link = state.link();
    Recorded { state: token::encode(state), n: link.n, seq: link.seq, head: link.head.into(), frames }
}
