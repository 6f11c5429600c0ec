//! Method ApplyActions.

use canasta_engine::action::{Action, As};
use canasta_engine::game::Game;
use canasta_engine::nodes::{Nodes, WORK_MODERATE};
use canasta_proto::v1::{
    AcceptedActions, ActionResult, ApplyActionsRequest, ApplyActionsResponse, ProposedAction,
    apply_actions_response::Outcome,
};

use super::observers::{Happened, Observers};
use super::proposal::{self, ReadProposal, Wants};
use super::{check_actor, check_state, earlier, expect};
use crate::convert::field::{Read, at_most, each, fault, item, missing, within};
use crate::convert::{action, identity};
use crate::fault::OrFault;
use crate::host::Host;
use crate::limits::ACTIONS_MAX;

/// Opens the state in which the first action is proposed.
pub fn open(host: &dyn Host, request: &ApplyActionsRequest) -> OrFault<Box<Game>> {
    at_most(&request.actions, ACTIONS_MAX).map_err(within("actions"))?;
    let whom = whom(&request.actions)?;
    check_state(&request.state)?;
    host.open(&request.state, &whom)
}

/// Reads the seat or role that each action is proposed for.
fn whom(actions: &[ProposedAction]) -> Read<Vec<As>> {
    each(actions, |proposed| identity::read(proposed.actor)).map_err(within("actions"))
}

/// Answers the state after all actions, or the first rejection.
pub fn answer(
    host: &dyn Host,
    request: ApplyActionsRequest,
    mut state: Box<Game>,
) -> OrFault<ApplyActionsResponse> {
    let ApplyActionsRequest {
        actions,
        expected_seq,
        expected_head,
        want_events,
        want_view,
        want_head,
        observers,
        ..
    } = request;
    let whom = whom(&actions)?;
    let observers = Observers::of_state(observers, host, &state)?;
    expect(&state, expected_seq, &expected_head)?;
    let Some(last) = actions.len().checked_sub(1) else { return Err(within("actions")(missing()).into()) };
    let mut all = AcceptedActions { results: Vec::with_capacity(actions.len()), ..Default::default() };
    let (mut happened, nodes) = (Happened::default(), Nodes::default());
    for (index, (proposed, who)) in actions.into_iter().zip(whom).enumerate() {
        let wants = Wants { events: want_events, view: want_view && index == last, ..Default::default() };
        let judged = has_work_left(&nodes)
            .and_then(|()| read(host, &state, proposed, who, wants))
            .and_then(|proposal| proposal::judge(host, &mut state, proposal, &nodes))
            .map_err(|fault| fault.within(|field| within("actions")(item(index)(field))))?;
        match judged {
            Ok((accepted, next)) => {
                if !observers.is_empty() {
                    happened.extend(next);
                }
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
    let link = state.link;
    (all.n, all.seq) = (link.n, state.table.step());
    if want_head {
        all.head = link.head.into();
    }
    all.observations = observers.observe(&state, &happened, &all)?;
    all.state = host.encode(&state);
    Ok(ApplyActionsResponse { outcome: Some(Outcome::Accepted(all)) })
}

/// Checks that the actions so far leave work for another one. In ordinary play 256 actions take 1,400 units at most.
fn has_work_left(nodes: &Nodes) -> OrFault<()> {
    match nodes.work() < WORK_MODERATE {
        true => Ok(()),
        false => {
            Err(fault("the actions before it take the work of one request, expected it in the next").into())
        }
    }
}

fn read(
    host: &dyn Host,
    state: &Game,
    proposed: ProposedAction,
    who: As,
    wants: Wants,
) -> OrFault<ReadProposal<Action>> {
    check_actor(who, state.table.set().seats)?;
    Ok(ReadProposal {
        who,
        record: action::read(proposed.action)?,
        stamp: proposal::stamp(proposed.elapsed_ms, &[])?,
        earlier: earlier(host, &proposed.earlier_state, who)?,
        wants,
    })
}
