//! SuggestAction with the history of the round.

use crate::support::Server;
use crate::support::game::{accepted, action, assert_field, created, dealt, draw, new_game, role, seat};
use canasta_proto::v1::action::Kind;
use canasta_proto::v1::event::{Discarded, Kind as EventKind};
use canasta_proto::v1::{
    ApplyActionRequest, Event, ListLegalActionsRequest, Review, Role, SeenAction, SuggestActionRequest,
};

/// Checks that a bot that is told what has happened says that it knows more than the view, and that a history of another round,
/// or of no card, is refused by the name of its field.
#[tokio::test]
async fn a_history_is_believed_where_it_leads_to_the_pile() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let request = ApplyActionRequest {
        state: created(&mut client, new_game()).await.state,
        actor: role(Role::Table),
        action: action(Kind::Deal(Default::default())),
        observers: (0..4).filter_map(seat).collect(),
        ..Default::default()
    };
    let dealt = accepted(&mut client, request).await;
    let seen = |number: usize| dealt.observations[number].clone();
    let first = seen(0).view.and_then(|view| view.to_act).expect("a seat is to act");
    let history = |events: Vec<Event>| vec![SeenAction { actor: role(Role::Table), events }];
    let ask = async |level, history| {
        let (state, actor) = (dealt.state.clone(), seat(first));
        let request = SuggestActionRequest { state, actor, level, history, ..Default::default() };
        server.client().await.suggest_action(request).await.map(|answer| answer.into_inner().from_view)
    };
    let events = seen(first as usize).events;
    for (level, told, from_view) in [(3, true, false), (4, true, false), (2, true, true), (3, false, true)] {
        let history = if told { history(events.clone()) } else { Vec::new() };
        assert_eq!(ask(level, history).await.expect("a suggestion"), from_view, "level {level}, told {told}");
    }
    let discard = |seat: u32, card: &str| Event {
        kind: Some(EventKind::Discarded(Discarded { seat, card: card.into(), face_down: false })),
    };
    let more = [events.clone(), vec![discard(first, "4c")]].concat();
    let rows = [
        ("history", history(Vec::new())),
        ("history", history(more)),
        ("history", vec![SeenAction::default(); 1025]),
        ("history[0].events[0].card", history(vec![discard(0, "1z")])),
        ("history[0].events[0].seat", history(vec![discard(1000, "4c")])),
        ("history[0].events[0]", history(vec![Event::default()])),
        ("history[0].actor", vec![SeenAction::default()]),
    ];
    for (field, history) in rows {
        assert_field(&ask(3, history).await.expect_err(field), field);
    }
}

/// Checks that a played step is compared from level 4 on, that the bot's own loses nothing, and that what is no step of the seat is
/// refused by the name of its field.
#[tokio::test]
async fn a_played_step_is_set_beside_the_bots() {
    let server = Server::start(&[]).await;
    let (state, first) = dealt(&mut server.client().await).await;
    let draw = ApplyActionRequest { state, actor: seat(first), action: draw(), ..Default::default() };
    let state = accepted(&mut server.client().await, draw).await.state;
    let ask = async |level, actor, played| {
        let request =
            SuggestActionRequest { state: state.clone(), actor, level, played, ..Default::default() };
        server.client().await.suggest_action(request).await.map(|answer| answer.into_inner())
    };
    let best = ask(4, seat(first), None).await.expect("a suggestion");
    assert_eq!(best.review, None);
    let same = ask(4, seat(first), best.action.clone()).await.expect("a review");
    assert_eq!((same.action, same.review), (best.action.clone(), Some(Review::default())));
    let request = ListLegalActionsRequest { state: state.clone(), actor: seat(first), ..Default::default() };
    let legal = server.client().await.list_legal_actions(request).await.expect("a list").into_inner().actions;
    for played in legal {
        let answer = ask(4, seat(first), Some(played)).await.expect("a review");
        let review = answer.review.expect("there is a choice");
        assert_eq!(answer.action, best.action);
        let is_shown = review.lost > 0 && review.lost >= 3 * review.error as i32;
        assert_eq!(!review.slip.is_empty(), is_shown, "{review:?}");
        assert!([0, 240].contains(&review.tables), "{review:?}");
    }
    for (level, actor, played) in [
        (3, seat(first), best.action.clone()),
        (4, seat(first), action(Kind::TakePile(Default::default()))),
        (4, role(Role::Table), best.action.clone()),
    ] {
        assert_field(&ask(level, actor, played).await.expect_err("no step to compare"), "played");
    }
}
