//! The spread of boards: the standard deviation of the difference between two tables that play the same cards, from which
//! the scale of IMPs of an event follows (replay-cli/src/event/deviations.txt, docs/EVENT.md). A board is a whole game of
//! some rounds from zero. Bots play it twice, with the same cards and other draws of the bots, and the result of a table is
//! the difference of the first side from the best other side.
//!
//!     cargo run --release -p canasta-engine --example board_deviation -- [RULE_SET] [ROUNDS] [BOARDS] [SEED]
//!
//! It prints a line of the table: rule set, rounds, boards, seed, standard deviation in points.

use canasta_engine::LoggedGame;
use canasta_engine::action::As;
use canasta_engine::bot;
use canasta_engine::deal::simulate::{bot_seed, game_id, game_secret};
use canasta_engine::game::{NewDeal, NewGame};
use canasta_engine::legal::aside;
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::view::view;
use std::sync::Arc;

fn main() {
    let mut words = std::env::args().skip(1);
    let preset = words.next().unwrap_or_else(|| "classic-4p".into());
    let mut number = |absent| words.next().map_or(absent, |word| word.parse().expect("a number"));
    let (rounds, boards, seed) = (number(1), number(1_000), number(1));
    let (played, deviation) = deviation(&preset, rounds, boards, seed);
    println!("{preset} {rounds} {played} {seed} {deviation}");
}

/// Returns the number of boards that bots have played, and the standard deviation of the difference between two tables.
pub fn deviation(preset: &str, rounds: u32, boards: u32, seed: u32) -> (usize, u64) {
    let base = PresetId::from_name(preset).expect("a rule set");
    let mut set = base.rule_set();
    (set.rounds, set.target) = (rounds as u8, 0);
    let rules = Arc::new(Rules::house(base, set, Some("board")).expect("rules that can be played"));
    let differences = (0..boards).filter_map(|board| {
        let result = |table| result(&rules, u64::from(seed), board, table);
        Some(result(0)? - result(1)?)
    });
    let squares: Vec<u64> = differences.map(|difference| difference.unsigned_abs().pow(2)).collect();
    (squares.len(), (squares.iter().sum::<u64>() / squares.len() as u64).isqrt())
}

/// Plays a board at a table, and returns the difference of the first side from the best other one; `None` if bots come to
/// no end.
fn result(rules: &Arc<Rules>, seed: u64, board: u32, table: u32) -> Option<i64> {
    let secret = game_secret(seed, board);
    // The cards are those of the board; the bots are those of the table.
    let draws = game_secret(seed ^ u64::MAX, board.wrapping_mul(2) + table);
    let new = NewGame::new(rules.clone(), game_id(&secret), NewDeal::Seeded(secret));
    let mut game = LoggedGame::create(new).expect("a seeded game");
    for _ in 0..100_000 {
        if game.is_over() {
            let (own, others) = game.table().scores().split_first()?;
            return Some(i64::from(*own) - i64::from(*others.iter().max()?));
        }
        let (actor, steps) = (game.actor(), game.legal().actions);
        let seed = |seat| bot_seed(&draws, seat);
        let action = match actor {
            As::Seat(seat) => bot::suggest(&view(game.table(), actor), &steps, seed(seat)),
            _ => steps.first()?.clone(),
        };
        game.play(actor, &action).ok()?;
        let seats = game.table().set().seats;
        let aside = (0..seats).map(Seat).find_map(|seat| {
            let seen = view(game.table(), As::Seat(seat));
            let wanted = bot::suggest_aside(&seen, &aside(game.table(), seat).actions, seed(seat));
            Some((As::Seat(seat), wanted?))
        });
        if let Some((actor, action)) = aside {
            game.play(actor, &action).ok()?;
        }
    }
    None
}
