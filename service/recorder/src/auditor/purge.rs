//! The purge of a judged game: its entries are dropped if the archive still has the same log and verdict.

use canasta_engine::deal::GameId;

use super::whole_log::whole_log;
use super::{AuditFault, on_thread};
use crate::archive::packed::unpack;
use crate::archive::{ObjectPaths, damaged};
use crate::context::RecorderContext;
use crate::journal::Journal;
use crate::verdict::{ArchivedVerdict, digest};

/// Purges a judged game, unless it has a later entry.
pub async fn purge<J: Journal>(ctx: &RecorderContext<J>, game: GameId) -> Result<(), AuditFault> {
    let Some(log) = whole_log(ctx, game).await? else { return Err(AuditFault::NoVerdict) };
    let kept = ctx.journal.verdict(game, Some(log.head)).await?.ok_or(AuditFault::NoVerdict)?;
    let digests = ArchivedVerdict::read(&kept).ok_or(AuditFault::NoVerdict)?.digests;
    let paths = ObjectPaths::of(game, &log.head);
    let verdict = ctx.folder.archive().get(&paths.verdict).await?;
    if digest(&verdict) != digests.verdict {
        return Err(damaged(&paths.verdict, "its digest has changed").into());
    }
    let packed = ctx.folder.archive().get(&paths.log).await?;
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
    ctx.journal.drop(game, at).await?;
    Ok(())
}
