//! The purge of a judged game: its entries are dropped if the archive still has the same log and verdict.

use canasta_engine::deal::GameId;

use super::whole_log::whole_log;
use super::{AuditFault, AuditorContext, on_thread};
use crate::archive::packed::unpack;
use crate::archive::{ArchivedGame, ObjectPaths, damaged, digest};
use crate::verdict::ArchivedVerdict;

/// Purges a judged game, unless it has a later entry. Returns false if another auditor did meanwhile.
pub async fn purge(ctx: &AuditorContext, game: GameId) -> Result<bool, AuditFault> {
    let purged = try_purge(ctx, game).await;
    // Whatever was found while another auditor dropped the entries, nothing is left to do.
    if matches!(&purged, Err(fault) if !fault.is_outside()) && ctx.journal.last(game).await?.is_none() {
        return Ok(false);
    }
    purged.map(|()| true)
}

async fn try_purge(ctx: &AuditorContext, game: GameId) -> Result<(), AuditFault> {
    let Some(log) = whole_log(ctx, game).await? else { return Err(AuditFault::NoVerdict) };
    let kept = ctx.journal.verdict(game, Some(log.head)).await?.ok_or(AuditFault::NoVerdict)?;
    let kept = ArchivedVerdict::read(&kept).ok_or(AuditFault::NoVerdict)?;
    let (digests, paths) = (kept.digests, ObjectPaths::of(game, &log.head));
    let verdict = ctx.archive.get(&paths.verdict).await?;
    if digest(&verdict) != digests.verdict {
        return Err(damaged(&paths.verdict, "its digest has changed").into());
    }
    let told = ArchivedGame::decode(&ctx.archive.get(&paths.game).await?);
    let wanted = (log.head, digests, kept.verdict);
    if told.is_none_or(|told| (told.head, told.digests, told.verdict) != wanted) {
        return Err(damaged(&paths.game, "it tells of another verdict").into());
    }
    let packed = ctx.archive.get(&paths.log).await?;
    let at = log.at;
    on_thread(move || {
        if digest(&packed) != digests.log {
            return Err(damaged(&paths.log, "its digest has changed"));
        }
        match unpack(&packed) {
            Ok(unpacked) if unpacked == log.bytes => Ok(()),
            Ok(_) => Err(damaged(&paths.log, "it is another log")),
            Err(error) => Err(damaged(&paths.log, error)),
        }
    })
    .await??;
    // An `Arc` has a `drop` of its own.
    (*ctx.journal).drop(game, at).await?;
    Ok(())
}
