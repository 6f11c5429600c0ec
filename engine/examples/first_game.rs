//! The first game: every player takes the first legal step, and the game writes its log.
//!
//!     cargo run -p canasta-engine --example first_game

use canasta_engine::LoggedGame;
use canasta_engine::deal::{GameId, GameSecret};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Draw both at random in a program of your own: whoever knows the secret knows all cards.
    let mut game = LoggedGame::new("classic-4p", GameId([1; 16]), GameSecret([2; 64]))?;
    let mut actions = 0;
    while !game.is_over() {
        let steps = game.legal();
        game.play(game.actor(), &steps.actions[0])?;
        actions += 1;
    }
    let (rounds, totals) = (game.table().round_number(), game.table().scores());
    println!("{actions} actions in {rounds} rounds, totals {totals:?}, {} bytes of log", game.log().len());
    Ok(())
}
