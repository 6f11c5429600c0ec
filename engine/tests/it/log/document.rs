//! docs/LOG_FORMAT.md, compared with the code: the example of the page, and its numbers.

use super::sample::cards;
use canasta_engine::action::*;
use canasta_engine::dealing::Registration;
use canasta_engine::log::codes::*;
use canasta_engine::log::record::*;
use canasta_engine::log::{Chain, HEADER, Reader, Record, action_bytes, checkpoint, seat_message};
use canasta_engine::seat::Seat;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

const PAGE: &str = include_str!("../../../../docs/LOG_FORMAT.md");

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<char> = hex.chars().filter(|c| !c.is_whitespace()).collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).expect("hex");
    digits.chunks(2).map(byte).collect()
}

fn array<const N: usize>(hex: &str) -> [u8; N] {
    bytes(hex).try_into().expect("the right length")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the lines of the page's block with this label, each without the text after a semicolon.
fn block(label: &str) -> Vec<&'static str> {
    let (_, rest) = PAGE.split_once(&format!("```{label}\n")).expect(label);
    let (block, _) = rest.split_once("```").expect("the block ends");
    block.lines().map(|line| line.split(';').next().unwrap_or(line)).collect()
}

fn seat_key() -> SigningKey {
    SigningKey::from_bytes(&std::array::from_fn(|at| at as u8))
}

/// Returns a record of the example. `digest`, repeated, stands for the digest of a state that nobody played.
fn action(actor: Option<u8>, action: Action, elapsed_ms: Option<u64>, digest: u8) -> ActionRecord {
    let actor = actor.map(Seat);
    ActionRecord { actor, action, elapsed_ms, cards: None, signature: None, digest: [digest; 8] }
}

/// Returns the log of the example and its heads. The commitments are those of the dealing scheme's vectors for G = 00
/// 01 .. 3f.
fn example() -> (Vec<u8>, Vec<[u8; 32]>) {
    let mut bytes = HEADER.to_vec();
    let mut chain = Chain::START;
    let mut heads = Vec::new();
    let mut append = |record: Record| {
        chain.append(&record.encode().expect("can be stored"), &mut bytes);
        heads.push(chain.head);
        chain.head
    };
    append(Record::Genesis(Box::new(Genesis {
        game_id: std::array::from_fn(|at| at as u8),
        rule_set_id: "classic-2p".into(),
        base: "classic-2p".into(),
        rule_set: br#"{"seats":2}"#.to_vec(),
        players: vec![
            Player { name: "Ann".into(), key: Some(seat_key().verifying_key().to_bytes()) },
            Player { name: "Bo".into(), key: None },
        ],
        mode: DealMode::Seeded,
        registration: Registration::Auto,
        commitment: Some(array("63151da42f54d4125dbf6a6b37c6cdde7594bea8ead5e83eb4d05fe9be8d2085")),
        engine: "0.1.0".into(),
        started_at_ms: Some(1_769_860_800_000),
        fork_of: None,
        director: None,
        penalties: None,
    })));
    append(Record::Register(Box::new(Register {
        round: 1,
        attempt: 1,
        dealer: Some(Seat(1)),
        commitment: Some(array("1c8144bf2cddb659f254ec067507cdf7015f4008b9534a4c519c6e6bd9278cdc")),
        seats: vec![],
        beacon: None,
        signatures: vec![],
    })));
    append(Record::Action(Box::new(action(None, Action::Deal(Box::default()), None, 0xd1))));
    let draw = action(Some(0), Action::DrawStock, Some(1830), 0xd2);
    let before = append(Record::Action(Box::new(draw)));
    let mut discard = action(Some(0), Action::Discard(cards::<Vec<_>>("Ks")[0]), Some(250), 0xd3);
    let signed = action_bytes(&discard.action).expect("can be stored");
    discard.signature = Some(seat_key().sign(&seat_message(&before, Seat(0), &signed)).to_bytes());
    append(Record::Action(Box::new(discard)));
    append(Record::Remark(Remark::note(Author::Director, None, "hm")));
    (bytes, heads)
}

#[test]
fn the_example_is_this_log() {
    let (log, heads) = example();
    assert_eq!(hex(&bytes(&block("clog").concat())), hex(&log));
    let listed: Vec<[u8; 32]> = block("heads").iter().map(|line| array(&line[2..])).collect();
    assert_eq!(listed, heads);
    let mut reader = Reader::new();
    let mut input = &log[..];
    while let Some(frame) = reader.next(&mut input).expect("intact") {
        let listed = format!("; record {}, byte {}:", frame.n, frame.offset);
        assert!(PAGE.contains(&listed), "{listed}");
    }
    assert_eq!(reader.finish().expect("whole").head, heads[5]);
}

/// Verifies the signature of the page with the key of the page, over the bytes of the page.
#[test]
fn the_signature_of_the_example_holds() {
    let message = bytes(&block("signed").concat());
    let Some(Record::Genesis(genesis)) = records().into_iter().next() else { panic!("a genesis") };
    let key = VerifyingKey::from_bytes(&genesis.players[0].key.expect("a key")).expect("a key");
    let signature = records().into_iter().find_map(|record| match record {
        Record::Action(record) => record.signature,
        _ => None,
    });
    let signature = Signature::from_bytes(&signature.expect("a signed action"));
    key.verify_strict(&message, &signature).expect("the signature holds");
}

fn records() -> Vec<Record> {
    let log = bytes(&block("clog").concat());
    let mut reader = Reader::new();
    let mut input = &log[..];
    let mut records = Vec::new();
    while let Some(frame) = reader.next(&mut input).expect("intact") {
        records.push(frame.record().expect("a record"));
    }
    records
}

#[test]
fn the_checkpoint_of_the_example_is_on_the_page() {
    let (_, heads) = example();
    let body = checkpoint::body(&std::array::from_fn(|at| at as u8), 5, &heads[5]);
    assert_eq!(block("checkpoint").join("\n") + "\n", body);
}

/// Checks that the page lists every choice of the code's tables with its number.
#[test]
fn the_numbers_are_on_the_page() {
    fn listed<T>(table: &[(T, &str)], first: usize) -> String {
        let entry = |(at, (_, word)): (usize, &(T, &str))| format!("{} {word}", at + first);
        table.iter().enumerate().map(entry).collect::<Vec<_>>().join(" · ")
    }
    let tables = [
        listed(&MELD_KINDS, 0),
        listed(&ABOUTS, 0),
        listed(&SPECIAL_HANDS, 0),
        listed(&AUTHORITIES, 0),
        listed(&EFFECTS, 0),
        listed(&DEAL_MODES, 1),
        listed(&REGISTRATIONS, 0),
        listed(&END_REASONS, 0),
        listed(&SCORE_ITEMS, 0),
    ];
    for table in tables {
        assert!(PAGE.contains(&table), "{table}");
    }
    for (number, kind) in ActionKind::ALL.into_iter().enumerate() {
        let row = format!("| {number:02x} | {kind} |");
        assert!(PAGE.contains(&row), "{row}");
    }
}
