//! Parses any text as a position, an action and a game. Nothing panics; strict text is parsed and written the same
//! again; a game that can be parsed and has a text is the same game after both.
#![no_main]

use canasta_engine::notation::{Position, Proposal};
use canasta_engine::rules::{PRESETS, Rules};
use canasta_engine::text::{from_text, to_text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(position) = Position::parse(text) {
        let strict = position.to_string();
        assert_eq!(Position::parse(&strict).map(|position| position.to_string()).as_ref(), Ok(&strict));
    }
    let preset = PRESETS[text.len() % PRESETS.len()];
    if let Some(rules) = Rules::preset(preset)
        && let Ok(proposal) = Proposal::parse(text, rules.set())
        && let Some(strict) = proposal.to_text(rules.set())
    {
        assert_eq!(Proposal::parse(&strict, rules.set()).as_ref(), Ok(&proposal));
    }
    match from_text(text) {
        Err(error) => assert!(error.line > 0 && error.column > 0 && !error.reason.is_empty()),
        Ok(records) => {
            if let Ok(strict) = to_text(&records) {
                assert_eq!(from_text(&strict).as_ref(), Ok(&records));
                assert_eq!(to_text(&records).as_ref(), Ok(&strict));
            }
        }
    }
});
