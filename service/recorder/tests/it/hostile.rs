//! Every method of RecordService with messages that no client would send, and over a journal that was changed: it is the
//! caller's fault, or the data's, and never ours.

use std::path::Path;

use canasta_proto::DESCRIPTORS;
use canasta_proto::v1::Role;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint};
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{FieldDescriptorProto, FileDescriptorSet};
use tonic::Code;

use crate::support::game::*;
use crate::support::random::Random;
use crate::support::raw::ask;
use crate::support::server::Recorder;
use crate::support::walk::{message, methods};

/// Numbers at which types, clocks and counts end.
const EDGES: [u64; 12] = [
    0,
    1,
    2,
    63,
    127,
    1 << 15,
    i32::MAX as u64,
    u32::MAX as u64,
    1 << 53,
    i64::MAX as u64,
    i64::MIN as u64,
    u64::MAX,
];

/// Random messages, by the descriptors.
struct Hostile {
    set: FileDescriptorSet,
    random: Random,
    /// The id of a game that exists.
    game: Vec<u8>,
}

impl Hostile {
    fn new(game: &[u8]) -> Self {
        let set = FileDescriptorSet::decode(DESCRIPTORS).expect("our own descriptors");
        Self { set, random: Random(7), game: game.to_vec() }
    }

    /// Returns the path and the request type of each method.
    fn methods(&self) -> Vec<(String, String)> {
        methods(&self.set)
            .map(|method| {
                (format!("/canasta.v1.RecordService/{}", method.name()), method.input_type().to_owned())
            })
            .collect()
    }

    fn message(&mut self, name: &str, depth: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        for field in message(&self.set, name).field.clone() {
            let is_list = field.label() == Label::Repeated;
            let most = if is_list { 3 } else { 2 };
            // The id of the game is there most of the time: nothing is judged without it.
            let count = if field.name() == "game_id" { 1 } else { self.random.below(most) };
            for _ in 0..count {
                self.value(&field, depth, &mut bytes);
            }
        }
        bytes
    }

    fn value(&mut self, field: &FieldDescriptorProto, depth: u32, bytes: &mut Vec<u8>) {
        let tag = field.number() as u32;
        let content = match field.r#type() {
            Type::Message if depth == 0 => return,
            Type::Message => self.message(field.type_name(), depth - 1),
            Type::Bytes if field.name() == "game_id" && self.random.below(8) > 0 => self.game.clone(),
            Type::Bytes => {
                let length = [0, 1, 15, 16, 32, 64, 300][self.random.below(7) as usize];
                (0..length).map(|_| self.random.next() as u8).collect()
            }
            Type::String => {
                let texts = ["", "classic-4p", "7h", "X", "\u{202e}", "0000", "\n", "a name of a player"];
                texts[self.random.below(8) as usize].as_bytes().to_vec()
            }
            _ => {
                // Enums and seats are small.
                let value = match self.random.below(3) {
                    0 => EDGES[self.random.below(12) as usize],
                    1 => (self.random.below(200) as i64 - 100) as u64,
                    _ => self.random.below(6),
                };
                encode_key(tag, WireType::Varint, bytes);
                return encode_varint(value, bytes);
            }
        };
        encode_key(tag, WireType::LengthDelimited, bytes);
        encode_varint(content.len() as u64, bytes);
        bytes.extend_from_slice(&content);
    }

    /// Asks each method some times. Returns the number of answers by status.
    async fn ask_all(&mut self, recorder: &Recorder, times: usize, about: &str) -> [usize; 18] {
        let channel = recorder.channel().await;
        let mut codes = [0; 18];
        for (path, input) in self.methods() {
            for number in 0..times {
                let request = self.message(&input, 5);
                // A stream of live games goes on for ever.
                let asked = ask(&channel, &path, vec![request.clone()]);
                let answer = tokio::time::timeout(std::time::Duration::from_millis(500), asked).await;
                let code = match answer {
                    Err(_) if path.ends_with("/Watch") || path.ends_with("/WatchGames") => Code::Ok,
                    Err(_) => panic!("{about}: {path} does not answer {request:02x?}"),
                    Ok(answer) => answer.map_or_else(|(code, ..)| code, |_| Code::Ok),
                };
                let is_ours = matches!(code, Code::Internal | Code::Unknown);
                assert!(!is_ours, "{about}: {path} number {number}: {code:?} to {request:02x?}");
                codes[code as usize] += 1;
            }
        }
        codes
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_message_is_a_fault_of_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let game = dealt(&mut recorder.client().await, 1).await;
    let mut hostile = Hostile::new(&game);
    assert_eq!(hostile.methods().len(), 24);
    let codes = hostile.ask_all(&recorder, 150, "hostile").await;
    assert!(codes[Code::Ok as usize] > 50 && codes[Code::InvalidArgument as usize] > 300, "{codes:?}");
}

/// Changes one byte of an entry in the journal's file.
fn damage(data: &Path, entry: usize, random: &mut Random) {
    let journal = rusqlite::Connection::open(data.join("journal.sqlite")).expect("a database");
    let mut rows = journal.prepare("SELECT rowid, entry FROM entries ORDER BY rowid").expect("a table");
    let entries: Vec<(i64, Vec<u8>)> = rows
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("rows")
        .map(|row| row.expect("a row"))
        .collect();
    let (row, mut bytes) = entries[entry.min(entries.len() - 1)].clone();
    let at = random.below(bytes.len() as u64) as usize;
    bytes[at] ^= 1 << random.below(8);
    journal.execute("UPDATE entries SET entry = ?1 WHERE rowid = ?2", (bytes, row)).expect("a row");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_damage_of_the_journal_is_a_fault_of_ours() {
    let mut random = Random(11);
    for entry in [0, 1, 2, 4, 99] {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        let recorder = Recorder::start(&data, &[]).await;
        let mut client = recorder.client().await;
        let game = dealt(&mut client, 1).await;
        play(&mut client, &game, 6).await;
        drop(client);
        recorder.stop().await;
        damage(&data, entry, &mut random);
        let recorder = Recorder::start(&data, &[]).await;
        let codes = Hostile::new(&game).ask_all(&recorder, 30, &format!("entry {entry}")).await;
        let mut client = recorder.client().await;
        let asked = client.get_game(&game, role(Role::Table)).await;
        if entry == 99 {
            let refused = asked.expect_err("the last entry is damaged");
            assert_eq!(
                (refused.code(), reason(&refused).as_str()),
                (Code::DataLoss, "LOG_CORRUPT"),
                "{codes:?}"
            );
        }
        drop(client);
        recorder.stop().await;
    }
}
