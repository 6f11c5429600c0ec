//! Method CheckAction.

use canasta_engine::action::{Action, As};
use canasta_engine::game::Game;
use canasta_proto::v1::{
    CheckActionRequest, CheckActionResponse, Legal, Rejected, check_action_response::Outcome,
};

use super::{earlier, open_state, refuse};
use crate::convert::{action, identity, violation};
use crate::fault::OrFault;
use crate::host::Host;

/// Opens the state in which the action is proposed.
pub fn open(host: &dyn Host, request: &CheckActionRequest) -> OrFault<Box<Game>> {
    open_state(host, &request.state, request.actor).map(|(state, _)| state)
}

/// Answers the judgement alone.
pub fn answer(
    host: &dyn Host,
    request: CheckActionRequest,
    state: Box<Game>,
) -> OrFault<CheckActionResponse> {
    let (action, who) = (action::read(request.action)?, identity::read(request.actor)?);
    let earlier = earlier(host, &request.earlier_state, who)?;
    let outcome = match check(host, &state, earlier.as_deref(), who, &action)? {
        None => Outcome::Legal(Legal {}),
        Some(rejected) => Outcome::Rejected(rejected),
    };
    Ok(CheckActionResponse { outcome: Some(outcome) })
}

/// Judges an action, which may be a ruling that restores the `earlier` state. Returns the rejection if it breaks a rule.
pub fn check(
    host: &dyn Host,
    state: &Game,
    earlier: Option<&Game>,
    who: As,
    action: &Action,
) -> OrFault<Option<Rejected>> {
    let Err(rejection) = state.check_resuming(earlier, who, action) else { return Ok(None) };
    violation::refuse_misfit(&rejection)?;
    Ok(Some(refuse(host, violation::write(&rejection, &state.table.rules().books()))))
}
