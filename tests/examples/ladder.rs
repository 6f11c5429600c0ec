//! The weights of the bot, fitted: `cargo run --release -p canasta-tests --example ladder -- help`.

use canasta_engine::bot::{TABLE, Weights};
use canasta_engine::rules::Rules;
use canasta_tests::games::Rng;
use canasta_tests::ladder::{Lesson, lessons};
use std::process::ExitCode;
use std::sync::Arc;

const USAGE: &str = "usage:
  ladder fit DECISIONS TABLES SEED PRESET...
                          fits the weights to what playing on says of so many decisions, and prints weights.txt
`canasta-replay arena` compares levels of the bot";

/// The share by which a weight is changed to see whether another value is better, in percent.
const CHANGES: [i32; 6] = [15, -15, 40, -30, 100, -70];
/// The values that are tried for a weight of 0.
const FIRST_VALUES: [i32; 3] = [5, 15, 50];
/// Minimum share of the points lost, over all presets, that a change must save.
const LEAST_GAIN: f64 = 0.004;

/// Number of times that lessons are taken.
const PASSES: u64 = 2;

type Presets = Vec<(String, Arc<Rules>)>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Some(()) => ExitCode::SUCCESS,
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Option<()> {
    match arguments {
        [command, count, tables, seed, presets @ ..] if command == "fit" => {
            fit(count.parse().ok()?, tables.parse().ok()?, seed.parse().ok()?, &named(presets)?);
        }
        _ => return None,
    }
    Some(())
}

fn named(presets: &[String]) -> Option<Presets> {
    presets.iter().map(|id| Some((id.clone(), Arc::new(Rules::preset(id)?)))).collect()
}

/// Fits the weights to lessons of games that are played by them, and then again to lessons of games by the fitted ones.
fn fit(count: usize, tables: u32, seed: u64, presets: &Presets) {
    let (best, column) = Weights::fitted(presets[0].1.set());
    let mut best = best.clone();
    for pass in 0..PASSES {
        best = learn(best, count, tables, seed + pass, presets);
        print_weights(column, &best);
    }
}

/// Changes one weight after the other, and keeps each change with which less is lost against the best steps.
fn learn(mut best: Weights, count: usize, tables: u32, seed: u64, presets: &Presets) -> Weights {
    let learned: Vec<Vec<Lesson>> =
        presets.iter().map(|(_, rules)| lessons(rules, &best, count, tables, seed)).collect();
    // What is only noise helps one half of the lessons, and seldom both.
    let (one, other): (Vec<_>, Vec<_>) = learned.iter().map(|all| all.split_at(all.len() / 2)).unzip();
    let first = [losses(&one, &best), losses(&other, &best)];
    eprintln!("points lost a decision: {:.1?} and {:.1?}", first[0], first[1]);
    let lost = |weights: &Weights| {
        [&one, &other]
            .map(|half| losses(half, weights))
            .iter()
            .zip(&first)
            .map(|(now, first)| now.iter().zip(first).map(|(now, first)| now / first).sum::<f64>())
            .collect::<Vec<f64>>()
    };
    let mut least = lost(&best);
    let mut rng = Rng(seed);
    loop {
        let began = least.clone();
        let mut order: Vec<usize> = (0..best.0.len()).collect();
        rng.shuffle(&mut order);
        for at in order {
            let old = best.0[at];
            let scaled = CHANGES.map(|change| old + (old * change + change.signum() * 50) / 100);
            for &value in if old == 0 { FIRST_VALUES.as_slice() } else { &scaled } {
                let mut changed = best.clone();
                changed.0[at] = value;
                let now = lost(&changed);
                let sum = |lost: &[f64]| lost.iter().sum::<f64>();
                if now[0] < least[0] && now[1] < least[1] && sum(&now) < sum(&least) - LEAST_GAIN {
                    (best, least) = (changed, now);
                }
            }
        }
        if least == began {
            break;
        }
    }
    eprintln!("after: {:.1?} and {:.1?}", losses(&one, &best), losses(&other, &best));
    best
}

/// Returns the points that the choices by these weights lose in each preset, a decision.
fn losses(lessons: &[&[Lesson]], weights: &Weights) -> Vec<f64> {
    let mean =
        |all: &&[Lesson]| all.iter().map(|lesson| lesson.loss(weights)).sum::<f64>() / all.len() as f64;
    lessons.iter().map(mean).collect()
}

/// Prints the table with other values in one column.
fn print_weights(column: usize, fitted: &Weights) {
    for (line, value) in TABLE.lines().zip(fitted.0) {
        let mut fields: Vec<String> = line.split_whitespace().map(String::from).collect();
        fields[column + 1] = value.to_string();
        println!(
            "{:<24} {}",
            fields[0],
            fields[1..].iter().map(|v| format!("{v:>5}")).collect::<Vec<_>>().join(" ")
        );
    }
}
