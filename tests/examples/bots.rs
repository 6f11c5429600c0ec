//! The strength of the bot: `cargo run --release -p canasta-tests --example bots -- [GAMES [PRESET...]]`.
//!
//! Prints two tables, for bots against random players and for bots among themselves, over 400 games of each preset by
//! default.

use canasta_engine::rules::{PRESETS, Rules};
use canasta_tests::duel::{DuelTally, Players, play_all};
use std::process::ExitCode;
use std::sync::Arc;

/// Seed of the simulation, so that every run plays the same games.
const SEED: u64 = 20;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let games = arguments.next().map_or(Ok(400), |games| games.parse());
    let named: Vec<String> = arguments.collect();
    let named: Vec<&str> =
        if named.is_empty() { PRESETS.to_vec() } else { named.iter().map(String::as_str).collect() };
    let presets: Option<Vec<(&str, Arc<Rules>)>> =
        named.into_iter().map(|id| Some((id, Arc::new(Rules::preset(id)?)))).collect();
    let (Ok(games @ 1..), Some(presets)) = (games, presets) else {
        eprintln!("usage: bots [GAMES [PRESET...]], with at least 1 game and names of presets");
        return ExitCode::from(2);
    };
    println!("{games} games each, seed {SEED}; canastas are natural / mixed / wild / sequences, a round\n");
    for (title, players) in
        [("bots v. random players", Players::BotsAgainstRandom), ("bots v. bots", Players::Bots)]
    {
        println!(
            "| {title} | won % | points a round | others' | rounds a game | ended by going out % | canastas |"
        );
        println!("| --- | --- | --- | --- | --- | --- | --- |");
        for (id, rules) in &presets {
            println!("{}", row(id, &play_all(rules, players, SEED, games), players));
        }
        println!();
    }
    ExitCode::SUCCESS
}

fn row(id: &str, tally: &DuelTally, players: Players) -> String {
    let (share, error) = tally.win_share();
    let rounds = f64::from(tally.rounds);
    let percent = |count: u32| 100.0 * f64::from(count) / rounds;
    let canastas = tally.canastas.map(|count| format!("{:.2}", f64::from(count) / rounds)).join(" / ");
    let out = match players {
        Players::Bots => format!("{:.1}", percent(tally.out)),
        Players::BotsAgainstRandom => {
            format!("{:.1}, bots {:.1}", percent(tally.out), percent(tally.own_out))
        }
    };
    let special = match tally.special {
        0 => String::new(),
        count => format!(", special hands {:.3}", f64::from(count) / rounds),
    };
    let cut = match tally.cut_short {
        0 => String::new(),
        count => format!(" ({count} games not ended)"),
    };
    format!(
        "| {id} | {:.1} ± {:.1} | {:.0} | {:.0} | {:.1}{cut} | {out} | {canastas}{special} |",
        100.0 * share,
        100.0 * error,
        tally.points as f64 / rounds,
        tally.other_points as f64 / rounds,
        rounds / f64::from(tally.games),
    )
}
