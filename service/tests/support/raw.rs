//! Requests and answers as the bytes they are.

use http::uri::PathAndQuery;
use tokio_stream::StreamExt;
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::transport::Channel;
use tonic::{Code, Request, Status};

use bytes::{Buf, BufMut};

/// Everything that a caller gets: the messages of the answer, or how it failed.
pub type Answer = Result<Vec<Vec<u8>>, (Code, String, Vec<u8>)>;

/// Sends these messages to a method.
pub async fn ask(channel: &Channel, path: &str, messages: Vec<Vec<u8>>) -> Answer {
    let failed = |status: Status| (status.code(), status.message().to_owned(), status.details().to_vec());
    let mut grpc = Grpc::new(channel.clone());
    grpc.ready().await.expect("it listens");
    let path = PathAndQuery::try_from(path).expect("a path");
    let request = Request::new(tokio_stream::iter(messages));
    let mut answers = grpc.streaming(request, path, Raw).await.map_err(failed)?.into_inner();
    let mut all = Vec::new();
    while let Some(answer) = answers.next().await {
        all.push(answer.map_err(failed)?);
    }
    Ok(all)
}

#[derive(Clone, Copy)]
struct Raw;

impl Codec for Raw {
    type Encode = Vec<u8>;
    type Decode = Vec<u8>;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, item: Vec<u8>, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put_slice(&item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Vec<u8>>, Status> {
        let mut message = vec![0; buffer.remaining()];
        buffer.copy_to_slice(&mut message);
        Ok(Some(message))
    }
}
