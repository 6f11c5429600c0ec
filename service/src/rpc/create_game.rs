//! Method CreateGame.

use canasta_engine::action::As;
use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::game::{CreateError, Created, Game};
use canasta_proto::v1::{
    self as pb, CreateGameRequest, CreateGameResponse, DealMode, create_game_response::Outcome,
};

use super::observers::Observers;
use crate::context::RequestContext;
use crate::convert::field::{fault, within};
use crate::convert::new_game::{self, NotRead};
use crate::convert::{log, violation};
use crate::identity::{Caller, GameScope};
use crate::outside::NoRandomness;
use crate::status::RequestFault;

/// Answers a game before its first deal, or the reasons why it cannot be set up.
pub fn answer(
    ctx: &RequestContext,
    caller: &Caller,
    mut request: CreateGameRequest,
) -> Result<CreateGameResponse, RequestFault> {
    let scope = GameScope::of_id(&request.game_id);
    ctx.entitle(caller, As::Table, scope)?;
    let observers = std::mem::take(&mut request.observers);
    draw(ctx, &mut request)?;
    let expiry = ctx.may_expire(request.expires_at_ms).map_err(fault).map_err(within("expires_at_ms"));
    let new = match new_game::read(request, expiry, &ctx.catalogue) {
        Ok(new) => new,
        Err(NotRead::Rejected(rejected)) => {
            return Ok(response(Outcome::Rejected(ctx.rejected(rejected))));
        }
        Err(NotRead::Fault(fault)) => return Err(fault),
    };
    let observers = Observers::read(observers, ctx, caller, scope, new.rules.set().seats)?;
    let (game_id, books) = (new.game_id.0, new.rules.books());
    match Game::create(new) {
        Ok(created) => Ok(response(Outcome::Created(write(ctx, created, game_id, &observers)?))),
        Err(CreateError::Rejected(violations)) => {
            Ok(response(Outcome::Rejected(ctx.rejected(violation::write_setup(&violations, &books)))))
        }
        Err(CreateError::Field(error)) => Err(log::fault(error).into()),
    }
}

/// Draws the game's id and secret at random if the request leaves them to the service.
fn draw(ctx: &RequestContext, request: &mut CreateGameRequest) -> Result<(), RequestFault> {
    let drawn = |field: &mut Vec<u8>, length: usize| {
        field.resize(length, 0);
        (ctx.generator)(field).map_err(|NoRandomness| RequestFault::Internal)
    };
    if request.game_id.is_empty() {
        drawn(&mut request.game_id, size_of::<GameId>())?;
    }
    let has_secret = matches!(request.deal_mode(), DealMode::Seeded | DealMode::Committed);
    if has_secret && request.secret.is_empty() {
        drawn(&mut request.secret, size_of::<GameSecret>())?;
    }
    Ok(())
}

fn response(outcome: Outcome) -> CreateGameResponse {
    CreateGameResponse { outcome: Some(outcome) }
}

fn write(
    ctx: &RequestContext,
    Created { game: state, frames }: Created,
    game_id: [u8; 16],
    observers: &Observers,
) -> Result<pb::Created, RequestFault> {
    let link = state.link;
    let mut created = pb::Created {
        n: link.n,
        seq: state.table.step(),
        head: link.head.into(),
        frames,
        game_id: game_id.into(),
        ..Default::default()
    };
    created.observations = observers.observe(&state, &[], &created)?;
    created.state = ctx.encode(&state);
    Ok(created)
}
