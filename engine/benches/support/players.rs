//! Games of the engine's bot, some with random moves, for the sizes of archives.

use super::walk;
use canasta_engine::action::As;
use canasta_engine::bot::suggest;
use canasta_engine::deal::simulate;
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_engine::view::view;
use std::sync::Arc;

/// One of so many moves of a mixed game is random.
const EVERY: usize = 10;

/// Plays a game of bots; in a mixed game some moves are random. Returns its log, and the sum of log2 of the number of
/// legal steps over its positions.
pub fn play(rules: &Arc<Rules>, number: u32, is_mixed: bool) -> (Vec<u8>, f64) {
    let secret = simulate::game_secret(1, number);
    let bots: Vec<u64> = (0..6).map(|seat| simulate::bot_seed(&secret, Seat(seat))).collect();
    let (mut bits, mut seed) = (0.0, u64::from(number));
    let game = walk::game(rules, number, |game, steps| {
        bits += (steps.actions.len() as f64).log2();
        match game.actor() {
            As::Seat(_) if is_mixed && walk::below(&mut seed, EVERY) == 0 => {
                steps.actions[walk::below(&mut seed, steps.actions.len())].clone()
            }
            actor @ As::Seat(seat) => suggest(&view(game.table(), actor), &steps.actions, bots[seat.index()]),
            _ => steps.actions[0].clone(),
        }
    });
    (game.into_parts().1, bits)
}
