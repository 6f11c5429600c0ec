//! The load of streams: as many streams as h2load has concurrent requests; each sends its next message once
//! the last one is answered.

use http::uri::PathAndQuery;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Request;
use tonic::client::Grpc;
use tonic::transport::Channel;

use super::Result;
use super::codec::Raw;

const CONNECTIONS: usize = 8;
/// Number of concurrent streams.
pub const STREAMS: usize = 64;

/// Encodes the messages of a stream as a file, each with its length before it.
pub fn to_file(messages: &[Vec<u8>]) -> Vec<u8> {
    messages
        .iter()
        .flat_map(|message| [&(message.len() as u32).to_be_bytes()[..], message].concat())
        .collect()
}

fn of_file(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut messages = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<4>() {
        let (message, rest) = rest.split_at(u32::from_be_bytes(*length) as usize);
        messages.push(message.to_vec());
        bytes = rest;
    }
    messages
}

/// Sends one message. Returns the length of its answer.
pub fn once(address: &str, path: &'static str, message: Vec<u8>) -> Result<usize> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let channel = Channel::from_shared(format!("http://{address}"))?.connect().await?;
        let mut grpc = Grpc::new(channel);
        grpc.ready().await?;
        Ok(grpc.unary(Request::new(message), PathAndQuery::from_static(path), Raw).await?.into_inner().len())
    })
}

/// Sends the messages of the file on each stream, once.
pub fn streams(address: &str, path: &str, file: &str) -> Result<()> {
    let messages = of_file(&std::fs::read(file)?);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut tasks = Vec::new();
        for _ in 0..CONNECTIONS {
            let channel = Channel::from_shared(format!("http://{address}"))?.connect().await?;
            for _ in 0..STREAMS / CONNECTIONS {
                let (path, messages) = (PathAndQuery::try_from(path)?, messages.clone());
                tasks.push(tokio::spawn(stream(channel.clone(), path, messages)));
            }
        }
        for task in tasks {
            task.await??;
        }
        Ok(())
    })
}

async fn stream(channel: Channel, path: PathAndQuery, messages: Vec<Vec<u8>>) -> Result<()> {
    let (sender, receiver) = mpsc::channel(1);
    let mut grpc = Grpc::new(channel);
    grpc.ready().await?;
    let request = Request::new(ReceiverStream::new(receiver));
    let mut answers = grpc.streaming(request, path, Raw).await?.into_inner();
    for message in messages {
        sender.send(message).await?;
        answers.message().await?.ok_or("an answer each")?;
    }
    drop(sender);
    while answers.message().await?.is_some() {}
    Ok(())
}
