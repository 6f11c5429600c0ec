//! CreateGame.

use canasta_engine::log::writer::{CreateError, Created, create};
use canasta_proto::v1::{self as pb, CreateGameRequest, CreateGameResponse, create_game_response::Outcome};

use crate::convert::new_game::{self, NotRead};
use crate::convert::{log, violation};
use crate::desk::Desk;
use crate::identity::Caller;
use crate::status::Fault;

/// A game before its first deal, or why it cannot be set up.
pub fn answer(desk: &Desk, caller: &Caller, request: CreateGameRequest) -> Result<CreateGameResponse, Fault> {
    desk.entitle_to_create(caller, &request.game_id)?;
    let new = match new_game::read(request, desk) {
        Ok(new) => new,
        Err(NotRead::Rejected(rejected)) => {
            return Ok(response(Outcome::Rejected(desk.rejected(rejected))));
        }
        Err(NotRead::Fault(fault)) => return Err(fault),
    };
    let (game_id, books) = (new.game_id.0, new.rules.books());
    match create(new) {
        Ok(created) => Ok(response(Outcome::Created(write(desk, created, game_id)))),
        Err(CreateError::Rejected(violations)) => {
            Ok(response(Outcome::Rejected(desk.rejected(violation::write_setup(&violations, &books)))))
        }
        Err(CreateError::Field(error)) => Err(log::fault(error).into()),
    }
}

fn response(outcome: Outcome) -> CreateGameResponse {
    CreateGameResponse { outcome: Some(outcome) }
}

fn write(desk: &Desk, Created { state, frames }: Created, game_id: [u8; 16]) -> pb::Created {
    let link = state.link();
    pb::Created {
        state: desk.encode(&state),
        n: link.n,
        seq: link.seq,
        head: link.head.into(),
        frames,
        game_id: game_id.into(),
    }
}
