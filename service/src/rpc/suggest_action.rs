//! SuggestAction.

use canasta_engine::action::{Action, As};
use canasta_engine::bot;
use canasta_engine::state::{Phase, State};
use canasta_engine::token::Catalogue;
use canasta_engine::view::view;
use canasta_proto::v1::{SuggestActionRequest, SuggestActionResponse};

use crate::convert::action_out;
use crate::desk;
use crate::status::Fault;

/// What the bot would do in the caller's place.
pub fn answer(catalogue: &Catalogue, request: SuggestActionRequest) -> Result<SuggestActionResponse, Fault> {
    let (state, who) = desk::open(catalogue, &request.state, request.r#as)?;
    let action = suggestion(&state, who, request.seed);
    Ok(SuggestActionResponse { action: action.as_ref().map(action_out::write) })
}

fn suggestion(state: &State, who: As, seed: u64) -> Option<Action> {
    match who {
        As::Seat(seat) if state.to_act() == Some(seat) => Some(bot::suggest(&view(state, who), seed)),
        As::Table if state.phase() == Phase::Deal => Some(Action::Deal(Box::default())),
        _ => None,
    }
}
