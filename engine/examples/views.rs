//! One table, three viewers: a player, the table and a judge. Views are built up from what is public.
//!
//!     cargo run -p canasta-engine --example views

use canasta_engine::LoggedGame;
use canasta_engine::action::As;
use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::seat::Seat;
use canasta_engine::view::{events, view};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = LoggedGame::new("classic-4p", GameId([1; 16]), GameSecret([2; 64]))?;
    game.play(game.actor(), &game.legal().actions[0])?;
    let drawn = game.play(game.actor(), &game.legal().actions[0])?;
    for viewer in [As::Seat(Seat(0)), As::Seat(Seat(1)), As::Table, As::Judge] {
        let seen = view(game.table(), viewer);
        println!("{viewer:?}");
        println!("  own hand: {:?}", seen.own_hand());
        let hands: Vec<u16> = seen.table.seats.iter().map(|seat| seat.hand).collect();
        println!("  cards in the hands: {hands:?}, in the stock: {}", seen.table.stock);
        println!("  saw of the draw: {:?}", events(&drawn.events, viewer));
    }
    Ok(())
}
