//! The size and speed of packed logs: `cargo bench -p canasta-engine --bench archive -- [PRESET...]`. See `support` for
//! the options; `--games N` takes N games of each rule set.
//!
//! The logs are games of the engine's bot (`bots`) and of bots that play every tenth move at random (`mixed`). Sizes are
//! in bytes per action; `entropy` is the size of an index among `legal::steps`, if all steps are equally likely.

#[path = "support/players.rs"]
mod players;
mod support;

use canasta_engine::archive::{ARCHIVE_HEADER, ArchiveBlock, Packed, closing, has_room, pack, unpack};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::rules::{PresetId, Rules};
use std::sync::Arc;
use support::{Bench, walk};

const GAMES: u32 = 64;

/// The players, and whether some of their moves are random.
const PLAYERS: [(&str, bool); 2] = [("bots", false), ("mixed", true)];
/// The last words of the ids of times, and of sizes.
const TIMES: [&str; 3] = ["pack", "unpack", "audit"];
const SIZES: [&str; 7] = ["play", "ids", "others", "container", "file", "entropy", "log"];

/// A check of the logs of a block against the packed block.
type Check = fn(&[Vec<u8>], &Packed) -> bool;

/// Returns logs in the blocks of an archive.
fn in_blocks(logs: &[Vec<u8>]) -> Vec<&[Vec<u8>]> {
    let (mut blocks, mut from, mut bytes) = (Vec::new(), 0, 0);
    for (at, log) in logs.iter().enumerate() {
        if !has_room(at - from, bytes, log.len() as u64) {
            blocks.push(&logs[from..at]);
            (from, bytes) = (at, 0);
        }
        bytes += log.len() as u64;
    }
    blocks.push(&logs[from..]);
    blocks
}

/// Returns the size in bytes of the archive that holds these blocks.
fn file_size(blocks: &[&[Vec<u8>]], packed: &[Packed]) -> u64 {
    let (mut offset, mut number) = (ARCHIVE_HEADER.len() as u64, 0..);
    let block = |(logs, packed): (&&[Vec<u8>], &Packed)| {
        let names =
            logs.iter().zip(&mut number).map(|(_, number)| format!("game-{number:06}.clog")).collect();
        let block = ArchiveBlock::new(offset, names, logs, packed);
        offset += packed.body.len() as u64;
        block
    };
    let blocks: Vec<ArchiveBlock> = blocks.iter().zip(packed).map(block).collect();
    offset + closing(&blocks).len() as u64
}

fn actions_of(packed: &Packed) -> u64 {
    packed.sizes.iter().map(|size| u64::from(size.actions)).sum()
}

fn sizes(bench: &mut Bench, name: &str, logs: &[Vec<u8>], bits: f64) {
    let blocks = in_blocks(logs);
    let packed: Vec<Packed> = blocks.iter().map(|logs| pack(logs)).collect();
    let actions = packed.iter().map(actions_of).sum::<u64>() as f64;
    let sum = |of: fn(&Packed) -> u64| packed.iter().map(of).sum::<u64>();
    let (bodies, play) = (sum(|packed| packed.body.len() as u64), sum(|packed| packed.content.play));
    let plain = sum(|packed| packed.content.plain);
    let file = file_size(&blocks, &packed);
    let log = logs.iter().map(Vec::len).sum::<usize>() as f64;
    let parts = [play, plain, bodies - play - plain, file - bodies, file].map(|bytes| bytes as f64);
    for (part, bytes) in SIZES.into_iter().zip(parts.into_iter().chain([bits / 8.0, log])) {
        bench.size(&format!("{name}.{part}"), vec![bytes / actions]);
    }
}

fn times(bench: &mut Bench, preset: &str, logs: &[Vec<u8>]) {
    let blocks = in_blocks(logs);
    let packed: Vec<Packed> = blocks.iter().map(|logs| pack(logs)).collect();
    let actions = packed.iter().map(actions_of).sum::<u64>();
    let is_packed = |logs: &[Vec<u8>], packed: &Packed| pack(logs) == *packed;
    let comes_back =
        |logs: &[Vec<u8>], packed: &Packed| unpack(&packed.body, &packed.sizes).as_deref() == Ok(logs);
    let is_clean = |logs: &[Vec<u8>], _: &Packed| {
        logs.iter().all(|log| audit(log, Expect::default()).findings.is_empty())
    };
    let checks: [Check; 3] = [is_packed, comes_back, is_clean];
    for (part, check) in TIMES.into_iter().zip(checks) {
        bench.time(
            &format!("{preset}.{part}"),
            || (),
            |()| {
                assert!(
                    blocks.iter().zip(&packed).all(|(logs, packed)| check(logs, packed)),
                    "{preset}: {part} fails"
                );
                actions
            },
        );
    }
}

fn main() {
    let Some(mut bench) = Bench::new("archive") else { return };
    for preset in PresetId::all().map(PresetId::name) {
        let Some(rules) = Rules::preset(preset).map(Arc::new) else { continue };
        let of_players = |name: &str| SIZES.map(|part| format!("{preset}.{name}.{part}"));
        let ids = TIMES.map(|part| format!("{preset}.{part}")).into_iter();
        let ids: Vec<String> = ids.chain(PLAYERS.iter().flat_map(|(name, _)| of_players(name))).collect();
        if !bench.wants(&ids.iter().map(String::as_str).collect::<Vec<_>>()) {
            continue;
        }
        for (name, is_mixed) in PLAYERS {
            let played = (0..bench.games(GAMES)).map(|number| players::play(&rules, number, is_mixed));
            let (logs, bits): (Vec<_>, Vec<f64>) = played.unzip();
            sizes(&mut bench, &format!("{preset}.{name}"), &logs, bits.iter().sum());
            if !is_mixed {
                times(&mut bench, preset, &logs);
            }
        }
    }
    bench.finish();
}
