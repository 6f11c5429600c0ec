//! Links of games, and the refusals that their holders meet.

use std::fmt::Debug;

use canasta_proto::v1::*;
use canasta_service::program::now;
use tonic::{Code, Status};

use super::game::{created, new_game, reason, role};
use super::server::Client;

pub const DAY_MS: i64 = 24 * 60 * 60 * 1000;

pub fn tomorrow() -> i64 {
    now() + DAY_MS
}

/// Creates a game whose creator has this actor. Returns its id with the creator's link.
pub async fn hosted(client: &mut Client, id: u8, creator: Option<Actor>) -> (Vec<u8>, Link) {
    let created = created(client, CreateRequest { creator, ..new_game(id) }).await;
    (created.game_id, created.host_link.expect("the creator's link"))
}

pub fn denied<T: Debug>(answer: Result<T, Status>) -> Vec<u8> {
    let status = answer.expect_err("denied");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::PermissionDenied, "PERMISSION_DENIED"));
    status.details().to_vec()
}

pub fn unknown<T: Debug>(answer: Result<T, Status>) {
    let status = answer.expect_err("not authenticated");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::Unauthenticated, "UNAUTHENTICATED"));
}

pub fn bad_field<T: Debug>(answer: Result<T, Status>) {
    assert_eq!(reason(&answer.expect_err("a fault")), "INVALID_FIELD");
}

pub async fn end(client: &mut Client, game: &[u8]) -> LogEnd {
    client.get_game(game, role(Role::Table)).await.expect("a view").log_end.expect("the end")
}
