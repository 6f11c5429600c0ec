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
use canasta_service::Clock;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use crate::archive::{ArchiveFault, GameArchive};
use crate::journal::{GameLease, Journal, ReadError};
use crate::records::NotLinked;

/// Time after which a lease runs out, in ms.
const LEASE_MS: i64 = 30_000;
/// Time after which a lease in use is extended.
const EXTEND_AFTER: Duration = Duration::from_secs(10);
/// Time between two looks at the queue.
const PAUSE: Duration = Duration::from_millis(250);
/// The first pause after a journal or an archive that did not answer; each further one is twice as long.
const AWAY_MIN: Duration = Duration::from_millis(500);
/// The longest of these pauses.
const AWAY_MAX: Duration = Duration::from_secs(20);
/// Time after which a game is audited again after its first failure, in ms; each further time is twice as long.
const FAILED_MS: i64 = 1_000;
/// Time between two sweeps for games without a verdict, in ms.
const SWEEP_MS: i64 = 3_600_000;
/// Number of games that are looked at for a purge before the queue is looked at again.
const PURGED_MAX: usize = 8;

/// Everything that audits depend on. No key is among it.
pub struct AuditorContext<J> {
    /// The journal.
    pub journal: Arc<J>,
    /// The archive.
    pub archive: GameArchive,
    /// The clock, which says when leases run out and games were judged.
    pub clock: Clock,
}

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
        match self {
            Self::Journal(error) => matches!(error, ReadError::Unavailable(_)),
            Self::Archive(fault) => {
                matches!(fault, ArchiveFault::Unavailable(_) | ArchiveFault::Unusable(_))
            }
            _ => false,
        }
    }
}

/// Audits until the server drains. Games are purged `keep` after their verdict.
pub async fn run<J: Journal>(ctx: AuditorContext<J>, keep: Duration, mut draining: watch::Receiver<bool>) {
    tokio::select! {
        _ = draining.wait_for(|draining| *draining) => {}
        never = audit(&ctx, keep) => match never {},
    }
}

async fn audit<J: Journal>(ctx: &AuditorContext<J>, keep: Duration) -> std::convert::Infallible {
    let keep_ms = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
    let (clock, mut sweep_at, mut away) = (ctx.clock, 0, AWAY_MIN);
    loop {
        if clock() >= sweep_at {
            sweep(ctx).await;
            sweep_at = clock().saturating_add(SWEEP_MS);
        }
        let leased = ctx.journal.lease(clock(), clock() + LEASE_MS).await;
        let done = match leased {
            Ok(Some(lease)) => handle(ctx, lease).await.map(|()| true),
            Ok(None) => purge_some(ctx, clock().saturating_sub(keep_ms)).await.map(|()| false),
            Err(error) => Err(error.into()),
        };
        match done {
            Ok(goes_on) => {
                away = AWAY_MIN;
                sleep(if goes_on { Duration::ZERO } else { PAUSE }).await;
            }
            Err(fault) => {
                tracing::warn!("verdicts and purges wait: {fault}");
                sleep(away).await;
                away = (away * 2).min(AWAY_MAX);
            }
        }
    }
}

/// Looks for ended games without a verdict.
async fn sweep<J: Journal>(ctx: &AuditorContext<J>) {
    match ctx.journal.sweep().await {
        Ok(0) => {}
        Ok(found) => tracing::warn!("{found} ended games without a verdict are audited again"),
        Err(error) => tracing::warn!("ended games without a verdict are not looked for: {error}"),
    }
}

/// Judges a leased game, and keeps its lease while it does. A fault of the game is told to the journal.
///
/// # Errors
/// If the journal or the archive does not answer.
async fn handle<J: Journal>(ctx: &AuditorContext<J>, mut lease: GameLease) -> Result<(), AuditFault> {
    let (game, clock) = (lease.game, ctx.clock);
    let mut judging = std::pin::pin!(judge::judge(ctx, game));
    let judged = loop {
        tokio::select! {
            judged = &mut judging => break judged,
            () = sleep(EXTEND_AFTER) => match ctx.journal.extend(lease, clock() + LEASE_MS).await {
                Ok(Some(extended)) => lease = extended,
                // Another auditor has the game, or nobody knows: only one verdict is kept anyway.
                Ok(None) => return Ok(()),
                Err(_) => {}
            },
        }
    };
    let Err(fault) = judged else { return Ok(()) };
    if fault.is_outside() {
        // Other games come first, and the pause decides when this one comes again.
        ctx.journal.extend(lease, clock() + 1).await?;
        return Err(fault);
    }
    tracing::error!(game = hex(&game.0), tries = lease.tries + 1, "the audit failed: {fault}");
    ctx.journal.fail(lease, clock() + (FAILED_MS << lease.tries.min(8))).await?;
    Ok(())
}

/// Purges some of the games that were judged up to `until_ms`. A game whose objects are not those that were written is
/// audited again.
///
/// # Errors
/// If the journal or the archive does not answer.
async fn purge_some<J: Journal>(ctx: &AuditorContext<J>, until_ms: i64) -> Result<(), AuditFault> {
    for game in ctx.journal.judged(until_ms, PURGED_MAX).await? {
        match purge::purge(ctx, game).await {
            Ok(()) => tracing::info!(game = hex(&game.0), "stored in the archive only"),
            Err(fault) if fault.is_outside() => return Err(fault),
            Err(fault) => {
                tracing::error!(game = hex(&game.0), "not purged, but audited again: {fault}");
                ctx.journal.requeue(game).await?;
            }
        }
    }
    Ok(())
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
