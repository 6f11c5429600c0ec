//! Method ListActions.

use canasta_messages::answers::list_legal_actions;
use canasta_proto::v1::{ListActionsRequest, ListActionsResponse, ListLegalActionsResponse};
use canasta_serve::OrFault;
use canasta_serve::telemetry::method::Method;

use super::Call;
use super::question::{self, PresentGame};
use crate::entry::log_end;

/// Answers a page of what can be done.
pub async fn answer(call: &Call, request: ListActionsRequest) -> OrFault<ListActionsResponse> {
    let ListActionsRequest { game_id, actor, page_size, page_token } = request;
    let PresentGame { who, last, state, .. } =
        question::open(call, question::about(&game_id, actor)?).await?;
    let listed = question::search(call, const { Method::named("ListActions") }, move |_, _| {
        Ok(list_legal_actions::list(&state, who, page_size, &page_token)?)
    });
    let ListLegalActionsResponse { actions, complete, next_page_token } = listed.await?;
    Ok(ListActionsResponse { log_end: Some(log_end(&last)), actions, complete, next_page_token })
}
