//! A room as people see it: its links, and those of its latest game.

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_messages::answers::suggest_action::read_level;
use canasta_messages::convert::field::{Read, fault, within};
use canasta_messages::convert::{new_game, score};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{CreateRequest, DealMode, GameEnd, Rejected, Room, RoomRules};
use canasta_serve::OrFault;
use canasta_serve::identity::LinkGrant;

use super::settings;
use crate::context::RecorderContext;
use crate::entry::{RoomState, SeatedBots, Settings};
use crate::keys::RecorderKey;
use crate::links;

/// Time that lies between the expiries of two links for one actor, by which their tokens differ.
const APART_MS: i64 = 1000;

pub struct LatestGame {
    pub id: GameId,
    /// Whether the game is played: not over, and not gone.
    pub is_playing: bool,
    /// The result; `None` if there is none.
    pub end: Option<GameEnd>,
    /// Whether the recorder still has to create the game.
    pub is_due: bool,
}

/// Returns the request for a game by a room's rules, without players.
pub fn request(rules: &RoomRules, id: GameId) -> CreateRequest {
    CreateRequest {
        request_id: id.0.into(),
        game_id: id.0.into(),
        rule_set: rules.rule_set.clone(),
        house_rules: rules.house_rules.clone(),
        deal_mode: rules.deal_mode,
        clock: rules.clock,
        take_backs: rules.take_backs,
        auto_table: true,
        ..CreateRequest::default()
    }
}

/// Reads the rules of a room; or tells why nobody can play by them.
pub fn read_rules(rules: &RoomRules) -> OrFault<Result<Rules, Box<Rejected>>> {
    let located = |fault: RequestFault| fault.within(within("rules"));
    check_rules(rules).map_err(|faults| located(faults.into()))?;
    let base = new_game::preset(rules.rule_set.clone(), "rule_set").map_err(located)?;
    let read = new_game::house_rules(base, rules.house_rules.clone());
    match read.map_err(|faults| located(faults.into()))? {
        Ok(rules) => Ok(Ok(rules)),
        Err(new_game::NotRead::Rejected(rejected)) => Ok(Err(rejected)),
        Err(new_game::NotRead::Fault(fault)) => Err(located(fault)),
    }
}

fn check_rules(rules: &RoomRules) -> Read<()> {
    if !matches!(rules.deal_mode(), DealMode::Seeded | DealMode::Committed) {
        let problem =
            "the recorder draws the cards of a room: expected DEAL_MODE_SEEDED or DEAL_MODE_COMMITTED";
        return Err(within("deal_mode")(fault(problem)));
    }
    if rules.clock.is_some_and(|clock| clock.starts_at_ms.is_some() || clock.ends_at_ms.is_some()) {
        return Err(within("clock")(fault(
            "has no start and no end in a room, whose games begin by themselves",
        )));
    }
    settings::read(&request(rules, GameId([0; 16]))).map(drop)
}

/// Returns the link of an actor in a room, or in a game of it, that the actor has by the room's present codes.
fn link(state: &RoomState, key: &RecorderKey, game: GameId, (chair, actor): (Option<u8>, As)) -> LinkGrant {
    let expires_at_ms = state.room.expires_at_ms - APART_MS * i64::from(state.generation(chair));
    links::link(key, game, actor, false, expires_at_ms)
}

/// Returns the link for a chair, or for guests, in the room itself.
pub fn own_link(state: &RoomState, key: &RecorderKey, room: GameId, chair: Option<u8>) -> LinkGrant {
    link(state, key, room, (chair, chair.map_or(As::Spectator, |chair| As::Seat(Seat(chair)))))
}

/// Sets the links of the room to those for its guests and for each chair that somebody has.
pub fn set_links(state: &RoomState, key: &RecorderKey, room: GameId, settings: &mut Settings) {
    let chairs = (0..state.seats()).filter(|chair| state.is_taken(*chair)).map(Some);
    let wanted = chairs.chain([None]).map(|chair| links::given(&own_link(state, key, room, chair)));
    settings.links = wanted.collect();
}

/// Returns the link of a chair, or of guests, in the latest game.
fn game_link(state: &RoomState, key: &RecorderKey, game: GameId, chair: Option<u8>) -> Option<LinkGrant> {
    let actor = match chair {
        None => As::Spectator,
        Some(chair) => As::Seat(state.seat_of(Seat(chair))?),
    };
    Some(link(state, key, game, (chair, actor)))
}

/// Sets who plays the latest game to what the room says.
pub fn set_players(state: &RoomState, key: &RecorderKey, game: GameId, settings: &mut Settings) {
    let mut bots = SeatedBots::default();
    let chairs = state.room.games.last().map_or(&[][..], |latest| &latest.chairs);
    for (seat, chair) in (0..).map(Seat).zip(chairs) {
        let chair = state.room.chairs.get(*chair as usize).filter(|chair| chair.bot);
        bots.set(seat, chair.and_then(|chair| read_level(chair.level).ok()));
    }
    let taken = (0..state.seats()).filter(|chair| state.is_taken(*chair)).map(Some);
    let links = taken.chain([None]).filter_map(|chair| game_link(state, key, game, chair));
    (settings.bots, settings.links) = (bots, links.map(|link| links::given(&link)).collect());
}

impl RecorderContext {
    /// Returns the latest game of a room; `None` before the first.
    pub async fn latest_game(&self, state: &RoomState) -> OrFault<Option<LatestGame>> {
        if state.begun == 0 {
            return Ok(None);
        }
        let id = self.folder.key().room_game(state.number, state.begun);
        let over = LatestGame { id, is_playing: false, end: None, is_due: false };
        let Some(last) = self.journal.last(id).await? else {
            let is_gone = self.journal.game(id).await?.is_some() || self.journal.was_dropped(id).await?;
            return Ok(Some(LatestGame { is_playing: !is_gone, is_due: !is_gone, ..over }));
        };
        if !last.entry.game_over {
            return Ok(Some(LatestGame { is_playing: true, ..over }));
        }
        let game = self.open(id, &last.entry).await?;
        Ok(Some(LatestGame { end: Some(score::standing(&game.table)), ..over }))
    }

    /// Returns a room as a chair, or a guest, sees it, with a token for its latest game, which is there.
    pub fn room(
        &self,
        id: GameId,
        state: &RoomState,
        chair: Option<u8>,
        latest: Option<LatestGame>,
    ) -> OrFault<Room> {
        let key = self.folder.key();
        let mut room = state.room.clone();
        room.room_id = id.0.into();
        room.code = state.code(None, key);
        room.own_code = chair.map(|chair| state.code(Some(chair), key)).unwrap_or_default();
        for (number, game) in (state.first_game()..).zip(&mut room.games) {
            game.game_id = key.room_game(state.number, number).0.into();
        }
        if let Some(latest) = latest {
            let link = game_link(state, key, latest.id, chair);
            room.game_link = link.map(|link| self.token(&link)).transpose()?;
            if let Some(game) = room.games.last_mut() {
                game.end = latest.end;
            }
        }
        Ok(room)
    }
}
