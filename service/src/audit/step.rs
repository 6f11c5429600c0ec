//! GetStep.

use canasta_engine::action::As;
use canasta_engine::log::audit::Expect;
use canasta_engine::rules::ScoreUnit;
use canasta_engine::view::events;
use canasta_proto::v1::{GetStepRequest, GetStepResponse, StepQuestion, Unknown, get_step_request::Part};
use tonic::{Status, Streaming};

use super::follow::{Follower, Found, Moment};
use super::intake::{self, Piece};
use super::record;
use crate::bench::{Bench, Cancel};
use crate::context::RequestContext;
use crate::convert::{event, identity, score, view};
use crate::identity::Caller;
use crate::status::Fault;

/// A record and the position after it.
pub async fn answer(
    ctx: &RequestContext,
    bench: &Bench,
    caller: &Caller,
    stream: Streaming<GetStepRequest>,
) -> Result<GetStepResponse, Status> {
    let cancel = Cancel::default();
    let split = |request: GetStepRequest| {
        request.part.map(|part| match part {
            Part::Question(question) => Piece::Question(question),
            Part::Chunk(chunk) => Piece::Chunk(chunk),
        })
    };
    let (follower, who) = intake::read(bench, &cancel, stream, split, open).await?;
    let (report, moment, found) = bench.work(move || follower.find()).await??;
    ctx.may_audit(caller, report.genesis.as_ref(), who)?;
    let unknown = moment.unknown(&report);
    Ok(write(&moment, &found, unknown, who))
}

/// Reads the question.
pub fn open(question: StepQuestion) -> Result<(Follower, As), Fault> {
    let who = identity::read(question.r#as)?;
    Ok((Follower::new(Expect { live: true, ..Expect::default() }, Some(question.n)), who))
}

fn write(moment: &Moment, found: &Found, unknown: Unknown, who: As) -> GetStepResponse {
    let after = moment.after();
    let mut seen = after.as_ref().map(|state| view::write(state, who));
    if let Some(view) = &mut seen {
        // The audit keeps no chain in its states.
        (view.n, view.seq, view.head) = (moment.n, moment.seq, found.head.into());
    }
    let by_seat = after.as_ref().is_some_and(|state| state.set().score_unit == ScoreUnit::Seat);
    let events = moment.events.as_deref().map(|happened| events(happened, who)).unwrap_or_default();
    let scores = |state: &canasta_engine::state::State| match &moment.score {
        // Totals after the round that this record books.
        Some(score) => score.accounts.iter().map(|account| account.cumulative).collect(),
        None => state.scores().to_vec(),
    };
    GetStepResponse {
        record: Some(record::write(found, moment, who)),
        events: events.iter().map(event::write).collect(),
        unknown: if seen.is_some() { Unknown::Unspecified } else { unknown }.into(),
        view: seen,
        round_end: moment.score.as_ref().map(|round| score::round_end(round, by_seat)),
        game_end: moment
            .result
            .zip(after.as_ref())
            .map(|(result, state)| score::game_end(&result, &scores(state))),
    }
}
