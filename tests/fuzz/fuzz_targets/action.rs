//! Plays any actions in any order from positions of a random game. Nothing panics, and legal actions keep every
//! invariant.
#![no_main]

use arbitrary::Unstructured;
use canasta_engine::invariant;
use canasta_fuzz::{action, actor, position};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Unstructured::new(bytes);
    let Ok(mut state) = position(&mut bytes) else { return };
    while !bytes.is_empty() {
        let (Ok(actor), Ok(action)) = (actor(&mut bytes, &state), action(&mut bytes, &state)) else { return };
        let before = state.clone();
        match state.play(actor, &action) {
            Ok(_) => {}
            Err(rejection) => {
                assert!(!rejection.violations.is_empty() && !rejection.to_string().is_empty());
                assert_eq!(state, before);
            }
        }
        assert_eq!(invariant::check_all(&state.table), Ok(()));
    }
});
