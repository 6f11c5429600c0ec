//! Random whole games: never stuck, cards conserved, every step accepted.

use canasta_engine::action::As;
use canasta_engine::apply::apply;
use canasta_engine::check::check;
use canasta_engine::deal::simulate;
use canasta_engine::legal;
use canasta_engine::rules::Rules;
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::state::{DealSource, Origin, Phase, Registration, State};
use std::sync::Arc;

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

fn new_game(rules: &Arc<Rules>, i: u32) -> State {
    let secret = simulate::game_secret(1, i);
    let origin = Origin {
        game_id: simulate::game_id(&secret),
        registration: Registration::Auto,
        source: DealSource::Seeded(secret),
        expires_at: None,
    };
    State::new(rules.clone(), origin, Seat(0))
}

#[test]
fn random_games_never_get_stuck() {
    let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
    let mut rng = Rng(7);
    let (mut actions, mut steps_seen, mut reasons) = (0u64, 0u64, [0u32; 8]);
    let began = std::time::Instant::now();
    for i in 0..200 {
        let mut state = new_game(&rules, i);
        for _round in 0..4 {
            state.register();
            while state.phase() != Phase::RoundOver {
                let steps = legal::steps(&state);
                assert!(!steps.actions.is_empty(), "stuck: {state:?}");
                let action = &steps.actions[rng.below(steps.actions.len())];
                let actor = state.to_act().map_or(As::Table, As::Seat);
                let legal = match check(&state, actor, action) {
                    Ok(legal) => legal,
                    Err(rejection) => panic!("{action:?} refused: {rejection}\n{state:?}"),
                };
                apply(&mut state, legal);
                canasta_engine::invariant::check_all(&state).unwrap();
                actions += 1;
                steps_seen += steps.actions.len() as u64;
            }
            reasons[state.round_over().unwrap().reason as usize] += 1;
            if scoring::book(&mut state).1.is_some() {
                break;
            }
        }
    }
    println!(
        "{actions} actions, {} steps each, {:?}, reasons {reasons:?}",
        steps_seen / actions,
        began.elapsed()
    );
}
