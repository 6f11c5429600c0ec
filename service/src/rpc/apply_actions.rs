//! ApplyActions.

use canasta_engine::action::As;
use canasta_engine::state::State;
use canasta_proto::v1::{
    AcceptedActions, ActionResult, ApplyActionsRequest, ApplyActionsResponse, ProposedAction,
    apply_actions_response::Outcome,
};

use super::proposal::{self, Proposal, Wants};
use crate::context::{self, RequestContext};
use crate::convert::field::{at_most, item, missing, within};
use crate::convert::{action, identity};
use crate::identity::Caller;
use crate::status::{Fault, FieldFault};

/// The most actions of a request.
pub const MAX_ACTIONS: usize = 256;

/// The state that the first action is proposed in.
pub fn open(ctx: &RequestContext, caller: &Caller, request: &ApplyActionsRequest) -> Result<State, Fault> {
    at_most(&request.actions, MAX_ACTIONS).map_err(within("actions"))?;
    let whom = whom(&request.actions)?;
    ctx.open_state(&request.state, |game| {
        // Of nobody at all there is no state to be opened.
        ctx.entitle_to_open(caller, game)?;
        whom.iter().try_for_each(|&who| ctx.entitle(caller, who, game))
    })
}

/// On whose behalf each action is proposed.
fn whom(actions: &[ProposedAction]) -> Result<Vec<As>, FieldFault> {
    let whom = actions.iter().enumerate().map(|(index, proposed)| {
        identity::read(proposed.r#as).map_err(item(index)).map_err(within("actions"))
    });
    whom.collect()
}

/// The state after all actions, or the first that was refused.
pub fn answer(
    ctx: &RequestContext,
    caller: &Caller,
    request: ApplyActionsRequest,
    mut state: State,
) -> Result<ApplyActionsResponse, Fault> {
    let ApplyActionsRequest { actions, expected_seq, expected_head, want_events, want_view, .. } = request;
    let whom = whom(&actions)?;
    context::expect(&state, expected_seq, &expected_head)?;
    let Some(last) = actions.len().checked_sub(1) else { return Err(within("actions")(missing()).into()) };
    let mut all = AcceptedActions { results: Vec::with_capacity(actions.len()), ..Default::default() };
    for (index, (proposed, who)) in actions.into_iter().zip(whom).enumerate() {
        let wants = Wants { events: want_events, view: want_view && index == last, ..Default::default() };
        let judged = read(ctx, caller, &state, proposed, who, wants)
            .and_then(|proposal| proposal::judge(ctx, &mut state, proposal))
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
    all.state = ctx.encode(&state);
    Ok(ApplyActionsResponse { outcome: Some(Outcome::Accepted(all)) })
}

fn read(
    ctx: &RequestContext,
    caller: &Caller,
    state: &State,
    proposed: ProposedAction,
    who: As,
    wants: Wants,
) -> Result<Proposal, Fault> {
    context::check_seat(who, state.set().seats)?;
    Ok(Proposal {
        who,
        action: action::read(proposed.action)?,
        stamp: proposal::stamp(proposed.elapsed_ms, &[])?,
        earlier: ctx.open_earlier(caller, &proposed.earlier_state, who)?,
        wants,
    })
}
