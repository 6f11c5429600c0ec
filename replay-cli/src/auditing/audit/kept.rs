//! The options on which the stored result of auditing one log depends.

use super::{Args, AuditFormat};
use crate::shared::text::hex;
use anyhow::Context;
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::promises;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;

/// The version of the program, and of the form in which it keeps the games of logs.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " games/2");

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
    /// The promises of the policy that are not judged, because only a published tree can keep them.
    pub not_judged: Vec<String>,
}

impl AuditOptions {
    /// Returns the options of a run that audits `logs` logs by the promises of a policy.
    ///
    /// # Errors
    /// If the policy cannot be read.
    pub fn of(args: &Args, promises: Option<&TournamentPolicy>, logs: u64) -> anyhow::Result<Self> {
        let read = |path: &PathBuf| fs::read(path).with_context(|| path.display().to_string());
        let policy = args.policy.as_ref().map(read).transpose()?;
        Ok(Self {
            not_judged: promises.map_or(Vec::new(), promises::of_tree),
            version: VERSION.into(),
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
