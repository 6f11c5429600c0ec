//! A refused request names every bad field at once (API.md, `INVALID_FIELD`), and not only the first.

use crate::support::game::{action, assert_fields, created, dealt, new_game, seat};
use crate::support::{NOON, Server};
use canasta_proto::v1::action::{Kind, Meld, TakePile};
use canasta_proto::v1::audit_service_client::AuditServiceClient;
use canasta_proto::v1::{
    self as pb, ApplyActionRequest, ApplyActionsRequest, AuditLogRequest, AuditQuestion, CreateGameRequest,
    DealMode, HouseRules, Player, ProposedAction, audit_log_request::Part,
};
use tonic_types::StatusExt;

#[tokio::test]
async fn a_new_game_is_told_all_its_bad_fields() {
    let server = Server::start(&["--max-lifetime-ms", "1000"]).await;
    let mut client = server.client().await;
    let knobs = [("no_such_knob".to_owned(), "1".to_owned()), ("target".into(), "\"many\"".into())];
    let house = HouseRules {
        name: "a\u{202e}b".into(),
        variations: vec!["CV-099".into()],
        knobs: knobs.into(),
        ..HouseRules::default()
    };
    let players = vec![
        Player { name: "x".repeat(65), public_key: vec![1] },
        Player { name: "North".into(), public_key: vec![] },
        Player { name: String::new(), public_key: vec![] },
    ];
    let request = CreateGameRequest {
        house_rules: Some(house),
        game_id: vec![1; 3],
        secret: vec![1; 5],
        wall: Some(pb::Wall::default()),
        dealer: Some(9),
        players,
        registration: 7,
        started_at_ms: Some(i64::MAX),
        ..new_game()
    };
    let status = client.create_game(request.clone()).await.expect_err("nothing is right");
    let expected = [
        "house_rules.variations",
        "house_rules.knobs[\"no_such_knob\"]",
        "house_rules.knobs[\"target\"]",
        "house_rules.name",
        "secret",
        "wall",
        "game_id",
        "dealer",
        "players[0].name",
        "players[0].public_key",
        "players[2].name",
        "registration",
        "started_at_ms",
        "expires_at_ms",
    ];
    let named = status.get_details_bad_request().expect("a BadRequest").field_violations;
    let named: Vec<_> = named.iter().map(|fault| fault.field.as_str()).collect();
    assert!(named.len() >= 8 && expected.starts_with(&named), "{named:?}");
    if named.len() < expected.len() {
        let more = format!("; and {} more", expected.len() - named.len());
        assert!(status.message().ends_with(&more), "{}", status.message());
    }

    // A rule set that does not exist, or that cannot be played, is not judged before the fields are well formed.
    let unknown = CreateGameRequest { rule_set: "bridge".into(), game_id: vec![1], ..new_game() };
    let unknown = CreateGameRequest { expires_at_ms: Some(NOON + 500), ..unknown };
    assert_fields(&client.create_game(unknown).await.expect_err("no id"), &["game_id"]);
    let explicit =
        CreateGameRequest { deal_mode: DealMode::Explicit.into(), rule_set: String::new(), ..request };
    let status = client.create_game(explicit).await.expect_err("nothing is right");
    let named = status.get_details_bad_request().expect("a BadRequest").field_violations;
    let named: Vec<_> = named.iter().map(|fault| fault.field.as_str()).take(4).collect();
    assert_eq!(named, ["rule_set", "wall.salt", "secret", "game_id"]);
}

#[tokio::test]
async fn an_action_is_told_all_its_bad_fields() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let status = client.get_view(pb::GetViewRequest::default()).await.expect_err("nothing is asked");
    assert_fields(&status, &["state", "actor"]);

    let (state, turn) = dealt(&mut client).await;
    let group = |kind: i32, cards: &[&str]| pb::Group {
        kind,
        cards: cards.iter().map(|&card| card.into()).collect(),
        ..pb::Group::default()
    };
    let asked = |kind| ApplyActionRequest {
        state: state.clone(),
        actor: seat(turn),
        elapsed_ms: Some(u64::MAX),
        signature: vec![1],
        action: action(kind),
        ..ApplyActionRequest::default()
    };
    let melds = Kind::Meld(Meld { groups: vec![group(0, &["Kx", "Ks", ""]), group(1, &["1s"])] });
    let status = client.apply_action(asked(melds)).await.expect_err("cards that do not exist");
    let expected = [
        "elapsed_ms",
        "signature",
        "action.meld.groups[0].kind",
        "action.meld.groups[0].cards[0]",
        "action.meld.groups[0].cards[2]",
        "action.meld.groups[1].cards[0]",
    ];
    assert_fields(&status, &expected);
    let take = TakePile { cards: vec!["0h".into()], also: vec![group(9, &["Ks"])], ..TakePile::default() };
    let status = client.apply_action(asked(Kind::TakePile(take))).await.expect_err("no such card");
    let expected = ["elapsed_ms", "signature", "action.take_pile.cards[0]", "action.take_pile.also[0].kind"];
    assert_fields(&status, &expected);

    let proposed = |who| ProposedAction { actor: who, ..ProposedAction::default() };
    let actions = vec![proposed(seat(9)), proposed(seat(turn)), proposed(None)];
    let request = ApplyActionsRequest { state: state.clone(), actions, ..ApplyActionsRequest::default() };
    let status = client.apply_actions(request).await.expect_err("two actors do not exist");
    assert_fields(&status, &["actions[0].actor.seat", "actions[2].actor"]);

    // What a request quotes is cut, so that trailers stay small.
    let long = Kind::Meld(Meld { groups: vec![group(1, &["K".repeat(100_000).as_str(); 2])] });
    let status = client.apply_action(asked(long)).await.expect_err("no such card");
    assert!(status.details().len() <= 2048 && status.message().len() < 2048, "{}", status.message().len());
}

#[tokio::test]
async fn a_question_about_a_log_is_told_all_its_bad_fields() {
    let server = Server::start(&[]).await;
    created(&mut server.client().await, new_game()).await;
    let mut auditor = AuditServiceClient::new(server.channel().await);
    let question = AuditQuestion {
        expected_head: vec![1],
        expected_record: Some(pb::ExpectedRecord { n: Some(0), head: vec![2] }),
        ..AuditQuestion::default()
    };
    let request = AuditLogRequest { part: Some(Part::Question(question)) };
    let status = auditor.audit_log(tokio_stream::once(request)).await.expect_err("three bad fields");
    let expected = ["question.actor", "question.expected_head", "question.expected_record.head"];
    assert_fields(&status, &expected);
}
