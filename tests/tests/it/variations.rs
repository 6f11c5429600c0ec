//! Every variation that presets offer by name, played in whole games with the variations that it needs, and audited.
//!
//! `CANASTA_GAMES` sets the number of games per variation: half of them are played by bots alone, the others by mixed
//! players. `CANASTA_RULES` lists the beginnings of the presets' names (all by default). By default every variation
//! is played once, with one of its presets. A test of the engine checks that every preset can be played with each of
//! its variations, and with each two that go together.

use canasta_engine::action::As;
use canasta_engine::bot;
use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal::steps;
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::rules::{PresetId, Rules, Variation};
use canasta_engine::table::Phase;
use canasta_engine::view::view;
use canasta_tests::variations::{each_once, offered, ways};
use canasta_tests::whole::{GameCounts, GamePlan, TablePlayers, watch};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

/// Beginnings of the names of presets in which a round loses thousands of points as easily as it wins them: the
/// totals of bots wander, and a game to 8500 may last for hundreds of rounds.
const SLOW: &[&str] = &["american"];

/// Maximum number of rounds of a log.
const ROUNDS: u16 = 2;

/// Plays games of one rule set, in turn by bots and by mixed players. Returns the failed check, if any, as an error.
fn play(
    rules: &Arc<Rules>,
    games: std::ops::Range<u32>,
    every: u64,
    seen: &mut GameCounts,
) -> Result<(), String> {
    for game in games {
        // Random players lose points, so their games may never end.
        let (players, rounds) =
            if game % 2 == 0 { (TablePlayers::Bots, 100) } else { (TablePlayers::Mixed, 3) };
        let plan = GamePlan { seed: 5, players, rounds, every };
        let watched = catch_unwind(AssertUnwindSafe(|| watch(rules, game, &plan, seen)));
        watched.map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            format!("{}, game {game}: {}", rules.id(), text.unwrap_or_else(|| String::from("panicked")))
        })?;
        let is_slow = SLOW.iter().any(|name| rules.id().starts_with(name));
        if players == TablePlayers::Bots && seen.longest >= rounds && !is_slow {
            return Err(format!("{}, game {game}: no end after {rounds} rounds", rules.id()));
        }
    }
    Ok(())
}

/// Returns the log of a game of bots, up to the end of round [`ROUNDS`].
fn log_of(rules: &Arc<Rules>) -> Vec<u8> {
    let secret = simulate::game_secret(7, 0);
    let new = NewGame::new(rules.clone(), simulate::game_id(&secret), NewDeal::Seeded(secret));
    let created = Game::create(new).unwrap_or_else(|error| panic!("{}: {error:?}", rules.id()));
    let (mut state, mut log) = (created.game, created.frames);
    while state.table.phase() != Phase::GameOver && state.table.round_number() <= ROUNDS {
        let actor = state.table.to_act().map_or(As::Table, As::Seat);
        let action = bot::suggest(&view(&state.table, actor), &steps(&state.table).actions, 3);
        let acted = state.act(actor, &action, Stamp::default());
        log.extend(acted.unwrap_or_else(|error| panic!("{}: {error:?}", rules.id())).frames);
    }
    log
}

/// Audits a log of these rules. Returns the findings, if any, as an error.
fn audited(rules: &Arc<Rules>) -> Result<(), String> {
    let report = audit(&log_of(rules), Expect { live: true, ..Expect::default() });
    if report.findings.is_empty() { Ok(()) } else { Err(format!("{}: {:?}", rules.id(), report.findings)) }
}

fn chosen(wanted: Option<u32>) -> Vec<(PresetId, Variation)> {
    let words = std::env::var("CANASTA_RULES").unwrap_or_default();
    let mut chosen = if wanted.is_none() { each_once() } else { offered() };
    chosen.retain(|(base, _)| words.split(',').any(|word| base.name().starts_with(word)));
    chosen
}

#[test]
fn every_variation_is_played_soundly_and_audits_clean() {
    let wanted: Option<u32> = std::env::var("CANASTA_GAMES").ok().and_then(|text| text.parse().ok());
    let (mut seen, mut faults, mut played, began) = (GameCounts::default(), Vec::new(), 0, Instant::now());
    for (number, (base, one)) in chosen(wanted).into_iter().enumerate() {
        let start = Instant::now();
        // By default one way to choose a variation is played; a game of bots and a game of mixed players take turns.
        let ways = ways(base, &one).into_iter().take(if wanted.is_none() { 1 } else { usize::MAX });
        let from = u32::from(wanted.is_none()) * (number as u32 % 2);
        let mut here = GameCounts::default();
        for (chosen, set) in ways {
            let rules = Rules::house(base, set, Some(&chosen.join(" "))).map(Arc::new);
            let rules = rules.unwrap_or_else(|error| panic!("{} {chosen:?}: {error}", base.name()));
            let games = from..from + wanted.unwrap_or(1);
            faults.extend(play(&rules, games, if wanted.is_none() { 7 } else { 31 }, &mut here).err());
            faults.extend(audited(&rules).err());
            played += 1;
        }
        println!(
            "{:22} {:30} {:5} games {:3} longest {:8} actions {:.2} s {:?}",
            base.name(),
            one.id,
            here.games,
            here.longest,
            here.actions,
            start.elapsed().as_secs_f64(),
            here.ends,
        );
        seen.add(&here);
    }
    println!("{played} rule sets in {:.1} s: {seen:?}", began.elapsed().as_secs_f64());
    assert!(faults.is_empty(), "{} of {played} rule sets:\n{}", faults.len(), faults.join("\n"));
    assert!(seen.steps > 0 && seen.refused > 0);
}
