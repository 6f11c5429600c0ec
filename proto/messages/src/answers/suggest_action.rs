//! Method SuggestAction.

use canasta_engine::action::{Action, As};
use canasta_engine::game::Game;
use canasta_engine::text::words::REASONS;
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
    let (action, reason) = suggest(&state, who, request.seed);
    Ok(SuggestActionResponse { action: action.as_ref().map(action_out::write), reason })
}

/// Returns the bot's choice for a seat or role in a state, `None` if it has nothing to do, and the name of the reason.
pub fn suggest(state: &Game, who: As, seed: u64) -> (Option<Action>, String) {
    let view = view(&state.table, who);
    let chosen = match who {
        _ if steps::is_to_act(&state.table, who) => {
            let mut actions = legal::steps(&state.table).actions;
            // The search may find nothing in a position that no game comes to.
            legal::choose(&state.table, &mut actions, |steps| bot::suggest(&view, steps, seed))
        }
        As::Seat(seat) => bot::suggest_aside(&view, &legal::aside(&state.table, seat).actions, seed),
        As::Table | As::Judge | As::Director | As::Spectator => None,
    };
    let reason = chosen.as_ref().and_then(|action| bot::reason(&view, action));
    (chosen, reason.map_or("", |reason| REASONS[reason as usize].name).into())
}
