//! Method OpenRoom.

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::seat::Seat;
use canasta_messages::convert::field::{fault, within};
use canasta_messages::convert::identity;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{OpenRoomRequest, OpenRoomResponse, OpenedRoom};
use canasta_serve::OrFault;
use canasta_serve::telemetry::instant;

use super::Call;
use super::arrange::room_of;
use super::room::own_link;
use crate::room::RoomCode;

/// Answers the token that a code is traded for. A wrong code is paid for, so that nobody finds rooms by trying.
pub async fn answer(call: &Call, request: OpenRoomRequest) -> OrFault<OpenRoomResponse> {
    let (ctx, caller) = (&call.ctx, call.account.key());
    let Some(code) = RoomCode::read(&request.code, ctx.folder.key()) else {
        return Err(within("code")(fault("expected 12 letters and digits")).into());
    };
    ctx.code_rates.has(caller, instant())?;
    let room = ctx.folder.key().room_game(code.room, 0);
    if is_present(call, room, code).await? {
        let opened = opened(call, room, (code.chair, code.generation)).await?;
        return Ok(OpenRoomResponse { opened: Some(opened) });
    }
    ctx.code_rates.take(caller, instant())?;
    Err(RequestFault::NotFound("room of this code".into()))
}

/// Returns true if a code opens its room now.
async fn is_present(call: &Call, room: GameId, code: RoomCode) -> OrFault<bool> {
    let Some(last) = call.ctx.journal.last(room).await? else { return Ok(false) };
    let settings = call.ctx.settings(room, &last.entry).await?;
    Ok(settings.room.as_ref().is_some_and(|state| {
        code.generation == state.generation(code.chair)
            && code.chair.is_none_or(|chair| state.is_taken(chair))
            && state.room.expires_at_ms > (call.ctx.service.clock)()
    }))
}

/// Returns a room, and the token of a chair or of guests, who must still have the code of this number: a token is never one of
/// somebody who has sat down since.
///
/// # Errors
/// If they have another code by now.
pub async fn opened(
    call: &Call,
    room: GameId,
    (chair, generation): (Option<u8>, u32),
) -> OrFault<OpenedRoom> {
    let ctx = &call.ctx;
    let last = ctx.last(room).await?;
    let settings = ctx.settings(room, &last.entry).await?;
    let present = settings.room.as_ref().filter(|state| state.generation(chair) == generation);
    let Some(state) = present else { return Err(RequestFault::Denied) };
    let actor = chair.map_or(As::Spectator, |chair| As::Seat(Seat(chair)));
    let link = own_link(state, ctx.folder.key(), room, chair);
    Ok(OpenedRoom {
        room: room_of(ctx, room, actor, &settings).await?,
        actor: Some(identity::write(actor)),
        link: Some(ctx.token(&link)?),
    })
}
