//! Why an action was allowed or refused, which ExplainStep answers.

use canasta_engine::action::{Action, As};
use canasta_engine::citation::cite;
use canasta_engine::legal::Steps;
use canasta_engine::log::Record;
use canasta_engine::log::audit::Report;
use canasta_engine::rejection::Rejection;
use canasta_engine::table::Table;
use canasta_engine::violations::Code;
use canasta_proto::v1::{
    ExplainStepResponse, Legal, Rejected, Unknown, Violation, explain_step_response::Judgement,
};

use super::open_audit::RecordFacts;
use super::record;
use crate::convert::{action_out, violation};
use crate::steps;

/// Writes why the action of a record was allowed or refused.
pub fn write(found: &RecordFacts, report: &Report, who: As) -> ExplainStepResponse {
    let mut answer = ExplainStepResponse { record: Some(record::write(found, who)), ..Default::default() };
    let before = found.table_before();
    let judgement = match (&found.illegal, &found.refused, &found.events) {
        (Some(rejection), ..) => Some(Some(rejection)),
        (None, Some((_, rejection)), _) => Some(rejection.as_ref()),
        (None, None, Some(_)) => Some(None),
        (None, None, None) => None,
    };
    let Some(rejection) = judgement else {
        let is_action = matches!(*found.record, Record::Action(_) | Record::Refusal(_));
        answer.unknown = if is_action { found.unknown(report) } else { Unknown::NoAction }.into();
        return answer;
    };
    answer.judgement = Some(match (rejection, &before) {
        (Some(rejection), Some(state)) => {
            let is_own = record::actor(&found.record) == Some(who);
            Judgement::Rejected(write_rejection(rejection, state, record::sees_all(who) || is_own))
        }
        _ => Judgement::Legal(Legal {}),
    });
    let steps = match (&before, &*found.record) {
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
