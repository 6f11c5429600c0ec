//! WatchGames: one stream tells the present of all games of a caller, once per change, and resumes without a gap.

use std::collections::BTreeMap;
use std::os::unix::fs::DirBuilderExt;
use std::time::Duration;

use canasta_engine::deal::GameId;
use canasta_proto::v1::*;
use canasta_recorder::journal::sqlite::SqliteJournal;
use canasta_recorder::journal::{At, GameList};
use tokio::time::timeout;
use tonic::{Code, Status, Streaming};

use crate::support::game::*;
use crate::support::memory::MemoryJournal;
use crate::support::rights::{client, key, start};
use crate::support::server::{Client, Recorder, with_journal};
use crate::support::walk::no_state;

/// A reader of the stream: what it knows of each game, and how to resume.
struct GamesReader {
    stream: Streaming<WatchGamesResponse>,
    games: BTreeMap<Vec<u8>, GameNews>,
    token: String,
    snapshots: usize,
    messages: usize,
}

fn request(token: &str) -> WatchGamesRequest {
    WatchGamesRequest { actor: role(Role::Table), resume_token: token.into(), ..Default::default() }
}

impl GamesReader {
    async fn open(client: &mut Client, request: WatchGamesRequest) -> Self {
        Self::try_open(client, request).await.expect("a stream")
    }

    async fn try_open(client: &mut Client, request: WatchGamesRequest) -> Result<Self, Status> {
        let token = request.resume_token.clone();
        let request = client.request(request);
        let stream = client.service.watch_games(request).await?.into_inner();
        Ok(Self { stream, games: BTreeMap::new(), token, snapshots: 0, messages: 0 })
    }

    /// Opens a stream, and reads its snapshot.
    async fn begun(client: &mut Client, request: WatchGamesRequest) -> Self {
        let mut reader = Self::open(client, request).await;
        while !reader.next().await.expect("no fault").snapshot_ends {}
        assert_eq!(reader.snapshots, 1);
        reader
    }

    async fn next(&mut self) -> Result<WatchGamesResponse, Status> {
        let message = timeout(Duration::from_secs(30), self.stream.message()).await.expect("a message comes");
        let message = message?.expect("the stream goes on");
        no_state("WatchGamesResponse", &message);
        let most = if message.snapshot { 100 } else { 256 };
        assert!(message.games.len() <= most && message.resume_token.len() <= 1024);
        self.messages += 1;
        if message.snapshot_begins {
            self.games.clear();
            self.snapshots += 1;
        }
        for news in &message.games {
            self.games.insert(news.summary.clone().expect("a summary").game_id, news.clone());
        }
        self.token = message.resume_token.clone();
        Ok(message)
    }

    /// Reads until this is told of a game. Returns the news.
    async fn until(&mut self, game: &[u8], is_told: impl Fn(&GameNews) -> bool) -> GameNews {
        loop {
            match self.games.get(game).filter(|news| is_told(news)) {
                Some(news) => return news.clone(),
                None => _ = self.next().await.expect("no fault"),
            }
        }
    }

    fn known(&self) -> Vec<&[u8]> {
        self.games.keys().map(Vec::as_slice).collect()
    }
}

fn status(news: &GameNews) -> GameStatus {
    news.summary.as_ref().expect("a summary").status()
}

fn seq(news: &GameNews) -> u64 {
    news.summary.as_ref().and_then(|summary| summary.log_end.as_ref()).expect("the end").seq
}

fn labelled(id: u8, label: &str) -> CreateRequest {
    CreateRequest {
        label: label.into(),
        clock: Some(Clock { turn_ms: Some(60_000), ..Default::default() }),
        ..new_game(id)
    }
}

/// Follows two games from their creation to their archive, and a third that is deleted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_life_is_told_from_the_creation_to_the_archive() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    Recorder::start(&data, &[]).await.stop().await;
    // The journal as a recorder of before has left it.
    let file = rusqlite::Connection::open(data.join("journal.sqlite")).expect("a database");
    file.execute_batch(
        "DROP TRIGGER status_changed; DROP TRIGGER game_added; DROP TRIGGER game_dropped; DROP TABLE changed;",
    )
    .expect("what is new");
    drop(file);
    let recorder = Recorder::start(&data, &[]).await;
    let mut client = recorder.client().await;
    let old = created(&mut client, labelled(1, "league")).await.game_id;
    let mut all = GamesReader::begun(&mut client, request("")).await;
    assert_eq!(all.known(), [&old[..]]);
    let mut league =
        GamesReader::begun(&mut client, WatchGamesRequest { label: "league".into(), ..request("") }).await;
    let new = created(&mut client, labelled(2, "other")).await.game_id;
    for game in [&old, &new] {
        acted(&mut client, act(game, 1, role(Role::Table), deal())).await;
        play(&mut client, game, 3).await;
        let view = client.get_game(game, seat(0)).await.expect("a view");
        let news = all.until(game, |news| seq(news) == 4).await;
        assert_eq!(news.to_act, view.view.expect("a view").to_act);
        let (clock, seen) = (news.clock.clone().expect("a clock"), view.clock.expect("a clock"));
        assert_eq!((clock.running, clock.seats), (seen.running, seen.seats));
        assert_eq!((status(&news), news.game_end.as_ref(), news.gone), (GameStatus::Live, None, false));
        let list = ListGamesRequest { actor: role(Role::Table), ..Default::default() };
        let listed = client.list_games(list).await.expect("a list").games;
        assert!(listed.contains(news.summary.as_ref().expect("a summary")));
    }
    let mut watched = client.watch(&old, seat(0)).await.expect("a stream");
    watched.message().await.expect("no fault").expect("the snapshot");
    forfeit(&mut client, &old, 9).await;
    let result = watched.message().await.expect("no fault").expect("a message").game_end;
    assert!(result.is_some());
    // Nobody writes an entry when the verdict is there.
    let judged = all.until(&old, |news| news.verdict != 0).await;
    assert_eq!((status(&judged), judged.verdict()), (GameStatus::Judged, Verdict::CleanWithRulings));
    assert_eq!((judged.game_end, judged.to_act), (result, None));

    let journal = SqliteJournal::beside(&data.join("journal.sqlite")).expect("the recorder's journal");
    let id = |game: &[u8]| GameId(game.try_into().expect("16 bytes"));
    journal.drop(id(&old), At(u64::MAX)).await.expect("dropped");
    let archived = all.until(&old, |news| status(news) == GameStatus::Archived).await;
    assert_eq!((archived.verdict(), archived.unreadable), (Verdict::CleanWithRulings, false));
    journal.forget(id(&new)).await.expect("forgotten");
    let gone = all.until(&new, |news| news.gone).await;
    let bare = GameSummary { game_id: new.clone(), ..Default::default() };
    assert_eq!(gone, GameNews { summary: Some(bare), gone: true, ..Default::default() });
    assert_eq!(all.snapshots, 1);

    // The label's stream has told of the other game only that it is gone.
    league.until(&new, |news| news.gone).await;
    assert_eq!(status(&league.games[&old]), GameStatus::Archived);
    assert_eq!(GamesReader::begun(&mut client, request("")).await.known(), [&[0; 0]; 0]);
}

/// Ends the stream in its snapshot and behind it, and restarts the recorder: every game is told, and what was told before is
/// not told again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_resumes_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let mut recorder = Recorder::start(&data, &[]).await;
    let mut client = recorder.client().await;
    let mut games = Vec::new();
    for id in 0..150 {
        games.push(created(&mut client, new_game(id)).await.game_id);
    }
    let mut reader = GamesReader::open(&mut client, request("")).await;
    let first = reader.next().await.expect("a part");
    assert!(first.snapshot_begins && !first.snapshot_ends && first.games.len() == 100);
    let told = reader.games.clone();
    for is_behind in [false, true] {
        drop(client);
        recorder.stop().await;
        recorder = Recorder::start(&data, &[]).await;
        client = recorder.client().await;
        // One that was told before the break, and one that was not.
        let changed = [
            told.keys().next().expect("a game"),
            games.iter().find(|game| !told.contains_key(*game)).expect("a game"),
        ];
        for game in changed {
            let table = if is_behind { 2 } else { 1 };
            if is_behind {
                forfeit(&mut client, game, table).await;
            } else {
                acted(&mut client, act(game, table, role(Role::Table), deal())).await;
            }
        }
        let mut resumed = GamesReader::open(&mut client, request(&reader.token)).await;
        for game in changed {
            resumed
                .until(game, |news| if is_behind { news.game_end.is_some() } else { seq(news) == 1 })
                .await;
        }
        assert_eq!(resumed.snapshots, 0);
        let expected = if is_behind { 2 } else { 51 };
        assert_eq!(resumed.games.len(), expected, "only what was not told before");
        reader = resumed;
    }
    let mut last = reader;
    drop(client);
    recorder.stop().await;
    loop {
        match timeout(Duration::from_secs(30), last.stream.message())
            .await
            .expect("an end")
            .expect("status OK")
        {
            Some(message) if message.last => {
                assert!(message.games.is_empty() && !message.resume_token.is_empty());
            }
            Some(_) => {}
            None => break,
        }
    }
}

/// Shares a journal between two recorders with the same key: a token of one is good at the other, and each tells what the
/// other has stored, although no hint comes from there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_is_good_at_each_recorder_of_the_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = MemoryJournal::new(1, 0);
    let paths = [folder.path().join("first"), folder.path().join("second"), folder.path().join("stranger")];
    let first = Recorder::start_with(with_journal(&paths[0], journal.clone()), &[]).await;
    std::fs::DirBuilder::new().mode(0o700).create(&paths[1]).expect("a folder");
    std::fs::copy(paths[0].join("recorder.key"), paths[1].join("recorder.key")).expect("the key");
    std::fs::copy(paths[0].join("seal.keys"), paths[1].join("seal.keys")).expect("the keys");
    let second = Recorder::start_with(with_journal(&paths[1], journal.clone()), &[]).await;
    let (mut here, mut there) = (first.client().await, second.client().await);
    let game = created(&mut here, new_game(1)).await.game_id;
    let mut reader = GamesReader::begun(&mut here, request("")).await;
    acted(&mut there, act(&game, 1, role(Role::Table), deal())).await;
    reader.until(&game, |news| seq(news) == 1).await;
    let other = created(&mut here, new_game(2)).await.game_id;
    let mut resumed = GamesReader::open(&mut there, request(&reader.token)).await;
    resumed.until(&other, |_| true).await;
    assert_eq!((resumed.snapshots, resumed.known()), (0, vec![&other[..]]));
    let stranger = Recorder::start_with(with_journal(&paths[2], journal), &[]).await;
    let refused = GamesReader::try_open(&mut stranger.client().await, request(&reader.token)).await;
    assert_eq!(refused.err().map(|status| reason(&status)).as_deref(), Some("INVALID_FIELD"));
}

#[tokio::test]
async fn a_token_is_bound_and_a_lost_position_gets_a_snapshot() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let file = data.join("journal.sqlite");
    let recorder = Recorder::start(&data, &[]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    drop(client);
    recorder.stop().await;
    std::fs::copy(&file, folder.path().join("backup")).expect("a backup");
    let recorder = Recorder::start(&data, &[]).await;
    let mut client = recorder.client().await;
    let before = GamesReader::begun(&mut client, request("")).await.token;
    play(&mut client, &game, 2).await;
    let after = GamesReader::begun(&mut client, request("")).await.token;
    for (label, actor, token) in [
        ("x", role(Role::Table), &after[..]),
        ("", seat(0), &after),
        ("", role(Role::Table), &after[1..]),
        ("", role(Role::Table), "AgA"),
    ] {
        let forged = WatchGamesRequest { actor, label: label.into(), resume_token: token.into() };
        let refused = GamesReader::try_open(&mut client, forged).await.err().expect("refused");
        assert_eq!(reason(&refused), "INVALID_FIELD");
    }
    drop(client);
    recorder.stop().await;
    std::fs::copy(folder.path().join("backup"), &file).expect("restored");
    let recorder = Recorder::start(&data, &[]).await;
    let mut client = recorder.client().await;
    // The first time the journal is shorter than the token's, the second time it has gone another way and is longer.
    for _ in 0..2 {
        GamesReader::begun(&mut client, request(&after)).await;
        for id in 0..3 {
            let mut note = act(&game, 50 + id, role(Role::Director), None);
            note.proposals[0].record = remark("another way");
            acted(&mut client, note).await;
        }
    }
    let mut known = GamesReader::open(&mut client, request(&before)).await;
    known.until(&game, |_| true).await;
    assert_eq!(known.snapshots, 0, "this position was before the backup");
}

/// Tells only games that the caller's grant covers. When the grant grows or shrinks the stream begins anew, and it ends with
/// the key.
#[tokio::test]
async fn rights_are_looked_at_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let (host, host_entry) = key("host", "\"all\"", "\"all\"");
    let (ours, theirs) = ("0b".repeat(16), "0c".repeat(16));
    let (player, player_entry) = key("player", &format!("[\"{ours}\"]"), "[0]");
    let recorder = start(folder.path(), &format!("{host_entry}\n{player_entry}")).await;
    let (mut host, mut player) = (client(&recorder, &host).await, client(&recorder, &player).await);
    for id in [0x0b, 0x0c, 0x0d] {
        let mut request = new_game(id);
        request.game_id = vec![id; 16];
        created(&mut host, request).await;
    }
    let watched = |token: &str| WatchGamesRequest { actor: seat(0), ..request(token) };
    let denied = GamesReader::try_open(&mut player, request("")).await.err().expect("denied");
    assert_eq!((denied.code(), reason(&denied).as_str()), (Code::PermissionDenied, "PERMISSION_DENIED"));
    let mut reader = GamesReader::begun(&mut player, watched("")).await;
    let token = reader.token.clone();
    assert_eq!(reader.known(), [&[0x0b; 16]]);
    for id in [0x0c, 0x0b] {
        acted(&mut host, act(&[id; 16], 1, role(Role::Table), deal())).await;
    }
    reader.until(&[0x0b; 16], |news| seq(news) == 1).await;
    assert_eq!(reader.known(), [&[0x0b; 16]], "games of others are not told");

    let rewrite =
        |entries: &str| std::fs::write(folder.path().join("identities.toml"), entries).expect("our file");
    let wider = player_entry.replace(&ours, &format!("{ours}\", \"{theirs}"));
    rewrite(&format!("{host_entry}\n{wider}"));
    reader.until(&[0x0c; 16], |news| seq(news) == 1).await;
    assert_eq!(reader.snapshots, 2);
    let resumed = GamesReader::begun(&mut player, watched(&token)).await;
    assert_eq!(resumed.known(), [&[0x0b; 16], &[0x0c; 16]], "the token is of other rights");
    rewrite(&host_entry);
    let ended = loop {
        match reader.next().await {
            Ok(message) => assert!(message.games.iter().all(|news| seq(news) == 1)),
            Err(status) => break status,
        }
    };
    assert_eq!(ended.code(), Code::Unauthenticated);
}

/// Does not read while many games change: the reader is then told of each game once or a few times, and of its end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_reader_is_told_the_present() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let mut reader = GamesReader::begun(&mut recorder.narrow_client().await, request("")).await;
    let mut games = Vec::new();
    for id in 0..20 {
        games.push(dealt(&mut client, id).await);
    }
    let mut ends = BTreeMap::new();
    for round in 0..30 {
        for game in &games {
            let mut note = act(game, 100 + round, role(Role::Director), None);
            note.proposals[0].record = remark("a note");
            ends.insert(game.clone(), acted(&mut client, note).await.log_end);
        }
    }
    let (mut told, begun) = (0, reader.messages);
    let end = |news: &GameNews| news.summary.as_ref().expect("a summary").log_end.clone();
    while !ends.iter().all(|(game, last)| reader.games.get(game).is_some_and(|news| end(news) == *last)) {
        told += reader.next().await.expect("no fault").games.len();
    }
    assert!(reader.messages > begun && told < 20 * 31, "{told} games were told of 620 entries");
    assert_eq!(reader.snapshots, 1);
}

#[tokio::test]
async fn the_limit_of_streams_is_a_setting_and_names_the_way_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &["--max-caller-streams", "2"]).await;
    let mut client = recorder.client().await;
    let game = dealt(&mut client, 1).await;
    let _watched = client.watch(&game, seat(0)).await.expect("a stream");
    let _reader = GamesReader::begun(&mut client, request("")).await;
    let refused = GamesReader::try_open(&mut client, request("")).await.err().expect("one too many");
    assert_eq!((refused.code(), reason(&refused).as_str()), (Code::ResourceExhausted, "OVERLOADED"));
    let message = refused.message();
    assert!(message.contains("at most 2,") && message.contains("WatchGames"), "{message}");
}
