//! Every switch value that the texts offer, played in whole games.
//!
//! `data/switches/offered.txt` has them by preset. `CANASTA_GAMES` says how many games of each are played, half of
//! them by bots alone, the others by mixed players; `CANASTA_RULES` the beginnings of the presets' names (all if it
//! is not set). By default every line is played once, with one of its presets each.

use canasta_engine::rules::{Knob, PresetId, Rules, SWITCHES};
use canasta_tests::switches::table;
use canasta_tests::whole::{Plan, Players, Seen, watch};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

/// Where a round loses thousands as easily as it wins them: the totals of bots wander, and a game to 8500 may last for
/// hundreds of rounds.
const SLOW: &[&str] = &["american"];

#[test]
fn the_table_lists_what_is_offered() {
    let mut listed = BTreeSet::new();
    for line in table() {
        assert!(!line.presets.is_empty(), "{} is of no preset", line.name());
        for &base in &line.presets {
            let (set, name) = (line.switched(base), format!("{}: {}", base.name(), line.name()));
            assert_eq!(set.is_offered_by(base), Ok(()), "{name}");
            let original = base.rule_set();
            let changed: BTreeSet<&str> = set.differences(&original).map(|knob| knob.name).collect();
            assert_eq!(changed, line.knobs.iter().map(|(knob, _)| *knob).collect(), "{name}");
            assert!(set.validate().is_ok(), "{name}: {:?}", set.validate());
            listed.extend(set.differences(&original).map(|knob| (base, knob.name, knob.value(&set))));
        }
    }
    // And the engine offers nothing that the table has not.
    for switch in SWITCHES {
        for base in switch.presets.iter().map(|name| PresetId::from_name(name).expect("a preset")) {
            for value in switch.values {
                let own = Knob::named(switch.knob).expect("a knob").value(&base.rule_set());
                let is_listed = listed.iter().any(|(of, knob, found)| {
                    (*of, *knob) == (base, switch.knob) && is_like(found.trim_matches('"'), value)
                });
                assert!(is_listed || is_like(own.trim_matches('"'), value), "{}: {switch:?}", base.name());
            }
            let any = listed.iter().any(|(of, knob, _)| (*of, *knob) == (base, switch.knob));
            assert!(any, "{}: {switch:?}", base.name());
        }
    }
}

/// Whether a value is the pattern, in which a star stands for a number.
fn is_like(value: &str, pattern: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return value == pattern };
    let middle = value.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail));
    middle.is_some_and(|number| number.parse::<u32>().is_ok())
}

/// The games of one switched preset, bots and mixed players in turn; what does not hold, if anything.
fn play(rules: &Arc<Rules>, games: std::ops::Range<u32>, every: u64, seen: &mut Seen) -> Result<(), String> {
    for game in games {
        // Random players lose points for ever.
        let (players, rounds) = if game % 2 == 0 { (Players::Bots, 100) } else { (Players::Mixed, 3) };
        let plan = Plan { seed: 5, players, rounds, every };
        let watched = catch_unwind(AssertUnwindSafe(|| watch(rules, game, &plan, seen)));
        watched.map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            format!("{}, game {game}: {}", rules.id(), text.unwrap_or_else(|| String::from("panicked")))
        })?;
        let is_slow = SLOW.iter().any(|name| rules.id().starts_with(name));
        if players == Players::Bots && seen.longest >= rounds && !is_slow {
            return Err(format!("{}, game {game}: no end after {rounds} rounds", rules.id()));
        }
    }
    Ok(())
}

#[test]
fn every_switch_is_played_soundly() {
    let wanted: Option<u32> = std::env::var("CANASTA_GAMES").ok().and_then(|text| text.parse().ok());
    let words = std::env::var("CANASTA_RULES").unwrap_or_default();
    let (mut seen, mut faults, mut switched, began) = (Seen::default(), Vec::new(), 0, Instant::now());
    for (number, line) in table().iter().enumerate() {
        let mut presets: Vec<PresetId> = line.presets.clone();
        if wanted.is_none() {
            presets = vec![presets[number % presets.len()]];
        }
        presets.retain(|base| words.split(',').any(|word| base.name().starts_with(word)));
        for base in presets {
            let start = Instant::now();
            let rules = Rules::house(base, line.switched(base), Some("switched")).map(Arc::new);
            let rules = rules.unwrap_or_else(|error| panic!("{}: {}: {error}", base.name(), line.name()));
            // By default a game of bots and one of others take turns.
            let from = u32::from(wanted.is_none()) * (number as u32 % 2);
            let mut here = Seen::default();
            let games = from..from + wanted.unwrap_or(1);
            let played = play(&rules, games, if wanted.is_none() { 7 } else { 31 }, &mut here);
            faults.extend(played.err().map(|fault| format!("{}: {fault}", line.name())));
            println!(
                "{:22} {:60} {:5} games {:3} longest {:8} actions {:.2} s {:?}",
                base.name(),
                line.name(),
                here.games,
                here.longest,
                here.actions,
                start.elapsed().as_secs_f64(),
                here.ends,
            );
            switched += 1;
            seen.add(&here);
        }
    }
    println!("{switched} switched presets in {:.1} s: {seen:?}", began.elapsed().as_secs_f64());
    assert!(faults.is_empty(), "{} of {switched} switched presets:\n{}", faults.len(), faults.join("\n"));
    assert!(seen.steps > 0 && seen.refused > 0);
}
