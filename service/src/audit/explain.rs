//! Method ExplainStep.

use canasta_engine::action::{Action, As};
use canasta_engine::citation::cite;
use canasta_engine::legal::Steps;
use canasta_engine::log::Record;
use canasta_engine::rejection::Rejection;
use canasta_engine::table::Table;
use canasta_engine::violations::Code;
use canasta_proto::v1::{
    ExplainStepRequest, ExplainStepResponse, Legal, Rejected, StepQuestion, Unknown, Violation,
    explain_step_request::Part, explain_step_response::Judgement,
};
use tonic::{Status, Streaming};

use super::intake::{self, LogMessage};
use super::step_audit::{FoundRecord, RecordFacts, StepAudit, StepDetail};
use super::{record, step};
use crate::context::RequestContext;
use crate::convert::field::within;
use crate::convert::{action_out, violation};
use crate::identity::Caller;
use crate::status::RequestFault;
use crate::steps;
use crate::telemetry::method::Method;
use crate::telemetry::trail::Trail;
use crate::workers::{CallerWorkers, CancelOnDrop};

/// Answers why the action of a record was allowed or refused.
pub async fn answer(
    ctx: &RequestContext,
    workers: &CallerWorkers,
    caller: &Caller,
    trail: &Trail,
    stream: Streaming<ExplainStepRequest>,
) -> Result<ExplainStepResponse, Status> {
    let cancel = CancelOnDrop::default();
    let split = |request: ExplainStepRequest| {
        request.part.map(|part| match part {
            Part::Question(question) => LogMessage::Question(question),
            Part::Chunk(chunk) => LogMessage::Chunk(chunk),
        })
    };
    let (audit, (who, n)) = intake::read(workers, Method::EXPLAIN_STEP, &cancel, stream, split, open).await?;
    let found = workers.run(Method::EXPLAIN_STEP, move || audit.find()).await??;
    let allowed = ctx.may_audit(caller, trail, found.report.genesis.as_ref(), who);
    allowed.map_err(|fault| fault.within(within("question")))?;
    found.of(n).map_err(|fault| RequestFault::from(within("question")(within("n")(fault))))?;
    let written = move || {
        let (facts, record) = found.of(n)?;
        Ok::<_, RequestFault>(write(facts, record, facts.unknown(&found.report), who))
    };
    Ok(workers.run(Method::EXPLAIN_STEP, written).await??)
}

fn open(question: StepQuestion) -> Result<(StepAudit, (As, u64)), RequestFault> {
    let (who, n) = step::read(question)?;
    Ok((StepAudit::of_records([n].into(), StepDetail::Positions), (who, n)))
}

fn write(facts: &RecordFacts, found: &FoundRecord, unknown: Unknown, who: As) -> ExplainStepResponse {
    let mut answer =
        ExplainStepResponse { record: Some(record::write(found, facts, who)), ..Default::default() };
    let before = facts.before();
    let judgement = match (&facts.illegal, &facts.refused, &facts.events) {
        (Some(rejection), ..) => Some(Some(rejection)),
        (None, Some((_, rejection)), _) => Some(rejection.as_ref()),
        (None, None, Some(_)) => Some(None),
        (None, None, None) => None,
    };
    let Some(rejection) = judgement else {
        let is_action = matches!(found.record, Record::Action(_) | Record::Refusal(_));
        answer.unknown = if is_action { unknown } else { Unknown::NoAction }.into();
        return answer;
    };
    answer.judgement = Some(match (rejection, &before) {
        (Some(rejection), Some(state)) => {
            let is_own = record::actor(&found.record) == Some(who);
            Judgement::Rejected(write_rejection(rejection, state, record::sees_all(who) || is_own))
        }
        _ => Judgement::Legal(Legal {}),
    });
    let steps = match (&before, &found.record) {
        (Some(state), _) => steps::visible(state, who),
        // The first deal has no position before it, and the deal is the only legal action.
        (None, Record::Action(record)) if who != As::Judge => only(&record.action, who),
        _ => Steps::default(),
    };
    answer.legal_actions = steps.actions.iter().map(action_out::write).collect();
    answer.complete = !steps.truncated;
    answer
}

fn only(action: &Action, who: As) -> Steps {
    let actions = match (action, who) {
        (Action::Deal(_), As::Table | As::Director) => vec![Action::Deal(Default::default())],
        (Action::DrawCards(_), As::Table | As::Director) => vec![Action::DrawCards(Vec::new())],
        _ => Vec::new(),
    };
    Steps { actions, truncated: false }
}

/// Writes a rejection. Its facts show cards of the actor's hand, and so may the rules that it cites; a caller
/// that may not see that hand gets only what the log says openly.
fn write_rejection(rejection: &Rejection, state: &Table, may_see: bool) -> Rejected {
    let books = state.rules().books();
    if may_see {
        return violation::write(rejection, &books);
    }
    let open = |code: Code| Violation {
        code: code.name().into(),
        rule_ids: cite(code, &books).map(String::from).collect(),
        ..Default::default()
    };
    Rejected { violations: rejection.codes().into_iter().map(open).collect(), ..Default::default() }
}
