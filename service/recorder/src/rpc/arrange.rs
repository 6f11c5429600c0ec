//! The latest game of a room, which the recorder creates and keeps as the room's state says.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{CreateRequest, Player, Room};
use canasta_serve::OrFault;

use super::change::{ChangeRequest, change};
use super::room::{LatestGame, read_rules, request, set_players};
use super::{Call, create};
use crate::context::RecorderContext;
use crate::entry::{RequestTag, RoomState, Settings};
use crate::play::work;

/// Returns the latest game of a room. Creates it unless it is there, and sets who plays it to what the room says: whoever
/// changes or watches a room sees to that, so nothing is lost if a recorder dies in between.
///
/// # Errors
/// If the game cannot be created or changed.
async fn arrange(ctx: &Arc<RecorderContext>, state: &RoomState) -> OrFault<Option<LatestGame>> {
    let Some(latest) = ctx.latest_game(state).await? else { return Ok(None) };
    if !latest.is_playing {
        return Ok(Some(latest));
    }
    let (call, key, game) = (Call::of_operator(Arc::clone(ctx)), ctx.folder.key(), latest.id);
    if latest.is_due {
        create::create(&call, first_request(state, game)?, create::Purpose::OfRoom).await?;
    }
    let wanted = |settings: &Settings| {
        let mut wanted = settings.clone();
        set_players(state, key, game, &mut wanted);
        wanted
    };
    let request = ChangeRequest { game, by: As::Table, tag: RequestTag::default() };
    change(
        &call,
        request,
        |settings| wanted(settings) == *settings,
        |settings, _, _| {
            *settings = wanted(settings);
            Ok(match settings.bots.seats().numbers() {
                bots if bots.is_empty() => "The room says who plays: no bots.".into(),
                bots => format!("The room says who plays: bots on the seats {bots:?}."),
            })
        },
    )
    .await?;
    work::begin(ctx, game);
    Ok(Some(latest))
}

/// Returns the request for the latest game of a room, without its bots, which are set like all who play it.
fn first_request(state: &RoomState, game: GameId) -> OrFault<CreateRequest> {
    let (Some(rules), Some(latest)) = (&state.room.rules, state.room.games.last()) else {
        return Err(RequestFault::Internal);
    };
    let read = read_rules(rules)?.map_err(|_| RequestFault::Internal)?;
    let dealer = ((state.begun - 1) % u64::from(state.seats())) as u32;
    Ok(CreateRequest {
        players: latest
            .players
            .iter()
            .map(|name| Player { name: name.clone(), ..Player::default() })
            .collect(),
        dealer: read.set().leaves_dealer_to_table().then_some(dealer),
        ..request(rules, game)
    })
}

/// Returns the room that a game is, with its latest game in order; `None` if the game is none.
///
/// # Errors
/// If the latest game cannot be read, created or changed.
pub async fn room_of(
    ctx: &Arc<RecorderContext>,
    game: GameId,
    who: As,
    settings: &Settings,
) -> OrFault<Option<Room>> {
    let Some(state) = &settings.room else { return Ok(None) };
    let chair = match who {
        As::Seat(seat) => Some(seat.0),
        _ => None,
    };
    // Boxed, since most games are no rooms.
    let latest = Box::pin(arrange(ctx, state)).await?;
    Ok(Some(ctx.room(game, state, chair, latest)?))
}
