//! GetView.

use canasta_proto::v1::{GetViewRequest, GetViewResponse};

use crate::convert::view;
use crate::desk::Desk;
use crate::identity::Caller;
use crate::status::Fault;

/// What the caller may see.
pub fn answer(desk: &Desk, caller: &Caller, request: GetViewRequest) -> Result<GetViewResponse, Fault> {
    let (state, who) = desk.open(caller, &request.state, request.r#as)?;
    Ok(GetViewResponse { view: Some(view::write(&state, who)) })
}
