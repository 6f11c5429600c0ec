//! Method GetView.

use canasta_proto::v1::{GetViewRequest, GetViewResponse};

use super::open_state;
use crate::convert::view;
use crate::fault::OrFault;
use crate::host::Host;

/// Answers the view of the seat or role that the caller acts for.
pub fn answer(host: &dyn Host, request: GetViewRequest) -> OrFault<GetViewResponse> {
    let (state, who) = open_state(host, &request.state, request.actor)?;
    Ok(GetViewResponse { view: Some(view::of_game(&state, who)) })
}
