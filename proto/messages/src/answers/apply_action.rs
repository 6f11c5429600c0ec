//! Method ApplyAction.

use canasta_engine::game::Game;
use canasta_proto::v1::{ApplyActionRequest, ApplyActionResponse};

use super::open_state;
use super::proposal;
use crate::convert::identity;
use crate::fault::OrFault;
use crate::host::Host;

/// Opens the state in which the action is proposed.
pub fn open(host: &dyn Host, request: &ApplyActionRequest) -> OrFault<Box<Game>> {
    open_state(host, &request.state, request.actor).map(|(state, _)| state)
}

/// Answers the judgement, and the new state if the action is legal.
pub fn answer(
    host: &dyn Host,
    request: ApplyActionRequest,
    mut state: Box<Game>,
) -> OrFault<ApplyActionResponse> {
    let who = identity::read(request.actor)?;
    let mut outcome = proposal::take(host, &mut state, who, request)?;
    if let Some(token) = proposal::token_of(&mut outcome) {
        *token = host.encode(&state);
    }
    Ok(ApplyActionResponse { outcome: Some(outcome) })
}
