//! The summary of an audit of many logs.

use super::Audited;
use super::standings::{Ranking, TeamResult, TeamStanding, rank};
use canasta_engine::log::Head;
use canasta_engine::log::Record;
use canasta_engine::log::finding::{DealVerdict, Verdict};
use canasta_engine::log::record::Genesis;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

/// All verdicts, best first, with their names in a summary.
pub const VERDICTS: [(Verdict, &str); 8] = [
    (Verdict::Clean, "clean"),
    (Verdict::Ruled, "clean with rulings"),
    (Verdict::Conditional, "conditional"),
    (Verdict::Altered, "altered"),
    (Verdict::Illegal, "illegal"),
    (Verdict::Incomplete, "incomplete"),
    (Verdict::UnsupportedVersion, "unsupported version"),
    (Verdict::NotALog, "not a log"),
];

/// All verdicts on deals, best first, with their names in a summary.
pub const DEALS: [(DealVerdict, &str); 3] = [
    (DealVerdict::AsCommitted, "as committed"),
    (DealVerdict::NotChecked, "not checked"),
    (DealVerdict::Failed, "failed"),
];

/// One audited log: its part of the report, and what the summary needs.
pub struct AuditedLog {
    pub rendered: String,
    pub counted: LogSummary,
}

impl LogRelation {
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Partial => "partial",
            Self::Forked => "forked",
        }
    }
}

/// The part of one log that the summary needs.
pub struct LogSummary {
    path: String,
    verdict: Verdict,
    deal: DealVerdict,
    records: u64,
    actions: u64,
    has_findings: bool,
    /// Hash of the first record.
    game: Option<[u8; 32]>,
    /// Head of the record that ended the game.
    end: Option<Head>,
    /// Results of the sides or seats, if the game counts.
    entries: Vec<TeamResult>,
}

/// Two logs of one game.
pub struct Twice {
    pub first: String,
    pub second: String,
    pub relation: LogRelation,
}

/// The relation between two logs of one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogRelation {
    /// Both logs end the game in the same way.
    Same,
    /// One of the logs has not ended, or is damaged.
    Partial,
    /// Both logs are clean, and they differ.
    Forked,
}

/// The counts over all logs.
#[derive(Default)]
pub struct AuditSummary {
    pub logs: u64,
    pub records: u64,
    pub actions: u64,
    pub twice: Vec<Twice>,
    verdicts: BTreeMap<Verdict, u64>,
    deals: BTreeMap<DealVerdict, u64>,
    /// Number of logs with findings.
    pub failed: u64,
    games: BTreeMap<[u8; 32], CountedGame>,
    /// Number of files that are not logs of a game.
    uncounted: u64,
}

struct CountedGame {
    path: String,
    end: Option<Head>,
    has_findings: bool,
    entries: Vec<TeamResult>,
    /// Whether another log of the game differs: then neither log counts.
    contested: bool,
}

impl LogSummary {
    pub fn of(log: &Audited) -> Self {
        let report = &log.report;
        Self {
            path: log.path.clone(),
            verdict: report.verdict,
            deal: report.deal,
            records: report.records,
            actions: report.actions,
            has_findings: !report.findings.is_empty(),
            game: report.genesis.as_ref().and_then(genesis_hash),
            end: report.end_head,
            entries: TeamResult::of(report),
        }
    }
}

/// Returns the hash that tells games apart. An id is not enough: simulations under several rule sets share
/// ids.
pub fn genesis_hash(genesis: &Genesis) -> Option<[u8; 32]> {
    let payload = Record::Genesis(Box::new(genesis.clone())).encode().ok()?;
    Some(Sha256::digest(payload).into())
}

impl AuditSummary {
    pub fn add(&mut self, log: LogSummary) {
        self.logs += 1;
        self.records += log.records;
        self.actions += log.actions;
        *self.verdicts.entry(log.verdict).or_default() += 1;
        *self.deals.entry(log.deal).or_default() += 1;
        self.failed += u64::from(log.has_findings);
        let Some(id) = log.game else {
            self.uncounted += 1;
            return;
        };
        let LogSummary { path, end, has_findings, entries, .. } = log;
        let game = CountedGame { path, end, has_findings, entries, contested: false };
        match self.games.entry(id) {
            Slot::Vacant(slot) => {
                slot.insert(game);
            }
            Slot::Occupied(mut slot) => {
                let first = slot.get_mut();
                let relation = first.relation(&game);
                first.contested |= relation == LogRelation::Forked;
                let (first_path, second) = (first.path.clone(), game.path.clone());
                self.twice.push(Twice { first: first_path, second, relation });
                if first.entries.is_empty() && !first.contested {
                    *first = game;
                }
            }
        }
    }

    /// Returns the number of logs with this verdict.
    pub fn of(&self, verdict: Verdict) -> u64 {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    /// Returns the number of logs with this verdict on deals.
    pub fn of_deal(&self, deal: DealVerdict) -> u64 {
        self.deals.get(&deal).copied().unwrap_or(0)
    }

    /// Returns whether a log has findings, or two logs of one game differ.
    pub fn has_findings(&self) -> bool {
        self.failed > 0 || self.forks().next().is_some()
    }

    /// Returns the standings over all games that count, best team first.
    pub fn standings(&self, ranking: Ranking) -> Vec<TeamStanding> {
        let counted = self.games.values().filter(|game| !game.contested);
        rank(counted.flat_map(|game| &game.entries), ranking)
    }

    /// Returns the number of logs, and of files that are not logs, that the standings leave out.
    pub fn left_out(&self) -> u64 {
        let out = |game: &&CountedGame| game.contested || game.entries.is_empty();
        self.uncounted + self.games.values().filter(out).count() as u64
    }

    /// Returns the pairs of clean logs of one game that differ.
    pub fn forks(&self) -> impl Iterator<Item = &Twice> {
        self.twice.iter().filter(|twice| twice.relation == LogRelation::Forked)
    }
}

impl CountedGame {
    fn relation(&self, other: &Self) -> LogRelation {
        if self.end.is_none() || other.end.is_none() || self.has_findings || other.has_findings {
            LogRelation::Partial
        } else if (self.end, &self.entries) == (other.end, &other.entries) {
            LogRelation::Same
        } else {
            LogRelation::Forked
        }
    }
}
