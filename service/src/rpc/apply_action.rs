//! Method ApplyAction.

use canasta_engine::game::Game;
use canasta_proto::v1::{ApplyActionRequest, ApplyActionResponse};

use super::proposal;
use crate::context::RequestContext;
use crate::convert::identity;
use crate::identity::Caller;
use crate::status::RequestFault;

/// Opens the state in which the action is proposed.
pub fn open(
    ctx: &RequestContext,
    caller: &Caller,
    request: &ApplyActionRequest,
) -> Result<Box<Game>, RequestFault> {
    ctx.open(caller, &request.state, request.actor).map(|(state, _)| state)
}

/// Answers the judgement, and the new state if the action is legal.
pub fn answer(
    ctx: &RequestContext,
    caller: &Caller,
    request: ApplyActionRequest,
    mut state: Box<Game>,
) -> Result<ApplyActionResponse, RequestFault> {
    let who = identity::read(request.actor)?;
    let mut outcome = proposal::take(ctx, caller, &mut state, who, request)?;
    if let Some(token) = proposal::token_of(&mut outcome) {
        *token = ctx.encode(&state);
    }
    Ok(ApplyActionResponse { outcome: Some(outcome) })
}
