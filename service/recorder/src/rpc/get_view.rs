//! Method GetView.

use canasta_messages::answers::check_actor;
use canasta_messages::convert::field::all;
use canasta_messages::convert::{identity, view};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{RecordServiceGetViewRequest, RecordServiceGetViewResponse};

use super::{Call, game_id};
use crate::entry::log_end;
use crate::play::offer;
use crate::timing;

/// Answers the present view of the seat or role that the caller acts for.
pub async fn answer(
    call: &Call,
    request: RecordServiceGetViewRequest,
) -> Result<RecordServiceGetViewResponse, RequestFault> {
    let Call { ctx, caller: _, .. } = call;
    let (game, who) = all((game_id(&request.game_id), identity::read(request.actor)))?;
    call.entitle(who, game)?;
    let (last, state) = ctx.latest(game).await?;
    check_actor(who, state.table.set().seats)?;
    let settings = ctx.settings(game, &last.entry).await?;
    let offer = ctx.offer(game, &last.entry).await?;
    Ok(RecordServiceGetViewResponse {
        log_end: Some(log_end(&last.entry)),
        view: Some(view::of_game(&state, who)),
        clock: timing::write(&settings.clock, &last.entry, ctx.moment(&last.entry)),
        offer: offer.map(|open| offer::write(open, &settings, &state)),
        bot_seats: settings.bots.numbers(),
    })
}
