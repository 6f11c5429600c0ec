//! Whole games for the benches.

use canasta_engine::LoggedGame;
use canasta_engine::action::Action;
use canasta_engine::deal::simulate;
use canasta_engine::game::{NewDeal, NewGame};
use canasta_engine::legal::{Steps, steps_into};
use canasta_engine::rules::Rules;
use std::sync::Arc;

/// The most rounds of a game: random play of some rule sets never reaches the target.
pub const ROUNDS_MAX: u16 = 30;

/// Returns a random number below `n`, with the multiplier and increment of PCG. The high bits are random enough to
/// choose a step.
pub fn below(seed: &mut u64, n: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (((*seed >> 32) * n as u64) >> 32) as usize
}

/// Plays game number `game` with its log, to its end or through [`ROUNDS_MAX`] rounds. `choose` returns the next action.
pub fn game(
    rules: &Arc<Rules>,
    game: u32,
    mut choose: impl FnMut(&LoggedGame, &Steps) -> Action,
) -> LoggedGame {
    let secret = simulate::game_secret(1, game);
    let new = NewGame::new(rules.clone(), simulate::game_id(&secret), NewDeal::Seeded(secret));
    let mut game = LoggedGame::create(new).expect("a game of simulated players");
    let mut steps = Steps::default();
    while !game.is_over() && game.table().round_number() <= ROUNDS_MAX {
        steps_into(game.table(), &mut steps);
        let action = choose(&game, &steps);
        game.play(game.actor(), &action).expect("a step is legal");
    }
    game
}
