//! ApplyAction.

use canasta_engine::state::State;
use canasta_proto::v1::{ApplyActionRequest, ApplyActionResponse};

use super::proposal;
use crate::convert::identity;
use crate::desk::Desk;
use crate::identity::Caller;
use crate::status::Fault;

/// The state that the action is proposed in.
pub fn open(desk: &Desk, caller: &Caller, request: &ApplyActionRequest) -> Result<State, Fault> {
    desk.open(caller, &request.state, request.r#as).map(|(state, _)| state)
}

/// The judgement, and the state after what was legal.
pub fn answer(
    desk: &Desk,
    caller: &Caller,
    mut request: ApplyActionRequest,
    mut state: State,
) -> Result<ApplyActionResponse, Fault> {
    let who = identity::read(request.r#as)?;
    let mut outcome = proposal::take(desk, caller, &mut state, who, &mut request)?;
    if let Some(token) = proposal::token_of(&mut outcome) {
        *token = desk.encode(&state);
    }
    Ok(ApplyActionResponse { outcome: Some(outcome) })
}
