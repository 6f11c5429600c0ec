//! Twin games: two games that are equal for a seat give that seat equal answers, except for what hashes the cards.

use std::sync::Arc;

use canasta_engine::action::{Action as Move, As};
use canasta_engine::card::Card;
use canasta_engine::deal::{GameId, WallSalt};
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_engine::view::view;
use canasta_proto::v1::action::{Discard, DrawStock, Kind};
use canasta_proto::v1::*;
use prost::Message;

use crate::support::game::*;
use crate::support::server::{Client, Recorder};

/// The seat that looks.
const LOOKER: u8 = 0;

fn dealt_by(preset: &str, wall: &[Card]) -> Game {
    let rules = Arc::new(Rules::preset(preset).expect("a preset"));
    let deal = NewDeal::Explicit { wall: wall.to_vec(), salt: WallSalt([3; 32]) };
    let new = NewGame { dealer: Some(Seat(0)), ..NewGame::new(rules, GameId([1; 16]), deal) };
    let mut game = Game::create(new).expect("a whole pack").game;
    game.act(As::Table, &Move::Deal(Default::default()), Stamp::default()).expect("the table deals");
    game
}

/// Whether a seat may draw and discard this card.
fn may_discard(game: &Game, seat: Seat, card: Card) -> bool {
    let (mut game, who) = (game.clone(), As::Seat(seat));
    let is_drawn = game.act(who, &Move::DrawStock, Stamp::default()).is_ok();
    is_drawn && game.act(who, &Move::Discard(card), Stamp::default()).is_ok()
}

/// Returns two walls that are dealt alike for the seat that looks and for the table, but not for the seat that acts first;
/// and a card which that seat can discard in both.
fn twins(preset: &str) -> (Vec<Card>, Vec<Card>, u32, Card) {
    let rules = Rules::preset(preset).expect("a preset");
    let mut wall: Vec<Card> = rules.set().deck().iter().collect();
    let mut random = crate::support::random::Random(11);
    // The first discard of some rule sets must be of a rank that not every hand has.
    for _ in 0..50 {
        for at in (1..wall.len()).rev() {
            wall.swap(at, random.below(at as u64 + 1) as usize);
        }
        if let Some(found) = twin(preset, &wall) {
            return found;
        }
    }
    panic!("some card in the hand of another seat can be exchanged")
}

fn twin(preset: &str, wall: &[Card]) -> Option<(Vec<Card>, Vec<Card>, u32, Card)> {
    let first = dealt_by(preset, wall);
    let actor = first.table.to_act().expect("somebody is to act");
    assert_ne!(actor, Seat(LOOKER), "the seat that looks is not the one that acts");
    let naturals = first.table.hand(actor).iter().filter(|card| card.rank().is_natural());
    let cards: Vec<_> = naturals.filter(|card| may_discard(&first, actor, *card)).collect();
    if cards.is_empty() {
        return None;
    }
    for at in 0..wall.len() {
        // The bottom of the stock, which nobody sees.
        for other in (wall.len() - 30)..wall.len() {
            let mut twin = wall.to_vec();
            twin.swap(at, other);
            let second = dealt_by(preset, &twin);
            let seen = |who| view(&first.table, who) == view(&second.table, who);
            if seen(As::Seat(Seat(LOOKER))) && seen(As::Table) && !seen(As::Seat(actor)) {
                let is_common = |card: &&Card| {
                    second.table.hand(actor).count(**card) > 0 && may_discard(&second, actor, **card)
                };
                if let Some(card) = cards.iter().find(is_common) {
                    return Some((wall.to_vec(), twin, actor.0.into(), *card));
                }
            }
        }
    }
    None
}

/// Plays one of the twins, and returns everything that the service shows to the seat that looks and to spectators, who ask
/// as trusted callers or each by a link.
async fn shown(
    preset: &str,
    wall: &[Card],
    (actor, discard): (u32, Card),
    by_links: bool,
) -> (Vec<Vec<u8>>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let mut game = CreateRequest { rule_set: preset.into(), ..new_game(1) };
    let cards = wall.iter().map(ToString::to_string).collect();
    (game.deal_mode, game.dealer) = (DealMode::Explicit.into(), Some(0));
    (game.wall, game.game_id) = (Some(Wall { cards, salt: vec![3; 32] }), vec![1; 16]);
    game.started_at_ms = Some(0);
    let game = created(&mut client, game).await.game_id;
    let lookers = [seat(LOOKER.into()), role(Role::Table), role(Role::Spectator)];
    let mut clients = Vec::new();
    for looker in lookers {
        clients.push(match by_links {
            true => {
                let link =
                    client.invite(&game, looker, crate::support::links::tomorrow()).await.expect("a link");
                recorder.holder(&link).await
            }
            false => client.clone(),
        });
    }
    let from_n = Some(crate::support::links::end(&mut client, &game).await.n + 1);
    let mut streams = Vec::new();
    for (looker, client) in lookers.into_iter().zip(&mut clients) {
        let request = WatchRequest { game_id: game.clone(), actor: looker, from_n, want_view: true };
        let request = client.request(request);
        streams.push(client.service.watch(request).await.expect("a stream").into_inner());
    }
    let moves = [
        (role(Role::Table), deal()),
        (seat(actor), action(Kind::DrawStock(DrawStock {}))),
        (seat(actor), action(Kind::Discard(Discard { card: discard.to_string() }))),
    ];
    let mut shown = Vec::new();
    for (id, (who, action)) in (1..).zip(moves) {
        let mut request = act(&game, id, who, action);
        request.proposals[0].elapsed_ms = Some(0);
        request.observers = lookers.into_iter().flatten().collect();
        let mut acted = acted(&mut client, request).await;
        acted.log_end = None;
        acted.observations.iter_mut().for_each(blank);
        shown.push(acted.encode_to_vec());
        for stream in &mut streams {
            let mut message = stream.message().await.expect("no fault").expect("a message");
            // Who comes is told when it comes.
            while message.observation.is_none() {
                message = stream.message().await.expect("no fault").expect("a message");
            }
            message.present.clear();
            message.log_end = None;
            message.observation.iter_mut().for_each(blank);
            shown.push(message.encode_to_vec());
        }
    }
    for (looker, client) in lookers.into_iter().zip(&mut clients) {
        shown.extend(asked(client, &game, looker).await);
    }
    let director = client.get_game(&game, role(Role::Director)).await.expect("a view").view.expect("a view");
    (shown, format!("{:?}", director.seats))
}

/// Asks everything that a seat or role can ask.
async fn asked(client: &mut Client, game: &[u8], looker: Option<Actor>) -> Vec<Vec<u8>> {
    let mut answers = Vec::new();
    let request =
        DescribeRequest { game_id: game.into(), actor: looker, want_views: true, ..Default::default() };
    let request = client.request(request);
    let mut described = client.service.describe(request).await.expect("well formed").into_inner();
    described.log_end = None;
    for record in &mut described.records {
        let facts = record.record.as_mut().expect("a record");
        facts.head.clear();
        // The recorder measures the time of its own notes, and a longer number moves what follows.
        facts.elapsed_ms = facts.elapsed_ms.filter(|_| facts.kind() != RecordKind::Note);
        facts.offset = 0;
        record.view.iter_mut().for_each(|view| view.head.clear());
    }
    answers.push(described.encode_to_vec());
    let mut seen = client.get_game(game, looker).await.expect("a view");
    seen.log_end = None;
    seen.view.as_mut().expect("a view").head.clear();
    let verdict = client.get_verdict(game, looker).await.expect("an answer");
    assert_eq!(verdict, get_verdict_response::Outcome::Pending(GameStatus::Live.into()));
    answers.push(seen.encode_to_vec());
    let request = client.request(WatchGamesRequest { actor: looker, ..Default::default() });
    let mut games = client.service.watch_games(request).await.expect("a stream").into_inner();
    let mut news = games.message().await.expect("no fault").expect("a message");
    news.resume_token.clear();
    let summary = news.games[0].summary.as_mut().expect("a summary");
    (summary.log_end, summary.created_at_ms, summary.changed_at_ms) = (None, 0, 0);
    answers.push(news.encode_to_vec());
    let draw = action(Kind::DrawStock(DrawStock {}));
    let mut checked = client.check(game, looker, draw).await.expect("an answer");
    checked.log_end = None;
    answers.push(checked.encode_to_vec());
    let mut listed = client.list_actions(game, looker).await.expect("an answer");
    listed.log_end = None;
    answers.push(listed.encode_to_vec());
    let mut suggested = client.suggest(game, looker, 0).await.expect("an answer");
    suggested.log_end = None;
    answers.push(suggested.encode_to_vec());
    if looker == seat(LOOKER.into()) {
        let mut options = client.get_options(game, looker).await.expect("an answer");
        options.log_end = None;
        answers.push(options.encode_to_vec());
        let mut back = client.check_take_back(game, looker).await.expect("an answer");
        back.log_end = None;
        answers.push(back.encode_to_vec());
    }
    answers
}

/// Clears what hashes the cards.
fn blank(observation: &mut Observation) {
    observation.view.iter_mut().for_each(|view| view.head.clear());
}

#[tokio::test]
async fn twins_are_shown_alike() {
    // A rule set of each family.
    for preset in ["classic-4p", "samba-4p", "american-4p", "hand-and-foot-4p"] {
        let (wall, twin, actor, discard) = twins(preset);
        for by_links in [false, true] {
            let (first, first_hands) = shown(preset, &wall, (actor, discard), by_links).await;
            let (second, second_hands) = shown(preset, &twin, (actor, discard), by_links).await;
            assert_ne!(first_hands, second_hands, "the games differ");
            assert_eq!(first.len(), second.len());
            for (at, (first, second)) in first.iter().zip(&second).enumerate() {
                assert_eq!(first, second, "answer {at} of {preset}, by links: {by_links}");
            }
        }
    }
}
