//! Games and positions for the other files.

use crate::support::CATALOGUE;
use canasta_engine::action::As;
use canasta_engine::deal::simulate;
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::game::Link;
use canasta_engine::invariant;
use canasta_engine::legal;
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Setup};
use canasta_engine::token::{decode, encode, max_len};
use std::sync::Arc;

/// A generator of numbers that look random and are the same in every run.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 29
    }

    pub fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 33) as usize) % bound
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn bytes<const N: usize>(&mut self) -> [u8; N] {
        std::array::from_fn(|_| (self.next() >> 40) as u8)
    }
}

/// Returns the rules of the presets that are played.
pub fn played() -> Vec<&'static Arc<Rules>> {
    PresetId::all().filter_map(|preset| CATALOGUE.get(preset)).collect()
}

pub fn rules(name: &str) -> &'static Arc<Rules> {
    let preset = PresetId::from_name(name).expect("a preset");
    CATALOGUE.get(preset).expect("a preset that is played")
}

pub fn seeded(seed: u64, game: u32) -> Dealing {
    let secret = simulate::game_secret(seed, game);
    Dealing::new(simulate::game_id(&secret), DealSource::Seeded(secret), false)
}

/// Returns a game before its first register, whose log already has a million records.
pub fn new_game(rules: &Arc<Rules>, seed: u64, game: u32) -> Game {
    let mut setup = Setup::new(rules.clone(), Seat(1));
    (setup.phase, setup.step) = (Phase::Setup, 900_000);
    let link = Link { n: 1_000_000, head: Rng(seed ^ u64::from(game)).bytes() };
    let table = setup.into_table().expect("a game can begin");
    Game { link, expires_at: Some(1_900_000_000_000), ..Game::of(table, seeded(seed, game)) }
}

/// Plays a whole game at random and passes every state to `each`.
pub fn play(mut state: Game, rng: &mut Rng, mut each: impl FnMut(&Game)) {
    loop {
        each(&state);
        match state.table.phase() {
            Phase::Setup => state.register_due(),
            Phase::RoundOver => drop(scoring::book(&mut state.table)),
            Phase::GameOver => return,
            // Random players of some games never come to the end.
            Phase::Deal if state.table.round_number() > 12 => return,
            _ => {
                let steps = legal::steps(&state.table).actions;
                let action = &steps[rng.below(steps.len())];
                let actor = state.table.to_act().map_or(As::Table, As::Seat);
                let legal = state.check(actor, action).expect("steps are legal");
                state.apply(legal);
            }
        }
    }
}

/// Checks that a token gives the same state again and is no longer than `max_len`. Returns the token's length.
pub fn round_trip(state: &Game) -> usize {
    assert_eq!(invariant::check_all(&state.table), Ok(()), "{state:?}");
    let token = encode(state);
    let most = max_len(state);
    assert!(token.len() <= most, "{} bytes, at most {most} promised: {state:?}", token.len());
    match decode(&token, &CATALOGUE) {
        Ok(back) => assert_eq!(&back, state),
        Err(error) => panic!("{error}: {state:?}"),
    }
    token.len()
}
