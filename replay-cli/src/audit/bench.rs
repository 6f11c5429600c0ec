//! Judging many logs at once.

use super::signed::Signatures;
use super::summary::{Counted, Row};
use super::{Audited, reserve};
use crate::io::Io;
use crate::note::Verifier;
use crate::paths::{self, Failure};
use crate::text::rules_of;
use anyhow::Context;
use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::replay::{Step, Watch};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// How many logs are judged between two hand-overs: bounds what waits for its turn.
const BATCH: usize = 1024;

/// What all logs are judged by, and how what is found is written.
pub struct Bench<'a> {
    pub expect: Expect,
    pub keys: &'a [Verifier],
    pub strict: bool,
    pub render: &'a (dyn Fn(&Audited) -> String + Sync),
}

impl Bench<'_> {
    /// Judges every file, several at once; `take` gets the outcomes in the order of the files.
    pub fn judge_all(
        &self,
        files: &[PathBuf],
        threads: usize,
        io: &mut Io<'_>,
        mut take: impl FnMut(Result<Row, Failure>),
    ) -> anyhow::Result<()> {
        let bar = progress_bar(files, io.progress);
        // Standard input cannot be shared: it is read here, where there is but one thread.
        let stdin = files.iter().find(|file| paths::is_stdin(file));
        let mut stdin = stdin.map(|path| self.judge(path, &mut io.input, &bar));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("threads")?;
        for batch in files.chunks(BATCH) {
            let judge_file = |file: &PathBuf| match File::open(file) {
                _ if paths::is_stdin(file) => None,
                Ok(reader) => Some(self.judge(file, reader, &bar)),
                Err(error) => Some(Err(paths::failure(file, &error))),
            };
            let outcomes: Vec<_> = pool.install(|| batch.par_iter().map(judge_file).collect());
            outcomes.into_iter().filter_map(|outcome| outcome.or_else(|| stdin.take())).for_each(&mut take);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Judges one log; memory is bounded by one round, however long the log.
    fn judge(&self, path: &Path, reader: impl Read, bar: &ProgressBar) -> Result<Row, Failure> {
        let mut tap = |piece: &[u8]| bar.inc(piece.len() as u64);
        let log = self.brief().judge(path, reader, &mut tap, &mut |_| ())?;
        Ok(Row { rendered: (self.render)(&log), counted: Counted::of(&log) })
    }

    fn brief(&self) -> Brief<'_> {
        Brief { expect: self.expect, keys: self.keys, strict: self.strict }
    }
}

/// What one log is judged by.
pub struct Brief<'a> {
    pub expect: Expect,
    pub keys: &'a [Verifier],
    pub strict: bool,
}

impl Brief<'_> {
    /// Judges one log. `tap` gets every piece before it is judged, `watch` is told every step.
    pub fn judge(
        &self,
        path: &Path,
        reader: impl Read,
        tap: &mut dyn FnMut(&[u8]),
        watch: &mut Watch<'_>,
    ) -> Result<Audited, Failure> {
        let mut signatures = match self.keys {
            [_, ..] if !paths::is_stdin(path) => Signatures::beside(path),
            _ => Ok(Signatures::default()),
        }
        .map_err(|error| paths::failure(path, &format!("{error:#}")))?;
        let mut auditor = Auditor::new(Expect { record: signatures.expected(), ..self.expect });
        let mut watch = |step: &Step<'_>| {
            signatures.watch(step, self.keys);
            watch(step);
        };
        paths::feed(reader, |piece| {
            tap(piece);
            auditor.feed_watched(piece, &mut watch)
        })
        .map_err(|error| paths::failure(path, &error))?;
        let mut report = auditor.finish();
        let signed = signatures.close(&mut report, self.keys);
        let reservations = reserve::of(&report, &signatures, !signed.is_empty());
        if self.strict {
            reserve::insist(&mut report, &reservations);
        }
        let books = report.genesis.as_ref().and_then(rules_of).map(|rules| rules.books());
        Ok(Audited { path: path.display().to_string(), report, books, signed, reservations })
    }
}

/// A bar over the bytes of all files.
fn progress_bar(files: &[PathBuf], shown: bool) -> ProgressBar {
    let size = |file: &PathBuf| fs::metadata(file).map_or(0, |metadata| metadata.len());
    let total = if shown { files.iter().map(size).sum() } else { 0 };
    crate::io::progress_bar(total, "{bytes} of {total_bytes}", shown)
}
