//! Method Options.

use canasta_engine::action::As;
use canasta_engine::game::Game;
use canasta_engine::options;
use canasta_proto::v1::{self as pb, OptionsRequest, OptionsResponse};

use super::{open_state, seat_of};
use crate::convert;
use crate::fault::OrFault;
use crate::host::Host;

/// Answers a verdict for every place where the selected cards may go.
pub fn answer(host: &dyn Host, request: OptionsRequest) -> OrFault<OptionsResponse> {
    let (state, who) = open_state(host, &request.state, request.actor)?;
    find(&state, who, request.chosen, &request.cards)
}

/// Returns a verdict for every place where the cards that a seat selected may go.
pub fn find(state: &Game, who: As, chosen: Option<pb::Action>, cards: &[String]) -> OrFault<OptionsResponse> {
    let seat = seat_of(who)?;
    let (chosen, cards) = convert::options::read(chosen, cards)?;
    let found = options::options(&state.table, seat, &chosen, &cards);
    Ok(convert::options::write(&found, &state.table.rules().books()))
}
