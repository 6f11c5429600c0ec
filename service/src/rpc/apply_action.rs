//! ApplyAction.

use canasta_proto::v1::{ApplyActionRequest, ApplyActionResponse};

use super::proposal;
use crate::desk::Desk;
use crate::identity::Caller;
use crate::status::Fault;

/// The judgement, and the state after what was legal.
pub fn answer(
    desk: &Desk,
    caller: &Caller,
    mut request: ApplyActionRequest,
) -> Result<ApplyActionResponse, Fault> {
    let (mut state, who) = desk.open(caller, &request.state, request.r#as)?;
    let mut outcome = proposal::take(desk, caller, &mut state, who, &mut request)?;
    if let Some(token) = proposal::token_of(&mut outcome) {
        *token = desk.encode(&state);
    }
    Ok(ApplyActionResponse { outcome: Some(outcome) })
}
