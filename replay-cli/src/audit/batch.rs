//! Auditing many logs at once.

use super::beacons::BeaconReading;
use super::reserve::Outside;
use super::signed::{Signatures, Vouched};
use super::summary::{AuditedLog, LogSummary};
use super::{Audited, reserve};
use crate::io::Io;
use crate::parallel;
use crate::paths::{self, Failure, LogPaths};
use crate::text::rules_of;
use canasta_engine::log::audit::{Auditor, Expect};
use canasta_engine::log::replay::{Step, Watch};
use canasta_tournament::promises;
use std::io::Read;
use std::path::Path;

/// The settings of an audit of many logs, and how each log is rendered.
pub struct BatchAudit<'a> {
    pub expect: Expect,
    pub demands: Demands<'a>,
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
        LogAudit { expect: self.expect, demands: self.demands }
    }
}

/// The settings of an audit of one log.
pub struct LogAudit<'a> {
    pub expect: Expect,
    pub demands: Demands<'a>,
}

/// The knowledge from outside the logs, and whether everything unproven is a finding.
#[derive(Clone, Copy, Default)]
pub struct Demands<'a> {
    pub outside: Outside<'a>,
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
        let Demands { outside, strict } = self.demands;
        let mut signatures = match outside.keys {
            [_, ..] if !paths::is_stdin(path) => Signatures::beside(path),
            _ => Ok(Signatures::default()),
        }
        .map_err(|error| paths::failure(path, &format!("{error:#}")))?;
        let mut beacons = BeaconReading::new(strict);
        let mut auditor = Auditor::new(Expect { record: signatures.expected(), ..self.expect });
        paths::feed(reader, |piece| {
            tap(piece);
            beacons.feed(piece);
            let mut checkpoints = |step: &Step<'_>| signatures.watch(step, outside.keys);
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
        let mut vouched = signatures.close(&mut report, outside.keys);
        vouched.by_players(&report, outside);
        let mut reservations = reserve::of(&report, &signatures, &vouched, outside);
        if report.origins.beacons > 0 {
            reservations.extend(beacons.close(&mut report));
        }
        if let Some(policy) = outside.policy {
            let broken = promises::broken(policy, &report, vouched.up_to);
            reserve::insist(&mut report, &broken);
        }
        if strict {
            reserve::insist(&mut report, &reservations);
        }
        let Vouched { said: signed, up_to: vouched_up_to } = vouched;
        // Findings alone cite rules, and to read a rule set takes time.
        let cites = report.genesis.as_ref().filter(|_| !report.findings.is_empty());
        let books = cites.and_then(rules_of).map(|rules| rules.books());
        Ok(Audited { path: path.display().to_string(), report, books, signed, vouched_up_to, reservations })
    }
}
