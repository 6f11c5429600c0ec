//! Records that exceed a limit of the log are refused with the name of the field, when they are written and when they
//! are read.

use super::sample::{self, cards};
use canasta_engine::action::*;
use canasta_engine::log::record::*;
use canasta_engine::log::{DecodeError, FieldErrorKind, Record, action_bytes, action_from_bytes};
use canasta_engine::seat::{Seat, Side};

fn genesis(change: impl Fn(&mut Genesis)) -> Record {
    let mut genesis = sample::genesis();
    change(&mut genesis);
    Record::Genesis(Box::new(genesis))
}

fn check(record: &Record, field: &str) {
    let error = record.encode().map(drop).expect_err(field);
    assert_eq!(error.field, field, "{error}");
}

fn check_action(action: &Action, field: &str) {
    let error = action_bytes(action).map(drop).expect_err(field);
    assert_eq!(error.field, field, "{error}");
}

#[test]
fn names_are_short_and_plain() {
    let named = |name: &str| genesis(|genesis| genesis.players[0].name = name.into());
    for good in ["A", "a b", &"x".repeat(64), "Žofie 🂡", "עדי"] {
        assert!(named(good).encode().is_ok(), "{good:?}");
    }
    for bad in ["", &"x".repeat(65), "a\nb", "\u{7f}", "\u{85}", "a\u{202e}b", "\u{200f}", "\u{2066}"] {
        check(&named(bad), "seats[].name");
    }
    let error = named("a\u{202e}").encode().expect_err("bidirectional");
    assert_eq!(error.kind, FieldErrorKind::Character { found: 0x202e });
    assert_eq!(error.to_string(), "seats[].name: character U+202e is not allowed");
}

#[test]
fn genesis_fields() {
    check(&genesis(|g| g.players.clear()), "seats");
    check(&genesis(|g| g.players = vec![g.players[0].clone(); 7]), "seats");
    check(&genesis(|g| g.rule_set_id.clear()), "ruleset.id");
    check(&genesis(|g| g.base = "b".repeat(65)), "ruleset.base");
    check(&genesis(|g| g.rule_set = vec![b'x'; 8193]), "ruleset.knobs");
    check(&genesis(|g| g.rule_set = vec![0xff]), "ruleset.knobs");
    check(&genesis(|g| g.engine = "e".repeat(33)), "engine");
    check(&genesis(|g| g.started_at_ms = Some(i64::MAX)), "started_at");
    check(&genesis(|g| g.started_at_ms = Some(-62_167_219_200_001)), "started_at");
    assert!(genesis(|g| g.started_at_ms = Some(-62_167_219_200_000)).encode().is_ok());
    check(&genesis(|g| g.penalties = Some(0)), "penalties");
    assert!(genesis(|g| g.penalties = Some(u16::MAX)).encode().is_ok());
}

#[test]
fn register_fields() {
    let register = |seats: &[Option<[u8; 32]>], signatures: &[Option<[u8; 64]>]| {
        let (round, attempt, dealer, commitment, beacon) = (1, 1, None, None, None);
        let (seats, signatures) = (seats.to_vec(), signatures.to_vec());
        Record::Register(Box::new(Register { round, attempt, dealer, commitment, seats, beacon, signatures }))
    };
    let (entry, signed) = (Some([7; 32]), Some([9; 64]));
    check(&register(&[None; 7], &[]), "seats");
    check(&register(&[entry; 6], &[signed; 7]), "signatures");
    check(&register(&[entry, None], &[None, signed]), "signatures");
    check(&register(&[entry], &[None]), "signatures");
    assert!(register(&[None, entry], &[None, signed]).encode().is_ok());
    // The same faults in bytes: a signature of a seat that registered nothing, and a list without a signature.
    let head = [1, 1, 1, 0, 0, 1, 0, 0];
    for list in [[&[1, 1][..], &[9; 64]].concat(), vec![1, 0]] {
        let read = Record::decode(&[&head[..], &list].concat());
        assert!(matches!(read, Err(DecodeError::Field(error)) if error.field == "signatures"));
    }
    // Seven signatures, and one of 63 bytes.
    let seven = Record::decode(&[&head[..], &[7; 100]].concat());
    assert!(matches!(seven, Err(DecodeError::Field(error)) if error.field == "signatures"));
    assert_eq!(Record::decode(&[&head[..], &[1, 1], &[9; 63]].concat()), Err(DecodeError::Ended));
}

#[test]
fn other_records_fields() {
    let refusal = |codes: Vec<String>, bytes: Vec<u8>| {
        let attempt = Attempt::Masked { kind: ActionKind::Pass, bytes };
        Record::Refusal(Box::new(Refusal { actor: None, elapsed_ms: None, codes, attempt }))
    };
    check(&refusal(vec![], vec![0; 80]), "codes");
    check(&refusal(vec!["A".into(); 129], vec![0; 80]), "codes");
    check(&refusal(vec!["lower".into()], vec![0; 80]), "codes[]");
    check(&refusal(vec!["A".repeat(49)], vec![0; 80]), "codes[]");
    for length in [0, 16, 79, 81, 143] {
        check(&refusal(vec!["A".into()], vec![0; length]), "masked");
    }
    check(&refusal(vec!["A".into(); 9], vec![0; 16 + 64 * 937]), "payload");
    check(&Record::Remark(Remark::note(Author::Seat(Seat(6)), None, "")), "by");
    check(&Record::Remark(Remark::note(Author::Table, Some(u64::MAX), "")), "at_ms");
    check(&Record::Remark(Remark::note(Author::Table, None, "n".repeat(4097))), "text");
    check(&Record::Remark(Remark { by: None, ..Remark::note(Author::Table, None, "") }), "by");
    let checkpoint = Remark::checkpoint("c".repeat(8193));
    check(&Record::Remark(checkpoint.clone()), "note");
    check(&Record::Remark(Remark { by: Some(Author::Table), ..checkpoint.clone() }), "by");
    check(&Record::Remark(Remark { elapsed_ms: Some(0), ..checkpoint }), "by");
    check(&Record::GameEnd(GameEnd { winner: Some(6), secret: None }), "winner");
    check(&sample::action(Some(6), Action::Pass), "seat");
}

#[test]
fn action_fields() {
    let many: CardList = vec![cards::<Vec<_>>("4c")[0]; 325].into();
    check_action(&Action::LayThrees(many.clone()), "cards");
    check_action(&Action::TakePile(TakePile { with: many, ..TakePile::default() }), "with");
    check_action(&Action::Meld(vec![sample::set("4c"); 129].into()), "groups");
    check_action(&Action::DrawCards(vec![CardList::new(); 7]), "picks");
    check_action(&Action::CallReveal { of: Seat(6) }, "of");
    check_action(&Action::Sign { side: Side(6) }, "side");
    let onto = Onto::Meld { side: Some(Side(6)), id: MeldId(0) };
    check_action(&Action::TakePile(TakePile { onto, ..TakePile::default() }), "onto");
    let ask = |about, groups: Groups| {
        let with = Some(Box::new(NamedWay { groups, discard: None }));
        Action::Ask { about, to: None, with }
    };
    check_action(&ask(About::GoOut, vec![sample::set("4c"); 129].into()), "with.groups");
    check_action(&ask(About::Courtesy, Groups::new()), "with");
    check_action(&Action::Dispute { open: true, reason: "r".repeat(1025) }, "reason");
    let deal = |deal: Deal| Action::Deal(Box::new(deal));
    check_action(&deal(Deal { contributions: vec![None; 7], ..Deal::default() }), "contributions");
    check_action(&deal(Deal { hands: vec![vec![]; 7], ..Deal::default() }), "hands");
    check_action(&deal(Deal { upcards: vec![None; 325], ..Deal::default() }), "upcards");
    check_action(&deal(Deal { signature: Some(vec![0; 97]), ..Deal::default() }), "signature");
}

#[test]
fn ruling_fields() {
    let ruling = |change: &dyn Fn(&mut Ruling)| {
        let mut ruling = sample::ruling();
        change(&mut ruling);
        Action::Ruling(Box::new(ruling))
    };
    check_action(&ruling(&|r| r.rule = "r".repeat(33)), "rule");
    check_action(&ruling(&|r| r.reason = "r".repeat(1025)), "reason");
    check_action(&ruling(&|r| r.offender = Some(Seat(6))), "offender");
    check_action(&ruling(&|r| r.effect.position = None), "effect.position");
    check_action(&ruling(&|r| r.effect.masked = false), "effect.position");
    check_action(&ruling(&|r| r.effect.position = Some(vec![0; 81])), "effect.masked");
    let adjust = |points: Vec<i32>| {
        ruling(&|r| r.effect = Effect { points: points.clone(), ..Effect::of(EffectKind::Adjust) })
    };
    check_action(&adjust(vec![5; 7]), "effect.points");
    check_action(&adjust(vec![0, 1_000_001]), "effect.points");
    check_action(&adjust(vec![i32::MIN]), "effect.points");
    assert!(action_bytes(&adjust(vec![1_000_000, -1_000_000])).is_ok());
    check_action(&ruling(&|r| r.effect.points = vec![5]), "effect.points");
    let inner = ruling(&|_| ());
    check_action(&ruling(&|r| r.effect.action = Some(Box::new(inner.clone()))), "effect.action");
}

/// Checks that bytes with a value that cannot be written are refused, with the name of the field.
#[test]
fn bytes_of_such_fields_are_refused() {
    let field = |bytes: &[u8]| match action_from_bytes(bytes) {
        Err(DecodeError::Field(error)) => error.field,
        other => panic!("{bytes:?}: {other:?}"),
    };
    assert_eq!(field(&[14, 53]), "card");
    assert_eq!(field(&[6, 1, 53]), "cards");
    assert_eq!(field(&[8, 1, 8, 0, 0]), "groups");
    assert_eq!(field(&[8, 1, 0, 251, 2, 8, 0]), "onto");
    assert_eq!(field(&[11, 2, 0, 0]), "about");
    assert_eq!(field(&[11, 0, 1, 6, 0]), "to");
    assert_eq!(field(&[11, 1, 0, 1, 0, 0]), "with");
    assert_eq!(field(&[11, 0, 0, 1, 0, 1, 53]), "with.discard");
    assert_eq!(field(&[11, 0, 0, 1, 129]), "with.groups");
    assert_eq!(field(&[13, 3]), "hand");
    assert_eq!(field(&[20, 6]), "side");
    assert_eq!(field(&[0, 0, 0, 0, 0, 1, 1, 54, 0]), "hands[]");
    // 129 groups, of which none is there.
    assert_eq!(field(&[8, 129]), "groups");
    let nested = |inner: &[u8]| {
        let head = [18, 1, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1, inner.len() as u8];
        [&head[..], inner, &[0, 0, 0, 0, 0]].concat()
    };
    assert!(action_from_bytes(&nested(&[2])).is_ok());
    assert_eq!(field(&nested(&[18])), "effect.action");
    assert_eq!(field(&nested(&[2, 0])), "effect.action");
    assert_eq!(field(&nested(&[251, 2, 0])), "effect.action");
    let adjust = |points: &[u8]| {
        let head = [18, 1, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        [&head[..], points, &[0, 0, 0]].concat()
    };
    assert!(action_from_bytes(&adjust(&[2, 10, 9])).is_ok());
    assert_eq!(field(&adjust(&[1, 252, 0x81, 0x84, 0x1e, 0])), "effect.points");
    assert_eq!(field(&adjust(&[7])), "effect.points");
    let mut genesis = Record::Genesis(Box::new(sample::genesis())).encode().expect("can be stored");
    genesis[1] = 1;
    assert!(matches!(Record::decode(&genesis), Err(DecodeError::Field(error)) if error.field == "log"));
}
