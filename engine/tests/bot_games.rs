//! Whole games of the bot: it beats a random player, and its games end.
#![allow(clippy::disallowed_methods, reason = "prints how fast it plays; the environment says how much")]

use canasta_engine::action::{Action, As};
use canasta_engine::apply::apply;
use canasta_engine::bot::suggest;
use canasta_engine::check::check;
use canasta_engine::deal::simulate;
use canasta_engine::legal::{self, Steps};
use canasta_engine::rules::Rules;
use canasta_engine::scoring::{self, Item};
use canasta_engine::seat::{Seat, Unit};
use canasta_engine::state::{DealSource, Origin, Phase, Registration, State};
use canasta_engine::view::view;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Games of each kind, unless `CANASTA_BOT_GAMES` names another number.
const GAMES: u32 = 40;

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// What was seen of all games of a kind.
#[derive(Default, Debug)]
struct Tally {
    games: u32,
    /// Won by the side of the bots.
    won: u32,
    rounds: u32,
    most_rounds: u32,
    actions: u64,
    decisions: u64,
    /// Rounds by how they ended.
    reasons: BTreeMap<&'static str, u32>,
    asked: u32,
    refused: u32,
    took: u32,
    /// Points of the bots' (first) side and of another, over all rounds.
    points: [i64; 2],
    canastas: [i64; 2],
    deciding: Duration,
}

fn games() -> u32 {
    std::env::var("CANASTA_BOT_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(GAMES)
}

fn new_game(rules: &Arc<Rules>, i: u32) -> (State, [u64; 6]) {
    let secret = simulate::game_secret(20, i);
    let seeds = [0, 1, 2, 3, 4, 5].map(|seat| simulate::bot_seed(&secret, Seat(seat)));
    let origin = Origin {
        game_id: simulate::game_id(&secret),
        registration: Registration::Auto,
        source: DealSource::Seeded(secret),
        expires_at: None,
    };
    let seats = u32::from(rules.set().seats);
    (State::new(rules.clone(), origin, Seat((i % seats) as u8)), seeds)
}

/// Plays a game; seats that play for the totals of `bots` are bots, the others choose any step with equal chance.
fn play(rules: &Arc<Rules>, i: u32, bots: &[Unit], tally: &mut Tally) {
    let (mut state, seeds) = new_game(rules, i);
    let own = bots[0].index();
    let mut rng = Rng(u64::from(i));
    let mut steps = Steps::default();
    loop {
        state.register();
        while state.phase() != Phase::RoundOver {
            legal::steps_into(&state, &mut steps);
            let actor = state.to_act().map_or(As::Table, As::Seat);
            let action = match actor {
                As::Seat(seat) if bots.contains(&state.unit_of(seat)) => {
                    let began = Instant::now();
                    let action = suggest(&view(&state, actor), &steps.actions, seeds[seat.index()]);
                    tally.deciding += began.elapsed();
                    tally.decisions += 1;
                    note(&action, tally);
                    action
                }
                _ => steps.actions[rng.below(steps.actions.len())].clone(),
            };
            let legal = check(&state, actor, &action).expect("the bot plays one of the steps");
            apply(&mut state, legal);
            tally.actions += 1;
        }
        let (score, result) = scoring::book(&mut state);
        if score.accounts.is_empty() {
            continue;
        }
        tally.rounds += 1;
        *tally.reasons.entry(score.over.reason.name()).or_default() += 1;
        for (who, account) in
            [own, usize::from(own == 0)].into_iter().map(|side| &score.accounts[side]).enumerate()
        {
            tally.points[who] += i64::from(account.total);
            let canastas = account
                .lines
                .iter()
                .filter(|line| matches!(line.item, Item::NaturalCanastas | Item::MixedCanastas));
            tally.canastas[who] += canastas.filter_map(|line| line.count).map(i64::from).sum::<i64>();
        }
        let Some(result) = result else { continue };
        tally.games += 1;
        tally.won += u32::from(result.winner == Some(Unit(own as u8)));
        tally.most_rounds = tally.most_rounds.max(u32::from(score.number));
        return;
    }
}

fn note(action: &Action, tally: &mut Tally) {
    match action {
        Action::Ask { .. } => tally.asked += 1,
        Action::Answer { yes: false } => tally.refused += 1,
        Action::TakePile(_) => tally.took += 1,
        _ => {}
    }
}

fn report(name: &str, tally: &Tally, took: Duration) {
    let per_round = |sum: i64| sum as f64 / f64::from(tally.rounds);
    println!(
        "{name}: {} games, won {}, {:.1} games/s",
        tally.games,
        tally.won,
        f64::from(tally.games) / took.as_secs_f64()
    );
    println!(
        "  rounds: {:.2} a game, at most {}; {:.0} actions a round; {:?}",
        f64::from(tally.rounds) / f64::from(tally.games),
        tally.most_rounds,
        per_round(tally.actions as i64),
        tally.reasons
    );
    println!(
        "  points a round: {:.0} against {:.0}; canastas {:.2} against {:.2}; piles {:.2}, questions {:.2}, refused {:.2}",
        per_round(tally.points[0]),
        per_round(tally.points[1]),
        per_round(tally.canastas[0]),
        per_round(tally.canastas[1]),
        per_round(tally.took.into()),
        per_round(tally.asked.into()),
        per_round(tally.refused.into()),
    );
    println!("  view and decision: {:.2} us", tally.deciding.as_secs_f64() * 1e6 / tally.decisions as f64);
}

fn classic() -> Arc<Rules> {
    Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"))
}

#[test]
fn the_bot_beats_random_players() {
    let (rules, mut tally, began) = (classic(), Tally::default(), Instant::now());
    for i in 0..games() {
        play(&rules, i, &[Unit((i % 2) as u8)], &mut tally);
    }
    report("bot against random", &tally, began.elapsed());
    assert!(tally.won * 100 >= tally.games * 95, "{tally:?}");
}

/// Presets of other families: there a side of bots wins at least three games in four. `CANASTA_BOT_GAMES=400` for
/// a verdict; a few games only show that it plays them well.
const OTHERS: &[&str] = &[
    "wahhi-6p",
    "wahhi-4p",
    "wahhi-2p",
    "wahhi-5p",
    "s3-4p",
    "gr-4p",
    "hand-and-foot-4p",
    "hand-and-foot-6p",
    "samba-4p",
    "bolivia-4p",
    "manzana-2p",
    "hoyle-2p",
];

#[test]
fn the_bot_beats_random_players_in_other_families() {
    OTHERS.iter().for_each(|id| wins_three_in_four(id, games().div_ceil(4)));
}

/// Among three more games are needed for the verdict: in Classic the points are often a random partner's too (of 400 it
/// wins 322 and 363).
#[test]
fn the_bot_beats_two_random_players() {
    ["classic-3p", "classic-3p-11", "wahhi-3p"].iter().for_each(|id| wins_three_in_four(id, games()));
}

fn wins_three_in_four(id: &str, games: u32) {
    let rules = Arc::new(Rules::preset(id).expect("a preset that is played"));
    let (mut tally, began) = (Tally::default(), Instant::now());
    for i in 0..games {
        let unit = i % u32::from(rules.set().unit_count());
        play(&rules, i, &[Unit(unit as u8)], &mut tally);
    }
    report(id, &tally, began.elapsed());
    assert!(tally.won * 100 >= tally.games * 75, "{id}: {tally:?}");
}

#[test]
fn games_of_bots_end() {
    let (rules, mut tally, began) = (classic(), Tally::default(), Instant::now());
    for i in 0..games() {
        play(&rules, i, &[Unit(0), Unit(1)], &mut tally);
    }
    report("bot against bot", &tally, began.elapsed());
    // A game to 5000 at some hundred points a round and side.
    assert!(tally.rounds < tally.games * 20, "{tally:?}");
}

#[test]
fn every_preset_that_is_played_is_played_to_its_end() {
    for id in canasta_engine::rules::PRESETS {
        let Some(rules) = Rules::preset(id).map(Arc::new) else { continue };
        let units: Vec<Unit> = (0..rules.set().unit_count()).map(Unit).collect();
        let (mut tally, began) = (Tally::default(), Instant::now());
        for i in 0..3 {
            play(&rules, i, &units, &mut tally);
        }
        report(id, &tally, began.elapsed());
    }
}
