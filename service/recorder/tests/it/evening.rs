//! Rooms over an evening: people meet by a code, sit down, play one game after the other, go and come back.

use canasta_engine::rules::PresetId;
use canasta_proto::v1::change_room_request::Change;
use canasta_proto::v1::*;
use tokio::time::{Duration, timeout};
use tonic::Code;

use crate::support::game::*;
use crate::support::links::*;
use crate::support::memory::MemoryJournal;
use crate::support::server::{Client, Recorder, with_journal};
use crate::support::watching::{self, from};

/// Somebody with a token for a room.
struct Guest {
    client: Client,
    room: Vec<u8>,
    actor: Option<Actor>,
}

fn rules(rule_set: &str) -> RoomRules {
    RoomRules { rule_set: rule_set.into(), deal_mode: DealMode::Committed.into(), ..RoomRules::default() }
}

fn request(id: u8) -> CreateRoomRequest {
    let rules = Some(rules("classic-4p"));
    CreateRoomRequest { request_id: vec![id; 16], rules, name: "Ann".into() }
}

fn sit_down(chair: u32, name: &str) -> Change {
    Change::SitDown(SitDown { chair: Some(chair), name: name.into() })
}

fn bot(chair: u32, plays: bool) -> Change {
    Change::Bot(RoomBot { chair: Some(chair), plays, level: 0 })
}

async fn create(recorder: &Recorder, request: CreateRoomRequest) -> OpenedRoom {
    let mut client = recorder.client().await;
    let request = client.request(request);
    let answer = client.service.create_room(request).await.expect("an answer").into_inner();
    match answer.outcome {
        Some(create_room_response::Outcome::Opened(opened)) => opened,
        other => panic!("{other:?}"),
    }
}

async fn open(recorder: &Recorder, code: &str) -> Result<OpenedRoom, tonic::Status> {
    let mut client = recorder.client().await;
    let request = client.request(OpenRoomRequest { code: code.into() });
    let answer = client.service.open_room(request).await?.into_inner();
    Ok(answer.opened.expect("a room"))
}

impl Guest {
    async fn of(recorder: &Recorder, opened: &OpenedRoom) -> Self {
        let client = recorder.holder(opened.link.as_ref().expect("a token")).await;
        let room = opened.room.as_ref().expect("the room").room_id.clone();
        Self { client, room, actor: opened.actor }
    }

    async fn by_code(recorder: &Recorder, code: &str) -> Self {
        Self::of(recorder, &open(recorder, code).await.expect("a room")).await
    }

    async fn ask(&mut self, change: Change) -> Result<OpenedRoom, tonic::Status> {
        let mut id = vec![0; 16];
        canasta_service::program::random(&mut id).expect("random bytes");
        self.ask_with(id, change).await
    }

    async fn ask_with(&mut self, request_id: Vec<u8>, change: Change) -> Result<OpenedRoom, tonic::Status> {
        let request = ChangeRoomRequest {
            room_id: self.room.clone(),
            request_id,
            actor: self.actor,
            change: Some(change),
        };
        let request = self.client.request(request);
        let answer = self.client.service.change_room(request).await?.into_inner();
        Ok(answer.opened.expect("the room"))
    }

    async fn change(&mut self, change: Change) -> Room {
        self.ask(change).await.expect("a change").room.expect("the room")
    }

    /// Sits down: from then on with the chair's token.
    async fn sit(&mut self, recorder: &Recorder, chair: u32, name: &str) -> Room {
        let opened = self.ask(sit_down(chair, name)).await.expect("a chair");
        *self = Self::of(recorder, &opened).await;
        opened.room.expect("the room")
    }

    async fn room(&mut self) -> Room {
        self.client.get_game(&self.room.clone(), self.actor).await.expect("the room").room.expect("a room")
    }

    /// Returns a client for the latest game, with its id and the seat.
    async fn game(&mut self, recorder: &Recorder) -> (Client, Vec<u8>, Option<Actor>) {
        let room = self.room().await;
        let game = room.games.last().expect("a game").clone();
        let actor = match self.actor.and_then(|actor| actor.who) {
            Some(actor::Who::Seat(chair)) => {
                seat(game.chairs.iter().position(|at| *at == chair).expect("a seat") as u32)
            }
            _ => role(Role::Spectator),
        };
        (recorder.holder(&room.game_link.expect("a token")).await, game.game_id, actor)
    }
}

/// Opens a room in which Ann and Ben sit on chairs 0 and 1.
async fn two(recorder: &Recorder, id: u8) -> (Guest, Guest, Room) {
    let opened = create(recorder, request(id)).await;
    let code = opened.room.as_ref().expect("the room").code.clone();
    let mut ben = Guest::by_code(recorder, &code).await;
    let room = ben.sit(recorder, 1, "Ben").await;
    (Guest::of(recorder, &opened).await, ben, room)
}

/// Lets bots sit on chairs 2 and 3, and makes both ready. Returns the room, in which a game has begun.
async fn begin(ann: &mut Guest, ben: &mut Guest) -> Room {
    ben.change(bot(2, true)).await;
    ann.change(bot(3, true)).await;
    ann.change(Change::Ready(true)).await;
    ben.change(Change::Ready(true)).await
}

async fn end_game(
    client: &mut Client,
    game: &[u8],
    id: u8,
    actor: Option<Actor>,
    way: EndWay,
) -> EndGameResponse {
    let request = EndGameRequest { game_id: game.into(), request_id: vec![id; 16], actor, way: way.into() };
    let request = client.request(request);
    client.service.end_game(request).await.expect("an answer").into_inner()
}

async fn start() -> (tempfile::TempDir, Recorder) {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &["--rooms"]).await;
    (folder, recorder)
}

#[tokio::test]
async fn a_bot_sits_with_a_strength() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut ann = Guest::of(&recorder, &create(&recorder, request(9)).await).await;
    let strong = |level| Change::Bot(RoomBot { chair: Some(1), plays: true, level });
    let room = ann.change(strong(5)).await;
    assert_eq!((room.chairs[1].bot, room.chairs[1].level), (true, 5));
    let refused = ann.ask(strong(7)).await.expect_err("six levels");
    assert_eq!(refused.code(), Code::InvalidArgument);
    assert!(refused.message().contains("bot.level"), "{}", refused.message());
}

#[tokio::test]
async fn friends_meet_by_a_code_and_play_two_games() {
    let (_folder, recorder) = start().await;
    let opened = create(&recorder, request(1)).await;
    assert_eq!(create(&recorder, request(1)).await, opened, "a retry opens no other room");
    let (mut ann, mut ben, room) = two(&recorder, 1).await;
    assert_eq!(room.chairs.iter().map(|chair| &chair.name[..]).collect::<Vec<_>>(), ["Ann", "Ben", "", ""]);
    assert_eq!((room.host, room.games.len(), room.game_link), (Some(0), 0, None));
    assert_eq!(room.code.len(), 14);
    ben.change(bot(2, true)).await;
    ben.change(Change::Ready(true)).await;
    let waiting = ann.change(Change::Ready(true)).await;
    assert!(waiting.games.is_empty(), "nobody has chair 3");
    let playing = ann.change(bot(3, true)).await;
    assert_eq!(playing.games.len(), 1);
    assert_eq!(playing.games[0].players, ["Ann", "Ben", "Bot", "Bot 2"]);
    assert!(playing.chairs.iter().all(|chair| !chair.ready));
    let (mut client, game, own) = ann.game(&recorder).await;
    let seen = client.get_game(&game, own).await.expect("a view");
    assert_eq!(seen.bot_seats, [2, 3]);
    let names: Vec<_> = seen.view.expect("a view").seats.into_iter().map(|seat| seat.name).collect();
    assert_eq!(names, ["Ann", "Ben", "Bot", "Bot 2"]);
    denied(client.get_game(&ann.room.clone(), ann.actor).await);
    denied(client.get_game(&game, seat(1)).await);

    // Ann's partner is a bot, which agrees to everything.
    let ended = end_game(&mut client, &game, 1, own, EndWay::Resigned).await;
    let Some(end_game_response::Outcome::Ended(end)) = ended.outcome.clone() else { panic!("{ended:?}") };
    assert_eq!(end.winner, Some(1), "the other side has won");
    assert_eq!(end_game(&mut client, &game, 1, own, EndWay::Resigned).await, ended, "a retry");
    let over = ben.room().await;
    assert_eq!(over.games[0].end, Some(end.clone()));
    assert!(over.games[0].end.is_some() && over.game_link.is_some());

    // The next game needs nobody but those who play.
    ben.change(Change::Seating(Seating { seats: vec![1, 2, 3, 0] })).await;
    ben.change(Change::Ready(true)).await;
    let again = ann.change(Change::Ready(true)).await;
    assert_eq!(again.games.len(), 2);
    assert_eq!(again.games[0].end, Some(end));
    assert_eq!((&again.games[1].chairs[..], &again.games[1].end), (&[3, 0, 1, 2][..], &None));
    assert_eq!(again.games[1].players, ["Bot", "Ann", "Ben", "Bot 2"]);
    let (mut client, second, own) = ben.game(&recorder).await;
    assert_eq!(own, seat(2));
    assert_ne!(second, game);
    assert_eq!(client.get_game(&second, own).await.expect("a view").bot_seats, [0, 3]);
    recorder.stop().await;
}

/// Checks that every rule set has rooms, those too that leave the first dealer to the table.
#[tokio::test]
async fn every_rule_set_is_played_in_a_room() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = ["--rooms", "--rooms-per-hour", "100"];
    let recorder = Recorder::start(&folder.path().join("data"), &settings).await;
    for (id, preset) in (0..).zip(PresetId::all()) {
        let rules = Some(rules(preset.name()));
        let opened = create(&recorder, CreateRoomRequest { rules, ..request(id) }).await;
        let room = opened.room.expect("a room");
        assert_eq!(room.chairs.len(), usize::from(preset.rule_set().seats), "{}", preset.name());
        let mut ann = Guest::of(&recorder, &OpenedRoom { room: Some(room.clone()), ..opened }).await;
        for chair in 1..room.chairs.len() {
            ann.change(bot(chair as u32, true)).await;
        }
        let room = ann.change(Change::Ready(true)).await;
        assert_eq!(room.games.len(), 1, "{}", preset.name());
    }
}

#[tokio::test]
async fn a_code_is_good_until_it_is_replaced_and_guesses_are_counted() {
    let (_folder, recorder) = start().await;
    let (mut ann, mut ben, room) = two(&recorder, 1).await;
    let typed = room.code.to_uppercase().replace('-', " ");
    let mut cem = Guest::by_code(&recorder, &typed).await;
    assert_eq!(cem.actor, role(Role::Spectator));
    let own = Guest::by_code(&recorder, &room.own_code).await;
    assert_eq!(own.actor, seat(1), "another device of Ben");
    denied(ben.ask(Change::NewCode(NewCode {})).await);
    let renewed = ann.change(Change::NewCode(NewCode {})).await;
    assert_ne!(renewed.code, room.code);
    unknown(cem.ask(sit_down(2, "Cem")).await);
    let refused = open(&recorder, &room.code).await.expect_err("an old code");
    assert_eq!((refused.code(), &reason(&refused)[..]), (Code::NotFound, "NOT_FOUND"));
    bad_field(open(&recorder, "k3vd-8m0p").await);
    // The old code was the first wrong one, and no code is none.
    for _ in 1..20 {
        assert_eq!(open(&recorder, "k3vd-8m0p-r7ta").await.expect_err("a guess").code(), Code::NotFound);
    }
    for code in ["k3vd-8m0p-r7tb", &renewed.code] {
        assert_eq!(open(&recorder, code).await.expect_err("too many").code(), Code::ResourceExhausted);
    }
    recorder.stop().await;
}

#[tokio::test]
async fn chairs_are_taken_left_and_held_by_bots() {
    let (_folder, recorder) = start().await;
    let (mut ann, mut ben, room) = two(&recorder, 1).await;
    let mut cem = Guest::by_code(&recorder, &room.code).await;
    bad_field(cem.ask(sit_down(1, "Cem")).await);
    bad_field(cem.ask(sit_down(4, "Cem")).await);
    bad_field(cem.ask(sit_down(2, "Ann")).await);
    bad_field(cem.ask(sit_down(2, "")).await);
    for change in [Change::Ready(true), bot(2, true), Change::StandUp(1)] {
        denied(cem.ask(change).await);
    }
    denied(ben.ask(Change::StandUp(0)).await);
    denied(ben.ask(Change::Rules(rules("samba-4p"))).await);
    bad_field(ann.ask(Change::Rules(rules("classic-2p"))).await);
    begin(&mut ann, &mut ben).await;
    let (mut anns, game, _) = ann.game(&recorder).await;
    for change in [Change::Ready(true), Change::Rules(rules("samba-4p")), Change::Seating(Seating::default())]
    {
        bad_field(ann.ask(change).await);
    }
    // Ben goes, a bot takes over, and Cem takes its place in the same game.
    let (mut bens, _, _) = ben.game(&recorder).await;
    let left = ben.ask(Change::StandUp(1)).await.expect("he goes");
    assert_eq!(left.actor, role(Role::Spectator));
    assert_eq!(anns.get_game(&game, seat(0)).await.expect("a view").bot_seats, [1, 2, 3]);
    unknown(bens.get_game(&game, seat(1)).await);
    unknown(ben.ask(Change::Ready(true)).await);
    bad_field(ann.ask(bot(1, false)).await);
    cem.sit(&recorder, 1, "Cem").await;
    let (mut cems, same, own) = cem.game(&recorder).await;
    assert_eq!((same, own), (game.clone(), seat(1)));
    assert_eq!(cems.get_game(&game, own).await.expect("a view").bot_seats, [2, 3]);
    // Ann watches, so her chair is hers; when she is away for long, Cem may let a bot hold it.
    let mut watched = watching::watch(&mut anns, from(&game, seat(0), None)).await;
    watching::message(&mut watched).await;
    denied(cem.ask(bot(0, true)).await);
    drop(watched);
    tokio::time::sleep(Duration::from_millis(10_500)).await;
    let held = cem.change(bot(0, true)).await;
    assert_eq!((&held.chairs[0].name[..], held.chairs[0].bot), ("Ann", true));
    assert_eq!(cems.get_game(&game, own).await.expect("a view").bot_seats, [0, 2, 3]);
    ann.change(bot(0, false)).await;
    assert_eq!(cems.get_game(&game, own).await.expect("a view").bot_seats, [2, 3]);
    // The host goes, and the next one is the host.
    let gone = ann.ask(Change::StandUp(0)).await.expect("she goes").room.expect("the room");
    assert_eq!(gone.host, Some(1));
    recorder.stop().await;
}

#[tokio::test]
async fn watchers_see_who_is_there() {
    let (_folder, recorder) = start().await;
    let (mut ann, mut ben, room) = two(&recorder, 1).await;
    let mut watched = watching::watch(&mut ann.client, from(&room.room_id, ann.actor, None)).await;
    let there =
        |message: &WatchResponse| message.present.iter().filter_map(|there| there.seat).collect::<Vec<_>>();
    let first = watching::message(&mut watched).await;
    assert_eq!(there(&first), [0]);
    assert_eq!(first.room.expect("a room").chairs[1].name, "Ben");
    let bens = watching::watch(&mut ben.client, from(&room.room_id, ben.actor, None)).await;
    assert_eq!(there(&watching::message(&mut watched).await), [0, 1]);
    ben.change(bot(2, true)).await;
    let told = watching::message(&mut watched).await.room.expect("a room");
    assert!(told.chairs[2].bot);
    drop(bens);
    let gone = timeout(Duration::from_secs(13), watching::message(&mut watched)).await.expect("within 10 s");
    assert_eq!(there(&gone), [0]);
    recorder.stop().await;
}

#[tokio::test]
async fn an_end_is_offered_declined_and_agreed_to() {
    let (_folder, recorder) = start().await;
    let (mut ann, mut ben, _) = two(&recorder, 1).await;
    begin(&mut ann, &mut ben).await;
    let (mut anns, game, own) = ann.game(&recorder).await;
    let (mut bens, _, his) = ben.game(&recorder).await;
    let offered = end_game(&mut anns, &game, 1, own, EndWay::Agreed).await;
    let Some(end_game_response::Outcome::Offered(offer)) = offered.outcome else { panic!("{offered:?}") };
    assert_eq!((offer.way(), offer.by, &offer.waits_for[..]), (EndWay::Agreed, Some(0), &[1][..]));
    assert_eq!(bens.get_game(&game, his).await.expect("a view").end_offer, Some(offer));
    let decline = |actor, id| DeclineOfferRequest { game_id: game.clone(), request_id: vec![id; 16], actor };
    let request = bens.request(decline(his, 2));
    bens.service.decline_offer(request).await.expect("declined");
    assert_eq!(bens.get_game(&game, his).await.expect("a view").end_offer, None);
    end_game(&mut anns, &game, 3, own, EndWay::Agreed).await;
    let ended = end_game(&mut bens, &game, 4, his, EndWay::Agreed).await;
    let Some(end_game_response::Outcome::Ended(end)) = ended.outcome else { panic!("{ended:?}") };
    assert_eq!((end.winner, end.margin), (Some(1), 0), "all are level, and Ann has offered it");
    // A room itself is no game that anybody ends.
    let (room, actor, way) = (ann.room.clone(), ann.actor, EndWay::Agreed.into());
    let request = EndGameRequest { game_id: room, request_id: vec![5; 16], actor, way };
    let request = ann.client.request(request);
    denied(ann.client.service.end_game(request).await);
    recorder.stop().await;
}

#[tokio::test]
async fn a_request_that_is_repeated_gives_no_chair_but_its_own() {
    let (_folder, recorder) = start().await;
    let (mut ann, mut ben, room) = two(&recorder, 1).await;
    let mut cem = Guest::by_code(&recorder, &room.code).await;
    let first = cem.ask_with(vec![7; 16], sit_down(2, "Cem")).await.expect("a chair");
    assert_eq!(cem.ask_with(vec![7; 16], sit_down(2, "Cem")).await.expect("the same"), first);
    for other in
        [sit_down(1, "Cem"), sit_down(1, "Ben"), sit_down(0, "Ann"), sit_down(2, "Dee"), sit_down(9, "Cem")]
    {
        let refused = cem.ask_with(vec![7; 16], other).await.expect_err("another chair");
        assert_eq!(reason(&refused), "REQUEST_ID_REUSED");
    }
    ann.change(Change::StandUp(2)).await;
    ben.change(sit_down(2, "Ben")).await;
    denied(cem.ask_with(vec![7; 16], sit_down(2, "Cem")).await);
    recorder.stop().await;
}

/// Checks that nothing is lost if a recorder dies between the entry that begins a game and the game: whoever looks at the room makes it.
#[tokio::test]
async fn two_recorders_of_one_journal_keep_one_room() {
    let (journal, folders) = (MemoryJournal::new(1, 0), tempfile::tempdir().expect("a folder"));
    let data = folders.path().join("data");
    let first = Recorder::start_with(with_journal(&data, journal.clone()), &["--rooms"]).await;
    let (mut ann, mut ben, room) = two(&first, 1).await;
    begin(&mut ann, &mut ben).await;
    let (mut client, game, own) = ann.game(&first).await;
    let seen = client.get_game(&game, own).await.expect("a view").log_end;
    first.stop().await;
    let second = Recorder::start_with(with_journal(&data, journal.clone()), &["--rooms"]).await;
    let mut again = Guest::by_code(&second, &room.own_code).await;
    let (mut bens, same, his) = again.game(&second).await;
    assert_eq!(same, game);
    assert!(
        bens.get_game(&game, his).await.expect("a view").log_end.map(|end| end.n) >= seen.map(|end| end.n)
    );
    second.stop().await;
}
