//! The games of a tournament: their logs against the tree, and the proofs beside them.

use super::show;
use crate::io::{Io, progress_bar};
use crate::note::Verifier;
use crate::paths;
use crate::tournament::entry::{Entry, has_record, judge};
use crate::tournament::fault::{FAULTS_MAX, Fault, FaultKind};
use crate::tournament::files::Files;
use crate::tournament::proof::{self, Proof};
use crate::tournament::site::{Site, check_signatures};
use anyhow::Context;
use canasta_engine::log::finding::Verdict;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The folder of the logs and their proofs.
const FOLDER: &str = "games";

/// What the games are held against.
pub struct Bench<'a> {
    pub root: &'a Path,
    pub site: &'a Site,
    pub keys: &'a [Verifier],
}

/// What became of a log.
pub struct Judged {
    pub verdict: &'static str,
    pub faults: Vec<Fault>,
}

/// Judges a log and compares it with its entry.
pub fn judge_against(log: &Path, entry: &Entry) -> io::Result<Judged> {
    let path = log.display().to_string();
    let report = judge(log)?;
    let mut faults = Vec::new();
    let fault = |kind, detail: String| {
        let fault = Fault::new(kind, path.as_str(), detail).of_game(entry.game_id);
        Fault { show: show(&path), ..fault }
    };
    match Entry::of(&report, entry.label.clone()) {
        None => faults.push(fault(FaultKind::GameChanged, "the log cannot be read".into())),
        Some(found) => {
            let differing = entry.differing(&found);
            if !differing.is_empty() {
                let detail =
                    format!("the log is not the one in the tree: it differs in {}", differing.join(", "));
                faults.push(fault(FaultKind::GameChanged, detail));
            }
        }
    }
    if !matches!(report.verdict, Verdict::Clean | Verdict::Ruled) {
        let findings = crate::text::count(report.findings.len() as u64, "finding");
        faults.push(fault(FaultKind::Verdict, format!("{}: {findings}", report.verdict.name())));
    }
    Ok(Judged { verdict: report.verdict.name(), faults })
}

impl Bench<'_> {
    /// Whether the tree has a game.
    pub fn has(&self, game_id: &[u8; 16]) -> bool {
        self.site.entries.iter().flatten().any(|entry| entry.game_id == *game_id)
    }

    /// Checks every entry: its log, its proof, and that a game that stands there again goes on. How many games
    /// have which verdict.
    pub fn check_all(
        &self,
        files: &(impl Files + Sync),
        threads: usize,
        io: &Io<'_>,
        faults: &mut Vec<Fault>,
    ) -> anyhow::Result<BTreeMap<&'static str, u64>> {
        let entries: Vec<(u64, &Entry)> = (0..)
            .zip(&self.site.entries)
            .filter_map(|(index, entry)| Some((index, entry.as_ref()?)))
            .collect();
        self.check_twice(&entries, faults)?;
        let bar = progress_bar(entries.len() as u64, "{pos} of {len} logs", io.progress);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("threads")?;
        let check = |&(index, entry): &(u64, &Entry)| {
            let judged = self.check_entry(files, index, entry);
            bar.inc(1);
            judged.with_context(|| entry.place())
        };
        let judged: Vec<anyhow::Result<Judged>> = pool.install(|| entries.par_iter().map(check).collect());
        bar.finish_and_clear();
        let mut verdicts = BTreeMap::new();
        for judged in judged {
            let Judged { verdict, faults: found } = judged?;
            *verdicts.entry(verdict).or_default() += 1;
            faults.extend(found);
        }
        // Where entries are missing nobody can say which log is in none.
        if entries.len() as u64 == self.site.checkpoint.size {
            self.check_unlisted(&entries, faults)?;
        }
        Ok(verdicts)
    }

    /// A game stands in the tree once, or again with more records behind those published before.
    fn check_twice(&self, entries: &[(u64, &Entry)], faults: &mut Vec<Fault>) -> anyhow::Result<()> {
        let mut before: BTreeMap<[u8; 16], (u64, &Entry)> = BTreeMap::new();
        for &(index, entry) in entries {
            let Some((first, earlier)) = before.insert(entry.game_id, (index, entry)) else { continue };
            let log = self.log(entry);
            let goes_on = entry.records > earlier.records
                && match has_record(&log, earlier.records - 1, &earlier.head) {
                    // Without its log nothing is known: that is a fault of its own.
                    Err(error) if error.kind() == ErrorKind::NotFound => true,
                    outcome => outcome.with_context(|| log.display().to_string())?,
                };
            if !goes_on {
                let detail =
                    format!("the game is entry {first} too, under a head that does not lead to this one");
                let fault = Fault::new(FaultKind::GameTwice, log.display().to_string(), detail);
                faults.push(fault.at(index).of_game(entry.game_id));
            }
        }
        Ok(())
    }

    fn log(&self, entry: &Entry) -> std::path::PathBuf {
        self.root.join(format!("{}.{}", entry.place(), paths::EXTENSION))
    }

    fn check_entry(&self, files: &impl Files, index: u64, entry: &Entry) -> io::Result<Judged> {
        let log = self.log(entry);
        let mut judged = match judge_against(&log, entry) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let detail = "the log is missing";
                let fault = Fault::new(FaultKind::GameMissing, log.display().to_string(), detail);
                Judged { verdict: "MISSING", faults: vec![fault.of_game(entry.game_id)] }
            }
            outcome => outcome?,
        };
        judged.faults.iter_mut().for_each(|fault| fault.index = Some(index));
        self.check_proof(files, index, entry, &mut judged.faults)?;
        Ok(judged)
    }

    /// The proof is of this entry, signed, and goes to this tree or an earlier one.
    fn check_proof(
        &self,
        files: &impl Files,
        index: u64,
        entry: &Entry,
        faults: &mut Vec<Fault>,
    ) -> io::Result<()> {
        let path = format!("{}.{}", entry.place(), proof::EXTENSION);
        let fault =
            |detail: String| Fault::new(FaultKind::Proof, &path, detail).at(index).of_game(entry.game_id);
        let Some(bytes) = files.read(&path, proof::BYTES_MAX)? else {
            faults.push(fault("the proof is missing: publish again writes it".into()));
            return Ok(());
        };
        let text = String::from_utf8(bytes).unwrap_or_default();
        match Proof::parse(&text) {
            Err(bad) => faults.push(fault(bad.to_string())),
            Ok((proof, _)) if proof.index != index || proof.leaf != entry.to_bytes() => {
                faults.push(fault(format!("it is the proof of another entry than {index}")));
            }
            Ok((proof, checkpoint)) => {
                // The site's own note is checked once, where it stands.
                if proof.note != self.site.note {
                    check_signatures(&proof.note, self.keys, &path, faults);
                }
                let goes_on = self.site.goes_on_from(&checkpoint, &path);
                faults.extend(goes_on.err().map(|fault| fault.at(index).of_game(entry.game_id)));
            }
        }
        Ok(())
    }

    /// Logs among the published ones that are in no entry.
    fn check_unlisted(&self, entries: &[(u64, &Entry)], faults: &mut Vec<Fault>) -> anyhow::Result<()> {
        let folder = self.root.join(FOLDER);
        let name = |entry: &Entry| self.log(entry).file_name().map(OsString::from);
        let listed: BTreeSet<OsString> = entries.iter().filter_map(|(_, entry)| name(entry)).collect();
        let mut names = match fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            found => found
                .and_then(|found| found.map(|file| Ok(file?.file_name())).collect::<io::Result<Vec<_>>>())
                .with_context(|| folder.display().to_string())?,
        };
        names.retain(|name| Path::new(name).extension().is_some_and(|ending| ending == paths::EXTENSION));
        names.sort();
        for name in names.into_iter().filter(|name| !listed.contains(name)).take(FAULTS_MAX) {
            let detail =
                "this log is not in the tree: an interrupted publish leaves such, else it was put there";
            let path = folder.join(name).display().to_string();
            faults.push(Fault::new(FaultKind::GameUnlisted, path, detail));
        }
        Ok(())
    }

    /// Checks that somebody's own copy of a log is in the tree: the whole of it, and nothing less.
    pub fn check_own(&self, log: &Path, faults: &mut Vec<Fault>) -> io::Result<bool> {
        let path = log.display().to_string();
        let report = judge(log)?;
        let fault =
            |kind, detail: &str| Fault { show: show(&path), ..Fault::new(kind, path.as_str(), detail) };
        let Some(own) = Entry::of(&report, String::new()) else {
            faults.push(fault(FaultKind::GameChanged, "your copy cannot be read"));
            return Ok(false);
        };
        let entries =
            (0..).zip(&self.site.entries).filter_map(|(index, entry)| Some((index, entry.as_ref()?)));
        let Some((index, entry)) = entries.filter(|(_, entry)| entry.game_id == own.game_id).last() else {
            let detail = "your game is not in the tree";
            faults.push(fault(FaultKind::GameMissing, detail).of_game(own.game_id));
            return Ok(false);
        };
        let held = match (entry.records, entry.head) == (own.records, own.head) {
            true => true,
            // A copy made earlier: what is published has its last record.
            false if own.records < entry.records => has_record(&self.log(entry), own.records - 1, &own.head)?,
            false => false,
        };
        if !held {
            let detail = match has_record(log, entry.records - 1, &entry.head)? {
                true => "your copy goes on where the published log ends: records were cut off",
                false => "your copy is not the log that is published",
            };
            faults.push(fault(FaultKind::GameChanged, detail).at(index).of_game(own.game_id));
        }
        Ok(held)
    }
}
