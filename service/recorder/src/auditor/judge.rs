//! The judgement of a game: audit, pack, put, read back, keep the verdict.

use canasta_engine::deal::GameId;
use canasta_engine::log::audit::{Auditor, Expect};
use canasta_proto::v1::{GameStatus, GameSummary, GameVerdict};

use super::whole_log::{WholeLog, whole_log};
use super::{AuditFault, AuditorContext, on_thread, tell};
use crate::archive::packed::{pack, unpack};
use crate::archive::{ArchivedGame, ObjectDigests, ObjectPaths, damaged, digest};
use crate::journal::KeptVerdict;
use crate::verdict::{self, ArchivedVerdict};

/// Judges the log of a game. Returns the name of the verdict. A game that goes on after all is left alone: `None`.
///
/// Of several judges of one log, the one wins whose object is the first that tells of the game: the others keep its
/// verdict.
pub async fn judge(ctx: &AuditorContext, game: GameId) -> Result<Option<&'static str>, AuditFault> {
    let log = whole_log(ctx, game).await?;
    let is_over = |log: &WholeLog| log.summary.status() == GameStatus::Finished;
    let Some(log) = log.filter(is_over) else { return Ok(None) };
    let summary = GameSummary { status: GameStatus::Archived.into(), ..log.summary.clone() };
    let (head, tables) = (log.head, log.tables.clone());
    let paths = ObjectPaths::of(game, &head);
    let (log, report, packed) = on_thread(move || {
        // As AuditService does; it must end with the head of the last entry.
        let mut auditor = Auditor::new(Expect { head: Some(log.head), ..Expect::default() });
        auditor.feed(&log.bytes);
        let report = auditor.finish();
        let packed = pack(game, &log.bytes);
        (log.bytes, report, packed)
    })
    .await?;
    let stored = ctx.archive.put(&paths.log, &packed).await?;
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
    let stored = ctx.archive.put(&paths.verdict, &json).await?;
    if digest(&stored) != digest(&json) {
        return Err(damaged(&paths.verdict, "it is another verdict").into());
    }
    let digests = ObjectDigests { log: packed_sha256, verdict: digest(&json) };
    let now_ms = (ctx.clock)();
    let verdict = match kept(ctx, game, head, digests).await? {
        Some(verdict) => verdict,
        None => verdict::verdict(&report, &log, &paths, now_ms),
    };
    let archived = ArchivedGame { game, head, summary, digests, verdict, tables };
    ctx.archive.put_label(&archived).await?;
    let stored = ctx.archive.put(&paths.game, &archived.encode()).await?;
    let stored = ArchivedGame::decode(&stored).filter(|stored| is_same(stored, &archived));
    let stored = stored.ok_or_else(|| damaged(&paths.game, "it tells of another log"))?;
    let kept = KeptVerdict { head, bytes: stored.kept_verdict() };
    if ctx.journal.done(game, &kept, now_ms).await? {
        tell(game, report.verdict.name());
    }
    Ok(Some(report.verdict.name()))
}

/// Returns the verdict on this log that the journal keeps, if it is of the same objects: the archive may have lost what
/// tells of the game, or may be older than that object.
async fn kept(
    ctx: &AuditorContext,
    game: GameId,
    head: [u8; 32],
    digests: ObjectDigests,
) -> Result<Option<GameVerdict>, AuditFault> {
    let kept = ctx.journal.verdict(game, Some(head)).await?.and_then(|kept| ArchivedVerdict::read(&kept));
    Ok(kept.filter(|kept| kept.digests == digests).map(|kept| kept.verdict))
}

/// Whether two objects tell of one log. Time and report of the verdict may differ: rivals judge at different times, and
/// auditors of later versions report more.
fn is_same(one: &ArchivedGame, other: &ArchivedGame) -> bool {
    (one.game, one.head, one.n(), one.digests) == (other.game, other.head, other.n(), other.digests)
}
