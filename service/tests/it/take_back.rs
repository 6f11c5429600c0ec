//! PreviewTakeBack: play, ask, apply the ruling, and the table is as before.

use crate::support::Server;
use crate::support::game::{
    Client, accepted, assert_field, assert_fields, dealt, discard, draw, role, seat, view,
};
use canasta_engine::log::record::{Author, Remark, RemarkKind};
use canasta_engine::token::{Catalogue, decode, encode};
use canasta_proto::v1::{
    Accepted, Action, Actor, ApplyActionRequest, PreviewTakeBackRequest, PreviewTakeBackResponse, Role,
    TakeBackRefusal, TakeBackRefused, View,
};

async fn act(client: &mut Client, state: &[u8], who: Option<Actor>, action: Option<Action>) -> Accepted {
    let request = ApplyActionRequest { state: state.into(), actor: who, action, ..Default::default() };
    accepted(client, request).await
}

async fn preview(client: &mut Client, request: &PreviewTakeBackRequest) -> PreviewTakeBackResponse {
    client.preview_take_back(request.clone()).await.expect("well formed").into_inner()
}

fn refused(reason: TakeBackRefusal, seq: Option<u64>) -> Option<TakeBackRefused> {
    Some(TakeBackRefused { reason: reason.into(), seq })
}

/// Returns a view without the place in the log.
fn without_place(mut view: View) -> View {
    (view.seq, view.n) = (0, 0);
    view.head.clear();
    view
}

/// A turn of a draw and a discard that was not meant.
struct Misclick {
    first: Vec<u8>,
    drawn: Accepted,
    discarded: Accepted,
    own: Option<Actor>,
    next: Option<Actor>,
    card: String,
}

impl Misclick {
    async fn play(client: &mut Client) -> Self {
        let (first, to_act) = dealt(client).await;
        let (own, next) = (seat(to_act), seat((to_act + 1) % 4));
        let drawn = act(client, &first, own, draw()).await;
        let before = view(client, &drawn.state, own).await;
        let card = before.seats[to_act as usize].hand[0].clone();
        let discarded = act(client, &drawn.state, own, discard(&card)).await;
        Self { first, drawn, discarded, own, next, card }
    }

    /// Returns the request with the state before the draw.
    fn question(&self) -> PreviewTakeBackRequest {
        PreviewTakeBackRequest {
            state: self.discarded.state.clone(),
            actor: self.own,
            earlier_state: self.first.clone(),
            frames: [&self.drawn.frames[..], &self.discarded.frames].concat(),
        }
    }
}

#[tokio::test]
async fn a_discard_may_be_taken_back_until_the_next_seat_acts() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let played = Misclick::play(&mut client).await;
    // The draw (action 2, after the deal) showed a card; the discard (action 3) showed none.
    let asked = played.question();
    let back = preview(&mut client, &asked).await;
    assert_eq!((back.to_seq, back.actions), (Some(2), 1));
    assert_eq!(back.refused, refused(TakeBackRefusal::CardSeen, Some(2)));
    assert_eq!(back.earlier_state, played.drawn.state, "the state after the draw, byte for byte");
    // From the state after the draw on, nothing stands against it.
    let short = PreviewTakeBackRequest {
        earlier_state: played.drawn.state.clone(),
        frames: played.discarded.frames.clone(),
        ..asked.clone()
    };
    let all = preview(&mut client, &short).await;
    assert_eq!((all.to_seq, &all.ruling, all.refused), (Some(2), &back.ruling, None));
    // Another seat has nothing to take back.
    let none = |seq| PreviewTakeBackResponse {
        refused: refused(TakeBackRefusal::OtherActed, Some(seq)),
        ..Default::default()
    };
    let other = PreviewTakeBackRequest { actor: played.next, ..short };
    assert_eq!(preview(&mut client, &other).await, none(3));
    // The next seat has drawn: too late.
    let after = act(&mut client, &played.discarded.state, played.next, draw()).await;
    let frames = [&asked.frames[..], &after.frames].concat();
    let late = PreviewTakeBackRequest { state: after.state, frames, ..asked };
    assert_eq!(preview(&mut client, &late).await, none(4));
}

#[tokio::test]
async fn the_ruling_brings_back_the_table() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let played = Misclick::play(&mut client).await;
    let (own, drawn) = (played.own, &played.drawn);
    let back = preview(&mut client, &played.question()).await;
    let ruling = ApplyActionRequest {
        state: played.discarded.state.clone(),
        actor: role(Role::Director),
        action: back.ruling,
        earlier_state: back.earlier_state,
        ..Default::default()
    };
    let restored = accepted(&mut client, ruling).await;
    for who in [own, played.next, role(Role::Table), role(Role::Judge)] {
        let then = view(&mut client, &drawn.state, who).await;
        let now = view(&mut client, &restored.state, who).await;
        assert_eq!((then.seq, now.seq), (2, 4));
        assert_eq!(without_place(now), without_place(then));
    }
    // The same game goes on, and nobody goes back behind the ruling.
    let again = act(&mut client, &restored.state, own, discard(&played.card)).await;
    let later = PreviewTakeBackRequest {
        state: again.state,
        actor: own,
        earlier_state: drawn.state.clone(),
        frames: [&played.discarded.frames[..], &restored.frames, &again.frames].concat(),
    };
    let back = preview(&mut client, &later).await;
    assert_eq!((back.to_seq, back.refused), (Some(4), refused(TakeBackRefusal::OtherActed, Some(4))));
}

/// Asks to take back a discard over 1,024 frames, of which all others are notes, and over one more.
#[tokio::test]
async fn at_most_1024_frames_are_followed() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let played = Misclick::play(&mut client).await;
    let mut game = decode(&played.discarded.state, &Catalogue::new()).expect("an open token");
    let mut asked = PreviewTakeBackRequest {
        earlier_state: played.drawn.state.clone(),
        frames: played.discarded.frames.clone(),
        ..played.question()
    };
    let note =
        Remark { kind: RemarkKind::Note, by: Some(Author::Table), elapsed_ms: None, text: "a note".into() };
    let mut noted = |count| {
        for _ in 0..count {
            asked.frames.extend(game.remark(note.clone()).expect("a note"));
        }
        asked.state = encode(&game);
        asked.clone()
    };
    let back = preview(&mut client, &noted(1_023)).await;
    assert_eq!((back.to_seq, back.actions, back.refused), (Some(2), 1, None));
    let status = client.preview_take_back(noted(1)).await.expect_err("1,025 frames");
    assert_field(&status, "frames");
    assert!(status.message().contains("more than 1024 frames"), "{}", status.message());
}

#[tokio::test]
async fn bad_fields_are_named() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (first, to_act) = dealt(&mut client).await;
    let drawn = act(&mut client, &first, seat(to_act), draw()).await;
    let status =
        client.preview_take_back(PreviewTakeBackRequest::default()).await.expect_err("nothing given");
    assert_fields(&status, &["state", "actor"]);
    let asked = PreviewTakeBackRequest {
        state: drawn.state.clone(),
        actor: seat(to_act),
        earlier_state: first.clone(),
        frames: drawn.frames.clone(),
    };
    assert_eq!(preview(&mut client, &asked).await.to_seq, None);
    for who in [Role::Table, Role::Spectator, Role::Judge, Role::Director] {
        let request = PreviewTakeBackRequest { actor: role(who), ..asked.clone() };
        assert_field(&client.preview_take_back(request).await.expect_err("does not play"), "actor");
    }
    let request = PreviewTakeBackRequest { earlier_state: Vec::new(), ..asked.clone() };
    assert_field(&client.preview_take_back(request).await.expect_err("required"), "earlier_state");
    let cut = &drawn.frames[..drawn.frames.len() - 1];
    for frames in [&[][..], cut, &drawn.frames[1..], &[&drawn.frames[..], &drawn.frames].concat()] {
        let request = PreviewTakeBackRequest { frames: frames.into(), ..asked.clone() };
        assert_field(&client.preview_take_back(request).await.expect_err("other frames"), "frames");
    }
    // The two states the wrong way round.
    let request = PreviewTakeBackRequest { state: first, earlier_state: drawn.state, ..asked };
    assert_field(&client.preview_take_back(request).await.expect_err("back in time"), "frames");
}
