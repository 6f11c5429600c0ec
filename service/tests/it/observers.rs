//! Observers: one answer shows each of them what the service would have shown it alone.

use crate::support::Server;
use crate::support::game::{
    Client, accepted, assert_field, created, dealt, draw, new_game, recorded, rejected, role, seat, view,
};
use crate::support::logs::{Auditor, step};
use canasta_engine::rules::{FirstDealer, PresetId};
use canasta_proto::v1::event::{Drew, Kind};
use canasta_proto::v1::{
    self as pb, Accepted, Actor, ApplyActionRequest, ApplyActionsRequest, Note, Observation, PlayRequest,
    ProposedAction, Role, SuggestActionRequest, View, apply_actions_response, play_response,
};
use prost::Message;
use tokio_stream::StreamExt;

/// Rule sets with feet, talons, sequences, three and two players: everything that is dealt or taken face down.
const PRESETS: [&str; 7] =
    ["classic-4p", "classic-3p", "hoyle-2p", "samba-4p", "american-4p", "hand-and-foot-4p", "wahhi-5p"];

/// Maximum number of actions per game.
const ACTIONS: u64 = 400;

/// Returns every actor of a game of this many seats.
fn everybody(seats: u32) -> Vec<Actor> {
    let roles = [Role::Spectator, Role::Table, Role::Director, Role::Judge].map(role);
    (0..seats).rev().map(seat).chain(roles).flatten().collect()
}

async fn new(client: &mut Client, id: &str, observers: Vec<Actor>) -> pb::Created {
    let set = PresetId::from_name(id).expect("a preset").rule_set();
    let given = set.first_dealer == FirstDealer::Given;
    let secret = id.bytes().cycle().take(64).collect();
    let request = pb::CreateGameRequest {
        rule_set: id.into(),
        dealer: given.then_some(0),
        secret,
        observers,
        ..new_game()
    };
    created(client, request).await
}

async fn next(client: &mut Client, state: &[u8], seq: u64) -> (Option<Actor>, Option<pb::Action>) {
    let table = view(client, state, role(Role::Table)).await;
    for who in [table.talon_offered, table.to_act].into_iter().flatten().map(seat).chain([role(Role::Table)])
    {
        let request =
            SuggestActionRequest { state: state.into(), actor: who, seed: seq, ..Default::default() };
        let answer = client.suggest_action(request).await.expect("well formed").into_inner();
        if answer.action.is_some() {
            return (who, answer.action);
        }
    }
    panic!("somebody has something to do");
}

fn bytes(view: Option<&View>) -> Vec<u8> {
    view.expect("a view").encode_to_vec()
}

/// Plays a round of each rule set with everybody as an observer. Each view is that of GetView, the actor's events are
/// those of the answer, a spectator sees what the table sees, and once the round is revealed GetStep tells each
/// observer the same events of the log's record.
#[tokio::test]
async fn each_observer_gets_what_it_would_get_by_asking() {
    let server = Server::start(&[]).await;
    let (mut client, mut auditor) = (server.client().await, Auditor::new(server.channel().await));
    for id in PRESETS {
        let seats = u32::from(PresetId::from_name(id).expect("a preset").rule_set().seats);
        let game = new(&mut client, id, everybody(seats)).await;
        let (mut state, mut log, mut steps) = (game.state, game.frames, Vec::new());
        compare_views(&mut client, &state, &everybody(seats), &game.observations).await;
        assert!(game.observations.iter().all(|seen| seen.events.is_empty()));
        let mut round = None;
        for seq in 0..ACTIONS {
            let (who, action) = next(&mut client, &state, seq).await;
            let request = ApplyActionRequest {
                state,
                actor: who,
                action,
                want_events: true,
                want_view: true,
                observers: everybody(seats),
                ..Default::default()
            };
            let done = accepted(&mut client, request).await;
            compare_views(&mut client, &done.state, &everybody(seats), &done.observations).await;
            check_events(&done, who);
            log.extend(&done.frames);
            // The record of an action that ends a round is followed by others.
            if done.round_end.is_none() {
                steps.push((done.n, done.observations));
            }
            state = done.state;
            round = done.round_end.map(|end| end.round).filter(|&round| round > 0).or(round);
            if round.is_some() {
                break;
            }
        }
        assert!(round.is_some(), "{id}: a round ends within {ACTIONS} actions");
        for (n, seen) in steps.iter().step_by(1 + steps.len() / 12) {
            for seen in seen {
                let told = step(&mut auditor, seen.actor, *n, &log).await.expect("a record");
                assert_eq!(told.events, seen.events, "{id}: record {n} for {:?}", seen.actor);
            }
        }
    }
}

async fn compare_views(client: &mut Client, state: &[u8], observers: &[Actor], seen: &[Observation]) {
    let actors: Vec<_> = seen.iter().filter_map(|seen| seen.actor).collect();
    assert_eq!(actors, observers, "one for each, in the order of the request");
    for seen in seen {
        let asked = view(client, state, seen.actor).await;
        assert_eq!(bytes(seen.view.as_ref()), asked.encode_to_vec(), "{:?}", seen.actor);
    }
}

fn check_events(done: &Accepted, who: Option<Actor>) {
    let of = |who: Option<Actor>| done.observations.iter().find(|seen| seen.actor == who).expect("observes");
    assert_eq!(of(who).events, done.events);
    assert_eq!(bytes(of(who).view.as_ref()), bytes(done.view.as_deref()));
    assert_eq!(of(role(Role::Spectator)).events, of(role(Role::Table)).events);
    assert_eq!(of(role(Role::Director)).events, of(role(Role::Judge)).events);
    for seen in &done.observations {
        for event in &seen.events {
            let Some(Kind::Drew(Drew { seat: drawer, cards })) = &event.kind else { continue };
            let sees = [seat(*drawer), role(Role::Judge), role(Role::Director)].contains(&seen.actor);
            assert!(cards.iter().all(|card| (card == "??") != sees), "{seen:?}");
        }
    }
}

/// Checks that a batch and a stream hold the same observations as single calls.
#[tokio::test]
async fn batches_and_streams_observe_alike() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let game = new(&mut client, "samba-4p", Vec::new()).await;
    assert!(game.observations.is_empty());
    let (mut state, mut singles, mut moves) = (game.state.clone(), Vec::new(), Vec::new());
    for seq in 0..60 {
        let (actor, action) = next(&mut client, &state, seq).await;
        let apply = ApplyActionRequest { actor, action, observers: everybody(4), ..Default::default() };
        let done = accepted(&mut client, ApplyActionRequest { state, ..apply.clone() }).await;
        singles.push(done.observations);
        state = done.state;
        moves.push(apply);
    }
    let first = PlayRequest { state: game.state.clone(), ..Default::default() };
    let requests = moves.iter().map(|apply| PlayRequest { apply: Some(apply.clone()), ..Default::default() });
    let requests: Vec<_> = [first].into_iter().chain(requests).collect();
    let mut answers = client.play(tokio_stream::iter(requests)).await.expect("a stream").into_inner();
    let mut played = Vec::new();
    while let Some(answer) = answers.next().await {
        if let Some(play_response::Outcome::Accepted(accepted)) = answer.expect("no fault").outcome {
            played.push(accepted.observations);
        }
    }
    assert_eq!(played, singles);

    let actions = moves.into_iter().map(|apply| {
        let ApplyActionRequest { actor, action, .. } = apply;
        ProposedAction { actor, action, ..Default::default() }
    });
    let request = ApplyActionsRequest {
        state: game.state,
        actions: actions.collect(),
        observers: everybody(4),
        ..Default::default()
    };
    let batch = client.apply_actions(request).await.expect("well formed").into_inner().outcome;
    let Some(apply_actions_response::Outcome::Accepted(batch)) = batch else { panic!("{batch:?}") };
    for (at, seen) in batch.observations.iter().enumerate() {
        let events: Vec<_> = singles.iter().flat_map(|single| single[at].events.clone()).collect();
        assert_eq!(seen.events, events);
        assert_eq!(seen.view, singles.last().expect("sixty of them")[at].view);
    }
    assert_eq!(batch.observations.len(), everybody(4).len());
}

/// Checks that a note comes with views and without events, and that a refusal shows nobody anything.
#[tokio::test]
async fn records_are_observed_and_refusals_are_not() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let note = ApplyActionRequest {
        state: state.clone(),
        actor: seat(to_act),
        note: Some(Note { text: "a short break".into() }),
        observers: everybody(4),
        ..Default::default()
    };
    let noted = recorded(&mut client, note).await;
    compare_views(&mut client, &noted.state, &everybody(4), &noted.observations).await;
    assert!(noted.observations.iter().all(|seen| seen.events.is_empty()));
    let early = ApplyActionRequest {
        state,
        actor: seat((to_act + 1) % 4),
        action: draw(),
        record_refusal: true,
        observers: everybody(4),
        ..Default::default()
    };
    let refused = rejected(&mut client, early).await;
    assert!(refused.recorded.expect("wanted").observations.is_empty());
}

/// Returns observers that cannot be, with the path of the fault.
fn misnamed() -> Vec<(Vec<Actor>, &'static str)> {
    let list = |list: &[Option<Actor>]| list.iter().copied().flatten().collect::<Vec<_>>();
    vec![
        (vec![seat(0).expect("an actor"); 17], "observers"),
        (list(&[seat(0), seat(1), seat(0)]), "observers[2]"),
        (list(&[role(Role::Judge), role(Role::Judge)]), "observers[1]"),
        (list(&[seat(3), seat(4)]), "observers[1].seat"),
        (list(&[seat(6)]), "observers[0].seat"),
        (list(&[role(Role::Unspecified)]), "observers[0].role"),
        (vec![Actor { who: None }], "observers[0]"),
    ]
}

#[tokio::test]
async fn misnamed_observers_are_named_and_nothing_happens() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    for (observers, path) in misnamed() {
        let asked = ApplyActionRequest {
            state: state.clone(),
            actor: seat(to_act),
            action: draw(),
            observers: observers.clone(),
            ..Default::default()
        };
        assert_field(&client.apply_action(asked.clone()).await.expect_err(path), path);
        let actions = vec![ProposedAction { actor: seat(to_act), action: draw(), ..Default::default() }];
        let batch = ApplyActionsRequest {
            state: state.clone(),
            actions,
            observers: observers.clone(),
            ..Default::default()
        };
        assert_field(&client.apply_actions(batch).await.expect_err(path), path);
        let game = pb::CreateGameRequest { observers, ..new_game() };
        assert_field(&client.create_game(game).await.expect_err(path), path);

        let apply = Some(ApplyActionRequest { state: Vec::new(), ..asked });
        let request = PlayRequest { state: state.clone(), apply, want_state: true };
        let mut answers = client.play(tokio_stream::iter([request])).await.expect("a stream").into_inner();
        let last = answers.message().await.expect("the state comes first").expect("a last message");
        assert_eq!((last.last, &last.state), (true, &state), "nothing was applied");
        assert_field(&answers.message().await.expect_err(path), &format!("apply.{path}"));
    }
}

/// Checks that a view names the rule set and its end as the rulebook does: Classic goes to 5,000 (CL-109), Hand and Foot has four
/// rounds (HF-005).
#[tokio::test]
async fn a_view_says_what_is_played() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    for (id, title, target, rounds) in
        [("classic-4p", "Classic Canasta", 5000, 0), ("hand-and-foot-4p", "Hand and Foot for four", 0, 4)]
    {
        let state = new(&mut client, id, Vec::new()).await.state;
        let seen = view(&mut client, &state, role(Role::Spectator)).await;
        assert_eq!((&seen.title[..], seen.target, seen.rounds), (title, target, rounds));
    }
}
