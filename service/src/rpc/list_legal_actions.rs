//! Method ListLegalActions.

use canasta_engine::legal::STEPS_MAX;
use canasta_proto::v1::{ListLegalActionsRequest, ListLegalActionsResponse};

use prost::Message as _;

use super::page::ListPage;
use crate::context::RequestContext;
use crate::convert::{action_out, identity};
use crate::identity::Caller;
use crate::status::RequestFault;
use crate::steps;

/// Answers a page of the legal actions that the seat or role may see.
pub fn answer(
    ctx: &RequestContext,
    caller: &Caller,
    request: ListLegalActionsRequest,
) -> Result<ListLegalActionsResponse, RequestFault> {
    let (state, who) = ctx.open(caller, &request.state, request.actor)?;
    let actor = identity::write(who).encode_to_vec();
    let list: [&[u8]; 3] = [b"ListLegalActions", &state.link.head, &actor];
    let page = ListPage::read(request.page_size, &request.page_token, STEPS_MAX, &list)?;
    let steps = steps::visible(&state.table, who);
    let (actions, next_page_token) = page.cut(steps.actions);
    Ok(ListLegalActionsResponse {
        actions: actions.iter().map(action_out::write).collect(),
        complete: !steps.truncated,
        next_page_token,
    })
}
