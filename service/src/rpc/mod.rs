//! GameService: `handler` routes requests to the answers of `canasta-messages`, `play` streams them.

pub mod get_server_info;
mod handler;
pub mod play;
mod trail;

pub use handler::GameHandler;
