//! The audit's memory does not grow with the log: the tests measure the peak of the memory that the audit holds.

use allocation_counter::measure;
use canasta_engine::action::As;
use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal;
use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::finding::Verdict;
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::table::Phase;
use std::sync::Arc;

/// Returns the log of a game of this many rounds, played at random.
fn log_of(rounds: u8) -> Vec<u8> {
    let base = PresetId::from_name("classic-4p").expect("a preset");
    let mut set = base.rule_set();
    (set.target, set.rounds) = (0, rounds);
    let rules = Rules::house(base, set, Some("long")).expect("a number of rounds is playable");
    let secret = simulate::game_secret(11, 0);
    let new = NewGame::new(Arc::new(rules), simulate::game_id(&secret), NewDeal::Seeded(secret));
    let created = Game::create(new).expect("a game");
    let (mut state, mut log, mut turn) = (created.game, created.frames, 0usize);
    while state.table.phase() != Phase::GameOver {
        let steps = legal::steps(&state.table);
        turn = turn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let action = &steps.actions[(turn >> 33) % steps.actions.len()];
        let actor = state.table.to_act().map_or(As::Table, As::Seat);
        log.extend(state.act(actor, action, Stamp::default()).expect("a step is legal").frames);
    }
    log
}

/// Returns the maximum number of bytes held at once while the log is fed in pieces of 64 KiB.
fn peak(log: &[u8], expect: Expect, verdict: Verdict) -> u64 {
    let mut found = None;
    let held = measure(|| {
        let mut auditor = Auditor::new(expect);
        log.chunks(1 << 16).for_each(|piece| {
            auditor.feed(piece);
        });
        found = Some(auditor.finish().verdict);
    });
    assert_eq!(found, Some(verdict));
    held.bytes_max
}

#[test]
fn ten_times_the_log_is_the_same_memory() {
    let (short, long) = (log_of(9), log_of(90));
    assert!(long.len() > 8 * short.len(), "{} and {} bytes", short.len(), long.len());
    let salvage = Expect { salvage: true, ..Expect::default() };
    for expect in [Expect::default(), salvage] {
        let (of_short, of_long) = (peak(&short, expect, Verdict::Clean), peak(&long, expect, Verdict::Clean));
        // The longest rounds may differ, and so may the 24 bytes per deal that are compared with the game's secret.
        assert!(of_long < 2 * of_short, "{of_short} bytes for the short log, {of_long} for the long one");
        assert!(of_long < 1 << 18, "{of_long} bytes");
    }
}

/// Measures the memory after a fault, also if no frame follows the fault.
#[test]
fn salvage_holds_a_frame_and_a_piece() {
    let log = log_of(30);
    let mut flipped = log.clone();
    flipped[2_000] ^= 1;
    let garbage = [&log[..2_000], &[0xff; 3_000_000]].concat();
    let salvage = Expect { salvage: true, ..Expect::default() };
    for log in [flipped, garbage] {
        let held = peak(&log, salvage, Verdict::Altered);
        assert!(held < 1 << 20, "{held} bytes held");
    }
}
