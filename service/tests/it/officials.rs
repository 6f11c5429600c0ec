//! Rarer acts of officials and of the table through the service, each with the log that its replies make:
//! players drawing for sides and the deal, a play that stands though it was illegal, a talon taken back.

use crate::support::Server;
use crate::support::game::{Client, accepted, action, codes, created, new_game, rejected, role, seat, view};
use canasta_engine::game::Game;
use canasta_engine::log::audit::{Expect, Report, audit};
use canasta_engine::log::finding::Verdict;
use canasta_engine::notation::Position;
use canasta_engine::table::{Setup, TalonPlace};
use canasta_engine::token::{Catalogue, decode};
use canasta_proto::v1::action::{Deal, DrawCards, Kind, Pass, Ruling};
use canasta_proto::v1::event;
use canasta_proto::v1::{self as pb, Action, Actor, ApplyActionRequest, Authority, Role, effect};
use std::collections::BTreeMap;

/// A game with the log that its replies make.
struct OfficialsGame<'a> {
    client: &'a mut Client,
    state: Vec<u8>,
    log: Vec<u8>,
    seed: u64,
}

impl<'a> OfficialsGame<'a> {
    async fn new(client: &'a mut Client, base: &str, knobs: &[(&str, &str)]) -> Self {
        let knobs: BTreeMap<String, String> =
            knobs.iter().map(|(knob, value)| (knob.to_string(), value.to_string())).collect();
        let house = (!knobs.is_empty()).then(|| pb::HouseRules { knobs, ..Default::default() });
        let request = pb::CreateGameRequest { rule_set: base.into(), house_rules: house, ..new_game() };
        let made = created(client, request).await;
        Self { client, state: made.state, log: made.frames, seed: 0 }
    }

    fn request(&self, who: Option<Actor>, action: Option<Action>) -> ApplyActionRequest {
        ApplyActionRequest {
            state: self.state.clone(),
            actor: who,
            action,
            want_events: true,
            ..Default::default()
        }
    }

    async fn act(&mut self, who: Option<Actor>, action: Option<Action>) -> pb::Accepted {
        let request = self.request(who, action);
        let accepted = accepted(self.client, request).await;
        (self.state, self.seed) = (accepted.state.clone(), self.seed + 1);
        self.log.extend(&accepted.frames);
        accepted
    }

    /// Applies the bot's choice for the seat or role that must act.
    async fn go_on(&mut self) -> pb::Accepted {
        let to_act = view(self.client, &self.state, role(Role::Table)).await.to_act;
        let who = to_act.map_or(role(Role::Table), seat);
        let request = pb::SuggestActionRequest {
            state: self.state.clone(),
            actor: who,
            seed: self.seed,
            ..Default::default()
        };
        let action = self.client.suggest_action(request).await.expect("well formed").into_inner().action;
        self.act(who, action).await
    }

    fn seen(&self) -> Game {
        decode(&self.state, &Catalogue::new()).expect("an open state")
    }

    /// Ends the game by a forfeit, so that its log is complete, and audits the log.
    async fn end(mut self) -> Report {
        let forfeit = effect::Kind::Forfeit(effect::Forfeit { side: Some(0), award: 0 });
        let ended = self.act(role(Role::Director), ruling("IR-033", 0, forfeit)).await;
        assert!(ended.game_end.is_some());
        audit(&self.log, Expect::default())
    }
}

fn ruling(rule: &str, points: i32, effect: effect::Kind) -> Option<Action> {
    action(Kind::Ruling(Box::new(Ruling {
        by: Authority::Director.into(),
        side: Some(0),
        rule: rule.into(),
        points,
        effect: Some(Box::new(pb::Effect { kind: Some(effect) })),
        ..Ruling::default()
    })))
}

/// Returns the height of a card by HF-018: `3h > 3d > X > 2s > 2h > 2d > 2c > As > ... > 4c > 3s > 3c`.
fn height(card: &str) -> usize {
    let mut order: Vec<String> = ["3h", "3d", "X"].map(String::from).to_vec();
    for rank in "2AKQJT987654".chars() {
        order.extend("shdc".chars().map(|suit| format!("{rank}{suit}")));
    }
    order.extend(["3s", "3c"].map(String::from));
    order.len() - order.iter().position(|name| name == card).expect("a card")
}

/// Checks that the two higher cards play together, mates sit face to face, and the highest card deals (HF-019 to
/// HF-023).
#[tokio::test]
async fn players_draw_for_sides_and_the_deal() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let drawn = [("side_choice", "\"drawn_cards\""), ("first_dealer", "\"high_card_deals\"")];
    let mut game = OfficialsGame::new(&mut client, "hand-and-foot-4p", &drawn).await;
    let table = role(Role::Table);

    let early = game.request(table, action(Kind::Deal(Deal::default())));
    assert_eq!(codes(&rejected(game.client, early).await), ["SETUP_WRONG_TIME"]);
    let by_seat = game.request(seat(0), action(Kind::DrawCards(DrawCards::default())));
    assert_eq!(codes(&rejected(game.client, by_seat).await), ["TURN_NOT_YOURS"]);

    let accepted = game.act(table, action(Kind::DrawCards(DrawCards::default()))).await;
    let drawn = accepted.events.iter().find_map(|event| match &event.kind {
        Some(event::Kind::Drawn(drawn)) => Some(drawn.clone()),
        _ => None,
    });
    let drawn = drawn.expect("the draw is told");
    // Identical cards are picked again, for the order among the tied alone (HF-021).
    let at = |place: usize| -> Vec<usize> {
        drawn.picks[drawn.seating[place] as usize].cards.iter().map(|card| height(card)).collect()
    };
    let (one, other) = ([at(0), at(2)], [at(1), at(3)]);
    let (higher, lower) = if one.iter().max() > other.iter().max() { (one, other) } else { (other, one) };
    assert!(higher.iter().min() > lower.iter().max(), "{drawn:?}");
    assert_eq!(Some(at(drawn.dealer as usize)), (0..4).map(at).max(), "{drawn:?}");

    let again = game.request(table, action(Kind::DrawCards(DrawCards::default())));
    assert_eq!(codes(&rejected(game.client, again).await), ["SETUP_WRONG_TIME"]);
    game.act(table, action(Kind::Deal(Deal::default()))).await;
    let dealt = view(game.client, &game.state, table).await;
    assert_eq!(dealt.to_act, Some((drawn.dealer + 1) % 4), "the first turn is at the dealer's left");
    for _ in 0..20 {
        game.go_on().await;
    }
    let report = game.end().await;
    assert_eq!((report.verdict, &report.findings[..]), (Verdict::Ruled, &[][..]));
}

/// Resumes play from the position that a ruling's `stand` names beside the illegal action that led to it (DESIGN 5).
#[tokio::test]
async fn a_play_that_stands_resumes_where_it_led_to() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let mut game = OfficialsGame::new(&mut client, "classic-4p", &[]).await;
    game.act(role(Role::Table), action(Kind::Deal(Deal::default()))).await;
    game.go_on().await;
    let to_act = view(game.client, &game.state, role(Role::Table)).await.to_act.expect("a turn");

    // A card drawn too many: the next of the stock is in the hand.
    let mut setup = Setup::of(&game.seen().table);
    let held = setup.hands[to_act as usize].len();
    let card = setup.stock.pop().expect("a stock");
    setup.hands[to_act as usize].insert(card);
    setup.rulings = None;
    let position = Position::of(&setup.into_table().expect("cards are conserved")).to_string();
    let stand = |position: &str| {
        let broken = Box::new(Action { kind: Some(Kind::Pass(Pass {})) });
        let stand = effect::Stand { action: Some(broken), position: position.as_bytes().into() };
        ruling("IR-022", -100, effect::Kind::Stand(Box::new(stand)))
    };
    let director = role(Role::Director);
    let none = game.request(director, stand(""));
    let status = game.client.apply_action(none).await.expect_err("a position is required");
    assert_eq!(status.code(), tonic::Code::InvalidArgument);
    // A card that comes from nowhere is no position of this game.
    let doubled = position.replacen("hand", "hand X", 1);
    if doubled != position {
        let request = game.request(director, stand(&doubled));
        let outcome = game.client.apply_action(request).await;
        let refused = outcome.map(|answer| {
            let outcome = answer.into_inner().outcome;
            matches!(outcome, Some(pb::apply_action_response::Outcome::Rejected(_)))
        });
        assert!(refused.unwrap_or(true), "cards are conserved");
    }
    game.act(director, stand(&position)).await;
    let now = game.seen();
    assert_eq!(now.table.hand(canasta_engine::seat::Seat(to_act as u8)).len(), held + 1);
    for _ in 0..12 {
        game.go_on().await;
    }
    let report = game.end().await;
    assert_eq!(report.findings, []);
    assert_eq!(report.rulings, 2);
}

/// Checks that a talon that was taken wrongly goes back (IR-062).
#[tokio::test]
async fn a_talon_is_taken_back() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let mut game = OfficialsGame::new(&mut client, "american-4p", &[]).await;
    game.act(role(Role::Table), action(Kind::Deal(Deal::default()))).await;
    let revoke = |side| effect::Kind::RevokeTalon(effect::RevokeTalon { side: Some(side) });
    let director = role(Role::Director);
    let none = game.request(director, ruling("IR-062", 0, revoke(0)));
    assert_eq!(codes(&rejected(game.client, none).await), ["RULING_EFFECT_NOT_APPLICABLE"]);

    let awarded = |state: &Game| {
        state.table.talons().iter().find_map(|talon| match talon.place {
            TalonPlace::Before(seat) => Some(seat),
            _ => None,
        })
    };
    let mut owner = None;
    for _ in 0..600 {
        let round = game.seen().table.round_number();
        owner = awarded(&game.seen()).filter(|_| round > 0);
        if owner.is_some() {
            break;
        }
        game.go_on().await;
    }
    let owner = owner.expect("somebody melds and is awarded a talon");
    let side = u32::from(game.seen().table.side_of(owner).0);
    game.act(director, ruling("IR-062", 0, revoke(side))).await;
    assert_eq!(awarded(&game.seen()), None, "it lies in the middle again");
    for _ in 0..30 {
        game.go_on().await;
    }
    let report = game.end().await;
    assert_eq!(report.findings, []);
    assert_eq!(report.rulings, 2);
}
