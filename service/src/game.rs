//! The service: each method hands its request to its file in `rpc`.

use canasta_proto::v1::game_service_server::GameService;
use canasta_proto::v1::*;
use tonic::{Request, Response, Status};

use crate::{Generator, rpc};

/// The service. It holds nothing that an answer could depend on, but the source of randomness for games
/// created without a secret.
pub struct Game {
    generator: Generator,
}

impl Game {
    pub fn new(generator: Generator) -> Self {
        Self { generator }
    }
}
