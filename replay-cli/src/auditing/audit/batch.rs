//! Auditing many logs at once.

use super::outside::Outside;
use super::play::PlayDigest;
use super::resume::AuditState;
use super::signed::{Signatures, Vouched};
use super::summary::{AuditedLog, LogSummary};
use super::{Audited, beacons, reserve};
use crate::auditing::verify_deal::DealReading;
use crate::shared::io::Io;
use crate::shared::parallel;
use crate::shared::paths::{self, Failure, LogPaths};
use crate::shared::text::rules_of;
use canasta_engine::log::audit::{Auditor, Expect, PreparedRules};
use canasta_engine::log::record::Record;
use canasta_engine::log::replay::{Place, Step, Watch};
use canasta_tournament::beacon::BeaconChain;
use canasta_tournament::note::NoteVerifier;
use canasta_tournament::promises;
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The settings of an audit of many logs, and how each log is rendered.
pub struct BatchAudit<'a> {
    pub expect: Expect,
    pub demands: Demands<'a>,
    pub render: &'a (dyn Fn(&Audited) -> String + Sync),
    /// The results of earlier runs.
    pub state: Option<&'a AuditState>,
    /// The rule sets of the logs so far.
    pub rules: Mutex<PreparedRules>,
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
        let job = |path: &Path, reader: &mut dyn Read, tap: &mut dyn FnMut(&[u8])| match self
            .state
            .filter(|_| !paths::is_stdin(path))
        {
            Some(state) => self.audit_once(state, path, reader, tap),
            None => self.audit(path, reader, tap),
        };
        parallel::each(logs, threads, io, &job, AuditedLog::size, take)
    }

    fn audit(
        &self,
        path: &Path,
        reader: &mut dyn Read,
        tap: &mut dyn FnMut(&[u8]),
    ) -> Result<AuditedLog, Failure> {
        let prepared = || self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        let rules = prepared().clone();
        let audit = LogAudit { expect: self.expect, demands: self.demands, rules };
        let log = audit.run(path, reader, tap, None)?;
        log.rules.iter().for_each(|rules| prepared().add(rules));
        Ok(AuditedLog { rendered: (self.render)(&log), counted: LogSummary::of(&log) })
    }

    /// Audits a log, unless the state has its result.
    fn audit_once(
        &self,
        state: &AuditState,
        path: &Path,
        reader: &mut dyn Read,
        tap: &mut dyn FnMut(&[u8]),
    ) -> Result<AuditedLog, Failure> {
        let is_counted = state.knows_any();
        if is_counted && let Some(known) = state.find(path, tap) {
            return Ok(known);
        }
        let mut digest = Sha256::new();
        let log = self.audit(path, reader, &mut |piece| {
            digest.update(piece);
            if !is_counted {
                tap(piece);
            }
        })?;
        // An audit stops at a fault, and the digest is that of the whole file.
        let read = paths::feed(reader, |piece| {
            digest.update(piece);
            true
        });
        if read.is_ok() {
            state.keep(path, digest, &log);
        }
        Ok(log)
    }
}

/// The settings of an audit of one log.
#[derive(Default)]
pub struct LogAudit<'a> {
    pub expect: Expect,
    pub demands: Demands<'a>,
    /// Rule sets of other logs.
    pub rules: PreparedRules,
}

/// The knowledge from outside the logs, and whether everything unproven is a finding.
#[derive(Clone, Copy, Default)]
pub struct Demands<'a> {
    pub outside: Outside<'a>,
    pub strict: bool,
    /// The chains of beacons that are known besides quicknet. Without a list only a strict audit verifies beacons.
    pub beacons: Option<&'a [BeaconChain]>,
}

impl LogAudit<'_> {
    /// Audits one log. `tap` gets every chunk before it is audited, `other` gets every record and every step. Without
    /// `other` the audit is faster.
    pub fn run(
        &self,
        path: &Path,
        reader: impl Read,
        tap: &mut dyn FnMut(&[u8]),
        other: Option<&mut dyn Watch>,
    ) -> Result<Audited, Failure> {
        let Demands { outside, strict, beacons } = self.demands;
        let mut signatures = match outside.keys {
            [_, ..] if !paths::is_stdin(path) => Signatures::beside(path),
            _ => Ok(Signatures::default()),
        }
        .map_err(|error| paths::failure(path, &format!("{error:#}")))?;
        let mut deals = beacons::deals(beacons.or_else(|| strict.then_some(&[])));
        let mut play = PlayDigest::default();
        let auditor = Auditor::new(Expect { record: signatures.expected(), ..self.expect });
        let mut auditor = auditor.with_rules(self.rules.clone());
        let reads_records = deals.is_some() || other.is_some();
        let mut watch = AuditWatch {
            signatures: &mut signatures,
            keys: outside.keys,
            play: &mut play,
            deals: deals.as_mut(),
            other,
        };
        paths::feed(reader, |piece| {
            tap(piece);
            match reads_records {
                true => auditor.feed_watched(piece, &mut watch),
                false => auditor.feed_without_actions(piece, &mut watch),
            }
        })
        .map_err(|error| paths::failure(path, &error))?;
        let rules = auditor.rules().cloned();
        let mut report = auditor.finish();
        let mut vouched = signatures.close(&mut report, outside);
        vouched.by_players(&report, outside);
        let mut reservations = reserve::of(&report, &signatures, &vouched, outside);
        if report.origins.beacons > 0 {
            reservations.extend(beacons::close(deals, &mut report));
        }
        if let Some(policy) = outside.policy {
            let broken = promises::broken(policy, &report);
            reserve::insist(&mut report, &broken);
        }
        if strict {
            reserve::insist(&mut report, &reservations);
        }
        let Vouched { said: signed, up_to: vouched_up_to } = vouched;
        // Findings alone cite rules, and to read a rule set takes time.
        let cites = report.genesis.as_ref().filter(|_| !report.findings.is_empty());
        let books = cites.and_then(rules_of).map(|rules| rules.books());
        let path = path.display().to_string();
        let play = play.finish();
        Ok(Audited { path, report, rules, books, signed, vouched_up_to, reservations, play })
    }
}

/// The watcher of an audit: of its own parts, of which only the deals need records, and another one.
struct AuditWatch<'a, 'b> {
    signatures: &'a mut Signatures,
    keys: &'a [NoteVerifier],
    play: &'a mut PlayDigest,
    deals: Option<&'a mut DealReading>,
    other: Option<&'a mut (dyn Watch + 'b)>,
}

impl Watch for AuditWatch<'_, '_> {
    fn read(&mut self, place: Place, record: &Arc<Record>) {
        if let Some(deals) = &mut self.deals {
            deals.read(record);
        }
        if let Some(other) = &mut self.other {
            other.read(place, record);
        }
    }

    fn step(&mut self, step: &Step<'_>) {
        self.signatures.watch(step, self.keys);
        self.play.watch(step);
        if let Some(other) = &mut self.other {
            other.step(step);
        }
    }
}
