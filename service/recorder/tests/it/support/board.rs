//! A board at two tables, and the search for what its tables must not show.

use std::collections::BTreeSet;
use std::fmt::Debug;

use canasta_engine::deal::{self, GameId, GameSecret};
use canasta_engine::hex::hex;
use canasta_engine::rules::{PresetId, RuleSet, Rules};
use canasta_proto::v1::*;
use prost::Message;
use tonic::Status;

use super::game::*;
use super::server::Client;
use super::watching::{from, message};

pub const TABLES: [[u8; 16]; 2] = [[0xa1; 16], [0xb2; 16]];
pub fn board() -> deal::Board {
    let secret = std::array::from_fn(|at| (at as u8).wrapping_mul(37) ^ 0x5c);
    deal::Board { id: GameId([7; 16]), secret: GameSecret(secret) }
}

/// Returns the request for a table of the board, of two rounds.
pub fn table(at: usize) -> CreateRequest {
    let deal::Board { id, secret } = board();
    let knobs = [("rounds", "2"), ("target", "0")].map(|(knob, value)| (knob.into(), value.into()));
    CreateRequest {
        game_id: TABLES[at].into(),
        deal_mode: DealMode::Explicit.into(),
        auto_table: true,
        house_rules: Some(HouseRules { knobs: knobs.into(), ..Default::default() }),
        board: Some(Board {
            board_id: id.0.into(),
            secret: secret.0.into(),
            tables: TABLES.iter().map(|table| table.to_vec()).collect(),
        }),
        ..new_game(at as u8 + 1)
    }
}

pub fn rules() -> Rules {
    let base = PresetId::from_name("classic-4p").expect("a preset");
    let set = RuleSet { rounds: 2, target: 0, ..base.rule_set() };
    Rules::house(base, set, None).expect("rules that are played")
}

/// The needles that nobody may find: parts of the secret and the salts, and of the walls, as bytes and as cards.
pub struct Needles {
    secrets: BTreeSet<[u8; 8]>,
    walls: BTreeSet<[u8; 12]>,
    cards: Vec<String>,
}

impl Needles {
    pub fn new() -> Self {
        let (board, rules) = (board(), rules());
        let mut needles = Self { secrets: BTreeSet::new(), walls: BTreeSet::new(), cards: Vec::new() };
        let mut secrets = vec![board.secret.0.to_vec()];
        for round in 1..=2 {
            secrets.extend(TABLES.map(|table| board.salt(GameId(table), round, 1).0.to_vec()));
            let wall = board.wall(&rules, round, 1).expect("a pack");
            let kinds: Vec<u8> = wall.iter().map(|card| card.kind()).collect();
            needles.walls.extend(kinds.windows(12).map(|part| <[u8; 12]>::try_from(part).expect("12")));
            let mut names: Vec<String> = wall.iter().map(|card| format!("{:?}", card.to_string())).collect();
            for _ in 0..2 {
                needles.cards.extend(names.windows(6).map(|part| part.join(", ")));
                names.reverse();
            }
        }
        let windows = secrets.iter().flat_map(|secret| secret.windows(8));
        needles.secrets = windows.map(|part| part.try_into().expect("8")).collect();
        needles
    }

    /// Returns what is found in bytes, and in a text.
    pub fn find(&self, bytes: &[u8], text: &str) -> Option<&'static str> {
        let has = |part: &[u8]| part.try_into().is_ok_and(|part: [u8; 8]| self.secrets.contains(&part));
        let in_hex = || self.secrets.iter().any(|part| text.contains(&hex(part)));
        let is_wall = |part: &[u8]| part.try_into().is_ok_and(|part: [u8; 12]| self.walls.contains(&part));
        if bytes.windows(8).any(has) || in_hex() {
            return Some("a secret");
        }
        if bytes.windows(12).any(is_wall) {
            return Some("a wall");
        }
        self.cards.iter().any(|cards| text.contains(cards)).then_some("the cards of a wall")
    }

    pub fn find_in<T: Message + Debug>(&self, answer: &Result<T, Status>) -> Option<&'static str> {
        match answer {
            Ok(answer) => self.find(&answer.encode_to_vec(), &format!("{answer:?}")),
            Err(status) => self.find(status.details(), status.message()),
        }
    }
}

/// Asks everything about a game on behalf of an actor. Returns where something is found that is to be hidden.
pub async fn leaks(needles: &Needles, client: &mut Client, game: &[u8], actor: Option<Actor>) -> Vec<String> {
    let mut found = Vec::new();
    let mut look = |what: &str, leak: Option<&str>| {
        found.extend(leak.map(|leak| format!("{what} shows {leak}")));
    };
    let mut views = Vec::new();
    let seen = client.get_game(game, actor).await;
    look("GetGame", needles.find_in(&seen));
    views.extend(seen.ok().and_then(|seen| seen.view));
    let mut request = DescribeRequest { game_id: game.into(), actor, want_views: true, ..Default::default() };
    loop {
        let described = client.service.describe(client.request(request.clone())).await;
        let described = described.map(|page| page.into_inner());
        look("Describe", needles.find_in(&described));
        let Ok(page) = described else { break };
        views.extend(page.records.into_iter().filter_map(|record| record.view));
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
    }
    let pieces = client.get_log(GetLogRequest { game_id: game.into(), actor, from_n: None }).await;
    for piece in pieces.expect("a log") {
        look("GetLog", needles.find_in(&Ok(piece)));
    }
    let request = client.request(GetVerdictRequest { game_id: game.into(), actor, head: Vec::new() });
    look(
        "GetVerdict",
        needles.find_in(&client.service.get_verdict(request).await.map(|answer| answer.into_inner())),
    );
    let watched = WatchRequest { want_view: true, ..from(game, actor, None) };
    if let Ok(stream) = client.service.watch(client.request(watched)).await {
        let message = message(&mut stream.into_inner()).await;
        views.extend(message.observation.clone().and_then(|seen| seen.view));
        look("Watch", needles.find_in(&Ok(message)));
    }
    let games =
        client.service.watch_games(client.request(WatchGamesRequest { actor, ..Default::default() })).await;
    let news = games.expect("a stream").into_inner().message().await.expect("no fault").expect("a message");
    look("WatchGames", needles.find_in(&Ok(news)));
    look(
        "ListGames",
        needles.find_in(&client.list_games(ListGamesRequest { actor, ..Default::default() }).await),
    );
    look("ListActions", needles.find_in(&client.list_actions(game, actor).await));
    look("Suggest", needles.find_in(&client.suggest(game, actor, 0).await));
    look("CheckTakeBack", needles.find_in(&client.check_take_back(game, actor).await));
    look("Check", needles.find_in(&client.check(game, actor, deal()).await));
    for view in &views {
        look("a view", shown_hand(view));
    }
    found
}

/// Returns what a view shows of cards that only others hold; `None` if it shows nothing.
pub fn shown_hand(view: &View) -> Option<&'static str> {
    let own = view.actor;
    let others = view.seats.iter().filter(|each| own != seat(each.seat));
    let has_hand = others.into_iter().any(|each| !each.hand.is_empty());
    (has_hand || !view.stock_cards.is_empty()).then_some("hidden cards")
}

/// Returns every actor that sees no hidden card.
pub fn lookers() -> Vec<Option<Actor>> {
    (0..4).map(seat).chain([role(Role::Table), role(Role::Spectator)]).collect()
}
