use super::*;
use crate::convert::{decode_general, encode_general};
use crate::error::DecodeError;
use crate::record::Record;
use alloc::boxed::Box;
use alloc::vec;
use canasta_rules::action::MeldId;
use canasta_rules::seat::Side;

/// The kinds of action that have a form here.
const FREQUENT: [ActionKind; 5] =
    [ActionKind::DrawStock, ActionKind::TakePile, ActionKind::Meld, ActionKind::Answer, ActionKind::Discard];

fn cards(count: usize) -> CardList {
    (0..count).filter_map(|at| Card::from_kind((at % 53) as u8)).collect()
}

fn group(kind: MeldKind, onto: Onto, top: bool, count: usize) -> Group {
    Group { kind, onto, top, cards: cards(count) }
}

/// Returns actions with every field at the ends of its range, and lengths on both sides of one byte.
fn actions() -> Vec<Action> {
    let far = Onto::Meld { side: Some(Side(5)), id: MeldId(255) };
    let near = Onto::Meld { side: None, id: MeldId(255) };
    let take = |with, onto, also| Action::TakePile(TakePile { with, onto, also });
    let kinds = MELD_KINDS.iter().map(|&(kind, _)| kind);
    let groups: Groups = kinds.map(|kind| group(kind, far, true, 3)).collect();
    vec![
        Action::DrawStock,
        Action::Discard(cards(1)[0]),
        Action::Discard(Card::JOKER),
        Action::Answer { yes: true },
        Action::Answer { yes: false },
        Action::Meld(Groups::new()),
        Action::Meld(groups.clone()),
        take(CardList::new(), Onto::Auto, Groups::new()),
        take(cards(2), near, groups),
        take(cards(250), Onto::New, Groups::new()),
        take(cards(251), far, [group(MELD_KINDS[0].0, near, false, 0)].into_iter().collect()),
    ]
}

/// Returns records of all actions, with a time for every width of an integer.
fn records() -> impl Iterator<Item = ActionRecord> {
    let times = [0, 249, 250, 0xfffe, 0xffff, 0xffff_fffe, 0xffff_ffff, u64::MAX - 1].map(Some);
    let whens: Vec<_> = [None].into_iter().chain(times).collect();
    actions().into_iter().zip([None, Some(Seat(0)), Some(Seat(5))].into_iter().cycle()).flat_map(
        move |(action, actor)| {
            whens.clone().into_iter().map(move |elapsed_ms| ActionRecord {
                actor,
                action: action.clone(),
                elapsed_ms,
                cards: None,
                signature: None,
                digest: [0, 1, 2, 250, 251, 252, 253, 255],
            })
        },
    )
}

/// Checks that both forms read `payload` alike: a frequent record as the same record, and anything else not here.
fn check(payload: &[u8]) {
    let general: Result<Record, DecodeError> = decode_general(payload);
    let frequent = ActionRecord::decode_frequent(payload);
    let actor = frequent.as_ref().map(|record| record.actor);
    assert_eq!(ActionRecord::actor_of_frequent(payload), actor, "{payload:02x?}");
    match (frequent, general) {
        (Some(found), general) => assert_eq!(general, Ok(Record::Action(Box::new(found))), "{payload:02x?}"),
        (None, Ok(Record::Action(record))) => {
            let is_plain = record.signature.is_none() && record.cards.is_none();
            assert!(!(is_plain && FREQUENT.contains(&record.action.kind())), "{payload:02x?}");
        }
        (None, _) => {}
    }
}

#[test]
fn frequent_records_have_the_bytes_of_the_general_form() {
    for record in records() {
        let payload = record.encode_frequent().expect("a frequent record");
        assert_eq!(Ok(payload.clone()), encode_general(&Record::Action(Box::new(record.clone()))));
        assert_eq!(ActionRecord::decode_frequent(&payload), Some(record));
    }
}

/// Changes each byte to every other, to longer spellings of itself and to nothing, and cuts the payload at each byte.
#[test]
fn both_forms_read_damaged_payloads_alike() {
    for record in records() {
        let payload = record.encode_frequent().expect("a frequent record");
        // The bytes of long lists of cards are alike.
        for at in (0..payload.len()).filter(|&at| at < 60 || payload.len() - at < 30) {
            let (before, after) = (&payload[..at], &payload[at + 1..]);
            check(before);
            check(&[before, after].concat());
            check(&[&payload[..], &[0]].concat());
            for new in 0..=u8::MAX {
                check(&[before, &[new], after].concat());
            }
            for (first, width) in [(251, 1), (252, 3), (253, 7), (254, 15)] {
                check(&[before, &[first, payload[at]], &vec![0; width][..], after].concat());
                check(&[before, &[first, payload[at]], &vec![1; width][..], after].concat());
            }
        }
    }
}

/// Checks that only the general form decides about what no log can hold, and about other records.
#[test]
fn what_a_log_cannot_hold_is_left_to_the_general_form() {
    let record = || records().next().expect("a record");
    let wide: Groups = (0..129).map(|_| group(MELD_KINDS[0].0, Onto::New, false, 0)).collect();
    let far = Onto::Meld { side: Some(Side(6)), id: MeldId(0) };
    let with = |action| ActionRecord { action, ..record() };
    let long = TakePile { with: cards(325), ..TakePile::default() };
    let left = [
        ActionRecord { actor: Some(Seat(6)), ..record() },
        ActionRecord { elapsed_ms: Some(u64::MAX), ..record() },
        with(Action::Meld(wide)),
        with(Action::Meld([group(MELD_KINDS[0].0, far, false, 0)].into_iter().collect())),
        with(Action::TakePile(long)),
    ];
    for record in left {
        assert_eq!(record.encode_frequent(), None, "{record:?}");
        assert!(encode_general(&Record::Action(Box::new(record))).is_err());
    }
    let others = [
        ActionRecord { signature: Some([1; 64]), ..record() },
        ActionRecord { cards: Some(Vec::new()), ..record() },
        with(Action::Pass),
    ];
    for record in others {
        assert_eq!(record.encode_frequent(), None, "{record:?}");
        let payload = encode_general(&Record::Action(Box::new(record))).expect("a log can hold it");
        check(&payload);
    }
}
