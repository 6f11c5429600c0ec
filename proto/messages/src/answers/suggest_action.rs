//! Method SuggestAction.

use canasta_engine::action::As;
use canasta_engine::view::view;
use canasta_engine::{bot, legal};
use canasta_proto::v1::{SuggestActionRequest, SuggestActionResponse};

use super::open_state;
use crate::convert::action_out;
use crate::fault::RequestFault;
use crate::host::Host;
use crate::steps;

/// Answers the bot's choice for the seat or role that the caller acts for.
pub fn answer(host: &dyn Host, request: SuggestActionRequest) -> Result<SuggestActionResponse, RequestFault> {
    let (state, who) = open_state(host, &request.state, request.actor)?;
    let view = view(&state.table, who);
    let action = match who {
        _ if steps::is_to_act(&state.table, who) => {
            let mut actions = legal::steps(&state.table).actions;
            // The search may find nothing in a position that no game comes to.
            legal::choose(&state.table, &mut actions, |steps| bot::suggest(&view, steps, request.seed))
        }
        As::Seat(seat) => bot::suggest_aside(&view, &legal::aside(&state.table, seat).actions, request.seed),
        As::Table | As::Judge | As::Director | As::Spectator => None,
    };
    Ok(SuggestActionResponse { action: action.as_ref().map(action_out::write) })
}
