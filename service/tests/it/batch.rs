//! Several actions in one call: all or nothing, with the same results as one call per action.

use crate::support;
use crate::support::Server;
use crate::support::game::{
    Client, accepted, action, assert_field, codes, dealt, discard, draw, rejected, role, seat, view,
};
use crate::support::script::PlayedScript;
use canasta_engine::token::encode;
use canasta_proto::v1::action::{Deal, Kind, Ruling};
use canasta_proto::v1::effect::{Kind as Effect, Redeal};
use canasta_proto::v1::{
    self as pb, AcceptedActions, Actor, ApplyActionRequest, ApplyActionsRequest, Observation, ProposedAction,
    Rejected, Role, apply_actions_response::Outcome,
};
use tonic::Code;
use tonic_types::StatusExt;

async fn apply(client: &mut Client, request: ApplyActionsRequest) -> Outcome {
    client.apply_actions(request).await.expect("well formed").into_inner().outcome.expect("an outcome")
}

async fn all(client: &mut Client, request: ApplyActionsRequest) -> AcceptedActions {
    match apply(client, request).await {
        Outcome::Accepted(accepted) => accepted,
        Outcome::Rejected(rejected) => panic!("{rejected:?}"),
    }
}

async fn none(client: &mut Client, request: ApplyActionsRequest) -> Rejected {
    match apply(client, request).await {
        Outcome::Accepted(accepted) => panic!("{accepted:?}"),
        Outcome::Rejected(rejected) => rejected,
    }
}

fn proposed(who: Option<Actor>, action: Option<pb::Action>) -> ProposedAction {
    ProposedAction { actor: who, action, ..Default::default() }
}

fn observers() -> Vec<Actor> {
    [seat(2), role(Role::Spectator), seat(0)].into_iter().flatten().collect()
}

/// Plays two rounds in batches of 1, 2, 3 ... actions, and each action also alone: tokens, frames, events, score
/// sheets, observations and the last view are the same bytes.
#[tokio::test]
async fn a_batch_is_its_actions_one_by_one() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let script = PlayedScript::play(&mut client, 2).await;
    let (mut state, mut left, mut size) = (script.state.clone(), &script.moves[..], 1);
    let mut rounds = 0;
    while !left.is_empty() {
        let (moves, rest) = left.split_at(size.min(left.len()));
        let proposal = |(i, made): (usize, &support::script::Move)| ProposedAction {
            elapsed_ms: (i % 2 == 0).then_some(31_830),
            ..proposed(made.who(), made.action())
        };
        let actions: Vec<_> = moves.iter().enumerate().map(proposal).collect();
        let request = ApplyActionsRequest {
            state: state.clone(),
            actions: actions.clone(),
            want_events: true,
            want_view: true,
            want_head: true,
            observers: observers(),
            ..Default::default()
        };
        let batch = all(&mut client, request).await;
        assert_eq!(batch.results.len(), actions.len());
        let (mut frames, mut last) = (Vec::<u8>::new(), None);
        let mut seen: Vec<Observation> = Vec::new();
        for (action, result) in actions.into_iter().zip(&batch.results) {
            let ProposedAction { actor, action, elapsed_ms, .. } = action;
            let request = ApplyActionRequest {
                state,
                actor,
                action,
                elapsed_ms,
                want_events: true,
                want_view: true,
                want_head: true,
                observers: observers(),
                ..Default::default()
            };
            let one = accepted(&mut client, request).await;
            frames.extend(&one.frames);
            // Of a batch, each observer gets all events, and the last view.
            let before = std::mem::replace(&mut seen, one.observations.clone());
            for (after, before) in seen.iter_mut().zip(before) {
                after.events.splice(0..0, before.events);
            }
            assert_eq!(
                (&result.events, &result.round_end, &result.game_end),
                (&one.events, &one.round_end, &one.game_end)
            );
            assert!(!result.events.is_empty());
            rounds += u32::from(result.round_end.is_some());
            state = one.state.clone();
            last = Some(one);
        }
        let last = last.expect("an action");
        assert_eq!((batch.n, batch.seq, &batch.head), (last.n, last.seq, &last.head));
        assert!(batch.state == last.state && batch.frames == frames && batch.view == last.view);
        assert!(batch.observations == seen && seen.len() == 3);
        (left, size) = (rest, (size + 1).min(256));
    }
    assert_eq!(rounds, 2);
}

#[tokio::test]
async fn a_whole_round_goes_into_one_call() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let script = PlayedScript::play(&mut client, 1).await;
    let moves = &script.moves[..script.moves.len().min(256)];
    let actions = moves.iter().map(|made| proposed(made.who(), made.action())).collect();
    let request = ApplyActionsRequest { state: script.state.clone(), actions, ..Default::default() };
    let batch = all(&mut client, request).await;
    let last = moves.last().expect("a round has actions");
    assert_eq!((batch.seq, batch.state), (last.after.table.step(), encode(&last.after)));
    assert!(batch.view.is_none() && batch.head.is_empty());
    assert!(batch.results.iter().all(|result| result.events.is_empty()));
}

#[tokio::test]
async fn one_that_is_refused_undoes_all_and_is_named() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let actions = vec![proposed(seat(to_act), draw()), proposed(seat(to_act), draw())];
    let request = ApplyActionsRequest { state: state.clone(), actions, ..Default::default() };
    let refused = none(&mut client, request).await;
    assert_eq!((codes(&refused), refused.index), (vec!["TURN_ALREADY_DREW"], Some(1)));
    assert_eq!(refused.recorded, None);
    // The result equals that of the same actions applied one by one.
    let first = ApplyActionRequest { state, actor: seat(to_act), action: draw(), ..Default::default() };
    let drawn = accepted(&mut client, first.clone()).await.state;
    let second = rejected(&mut client, ApplyActionRequest { state: drawn, ..first.clone() }).await;
    assert_eq!(Rejected { index: None, ..refused }, second);
    // The first of them is refused, with index 0.
    let request = ApplyActionsRequest {
        state: first.state,
        actions: vec![proposed(seat((to_act + 1) % 4), draw())],
        ..Default::default()
    };
    let refused = none(&mut client, request).await;
    assert_eq!((codes(&refused), refused.index), (vec!["TURN_NOT_YOURS"], Some(0)));
}

#[tokio::test]
async fn a_malformed_one_names_its_place() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let good = proposed(seat(to_act), draw());
    let request = |actions: Vec<ProposedAction>| ApplyActionsRequest {
        state: state.clone(),
        actions,
        ..Default::default()
    };
    let table = [
        (ApplyActionsRequest { state: vec![], ..request(vec![good.clone()]) }, "state"),
        (request(vec![]), "actions"),
        (request(vec![good.clone(); 257]), "actions"),
        (request(vec![proposed(seat(4), draw())]), "actions[0].actor.seat"),
        (request(vec![good.clone(), proposed(None, draw())]), "actions[1].actor"),
        (request(vec![good.clone(), proposed(seat(to_act), None)]), "actions[1].action"),
        (
            request(vec![good.clone(), proposed(seat(to_act), discard("1z"))]),
            "actions[1].action.discard.card",
        ),
        (
            request(vec![ProposedAction { elapsed_ms: Some(u64::MAX), ..good.clone() }]),
            "actions[0].elapsed_ms",
        ),
        (ApplyActionsRequest { expected_head: vec![0; 31], ..request(vec![good.clone()]) }, "expected_head"),
    ];
    for (request, path) in table {
        assert_field(&client.apply_actions(request).await.expect_err(path), path);
    }
}

#[tokio::test]
async fn an_expectation_of_another_state_is_aborted() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let head = view(&mut client, &state, role(Role::Table)).await.head;
    let good = ApplyActionsRequest {
        state,
        actions: vec![proposed(seat(to_act), draw())],
        expected_seq: Some(1),
        expected_head: head,
        ..Default::default()
    };
    all(&mut client, good.clone()).await;
    for stale in [
        ApplyActionsRequest { expected_seq: Some(2), ..good.clone() },
        ApplyActionsRequest { expected_head: vec![9; 32], ..good.clone() },
    ] {
        let status = client.apply_actions(stale).await.expect_err("stale");
        let info = status.get_details_error_info().expect("an ErrorInfo");
        assert_eq!((status.code(), info.reason.as_str()), (Code::Aborted, "STALE_HEAD"));
    }
}

/// Sends 64 deals in one batch, each of which the director voids: their work is more than that of one request. The fault
/// names the first action that must go into the next request, and those before it are done in one of their own.
#[tokio::test]
async fn a_batch_of_too_much_work_names_the_action_to_go_on_with() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, _) = dealt(&mut client).await;
    let redeal = Ruling {
        by: pb::Authority::Director.into(),
        side: Some(0),
        rule: "house:redeal".into(),
        effect: Some(Box::new(pb::Effect { kind: Some(Effect::Redeal(Redeal {})) })),
        ..Default::default()
    };
    let redeal = action(Kind::Ruling(Box::new(redeal)));
    let voided = [(Role::Director, redeal), (Role::Table, action(Kind::Deal(Deal::default())))];
    let actions: Vec<_> =
        voided.into_iter().cycle().take(128).map(|(who, action)| proposed(role(who), action)).collect();
    let request = ApplyActionsRequest { state, actions: actions.clone(), ..Default::default() };
    let status = client.apply_actions(request.clone()).await.expect_err("too much");
    let details = status.get_details_bad_request().expect("a field");
    let path = &details.field_violations[0].field;
    let number = path.strip_prefix("actions[").and_then(|rest| rest.strip_suffix(']'));
    let count: usize = number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{path}"));
    assert!((64..128).contains(&count), "{path}");
    let first = all(&mut client, ApplyActionsRequest { actions: actions[..count].to_vec(), ..request }).await;
    let rest =
        ApplyActionsRequest { state: first.state, actions: actions[count..].to_vec(), ..Default::default() };
    assert_eq!(all(&mut client, rest).await.results.len(), 128 - count);
}
