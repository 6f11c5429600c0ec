//! ApplyAction.

use canasta_proto::v1::{ApplyActionRequest, ApplyActionResponse};

use super::proposal;
use crate::desk::Desk;
use crate::status::Fault;

/// The judgement, and the state after what was legal.
pub fn answer(desk: &Desk, mut request: ApplyActionRequest) -> Result<ApplyActionResponse, Fault> {
    let mut state = desk.open_state(&request.state)?;
    let mut outcome = proposal::take(desk, &mut state, &mut request)?;
    if let Some(token) = proposal::token_of(&mut outcome) {
        *token = desk.encode(&state);
    }
    Ok(ApplyActionResponse { outcome: Some(outcome) })
}
