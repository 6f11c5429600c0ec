//! The auditor of finished games: it judges each log, puts log and verdict into the archive, and drops the entries of games
//! that have been there for long enough. It is a task of the recorder, or the program `canasta-auditor`.
//!
//! Each worker judges one game at a time, with the work of the processor on a thread of its own, so that play does not wait.
//! Each step may be repeated: whenever the program is killed, the game's lease runs out and the next audit finds what is
//! there.

pub mod fetch;
mod judge;
pub mod metrics;
pub mod program;
mod purge;
pub mod settings;
mod whole_log;

pub use judge::judge;

use std::sync::Arc;
use std::time::Duration;

use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use canasta_serve::outside::Clock;
use tokio::sync::watch;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::sleep;

use crate::archive::{ArchiveFault, GameArchive};
use crate::journal::{GameLease, Journal, ReadError};
use crate::records::NotLinked;
use metrics::AuditMetrics;

/// Time after which a lease runs out, in ms.
const LEASE_MS: i64 = 30_000;
/// Time after which a lease in use is extended.
const EXTEND_AFTER: Duration = Duration::from_secs(10);
/// Time between two looks at the queue.
const PAUSE: Duration = Duration::from_millis(250);
/// Time between two looks for games that may be purged.
const PURGE_PAUSE: Duration = Duration::from_secs(1);
/// The first pause after a journal or an archive that did not answer; each further one is twice as long.
const AWAY_MIN: Duration = Duration::from_millis(500);
/// The longest of these pauses.
const AWAY_MAX: Duration = Duration::from_secs(20);
/// Time after which a game is audited again after its first failure, in ms; each further time is twice as long.
const FAILED_MS: i64 = 1_000;
/// Time between two sweeps for games without a verdict, in ms.
const SWEEP_MS: i64 = 3_600_000;
/// Number of games that are looked at for a purge at a time.
const PURGED_MAX: usize = 8;
/// Maximum time for the games at hand once the program drains. After that their leases are given back.
const DRAIN_LIMIT: Duration = Duration::from_secs(10);

/// Everything that audits depend on. No key is among it.
pub struct AuditorContext {
    pub journal: Arc<dyn Journal>,
    pub archive: GameArchive,
    /// The clock, which says when leases run out and games were judged.
    pub clock: Clock,
    pub metrics: AuditMetrics,
}

/// The extent of an auditor's work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuditorWork {
    /// Number of games that are judged at a time.
    pub workers: usize,
    /// Time from a game's verdict to its purge.
    pub keep: Duration,
}

/// A reason why a game has no verdict, or is not purged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AuditFault {
    /// The journal does not answer, or is damaged.
    #[error(transparent)]
    Journal(#[from] ReadError),
    /// The archive does not answer, or is damaged.
    #[error(transparent)]
    Archive(#[from] ArchiveFault),
    /// The entries are no chain.
    #[error(transparent)]
    NotLinked(#[from] NotLinked),
    #[error("the log has {0} bytes, more than can be packed")]
    TooLong(usize),
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

/// Audits and purges until the program drains; then the games at hand are judged to the end, or given back.
pub async fn run(ctx: AuditorContext, work: AuditorWork, draining: watch::Receiver<bool>) {
    let (ctx, mut tasks) = (Arc::new(ctx), JoinSet::new());
    for _ in 0..work.workers {
        tasks.spawn(judge_games(Arc::clone(&ctx), draining.clone()));
    }
    tasks.spawn(purge_games(ctx, work.keep, draining));
    while tasks.join_next().await.is_some() {}
}

/// Judges the games that wait, one after the other.
async fn judge_games(ctx: Arc<AuditorContext>, draining: watch::Receiver<bool>) {
    let mut away = AWAY_MIN;
    while !*draining.borrow() {
        let judged = judge_next(&ctx, draining.clone()).await;
        let done = judged.map(|judged| if judged { Duration::ZERO } else { PAUSE });
        rest(done, "verdicts", &mut away, &draining).await;
    }
}

/// Judges a game that waits. Returns false if none waits.
///
/// # Errors
/// If the journal or the archive does not answer.
pub async fn judge_next(ctx: &AuditorContext, draining: watch::Receiver<bool>) -> Result<bool, AuditFault> {
    let now_ms = (ctx.clock)();
    let Some(lease) = ctx.journal.lease(now_ms, now_ms + LEASE_MS).await? else { return Ok(false) };
    handle(ctx, lease, draining).await?;
    Ok(true)
}

/// Purges the games whose time has come, and looks every hour for games that never got into the queue.
async fn purge_games(ctx: Arc<AuditorContext>, keep: Duration, draining: watch::Receiver<bool>) {
    let keep_ms = i64::try_from(keep.as_millis()).unwrap_or(i64::MAX);
    let (clock, mut sweep_at, mut away) = (ctx.clock, 0, AWAY_MIN);
    while !*draining.borrow() {
        if clock() >= sweep_at && sweep(&ctx).await {
            sweep_at = clock().saturating_add(SWEEP_MS);
        }
        let purged = purge_some(&ctx, clock().saturating_sub(keep_ms)).await;
        let done = purged.map(|purged| if purged == PURGED_MAX { Duration::ZERO } else { PURGE_PAUSE });
        rest(done, "purges", &mut away, &draining).await;
    }
}

/// Waits for the next look, longer each time that journal or archive did not answer, and no longer than until the program
/// drains.
async fn rest(
    done: Result<Duration, AuditFault>,
    of: &str,
    away: &mut Duration,
    draining: &watch::Receiver<bool>,
) {
    let pause = match done {
        Ok(pause) => {
            *away = AWAY_MIN;
            pause
        }
        Err(fault) => {
            tracing::warn!("{of} wait: {fault}");
            std::mem::replace(away, (*away * 2).min(AWAY_MAX))
        }
    };
    tokio::select! {
        () = sleep(pause) => {}
        () = drained(draining.clone()) => {}
    }
}

/// Returns once the program drains.
async fn drained(mut draining: watch::Receiver<bool>) {
    // Whoever could say so may be gone: then it drains.
    let _ = draining.wait_for(|draining| *draining).await;
}

/// Looks for ended games without a verdict. Returns true if the journal answered.
async fn sweep(ctx: &AuditorContext) -> bool {
    match ctx.journal.sweep().await {
        Ok(0) => {}
        Ok(found) => tracing::warn!("{found} ended games without a verdict are audited again"),
        Err(error) => {
            tracing::warn!("ended games without a verdict are not looked for: {error}");
            return false;
        }
    }
    true
}

/// Judges a leased game, and keeps its lease while it does. A fault of the game is told to the journal.
///
/// # Errors
/// If the journal or the archive does not answer.
async fn handle(
    ctx: &AuditorContext,
    mut lease: GameLease,
    draining: watch::Receiver<bool>,
) -> Result<(), AuditFault> {
    let (game, clock) = (lease.game, ctx.clock);
    let began = canasta_serve::outside::timer_now();
    let mut judging = std::pin::pin!(judge(ctx, game));
    let mut limit = std::pin::pin!(async {
        drained(draining).await;
        sleep(DRAIN_LIMIT).await;
    });
    let judged = loop {
        tokio::select! {
            judged = &mut judging => break judged,
            () = &mut limit => {
                ctx.journal.extend(lease, clock() + 1).await?;
                return Ok(());
            }
            () = sleep(EXTEND_AFTER) => match ctx.journal.extend(lease, clock() + LEASE_MS).await {
                Ok(Some(extended)) => lease = extended,
                // Another auditor has the game, or nobody knows: only one verdict is kept anyway.
                Ok(None) => return Ok(()),
                Err(_) => {}
            },
        }
    };
    let fault = match judged {
        Ok(verdict) => {
            ctx.metrics.judged(verdict, began.elapsed());
            return Ok(());
        }
        Err(fault) => fault,
    };
    if fault.is_outside() {
        // Other games come first, and the pause decides when this one comes again.
        ctx.journal.extend(lease, clock() + 1).await?;
        return Err(fault);
    }
    ctx.metrics.failed();
    tracing::error!(game = hex(&game.0), tries = lease.tries + 1, "the audit failed: {fault}");
    ctx.journal.fail(lease, clock() + (FAILED_MS << lease.tries.min(8))).await?;
    Ok(())
}

/// Purges some of the games that were judged up to `until_ms`. A game whose objects are not those that were written is
/// audited again. Returns the number of games that were looked at.
///
/// # Errors
/// If the journal or the archive does not answer.
pub async fn purge_some(ctx: &AuditorContext, until_ms: i64) -> Result<usize, AuditFault> {
    let games = ctx.journal.judged(until_ms, PURGED_MAX).await?;
    for &game in &games {
        match purge::purge(ctx, game).await {
            Ok(true) => {
                ctx.metrics.purged();
                tracing::info!(game = hex(&game.0), "stored in the archive only");
            }
            Ok(false) => {}
            Err(fault) if fault.is_outside() => return Err(fault),
            Err(fault) => {
                tracing::error!(game = hex(&game.0), "not purged, but audited again: {fault}");
                ctx.journal.requeue(game).await?;
            }
        }
    }
    Ok(games.len())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_is_away_is_asked_at_least_every_twenty_seconds() {
        let ((_drain, draining), mut away) = (watch::channel(false), AWAY_MIN);
        let mut waited = async |done| {
            let rested = rest(done, "verdicts", &mut away, &draining);
            tokio::time::timeout(Duration::from_millis(20_010), rested).await.is_ok()
        };
        for tries in 0..20 {
            let fault = AuditFault::Journal(ReadError::Unavailable("away".into()));
            assert!(waited(Err(fault)).await, "after {tries} tries");
        }
        assert!(waited(Ok(PAUSE)).await);
        assert_eq!(away, AWAY_MIN, "the next fault is a first one");
    }
}
