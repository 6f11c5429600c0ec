//! Conversion of the seat or role that somebody acts for.

use canasta_engine::action::As;
use canasta_proto::v1::{self as pb, Role};

use super::field::{Read, missing, required, seat, within, word};

/// Reads the field `actor`.
pub fn read(message: Option<pb::Actor>) -> Read<As> {
    required(message).and_then(read_bare).map_err(within("actor"))
}

/// Reads an actor; the paths of faults begin inside it.
pub fn read_bare(message: pb::Actor) -> Read<As> {
    match required(message.who)? {
        pb::actor::Who::Seat(number) => seat(Some(number)).map(As::Seat).map_err(within("seat")),
        pb::actor::Who::Role(value) => word(value).and_then(role).map_err(within("role")),
    }
}

fn role(role: Role) -> Read<As> {
    match role {
        Role::Table => Ok(As::Table),
        Role::Judge => Ok(As::Judge),
        Role::Director => Ok(As::Director),
        Role::Spectator => Ok(As::Spectator),
        Role::Unspecified => Err(missing()),
    }
}

/// Writes the field `actor`.
pub fn write(who: As) -> pb::Actor {
    let who = match who {
        As::Seat(seat) => pb::actor::Who::Seat(seat.0.into()),
        As::Table => pb::actor::Who::Role(Role::Table.into()),
        As::Judge => pb::actor::Who::Role(Role::Judge.into()),
        As::Director => pb::actor::Who::Role(Role::Director.into()),
        As::Spectator => pb::actor::Who::Role(Role::Spectator.into()),
    };
    pb::Actor { who: Some(who) }
}
