//! One game of the arena: the first scored round of a deal, or a whole game.

use super::chair::Chair;
use super::decision::{SeatDecision, heard};
use canasta_engine::action::As;
use canasta_engine::bot::RoundMemory;
use canasta_engine::deal::simulate;
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::legal::{self, Steps};
use canasta_engine::rules::Rules;
use canasta_engine::scoring;
use canasta_engine::seat::{SEATS_MAX, Seat};
use canasta_engine::table::{Phase, Table};
use canasta_engine::view::events;
use std::sync::Arc;

/// Maximum number of actions of a round, and of rounds of a game; a longer one counts as it stands.
const MOST_ACTIONS: u32 = 5000;
const MOST_ROUNDS: u16 = 60;

/// Plays deal `number` of a seed, with a chair per seat. Returns the points of each unit (side, or seat where seats score).
///
/// # Errors
/// If a program cannot play.
pub fn play(
    rules: &Arc<Rules>,
    (seed, number): (u64, u32),
    is_whole: bool,
    chairs: &mut [Chair],
) -> anyhow::Result<Vec<i64>> {
    let secret = simulate::game_secret(seed, number);
    let dealing = Dealing::new(simulate::game_id(&secret), DealSource::Seeded(secret.clone()), false);
    let mut state = Game::new(rules.clone(), dealing, Seat(0));
    for (seat, chair) in (0..).map(Seat).zip(&mut *chairs) {
        chair.begin(&state.table, seat, simulate::bot_seed(&secret, seat))?;
    }
    let points: Vec<i64> = loop {
        play_round(&mut state, chairs)?;
        let scores = |table: &Table| table.scores().iter().copied().map(i64::from).collect::<Vec<_>>();
        if state.table.phase() != Phase::RoundOver {
            let accounts = scoring::on_table(&state.table);
            break scores(&state.table)
                .iter()
                .zip(accounts)
                .map(|(score, of)| score + i64::from(of.total))
                .collect();
        }
        // A draw for seats has no score, and the first round follows.
        let (score, result) = scoring::book(&mut state.table);
        if !is_whole && !score.accounts.is_empty() {
            break score.accounts.iter().map(|account| account.total.into()).collect();
        }
        if result.is_some() || state.table.round_number() > MOST_ROUNDS {
            break scores(&state.table);
        }
    };
    chairs.iter_mut().try_for_each(|chair| chair.end(&points))?;
    Ok(points)
}

fn play_round(state: &mut Game, chairs: &mut [Chair]) -> anyhow::Result<()> {
    let (mut memory, mut steps) = (RoundMemory::default(), Steps::default());
    let (mut history, mut seen) = (Vec::new(), [0; SEATS_MAX]);
    state.register_due();
    for _ in 0..MOST_ACTIONS {
        if state.table.phase() == Phase::RoundOver {
            break;
        }
        legal::steps_into(&state.table, &mut steps);
        let (actor, table, steps) = (legal::actor(&state.table), &state.table, &steps.actions);
        let mut chosen = 0;
        if let As::Seat(seat) = actor {
            let since = &history[std::mem::replace(&mut seen[seat.index()], history.len())..];
            let decision = SeatDecision { table, seat, memory: &memory, since, steps };
            chosen = chairs[seat.index()].choose(&decision)?;
            history.push((actor, heard(&steps[chosen])));
        }
        let legal = state.check(actor, &steps[chosen]).expect("a listed step is legal");
        memory.see(actor, &events(&state.apply(legal), As::Spectator));
    }
    Ok(())
}
