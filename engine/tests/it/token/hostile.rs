//! Bytes that are not a token, or not the same token.

use super::common::{Rng, new_game, play, rules};
use crate::support::CATALOGUE;
use allocation_counter::measure;
use canasta_engine::game::Game;
use canasta_engine::invariant;
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::table::Phase;
use canasta_engine::token::{TokenErrorKind, decode, decode_into, encode};
use std::hint::black_box;
use std::sync::Arc;

/// Maximum memory that the decoder holds for a hostile token of a preset, in bytes: a state and its cards.
const LIMIT: u64 = 8 * 1024;

/// Returns states of all phases from a few games.
fn states() -> Vec<Game> {
    let (mut states, mut rng) = (Vec::new(), Rng(41));
    for (preset, game) in [("classic-4p", 0), ("classic-2p", 1), ("classic-6p-3x2", 2)] {
        let mut seen = [0; Phase::ALL.len()];
        play(new_game(rules(preset), 9, game), &mut rng, |state| {
            let seen = &mut seen[state.table.phase() as usize];
            *seen += 1;
            if *seen == 1 || *seen == 40 || *seen == 90 {
                states.push(state.clone());
            }
        });
    }
    states
}

/// Whether the bytes are a token. If they are, checks that the state is valid and encodes to these bytes. `reused` is
/// any game: decoding into it says the same, and leaves a valid game.
fn judge(bytes: &[u8], reused: &mut Game) -> bool {
    let (state, into) = (decode(bytes, &CATALOGUE), decode_into(reused, bytes, &CATALOGUE));
    assert_eq!(invariant::check_without_search(&reused.table), Ok(()), "{reused:?}");
    let Ok(state) = state.map_err(|error| assert_eq!(into, Err(error))) else { return false };
    assert_eq!((into, &*reused), (Ok(()), &state));
    assert_eq!(encode(&state), bytes, "a second spelling of {state:?}");
    assert_eq!(invariant::check_without_search(&state.table), Ok(()), "{state:?}");
    true
}

#[test]
fn a_flipped_bit_is_refused_or_is_another_state() {
    let (mut taken, mut refused) = (0, 0);
    let mut reused = new_game(rules("hoyle-2p"), 9, 3);
    for state in states() {
        let token = encode(&state);
        for bit in 0..token.len() * 8 {
            let mut bytes = token.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            *(if judge(&bytes, &mut reused) { &mut taken } else { &mut refused }) += 1;
        }
    }
    println!("{taken} flips gave another state, {refused} were refused");
    assert!(taken > 0 && refused > 0);
}

#[test]
fn bytes_changed_at_random_are_refused_or_are_another_state() {
    let mut rng = Rng(42);
    let mut reused = new_game(rules("hand-and-foot-4p"), 9, 3);
    for state in states() {
        let token = encode(&state);
        for _ in 0..2000 {
            let mut bytes = token.clone();
            for _ in 0..=rng.below(4) {
                // The facts and cards behind head and secret, mostly.
                let from = if rng.chance(4) { 0 } else { bytes.len().min(124) - 1 };
                let at = from + rng.below(bytes.len() - from);
                bytes[at] = rng.next() as u8;
            }
            judge(&bytes, &mut reused);
        }
    }
}

#[test]
fn cut_tokens_are_refused() {
    for state in states() {
        let token = encode(&state);
        for len in 0..token.len() {
            let error = decode(&token[..len], &CATALOGUE).expect_err("a cut token");
            assert_eq!(error.kind, TokenErrorKind::Truncated, "at {len}");
        }
    }
}

#[test]
fn trailing_bytes_are_refused() {
    for state in states() {
        for extra in [0, 1, 0xff] {
            let mut token = encode(&state);
            token.push(extra);
            let error = decode(&token, &CATALOGUE).expect_err("a token and a byte");
            assert_eq!((error.kind, error.bit), (TokenErrorKind::TrailingBytes, token.len() * 8 - 8));
        }
    }
}

#[test]
fn other_kinds_of_token_are_told_apart() {
    let token = encode(&states()[0]);
    let kind = |at: usize, byte: u8| {
        let mut bytes = token.clone();
        bytes[at] = byte;
        decode(&bytes, &CATALOGUE).map(|_| ()).map_err(|error| (error.bit, error.kind))
    };
    assert_eq!(kind(0, 0), Err((0, TokenErrorKind::Magic)));
    for found in [0, 1, 3] {
        assert_eq!(kind(1, found), Err((8, TokenErrorKind::Version { found })));
    }
    let nobody = PresetId::all().count() as u8;
    assert_eq!(kind(2, nobody), Err((16, TokenErrorKind::Preset { number: nobody })));
    if let Some(unplayed) = PresetId::all().find(|&preset| CATALOGUE.get(preset).is_none()) {
        let number = unplayed.number();
        assert_eq!(kind(2, number), Err((16, TokenErrorKind::Preset { number })));
    }
}

/// Checks that encoding needs one allocation, and decoding at most three: stock, pile and melds. Decoding into a game
/// whose lists are long enough needs none.
#[test]
fn tokens_cost_few_allocations() {
    for state in states() {
        let token = encode(&state);
        let written = measure(|| drop(black_box(encode(&state))));
        assert_eq!(written.count_total, 1, "{written:?}");
        let read = measure(|| drop(black_box(decode(&token, &CATALOGUE))));
        assert!(read.count_total <= 3 && read.bytes_max <= LIMIT, "{read:?}");
        let mut reused = decode(&token, &CATALOGUE).expect("a token");
        let again = measure(|| black_box(decode_into(&mut reused, &token, &CATALOGUE)).expect("a token"));
        assert_eq!(again.count_total, 0, "{again:?}");
    }
}

#[test]
fn hostile_bytes_allocate_little() {
    let mut rng = Rng(43);
    for state in states() {
        let token = encode(&state);
        for _ in 0..1000 {
            let mut bytes = token.clone();
            let from = 4 + rng.below(bytes.len() - 4);
            bytes[from..].iter_mut().for_each(|byte| *byte = rng.next() as u8);
            bytes.extend((0..2000).map(|_| if rng.chance(2) { 0xff } else { rng.next() as u8 }));
            let read = measure(|| drop(black_box(decode(&bytes, &CATALOGUE))));
            assert!(read.bytes_max <= LIMIT, "{read:?}");
        }
    }
}

/// Decodes house rules with as many changed knobs, and as long values, as a token can have.
#[test]
fn hostile_house_rules_allocate_little() {
    let base = PresetId::from_name("classic-4p").expect("a preset");
    let mut set = base.rule_set();
    set.target = 3000;
    let house = Arc::new(Rules::house(base, set, None).expect("playable"));
    let token = encode(&new_game(&house, 9, 0));
    let at = 4 + 16 + 32 + 64 + 8;
    let long_list = format!("[{}1]", "1,".repeat(500));
    let mut rng = Rng(44);
    for knob in 0..128u8 {
        for text in [long_list.as_str(), "true", "5", "\"never\"", "[]", "{}"] {
            let mut bytes = token[..at].to_vec();
            bytes.push(128);
            // Every knob from this one on has the text; decoding ends at the first knob that cannot have this value.
            for number in knob..128 {
                bytes.push(number);
                bytes.extend((text.len() as u16).to_le_bytes());
                bytes.extend(text.as_bytes());
            }
            bytes.extend((0..300).map(|_| rng.next() as u8));
            let read = measure(|| drop(black_box(decode(&bytes, &CATALOGUE))));
            assert!(read.bytes_max <= 4 * LIMIT, "knob {knob}, {text:.20}: {read:?}");
        }
    }
}
