//! ListLegalActions.

use canasta_engine::action::As;
use canasta_engine::legal::{self, Steps};
use canasta_engine::state::State;
use canasta_proto::v1::{ListLegalActionsRequest, ListLegalActionsResponse};

use crate::convert::action_out;
use crate::desk::{self, Desk};
use crate::identity::Caller;
use crate::status::Fault;

/// What can be done now by those whom the caller may see doing it.
pub fn answer(
    desk: &Desk,
    caller: &Caller,
    request: ListLegalActionsRequest,
) -> Result<ListLegalActionsResponse, Fault> {
    let (state, who) = desk.open(caller, &request.state, request.r#as)?;
    let steps = of(&state, who);
    let actions = steps.actions.iter().map(action_out::write).collect();
    Ok(ListLegalActionsResponse { actions, truncated: steps.truncated })
}

/// What a seat can do shows its hand: only that seat sees it, and those who see every hand.
pub fn of(state: &State, who: As) -> Steps {
    match who {
        _ if desk::is_to_act(state, who) => legal::steps(state),
        As::Judge | As::Director => legal::steps(state),
        As::Seat(seat) => legal::aside(state, seat),
        As::Table => Steps::default(),
    }
}
