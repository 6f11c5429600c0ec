//! States that the first version gave out: every one of `data/tokens/v1` still opens, is written the same again, and
//! is played on to the end of its game.
//!
//! Front ends keep states for as long as their games last, and the service is upgraded meanwhile. So these files are
//! never written anew; `tests/interop/tokens.py keep` made them of the running program.

use std::fs;
use std::path::PathBuf;

use canasta_engine::action::As;
use canasta_engine::log::writer::{Stamp, act};
use canasta_engine::state::{Phase, State};
use canasta_engine::token::{Catalogue, decode, encode};
use canasta_engine::view::view;
use canasta_engine::{bot, legal};
use canasta_tests::games::actor;

/// More actions than any game has.
const LONGEST: usize = 20_000;

struct Kept {
    name: String,
    n: u64,
    seq: u64,
    open: Vec<u8>,
}

fn kept() -> Vec<Kept> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "data", "tokens", "v1", "states.txt"].iter().collect();
    let line = |line: &str| {
        let mut words = line.split(' ');
        let mut word = || words.next().expect("five words a line").to_owned();
        let number = |word: String| word.parse().expect("a number");
        Kept { name: word(), n: number(word()), seq: number(word()), open: base64(&word()) }
    };
    fs::read_to_string(path).expect("states are kept").lines().map(line).collect()
}

/// Reads base64 with padding.
fn base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("{byte} is no digit of base64"),
    };
    let digits = text.trim_end_matches('=');
    let mut bytes = Vec::new();
    for four in digits.as_bytes().chunks(4) {
        let bits = four.iter().fold(0, |bits, &byte| bits << 6 | digit(byte)) << (6 * (4 - four.len()));
        bytes.extend(&bits.to_be_bytes()[1..four.len()]);
    }
    bytes
}

#[test]
fn states_of_the_first_version_open_and_are_written_the_same() {
    let catalogue = Catalogue::new();
    let kept = kept();
    assert!(kept.len() > 100, "{} states", kept.len());
    for Kept { name, n, seq, open } in &kept {
        let state = decode(open, &catalogue).unwrap_or_else(|error| panic!("{name} at {n}: {error}"));
        assert_eq!((state.link().n, state.link().seq), (*n, *seq), "{name}");
        assert_eq!(&encode(&state), open, "{name} at {n}");
    }
}

#[test]
fn states_of_the_first_version_are_played_to_the_end() {
    let catalogue = Catalogue::new();
    for (number, Kept { name, n, open, .. }) in kept().iter().enumerate() {
        let state = decode(open, &catalogue).unwrap_or_else(|error| panic!("{name} at {n}: {error}"));
        let played = play_on(state, number as u64);
        assert!(played < LONGEST, "{name} from {n} on: still going on after {played} actions");
    }
}

/// How many actions the game had left, as the bot plays it.
fn play_on(mut state: State, seed: u64) -> usize {
    for played in 0..LONGEST {
        if state.phase() == Phase::GameOver {
            return played;
        }
        let (who, steps) = (actor(&state), legal::steps(&state).actions);
        let action = match who {
            As::Seat(_) => bot::suggest(&view(&state, who), &steps, seed),
            _ => steps[0].clone(),
        };
        // What the log of a game is written with: the next round is registered as the last one ends.
        act(&mut state, who, &action, Stamp::default())
            .unwrap_or_else(|error| panic!("{action:?}: {error:?}"));
    }
    LONGEST
}
