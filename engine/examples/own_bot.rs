//! A bot of one's own: it gets a view and the legal steps, as a player at the table has them.
//!
//!     cargo run -p canasta-engine --example own_bot

use canasta_engine::LoggedGame;
use canasta_engine::action::{Action, As};
use canasta_engine::bot;
use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::view::{View, view};

/// Lays the first meld that leaves a card to discard, and never takes the pile.
fn choose(view: &View, steps: &[Action]) -> Action {
    let held = view.own_hand().map_or(0, |hand| hand.len());
    let melds = |step: &&Action| matches!(step, Action::Meld(_)) && held > 2;
    let draws = |step: &&Action| !matches!(step, Action::TakePile(_) | Action::TakeTop);
    let step = steps.iter().find(melds).or_else(|| steps.iter().find(draws));
    step.unwrap_or(&steps[0]).clone()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = LoggedGame::new("classic-2p", GameId([1; 16]), GameSecret([2; 64]))?;
    while !game.is_over() {
        let (actor, steps) = (game.actor(), game.legal().actions);
        let seen = view(game.table(), actor);
        let action = match actor {
            As::Seat(seat) if seat.index() == 0 => choose(&seen, &steps),
            // The engine's own bot; its seed decides between equally good steps.
            _ => bot::suggest(&seen, &steps, 7),
        };
        game.play(actor, &action)?;
    }
    println!("own bot against the engine's bot: {:?}", game.table().scores());
    Ok(())
}
