//! Method GetStep.

use canasta_engine::action::As;
use canasta_engine::log::audit::Expect;
use canasta_engine::log::record::Genesis;
use canasta_engine::rules::ScoreUnit;
use canasta_engine::view::events;
use canasta_proto::v1::{
    GetStepRequest, GetStepResponse, StepQuestion, Unknown, View, get_step_request::Part,
};
use tonic::{Status, Streaming};

use super::intake::{self, LogMessage};
use super::record;
use super::step_audit::{FoundRecord, RecordFacts, StepAudit};
use crate::context::RequestContext;
use crate::convert::field::{required, within};
use crate::convert::{event, identity, score, view};
use crate::identity::Caller;
use crate::status::RequestFault;
use crate::telemetry::method::Method;
use crate::telemetry::trail::Trail;
use crate::workers::{CallerWorkers, CancelOnDrop};

/// Answers a record and the position after it.
pub async fn answer(
    ctx: &RequestContext,
    workers: &CallerWorkers,
    caller: &Caller,
    trail: &Trail,
    stream: Streaming<GetStepRequest>,
) -> Result<GetStepResponse, Status> {
    let cancel = CancelOnDrop::default();
    let split = |request: GetStepRequest| {
        request.part.map(|part| match part {
            Part::Question(question) => LogMessage::Question(question),
            Part::Chunk(chunk) => LogMessage::Chunk(chunk),
        })
    };
    let (audit, who) = intake::read(workers, Method::GET_STEP, &cancel, stream, split, open).await?;
    let (report, facts, found) = workers.run(Method::GET_STEP, move || audit.find()).await??;
    ctx.may_audit(caller, trail, report.genesis.as_ref(), who)?;
    let unknown = facts.unknown(&report);
    Ok(write(&facts, &found, unknown, who, report.genesis.as_ref()))
}

/// Reads the question and begins the audit.
pub fn open(question: StepQuestion) -> Result<(StepAudit, As), RequestFault> {
    let who = identity::read(question.actor)?;
    let n = required(question.n).map_err(within("n"))?;
    Ok((StepAudit::new(Expect { live: true, ..Expect::default() }, Some(n)), who))
}

fn write(
    facts: &RecordFacts,
    found: &FoundRecord,
    unknown: Unknown,
    who: As,
    genesis: Option<&Genesis>,
) -> GetStepResponse {
    let after = facts.after();
    let mut seen = after.as_ref().map(|state| view::write(state, who));
    if let Some(view) = &mut seen {
        if let Some(genesis) = genesis {
            view.game_id = genesis.game_id.into();
            name_players(view, genesis);
        }
        // The table of an audit has no chain, so the record's own number and head stand in the view.
        (view.n, view.seq, view.head) = (facts.n, facts.seq, found.head.into());
    }
    let by_seat = after.as_ref().is_some_and(|state| state.set().score_unit == ScoreUnit::Seat);
    let events = facts.events.as_deref().map(|happened| events(happened, who)).unwrap_or_default();
    let scores = |state: &canasta_engine::table::Table| match &facts.score {
        // These are the totals after the round that this record books.
        Some(score) => score.accounts.iter().map(|account| account.cumulative).collect(),
        None => state.scores().to_vec(),
    };
    GetStepResponse {
        record: Some(record::write(found, facts, who)),
        events: events.iter().map(event::write).collect(),
        unknown: if seen.is_some() { Unknown::Unspecified } else { unknown }.into(),
        view: seen,
        round_end: facts.score.as_ref().map(|round| score::round_end(round, by_seat)),
        game_end: facts
            .result
            .zip(after.as_ref())
            .map(|(result, state)| score::game_end(&result, &scores(state))),
    }
}

/// Writes the names of the players, which a log has and a state has not.
fn name_players(view: &mut View, genesis: &Genesis) {
    for seat in &mut view.seats {
        if let Some(player) = genesis.players.get(seat.player as usize) {
            seat.name.clone_from(&player.name);
        }
    }
}
