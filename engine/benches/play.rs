//! How fast games are played: `cargo bench -p canasta-engine`.
//!
//! CPU time of this thread, the median of several repeats. An absolute time on a shared machine proves
//! little; compare figures of the same minutes.

use canasta_engine::action::{Action, As};
use canasta_engine::deal::simulate;
use canasta_engine::dealing::{DealSource, Dealing, Registration};
use canasta_engine::game::{Created, Game, NewDeal, NewGame, Stamp};
use canasta_engine::legal::{Steps, steps_into};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::record::Player;
use canasta_engine::rules::Rules;
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use sha2::{Digest, Sha256};
use std::hint::black_box;
use std::sync::Arc;

mod clock;

use clock::cpu_ns;

const REPEATS: usize = 9;
const GAMES: u32 = 60;
/// The system counts CPU time in ticks of some milliseconds: short work is done so many times.
const ROUNDS: u64 = 100;

/// Runs `work`, which says how many things it did, and gives the median of nanoseconds for one.
fn median_ns(mut work: impl FnMut() -> u64) -> f64 {
    let mut times: Vec<f64> = (0..=REPEATS)
        .map(|_| {
            let began = cpu_ns();
            let count = work();
            (cpu_ns() - began) as f64 / count as f64
        })
        .skip(1)
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn new_game(rules: &Arc<Rules>, game: u32) -> Game {
    let secret = simulate::game_secret(1, game);
    let dealing = Dealing::new(simulate::game_id(&secret), DealSource::Seeded(secret), false);
    Game::new(rules.clone(), dealing, Seat(0))
}

/// The PCG multiplier and increment; the high bits are good enough to choose a step.
fn below(seed: &mut u64, n: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (((*seed >> 32) * n as u64) >> 32) as usize
}

fn actor(state: &Game) -> As {
    state.table.to_act().map_or(As::Table, As::Seat)
}

/// Random whole games; `seen` gets every action before it is made.
fn play(rules: &Arc<Rules>, mut seen: impl FnMut(&Game, &Action)) -> u64 {
    let (mut seed, mut count, mut steps) = (7, 0, Steps::default());
    for game in 0..GAMES {
        let mut state = new_game(rules, game);
        loop {
            state.register_due();
            while state.table.phase() != Phase::RoundOver {
                steps_into(&state.table, &mut steps);
                let action = &steps.actions[below(&mut seed, steps.actions.len())];
                seen(&state, action);
                let legal = state.check(actor(&state), action).expect("a step is legal");
                black_box(state.apply(legal));
                count += 1;
            }
            if scoring::book(&mut state.table).1.is_some() {
                break;
            }
        }
    }
    count
}

/// The actions of the same games, checked and applied.
fn replay(rules: &Arc<Rules>, recorded: &[Action]) -> u64 {
    let mut actions = recorded.iter();
    for game in 0..GAMES {
        let mut state = new_game(rules, game);
        loop {
            state.register_due();
            while state.table.phase() != Phase::RoundOver {
                let action = actions.next().expect("every action was recorded");
                let legal = state.check(actor(&state), action).expect("a recorded action is legal");
                black_box(state.apply(legal));
            }
            if scoring::book(&mut state.table).1.is_some() {
                break;
            }
        }
    }
    recorded.len() as u64
}

/// The logs of the same kind of games, as the writer makes them, and how many actions they hold.
fn logs(rules: &Arc<Rules>) -> (Vec<Vec<u8>>, u64) {
    let (mut seed, mut count) = (7, 0);
    let log = |game| {
        let secret = simulate::game_secret(1, game);
        let player = |seat| Player { name: format!("Player {seat}"), key: None };
        let created = Game::create(NewGame {
            rules: rules.clone(),
            game_id: simulate::game_id(&secret),
            deal: NewDeal::Seeded(secret),
            dealer: None,
            players: (0..rules.set().seats).map(player).collect(),
            registration: Registration::Auto,
            started_at_ms: None,
            expires_at: None,
            fork_of: None,
        });
        let Created { game: mut state, frames: mut log } = created.expect("a game of simulated players");
        while state.table.phase() != Phase::GameOver {
            let mut steps = Steps::default();
            steps_into(&state.table, &mut steps);
            let action = &steps.actions[below(&mut seed, steps.actions.len())];
            let who = actor(&state);
            let acted = state.act(who, action, Stamp::default()).expect("a step is legal");
            log.extend(acted.frames);
            count += 1;
        }
        log
    };
    let logs = (0..GAMES).map(log).collect();
    (logs, count)
}

fn main() {
    let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
    let (mut recorded, mut positions) = (Vec::new(), Vec::new());
    let count = play(&rules, |state, action| {
        recorded.push(action.clone());
        if recorded.len() % 16 == 0 && state.table.phase() != Phase::Deal && positions.len() < 2_000 {
            positions.push((state.clone(), action.clone()));
        }
    });
    println!("{count} actions in {GAMES} games of classic-4p, {REPEATS} repeats, CPU time of one thread");
    let report = |what: &str, ns: f64| println!("{what:44} {ns:8.1} ns   {:8.3} M/s", 1e3 / ns);
    report("random playout over legal::steps, an action", median_ns(|| play(&rules, |_, _| {})));
    report("check and apply, deals included, an action", median_ns(|| replay(&rules, &recorded)));
    let check_all = || {
        let legal = |(state, action): &(Game, Action)| state.check(actor(state), action).is_ok();
        (0..ROUNDS)
            .map(|_| black_box(positions.iter().filter(|position| legal(position)).count() as u64))
            .sum()
    };
    report("check alone, an action", median_ns(check_all));
    let mut steps = Steps::default();
    let list_all = || {
        for (state, _) in (0..ROUNDS).flat_map(|_| &positions) {
            steps_into(black_box(&state.table), &mut steps);
            black_box(&steps);
        }
        ROUNDS * positions.len() as u64
    };
    report("legal::steps alone, a position", median_ns(list_all));

    // What an action costs at least where every record is chained: one hash of 128 bytes, on this machine and now.
    let anchor = median_ns(|| {
        (0..100_000u64).for_each(|_| _ = black_box(Sha256::digest(black_box([0u8; 128]))));
        100_000
    });
    report("anchor: SHA-256 of 128 bytes", anchor);
    let bare = median_ns(|| replay(&rules, &recorded));
    let (logs, actions) = logs(&rules);
    let audited = median_ns(|| {
        assert!(logs.iter().all(|log| audit(log, Expect::default()).findings.is_empty()), "audits clean");
        actions
    });
    report("replay with chain and digests, an action", audited);
    println!("    {:.2} times the bare replay, {:.2} times the anchor", audited / bare, audited / anchor);
    let bytes = logs.iter().map(Vec::len).sum::<usize>() as f64 / actions as f64;
    println!("log: {bytes:.1} bytes an action, {:.2} times the least JSON measured (125)", bytes / 125.0);
}
