//! The recorder's own work in games: duties are done one by one, each as an entry of its own. One task per game works, for
//! as long as duties are due. Recorders that share a journal race by append.

use std::sync::Arc;
use std::time::Duration;

use canasta_engine::bot::RoundMemory;
use canasta_engine::deal::GameId;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::act_response;
use canasta_serve::OrFault;
use canasta_serve::identity::{Caller, CallerKey};
use canasta_service::steps::may_take_long;
use tokio::time::sleep;

use super::duty::{self, Duty, NextDuty};
use super::judge::{self, Judged};
use crate::context::RecorderContext;
use crate::watched;

/// Maximum number of entries that a task makes before it ends; the next request or watcher begins another one.
const ENTRIES_MAX: usize = 1_024;
/// The pause after each action in a game without a player: nobody waits for it, and it is there to be watched.
const SHOW_PAUSE: Duration = Duration::from_millis(250);

/// Begins to work in a game, or lets the task that works there look again.
pub fn begin(ctx: &Arc<RecorderContext>, game: GameId) {
    let worker = Arc::clone(ctx);
    ctx.work.begin(game, || async move {
        while worker.work.goes_on(game) {
            if let Err(fault) = do_due(&worker, game).await {
                // The next request or watcher of the game begins again.
                tracing::warn!("the recorder's work in a game has stopped: {}", fault.reason());
            }
        }
    });
}

async fn do_due(ctx: &RecorderContext, game: GameId) -> OrFault<()> {
    for _ in 0..ENTRIES_MAX {
        if !step(ctx, game).await? {
            return Ok(());
        }
    }
    Ok(())
}

/// Does the duty that is due in a game. Returns whether there was one.
///
/// # Errors
/// If the journal fails, or the duty cannot be done.
pub async fn step(ctx: &RecorderContext, game: GameId) -> OrFault<bool> {
    let last = ctx.last(game).await?;
    let settings = ctx.settings(game, &last.entry).await?;
    let (before, at) = (last.entry.clone(), ctx.moment(&last.entry));
    let state = ctx.open(game, &before).await?;
    let NextDuty::Now(duty) = duty::next(&settings, &before, &state, &ctx.outages, at.time_ms) else {
        return Ok(false);
    };
    let memory = match duty {
        Duty::Bot(seat) => {
            watched::remembered(ctx, game, &before, &state.table, settings.bots.level(seat)).await
        }
        _ => RoundMemory::default(),
    };
    let service = Arc::clone(&ctx.service);
    let searches = matches!(duty, Duty::Bot(seat) if settings.bots.level(seat).playouts() > 0);
    let is_long = searches || may_take_long(&state.table, 1, 0);
    let is_show = state.table.seats().all(|seat| settings.bots.has(seat));
    let job = move || -> OrFault<Judged> {
        let proposals = duty.propose(&service, &settings, &before, &state, &memory, at);
        let proposals = proposals.ok_or(RequestFault::Internal)?;
        judge::judge(&service, &Caller::Trusted, &before, state, proposals)
    };
    // All games share one caller's share. Each has one task, so they take turns, however strong their bots are.
    let judged = judge::run(ctx, is_long, &CallerKey::Local, job).await?;
    let (Some(entry), act_response::Outcome::Acted(_)) = (judged.entry, &judged.answer) else {
        tracing::error!("the engine refuses the recorder's own action: {:?}", judged.answer);
        return Err(RequestFault::Internal);
    };
    // If a rival has won, what is due is asked anew.
    ctx.record(None, game, &last, &entry).await?;
    if matches!(duty, Duty::Bot(_)) && is_show {
        sleep(SHOW_PAUSE).await;
    }
    Ok(true)
}
