//! Method GetOptions.

use canasta_messages::answers::options;
use canasta_proto::v1::{GetOptionsRequest, GetOptionsResponse, OptionsResponse};
use canasta_serve::OrFault;
use canasta_serve::telemetry::method::Method;

use super::Call;
use super::question::{self, PresentGame};
use crate::entry::log_end;

/// Answers a verdict for every place where selected cards may go.
pub async fn answer(call: &Call, request: GetOptionsRequest) -> OrFault<GetOptionsResponse> {
    let GetOptionsRequest { game_id, actor, cards, chosen } = request;
    let PresentGame { who, last, state, .. } =
        question::open(call, question::about(&game_id, actor)?).await?;
    let found = question::search(call, const { Method::named("GetOptions") }, move |_, _| {
        options::find(&state, who, chosen, &cards)
    });
    let OptionsResponse { options, complete } = found.await?;
    Ok(GetOptionsResponse { log_end: Some(log_end(&last)), options, complete })
}
