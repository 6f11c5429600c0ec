//! GetView.

use canasta_proto::v1::{GetViewRequest, GetViewResponse};

use crate::context::RequestContext;
use crate::convert::view;
use crate::identity::Caller;
use crate::status::Fault;

/// What the caller may see.
pub fn answer(
    ctx: &RequestContext,
    caller: &Caller,
    request: GetViewRequest,
) -> Result<GetViewResponse, Fault> {
    let (state, who) = ctx.open(caller, &request.state, request.r#as)?;
    Ok(GetViewResponse { view: Some(view::write(&state, who)) })
}
