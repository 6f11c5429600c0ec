//! Rooms: chairs at which people meet, who play one game after the other under the same links.
//!
//! A room is kept as a game that nobody deals, in whose settings its state stands ([`RoomState`](crate::entry::RoomState)): so
//! rivals, retries, links, watchers, backups and the log of what happened are those of games. Its games are games like others, whose
//! ids follow from the room's number. The state alone says who plays them; a game that differs is set right by whoever looks
//! (`rpc::room`).

mod changes;
mod code;

pub use changes::RoomMoment;
pub use code::RoomCode;

#[cfg(test)]
mod tests;
