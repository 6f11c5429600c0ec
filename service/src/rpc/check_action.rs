//! CheckAction.

use canasta_engine::check::check_restoring;
use canasta_proto::v1::{CheckActionRequest, CheckActionResponse, Legal, check_action_response::Outcome};

use crate::convert::{action, violation};
use crate::desk::{self, Desk};
use crate::identity::Caller;
use crate::status::Fault;

/// The judgement and nothing else.
pub fn answer(
    desk: &Desk,
    caller: &Caller,
    request: CheckActionRequest,
) -> Result<CheckActionResponse, Fault> {
    let action = action::read(request.action)?;
    let (state, who) = desk.open(caller, &request.state, request.r#as)?;
    let earlier = desk.open_earlier(caller, &request.earlier_state, who)?;
    let outcome = match check_restoring(&state, earlier.as_ref(), who, &action) {
        Ok(_) => Outcome::Legal(Legal {}),
        Err(rejection) => {
            violation::refuse_misfit(&rejection)?;
            Outcome::Rejected(desk.rejected(violation::write(&rejection, &desk::books(&state))))
        }
    };
    Ok(CheckActionResponse { outcome: Some(outcome) })
}
