//! The cost of a token in time and bytes, over positions of random `classic-4p` games:
//! `cargo bench -p canasta-engine --bench token`. See `support` for the options.

mod support;

use canasta_engine::action::{Action, As};
use canasta_engine::game::Game;
use canasta_engine::rules::Rules;
use canasta_engine::table::Phase;
use canasta_engine::token::{Catalogue, decode, decode_into, encode, encode_into};
use std::hint::black_box;
use std::sync::Arc;
use support::{Bench, walk};

const GAMES: u32 = 12;
/// One of so many positions is measured.
const EVERY: usize = 16;

/// A position in play, its token, and a legal action of its actor.
struct Sample {
    game: Game,
    token: Vec<u8>,
    actor: As,
    action: Action,
}

fn samples(games: u32) -> Vec<Sample> {
    let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
    let (mut seed, mut samples) = (7, Vec::new());
    for number in 0..games {
        walk::game(&rules, number, |game, steps| {
            let action = steps.actions[walk::below(&mut seed, steps.actions.len())].clone();
            if game.table().phase() != Phase::Deal && walk::below(&mut seed, EVERY) == 0 {
                let (actor, mut game) = (game.actor(), game.game().clone());
                game.expires_at = Some(1_900_000_000_000);
                samples.push(Sample { token: encode(&game), game, actor, action: action.clone() });
            }
            action
        });
    }
    samples
}

fn main() {
    let Some(mut bench) = Bench::new("token") else { return };
    let (catalogue, samples) = (Catalogue::new(), samples(bench.games(GAMES)));
    let mut each = |id: &str, work: &mut dyn FnMut(&Sample)| {
        bench.time(
            id,
            || (),
            |()| {
                samples.iter().for_each(|sample| work(black_box(sample)));
                samples.len() as u64
            },
        );
    };
    each("decode", &mut |sample| {
        black_box(decode(&sample.token, &catalogue).is_ok());
    });
    each("encode", &mut |sample| {
        black_box(encode(&sample.game));
    });
    let mut reused = samples[0].game.clone();
    each("decode.into", &mut |sample| {
        black_box(decode_into(&mut reused, &sample.token, &catalogue).is_ok());
    });
    let (mut reused, mut token) = (samples[0].game.clone(), Vec::new());
    each("step.into", &mut |sample| {
        decode_into(&mut reused, &sample.token, &catalogue).expect("the sample is a token");
        let legal = reused.check(sample.actor, &sample.action).expect("the sample is legal");
        reused.apply_into(legal, &mut ());
        token.clear();
        encode_into(&reused, &mut token);
        black_box(&token);
    });
    each("step", &mut |sample| {
        let mut game = decode(&sample.token, &catalogue).expect("the sample is a token");
        let legal = game.check(sample.actor, &sample.action).expect("the sample is legal");
        black_box(game.apply(legal));
        black_box(encode(&game));
    });
    bench.size("bytes", samples.iter().map(|sample| sample.token.len() as f64).collect());
    bench.finish();
}
