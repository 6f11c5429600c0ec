//! The size and speed of packed logs: `cargo bench -p canasta-engine --bench archive -- [PRESET...]`. See `support` for
//! the options; `--games N` takes N games of each rule set.
//!
//! The logs are games of the engine's bot (`bots`) and of bots that play every tenth move at random (`mixed`). Sizes are
//! in bytes per action; `entropy` is the size of an index among `legal::steps`, if all steps are equally likely.

mod support;

use canasta_engine::action::As;
use canasta_engine::archive::{ARCHIVE_HEADER, ArchiveEntry, Packed, closing, pack, unpack};
use canasta_engine::bot::suggest;
use canasta_engine::deal::simulate;
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::view::view;
use std::sync::Arc;
use support::{Bench, walk};

const GAMES: u32 = 20;
/// One of so many moves of a mixed game is random.
const EVERY: usize = 10;

/// The players, and whether some of their moves are random.
const PLAYERS: [(&str, bool); 2] = [("bots", false), ("mixed", true)];
/// The last words of the ids of times, and of sizes.
const TIMES: [&str; 3] = ["pack", "unpack", "audit"];
const SIZES: [&str; 6] = ["play", "others", "container", "file", "entropy", "log"];

/// Plays a game of bots; in a mixed game some moves are random. Returns its log, and the sum of log2 of the number of
/// legal steps over its positions.
fn play(rules: &Arc<Rules>, number: u32, is_mixed: bool) -> (Vec<u8>, f64) {
    let secret = simulate::game_secret(1, number);
    let bots: Vec<u64> = (0..6).map(|seat| simulate::bot_seed(&secret, Seat(seat))).collect();
    let (mut bits, mut seed) = (0.0, u64::from(number));
    let game = walk::game(rules, number, |game, steps| {
        bits += (steps.actions.len() as f64).log2();
        match game.actor() {
            As::Seat(_) if is_mixed && walk::below(&mut seed, EVERY) == 0 => {
                steps.actions[walk::below(&mut seed, steps.actions.len())].clone()
            }
            actor @ As::Seat(seat) => suggest(&view(game.table(), actor), &steps.actions, bots[seat.index()]),
            _ => steps.actions[0].clone(),
        }
    });
    (game.into_parts().1, bits)
}

/// Returns the size in bytes of the archive that holds these logs.
fn file_size(logs: &[Vec<u8>], packed: &[Packed]) -> u64 {
    let mut offset = ARCHIVE_HEADER.len() as u64;
    let entry = |(number, (log, packed)): (usize, (&Vec<u8>, &Packed))| {
        let entry = ArchiveEntry::new(format!("game-{number:06}.clog"), offset, log, packed);
        offset += packed.body.len() as u64;
        entry
    };
    let entries: Vec<ArchiveEntry> = logs.iter().zip(packed).enumerate().map(entry).collect();
    offset + closing(&entries).len() as u64
}

fn sizes(bench: &mut Bench, name: &str, logs: &[Vec<u8>], bits: f64) {
    let packed: Vec<Packed> = logs.iter().map(|log| pack(log)).collect();
    let actions = packed.iter().map(|packed| packed.content.actions).sum::<u64>() as f64;
    let bodies = packed.iter().map(|packed| packed.body.len() as u64).sum::<u64>();
    let play = packed.iter().map(|packed| packed.content.play).sum::<u64>();
    let file = file_size(logs, &packed);
    let log = logs.iter().map(Vec::len).sum::<usize>() as f64;
    let bytes = [play as f64, (bodies - play) as f64, (file - bodies) as f64, file as f64, bits / 8.0, log];
    for (part, bytes) in SIZES.into_iter().zip(bytes) {
        bench.size(&format!("{name}.{part}"), vec![bytes / actions]);
    }
}

fn times(bench: &mut Bench, preset: &str, logs: &[Vec<u8>]) {
    let packed: Vec<Packed> = logs.iter().map(|log| pack(log)).collect();
    let actions = packed.iter().map(|packed| packed.content.actions).sum::<u64>();
    let is_packed = |log: &Vec<u8>, packed: &Packed| pack(log) == *packed;
    let comes_back =
        |log: &Vec<u8>, packed: &Packed| unpack(&packed.body, &packed.bounds(log)).as_ref() == Ok(log);
    let is_clean = |log: &Vec<u8>, _: &Packed| audit(log, Expect::default()).findings.is_empty();
    let checks: [fn(&Vec<u8>, &Packed) -> bool; 3] = [is_packed, comes_back, is_clean];
    for (part, check) in TIMES.into_iter().zip(checks) {
        bench.time(
            &format!("{preset}.{part}"),
            || (),
            |()| {
                assert!(
                    logs.iter().zip(&packed).all(|(log, packed)| check(log, packed)),
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
            let played = (0..bench.games(GAMES)).map(|number| play(&rules, number, is_mixed));
            let (logs, bits): (Vec<_>, Vec<f64>) = played.unzip();
            sizes(&mut bench, &format!("{preset}.{name}"), &logs, bits.iter().sum());
            if !is_mixed {
                times(&mut bench, preset, &logs);
            }
        }
    }
    bench.finish();
}
