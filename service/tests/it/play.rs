//! Judging, applying, listing, viewing and suggesting through a client.

use crate::support::Server;
use crate::support::game::{
    accepted, action, assert_field, codes, created, dealt, discard, draw, new_game, rejected, role, seat,
    view,
};
use crate::support::script::PlayedScript;
use canasta_engine::log::Length;
use canasta_engine::token::{Catalogue, decode, encode};
use canasta_proto::v1::action::{Deal, Kind};
use canasta_proto::v1::fact::Value;
use canasta_proto::v1::{
    ApplyActionRequest, CheckActionRequest, GetViewRequest, ListLegalActionsRequest, Phase, Role,
    SuggestActionRequest, apply_action_response, check_action_response, event,
};
use prost::Message;
use tonic::Code;
use tonic_types::StatusExt;

/// Maximum length of a whole reply to an ordinary action of Classic without events or view, in bytes (design,
/// section 4).
const REPLY_BUDGET: usize = 440;
/// Length that nearly all replies stay below with their prefix of 5 bytes, in bytes: from it on h2 writes the data of a
/// reply apart if it writes in vectors (its `CHAIN_THRESHOLD`).
const SHORT: usize = 256;
const PREFIX: usize = 5;

#[tokio::test]
async fn a_state_that_is_none_is_refused_alike() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let mut flipped = state.clone();
    flipped[0] ^= 0x80;
    for state in [vec![0; 300], vec![1], flipped, state[..4].to_vec()] {
        let status =
            client.get_view(GetViewRequest { state, actor: seat(to_act) }).await.expect_err("no state");
        assert_eq!(status.code(), Code::InvalidArgument);
        assert_eq!(status.message(), "state: not a state of this service");
        assert_eq!(status.get_details_error_info().expect("an ErrorInfo").reason, "STATE_TOKEN_INVALID");
    }
}

#[tokio::test]
async fn each_malformed_request_names_its_field() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let good = ApplyActionRequest { state, actor: seat(to_act), action: draw(), ..Default::default() };
    let table = [
        (ApplyActionRequest { state: vec![], ..good.clone() }, "state"),
        (ApplyActionRequest { actor: None, ..good.clone() }, "actor"),
        (ApplyActionRequest { actor: seat(4), ..good.clone() }, "actor.seat"),
        (ApplyActionRequest { actor: seat(6), ..good.clone() }, "actor.seat"),
        (ApplyActionRequest { actor: role(Role::Unspecified), ..good.clone() }, "actor.role"),
        (ApplyActionRequest { action: None, ..good.clone() }, "action"),
        (ApplyActionRequest { action: discard("1z"), ..good.clone() }, "action.discard.card"),
        (ApplyActionRequest { expected_head: vec![0; 31], ..good.clone() }, "expected_head"),
        (ApplyActionRequest { elapsed_ms: Some(u64::MAX), ..good.clone() }, "elapsed_ms"),
    ];
    for (request, path) in table {
        let status = client.apply_action(request.clone()).await.expect_err(path);
        assert_field(&status, path);
        if !["expected_head", "elapsed_ms"].contains(&path) {
            let ApplyActionRequest { state, actor, action, .. } = request;
            let status = client
                .check_action(CheckActionRequest { state, actor, action, ..Default::default() })
                .await
                .expect_err(path);
            assert_field(&status, path);
        }
    }
}

#[tokio::test]
async fn an_expectation_that_differs_is_aborted_and_says_what_is_current() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let current = view(&mut client, &state, role(Role::Table)).await;
    let good = ApplyActionRequest {
        state,
        actor: seat(to_act),
        action: draw(),
        expected_seq: Some(1),
        expected_head: current.head.clone(),
        ..Default::default()
    };
    accepted(&mut client, good.clone()).await;
    let stale = [
        ApplyActionRequest { expected_seq: Some(0), ..good.clone() },
        ApplyActionRequest { expected_head: vec![9; 32], ..good.clone() },
    ];
    for request in stale {
        let status = client.apply_action(request).await.expect_err("stale");
        assert_eq!(status.code(), Code::Aborted);
        let info = status.get_details_error_info().expect("an ErrorInfo");
        assert_eq!((info.reason.as_str(), info.metadata["current_seq"].as_str()), ("STALE_HEAD", "1"));
        let head: String = current.head.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(info.metadata["current_head"], head);
    }
}

#[tokio::test]
async fn a_refusal_has_code_rules_facts_field_and_repair() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let next = (to_act + 1) % 4;
    let request = ApplyActionRequest { state, actor: seat(next), action: draw(), ..Default::default() };
    let refused = rejected(&mut client, request.clone()).await;
    let violation = &refused.violations[0];
    assert_eq!(codes(&refused), ["TURN_NOT_YOURS"]);
    assert_eq!((violation.rule_ids.clone(), violation.field.as_str()), (vec!["CL-014".to_string()], "actor"));
    assert_eq!(violation.facts["turn"].value, Some(Value::Seat(to_act)));
    assert_eq!(violation.facts["seat"].value, Some(Value::Seat(next)));
    assert!(!violation.message.is_empty() && violation.repair.is_some());
    let ApplyActionRequest { state, actor, action, .. } = request;
    let checked = client
        .check_action(CheckActionRequest { state, actor, action, ..Default::default() })
        .await
        .expect("well formed");
    assert_eq!(checked.into_inner().outcome, Some(check_action_response::Outcome::Rejected(refused)));
}

#[tokio::test]
async fn the_table_deals_and_nobody_else() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let game = created(&mut client, new_game()).await;
    let deal = action(Kind::Deal(Deal::default()));
    let request =
        ApplyActionRequest { state: game.state, actor: seat(0), action: deal, ..Default::default() };
    assert_eq!(codes(&rejected(&mut client, request.clone()).await), ["TURN_NOT_YOURS"]);
    let table = ApplyActionRequest { actor: role(Role::Table), ..request };
    assert_eq!(accepted(&mut client, table).await.seq, 1);
}

/// Checks that the answer to a checked draw is "legal" and nothing else, so that it does not show the card.
#[tokio::test]
async fn a_check_shows_nothing() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let request = CheckActionRequest { state, actor: seat(to_act), action: draw(), ..Default::default() };
    let answer = client.check_action(request).await.expect("well formed").into_inner();
    assert_eq!(answer.encode_to_vec(), [0x0a, 0x00]);
}

#[tokio::test]
async fn a_reply_holds_only_what_was_wanted() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let request = ApplyActionRequest { state, actor: seat(to_act), action: draw(), ..Default::default() };
    let plain = accepted(&mut client, request.clone()).await;
    assert!(plain.events.is_empty() && plain.view.is_none() && plain.round_end.is_none());
    assert_eq!((plain.n, plain.seq), (3, 2));
    let everything = ApplyActionRequest { want_events: true, want_view: true, want_head: true, ..request };
    let full = accepted(&mut client, everything).await;
    assert!(!full.events.is_empty());
    assert_eq!(full.view.as_ref().map(|view| (view.seq, view.phase())), Some((2, Phase::Play)));
    assert!(plain.head.is_empty());
    assert_eq!(full.view.as_ref().map(|view| &view.head), Some(&full.head));
    // The end of the frames has the first bytes of the head.
    assert!(plain.frames == full.frames && full.frames.ends_with(&full.head[..8]));
}

/// Measures the replies of whole games, deals and ends of rounds included.
#[tokio::test]
async fn nearly_all_replies_of_a_game_are_short() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    for elapsed_ms in [None, Some(31_830)] {
        let script = PlayedScript::play(&mut client, u32::MAX).await;
        let (mut state, mut lengths) = (script.state, Vec::new());
        for made in &script.moves {
            let (actor, action) = (made.who(), made.action());
            let request = ApplyActionRequest { state, actor, action, elapsed_ms, ..Default::default() };
            let answer = client.apply_action(request).await.expect("well formed").into_inner();
            lengths.push(PREFIX + answer.encoded_len());
            let Some(apply_action_response::Outcome::Accepted(accepted)) = answer.outcome else {
                panic!("a suggestion is legal")
            };
            state = accepted.state;
        }
        let short = lengths.iter().filter(|&&length| length < SHORT).count();
        let share = short * 1000 / lengths.len();
        println!("{short} of {} replies are below {SHORT} B, {}.{} %", lengths.len(), share / 10, share % 10);
        assert!(share >= 950, "{share} of 1000");
    }
}

/// Measures the replies of a game with times. Replies that end a round also hold its score sheet and the reveal.
#[tokio::test]
async fn every_ordinary_reply_of_a_game_fits_its_budget() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let mut state = created(&mut client, new_game()).await.state;
    let (mut longest, mut ended) = (0, false);
    while !ended {
        let table = view(&mut client, &state, role(Role::Table)).await;
        let who = table.to_act.map_or(role(Role::Table), seat);
        let request =
            SuggestActionRequest { state: state.clone(), actor: who, seed: 1, ..Default::default() };
        let action = client.suggest_action(request).await.expect("well formed").into_inner().action;
        let request =
            ApplyActionRequest { state, actor: who, action, elapsed_ms: Some(31_830), ..Default::default() };
        let answer = client.apply_action(request).await.expect("well formed").into_inner();
        let size = answer.encoded_len();
        let Some(apply_action_response::Outcome::Accepted(accepted)) = answer.outcome else {
            panic!("a suggestion is legal")
        };
        if accepted.round_end.is_none() {
            longest = longest.max(size);
        }
        (state, ended) = (accepted.state, accepted.game_end.is_some());
    }
    assert!(longest <= REPLY_BUDGET, "{longest} bytes");
}

#[tokio::test]
async fn a_viewer_sees_its_own_hand_only() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    for viewer in 0..4 {
        let seen = view(&mut client, &state, seat(viewer)).await;
        let shown: Vec<_> =
            seen.seats.iter().filter(|seat| !seat.hand.is_empty()).map(|seat| seat.seat).collect();
        assert_eq!(shown, [viewer]);
        assert!(seen.stock_cards.is_empty() && seen.pile.expect("a pile").cards.is_empty());
        assert_eq!((seen.to_act, seen.phase), (Some(to_act), Phase::Start.into()));
    }
    let table = view(&mut client, &state, role(Role::Table)).await;
    assert!(table.seats.iter().all(|seat| seat.hand.is_empty() && seat.hand_size == 11));
    for official in [Role::Judge, Role::Director] {
        let all = view(&mut client, &state, role(official)).await;
        assert!(all.seats.iter().all(|seat| seat.hand.len() == 11));
        assert_eq!(all.stock_cards.len() as u32, all.stock);
    }
}

#[tokio::test]
async fn events_hide_what_the_asker_may_not_see() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let game = created(&mut client, new_game()).await;
    let request = ApplyActionRequest {
        state: game.state,
        actor: role(Role::Table),
        action: action(Kind::Deal(Deal::default())),
        want_events: true,
        ..Default::default()
    };
    let events = accepted(&mut client, request).await.events;
    let Some(event::Kind::Dealt(dealt)) = events[0].kind.clone() else { panic!("{events:?}") };
    assert!(dealt.hands.iter().flat_map(|hand| &hand.cards).all(|card| card == "??"));
    assert_eq!(dealt.hands.iter().map(|hand| hand.cards.len()).collect::<Vec<_>>(), [11; 4]);
}

#[tokio::test]
async fn what_is_listed_and_suggested_is_legal_and_only_for_those_who_may_see_it() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let mut list = async |who| {
        let request = ListLegalActionsRequest { state: state.clone(), actor: who, ..Default::default() };
        client.list_legal_actions(request).await.expect("well formed").into_inner().actions
    };
    let own = list(seat(to_act)).await;
    assert!(!own.is_empty());
    assert_eq!(list(role(Role::Judge)).await, own);
    assert!(list(seat((to_act + 1) % 4)).await.is_empty());
    assert!(list(role(Role::Table)).await.is_empty());
    let mut suggest = async |who| {
        let request =
            SuggestActionRequest { state: state.clone(), actor: who, seed: 5, ..Default::default() };
        client.suggest_action(request).await.expect("well formed").into_inner().action
    };
    let suggested = suggest(seat(to_act)).await;
    assert_eq!(suggest(seat((to_act + 1) % 4)).await, None);
    assert_eq!(suggest(role(Role::Judge)).await, None);
    for action in own.into_iter().map(Some).chain([suggested]) {
        assert!(action.is_some());
        let request =
            CheckActionRequest { state: state.clone(), actor: seat(to_act), action, ..Default::default() };
        let answer = client.check_action(request).await.expect("well formed").into_inner();
        assert!(matches!(answer.outcome, Some(check_action_response::Outcome::Legal(_))));
    }
}

#[tokio::test]
async fn a_refusal_is_recorded_where_that_is_wanted() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let request =
        ApplyActionRequest { state, actor: seat((to_act + 1) % 4), action: draw(), ..Default::default() };
    let plain = rejected(&mut client, request.clone()).await;
    assert_eq!(plain.recorded, None);
    let recorded = rejected(&mut client, ApplyActionRequest { record_refusal: true, ..request }).await;
    assert_eq!(recorded.violations, plain.violations);
    let record = recorded.recorded.expect("recorded");
    assert_eq!((record.n, record.seq, record.frames.is_empty()), (3, 1, false));
    let request =
        ApplyActionRequest { state: record.state, actor: seat(to_act), action: draw(), ..Default::default() };
    assert_eq!(accepted(&mut client, request).await.n, 4);
}

#[tokio::test]
async fn a_round_that_is_too_long_takes_no_action_and_no_refusal() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (token, to_act) = dealt(&mut client).await;
    let mut game = decode(&token, &Catalogue::new()).expect("a token");
    game.length = Length { records: 16_384 - 256, bytes: 400_000 };
    let state = encode(&game);
    for (who, record_refusal) in [(to_act, false), ((to_act + 1) % 4, true)] {
        let request = ApplyActionRequest {
            state: state.clone(),
            actor: seat(who),
            action: draw(),
            record_refusal,
            ..Default::default()
        };
        let status = client.apply_action(request).await.expect_err("no room");
        assert_eq!(status.code(), Code::FailedPrecondition);
        assert_eq!(status.get_details_error_info().expect("an ErrorInfo").reason, "ROUND_TOO_LONG");
        assert!(status.get_details_retry_info().is_none(), "trying again does not help");
    }
}
