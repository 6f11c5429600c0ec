//! The auditor's metric instruments. docs/RECORDING.md lists them; deploy/ uses their names. They tell nothing of a game.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter};

use crate::metrics::{counter, seconds};

/// Bounds of the buckets of judgements, in seconds.
const SECONDS: [f64; 9] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

pub struct AuditMetrics {
    judged: Histogram<f64>,
    failed: Counter<u64>,
    purged: Counter<u64>,
}

impl AuditMetrics {
    /// Returns the instruments of a meter.
    pub fn new(meter: &Meter) -> Self {
        let counter = |name, what| counter(meter, name, "{game}", what);
        let took = "From the lease of a game to its verdict, by verdict";
        let failed = "Audits that failed by a fault of the game or its objects";
        Self {
            judged: seconds(meter, "canasta.audit.duration", took, &SECONDS),
            failed: counter("canasta.audit.failed", failed),
            purged: counter("canasta.audit.purged", "Games whose entries were dropped"),
        }
    }

    /// Records a judgement; `None` stands for a game that went on after all.
    pub fn judged(&self, verdict: Option<&'static str>, took: Duration) {
        if let Some(verdict) = verdict {
            self.judged.record(took.as_secs_f64(), &[KeyValue::new("verdict", verdict)]);
        }
    }

    pub fn failed(&self) {
        self.failed.add(1, &[]);
    }

    /// Counts a game that was purged.
    pub fn purged(&self) {
        self.purged.add(1, &[]);
    }
}
