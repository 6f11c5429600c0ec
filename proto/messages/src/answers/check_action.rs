//! Method CheckAction.

use canasta_engine::game::Game;
use canasta_proto::v1::{CheckActionRequest, CheckActionResponse, Legal, check_action_response::Outcome};

use super::{earlier, open_state, refuse};
use crate::convert::{action, identity, violation};
use crate::fault::RequestFault;
use crate::host::Host;

/// Opens the state in which the action is proposed.
pub fn open(host: &dyn Host, request: &CheckActionRequest) -> Result<Box<Game>, RequestFault> {
    open_state(host, &request.state, request.actor).map(|(state, _)| state)
}

/// Answers the judgement alone.
pub fn answer(
    host: &dyn Host,
    request: CheckActionRequest,
    state: Box<Game>,
) -> Result<CheckActionResponse, RequestFault> {
    let (action, who) = (action::read(request.action)?, identity::read(request.actor)?);
    let earlier = earlier(host, &request.earlier_state, who)?;
    let outcome = match state.check_resuming(earlier.as_deref(), who, &action) {
        Ok(_) => Outcome::Legal(Legal {}),
        Err(rejection) => {
            violation::refuse_misfit(&rejection)?;
            Outcome::Rejected(refuse(host, violation::write(&rejection, &state.table.rules().books())))
        }
    };
    Ok(CheckActionResponse { outcome: Some(outcome) })
}
