//! Method CreateGame.

use canasta_engine::action::As;
use canasta_engine::game::{CreateError, Created, Game, NewGame};
use canasta_proto::v1::{
    self as pb, CreateGameRequest, CreateGameResponse, DealMode, Rejected, create_game_response::Outcome,
};
use prost::Message as _;

use super::observers::{Happened, Observers};
use super::refuse;
use crate::convert::field::{Read, bytes_opt, fault, within};
use crate::convert::new_game::{self, NotRead};
use crate::convert::{log, violation};
use crate::fault::OrFault;
use crate::host::{GameScope, Host};

/// Answers a game before its first deal, or the reasons why it cannot be set up.
pub fn answer(host: &dyn Host, mut request: CreateGameRequest) -> OrFault<CreateGameResponse> {
    let scope = GameScope::of_id(&request.game_id);
    host.entitle(As::Table, scope)?;
    // Who watches makes no other game.
    let observers = std::mem::take(&mut request.observers);
    draw(host, &mut request)?;
    let expiry = host.may_expire(request.expires_at_ms).map_err(within("expires_at_ms"));
    let new = match read(host, request, expiry)? {
        Ok(new) => new,
        Err(rejected) => return Ok(response(Outcome::Rejected(rejected))),
    };
    let observers = Observers::read(observers, host, scope, new.rules.set().seats)?;
    Ok(response(match create(host, new)? {
        Ok(created) => Outcome::Created(write(host, created, &observers)?),
        Err(rejected) => Outcome::Rejected(rejected),
    }))
}

/// Reads a new game whose id and secret are set. `expiry` is the server's answer to its time of expiry. Returns the
/// rejection if its rules cannot be played.
pub fn read(
    host: &dyn Host,
    request: CreateGameRequest,
    expiry: Read<()>,
) -> OrFault<Result<NewGame, Rejected>> {
    match new_game::read(request, expiry, host.catalogue()) {
        Ok(new) => Ok(Ok(new)),
        Err(NotRead::Rejected(rejected)) => Ok(Err(refuse(host, *rejected))),
        Err(NotRead::Fault(fault)) => Err(fault),
    }
}

/// Creates a game. Returns the rejection if it breaks a rule of setting up.
pub fn create(host: &dyn Host, new: NewGame) -> OrFault<Result<Created, Rejected>> {
    let books = new.rules.books();
    match Game::create(new) {
        Ok(created) => Ok(Ok(created)),
        Err(CreateError::Rejected(violations)) => {
            Ok(Err(refuse(host, violation::write_setup(&violations, &books, ""))))
        }
        Err(CreateError::Field(error)) => Err(log::fault(error).into()),
        Err(CreateError::Position(reason)) => Err(within("position")(fault(reason)).into()),
    }
}

/// Sets the game's id and secret if the request leaves them to the service: derived from the request's own id, or
/// drawn at random.
fn draw(host: &dyn Host, request: &mut CreateGameRequest) -> OrFault<()> {
    let has_secret = matches!(request.deal_mode(), DealMode::Seeded | DealMode::Committed);
    let (needs_id, needs_secret) = (request.game_id.is_empty(), has_secret && request.secret.is_empty());
    let is_repeatable = bytes_opt::<16>(&request.request_id).map_err(within("request_id"))?.is_some();
    if !needs_id && !needs_secret && !is_repeatable {
        return Ok(());
    }
    // From all of the request, so that another request never gets the same secret.
    let seeds = host.seeds(is_repeatable.then(|| request.encode_to_vec()).as_deref())?;
    if needs_id {
        request.game_id = seeds.id.into();
    }
    if needs_secret {
        request.secret = seeds.secret.into();
    }
    Ok(())
}

fn response(outcome: Outcome) -> CreateGameResponse {
    CreateGameResponse { outcome: Some(outcome) }
}

fn write(
    host: &dyn Host,
    Created { game: state, frames }: Created,
    observers: &Observers,
) -> OrFault<pb::Created> {
    let link = state.link;
    let mut created = pb::Created {
        n: link.n,
        seq: state.table.step(),
        head: link.head.into(),
        frames,
        game_id: state.dealing.game_id.0.into(),
        ..Default::default()
    };
    created.observations = observers.observe(&state, &Happened::default(), &created)?;
    created.state = host.encode(&state);
    Ok(created)
}
