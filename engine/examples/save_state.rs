//! A game saved as a token and resumed from it. The token shows all cards: keep it, or seal it.
//!
//!     cargo run -p canasta-engine --example save_state

use canasta_engine::LoggedGame;
use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::token::{self, Catalogue};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = LoggedGame::new("bolivia-4p", GameId([1; 16]), GameSecret([2; 64]))?;
    for _ in 0..40 {
        game.play(game.actor(), &game.legal().actions[0])?;
    }
    let bytes = token::encode(game.game());
    let resumed = token::decode(&bytes, &Catalogue::new()).map_err(|error| error.to_string())?;
    println!("{} bytes at record {}: {}", bytes.len(), resumed.link.n, resumed == *game.game());
    Ok(())
}
