//! Method ListLegalActions.

use canasta_engine::action::{Action, As, Group};
use canasta_engine::game::Game;
use canasta_engine::legal::STEPS_MAX;
use canasta_proto::v1::{ListLegalActionsRequest, ListLegalActionsResponse};

use prost::Message as _;

use super::open_state;
use super::page::ListPage;
use crate::convert::field::Read;
use crate::convert::{action_out, identity};
use crate::fault::OrFault;
use crate::host::Host;
use crate::steps;

/// The number of cards after which a page ends: the names of more take longer than a millisecond.
const PAGE_CARDS_MAX: usize = 16_384;

/// Answers a page of the legal actions that the seat or role may see.
pub fn answer(host: &dyn Host, request: ListLegalActionsRequest) -> OrFault<ListLegalActionsResponse> {
    let (state, who) = open_state(host, &request.state, request.actor)?;
    Ok(list(&state, who, request.page_size, &request.page_token)?)
}

/// Returns a page of the legal actions that the seat or role may see in a state.
pub fn list(state: &Game, who: As, page_size: i32, page_token: &str) -> Read<ListLegalActionsResponse> {
    let actor = identity::write(who).encode_to_vec();
    let list: [&[u8]; 3] = [b"ListLegalActions", &state.link.head, &actor];
    let page = ListPage::read(page_size, page_token, STEPS_MAX, &list)?;
    let steps = steps::visible(&state.table, who);
    let ((first, size), mut room) = (page.window(), PAGE_CARDS_MAX);
    let has_room = |action: &&Action| {
        let had_room = room > 0;
        room = room.saturating_sub(card_count(action));
        had_room
    };
    let shown = steps.actions.iter().skip(first).take(size).take_while(has_room);
    let actions: Vec<_> = shown.map(action_out::write).collect();
    let is_last = steps.actions.len() <= first + actions.len();
    let next_page_token = if is_last { String::new() } else { page.token_after(actions.len()) };
    Ok(ListLegalActionsResponse { actions, complete: !steps.truncated, next_page_token })
}

/// Returns the number of cards that a meld or a take names, on which the time to write it depends.
fn card_count(action: &Action) -> usize {
    let of = |groups: &[Group]| groups.iter().map(|group| group.cards.len()).sum::<usize>();
    match action {
        Action::Meld(groups) => of(groups),
        Action::TakePile(take) => take.with.len() + of(&take.also),
        _ => 1,
    }
}
