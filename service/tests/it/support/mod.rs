//! A server on a free loopback port, and a client for it.

pub mod codec;
pub mod game;
pub mod keys;
pub mod logs;
pub mod raw;
pub mod script;
pub mod stream;
pub mod wire;

use std::net::SocketAddr;

use canasta_proto::v1::game_service_client::GameServiceClient;
use canasta_serve::config::ServiceCli;
use canasta_service::server::{self, DrainResult, ServeError};
use clap::Parser;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::Channel;

/// The service that the recorder alone serves: its own tests ask it.
pub const OF_RECORDER: &str = "RecordService";

/// A running server.
pub struct Server {
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<Result<DrainResult, ServeError>>,
}

impl Server {
    /// Starts a server with these arguments (`--deadline-ms`, `100`, ...).
    pub async fn start(arguments: &[&str]) -> Self {
        let config = ServiceCli::parse_from(["canasta-service"].iter().chain(arguments)).config;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let (stop, stopped) = oneshot::channel();
        let shutdown = async {
            let _ = stopped.await;
        };
        let ended =
            tokio::spawn(
                async move { server::run(listener, shutdown, &config, keys::filled::<7>, noon).await },
            );
        Self { address, stop, ended }
    }

    /// Opens a connection to the server.
    pub async fn channel(&self) -> Channel {
        let endpoint = Channel::from_shared(format!("http://{}", self.address)).expect("an address is a URI");
        endpoint.connect().await.expect("the server listens")
    }

    /// Opens a connection to the server from a loopback address, which counts as a peer of its own.
    pub async fn channel_from(&self, address: [u8; 4]) -> Channel {
        let endpoint = Channel::from_shared(format!("http://{}", self.address)).expect("an address is a URI");
        endpoint.local_address(Some(address.into())).connect().await.expect("the server listens")
    }

    /// Opens a connection to the server and returns its client.
    pub async fn client(&self) -> GameServiceClient<Channel> {
        GameServiceClient::new(self.channel().await)
    }

    /// Stops the server.
    pub fn stop(self) -> JoinHandle<Result<DrainResult, ServeError>> {
        let _ = self.stop.send(());
        self.ended
    }
}

/// The time of every test, ms since 1970.
pub const NOON: i64 = 1_000_000_000_000;

fn noon() -> i64 {
    NOON
}
