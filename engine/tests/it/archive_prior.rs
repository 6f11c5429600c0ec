//! The prior of archives is what it is said to be, and archives are as small as they are said to be.
//!
//! `UPDATE_PRIOR=1 cargo test -p canasta-engine --test it archive_prior::` trains the prior and writes its table. A released
//! prior never changes: a changed bot or corpus needs a prior with another number.

#[path = "../../benches/support/players.rs"]
mod players;
#[path = "../../benches/support/walk.rs"]
mod walk;

use canasta_engine::archive::{ARCHIVE_HEADER, ArchiveBlock, BLOCK_LOGS, closing, pack, train};
use canasta_engine::rules::{PresetId, Rules};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;

/// The training games are numbered from here on. Games that are measured have small numbers, which give other secrets.
const FIRST: u32 = 1_000_000;
/// Number of training games per rule set, of bots, and of bots that play every tenth move at random.
const GAMES: u32 = 4;

/// Returns the corpus of prior 1: the games of every preset in turn.
fn corpus() -> Vec<Vec<u8>> {
    let rules: Vec<Arc<Rules>> =
        PresetId::all().filter_map(|preset| Rules::preset(preset.name())).map(Arc::new).collect();
    let games = (FIRST..FIRST + GAMES).flat_map(|number| rules.iter().map(move |rules| (number, rules)));
    games
        .flat_map(|(number, rules)| [false, true].map(|is_mixed| players::play(rules, number, is_mixed).0))
        .collect()
}

#[test]
fn the_prior_is_trained_from_its_corpus() {
    let table = train(&corpus());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("archive/src/prior-1.bin");
    if std::env::var_os("UPDATE_PRIOR").is_some() {
        std::fs::write(&file, &table).expect("the table is written");
    }
    assert!(
        table == std::fs::read(&file).expect("the table"),
        "prior 1 is another; UPDATE_PRIOR=1 writes it"
    );
    let digest: String = Sha256::digest(&table).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(
        include_str!("../../../docs/formats/ARCHIVE.md").contains(&digest),
        "docs/formats/ARCHIVE.md names {digest}"
    );
}

/// Packs a full block of games that are not in the corpus, and returns bytes per 1,000 actions, with the container.
fn milli_bytes(is_mixed: bool) -> u64 {
    let rules = Arc::new(Rules::preset("classic-4p").expect("a preset"));
    let numbers = 0..BLOCK_LOGS as u32;
    let (names, logs): (Vec<String>, Vec<Vec<u8>>) = numbers
        .map(|number| (format!("game-{number:06}.clog"), players::play(&rules, number, is_mixed).0))
        .unzip();
    let packed = pack(&logs);
    let block = ArchiveBlock::new(ARCHIVE_HEADER.len() as u64, names, &logs, &packed);
    let bytes = ARCHIVE_HEADER.len() + packed.body.len() + closing(&[block]).len();
    let actions = packed.sizes.iter().map(|size| u64::from(size.actions)).sum::<u64>();
    bytes as u64 * 1000 / actions
}

/// Checks the promised size: at most 0.45 bytes per action. 64 games take a little more per game than 1,000, so the
/// bounds here leave no room for a change that makes archives larger.
#[test]
fn an_action_takes_less_than_half_a_byte() {
    let (bots, mixed) = (milli_bytes(false), milli_bytes(true));
    assert!(bots <= 405 && mixed <= 420, "bots {bots}, mixed {mixed}");
}
