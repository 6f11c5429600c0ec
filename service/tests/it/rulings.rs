//! Rulings of officials through the service.

use crate::support::Server;
use crate::support::game::{
    Client, accepted, action, apply, assert_field, codes, dealt, discard, draw, rejected, role, seat, view,
};
use canasta_proto::v1::action::{Dispute, Kind, Ruling};
use canasta_proto::v1::{self as pb, Action, ApplyActionRequest, Authority, Role, effect};

fn ruling(rule: &str, points: i32, effect: Option<effect::Kind>) -> Option<Action> {
    action(Kind::Ruling(Box::new(Ruling {
        by: Authority::Director.into(),
        side: Some(0),
        rule: rule.into(),
        points,
        effect: effect.map(|kind| Box::new(pb::Effect { kind: Some(kind) })),
        ..Ruling::default()
    })))
}

fn request(state: &[u8], who: Option<pb::Actor>, action: Option<Action>) -> ApplyActionRequest {
    ApplyActionRequest { state: state.into(), actor: who, action, ..Default::default() }
}

/// Plays a turn: the seat draws, then discards the first card of its hand.
async fn turn(client: &mut Client, state: &[u8], to_act: u32) -> Vec<u8> {
    let drawn = accepted(client, request(state, seat(to_act), draw())).await.state;
    let own = view(client, &drawn, seat(to_act)).await;
    let hand = &own.seats[to_act as usize].hand;
    accepted(client, request(&drawn, seat(to_act), discard(&hand[0]))).await.state
}

#[tokio::test]
async fn a_dispute_suspends_play_until_the_director_closes_it() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let dispute = |open| action(Kind::Dispute(Dispute { open: Some(open), reason: "a card fell".into() }));
    let state = accepted(&mut client, request(&state, seat(1), dispute(true))).await.state;
    let table = view(&mut client, &state, role(Role::Table)).await;
    assert_eq!((table.dispute, table.to_act), (Some(2), Some(to_act)));

    let refused = rejected(&mut client, request(&state, seat(to_act), draw())).await;
    assert_eq!(codes(&refused), ["GAME_DISPUTE_OPEN"]);
    assert_eq!(refused.violations[0].rule_ids, ["IR-107", "TF-024"]);
    let refused = rejected(&mut client, request(&state, seat(1), dispute(false))).await;
    assert_eq!(codes(&refused), ["RULING_NOT_AUTHORISED"]);
    let list =
        pb::ListLegalActionsRequest { state: state.clone(), actor: seat(to_act), ..Default::default() };
    assert_eq!(client.list_legal_actions(list).await.expect("a list").into_inner().actions, []);

    let state = accepted(&mut client, request(&state, role(Role::Director), dispute(false))).await.state;
    accepted(&mut client, request(&state, seat(to_act), draw())).await;
}

#[tokio::test]
async fn a_director_rules_and_restores() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (first, to_act) = dealt(&mut client).await;
    let director = role(Role::Director);

    let refused = rejected(&mut client, request(&first, seat(0), ruling("IR-033", -100, None))).await;
    assert_eq!(codes(&refused), ["RULING_NOT_AUTHORISED"]);
    let refused = rejected(&mut client, request(&first, director, ruling("IR-999", -3, None))).await;
    assert_eq!(codes(&refused), ["RULING_UNKNOWN_RULE"]);
    let ruled = accepted(&mut client, request(&first, director, ruling("IR-033", -100, None))).await.state;
    let table = view(&mut client, &ruled, role(Role::Table)).await;
    assert_eq!((table.sides[0].ruled, table.sides[1].ruled), (-100, 0));

    let later = turn(&mut client, &ruled, to_act).await;
    let restore =
        |to_seq| ruling("IR-010", 0, Some(effect::Kind::Restore(effect::Restore { to_seq: Some(to_seq) })));
    let without = request(&later, director, restore(2));
    assert_eq!(codes(&rejected(&mut client, without.clone()).await), ["RULING_EFFECT_NOT_APPLICABLE"]);
    let with = ApplyActionRequest { earlier_state: ruled.clone(), ..without };
    let restored = accepted(&mut client, with.clone()).await;
    let table = view(&mut client, &restored.state, role(Role::Table)).await;
    assert_eq!((table.seq, table.to_act, table.sides[0].ruled), (5, Some(to_act), -100));

    // A state of another deal, and bytes that are no state.
    let other = ApplyActionRequest { earlier_state: first[..first.len() - 1].into(), ..with };
    let status = client.apply_action(other).await.expect_err("no state");
    assert_eq!(status.code(), tonic::Code::InvalidArgument);
}

#[tokio::test]
async fn rulings_are_read_strictly() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, _) = dealt(&mut client).await;
    let auto = action(Kind::Ruling(Box::new(Ruling {
        by: Authority::Auto.into(),
        side: Some(0),
        rule: "IR-050".into(),
        ..Ruling::default()
    })));
    let status = client.apply_action(request(&state, role(Role::Director), auto)).await.expect_err("refused");
    assert_field(&status, "action.ruling.by");
    let penalty =
        effect::Kind::PenaltyCards(effect::PenaltyCards { seat: Some(0), cards: vec!["4c".into(); 9] });
    let outcome =
        apply(&mut client, request(&state, role(Role::Director), ruling("IR-030", 0, Some(penalty)))).await;
    assert!(matches!(outcome, pb::apply_action_response::Outcome::Rejected(_)));
}
