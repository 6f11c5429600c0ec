//! A verdict, as the journal and the archive keep it.

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use canasta_engine::log::audit::Report;
use canasta_messages::audit::report;
use canasta_proto::v1::GameVerdict;
use prost::Message;
use serde_json::json;

use crate::archive::{ObjectDigests, ObjectPaths, digest};
use crate::journal::KeptVerdict;

/// The format of the archive's verdicts.
const FORMAT: &str = "canasta-verdict/1";

/// A verdict, as the director sees it.
#[derive(Clone, PartialEq, Debug)]
pub struct ArchivedVerdict {
    pub digests: ObjectDigests,
    pub verdict: GameVerdict,
}

impl ArchivedVerdict {
    /// Reads a verdict that a journal has kept ([`crate::archive::ArchivedGame::kept_verdict`]); `None` if it is none.
    pub fn read(kept: &KeptVerdict) -> Option<Self> {
        let (log, rest) = kept.bytes.split_first_chunk()?;
        let (verdict, rest) = rest.split_first_chunk()?;
        let digests = ObjectDigests { log: *log, verdict: *verdict };
        Some(Self { digests, verdict: GameVerdict::decode(rest).ok()? })
    }
}

/// Returns the verdict that a report means, with everything as the director sees it.
pub fn verdict(report: &Report, log: &[u8], paths: &ObjectPaths, judged_at_ms: i64) -> GameVerdict {
    GameVerdict {
        report: Some(report::write(report, As::Director)),
        judged_at_ms,
        auditor: env!("CARGO_PKG_VERSION").into(),
        log_sha256: digest(log).into(),
        archived_as: paths.log.clone(),
    }
}

/// Returns the verdict for the archive, in JSON. It tells only what follows from the log and from the packed log, so that
/// two auditors write equal bytes; findings are counted, since another audit finds them again.
pub fn to_json(game: GameId, report: &Report, log: &[u8], packed: &[u8; 32]) -> Vec<u8> {
    let fields = json!({
        "format": FORMAT,
        "game_id": hex(&game.0),
        "verdict": report.verdict.name(),
        "deal": report.deal.name(),
        "head": hex(&report.head),
        "records": report.records,
        "bytes": report.bytes,
        "actions": report.actions,
        "refusals": report.refusals,
        "rulings": report.rulings,
        "rounds": report.rounds,
        "totals": report.totals,
        "findings": report.findings.len() as u64 + report.left_off,
        "log_sha256": hex(&digest(log)),
        "packed_sha256": hex(packed),
    });
    format!("{fields}\n").into_bytes()
}
