//! Method Suggest.

use canasta_messages::answers::suggest_action;
use canasta_proto::v1::{SuggestActionResponse, SuggestRequest, SuggestResponse};
use canasta_serve::OrFault;
use canasta_serve::telemetry::method::Method;

use super::Call;
use super::question::{self, PresentGame};
use crate::entry::log_end;
use crate::watched;

/// Answers the bot's choice for the seat or role that the caller acts for.
pub async fn answer(call: &Call, request: SuggestRequest) -> OrFault<SuggestResponse> {
    let SuggestRequest { game_id, actor, seed, level } = request;
    let level = suggest_action::read_level(level)?;
    let PresentGame { game, who, last, state } =
        question::open(call, question::about(&game_id, actor)?).await?;
    // A game's players have watched it.
    let memory = watched::remembered(&call.ctx, game, &last, &state.table, level).await;
    let suggested = question::search(call, const { Method::named("Suggest") }, move |_, _| {
        Ok(suggest_action::suggest(&state, who, level, &memory, seed))
    });
    let SuggestActionResponse { action, reason, estimates, .. } = suggested.await?;
    Ok(SuggestResponse { log_end: Some(log_end(&last)), action, reason, estimates })
}
