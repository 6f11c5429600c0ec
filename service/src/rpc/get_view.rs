//! GetView.

use canasta_engine::token::Catalogue;
use canasta_proto::v1::{GetViewRequest, GetViewResponse};

use crate::convert::view;
use crate::desk;
use crate::status::Fault;

/// What the caller may see.
pub fn answer(catalogue: &Catalogue, request: GetViewRequest) -> Result<GetViewResponse, Fault> {
    let (state, who) = desk::open(catalogue, &request.state, request.r#as)?;
    Ok(GetViewResponse { view: Some(view::write(&state, who)) })
}
