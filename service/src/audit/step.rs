//! Method GetStep.

use canasta_engine::action::As;
use canasta_engine::log::audit::Report;
use canasta_engine::log::record::Genesis;
use canasta_engine::view::events;
use canasta_proto::v1::{
    GetStepRequest, GetStepResponse, LogStep, StepQuestion, StepsQuestion, Unknown, View,
    get_step_request::Part,
};
use prost::Message as _;
use tonic::{Status, Streaming};

use super::intake::{self, LogMessage};
use super::record;
use super::step_audit::{FoundRecord, RecordFacts, StepAudit, StepDetail};
use crate::context::RequestContext;
use crate::convert::field::{Read, all, fault, item, required, within};
use crate::convert::{event, identity, score, view};
use crate::identity::Caller;
use crate::status::RequestFault;
use crate::telemetry::method::Method;
use crate::telemetry::trail::Trail;
use crate::workers::{CallerWorkers, CancelOnDrop};

/// Maximum number of questions about one log.
const QUESTIONS_MAX: usize = 64;
/// Maximum length of all steps of an answer, in bytes: one step more must still fit into the answer.
const STEPS_BYTES_MAX: usize = 768 * 1024;

/// Answers records and the positions after them.
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
    let (audit, asked) = intake::read(workers, Method::GET_STEP, &cancel, stream, split, open).await?;
    let found = workers.run(Method::GET_STEP, move || audit.find()).await??;
    for (i, &(who, n)) in asked.iter().enumerate() {
        let of_question = |faults| within("question")(within("steps")(item(i)(faults)));
        let allowed = ctx.may_audit(caller, trail, found.report.genesis.as_ref(), who);
        allowed.map_err(|fault| fault.within(of_question))?;
        found.of(n).map_err(|fault| RequestFault::from(of_question(within("n")(fault))))?;
    }
    let written = move || {
        let answers = asked.iter().filter_map(|&(who, n)| Some(write(found.of(n).ok()?, &found.report, who)));
        within_answer(answers)
    };
    Ok(GetStepResponse { steps: workers.run(Method::GET_STEP, written).await? })
}

fn open(question: StepsQuestion) -> Result<(StepAudit, Vec<(As, u64)>), RequestFault> {
    let count = question.steps.len();
    if !(1..=QUESTIONS_MAX).contains(&count) {
        let problem = format!("{count} questions, expected 1 to {QUESTIONS_MAX}");
        return Err(within("steps")(fault(problem)).into());
    }
    let questions = question.steps.into_iter().enumerate();
    let asked =
        questions.map(|(i, question)| read(question).map_err(|fault| within("steps")(item(i)(fault))));
    let asked = asked.collect::<Result<Vec<_>, _>>()?;
    let records = asked.iter().map(|&(_, n)| n).collect();
    Ok((StepAudit::of_records(records, StepDetail::Positions), asked))
}

/// Reads who asks, and for which record.
pub fn read(question: StepQuestion) -> Read<(As, u64)> {
    all((identity::read(question.actor), required(question.n).map_err(within("n"))))
}

/// Returns the first steps that fit into an answer.
pub fn within_answer(steps: impl Iterator<Item = LogStep>) -> Vec<LogStep> {
    let mut bytes = 0;
    let fits = |step: &LogStep| {
        bytes += step.encoded_len();
        bytes <= STEPS_BYTES_MAX
    };
    steps.take_while(fits).collect()
}

fn write((facts, found): &(RecordFacts, FoundRecord), report: &Report, who: As) -> LogStep {
    let after = facts.after();
    let mut seen = after.as_ref().map(|state| view::write(state, who));
    if let Some(view) = &mut seen {
        if let Some(genesis) = &report.genesis {
            view.game_id = genesis.game_id.into();
            name_players(view, genesis);
        }
        // The table of an audit has no chain, so the record's own number and head stand in the view.
        (view.n, view.seq, view.head) = (facts.n, facts.place.seq, found.head.into());
    }
    LogStep {
        unknown: if seen.is_some() { Unknown::Unspecified } else { facts.unknown(report) }.into(),
        view: seen,
        ..caused(facts, found, who)
    }
}

/// Writes a record and what it caused, without a view.
pub fn caused(facts: &RecordFacts, found: &FoundRecord, who: As) -> LogStep {
    let events = facts.events.as_deref().map(|happened| events(happened, who)).unwrap_or_default();
    LogStep {
        record: Some(record::write(found, facts, who)),
        events: events.iter().map(event::write).collect(),
        round_end: facts.score.as_ref().map(|round| score::round_end(round, facts.by_seat)),
        game_end: facts.result.map(|result| score::game_end(&result, &facts.totals)),
        ..Default::default()
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
