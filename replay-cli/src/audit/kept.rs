//! The result of auditing one log in a form that can be stored, and the options on which it depends.

use super::summary::{AuditedLog, DEALS, LogSummary, VERDICTS};
use super::{Args, AuditFormat};
use crate::text::hex;
use anyhow::Context;
use canasta_engine::hex::unhex;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;

/// The options on which the result of one log depends, and the version of the auditor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditOptions {
    version: String,
    pub format: String,
    /// Whether the log is the only one: then the text describes it although it is clean.
    only: bool,
    live: bool,
    strict: bool,
    salvage: bool,
    head: Option<String>,
    keys: Vec<String>,
    /// SHA-256 of the policy.
    policy: Option<String>,
}

/// The result of auditing one log.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptLog {
    verdict: String,
    deal: String,
    records: u64,
    actions: u64,
    has_findings: bool,
    /// Hash of the first record, and the game of the log as JSON.
    game: Option<(String, String)>,
    rendered: String,
}

impl AuditOptions {
    /// Returns the options of a run that audits `logs` logs.
    ///
    /// # Errors
    /// If the policy cannot be read.
    pub fn of(args: &Args, logs: u64) -> anyhow::Result<Self> {
        let read = |path: &PathBuf| fs::read(path).with_context(|| path.display().to_string());
        let policy = args.policy.as_ref().map(read).transpose()?;
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").into(),
            format: name_of(args.format),
            only: logs == 1,
            live: args.live,
            strict: args.strict,
            salvage: args.salvage,
            head: args.head.map(|head| hex(&head)),
            keys: args.key.iter().map(ToString::to_string).collect(),
            policy: policy.map(|policy| hex(&Sha256::digest(policy))),
        })
    }

    /// Whether notes and proofs beside the logs count.
    pub fn has_keys(&self) -> bool {
        !self.keys.is_empty() || self.policy.is_some()
    }
}

/// Returns the name of a format on the command line.
pub fn name_of(format: AuditFormat) -> String {
    format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

impl KeptLog {
    pub fn of(log: &AuditedLog) -> Self {
        let counted = &log.counted;
        let game = counted
            .game
            .as_ref()
            .map(|(identity, game)| (hex(identity), String::from_utf8_lossy(game).into_owned()));
        Self {
            verdict: counted.verdict.name().into(),
            deal: counted.deal.name().into(),
            records: counted.records,
            actions: counted.actions,
            has_findings: counted.has_findings,
            game,
            rendered: log.rendered.clone(),
        }
    }

    /// Returns the result, or `None` if a name or a hash in it is unknown.
    pub fn into_log(self) -> Option<AuditedLog> {
        let game = match self.game {
            None => None,
            Some((identity, game)) => Some((unhex(identity)?, game.into_bytes())),
        };
        let counted = LogSummary {
            verdict: VERDICTS.iter().find(|(verdict, _)| verdict.name() == self.verdict)?.0,
            deal: DEALS.iter().find(|(deal, _)| deal.name() == self.deal)?.0,
            records: self.records,
            actions: self.actions,
            has_findings: self.has_findings,
            game,
        };
        Some(AuditedLog { rendered: self.rendered, counted })
    }
}
