//! Whole games as they were written once: every log of `data/logs/v2` still re-executes to its own end.
//!
//! These files stay as they are, and are never written again: the log format is frozen (CHANGELOG.md). A rule that has to
//! be read in another way becomes a new value of a knob. They are games of version 1 with the fields that version 2 adds
//! left empty (`tests/interop/convert_v1.py`). The twenty games of a new preset are made by
//!
//! ```text
//! canasta-replay simulate --ruleset PRESET --games 20 --seed 1 --out tests/data/logs/v2/PRESET
//! ```
//!
//! once its state, its digests and the events of its mechanisms have settled.

use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::finding::Verdict;
use canasta_engine::rules::{PresetId, Rules};
use canasta_tests::data;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The least number of games of a preset.
const GAMES: usize = 20;

fn folder() -> PathBuf {
    data("logs/v2")
}

/// Names in a folder, in order.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name")).collect()
}

#[test]
fn every_golden_log_replays_to_its_end() {
    for preset in names(&folder()) {
        let folder = folder().join(&preset);
        let games = names(&folder);
        assert!(games.len() >= GAMES, "{preset}: {} games", games.len());
        let mut actions = 0;
        for game in games {
            let report = audit(&fs::read(folder.join(&game)).expect("a log"), Expect::default());
            assert_eq!(report.findings, [], "{preset}/{game}");
            assert_eq!(report.verdict, Verdict::Clean, "{preset}/{game}");
            assert!(report.result.is_some(), "{preset}/{game} has a winner or a draw");
            let genesis = report.genesis.expect("a log begins with its genesis");
            assert_eq!(genesis.rule_set_id, preset, "{game}");
            actions += report.actions;
        }
        println!("{preset}: {actions} actions");
    }
}

#[test]
fn every_preset_that_is_played_has_golden_logs() {
    let there = names(&folder());
    for preset in PresetId::all().filter(|preset| Rules::preset(preset.name()).is_some()) {
        assert!(there.contains(preset.name()), "{}", preset.name());
    }
}
