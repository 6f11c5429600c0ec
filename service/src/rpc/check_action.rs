//! Method CheckAction.

use canasta_engine::game::Game;
use canasta_proto::v1::{CheckActionRequest, CheckActionResponse, Legal, check_action_response::Outcome};

use crate::context::RequestContext;
use crate::convert::{action, identity, violation};
use crate::identity::Caller;
use crate::status::RequestFault;

/// Opens the state in which the action is proposed.
pub fn open(
    ctx: &RequestContext,
    caller: &Caller,
    request: &CheckActionRequest,
) -> Result<Box<Game>, RequestFault> {
    ctx.open(caller, &request.state, request.actor).map(|(state, _)| state)
}

/// Answers the judgement alone.
pub fn answer(
    ctx: &RequestContext,
    caller: &Caller,
    request: CheckActionRequest,
    state: Box<Game>,
) -> Result<CheckActionResponse, RequestFault> {
    let (action, who) = (action::read(request.action)?, identity::read(request.actor)?);
    let earlier = ctx.open_earlier(caller, &request.earlier_state, who)?;
    let outcome = match state.check_resuming(earlier.as_deref(), who, &action) {
        Ok(_) => Outcome::Legal(Legal {}),
        Err(rejection) => {
            violation::refuse_misfit(&rejection)?;
            Outcome::Rejected(ctx.rejected(violation::write(&rejection, &state.table.rules().books())))
        }
    };
    Ok(CheckActionResponse { outcome: Some(outcome) })
}
