//! The auditor of finished games: a task of the recorder that judges each log, puts log and verdict into the archive, and
//! drops the entries of games that have been there for long enough.
//!
//! One game at a time, and the work of the processor on a thread of its own, so that play does not wait. Each step may be
//! repeated: whenever the recorder is killed, the game's lease runs out and the next audit finds what is there.

mod judge;
mod purge;
mod whole_log;

use std::sync::Arc;
use std::time::Duration;

use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::archive::ArchiveFault;
use crate::context::RecorderContext;
use crate::journal::{GameLease, Journal, ReadError};
use crate::records::NotLinked;

/// Time after which a lease runs out, in ms.
const LEASE_MS: i64 = 30_000;
/// Time after which a lease in use is extended.
const EXTEND_AFTER: Duration = Duration::from_secs(10);
/// Time between two looks at the queue.
const PAUSE: Duration = Duration::from_millis(250);
/// Time after which a game is audited again whose archive or journal did not answer, in ms.
const AWAY_MS: i64 = 2_000;
/// Time after which a game is audited again after its first failure, in ms; each further time is twice as long.
const FAILED_MS: i64 = 1_000;
/// Time between two sweeps for games without a verdict, in ms.
const SWEEP_MS: i64 = 3_600_000;
/// Number of games that are looked at for a purge before the queue is looked at again.
const PURGED_MAX: usize = 8;

/// A reason why a game has no verdict, or is not purged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum AuditFault {
    /// The journal does not answer, or is damaged.
    #[error(transparent)]
    Journal(#[from] ReadError),
    /// The archive does not answer, or is damaged.
    #[error(transparent)]
    Archive(#[from] ArchiveFault),
    /// The entries are no chain.
    #[error(transparent)]
    NotLinked(#[from] NotLinked),
    /// The log is longer than a packed log may be.
    #[error("the log has {0} bytes, more than can be packed")]
    TooLong(usize),
    /// The verdict of a judged game is missing or damaged.
    #[error("the kept verdict cannot be read")]
    NoVerdict,
    /// The audit panicked: our bug.
    #[error("the audit panicked")]
    Panicked,
}

impl AuditFault {
    /// Whether the fault is not one of the game: it goes away when journal or archive answers again.
    fn is_outside(&self) -> bool {
        matches!(self, Self::Journal(ReadError::Unavailable(_)) | Self::Archive(ArchiveFault::Unavailable(_)))
    }
}

/// Audits until the server drains. Games are purged `keep` after their verdict.
pub async fn run<J: Journal>(
    ctx: Arc<RecorderContext<J>>,
    keep: Duration,
    mut draining: watch::Receiver<bool>,
) {
    tokio::select! {
        _ = draining.wait_for(|draining| *draining) => {}
        never = audit(&ctx, keep) => match never {},
    }
}

async fn audit<J: Journal>(ctx: &RecorderContext<J>, keep: Duration) -> std::convert::Infallible {
    let keep_ms = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
    let (clock, mut sweep_at) = (ctx.service.clock, 0);
    loop {
        if clock() >= sweep_at {
            match ctx.journal.sweep().await {
                Ok(0) => {}
                Ok(found) => tracing::warn!("{found} ended games without a verdict are audited again"),
                Err(error) => tracing::warn!("ended games without a verdict are not looked for: {error}"),
            }
            sweep_at = clock().saturating_add(SWEEP_MS);
        }
        match ctx.journal.lease(clock(), clock() + LEASE_MS).await {
            Ok(Some(lease)) => {
                handle(ctx, lease).await;
                continue;
            }
            Ok(None) => {}
            Err(error) => tracing::warn!("the queue of finished games: {error}"),
        }
        purge_all(ctx, clock().saturating_sub(keep_ms)).await;
        sleep(PAUSE).await;
    }
}

/// Judges a leased game, and keeps its lease while it does.
async fn handle<J: Journal>(ctx: &RecorderContext<J>, mut lease: GameLease) {
    let (game, clock) = (lease.game, ctx.service.clock);
    let mut judging = std::pin::pin!(judge::judge(ctx, game));
    let judged = loop {
        tokio::select! {
            judged = &mut judging => break judged,
            () = sleep(EXTEND_AFTER) => match ctx.journal.extend(lease, clock() + LEASE_MS).await {
                Ok(Some(extended)) => lease = extended,
                // Another auditor has the game, or nobody knows: only one verdict is kept anyway.
                Ok(None) => return,
                Err(_) => {}
            },
        }
    };
    let Err(fault) = judged else { return };
    let id = hex(&game.0);
    let told = if fault.is_outside() {
        tracing::warn!(game = id, "the verdict waits: {fault}");
        ctx.journal.extend(lease, clock() + AWAY_MS).await.map(|_| ())
    } else {
        tracing::error!(game = id, tries = lease.tries + 1, "the audit failed: {fault}");
        ctx.journal.fail(lease, clock() + (FAILED_MS << lease.tries.min(8))).await
    };
    // Otherwise the lease runs out.
    let _ = told;
}

/// Purges some of the games that were judged up to `until_ms`.
async fn purge_all<J: Journal>(ctx: &RecorderContext<J>, until_ms: i64) {
    let Ok(due) = ctx.journal.judged(until_ms, PURGED_MAX).await else { return };
    for game in due {
        match purge::purge(ctx, game).await {
            Ok(()) => tracing::info!(game = hex(&game.0), "stored in the archive only"),
            Err(fault) if fault.is_outside() => {
                tracing::warn!(game = hex(&game.0), "the purge waits: {fault}");
                return;
            }
            Err(fault) => {
                tracing::error!(game = hex(&game.0), "not purged, but audited again: {fault}");
                let _ = ctx.journal.requeue(game).await;
            }
        }
    }
}

/// Runs work on a thread for long work.
async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, AuditFault> {
    spawn_blocking(work).await.map_err(|_| AuditFault::Panicked)
}

/// Logs a verdict that is not clean.
fn tell(game: GameId, verdict: &str) {
    match verdict {
        "CLEAN" | "CLEAN_WITH_RULINGS" => tracing::info!(game = hex(&game.0), verdict, "judged"),
        _ => tracing::error!(game = hex(&game.0), verdict, "judged"),
    }
}
