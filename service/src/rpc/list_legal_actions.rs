//! Method ListLegalActions.

use canasta_proto::v1::{ListLegalActionsRequest, ListLegalActionsResponse};

use crate::context::RequestContext;
use crate::convert::action_out;
use crate::identity::Caller;
use crate::status::RequestFault;
use crate::steps;

/// Answers the legal actions that the seat or role may see.
pub fn answer(
    ctx: &RequestContext,
    caller: &Caller,
    request: ListLegalActionsRequest,
) -> Result<ListLegalActionsResponse, RequestFault> {
    let (state, who) = ctx.open(caller, &request.state, request.actor)?;
    let steps = steps::visible(&state.table, who);
    let actions = steps.actions.iter().map(action_out::write).collect();
    Ok(ListLegalActionsResponse { actions, truncated: steps.truncated })
}
