//! A tournament whose games are published while they are played.
#![allow(dead_code, reason = "each test takes what it needs")]

use crate::common::{Extras, Ran, command, directory, frames, key, play, short};
use canasta_replay::{Cli, Clock, Exit, Io, run};
use canasta_tournament::files::Directory;
use canasta_tournament::growing::GrowingLog;
use canasta_tournament::leaf::{HeadInProgress, Leaf, Milestone};
use canasta_tournament::note::NoteSigner;
use canasta_tournament::publish::{UnpublishedLeaf, extend};
use canasta_tournament::site::{self, Site};
use clap::Parser;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Any time: 2026-01-31T12:00Z.
pub const START_MS: i64 = 1_769_860_800_000;

/// A tournament: its site, its tables, and the logs as they will be at the end.
pub struct Event {
    pub place: PathBuf,
    pub site: String,
    pub tables: PathBuf,
    pub key: String,
    pub public: String,
    pub logs: Vec<Vec<u8>>,
}

impl Event {
    pub fn new(name: &str, games: u32) -> Self {
        let place = directory(name);
        let (key, public) = key(&place, "open-2026.example", 1);
        let rules = short("classic-4p", 5);
        let logs = (0..games).map(|game| play(&rules, game, Extras::None)).collect();
        let (site, tables) = (place.join("site").to_str().unwrap().to_owned(), place.join("tables"));
        fs::create_dir_all(&tables).unwrap();
        Self { site, tables, key, public, logs, place }
    }

    /// Puts the beginning of a log on its table: whole records, and some bytes of the next.
    pub fn table(&self, game: usize, records: usize) {
        let log = &self.logs[game];
        let ends = frames(log);
        let end = ends.get(records).map_or(log.len(), |end| (end + 5).min(log.len()));
        fs::write(self.tables.join(format!("t{game}.clog")), &log[..end]).unwrap();
    }

    pub fn whole(&self, game: usize) {
        fs::write(self.tables.join(format!("t{game}.clog")), &self.logs[game]).unwrap();
    }

    pub fn publish(&self, at_s: i64, args: &[&str]) -> Ran {
        let args = [&["publish", "--key", &self.key, "-o", &self.site], args].concat();
        ran_at(START_MS + at_s * 1_000, &args)
    }

    pub fn watch(&self, at_s: i64) -> Ran {
        let ran = self.publish(at_s, &["--watch", "--once", self.tables.to_str().unwrap()]);
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
        ran
    }

    /// Checks that a fault is refused without --anyway, which is written down in the tree.
    pub fn anyway(&self, at_s: i64, args: &[&str], kind: &str) {
        let before = fs::read(format!("{}/checkpoint", self.site)).unwrap_or_default();
        let ran = self.publish(at_s, args);
        assert_eq!(ran.exit, Exit::Findings, "{args:?}: {ran:?}");
        assert!(ran.err.contains(&format!("  {kind} in ")), "{args:?}: {ran:?}");
        assert!(ran.err.contains("nothing was published"), "{ran:?}");
        assert_eq!(
            fs::read(format!("{}/checkpoint", self.site)).unwrap_or_default(),
            before,
            "nothing is signed"
        );
        let ran = self.publish(at_s, &[args, &["--anyway"]].concat());
        assert_eq!(ran.exit, Exit::Clean, "{args:?}: {ran:?}");
        let anyway = self.audit(&[]).1["anyway"].clone();
        let last = anyway.as_array().and_then(|anyway| anyway.last().cloned()).expect("it is written down");
        assert!(last["reason"].as_str().unwrap().contains(kind), "{last}");
    }

    /// Returns the kinds of faults of the site, and the report.
    pub fn audit(&self, more: &[&str]) -> (BTreeSet<String>, Value) {
        let args = ["audit-tournament", &self.site, "--key", &self.public, "--format", "json"];
        let ran = command(&[&args, more].concat(), b"");
        let report: Value = serde_json::from_slice(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
        let kinds =
            report["faults"].as_array().unwrap().iter().map(|of| of["kind"].as_str().unwrap().to_owned());
        let kinds: BTreeSet<String> = kinds.collect();
        assert_eq!(ran.exit == Exit::Clean, kinds.is_empty());
        (kinds, report)
    }

    /// Adds leaves as an operator does who has the key and writes what it likes.
    pub fn forge(&self, leaves: Vec<(Milestone, Option<Vec<u8>>)>) {
        let signer = NoteSigner::new("open-2026.example", &[1; 32]).unwrap();
        let mut files = Directory::locked(Path::new(&self.site)).unwrap();
        let site = site::load(&files, &mut Vec::new()).unwrap();
        let site = site.unwrap_or_else(|| Site::new("open-2026.example"));
        let leaf = |(milestone, list)| UnpublishedLeaf::Milestone(Leaf::Milestone(milestone), list);
        let leaves: Vec<_> = leaves.into_iter().map(leaf).collect();
        extend(&mut files, &signer, site, &leaves, &mut |_, _| Vec::new()).unwrap();
    }

    pub fn policy(&self, text: &str) -> String {
        let path = self.place.join("policy.toml");
        fs::write(&path, format!("format = \"canasta-policy/1\"\n{text}\n")).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

/// Runs a command at a time; waiting ends it.
pub fn ran_at(now_ms: i64, args: &[&str]) -> Ran {
    let cli = Cli::try_parse_from(["canasta-replay"].iter().chain(args)).expect("arguments");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut io = Io::new(&b""[..], &mut out, &mut err, false);
    io.clock = Clock { now_ms: Box::new(move || now_ms), wait: Box::new(|_| false) };
    let done = run(&cli.command, &mut io);
    drop(io);
    let mut err = String::from_utf8(err).unwrap();
    let exit = done.unwrap_or_else(|error| {
        err += &canasta_replay::in_words(&error);
        Exit::Failure
    });
    Ran { exit, out, err }
}

pub fn set(kinds: &[&str]) -> BTreeSet<String> {
    kinds.iter().map(|kind| (*kind).to_owned()).collect()
}

pub fn head_of(event: &Event, game: usize) -> HeadInProgress {
    let log = GrowingLog::read(&event.tables.join(format!("t{game}.clog"))).unwrap().expect("a log");
    HeadInProgress { game_id: log.genesis.game_id, records: log.records(), head: log.head() }
}
