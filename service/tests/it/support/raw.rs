//! Requests and answers as plain bytes.

use tokio_stream::StreamExt;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic::{Code, Request, Status};

use super::codec::Raw;

/// Everything that a caller receives: the messages of the answer, or the error.
pub type Answer = Result<Vec<Vec<u8>>, (Code, String, Vec<u8>)>;

/// Sends these messages to a method.
pub async fn ask(channel: &Channel, path: &str, messages: Vec<Vec<u8>>) -> Answer {
    let failed = |status: Status| (status.code(), status.message().to_owned(), status.details().to_vec());
    ask_some(channel, path, messages, usize::MAX).await.map_err(failed)
}

/// Sends these messages to a method. Returns at most `most` messages of the answer.
pub async fn ask_some(
    channel: &Channel,
    path: &str,
    messages: Vec<Vec<u8>>,
    most: usize,
) -> Result<Vec<Vec<u8>>, Status> {
    let mut grpc = Grpc::new(channel.clone());
    grpc.ready().await.expect("it listens");
    let path = PathAndQuery::try_from(path).expect("a path");
    let request = Request::new(tokio_stream::iter(messages));
    grpc.streaming(request, path, Raw).await?.into_inner().take(most).collect().await
}
