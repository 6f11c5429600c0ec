//! Method CheckTakeBack.

use canasta_engine::game::frame_count;
use canasta_messages::answers::{preview_take_back, seat_of};
use canasta_proto::v1::{CheckTakeBackRequest, CheckTakeBackResponse};
use canasta_serve::OrFault;
use canasta_serve::telemetry::method::Method;

use super::question::{self, PresentGame};
use super::{Call, take_back};
use crate::entry::log_end;
use crate::play::present_deal::PresentDeal;

/// Answers how far a seat may take back without anybody's agreement.
pub async fn answer(call: &Call, request: CheckTakeBackRequest) -> OrFault<CheckTakeBackResponse> {
    let asked = question::about(&request.game_id, request.actor)?;
    let PresentGame { game, who, last, state } = question::open(call, asked).await?;
    let asker = seat_of(who)?;
    let PresentDeal { earliest, frames } = call.ctx.present_deal(game, &last, &state).await?;
    let then = call.ctx.open(game, &earliest).await?;
    // Each frame may hold an action to execute.
    call.account.charge(frame_count(&frames).saturating_sub(1) as u32);
    let back = question::search(call, const { Method::named("CheckTakeBack") }, move |_, _| {
        let back = state.take_back(&then, &frames, asker).map_err(take_back::unfollowed)?;
        let (to_seq, seq) = (back.game.table.step(), state.table.step());
        Ok((to_seq, seq - to_seq, back.stopped))
    });
    let (to_seq, actions, stopped) = back.await?;
    Ok(CheckTakeBackResponse {
        log_end: Some(log_end(&last)),
        to_seq: (actions > 0).then_some(to_seq),
        actions: actions as u32,
        refused: stopped.map(|(reason, seq)| preview_take_back::write(reason, seq)),
    })
}
