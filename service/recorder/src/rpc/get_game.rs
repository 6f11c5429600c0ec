//! Method GetGame.

use canasta_proto::v1::{GetGameRequest, GetGameResponse};
use canasta_serve::OrFault;

use super::Call;
use super::arrange::room_of;
use super::question::{self, PresentGame};
use crate::entry::log_end;
use crate::play::offer;
use crate::timing;

/// Answers the present view of the seat or role that the caller acts for.
pub async fn answer(call: &Call, request: GetGameRequest) -> OrFault<GetGameResponse> {
    let asked = question::about(&request.game_id, request.actor)?;
    let PresentGame { game, who, last, state } = question::open(call, asked).await?;
    let settings = call.ctx.settings(game, &last).await?;
    let offer = call.ctx.offer(game, &last).await?;
    Ok(GetGameResponse {
        log_end: Some(log_end(&last)),
        view: Some(call.ctx.view(&state, &state.table, who).await?),
        clock: timing::write(&settings.clock, &last, call.ctx.moment(&last)),
        offer: offer.and_then(|open| offer::write_take_back(open, &settings, &state)),
        bot_seats: settings.bots.seats().numbers(),
        end_offer: offer.and_then(|open| offer::write_end(open, &settings, &state)),
        room: room_of(&call.ctx, game, who, &settings).await?,
    })
}
