//! Questions about the present state of a game: how their game is opened, and where their answers are made.

use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::game::Game;
use canasta_messages::answers::check_actor;
use canasta_messages::convert::field::{Read, all};
use canasta_messages::convert::identity;
use canasta_proto::v1::Actor;
use canasta_serve::OrFault;
use canasta_serve::identity::Caller;
use canasta_serve::limits::QUESTION_BYTES;
use canasta_serve::telemetry::method::Method;
use canasta_service::context::RequestContext;

use super::{Call, game_id};
use crate::entry::JournalEntry;

/// A game as it is at present, for the actor that asks about it.
pub struct PresentGame {
    pub game: GameId,
    pub who: As,
    pub last: JournalEntry,
    pub state: Box<Game>,
}

/// Reads the fields `game_id` and `actor`.
pub fn about(game: &[u8], actor: Option<Actor>) -> Read<(GameId, As)> {
    all((game_id(game), identity::read(actor)))
}

/// Opens a game for an actor.
///
/// # Errors
/// If the caller may not act for the actor, or there is no such game or seat.
pub async fn open(call: &Call, (game, who): (GameId, As)) -> OrFault<PresentGame> {
    call.entitle(who, game)?;
    let (last, state) = call.ctx.latest(game).await?;
    check_actor(who, state.table.set().seats)?;
    Ok(PresentGame { game, who, last: last.entry, state })
}

/// Makes an answer that may need a search, where searches are made.
///
/// # Errors
/// If there is no room for another search, or `make` fails.
pub async fn search<A: Send + 'static>(
    call: &Call,
    method: Method,
    make: impl FnOnce(&RequestContext, &Caller) -> OrFault<A> + Send + 'static,
) -> OrFault<A> {
    let Call { ctx, account, caller, .. } = call;
    account.expect_answer(QUESTION_BYTES).await?;
    let (service, caller) = (Arc::clone(&ctx.service), caller.clone());
    ctx.searches.of(account.key()).run(method, move || make(&service, &caller)).await?
}
