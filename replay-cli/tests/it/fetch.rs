//! Logs of a recorder's games, fetched from a recorder that does what a test wants. tests/interop/live.sh has the real one.

use crate::common::event::{self, Event, START_MS, ran_at};
use crate::common::{Ran, command, frames};
use base64ct::{Base64, Encoding};
use canasta_replay::Exit;
use canasta_tournament::cosign::WitnessKey;
use canasta_tournament::key_file;
use canasta_tournament::note::NoteSigner;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// A recorder of one game.
struct Fake {
    log: Vec<u8>,
    /// Number of records that it has so far.
    records: usize,
    /// Whether an action was accepted.
    has_begun: bool,
    /// The heads of the requests, and their bodies.
    asked: Vec<(String, Value)>,
}

struct Scene {
    event: Event,
    fake: Arc<Mutex<Fake>>,
    address: String,
    file: PathBuf,
}

impl Scene {
    fn new(name: &str) -> Self {
        let event = Event::new(name, 2);
        let fake = Fake { log: event.logs[0].clone(), records: 2, has_begun: false, asked: Vec::new() };
        let fake = Arc::new(Mutex::new(fake));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("bound"));
        let own = Arc::clone(&fake);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.expect("a connection"), &own);
            }
        });
        let id = base16ct::lower::encode_string(&game_id(&event));
        let file = event.tables.join(format!("{id}.clog"));
        Self { event, fake, address, file }
    }

    fn fetch(&self, more: &[&str]) -> Ran {
        let tables = self.event.tables.to_str().unwrap();
        ran_at(START_MS, &[&["fetch", &self.address, "-o", tables, "--once"], more].concat())
    }

    /// Fetches, and checks what is printed and that the file has so many records and no byte more.
    fn fetches(&self, expected: &str, records: usize) {
        let ran = self.fetch(&[]);
        assert_eq!(
            (ran.exit, String::from_utf8_lossy(&ran.out).trim_end()),
            (Exit::Clean, expected),
            "{ran:?}"
        );
        assert_eq!(fs::read(&self.file).expect("a log"), &self.log()[..frames(&self.log())[records]]);
    }

    /// Fetches, and checks that the game is named for this reason and its file stays as it is.
    fn refuses(&self, expected: &str) {
        let before = fs::read(&self.file).expect("a log");
        let ran = self.fetch(&[]);
        assert!(ran.exit == Exit::Findings && ran.err.contains(expected), "{expected}: {ran:?}");
        assert_eq!(fs::read(&self.file).expect("a log"), before, "{expected}");
    }

    fn log(&self) -> Vec<u8> {
        self.fake.lock().unwrap().log.clone()
    }

    fn grow(&self, records: usize) {
        let mut fake = self.fake.lock().unwrap();
        (fake.records, fake.has_begun) = (records, true);
    }

    /// Returns the methods that were asked since the last time.
    fn asked(&self) -> Vec<String> {
        let asked = std::mem::take(&mut self.fake.lock().unwrap().asked);
        let method = |(head, _): &(String, Value)| head.split(['/', ' ']).nth(3).expect("a path").to_owned();
        asked.iter().map(method).collect()
    }
}

fn game_id(event: &Event) -> [u8; 16] {
    event.table(0, 2);
    let id = event::head_of(event, 0).game_id;
    fs::remove_file(event.tables.join("t0.clog")).expect("our file");
    id
}

fn answer(stream: TcpStream, fake: &Mutex<Fake>) {
    let (mut reader, mut head, mut length) = (BufReader::new(&stream), String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().expect("a number");
        }
        if line.trim().is_empty() {
            break;
        }
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let request = serde_json::from_slice(&body).expect("JSON");
    let mut fake = fake.lock().unwrap();
    let (status, answer) = fake.reply(&head, &request);
    fake.asked.push((head, request));
    drop(fake);
    let answer = answer.to_string();
    let text = format!(
        "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}",
        answer.len()
    );
    (&stream).write_all(text.as_bytes()).expect("sent");
}

impl Fake {
    fn reply(&mut self, head: &str, request: &Value) -> (u16, Value) {
        let ends = frames(&self.log);
        let id = self.id();
        if head.contains("/ListGames ") {
            if request["pageToken"] == "" {
                // A page may be empty although others follow.
                return (200, json!({"nextPageToken": "more"}));
            }
            let log_end = json!({"n": (self.records - 1).to_string(), "head": Base64::encode_string(&self.head()),
                "seq": if self.has_begun { json!("9") } else { Value::Null }});
            return (
                200,
                json!({"games": [{"gameId": id, "logEnd": log_end, "status": "GAME_STATUS_LIVE"}]}),
            );
        }
        if head.contains("/GetLog ") {
            assert_eq!(request["actor"], json!({"role": "ROLE_DIRECTOR"}));
            let from: usize = request["fromN"].as_str().expect("a number").parse().expect("a number");
            // A piece has at most 40 records.
            let begin = if from == 0 { 0 } else { ends[from] };
            let frames = &self.log[begin..ends[(from + 40).min(self.records)]];
            return (200, json!({"frames": Base64::encode_string(frames)}));
        }
        if head.contains("/Suggest ") {
            return (200, json!({"action": {"deal": {}}}));
        }
        assert!(head.contains("/Act "), "{head}");
        assert_eq!((&request["expectedSeq"], &request["gameId"]), (&json!("0"), &json!(id)));
        assert_eq!(request["proposals"], json!([{"actor": {"role": "ROLE_TABLE"}, "action": {"deal": {}}}]));
        if self.has_begun {
            return (409, json!({"code": "aborted", "message": "the game has gone on"}));
        }
        (self.records, self.has_begun) = (3, true);
        (200, json!({"acted": {}}))
    }

    fn id(&self) -> String {
        let mut reader = canasta_engine::log::Reader::new();
        let frame = reader.next(&mut &self.log[..]).expect("a log").expect("a record").record();
        match frame {
            Ok(canasta_engine::log::Record::Genesis(genesis)) => Base64::encode_string(&genesis.game_id),
            other => panic!("{other:?}"),
        }
    }

    fn head(&self) -> [u8; 32] {
        let (mut reader, mut log) = (canasta_engine::log::Reader::new(), &self.log[..]);
        while reader.chain().next < self.records as u64 && reader.next(&mut log).expect("a log").is_some() {}
        reader.chain().head
    }
}

#[test]
fn only_what_is_new_is_asked_for_and_written() {
    let scene = Scene::new("fetch-new");
    scene.fetches("fetched 2 records of 1 game, dealt 0 games", 2);
    assert_eq!(scene.asked(), ["ListGames", "ListGames", "GetLog"]);
    scene.fetches("fetched 0 records of 0 games, dealt 0 games", 2);
    assert_eq!(scene.asked(), ["ListGames", "ListGames"]);
    scene.grow(100);
    scene.fetches("fetched 98 records of 1 game, dealt 0 games", 100);
    assert_eq!(scene.asked(), ["ListGames", "ListGames", "GetLog", "GetLog", "GetLog"]);
    // What a kill has left behind the last whole record is cut off, wherever it is cut.
    let (log, ends) = (scene.log(), frames(&scene.log()));
    for torn in [0, 4, 9, ends[1] - 1, ends[99] + 1, ends[100] - 1] {
        fs::write(&scene.file, &log[..torn]).unwrap();
        let there = ends[1..].iter().filter(|&&end| end <= torn).count();
        scene.fetches(&format!("fetched {} of 1 game, dealt 0 games", in_words(100 - there)), 100);
    }
}

fn in_words(records: usize) -> String {
    if records == 1 { "1 record".into() } else { format!("{records} records") }
}

/// Grows the log of a game that waits by records without cards: the file has those of an opening before the deal.
#[test]
fn a_game_that_waits_is_fetched_up_to_its_register() {
    let scene = Scene::new("fetch-waits");
    scene.fake.lock().unwrap().records = 5;
    scene.fetches("fetched 2 records of 1 game, dealt 0 games", 2);
    scene.grow(6);
    scene.fetches("fetched 4 records of 1 game, dealt 0 games", 6);
}

#[test]
fn nothing_is_written_over() {
    let scene = Scene::new("fetch-other");
    scene.grow(60);
    scene.fetches("fetched 60 records of 1 game, dealt 0 games", 60);
    let (log, ends) = (scene.log(), frames(&scene.log()));
    scene.grow(50);
    scene.refuses("has 60 records, and the recorder has 50");
    scene.grow(60);
    let mut damaged = log[..ends[60]].to_vec();
    damaged[ends[30] + 4] ^= 1;
    fs::write(&scene.file, damaged).unwrap();
    scene.refuses("is damaged: move it away");
    fs::write(&scene.file, "no log at all").unwrap();
    scene.refuses(".clog");
    // The recorder has another game now, and its file has the records of the first.
    fs::write(&scene.file, &log[..ends[60]]).unwrap();
    scene.fake.lock().unwrap().log = scene.event.logs[1].clone();
    assert_eq!(scene.fetch(&[]).exit, Exit::Clean);
    let tables = scene.event.tables.read_dir().unwrap().filter_map(|entry| Some(entry.ok()?.path()));
    let file = tables.into_iter().find(|path| *path != scene.file).expect("the other log");
    fs::copy(&scene.file, &file).unwrap();
    let scene = Scene { file, ..scene };
    scene.refuses("has other records than the recorder");
    scene.grow(70);
    scene.refuses("the recorder's records do not go on from it");
}

/// Deals only after the opening is signed, and only after the witness has cosigned it, if there is a policy; once.
#[test]
fn a_game_begins_when_its_opening_is_public() {
    let scene = Scene::new("fetch-begins");
    let event = &scene.event;
    let witness = NoteSigner::new("w.example", &[9; 32]).unwrap();
    let key = event.place.join("w.key").to_str().unwrap().to_owned();
    key_file::write_new(key.as_ref(), &witness).unwrap();
    let policy = event.policy(&format!(
        "[tree]\nkeys = [\"{}\"]\n[witnesses]\nkeys = [\"{}\"]\nquorum = 1",
        event.public,
        WitnessKey::of(&witness)
    ));
    let opened_in = ["--opened-in", &event.site, "--policy", &policy];
    let says = |expected: &str| {
        let ran = scene.fetch(&opened_in);
        assert_eq!(
            (ran.exit, String::from_utf8_lossy(&ran.out).trim_end()),
            (Exit::Clean, expected),
            "{ran:?}"
        );
    };
    says("fetched 2 records of 1 game, dealt 0 games");
    event.watch(0);
    says("fetched 0 records of 0 games, dealt 0 games");
    let state = event.place.join("w.json").to_str().unwrap().to_owned();
    let lines =
        command(&["witness", &event.site, "--state", &state, "--key", &key, "--log", &event.public], b"");
    let checkpoint = format!("{}/checkpoint", event.site);
    let signed = fs::read_to_string(&checkpoint).unwrap();
    fs::write(&checkpoint, signed.clone() + &String::from_utf8(lines.out).unwrap()).unwrap();
    says("fetched 0 records of 0 games, dealt 1 game");
    assert!(scene.asked().ends_with(&["Suggest".into(), "Act".into()]));
    says("fetched 1 record of 1 game, dealt 0 games");
    // Somebody else's site opens nothing.
    scene.fake.lock().unwrap().has_begun = false;
    fs::write(&checkpoint, signed.replace("open-2026.example\n", "else.example\n")).unwrap();
    let ran = scene.fetch(&opened_in);
    assert!(ran.exit == Exit::Failure && ran.err.contains("it does not hold"), "{ran:?}");
}

#[test]
fn credentials_go_into_the_header_of_their_kind() {
    let scene = Scene::new("fetch-credentials");
    let file = scene.event.place.join("secret").to_str().unwrap().to_owned();
    for (secret, header) in
        [("canasta_abc", "x-api-key: canasta_abc"), ("e30.e30.x", "authorization: Bearer e30.e30.x")]
    {
        fs::write(&file, format!("{secret}\n")).unwrap();
        scene.fetch(&["--token", &file]);
        let asked = std::mem::take(&mut scene.fake.lock().unwrap().asked);
        assert!(asked.iter().all(|(head, _)| head.contains(header)), "{asked:?}");
    }
    let ran = ran_at(START_MS, &["fetch", "http://127.0.0.1:1", "-o", &file, "--once"]);
    assert_eq!(ran.exit, Exit::Failure);
}
