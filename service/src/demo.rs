//! `demo`: a whole game of Classic against a real server, by four bots through a real client, with rule
//! breaks on purpose.

mod breaks;
mod print;

use std::path::PathBuf;

use canasta_engine::deal::{bot_seed, game_id, game_secret};
use canasta_engine::seat::Seat;
use canasta_proto::v1::action::Kind;
use canasta_proto::v1::game_service_client::GameServiceClient;
use canasta_proto::v1::r#as::Who;
use canasta_proto::v1::{self as pb, apply_action_response, check_action_response, create_game_response};
use clap::Args;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tonic::transport::Channel;

use crate::config::Config;
use crate::server::{self, ServeError};
use crate::Generator;
use breaks::{BREAKS, Desk};

const RULE_SET: &str = "classic-4p";
const NAMES: [&str; 4] = ["North", "East", "South", "West"];

/// What the demo may be told.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Seed of the game and its bots; equal seeds, equal games
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    pub seed: u64,

    /// Where the game's log is written
    #[arg(long, default_value = "demo.clog", value_name = "FILE")]
    pub log: PathBuf,

    /// Go on serving after the game, until a signal
    #[arg(long)]
    pub serve: bool,
}

/// The demo could not be played.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The server failed.
    #[error(transparent)]
    Serve(#[from] ServeError),
    /// The client could not connect.
    #[error("connect: {0}")]
    Connect(#[from] tonic::transport::Error),
    /// A call failed.
    #[error("call: {0}")]
    Call(#[from] tonic::Status),
    /// The log could not be written.
    #[error("log: {0}")]
    Io(#[from] std::io::Error),
    /// The service said something that it never should.
    #[error("the service {0}")]
    Wrong(String),
}
