//! ExplainStep.

use canasta_engine::action::{Action, As};
use canasta_engine::legal::Steps;
use canasta_engine::log::Record;
use canasta_engine::rejection::Rejection;
use canasta_engine::state::State;
use canasta_engine::violations::{Code, cite};
use canasta_proto::v1::{
    ExplainStepRequest, ExplainStepResponse, Legal, Rejected, Unknown, Violation, explain_step_request::Part,
    explain_step_response::Judgement,
};
use tonic::{Status, Streaming};

use super::follow::{Found, Moment};
use super::intake::{self, Piece};
use super::{record, step};
use crate::bench::{Bench, Cancel};
use crate::context::RequestContext;
use crate::convert::{action_out, violation};
use crate::identity::Caller;
use crate::steps;

/// Why what a record holds was allowed or refused.
pub async fn answer(
    ctx: &RequestContext,
    bench: &Bench,
    caller: &Caller,
    stream: Streaming<ExplainStepRequest>,
) -> Result<ExplainStepResponse, Status> {
    let cancel = Cancel::default();
    let split = |request: ExplainStepRequest| {
        request.part.map(|part| match part {
            Part::Question(question) => Piece::Question(question),
            Part::Chunk(chunk) => Piece::Chunk(chunk),
        })
    };
    let (follower, who) = intake::read(bench, &cancel, stream, split, step::open).await?;
    let (report, moment, found) = bench.work(move || follower.find()).await??;
    ctx.may_audit(caller, report.genesis.as_ref(), who)?;
    let unknown = moment.unknown(&report);
    Ok(bench.work(move || write(&moment, &found, unknown, who)).await?)
}

fn write(moment: &Moment, found: &Found, unknown: Unknown, who: As) -> ExplainStepResponse {
    let mut answer =
        ExplainStepResponse { record: Some(record::write(found, moment, who)), ..Default::default() };
    let before = moment.before();
    let judgement = match (&moment.illegal, &moment.refused, &moment.events) {
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
        // The first deal: the position before it is that of no step, and it is all that can be done.
        (None, Record::Action(record)) if who != As::Judge => only(&record.action, who),
        _ => Steps::default(),
    };
    answer.legal_actions = steps.actions.iter().map(action_out::write).collect();
    answer.truncated = steps.truncated;
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

/// What is wrong with an action says what its hand holds, and so may the cause of a rule; others learn what the log
/// says openly.
fn write_rejection(rejection: &Rejection, state: &State, may_see: bool) -> Rejected {
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
