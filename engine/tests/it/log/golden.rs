//! The bytes of every record type, written out by hand from docs/LOG_FORMAT.md.
//!
//! A piece is hexadecimal text, in which `*N` repeats a byte N times, and its meaning.

use super::sample::{self, cards};
use canasta_engine::action::*;
use canasta_engine::dealing::Registration;
use canasta_engine::log::record::*;
use canasta_engine::log::{Chain, DecodeError, Record, action_bytes, action_from_bytes, seat_message};
use canasta_engine::seat::Seat;

pub type Piece = (&'static str, &'static str);

fn bytes(pieces: &[Piece]) -> Vec<u8> {
    let mut out = Vec::new();
    for part in pieces.iter().flat_map(|(hex, _)| hex.split_whitespace()) {
        let (hex, times) = part.split_once('*').unwrap_or((part, "1"));
        let one: Vec<u8> = (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex"))
            .collect();
        out.extend(one.repeat(times.parse().expect("a count")));
    }
    out
}

/// Checks that the record has exactly these bytes, and that neither a prefix nor an extension of them is a record.
fn check(record: &Record, pieces: &[Piece]) {
    let golden = bytes(pieces);
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let found = record.encode().expect("can be stored");
    assert_eq!(hex(&found), hex(&golden), "{record:?}");
    assert_eq!(Record::decode(&golden).as_ref(), Ok(record));
    for length in 0..golden.len() {
        assert!(Record::decode(&golden[..length]).is_err(), "{length} bytes of {record:?}");
    }
    let longer = [&golden[..], &[0]].concat();
    assert_eq!(Record::decode(&longer), Err(DecodeError::Trailing { left: 1 }));
}

pub fn check_action(action: &Action, pieces: &[Piece]) {
    let golden = bytes(pieces);
    assert_eq!(golden[0], action.kind() as u8, "the first byte is the action's number");
    assert_eq!(action_bytes(action).as_ref(), Ok(&golden), "{action:?}");
    assert_eq!(action_from_bytes(&golden).as_ref(), Ok(action));
    // In a record, the action's bytes stand from the third byte on.
    let payload = sample::action(None, action.clone()).encode().expect("can be stored");
    assert_eq!(payload[2..2 + golden.len()], golden);
}

#[test]
fn genesis() {
    check(
        &Record::Genesis(Box::new(sample::genesis())),
        &[
            ("00", "record type genesis"),
            ("02", "version of the records"),
            ("7369787465656e206279746573206964", "game id, 16 bytes: \"sixteen bytes id\""),
            ("0a 636c61737369632d3270", "rule-set id: 10 bytes \"classic-2p\""),
            ("0a 636c61737369632d3270", "base preset"),
            ("0b 7b227365617473223a327d", "rule set: 11 bytes {\"seats\":2}"),
            ("02", "two players"),
            ("03 416e6e 00", "\"Ann\", no key"),
            ("06 c5bd6f666965 01 0b*32", "\"Zofie\" with a caron, a key and its 32 bytes"),
            ("02", "deal mode committed"),
            ("00", "registration auto"),
            ("01 c6*32", "a commitment C_G and its 32 bytes"),
            ("05 302e312e30", "engine \"0.1.0\""),
            ("01 fd 003cd92738030000", "a start time: 2 * 1769860800000 = 0x33827d93c00"),
            ("00", "no fork_of"),
            ("00 00", "no key of the director, no version of penalties"),
        ],
    );
}

#[test]
fn genesis_of_a_fork() {
    let fork = Fork { game_id: [0xf0; 16], n: 251, head: [0x4e; 32] };
    let genesis = Genesis {
        players: vec![Player { name: "A".into(), key: None }],
        mode: DealMode::Transcribed,
        registration: Registration::ByTable,
        commitment: None,
        started_at_ms: None,
        fork_of: Some(fork),
        director: Some([0xdd; 32]),
        penalties: Some(300),
        ..sample::genesis()
    };
    check(
        &Record::Genesis(Box::new(genesis)),
        &[
            ("00 02 7369787465656e206279746573206964", "type, version, game id"),
            ("0a 636c61737369632d3270 0a 636c61737369632d3270", "rule-set id, base"),
            ("0b 7b227365617473223a327d", "rule set"),
            ("01 01 41 00", "one player \"A\""),
            ("04 01 00", "transcribed, by_table, no commitment"),
            ("05 302e312e30 00", "engine, no start time"),
            ("01 f0*16 fb fb00 4e*32", "fork_of: game id, n = 251 in three bytes, head"),
            ("01 dd*32", "the director's key"),
            ("01 fb 2c01", "penalties of version 300 = 0x012c"),
        ],
    );
}

#[test]
fn register() {
    let register = Register {
        round: 1,
        attempt: 2,
        dealer: Some(Seat(3)),
        commitment: Some([0xcd; 32]),
        seats: vec![Some([0xca; 32]), None],
        beacon: Some(Beacon { chain: [0xbe; 32], round: 300, close_ms: 1_767_225_600_000 }),
        signatures: vec![Some([0x51; 64]), None],
    };
    check(
        &Record::Register(Box::new(register)),
        &[
            ("01", "record type register"),
            ("01 02", "round 1, attempt 2"),
            ("01 03", "a dealer: seat 3"),
            ("01 cd*32", "a commitment"),
            ("02 01 ca*32 00", "two seats: one commitment, none"),
            ("01 be*32", "a beacon: its chain"),
            ("fb 2c01", "its round 300 = 0x012c"),
            ("fd 0050b5ed36030000", "close time: 2 * 1767225600000 = 0x336edb55000"),
            ("02 01 51*64 00", "two signatures: one, none"),
        ],
    );
    let empty = Register {
        round: 0,
        attempt: 1,
        dealer: None,
        commitment: None,
        seats: vec![],
        beacon: None,
        signatures: vec![],
    };
    check(
        &Record::Register(Box::new(empty)),
        &[("01 00 01", "round 0"), ("00 00 00 00 00", "no dealer, commitment, seats, beacon, signatures")],
    );
}

/// Checks the most frequent record: 12 bytes, 23 bytes with its frame.
#[test]
fn a_draw() {
    let draw = sample::action(Some(2), Action::DrawStock);
    check(
        &draw,
        &[
            ("02", "record type action"),
            ("02", "seat 2"),
            ("02", "action draw_stock"),
            ("00", "no time"),
            ("d1*8", "public digest"),
        ],
    );
}

/// Checks sizes of frames: the budget of a live log is 28 bytes per action on average. A time needs no further byte
/// up to 249 ms, then two up to 65 s; a signature needs its 64 bytes.
#[test]
fn frames_are_small() {
    let frame = |action: Action, elapsed_ms| {
        let mut record = sample::action(Some(0), action);
        if let Record::Action(record) = &mut record {
            record.elapsed_ms = elapsed_ms;
        }
        let (mut chain, mut out) = (Chain::START, Vec::new());
        chain.append(&record.encode().expect("can be stored"), &mut out);
        out.len()
    };
    let discard = || Action::Discard(cards::<Vec<_>>("Ks")[0]);
    let take = || Action::TakePile(TakePile { with: cards("5h 5d"), ..TakePile::default() });
    let meld = || Action::Meld([sample::set("4c 4d 4h")].into_iter().collect());
    assert_eq!([None, Some(249), Some(250)].map(|ms| frame(Action::DrawStock, ms)), [23, 23, 25]);
    assert_eq!([Some(65_534), Some(65_535)].map(|ms| frame(Action::DrawStock, ms)), [25, 27]);
    assert_eq!([discard(), take(), meld()].map(|action| frame(action, None)), [24, 28, 30]);
}

#[test]
fn actions_with_time_signature_and_cards() {
    let mut record = ActionRecord {
        actor: None,
        action: Action::Discard(cards::<Vec<_>>("Ks")[0]),
        elapsed_ms: Some(1830),
        cards: None,
        signature: None,
        digest: [0xd1; 8],
    };
    let head: Piece = ("ff 0e 33 fb 2707 d1*8", "no seat, discard, 51 = 3*13+12, 1831 = 0x0727, digest");
    check(&Record::Action(Box::new(record.clone())), &[("02", "action"), head]);
    record.signature = Some([0x51; 64]);
    let signature: Piece = ("51*64", "signature");
    check(&Record::Action(Box::new(record.clone())), &[("03", "signed action"), head, signature]);
    record.cards = Some(vec![Some(cards::<Vec<_>>("X")[0]), None]);
    let received: Piece = ("02 34 35", "two cards: a joker, an unknown one");
    let tag: Piece = ("05", "signed action with cards");
    check(&Record::Action(Box::new(record.clone())), &[tag, head, received, signature]);
    record.signature = None;
    check(&Record::Action(Box::new(record)), &[("04", "action with cards"), head, received]);
}

#[test]
fn round_end() {
    let end = RoundEnd {
        round: 1,
        attempt: 1,
        reason: EndReason::WentOut,
        reveal: Reveal::Secret([0x5e; 64]),
        scores: vec![
            Score {
                unit: 0,
                lines: vec![
                    ScoreLine { item: ScoreItem::MeldedCards, count: None, points: 320 },
                    ScoreLine { item: ScoreItem::NaturalCanastas, count: Some(1), points: 500 },
                ],
            },
            Score {
                unit: 1,
                lines: vec![ScoreLine { item: ScoreItem::HandCards, count: None, points: -45 }],
            },
        ],
        digest: [0xfd; 32],
    };
    check(
        &Record::RoundEnd(Box::new(end)),
        &[
            ("06", "record type round end"),
            ("01 01 01", "round 1, attempt 1, went_out"),
            ("01 5e*64", "reveal: a secret"),
            ("02", "two sides"),
            ("00 02", "side 0, two lines"),
            ("00 00 fb 8002", "melded_cards, no count, 2*320 = 640 = 0x0280"),
            ("01 01 01 fb e803", "natural_canastas, count 1, 2*500 = 1000 = 0x03e8"),
            ("01 01", "side 1, one line"),
            ("0c 00 59", "hand_cards, no count, 2*45-1 = 89"),
            ("fd*32", "full digest"),
        ],
    );
    let wall = RoundEnd {
        round: 2,
        attempt: 1,
        reason: EndReason::Voided,
        reveal: Reveal::Wall { cards: cards("Ac 7h X"), salt: [0x5a; 32] },
        scores: vec![],
        digest: [0xfe; 32],
    };
    check(
        &Record::RoundEnd(Box::new(wall)),
        &[
            ("06 02 01 07", "round end, round 2, attempt 1, voided"),
            ("02 03 00 20 34 5a*32", "reveal: a wall of three cards and its salt"),
            ("00 fe*32", "no sides, digest"),
        ],
    );
}

#[test]
fn game_end() {
    let won = GameEnd { winner: Some(1), secret: Some([0x60; 64]) };
    check(&Record::GameEnd(won), &[("07", "record type game end"), ("01 01 01 60*64", "winner, secret")]);
    check(
        &Record::GameEnd(GameEnd { winner: None, secret: None }),
        &[("07 00 00", "drawn, nothing to reveal")],
    );
}

#[test]
fn refusal() {
    let mut refusal = Refusal {
        actor: Some(Seat(1)),
        elapsed_ms: Some(0),
        codes: vec!["GAME_OVER".into()],
        attempt: Attempt::Masked { kind: ActionKind::TakePile, bytes: vec![0x77; 80] },
    };
    let head: Piece = ("08 01 01 01 09 47414d455f4f564552", "refusal, seat 1, 0 ms, one code \"GAME_OVER\"");
    check(
        &Record::Refusal(Box::new(refusal.clone())),
        &[head, ("01 03 50 77*80", "masked: take_pile, 80 bytes")],
    );
    refusal.attempt = Attempt::Clear(Action::Pass);
    check(&Record::Refusal(Box::new(refusal)), &[head, ("00 0f", "in clear: pass")]);
}

#[test]
fn notes_and_checkpoints() {
    let note = |by| Record::Remark(Remark::note(by, None, "hm"));
    check(&note(Author::Seat(Seat(5))), &[("09 05 00 02 686d", "note, seat 5, no time, \"hm\"")]);
    check(&note(Author::Director), &[("09 fe 00 02 686d", "by the director")]);
    check(&note(Author::Table), &[("09 ff 00 02 686d", "by the table")]);
    check(&Record::Remark(Remark::checkpoint("a\n")), &[("0a 02 610a", "checkpoint")]);
}

/// Checks that no number beyond those of [`ActionKind`] is an action, and that no tag above 10 is a record.
#[test]
fn no_other_number_is_an_action() {
    for number in ActionKind::ALL.len() as u8..=255 {
        assert!(action_from_bytes(&[number]).is_err(), "{number}");
    }
    for tag in 11..=255 {
        assert_eq!(Record::decode(&[tag, 0, 0]), Err(DecodeError::UnknownRecord { tag }));
    }
}

/// Refuses longer encodings of the same values, each of which bincode alone would accept.
#[test]
fn over_long_integers_are_refused() {
    let spellings = [
        ("02 00 02 fb 0000 d1*8", "no time in three bytes"),
        ("02 00 02 fc 01000000 d1*8", "0 ms in five"),
        ("02 00 02 fd 2807000000000000 d1*8", "1830 ms in nine"),
        ("fb 0200 00 02 00 d1*8", "the record type in three"),
        ("02 00 fb 0200 00 d1*8", "the action in three"),
        ("02 00 06 fb 0100 02 00 d1*8", "a length in three"),
        ("06 fb 0100 01 07 00 00 fe*32", "the round in three"),
    ];
    for (hex, what) in spellings {
        let error = Record::decode(&bytes(&[(hex, what)])).expect_err(what);
        let refused = matches!(error, DecodeError::NotCanonical | DecodeError::UnknownRecord { .. });
        assert!(refused, "{what}: {error}");
    }
}

/// Checks the signed message: `canasta-seat/1`, a zero byte, the head before, the seat, the action's bytes.
#[test]
fn a_seat_signs_head_seat_and_action() {
    let action = action_bytes(&Action::Discard(cards::<Vec<_>>("Ks")[0])).expect("can be stored");
    let message = seat_message(&[0xaa; 32], Seat(2), &action);
    let golden = [&b"canasta-seat/1\0"[..], &[0xaa; 32], &[2], &[14, 51]].concat();
    assert_eq!(message, golden);
}
