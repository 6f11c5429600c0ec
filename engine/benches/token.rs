//! What a token costs: nanoseconds and bytes, over states of random `classic-4p` games.
//!
//! Each figure is the median of the rounds, a round being the whole sample once. Run with
//! `cargo bench -p canasta-engine --bench token`.

#![expect(clippy::disallowed_methods, reason = "a benchmark takes the time")]

use canasta_engine::action::{Action, As};
use canasta_engine::deal::simulate;
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::legal;
use canasta_engine::rules::PresetId;
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_engine::token::{Catalogue, decode, encode, encode_into, max_len};
use std::hint::black_box;
use std::time::Instant;

const GAMES: u32 = 12;
const ROUNDS: usize = 2000;

/// A state in play, who acts, and something legal to do.
struct Sample {
    state: Game,
    actor: As,
    action: Action,
}

fn main() {
    // Test harnesses call every bench target with flags of their own; only `cargo bench` means it.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    let catalogue = Catalogue::new();
    let samples = samples(&catalogue);
    let tokens: Vec<Vec<u8>> = samples.iter().map(|sample| encode(&sample.state)).collect();
    let count = samples.len();

    let mut sizes: Vec<usize> = tokens.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    let state = &samples[0].state;
    println!("{count} states in play; a Game is {} bytes", size_of::<Game>());
    println!(
        "token bytes: min {}, median {}, 95 % {}, max {}; never over {}",
        sizes[0],
        sizes[count / 2],
        sizes[count * 95 / 100],
        sizes[count - 1],
        max_len(state)
    );

    let mut buffer = Vec::with_capacity(512);
    report("encode", count, || {
        for sample in &samples {
            black_box(encode(black_box(&sample.state)));
        }
    });
    report("encode into a kept buffer", count, || {
        for sample in &samples {
            buffer.clear();
            encode_into(black_box(&sample.state), &mut buffer);
            black_box(&buffer);
        }
    });
    report("decode", count, || {
        for token in &tokens {
            black_box(decode(black_box(token), &catalogue).is_ok());
        }
    });
    report("clone of the state, for comparison", count, || {
        for sample in &samples {
            black_box(black_box(&sample.state).clone());
        }
    });
    report("check and apply on a clone", count, || {
        for sample in &samples {
            let mut state = sample.state.clone();
            let legal = state.check(sample.actor, &sample.action).expect("the sample is legal");
            black_box(state.apply(legal));
        }
    });
    report("stateless step: decode, check, apply, encode", count, || {
        for (token, sample) in tokens.iter().zip(&samples) {
            let mut state = decode(black_box(token), &catalogue).expect("the sample is a token");
            let legal = state.check(sample.actor, &sample.action).expect("the sample is legal");
            black_box(state.apply(legal));
            black_box(encode(&state));
        }
    });
}

fn report(what: &str, count: usize, mut once: impl FnMut()) {
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            once();
            began.elapsed().as_nanos() as f64 / count as f64
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    println!("{:>8.1} ns  {what}  (best {:.1})", rounds[ROUNDS / 2], rounds[0]);
}

fn samples(catalogue: &Catalogue) -> Vec<Sample> {
    let preset = PresetId::from_name("classic-4p").expect("classic-4p is a preset");
    let rules = catalogue.get(preset).expect("classic-4p is played");
    let mut random = 7u64;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % bound
    };
    let mut samples = Vec::new();
    for game in 0..GAMES {
        let secret = simulate::game_secret(2, game);
        let dealing = Dealing::new(simulate::game_id(&secret), DealSource::Seeded(secret), false);
        let mut state = Game::new(rules.clone(), dealing, Seat(0));
        state.expires_at = Some(1_900_000_000_000);
        while state.table.phase() != Phase::GameOver {
            match state.table.phase() {
                Phase::Setup => state.register_due(),
                Phase::RoundOver => drop(scoring::book(&mut state.table)),
                _ => {
                    let mut steps = legal::steps(&state.table).actions;
                    let action = steps.swap_remove(below(steps.len()));
                    let actor = state.table.to_act().map_or(As::Table, As::Seat);
                    if state.table.phase() != Phase::Deal && below(64) == 0 {
                        samples.push(Sample { state: state.clone(), actor, action: action.clone() });
                    }
                    let legal = state.check(actor, &action).expect("steps are legal");
                    state.apply(legal);
                }
            }
        }
    }
    samples
}
