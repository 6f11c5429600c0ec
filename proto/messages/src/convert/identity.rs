//! Conversion of the seat or role that somebody acts for.

use canasta_engine::action::As;
use canasta_proto::v1::{self as pb, Role};

use super::field::{Read, required, seat, within, word};

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

/// The roles, in the interface as well.
const ROLES: [(As, Role); 4] = [
    (As::Table, Role::Table),
    (As::Judge, Role::Judge),
    (As::Director, Role::Director),
    (As::Spectator, Role::Spectator),
];

fn role(role: Role) -> Read<As> {
    required(ROLES.iter().find(|(_, written)| *written == role).map(|(who, _)| *who))
}

pub fn write(who: As) -> pb::Actor {
    let role = ROLES.iter().find(|(role, _)| *role == who).map(|(_, written)| *written);
    let seat = who.seat().map(|seat| pb::actor::Who::Seat(seat.0.into()));
    pb::Actor { who: seat.or(role.map(|role| pb::actor::Who::Role(role.into()))) }
}
