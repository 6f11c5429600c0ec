//! SuggestAction.

use canasta_engine::view::view;
use canasta_engine::{bot, legal};
use canasta_proto::v1::{SuggestActionRequest, SuggestActionResponse};

use crate::convert::action_out;
use crate::desk::{self, Desk};
use crate::status::Fault;

/// What the bot would do in the caller's place.
pub fn answer(desk: &Desk, request: SuggestActionRequest) -> Result<SuggestActionResponse, Fault> {
    let (state, who) = desk.open(&request.state, request.r#as)?;
    if !desk::is_to_act(&state, who) {
        return Ok(SuggestActionResponse::default());
    }
    let steps = legal::steps(&state).actions;
    let action = bot::suggest(&view(&state, who), &steps, request.seed);
    Ok(SuggestActionResponse { action: Some(action_out::write(&action)) })
}
