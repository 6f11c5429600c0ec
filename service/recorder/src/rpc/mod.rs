//! RecordService: one file per method. `judge` makes the entries of Act, `change` those with new settings, and `repeat`
//! finds requests that are recorded already.

pub mod act;
mod change;
pub mod create;
pub mod describe;
pub mod get_log;
pub mod get_view;
pub mod invite;
mod judge;
pub mod list_games;
pub mod query;
mod repeat;
pub mod revoke;
pub mod set_bot;
pub mod watch;

use std::time::Duration;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_proto::v1 as pb;
use canasta_service::convert::field::{Read, bytes, each, fault, within};
use canasta_service::convert::identity;

/// Maximum time that an append may be in doubt: shorter than the deadline of a request, so that the caller learns the
/// reason.
const STORE_LIMIT: Duration = Duration::from_secs(8);

/// Reads the field `game_id`.
fn game_id(value: &[u8]) -> Read<GameId> {
    bytes(value).map(GameId).map_err(within("game_id"))
}

/// Reads the field `request_id`.
fn request_id(value: &[u8]) -> Read<[u8; 16]> {
    bytes(value).map_err(within("request_id"))
}

/// Reads the field `observers`.
fn observers(list: &[pb::Actor]) -> Read<Vec<As>> {
    each(list, |actor| identity::read_bare(*actor)).map_err(within("observers"))
}

/// Checks that a field which must be empty is empty.
fn empty(field: &'static str, is_empty: bool, problem: &str) -> Read<()> {
    if is_empty { Ok(()) } else { Err(within(field)(fault(problem))) }
}
