//! The summary of an audit of many logs.

use super::Audited;
use super::games::{GameOfLog, GameTable, SettledGames};
use super::standings::{Ranking, TeamResult};
use crate::shared::text::hex;
use canasta_engine::log::Record;
use canasta_engine::log::finding::{DealVerdict, Verdict};
use canasta_engine::log::record::Genesis;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;

/// One audited log: its part of the report, and what the summary needs.
pub struct AuditedLog {
    pub rendered: String,
    pub counted: LogSummary,
}

/// The part of one log that the summary needs.
pub struct LogSummary {
    verdict: Verdict,
    deal: DealVerdict,
    pub records: u64,
    pub actions: u64,
    pub has_findings: bool,
    /// Whether the log is a branch, which is no game.
    pub is_branch: bool,
    /// Key of the game in hex, and the [`GameOfLog`] as JSON; `None` if the file is not the log of a game.
    pub game: Option<(String, String)>,
}

/// The counts over all logs, and their games.
pub struct AuditSummary {
    pub counts: AuditCounts,
    games: GameTable,
}

#[derive(Default)]
pub struct AuditCounts {
    pub logs: u64,
    pub records: u64,
    pub actions: u64,
    verdicts: BTreeMap<Verdict, u64>,
    deals: BTreeMap<DealVerdict, u64>,
    /// Number of logs with findings.
    pub failed: u64,
    pub branches: u64,
    /// Number of files that are not logs of a game.
    uncounted: u64,
}

impl AuditedLog {
    /// Returns the size of the log's part of the report and of the summary, in bytes.
    pub fn size(&self) -> usize {
        self.rendered.len() + self.counted.game.as_ref().map_or(0, |(_, game)| game.len())
    }
}

impl LogSummary {
    pub fn of(log: &Audited) -> Self {
        let report = &log.report;
        let has_findings = !report.findings.is_empty();
        let to_json = |game| serde_json::to_string(&game).expect("memory takes everything");
        let game = GameOfLog::of(log).map(|(id, game)| (hex(&id), to_json(game)));
        Self {
            verdict: report.verdict,
            deal: report.deal,
            records: report.records,
            actions: report.actions,
            has_findings,
            is_branch: log.branch().is_some(),
            game,
        }
    }
}

impl GameOfLog {
    /// Returns the game of an audited log, with its key; `None` for a branch, and for what is not the log of a game.
    pub fn of(log: &Audited) -> Option<([u8; 16], Self)> {
        let report = &log.report;
        let genesis = report.genesis.as_ref().filter(|genesis| genesis.fork_of.is_none())?;
        let first = Record::Genesis(Box::new(genesis.clone())).encode().ok()?;
        let game = Self {
            path: log.path.clone(),
            genesis: Sha256::digest(first).into(),
            records: report.records,
            ends: report.ends.clone(),
            has_findings: !report.findings.is_empty(),
            play: log.play,
            entries: TeamResult::of(report, log.rules.as_deref()),
        };
        Some((game_key(genesis), game))
    }
}

/// Returns what tells games apart: the id, and the rule set, because simulations under several rule sets share ids.
pub fn game_key(genesis: &Genesis) -> [u8; 16] {
    let hash = Sha256::new().chain_update(genesis.game_id).chain_update(genesis.rule_set_digest()).finalize();
    *hash.first_chunk().expect("a hash is longer")
}

impl AuditSummary {
    /// Returns the summary of no logs. It takes about `limit` bytes of memory.
    pub fn new(limit: usize) -> Self {
        Self { counts: AuditCounts::default(), games: GameTable::new(limit) }
    }

    pub fn add(&mut self, log: LogSummary) -> io::Result<()> {
        let counts = &mut self.counts;
        counts.logs += 1;
        counts.records += log.records;
        counts.actions += log.actions;
        *counts.verdicts.entry(log.verdict).or_default() += 1;
        *counts.deals.entry(log.deal).or_default() += 1;
        counts.failed += u64::from(log.has_findings);
        counts.branches += u64::from(log.is_branch);
        match log.game {
            Some((id, game)) => self.games.add(counts.logs, &id, &game),
            None => {
                counts.uncounted += 1;
                Ok(())
            }
        }
    }

    /// Returns the counts, and the games with their standings if a ranking is given.
    pub fn settle(self, ranking: Option<Ranking>) -> io::Result<(AuditCounts, SettledGames)> {
        let mut games = self.games.settle(ranking)?;
        games.left_out += self.counts.uncounted;
        Ok((self.counts, games))
    }
}

impl AuditCounts {
    /// Returns the number of logs with this verdict.
    pub fn of(&self, verdict: Verdict) -> u64 {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    /// Returns the number of logs with this verdict on deals.
    pub fn of_deal(&self, deal: DealVerdict) -> u64 {
        self.deals.get(&deal).copied().unwrap_or(0)
    }
}
