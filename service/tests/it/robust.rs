//! Random well-formed actions in random positions: each is judged, and none makes the service fail.

use crate::support::Server;
use crate::support::game::{accepted, action, apply, created, new_game, role, seat, view};
use canasta_proto::v1::action::{self as pa, Deal, Kind};
use canasta_proto::v1::{
    self as pb, ApplyActionRequest, Phase, Role, SuggestActionRequest, apply_action_response,
};
use tonic::Code;

/// A random generator of the test: equal seeds, equal runs.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    fn number(&mut self, below: u64) -> u32 {
        self.roll(below) as u32
    }

    /// Returns a card, mostly of the hand.
    fn card(&mut self, hand: &[String]) -> String {
        if hand.is_empty() || self.roll(8) == 0 {
            let any = ["X", "2c", "3h", "3s", "Ks", "Ah", "7d", "4c"];
            return any[self.roll(any.len() as u64) as usize].into();
        }
        hand[self.roll(hand.len() as u64) as usize].clone()
    }

    fn cards(&mut self, hand: &[String]) -> Vec<String> {
        (0..self.roll(9)).map(|_| self.card(hand)).collect()
    }

    fn onto(&mut self) -> Option<pb::Onto> {
        let place = match self.roll(6) {
            0 => pb::onto::Where::Place(pb::Place::New.into()),
            1 => pb::onto::Where::Place(pb::Place::Auto.into()),
            2 => {
                let side = (self.roll(2) == 0).then(|| self.number(6));
                pb::onto::Where::Meld(pb::MeldRef { side, id: Some(self.number(128)) })
            }
            3 => pb::onto::Where::Meld(pb::MeldRef { side: None, id: Some(self.number(4)) }),
            _ => return None,
        };
        Some(pb::Onto { r#where: Some(place) })
    }

    fn groups(&mut self, hand: &[String]) -> Vec<pb::Group> {
        let group = |dice: &mut Self| pb::Group {
            kind: 1 + dice.number(4) as i32,
            onto: dice.onto(),
            top: dice.roll(8) == 0,
            cards: dice.cards(hand),
        };
        (0..self.roll(4)).map(|_| group(self)).collect()
    }

    fn way(&mut self, hand: &[String]) -> Option<pa::NamedWay> {
        let named = self.roll(2) == 0;
        named.then(|| pa::NamedWay { groups: self.groups(hand), discard: self.card(hand) })
    }

    fn action(&mut self, hand: &[String]) -> Kind {
        match self.roll(21) {
            0 => Kind::Deal(Deal::default()),
            1 => Kind::DrawCards(pa::DrawCards { picks: vec![pb::CardList { cards: self.cards(hand) }; 3] }),
            2 => Kind::DrawStock(pa::DrawStock {}),
            3..=6 => Kind::TakePile(pa::TakePile {
                cards: self.cards(hand),
                onto: self.onto(),
                also: self.groups(hand),
            }),
            7 => Kind::TakeTop(pa::TakeTop {}),
            8 => Kind::RestorePile(pa::RestorePile {}),
            9 => Kind::LayThrees(pa::LayThrees { cards: self.cards(hand) }),
            10..=13 => Kind::Meld(pa::Meld { groups: self.groups(hand) }),
            14 => Kind::MergeMelds(pa::MergeMelds {
                kept: Some(self.number(128)),
                merged: Some(self.number(128)),
            }),
            15 => Kind::UndoMeld(pa::UndoMeld { meld: Some(self.number(128)), cards: self.cards(hand) }),
            16 => Kind::Ask(pa::Ask { about: 1, to: Some(self.number(6)), way: self.way(hand) }),
            17 => Kind::Answer(pa::Answer { yes: Some(self.roll(2) == 0) }),
            18 => Kind::CallReveal(pa::CallReveal { seat: Some(self.number(6)) }),
            19 => match self.roll(4) {
                0 => Kind::Pass(pa::Pass {}),
                1 => Kind::EndRound(pa::EndRound {}),
                2 => Kind::Sign(pa::Sign { side: Some(self.number(6)) }),
                _ => Kind::Dispute(pa::Dispute { open: Some(true), reason: "why".into() }),
            },
            _ => Kind::Discard(pa::Discard { card: self.card(hand) }),
        }
    }
}

#[tokio::test]
async fn no_action_is_a_failure_of_ours() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut state = created(&mut client, new_game()).await.state;
    let mut judged = 0;
    for step in 0..400 {
        let table = view(&mut client, &state, role(Role::Table)).await;
        if table.phase() == Phase::GameOver {
            break;
        }
        let judge = view(&mut client, &state, role(Role::Judge)).await;
        for _ in 0..6 {
            let actor = match dice.roll(8) {
                0 => role(Role::Table),
                1 => role(Role::Judge),
                2 => role(Role::Director),
                3 => seat(dice.number(4)),
                _ => seat(table.to_act.unwrap_or(0)),
            };
            let hand = &judge.seats[table.to_act.unwrap_or(0) as usize].hand;
            let proposed = action(dice.action(hand));
            let request = ApplyActionRequest {
                state: state.clone(),
                actor,
                action: proposed,
                want_events: true,
                want_view: true,
                record_refusal: actor != role(Role::Judge),
                ..Default::default()
            };
            judged += 1;
            if let apply_action_response::Outcome::Rejected(rejected) = apply(&mut client, request).await {
                assert!(
                    !rejected.violations.is_empty()
                        && rejected.recorded.is_some() == (actor != role(Role::Judge))
                );
                let cited = |violation: &pb::Violation| !violation.rule_ids.is_empty();
                assert!(rejected.violations.iter().all(cited), "{rejected:?}");
            }
        }
        let (who, next) = match table.to_act {
            None => (role(Role::Table), action(Kind::Deal(Deal::default()))),
            Some(number) => {
                let request = SuggestActionRequest {
                    state: state.clone(),
                    actor: seat(number),
                    seed: step,
                    ..Default::default()
                };
                let answer = client.suggest_action(request).await.expect("well formed").into_inner();
                (seat(number), answer.action)
            }
        };
        let request = ApplyActionRequest { state, actor: who, action: next, ..Default::default() };
        state = accepted(&mut client, request).await.state;
    }
    assert!(judged > 1000, "{judged} actions judged");
}

/// Flips each bit of an open token, which can be forged: each gives another valid state or no state, and never a
/// failure.
#[tokio::test]
async fn no_flipped_bit_of_a_state_is_a_failure_of_ours() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let mut state = created(&mut client, new_game()).await.state;
    for step in 0..30 {
        let table = view(&mut client, &state, role(Role::Table)).await;
        let who = table.to_act.map_or(role(Role::Table), seat);
        let request =
            SuggestActionRequest { state: state.clone(), actor: who, seed: step, ..Default::default() };
        let action = client.suggest_action(request).await.expect("well formed").into_inner().action;
        let request = ApplyActionRequest { state, actor: who, action, ..Default::default() };
        state = accepted(&mut client, request).await.state;
    }
    let (mut none, mut other) = (0, 0);
    for bit in 0..state.len() * 8 {
        let mut forged = state.clone();
        forged[bit / 8] ^= 1 << (bit % 8);
        let judge = pb::GetViewRequest { state: forged.clone(), actor: role(Role::Judge) };
        let table = match client.get_view(judge).await {
            Ok(answer) => answer.into_inner().view.expect("a view"),
            Err(status) => {
                assert_eq!(status.code(), Code::InvalidArgument, "bit {bit}: {status:?}");
                none += 1;
                continue;
            }
        };
        other += 1;
        let request = pb::ListLegalActionsRequest {
            state: forged.clone(),
            actor: role(Role::Judge),
            ..Default::default()
        };
        let actions = client.list_legal_actions(request).await.expect("a state").into_inner().actions;
        let who = table.to_act.map_or(role(Role::Table), seat);
        // The first and the last listed action: a take or a draw, and a discard.
        let ends = [actions.first().cloned(), actions.last().cloned()];
        for action in ends.into_iter().filter(Option::is_some) {
            let request =
                ApplyActionRequest { state: forged.clone(), actor: who, action, ..Default::default() };
            accepted(&mut client, request).await;
        }
    }
    assert!(none > 100 && other > 100, "{none} are no state, {other} are another");
}
