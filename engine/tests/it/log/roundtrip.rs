//! Any record that can be written reads back as itself; any bytes that read write back as themselves.

use super::arbitrary::{action, action_record, record};
use canasta_engine::action::ActionKind;
use canasta_engine::log::record::ActionRecord;
use canasta_engine::log::{Record, action_bytes, action_from_bytes};
use proptest::collection::vec;
use proptest::prelude::*;

/// The kinds of action that are decoded in one pass.
const FREQUENT: [ActionKind; 5] =
    [ActionKind::DrawStock, ActionKind::TakePile, ActionKind::Meld, ActionKind::Answer, ActionKind::Discard];

proptest! {
    #[test]
    fn records_read_back(record in record()) {
        let payload = record.encode().expect("within all caps");
        prop_assert!(!payload.is_empty() && payload.len() <= 60_000);
        prop_assert_eq!(Record::decode(&payload), Ok(record));
    }

    /// Compares a frequent record with its parts: tag, actor, the action's own bytes, time and digest.
    #[test]
    fn frequent_records_are_made_of_their_parts(record in action_record()) {
        let Record::Action(record) = record else { unreachable!("only actions are made") };
        let record = ActionRecord { signature: None, cards: None, ..*record };
        let payload = Record::Action(Box::new(record.clone())).encode().expect("within all caps");
        let found = ActionRecord::decode_frequent(&payload);
        prop_assert_eq!(found.is_some(), FREQUENT.contains(&record.action.kind()));
        let Some(found) = found else { return Ok(()) };
        prop_assert!(payload.starts_with(&[2, record.actor.map_or(255, |seat| seat.0)]));
        prop_assert!(payload[2..].starts_with(&action_bytes(&record.action).expect("within all caps")));
        prop_assert!(payload.ends_with(&record.digest));
        prop_assert_eq!(found, record);
    }

    #[test]
    fn actions_read_back(action in action()) {
        let bytes = action_bytes(&action).expect("within all caps");
        prop_assert_eq!(bytes[0], action.kind() as u8);
        prop_assert_eq!(action_from_bytes(&bytes), Ok(action));
    }

    /// Decodes bytes that are nearly valid: a record with one byte changed, and its parts before and after a cut.
    #[test]
    fn bytes_have_one_reading(record in record(), at in any::<prop::sample::Index>(), new in any::<u8>()) {
        let payload = record.encode().expect("within all caps");
        let at = at.index(payload.len());
        let mut changed = payload.clone();
        changed[at] = new;
        for bytes in [&changed[..], &payload[..at], &payload[at..]] {
            if let Ok(read) = Record::decode(bytes) {
                prop_assert_eq!(read.encode(), Ok(bytes.to_vec()));
            }
        }
    }

    #[test]
    fn any_bytes_have_one_reading(bytes in vec(prop_oneof![0u8..12, any::<u8>()], 0..80)) {
        if let Ok(read) = Record::decode(&bytes) {
            prop_assert_eq!(read.encode(), Ok(bytes));
        }
    }
}
