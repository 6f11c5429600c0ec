//! Method Check.

use canasta_messages::answers::check_action;
use canasta_messages::convert::action;
use canasta_messages::convert::field::all;
use canasta_proto::v1::{CheckRequest, CheckResponse, Legal, check_response::Outcome};
use canasta_serve::OrFault;
use canasta_serve::telemetry::method::Method;

use super::Call;
use super::question::{self, PresentGame};
use crate::entry::log_end;

/// Answers the judgement of an action.
pub async fn answer(call: &Call, request: CheckRequest) -> OrFault<CheckResponse> {
    let asked = question::about(&request.game_id, request.actor);
    let (asked, action) = all((asked, action::read(request.action)))?;
    let PresentGame { game, who, last, state } = question::open(call, asked).await?;
    let earlier = match action.restored_seq() {
        Some(seq) => call.ctx.game_at(game, seq).await?,
        None => None,
    };
    let judged = question::search(call, const { Method::named("Check") }, move |service, caller| {
        check_action::check(&service.asked_by(caller), &state, earlier.as_ref(), who, &action)
    });
    let outcome = judged.await?.map_or(Outcome::Legal(Legal {}), Outcome::Rejected);
    Ok(CheckResponse { log_end: Some(log_end(&last)), outcome: Some(outcome) })
}
