//! Method GetView.

use canasta_proto::v1::{GetViewRequest, GetViewResponse};

use crate::context::RequestContext;
use crate::convert::view;
use crate::identity::Caller;
use crate::status::RequestFault;

/// Answers the view of the seat or role that the caller acts for.
pub fn answer(
    ctx: &RequestContext,
    caller: &Caller,
    request: GetViewRequest,
) -> Result<GetViewResponse, RequestFault> {
    let (state, who) = ctx.open(caller, &request.state, request.actor)?;
    Ok(GetViewResponse { view: Some(view::of_game(&state, who)) })
}
