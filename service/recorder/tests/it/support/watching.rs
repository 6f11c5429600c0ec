//! Streams of Watch.

use std::time::Duration;

use canasta_proto::v1::*;
use tokio::time::timeout;
use tonic::{Status, Streaming};

use super::server::Client;
use super::walk::no_state;

pub async fn watch(client: &mut Client, request: WatchRequest) -> Streaming<WatchResponse> {
    let request = client.request(request);
    client.service.watch(request).await.expect("a stream").into_inner()
}

/// Returns the next message, which must come soon.
pub async fn next(stream: &mut Streaming<WatchResponse>) -> Result<Option<WatchResponse>, Status> {
    let message = timeout(Duration::from_secs(30), stream.message()).await.expect("a message comes");
    message.inspect(|message| message.iter().for_each(|message| _ = no_state("WatchResponse", message)))
}

/// Returns the next message that a watcher is sent while the stream goes on.
pub async fn message(stream: &mut Streaming<WatchResponse>) -> WatchResponse {
    next(stream).await.expect("no fault").expect("a message")
}

pub fn n(message: &WatchResponse) -> u64 {
    message.log_end.as_ref().expect("the end").n
}

pub fn from(game: &[u8], actor: Option<Actor>, from_n: Option<u64>) -> WatchRequest {
    WatchRequest { game_id: game.into(), actor, from_n, want_view: false }
}
