//! Method CreateRoom.

use canasta_engine::action::As;
use canasta_engine::seat::Seat;
use canasta_messages::convert::field::{all, required, within};
use canasta_messages::convert::identity;
use canasta_messages::convert::new_game;
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{
    CreateRequest, CreateRoomRequest, CreateRoomResponse, create_response, create_room_response::Outcome,
};
use canasta_serve::OrFault;

use super::create::{self, Purpose};
use super::{Call, open_room, request_id, room};
use crate::entry::RoomState;

/// Number of numbers that are tried for a room: that another room has one happens once in a thousand times, if there are 10^9.
const ATTEMPTS: u8 = 8;

/// Opens a room, and answers once it is stored.
pub async fn answer(call: &Call, request: CreateRoomRequest) -> OrFault<CreateRoomResponse> {
    let CreateRoomRequest { request_id: id, rules, name } = request;
    let rules = required(rules).map_err(within("rules"));
    let (id, rules, name) =
        all((request_id(&id), rules, new_game::player_name(name).map_err(within("name"))))?;
    let read = match room::read_rules(&rules)? {
        Ok(read) => read,
        Err(rejected) => return Ok(response(Outcome::Rejected(*rejected))),
    };
    let key = call.ctx.folder.key();
    for attempt in 0..ATTEMPTS {
        let number = key.room_number(&id, attempt);
        let game = key.room_game(number, 0);
        let request = CreateRequest {
            request_id: id.to_vec(),
            waits_for_opening: true,
            creator: Some(identity::write(As::Seat(Seat(0)))),
            // Nobody deals the game that the room is kept as.
            dealer: read.set().leaves_dealer_to_table().then_some(0),
            ..room::request(&rules, game)
        };
        let state = RoomState::new(number, rules.clone(), read.set().seats, name.clone());
        let purpose = Purpose::Room(Box::new(state));
        let outcome = match create::create(call, request, purpose).await {
            Err(RequestFault::GameExists) => continue,
            made => made?.outcome,
        };
        return match outcome {
            Some(create_response::Outcome::Created(_)) => {
                let opened = open_room::opened(call, game, (Some(0), 0)).await?;
                Ok(response(Outcome::Opened(opened)))
            }
            Some(create_response::Outcome::Rejected(rejected)) => Ok(response(Outcome::Rejected(rejected))),
            None => Err(RequestFault::Internal),
        };
    }
    Err(RequestFault::GameExists)
}

fn response(outcome: Outcome) -> CreateRoomResponse {
    CreateRoomResponse { outcome: Some(outcome) }
}
