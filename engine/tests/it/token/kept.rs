//! Tokens of released versions: every later version reads them as they were. A line has the name of the rule set, facts of the state
//! and the token in hex. A version's file is written once, when it is released:
//!
//! ```text
//! KEEP=0.1.0 cargo test -p canasta-engine --test it token::kept
//! ```

use super::common::{Rng, new_game, play, played};
use crate::support::CATALOGUE;
use canasta_engine::card::Card;
use canasta_engine::game::Game;
use canasta_engine::hex::hex;
use canasta_engine::token::{decode, encode};
use std::fs;
use std::path::{Path, PathBuf};

/// Every so many states of a game are kept.
const EVERY: u64 = 97;

fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/kept")
}

/// Returns what tells one state of a game from the next.
fn facts(state: &Game) -> String {
    let table = &state.table;
    let text = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<String>();
    let hands = table.seats().map(|seat| text(&table.hand(seat).iter().collect::<Vec<_>>()));
    let hands = hands.collect::<Vec<_>>().join(" ");
    let (stock, pile) = (text(table.stock()), text(table.pile()));
    let (step, phase, scores) = (table.step(), table.phase(), table.scores());
    format!("step {step}, {phase:?}, {scores:?}, hands {hands}, stock {stock}, pile {pile}")
}

fn line(state: &Game) -> String {
    format!("{}: {}: {}\n", state.table.rules().id(), facts(state), hex(&encode(state)))
}

#[test]
fn tokens_of_every_version_are_read_as_they_were() {
    #[expect(clippy::disallowed_methods, reason = "whether to write is no input of a game")]
    if let Ok(version) = std::env::var("KEEP") {
        let mut lines = String::new();
        for rules in played() {
            play(new_game(rules, 2026, 0), &mut Rng(2026), |state| {
                if state.table.step().is_multiple_of(EVERY) {
                    lines += &line(state);
                }
            });
        }
        let file = fs::File::create_new(kept().join(version).join("tokens"))
            .expect("a version's files are written once");
        std::io::Write::write_all(&mut &file, lines.as_bytes()).expect("they are written");
    }
    let versions =
        fs::read_dir(kept()).expect("files of versions").map(|entry| entry.expect("an entry").path());
    for folder in versions.filter(|path| path.is_dir()) {
        let lines = fs::read_to_string(folder.join("tokens")).expect("tokens");
        assert!(lines.lines().count() > played().len(), "{}", folder.display());
        for kept in lines.lines() {
            let digits = kept.rsplit(' ').next().expect("a token").as_bytes().chunks(2);
            let byte =
                |two: &[u8]| u8::from_str_radix(str::from_utf8(two).expect("digits"), 16).expect("hex");
            let token: Vec<u8> = digits.map(byte).collect();
            let state = decode(&token, &CATALOGUE).expect("a token");
            assert_eq!(line(&state).trim_end(), kept);
        }
    }
}
