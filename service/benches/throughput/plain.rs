//! The service without layers, and a collector that accepts telemetry and drops it.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use canasta_proto::v1::game_service_server::GameServiceServer;
use canasta_serve::config::ServiceCli;
use canasta_serve::identity::Caller;
use canasta_serve::outside::NoRandomness;
use canasta_service::server;
use clap::Parser;
use tokio::net::TcpListener;
use tonic::body::Body;
use tonic::server::{Grpc, UnaryService};
use tonic::service::Routes;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};
use tower::Service;
use tower::util::MapRequestLayer;

use super::Result;
use super::codec::Raw;

type Answered<T> = Pin<Box<dyn Future<Output = std::result::Result<T, Status>> + Send>>;

/// Serves games until the process is killed, without limits, ids, deadlines, credentials, telemetry, health,
/// web and audits.
pub fn serve() -> Result<()> {
    let config = ServiceCli::parse_from(["canasta-service"]).config;
    tokio::runtime::Runtime::new()?.block_on(async {
        let game = server::service(&config, sevens, || 0)?;
        let believed = MapRequestLayer::new(|mut request: http::Request<Body>| {
            request.extensions_mut().insert(Caller::Trusted);
            request
        });
        let server = Server::builder().layer(believed).add_service(GameServiceServer::new(game));
        server.serve_with_incoming(incoming("plain").await?).await?;
        Ok(())
    })
}

/// Accepts every unary request until the process is killed.
pub fn collect() -> Result<()> {
    tokio::runtime::Runtime::new()?.block_on(async {
        let routes = Routes::from(Routes::default().into_axum_router().fallback_service(Collector));
        Server::builder().add_routes(routes).serve_with_incoming(incoming("collector").await?).await?;
        Ok(())
    })
}

async fn incoming(name: &str) -> Result<TcpIncoming> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    eprintln!("{name} on {}", listener.local_addr()?);
    Ok(TcpIncoming::from(listener).with_nodelay(Some(true)))
}

fn sevens(bytes: &mut [u8]) -> std::result::Result<(), NoRandomness> {
    bytes.fill(7);
    Ok(())
}

#[derive(Clone, Copy)]
struct Collector;

impl UnaryService<Vec<u8>> for Collector {
    type Response = Vec<u8>;
    type Future = Answered<Response<Vec<u8>>>;

    fn call(&mut self, _: Request<Vec<u8>>) -> Self::Future {
        Box::pin(async { Ok(Response::new(Vec::new())) })
    }
}

impl<B> Service<http::Request<B>> for Collector
where
    B: http_body::Body + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>> + Send,
    B::Data: Send,
{
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = std::result::Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<std::result::Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        let collector = *self;
        Box::pin(async move { Ok(Grpc::new(Raw).unary(collector, request).await) })
    }
}
