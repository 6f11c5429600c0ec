//! SuggestAction.

use canasta_engine::action::As;
use canasta_engine::view::view;
use canasta_engine::{bot, legal};
use canasta_proto::v1::{SuggestActionRequest, SuggestActionResponse};

use crate::convert::action_out;
use crate::desk::{self, Desk};
use crate::identity::Caller;
use crate::status::Fault;

/// What the bot would do in the caller's place.
pub fn answer(
    desk: &Desk,
    caller: &Caller,
    request: SuggestActionRequest,
) -> Result<SuggestActionResponse, Fault> {
    let (state, who) = desk.open(caller, &request.state, request.r#as)?;
    let view = view(&state, who);
    let action = match who {
        _ if desk::is_to_act(&state, who) => {
            let steps = legal::steps(&state).actions;
            // Of a position that no game comes to the search may find nothing.
            (!steps.is_empty()).then(|| bot::suggest(&view, &steps, request.seed))
        }
        As::Seat(seat) => bot::suggest_aside(&view, &legal::aside(&state, seat).actions, request.seed),
        As::Table | As::Judge | As::Director => None,
    };
    Ok(SuggestActionResponse { action: action.as_ref().map(action_out::write) })
}
