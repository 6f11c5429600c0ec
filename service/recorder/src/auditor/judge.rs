//! The judgement of a game: audit, pack, put, read back, keep the verdict.

use canasta_engine::deal::GameId;
use canasta_engine::log::audit::{Auditor, Expect, Report};

use super::whole_log::{WholeLog, whole_log};
use super::{AuditFault, on_thread, tell};
use crate::archive::packed::{pack, unpack};
use crate::archive::{ObjectPaths, damaged};
use crate::context::RecorderContext;
use crate::journal::Journal;
use crate::verdict::{self, ArchivedVerdict, ObjectDigests, digest};

/// Judges the log of a game. A game that goes on after all is left alone.
pub async fn judge<J: Journal>(ctx: &RecorderContext<J>, game: GameId) -> Result<(), AuditFault> {
    let Some(log) = whole_log(ctx, game).await?.filter(|log| log.is_over) else { return Ok(()) };
    let head = log.head;
    let paths = ObjectPaths::of(game, &head);
    let (log, report, packed) = on_thread(move || {
        let report = audit(&log);
        let packed = pack(game, &log.bytes);
        (log.bytes, report, packed)
    })
    .await?;
    let stored = ctx.folder.archive().put(&paths.log, &packed).await?;
    let (packed_sha256, log) = {
        let path = paths.log.clone();
        on_thread(move || {
            // A packer of another version may have written other bytes for the same log.
            let is_same = digest(&stored) == digest(&packed) || unpack(&stored).as_ref() == Ok(&log);
            if is_same { Ok((digest(&stored), log)) } else { Err(damaged(&path, "it is another log")) }
        })
        .await??
    };
    let json = verdict::to_json(game, &report, &log, &packed_sha256);
    let stored = ctx.folder.archive().put(&paths.verdict, &json).await?;
    if digest(&stored) != digest(&json) {
        return Err(damaged(&paths.verdict, "it is another verdict").into());
    }
    let now_ms = (ctx.service.clock)();
    let archived = ArchivedVerdict {
        digests: ObjectDigests { log: packed_sha256, verdict: digest(&json) },
        verdict: verdict::verdict(&report, &log, &paths, now_ms),
    };
    if ctx.journal.done(game, &archived.keep(head), now_ms).await? {
        tell(game, report.verdict.name());
    }
    Ok(())
}

/// Audits a log as AuditService does, and expects it to end with the head of the last entry.
fn audit(log: &WholeLog) -> Report {
    let mut auditor = Auditor::new(Expect { head: Some(log.head), ..Expect::default() });
    auditor.feed(&log.bytes);
    auditor.finish()
}
