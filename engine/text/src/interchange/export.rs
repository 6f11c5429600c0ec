//! Encodes records as lines.

use super::coder::Json;
use super::{Counters, Derived};
use alloc::string::{String, ToString};
use canasta_log::record::Record;
use serde_json::Value;
use thiserror::Error;

/// An encoder of one log, line by line, in order.
#[derive(Debug, Default)]
pub struct Exporter(Counters);

/// The reason why a record has no line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ExportError {
    /// The rule set is not JSON, or not in the one form that gives the same bytes again.
    #[error("the rule set is not canonical JSON")]
    RuleSet,
    /// The sum of the claimed times exceeds 64 bits.
    #[error("the times add up to more than 2^64 ms")]
    Time,
}

impl Exporter {
    /// Returns an exporter before the first record.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the line of the next record, without its line feed. What `derived` holds is written if the
    /// form has a place for it; `seq`, `round`, times and totals are counted here.
    ///
    /// # Errors
    /// See [`ExportError`]; both errors are possible for records that were read from a log.
    pub fn line(&mut self, record: &Record, derived: &Derived) -> Result<String, ExportError> {
        if let Record::Genesis(genesis) = record {
            check_knobs(&genesis.rule_set)?;
        }
        self.0.at_ms.checked_add(record.elapsed_ms().unwrap_or(0)).ok_or(ExportError::Time)?;
        let line = Json::write(derived.position.as_deref(), |f| {
            f.put("kind", if let Record::Genesis(_) = record { "game" } else { record.name() });
            self.0.line(f, &mut record.clone(), &mut derived.clone())
        });
        Ok(line.to_string())
    }
}

/// Checks that the rule set is JSON which prints as the same bytes again.
fn check_knobs(rule_set: &[u8]) -> Result<(), ExportError> {
    let value: Value = serde_json::from_slice(rule_set).map_err(|_| ExportError::RuleSet)?;
    let is_same = value.is_object() && value.to_string().as_bytes() == rule_set;
    if is_same { Ok(()) } else { Err(ExportError::RuleSet) }
}
