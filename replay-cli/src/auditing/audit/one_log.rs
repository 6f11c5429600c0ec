//! Auditing one log.

use super::play::PlayDigest;
use super::signed::{Signatures, Vouched};
use super::{Audited, beacons};
use crate::auditing::verify_deal::DealReading;
use crate::shared::paths::{self, Failure};
use crate::shared::text::rules_of;
use canasta_engine::log::audit::{Auditor, Expect, PreparedRules};
use canasta_engine::log::record::Record;
use canasta_engine::log::replay::{Place, Step, Watch};
use canasta_tournament::beacon::BeaconChain;
use canasta_tournament::note::NoteVerifier;
use canasta_tournament::promises;
use canasta_tournament::reserve::{self, Outside};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

#[derive(Default)]
pub struct LogAudit<'a> {
    pub expect: Expect,
    pub demands: Demands<'a>,
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
        let mut reservations = reserve::of(&report, signatures.unread(), vouched.up_to, outside);
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
