//! Every method of RecordService, with a request for it.

use canasta_proto::v1::*;
use prost::Message;
use tonic::Status;
use tonic::transport::Channel;

use super::game::{act, new_game, remark, role, seat};
use super::raw::ask_some;

/// The game and the room that requests are about.
#[derive(Clone, Default)]
pub struct Asked {
    /// The game that [`new_game`] of 1 creates.
    pub game: Vec<u8>,
    /// The seat that is to act there.
    pub who: Option<Actor>,
    pub action: Option<Action>,
    pub end: LogEnd,
    pub room: Vec<u8>,
    pub code: String,
    /// Makes the ids of requests.
    pub number: u8,
    /// The expiry of links.
    pub expires_at_ms: i64,
}

impl Asked {
    /// Returns a request for each method, by its name.
    pub fn requests(&self) -> Vec<(&'static str, Vec<u8>)> {
        [self.of_play(), self.of_hosts(), self.of_lists()].concat()
    }

    fn of_play(&self) -> Vec<(&'static str, Vec<u8>)> {
        let Self { game, who: actor, action, end, number, .. } = self;
        let (game_id, request_id, actor) = (game.clone(), vec![*number; 16], *actor);
        let mut note = act(game, (*number).into(), role(Role::Director), None);
        note.proposals[0].record = remark("a note");
        note.observers = actor.into_iter().collect();
        let back = TakeBackRequest {
            game_id: game_id.clone(),
            request_id: request_id.clone(),
            actor,
            to_seq: Some(end.seq.saturating_sub(1)),
            expected_seq: Some(end.seq),
            observers: actor.into_iter().collect(),
        };
        let check = CheckRequest { game_id: game_id.clone(), actor, action: action.clone() };
        let list = ListActionsRequest { game_id: game_id.clone(), actor, ..Default::default() };
        let options = GetOptionsRequest { game_id: game_id.clone(), actor, ..Default::default() };
        let suggest = SuggestRequest { game_id: game_id.clone(), actor, ..Default::default() };
        let decline = DeclineOfferRequest { game_id: game_id.clone(), request_id: request_id.clone(), actor };
        let way = EndWay::Resigned.into();
        let end = EndGameRequest { game_id: game_id.clone(), request_id, actor, way };
        vec![
            ("Act", note.encode_to_vec()),
            ("TakeBack", back.encode_to_vec()),
            ("Check", check.encode_to_vec()),
            ("ListActions", list.encode_to_vec()),
            ("GetOptions", options.encode_to_vec()),
            ("Suggest", suggest.encode_to_vec()),
            ("DeclineOffer", decline.encode_to_vec()),
            ("EndGame", end.encode_to_vec()),
            ("CheckTakeBack", CheckTakeBackRequest { game_id, actor }.encode_to_vec()),
        ]
    }

    fn of_hosts(&self) -> Vec<(&'static str, Vec<u8>)> {
        let (game_id, request_id) = (self.game.clone(), vec![self.number; 16]);
        let situation = CreateSituationRequest {
            request_id: request_id.clone(),
            name: "initial-meld-due".into(),
            creator: seat(0),
        };
        let rules = RoomRules {
            rule_set: "classic-4p".into(),
            deal_mode: DealMode::Committed.into(),
            ..Default::default()
        };
        let room =
            CreateRoomRequest { request_id: request_id.clone(), rules: Some(rules), name: "Ann".into() };
        let change = ChangeRoomRequest {
            room_id: self.room.clone(),
            request_id: request_id.clone(),
            actor: seat(0),
            change: Some(change_room_request::Change::Ready(self.number.is_multiple_of(2))),
        };
        let link = InviteRequest {
            game_id: game_id.clone(),
            actor: role(Role::Spectator),
            expires_at_ms: self.expires_at_ms,
        };
        let bot = SetBotRequest {
            game_id: game_id.clone(),
            request_id: request_id.clone(),
            actor: seat(3),
            bot: Some(Bot { seat: Some(3), level: 0 }),
            plays: false,
        };
        vec![
            ("Create", new_game(1).encode_to_vec()),
            ("CreateSituation", situation.encode_to_vec()),
            ("CreateRoom", room.encode_to_vec()),
            ("OpenRoom", OpenRoomRequest { code: self.code.clone() }.encode_to_vec()),
            ("ChangeRoom", change.encode_to_vec()),
            ("Invite", link.encode_to_vec()),
            ("Revoke", RevokeRequest { game_id, token_id: request_id }.encode_to_vec()),
            ("SetBot", bot.encode_to_vec()),
        ]
    }

    fn of_lists(&self) -> Vec<(&'static str, Vec<u8>)> {
        let (game_id, actor, table) = (self.game.clone(), self.who, role(Role::Table));
        let watch = WatchRequest { game_id: game_id.clone(), actor, want_view: true, from_n: None };
        let describe =
            DescribeRequest { game_id: game_id.clone(), actor, want_views: true, ..Default::default() };
        let log = GetLogRequest { game_id: game_id.clone(), actor: role(Role::Director), from_n: None };
        let verdict = GetVerdictRequest { game_id: game_id.clone(), actor, head: Vec::new() };
        vec![
            ("Watch", watch.encode_to_vec()),
            ("GetGame", GetGameRequest { game_id, actor }.encode_to_vec()),
            ("Describe", describe.encode_to_vec()),
            ("GetLog", log.encode_to_vec()),
            ("ListGames", ListGamesRequest { actor: table, ..Default::default() }.encode_to_vec()),
            ("GetVerdict", verdict.encode_to_vec()),
            ("WatchGames", WatchGamesRequest { actor: table, ..Default::default() }.encode_to_vec()),
        ]
    }
}

/// Asks a method. Returns the messages of the answer; of a stream that goes on, the first.
pub async fn ask(channel: &Channel, method: &str, request: Vec<u8>) -> Result<Vec<Vec<u8>>, Status> {
    let most = if method.starts_with("Watch") { 1 } else { usize::MAX };
    ask_some(channel, &format!("/canasta.v1.RecordService/{method}"), vec![request], most).await
}
