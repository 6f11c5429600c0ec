//! CheckAction.

use canasta_engine::check::check;
use canasta_engine::token::Catalogue;
use canasta_proto::v1::{CheckActionRequest, CheckActionResponse, Legal, check_action_response::Outcome};

use crate::convert::{action, violation};
use crate::desk;
use crate::status::Fault;

/// The judgement and nothing else.
pub fn answer(catalogue: &Catalogue, request: CheckActionRequest) -> Result<CheckActionResponse, Fault> {
    let action = action::read(request.action)?;
    let (state, who) = desk::open(catalogue, &request.state, request.r#as)?;
    let outcome = match check(&state, who, &action) {
        Ok(_) => Outcome::Legal(Legal {}),
        Err(rejection) => Outcome::Rejected(violation::write(&rejection, &desk::books(&state))),
    };
    Ok(CheckActionResponse { outcome: Some(outcome) })
}
