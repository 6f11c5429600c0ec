//! Method ChangeRoom. A change is an entry with new settings of the game that the room is kept as, so it has the rivals, the
//! retries and the note of such an entry.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::seat::Seat;
use canasta_messages::convert::field::{Read, all, fault, required, within};
use canasta_messages::convert::{identity, new_game};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::change_room_request::Change;
use canasta_proto::v1::{ChangeRoomRequest, ChangeRoomResponse, SitDown};
use canasta_serve::OrFault;
use canasta_serve::outside::lock;

use super::change::{ChangeRequest, change};
use super::room::{read_rules, set_links};
use super::{Call, open_room, request_id};
use crate::entry::{RequestTag, RoomState, SeatSet};
use crate::play::repeat::Repeated;
use crate::room::RoomMoment;

/// Changes a room, and answers once that is stored, and the next game begun if one is due.
pub async fn answer(call: &Call, request: ChangeRoomRequest) -> OrFault<ChangeRoomResponse> {
    let ChangeRoomRequest { room_id, request_id: id, actor, change: asked } = request;
    let room_id = super::game_id(&room_id).map_err(|_| within("room_id")(fault("expected 16 bytes")));
    let asked = required(asked).map_err(within("change")).and_then(read);
    let (room, id, who, asked) = all((room_id, request_id(&id), identity::read(actor), asked))?;
    call.entitle(who, room)?;
    check_rules(call, room, &asked).await?;
    let request = ChangeRequest { game: room, by: who, tag: RequestTag::of(who, &id) };
    let made = loop {
        if let Some(made) = try_change(call, request, &asked).await? {
            break made;
        }
    };
    let chair = match (&asked, who) {
        (Change::SitDown(SitDown { chair, .. }), _) => chair.and_then(|chair| u8::try_from(chair).ok()),
        (Change::StandUp(chair), As::Seat(own)) if u32::from(own.0) == *chair => None,
        (_, As::Seat(own)) => Some(own.0),
        _ => None,
    };
    let opened = open_room::opened(call, room, (chair, made.generation(chair))).await?;
    Ok(ChangeRoomResponse { opened: Some(opened) })
}

/// Makes a change unless it was made before. Returns the room after it; `None` if a game has begun meanwhile, on which it may
/// depend.
async fn try_change(call: &Call, request: ChangeRequest, asked: &Change) -> OrFault<Option<Box<RoomState>>> {
    let (ctx, room) = (&call.ctx, request.game);
    let last = ctx.last(room).await?;
    if let Some(Repeated { before, entry }) = ctx.repeated(room, &last, request.tag, None).await? {
        let (before, after) =
            (ctx.settings(room, &before.entry).await?, ctx.settings(room, &entry.entry).await?);
        return recorded(before.room.as_deref(), after.room.clone(), asked).map(Some);
    }
    let (state, presence) = (state(call, room).await?, &ctx.changes.presence);
    let latest = ctx.latest_game(&state).await?;
    let mut there = SeatSet::default();
    for chair in (0..state.seats()).map(Seat) {
        let seat = state.seat_of(chair);
        let in_game = latest.as_ref().zip(seat).is_some_and(|(game, seat)| presence.has(game.id, seat));
        there.set(chair, in_game || presence.has(room, chair));
    }
    let now = RoomMoment {
        is_playing: latest.as_ref().is_some_and(|latest| latest.is_playing),
        end: latest.as_ref().and_then(|latest| latest.end.as_ref()),
        there,
    };
    // What this call has made of the room: if the same request, sent twice, has won, the room is so.
    let made = Mutex::new(None);
    let is_late = AtomicBool::new(false);
    let changed = change(
        call,
        request,
        |settings| settings.room.is_some() && *lock(&made) == settings.room,
        |settings, _, _| {
            let Some(present) = &mut settings.room else { return Err(RequestFault::Denied) };
            if present.begun != state.begun {
                is_late.store(true, Ordering::Relaxed);
                return Err(RequestFault::Internal);
            }
            let text = present.change(request.by, asked.clone(), &now)?;
            *lock(&made) = Some(present.clone());
            let present = RoomState::clone(present);
            set_links(&present, ctx.folder.key(), room, settings);
            Ok(text)
        },
    );
    let changed = changed.await;
    match is_late.into_inner() {
        true => Ok(None),
        false => {
            changed.and_then(|_| made.into_inner().ok().flatten().ok_or(RequestFault::Internal)).map(Some)
        }
    }
}

/// Returns the room after a request that was recorded, if it asked for this: whoever sits down gets the token of a chair.
fn recorded(
    before: Option<&RoomState>,
    after: Option<Box<RoomState>>,
    asked: &Change,
) -> OrFault<Box<RoomState>> {
    let (Some(before), Some(after)) = (before, after) else { return Err(RequestFault::Denied) };
    if let Change::SitDown(SitDown { chair, name }) = asked {
        let chair = chair.and_then(|chair| u8::try_from(chair).ok());
        let sat = chair.and_then(|chair| after.room.chairs.get(usize::from(chair)));
        let is_same = after.generation(chair) == before.generation(chair) + 1
            && sat.is_some_and(|sat| sat.name == *name);
        if chair.is_none() || !is_same {
            return Err(RequestFault::RequestIdReused);
        }
    }
    Ok(after)
}

/// Returns the present state of a room.
async fn state(call: &Call, room: GameId) -> OrFault<RoomState> {
    let last = call.ctx.last(room).await?;
    let settings = call.ctx.settings(room, &last.entry).await?;
    settings
        .room
        .as_deref()
        .cloned()
        .ok_or_else(|| RequestFault::from(within("room_id")(fault("is a game and no room"))))
}

fn read(change: Change) -> Read<Change> {
    match change {
        Change::SitDown(SitDown { chair, name }) => {
            let name = new_game::player_name(name).map_err(within("name")).map_err(within("sit_down"))?;
            Ok(Change::SitDown(SitDown { chair, name }))
        }
        other => Ok(other),
    }
}

/// Checks that rules can be played in a room, if they are what a change asks for.
async fn check_rules(call: &Call, room: GameId, change: &Change) -> OrFault<()> {
    let Change::Rules(rules) = change else { return Ok(()) };
    let read = match read_rules(rules)? {
        Ok(read) => read,
        Err(rejected) => {
            let said = rejected.violations.iter().map(|violation| violation.message.as_str());
            return Err(within("rules")(fault(said.collect::<Vec<_>>().join("; "))).into());
        }
    };
    let (seats, chairs) = (read.set().seats, state(call, room).await?.seats());
    if seats == chairs {
        return Ok(());
    }
    let problem = format!("is for {seats} players, and this room has {chairs} chairs");
    Err(within("rules")(within("rule_set")(fault(problem))).into())
}
