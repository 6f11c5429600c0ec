//! The echo: plain tonic with one method that answers once and one that answers a stream.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::net::TcpListener;
use tokio_stream::StreamExt;
use tonic::body::Body;
use tonic::server::{Grpc, NamedService, StreamingService, UnaryService};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status, Streaming};
use tonic_prost::ProstCodec;
use tower::Service;

use super::Result;

type Answered<T> = Pin<Box<dyn Future<Output = std::result::Result<Response<T>, Status>> + Send>>;
type Answers = Pin<Box<dyn tokio_stream::Stream<Item = std::result::Result<EchoAnswer, Status>> + Send>>;

/// A request to the echo: the length of the answer, and bytes that the echo ignores.
#[derive(Clone, PartialEq, prost::Message)]
pub struct EchoRequest {
    #[prost(fixed32, tag = "1")]
    pub answer: u32,
    #[prost(bytes = "vec", tag = "2")]
    pub body: Vec<u8>,
}

/// An answer of the echo.
#[derive(Clone, PartialEq, prost::Message)]
pub struct EchoAnswer {
    #[prost(bytes = "vec", tag = "1")]
    pub body: Vec<u8>,
}

/// Returns a field of bytes for a message of `length` bytes, as far as possible.
pub fn filler(length: usize) -> Vec<u8> {
    let head = if length > 129 { 3 } else { 2 };
    vec![7; length.saturating_sub(head)]
}

/// Serves the echo until the process is killed.
pub fn serve() -> Result<()> {
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        eprintln!("echo on {}", listener.local_addr()?);
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        Server::builder().add_service(Echo).serve_with_incoming(incoming).await?;
        Ok(())
    })
}

#[derive(Clone, Copy)]
struct Echo;

impl NamedService for Echo {
    const NAME: &'static str = "echo.Echo";
}

fn answer(ask: &EchoRequest) -> EchoAnswer {
    EchoAnswer { body: filler(ask.answer as usize) }
}

impl UnaryService<EchoRequest> for Echo {
    type Response = EchoAnswer;
    type Future = Answered<EchoAnswer>;

    fn call(&mut self, request: Request<EchoRequest>) -> Self::Future {
        Box::pin(async move { Ok(Response::new(answer(request.get_ref()))) })
    }
}

impl StreamingService<EchoRequest> for Echo {
    type Response = EchoAnswer;
    type ResponseStream = Answers;
    type Future = Answered<Answers>;

    fn call(&mut self, request: Request<Streaming<EchoRequest>>) -> Self::Future {
        Box::pin(async move {
            let answers = request.into_inner().map(|ask| ask.map(|ask| answer(&ask)));
            Ok(Response::new(Box::pin(answers) as Answers))
        })
    }
}

impl Service<http::Request<Body>> for Echo {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = std::result::Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<std::result::Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let echo = *self;
        Box::pin(async move {
            let mut grpc = Grpc::new(ProstCodec::<EchoAnswer, EchoRequest>::default());
            Ok(match request.uri().path() {
                "/echo.Echo/Once" => grpc.unary(echo, request).await,
                _ => grpc.streaming(echo, request).await,
            })
        })
    }
}
