//! How small and how fast logs are packed: `cargo bench -p canasta-engine --bench archive [-- PRESET...]`.
//!
//! Games of the engine's bot, every preset that is played, in bytes an action beside the entropy of the same
//! games: the bits that an index among `legal::steps` takes, each step as likely as another. CPU time of one
//! thread, beside an audit of the same logs in the same minute.

use canasta_engine::action::As;
use canasta_engine::archive::{Content, pack, unpack};
use canasta_engine::bot::suggest;
use canasta_engine::deal::simulate;
use canasta_engine::dealing::Registration;
use canasta_engine::game::{Created, Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal::{Steps, steps_into};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::record::Player;
use canasta_engine::rules::{FirstDealer, PresetId, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_engine::view::view;
use std::sync::Arc;

mod clock;

use clock::cpu_ns;

const GAMES: u32 = 20;

/// A game of bots: its log, and the bits of its steps.
fn play(rules: &Arc<Rules>, game: u32) -> (Vec<u8>, f64) {
    let secret = simulate::game_secret(1, game);
    let player = |seat| Player { name: format!("Player {seat}"), key: None };
    let bots: Vec<u64> = (0..6).map(|seat| simulate::bot_seed(&secret, Seat(seat))).collect();
    let created = Game::create(NewGame {
        rules: rules.clone(),
        game_id: simulate::game_id(&secret),
        deal: NewDeal::Seeded(secret),
        dealer: (rules.set().first_dealer == FirstDealer::Given).then_some(Seat(0)),
        players: (0..rules.set().seats).map(player).collect(),
        registration: Registration::Auto,
        started_at_ms: None,
        expires_at: None,
        fork_of: None,
    });
    let Created { game: mut state, frames: mut log } = created.expect("a game of simulated players");
    let (mut steps, mut bits) = (Steps::default(), 0.0);
    while state.table.phase() != Phase::GameOver {
        steps_into(&state.table, &mut steps);
        bits += (steps.actions.len() as f64).log2();
        let actor = state.table.to_act().map_or(As::Table, As::Seat);
        let action = match actor {
            As::Seat(seat) => suggest(&view(&state.table, actor), &steps.actions, bots[seat.index()]),
            _ => steps.actions[0].clone(),
        };
        let acted = state.act(actor, &action, Stamp::default()).expect("a step is legal");
        log.extend(acted.frames);
    }
    (log, bits)
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    println!("{GAMES} games of bots each; bytes an action, ns an action");
    println!(
        "{:20} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "", "actions", "log", "archive", "play", "entropy", "others", "pack", "unpack", "audit"
    );
    for preset in PresetId::all().map(PresetId::name) {
        let is_wanted = wanted.is_empty() || wanted.iter().any(|wanted| wanted == preset);
        let Some(rules) = Rules::preset(preset).filter(|_| is_wanted).map(Arc::new) else { continue };
        let games: Vec<(Vec<u8>, f64)> = (0..GAMES).map(|game| play(&rules, game)).collect();
        let began = cpu_ns();
        let packed: Vec<_> = games.iter().map(|(log, _)| pack(log)).collect();
        let packed_ns = cpu_ns() - began;
        let began = cpu_ns();
        for ((log, _), packed) in games.iter().zip(&packed) {
            assert!(unpack(&packed.body, &packed.bounds(log)).as_ref() == Ok(log), "comes back byte by byte");
        }
        let unpacked_ns = cpu_ns() - began;
        let began = cpu_ns();
        assert!(
            games.iter().all(|(log, _)| audit(log, Expect::default()).findings.is_empty()),
            "audits clean"
        );
        let audited_ns = cpu_ns() - began;
        let sum =
            |of: fn(&Content) -> u64| packed.iter().map(|packed| of(&packed.content)).sum::<u64>() as f64;
        let actions = sum(|content| content.actions);
        let bytes = games.iter().map(|(log, _)| log.len()).sum::<usize>() as f64;
        let bodies = packed.iter().map(|packed| packed.body.len()).sum::<usize>() as f64;
        let bits = games.iter().map(|(_, bits)| bits).sum::<f64>();
        let play = sum(|content| content.play);
        println!(
            "{preset:20} {actions:8} {:8.2} {:8.3} {:8.3} {:8.3} {:8.3} {:8.0} {:8.0} {:8.0}",
            bytes / actions,
            bodies / actions,
            play / actions,
            bits / 8.0 / actions,
            (bodies - play) / actions,
            packed_ns as f64 / actions,
            unpacked_ns as f64 / actions,
            audited_ns as f64 / actions,
        );
    }
}
