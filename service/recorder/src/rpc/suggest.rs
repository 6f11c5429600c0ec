//! Method Suggest.

use canasta_messages::answers::suggest_action;
use canasta_messages::convert::action_out;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{SuggestRequest, SuggestResponse};
use canasta_serve::telemetry::method::Method;

use super::Call;
use super::question::{self, PresentGame};
use crate::entry::log_end;

/// Answers the bot's choice for the seat or role that the caller acts for.
pub async fn answer(call: &Call, request: SuggestRequest) -> Result<SuggestResponse, RequestFault> {
    let SuggestRequest { game_id, actor, seed } = request;
    let PresentGame { who, last, state, .. } =
        question::open(call, question::about(&game_id, actor)?).await?;
    let suggested = question::search(call, const { Method::named("Suggest") }, move |_, _| {
        Ok(suggest_action::suggest(&state, who, seed))
    });
    let (action, reason) = suggested.await?;
    let action = action.as_ref().map(action_out::write);
    Ok(SuggestResponse { log_end: Some(log_end(&last)), action, reason })
}
