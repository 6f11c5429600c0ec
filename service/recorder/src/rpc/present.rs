//! Streams on behalf of seats, and what recorders tell each other of them.

use std::sync::{Arc, Weak};

use canasta_engine::deal::GameId;
use canasta_engine::seat::Seat;
use tokio::time::sleep;

use crate::context::RecorderContext;
use crate::presence::{GRACE, TELL};

/// A stream on behalf of a seat: somebody is there as long as it lives, and [`GRACE`] longer.
pub struct PresentSeat {
    /// Nothing waits for those who are there when a recorder ends.
    ctx: Weak<RecorderContext>,
    game: GameId,
    seat: Seat,
}

impl PresentSeat {
    /// Tells everybody who watches the game that somebody is there.
    pub fn arrive(ctx: &Arc<RecorderContext>, game: GameId, seat: Seat) -> Self {
        if ctx.changes.presence.arrive(game, seat, (ctx.service.clock)()) {
            tokio::spawn(tell(Arc::downgrade(ctx), game));
        }
        Self { ctx: Arc::downgrade(ctx), game, seat }
    }
}

impl Drop for PresentSeat {
    fn drop(&mut self) {
        let Self { ctx, game, seat } = self;
        let is_last = ctx.upgrade().is_some_and(|ctx| ctx.changes.presence.leave(*game, *seat));
        if is_last {
            let (ctx, game) = (ctx.clone(), *game);
            tokio::spawn(async move {
                sleep(GRACE).await;
                tell(ctx, game).await;
            });
        }
    }
}

async fn tell(ctx: Weak<RecorderContext>, game: GameId) {
    let Some(ctx) = ctx.upgrade() else { return };
    ctx.changes.tell(game);
    ctx.journal.tell_presence(game, ctx.changes.presence.told(game)).await;
}

/// Tells the other recorders again and again who is there.
pub async fn tell_again(ctx: Arc<RecorderContext>) {
    loop {
        for game in ctx.changes.presence.here() {
            ctx.journal.tell_presence(game, ctx.changes.presence.told(game)).await;
        }
        sleep(TELL).await;
    }
}
