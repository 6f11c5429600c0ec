//! TakeBack: what a seat may take back alone, what others must agree to, and what the director may.

use canasta_engine::log::finding::Verdict;
use canasta_proto::v1::take_back_response::Outcome;
use canasta_proto::v1::*;

use crate::support::game::*;
use crate::support::server::{Client, Recorder};

fn back(game: &[u8], id: u64, actor: Option<Actor>, to_seq: u64, end: &LogEnd) -> TakeBackRequest {
    TakeBackRequest {
        game_id: game.into(),
        request_id: [id.to_be_bytes(), [8; 8]].concat(),
        actor,
        to_seq: Some(to_seq),
        expected_seq: Some(end.seq),
        observers: actor.into_iter().collect(),
    }
}

fn refusal(outcome: Outcome) -> TakeBackRefusal {
    match outcome {
        Outcome::Refused(refused) => refused.reason(),
        other => panic!("{other:?}"),
    }
}

/// The state of play at one moment.
struct Now {
    end: LogEnd,
    view: View,
}

async fn now(client: &mut Client, game: &[u8], actor: Option<Actor>) -> Now {
    let answer = client.get_game(game, actor).await.expect("a view");
    Now { end: answer.log_end.expect("the end"), view: answer.view.expect("a view") }
}

/// Plays until a seat's action in its own turn, which began with a draw, has an event of this kind. Returns the seat, the end
/// before the action, and the number of the action before the turn.
async fn play_until(
    client: &mut Client,
    game: &[u8],
    is_it: impl Fn(&event::Kind) -> bool,
) -> (u32, LogEnd, u64) {
    let (mut turn, mut has_drawn) = ((None, 0), false);
    while let Some((end, actor, action)) = suggested(client, game).await {
        let mut request = act(game, 1000 + end.n, actor, action);
        request.observers = role(Role::Director).into_iter().collect();
        let acted = acted(client, request).await;
        if turn.0 != actor {
            (turn, has_drawn) = ((actor, end.seq), false);
        }
        let seen: Vec<_> =
            acted.observations[0].events.iter().filter_map(|event| event.kind.as_ref()).collect();
        let Some(actor::Who::Seat(seat)) = actor.and_then(|actor| actor.who) else { continue };
        if has_drawn && seen.iter().any(|kind| is_it(kind)) {
            return (seat, end, turn.1);
        }
        has_drawn |= seen.iter().any(|kind| matches!(kind, event::Kind::Drew(_)));
    }
    panic!("no such event in the whole game")
}

fn is_meld(kind: &event::Kind) -> bool {
    matches!(kind, event::Kind::Melded(_))
}

fn is_discard(kind: &event::Kind) -> bool {
    matches!(kind, event::Kind::Discarded(_))
}

async fn game(client: &mut Client, take_backs: TakeBacks, bots: &[u32]) -> Vec<u8> {
    let bots = bots.iter().map(|&seat| Bot { seat: Some(seat), level: 0 }).collect();
    let request = CreateRequest { take_backs: take_backs.into(), bots, ..new_game(1) };
    let game = created(client, request).await.game_id;
    acted(client, act(&game, 1, role(Role::Table), deal())).await;
    game
}

#[tokio::test]
async fn a_game_without_take_backs_has_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = game(&mut client, TakeBacks::Unspecified, &[]).await;
    let (asker, before, _) = play_until(&mut client, &game, is_discard).await;
    let end = now(&mut client, &game, seat(asker)).await.end;
    let refused = client.take_back(back(&game, 1, seat(asker), before.seq, &end)).await.expect("an answer");
    assert_eq!(refusal(refused), TakeBackRefusal::Off);
    assert_eq!(now(&mut client, &game, seat(asker)).await.end, end, "nothing is recorded");
    // The director needs nobody's agreement.
    let taken = client.take_back(back(&game, 2, role(Role::Director), before.seq, &end)).await;
    assert!(matches!(taken, Ok(Outcome::TakenBack(_))), "{taken:?}");
}

#[tokio::test]
async fn a_seat_takes_back_what_showed_nobody_a_card() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    let recorder = Recorder::start(&path, &[]).await;
    let mut client = recorder.client().await;
    let game = game(&mut client, TakeBacks::Unseen, &[]).await;
    let (asker, before, turn) = play_until(&mut client, &game, is_meld).await;
    let then = client.get_game(&game, seat(asker)).await.expect("a view").view.expect("a view");
    let end = now(&mut client, &game, seat(asker)).await.end;
    // The draw before the meld showed a card.
    let draw = client.take_back(back(&game, 1, seat(asker), turn, &end)).await.expect("an answer");
    assert_eq!(refusal(draw), TakeBackRefusal::CardSeen);
    let other = seat((asker + 1) % 4);
    let others = client.take_back(back(&game, 2, other, before.seq, &end)).await.expect("an answer");
    assert_eq!(refusal(others), TakeBackRefusal::OtherActed);
    let request = back(&game, 3, seat(asker), before.seq, &end);
    let taken = client.take_back(request.clone()).await.expect("an answer");
    let Outcome::TakenBack(taken) = &taken else { panic!("{taken:?}") };
    assert_eq!(taken.to_seq, before.seq);
    let view = taken.observations[0].view.as_ref().expect("the asker observes");
    let held = |view: &View| view.seats[asker as usize].hand.len();
    assert!(held(view) > held(&then), "the cards are back in the hand");
    // A retry after a restart gets the same answer, although play has gone on.
    play_until(&mut client, &game, is_discard).await;
    recorder.stop().await;
    let recorder = Recorder::start(&path, &[]).await;
    let mut client = recorder.client().await;
    let again = client.take_back(request).await.expect("an answer");
    assert_eq!(again, Outcome::TakenBack(taken.clone()));
    let log = log(&mut client, &game, role(Role::Director)).await;
    assert_eq!(audited(&log, true), Verdict::Conditional);
}

#[tokio::test]
async fn others_must_agree_to_what_they_have_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = game(&mut client, TakeBacks::Agreed, &[]).await;
    let (asker, before, _) = play_until(&mut client, &game, is_discard).await;
    let (partner, opponent) = (seat((asker + 2) % 4), seat((asker + 3) % 4));
    // The next seat draws: then the discard cannot be taken back by the asker alone.
    let (end, drawer, draw) = suggested(&mut client, &game).await.expect("the game goes on");
    acted(&mut client, act(&game, 2000 + end.n, drawer, draw)).await;
    let end = now(&mut client, &game, seat(asker)).await.end;
    let offer = |id, actor, end: &LogEnd| back(&game, id, actor, before.seq, end);
    let offered = client.take_back(offer(1, seat(asker), &end)).await.expect("an answer");
    let expected = TakeBackOffer { to_seq: before.seq, by: Some(asker), waits_for: vec![(asker + 1) % 2] };
    assert_eq!(offered, Outcome::Offered(expected.clone()));
    let shown = client.get_game(&game, role(Role::Spectator)).await.expect("a view");
    assert_eq!(shown.offer, Some(expected.clone()), "everybody sees the offer");
    let partners = client.take_back(offer(2, partner, &end)).await.expect("an answer");
    assert_eq!(partners, Outcome::Offered(expected), "a partner is of the same side");
    // An action cancels the offer.
    let (end, actor, action) = suggested(&mut client, &game).await.expect("the game goes on");
    acted(&mut client, act(&game, 3000 + end.n, actor, action)).await;
    let shown = client.get_game(&game, role(Role::Spectator)).await.expect("a view");
    assert_eq!(shown.offer, None);
    let end = shown.log_end.expect("the end");
    let late = client.take_back(offer(3, opponent, &end)).await.expect("an answer");
    assert!(matches!(late, Outcome::Offered(_)), "an offer of the opponent's own: {late:?}");
    let agreed = client.take_back(offer(4, seat(asker), &end)).await.expect("an answer");
    let Outcome::TakenBack(taken) = agreed else { panic!("{agreed:?}") };
    assert_eq!(taken.to_seq, before.seq);
    let view = now(&mut client, &game, seat(asker)).await.view;
    assert_eq!(view.to_act, Some(asker), "the asker discards anew");
    let gone = now(&mut client, &game, seat(asker)).await.end;
    let earlier = client.take_back(back(&game, 5, seat(asker), 0, &gone)).await.expect("an answer");
    assert_eq!(refusal(earlier), TakeBackRefusal::NotThisDeal, "the deal itself stays");
}

/// Checks that a side which only bots play agrees to everything: nobody there could be asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_agree() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let game = game(&mut client, TakeBacks::Agreed, &[1, 3]).await;
    let (asker, before) = loop {
        let (end, actor, action) = suggested(&mut client, &game).await.expect("the game goes on");
        let Some(actor::Who::Seat(asker @ (0 | 2))) = actor.and_then(|actor| actor.who) else { continue };
        let mut request = act(&game, 1000 + end.n, actor, action);
        request.expected_seq = Some(end.seq);
        let acted = acted(&mut client, request).await;
        if acted.log_end.is_some_and(|after| after.seq > 3) {
            break (asker, end);
        }
    };
    // Bots may act at any time: the request is repeated with the end that it then finds.
    for id in 1.. {
        let end = now(&mut client, &game, seat(asker)).await.end;
        match client.take_back(back(&game, id, seat(asker), before.seq, &end)).await {
            Ok(Outcome::TakenBack(taken)) => {
                assert_eq!(taken.to_seq, before.seq);
                break;
            }
            Ok(other) => panic!("{other:?}"),
            Err(status) => assert_eq!(reason(&status), "STALE_HEAD"),
        }
    }
}
