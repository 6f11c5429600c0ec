//! Any record that can be written reads back as itself; any bytes that read write back as themselves.

use crate::arbitrary::{action, record};
use canasta_engine::log::{Record, action_bytes, action_from_bytes};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #[test]
    fn records_read_back(record in record()) {
        let payload = record.encode().expect("within all caps");
        prop_assert!(!payload.is_empty() && payload.len() <= 60_000);
        prop_assert_eq!(Record::decode(&payload), Ok(record));
    }

    #[test]
    fn actions_read_back(action in action()) {
        let bytes = action_bytes(&action).expect("within all caps");
        prop_assert_eq!(bytes[0], action.kind() as u8);
        prop_assert_eq!(action_from_bytes(&bytes), Ok(action));
    }

    /// Near-valid bytes: a record with a few of them changed, cut or repeated.
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
