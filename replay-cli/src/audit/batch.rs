//! Auditing many logs at once.

use super::signed::Signatures;
use super::summary::{AuditedLog, LogSummary};
use super::{Audited, reserve};
use crate::io::Io;
use crate::parallel;
use crate::paths::{self, Failure, LogPaths};
use crate::text::rules_of;
use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::replay::{Step, Watch};
use canasta_tournament::note::NoteVerifier;
use std::io::Read;
use std::path::Path;

/// The settings of an audit of many logs, and how each log is rendered.
pub struct BatchAudit<'a> {
    pub expect: Expect,
    pub keys: &'a [NoteVerifier],
    pub strict: bool,
    pub render: &'a (dyn Fn(&Audited) -> String + Sync),
}

impl BatchAudit<'_> {
    /// Audits every log, several at once, and passes the results to `take` in the order of the logs.
    pub fn audit_all(
        &self,
        logs: &mut LogPaths,
        threads: usize,
        io: &mut Io<'_>,
        take: impl FnMut(&mut Io<'_>, Result<AuditedLog, Failure>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let job = |path: &Path, reader: &mut dyn Read, tap: &mut dyn FnMut(&[u8])| {
            let log = self.log_audit().run(path, reader, tap, None)?;
            Ok(AuditedLog { rendered: (self.render)(&log), counted: LogSummary::of(&log) })
        };
        parallel::each(logs, threads, io, &job, AuditedLog::size, take)
    }

    fn log_audit(&self) -> LogAudit<'_> {
        LogAudit { expect: self.expect, keys: self.keys, strict: self.strict }
    }
}

/// The settings of an audit of one log.
pub struct LogAudit<'a> {
    pub expect: Expect,
    pub keys: &'a [NoteVerifier],
    pub strict: bool,
}

impl LogAudit<'_> {
    /// Audits one log. `tap` gets every chunk before it is audited, `watch` gets every step. Without `watch` the audit
    /// is faster.
    pub fn run(
        &self,
        path: &Path,
        reader: impl Read,
        tap: &mut dyn FnMut(&[u8]),
        mut watch: Option<&mut Watch<'_>>,
    ) -> Result<Audited, Failure> {
        let mut signatures = match self.keys {
            [_, ..] if !paths::is_stdin(path) => Signatures::beside(path),
            _ => Ok(Signatures::default()),
        }
        .map_err(|error| paths::failure(path, &format!("{error:#}")))?;
        let mut auditor = Auditor::new(Expect { record: signatures.expected(), ..self.expect });
        paths::feed(reader, |piece| {
            tap(piece);
            let mut checkpoints = |step: &Step<'_>| signatures.watch(step, self.keys);
            match &mut watch {
                None => auditor.feed_without_actions(piece, &mut checkpoints),
                Some(watch) => auditor.feed_watched(piece, &mut |step| {
                    checkpoints(step);
                    watch(step);
                }),
            }
        })
        .map_err(|error| paths::failure(path, &error))?;
        let mut report = auditor.finish();
        let signed = signatures.close(&mut report, self.keys);
        let reservations = reserve::of(&report, &signatures, !signed.is_empty());
        if self.strict {
            reserve::insist(&mut report, &reservations);
        }
        // Findings alone cite rules, and to read a rule set takes time.
        let cites = report.genesis.as_ref().filter(|_| !report.findings.is_empty());
        let books = cites.and_then(rules_of).map(|rules| rules.books());
        Ok(Audited { path: path.display().to_string(), report, books, signed, reservations })
    }
}
