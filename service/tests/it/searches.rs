//! Searches for legal actions in hands so large that they take long: other requests do not wait for them.

use std::sync::Arc;

use crate::support::Server;
use crate::support::game::{accepted, action, created, new_game, role, seat};
use canasta_engine::action::As;
use canasta_engine::deal::{GameId, simulate};
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::legal;
use canasta_engine::notation::Position;
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_engine::token;
use canasta_proto::v1::{
    ApplyActionRequest, ListLegalActionsRequest, PlayRequest, Role, SuggestActionRequest, play_response,
};
use tokio::task::JoinSet;
use tokio_stream::StreamExt;
use tonic::Code;
use tonic_types::StatusExt;

/// House rules with which one list once took 6 s (PRF-14).
const KNOBS: [(&str, &str); 4] = [
    ("packs", "6"),
    ("jokers", "12"),
    ("hand_size", "55"),
    ("three_table", "[100,200,300,400,500,1000,1000,1000,1000,1000,1000,1000]"),
];

/// Returns a state of such a game whose list of legal actions is truncated, and the seat to act.
fn adversarial() -> (Vec<u8>, Seat) {
    let base = PresetId::from_name("bolivia-4p").expect("a preset");
    let mut set = base.rule_set();
    KNOBS.iter().for_each(|(knob, value)| set.change(knob, value).expect(knob));
    let rules = Arc::new(Rules::house(base, set, Some("large")).expect("valid rules"));
    for game in 0.. {
        let secret = simulate::game_secret(1, game);
        let origin = Dealing::new(simulate::game_id(&secret), DealSource::Seeded(secret), false);
        let mut state = Game::new(rules.clone(), origin, Seat(0));
        state.register_due();
        while state.table.phase() != Phase::Play {
            let step = legal::steps(&state.table).actions.swap_remove(0);
            let who = state.table.to_act().map_or(As::Table, As::Seat);
            state.play(who, &step).expect("a step is legal");
        }
        let seat = state.table.to_act().expect("a seat");
        if legal::steps(&state.table).truncated {
            return (token::encode(&state), seat);
        }
    }
    unreachable!("games go on")
}

/// Returns the states of the dearest positions that hill climbing has found for whole lists, with the seats to act.
fn climbed(count: usize) -> Vec<(Vec<u8>, Seat)> {
    let lines = include_str!("../../../tests/data/climbed/lists.txt").lines();
    let mut lists: Vec<(u32, &str)> = lines
        .map(|line| {
            let (listed, position) = line.split_once(" | ").expect("a list and a position");
            let nodes = listed.split(' ').next().and_then(|nodes| nodes.parse().ok());
            (nodes.expect("the number of nodes comes first"), position)
        })
        .collect();
    lists.sort_by_key(|&(nodes, _)| std::cmp::Reverse(nodes));
    let state = |(_, position): (u32, &str)| {
        let table = Position::parse(position).expect("a position").setup().into_table().expect("a table");
        let seat = table.to_act().expect("a seat");
        let unknown = Dealing::new(GameId([1; 16]), DealSource::Unknown, false);
        (token::encode(&Game::of(table, unknown)), seat)
    };
    lists.into_iter().take(count).map(state).collect()
}

/// Checks that other requests are answered while searches run. The runtime has one thread: searches on it would let
/// others be answered only between two searches, however often it is tried. On a busy machine the searches of one
/// attempt may be over before others are answered.
#[tokio::test]
async fn others_are_answered_while_searches_run() {
    const SEARCHES: usize = 4;
    let server = Server::start(&["--max-searches", "1", "--deadline-ms", "60000"]).await;
    let states = [vec![adversarial()], climbed(SEARCHES - 1)].concat();
    let mut most = 0;
    for _ in 0..20 {
        most = most.max(answered_beside(&server, &states).await);
        if most > 2 * SEARCHES {
            return;
        }
    }
    panic!("at most {most} answers to others beside {SEARCHES} searches");
}

/// Searches through the given states, and returns how many other requests are answered until the last search is over.
async fn answered_beside(server: &Server, states: &[(Vec<u8>, Seat)]) -> usize {
    let mut searches = JoinSet::new();
    for (number, (state, of)) in states.iter().cloned().enumerate() {
        let (mut client, who) = (server.client().await, seat(of.0.into()));
        searches.spawn(async move {
            if number % 2 == 0 {
                let request = ListLegalActionsRequest { state, actor: who, ..Default::default() };
                let answer = client.list_legal_actions(request).await.expect("a list").into_inner();
                assert!(!answer.complete && !answer.actions.is_empty());
            } else {
                let request = SuggestActionRequest { state, actor: who, seed: 1, ..Default::default() };
                let answer = client.suggest_action(request).await.expect("a suggestion").into_inner();
                assert!(answer.action.is_some());
            }
        });
    }
    let mut client = server.client().await;
    let game = created(&mut client, new_game()).await.state;
    let deal = || action(canasta_proto::v1::action::Kind::Deal(Default::default()));
    let mut answered = 0;
    while !searches.is_empty() {
        let request = ApplyActionRequest {
            state: game.clone(),
            actor: role(Role::Table),
            action: deal(),
            ..Default::default()
        };
        accepted(&mut client, request).await;
        answered += 1;
        while let Some(done) = searches.try_join_next() {
            done.expect("no panic");
        }
    }
    answered
}

#[tokio::test]
async fn a_deadline_is_answered_while_the_search_still_runs() {
    let server = Server::start(&["--max-searches", "1", "--deadline-ms", "30"]).await;
    let states = [vec![adversarial()], climbed(5)].concat();
    let client = server.client().await;
    let mut searches = JoinSet::new();
    for (state, of) in states.into_iter().cycle().take(24) {
        let mut client = client.clone();
        searches.spawn(async move {
            client
                .list_legal_actions(ListLegalActionsRequest {
                    state,
                    actor: seat(of.0.into()),
                    ..Default::default()
                })
                .await
        });
    }
    let mut late = 0;
    while let Some(answer) = searches.join_next().await {
        if let Err(status) = answer.expect("no panic") {
            assert_eq!(status.code(), Code::DeadlineExceeded, "{status:?}");
            assert_eq!(status.get_details_error_info().expect("an ErrorInfo").reason, "DEADLINE");
            late += 1;
        }
    }
    assert!(late > 0, "all 24 lists came in 30 ms");
}

/// Checks that a judgement on another thread is answered in turn, and that the stream gets its state back.
#[tokio::test]
async fn a_stream_plays_large_hands_too() {
    let server = Server::start(&[]).await;
    let (state, of) = adversarial();
    let mut client = server.client().await;
    let request =
        ListLegalActionsRequest { state: state.clone(), actor: seat(of.0.into()), ..Default::default() };
    let steps = client.list_legal_actions(request).await.expect("a list").into_inner().actions;
    let apply = |action| ApplyActionRequest { actor: seat(of.0.into()), action, ..Default::default() };
    let refused = apply(action(canasta_proto::v1::action::Kind::DrawStock(Default::default())));
    let requests = [
        PlayRequest { state, apply: Some(refused), want_state: false },
        PlayRequest { apply: Some(apply(steps.last().cloned())), want_state: true, ..Default::default() },
    ];
    let mut answers = client.play(tokio_stream::iter(requests)).await.expect("a stream").into_inner();
    let first = answers.next().await.expect("an answer").expect("no status");
    assert!(matches!(first.outcome, Some(play_response::Outcome::Rejected(_))), "{first:?}");
    let second = answers.next().await.expect("an answer").expect("no status");
    assert!(matches!(second.outcome, Some(play_response::Outcome::Accepted(_))), "{second:?}");
    let last = answers.next().await.expect("the last").expect("no status");
    assert!(last.last && last.state == second.state);
}
