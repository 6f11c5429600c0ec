//! ApplyActions.

use canasta_engine::state::State;
use canasta_proto::v1::{
    AcceptedActions, ActionResult, ApplyActionsRequest, ApplyActionsResponse, ProposedAction,
    apply_actions_response::Outcome,
};

use super::proposal::{self, Proposal, Wants};
use crate::convert::action;
use crate::convert::field::{at_most, item, missing, within};
use crate::desk::{self, Desk};
use crate::status::Fault;

/// The most actions of a request.
pub const MAX_ACTIONS: usize = 256;

/// The state after all actions, or the first that was refused.
pub fn answer(desk: &Desk, request: ApplyActionsRequest) -> Result<ApplyActionsResponse, Fault> {
    let ApplyActionsRequest { state, actions, expected_seq, expected_head, want_events, want_view } = request;
    let mut state = desk.open_state(&state)?;
    desk::expect(&state, expected_seq, &expected_head)?;
    at_most(&actions, MAX_ACTIONS).map_err(within("actions"))?;
    let Some(last) = actions.len().checked_sub(1) else { return Err(within("actions")(missing()).into()) };
    let mut all = AcceptedActions { results: Vec::with_capacity(actions.len()), ..Default::default() };
    for (index, proposed) in actions.into_iter().enumerate() {
        let wants = Wants { events: want_events, view: want_view && index == last, ..Default::default() };
        let judged = read(desk, &state, proposed, wants)
            .and_then(|proposal| proposal::judge(desk, &mut state, proposal))
            .map_err(|fault| fault.within(|field| within("actions")(item(index)(field))))?;
        match judged {
            Ok(accepted) => {
                all.frames.extend(accepted.frames);
                let (events, round_end, game_end) = (accepted.events, accepted.round_end, accepted.game_end);
                all.results.push(ActionResult { events, round_end, game_end });
                all.view = accepted.view;
            }
            Err(mut rejected) => {
                rejected.index = Some(index as u32);
                return Ok(ApplyActionsResponse { outcome: Some(Outcome::Rejected(rejected)) });
            }
        }
    }
    let link = state.link();
    (all.n, all.seq, all.head) = (link.n, link.seq, link.head.into());
    all.state = desk.encode(&state);
    Ok(ApplyActionsResponse { outcome: Some(Outcome::Accepted(all)) })
}

fn read(desk: &Desk, state: &State, proposed: ProposedAction, wants: Wants) -> Result<Proposal, Fault> {
    Ok(Proposal {
        who: desk.asker(state, proposed.r#as)?,
        action: action::read(proposed.action)?,
        stamp: proposal::stamp(proposed.elapsed_ms, &[])?,
        earlier: desk.open_earlier(&proposed.earlier_state)?,
        wants,
    })
}
