//! The speed of play and replay: `cargo bench -p canasta-engine --bench play`. See `support` for the options.
//!
//! Games are played at random, by `classic-4p` where the line names no rule set. Deals count only where the line says
//! so, and actions are those of seats.

mod support;

use canasta_engine::action::{Action, As};
use canasta_engine::bot::{Knowledge, Level, RoundMemory, candidates, evaluate};
use canasta_engine::deal::simulate;
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::legal::{StepCodes, Steps, actor, codes_into, steps, steps_into};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::notation::Position;
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Table};
use sha2::{Digest, Sha256};
use std::hint::black_box;
use std::sync::Arc;
use support::{Bench, walk};

/// Number of games of a playout, and of those from which positions and logs are taken. Ten games played again and again are
/// 9 % cheaper per action than a thousand: the processor learns their branches.
const PLAYED: u32 = 1_000;
const SAMPLED: u32 = 60;
/// Number of positions that stay in the cache, and of positions that are all out of the cache when they are reached.
const WARM: usize = 2_000;
const COLD: usize = 150_000;
/// One of so many positions is among the warm ones.
const EVERY: usize = 16;

fn rules(preset: &str) -> Arc<Rules> {
    Arc::new(Rules::preset(preset).expect("the preset is played"))
}

fn new_game(rules: &Arc<Rules>, number: u32) -> Game {
    let secret = simulate::game_secret(1, number);
    let dealing = Dealing::new(simulate::game_id(&secret), DealSource::Seeded(secret), false);
    Game::new(rules.clone(), dealing, Seat(0))
}

/// Plays a game at random to its end, or through as many rounds as games of benches have. `seen` gets each step of a
/// seat, by its number in the list, with the game before it. Returns the number of these steps.
fn playout(rules: &Arc<Rules>, number: u32, mut seen: impl FnMut(&Game, &StepCodes, usize)) -> u64 {
    let (mut game, mut steps) = (new_game(rules, number), StepCodes::default());
    let (mut seed, mut count, mut booked) = (u64::from(number), 0, 0);
    while booked < walk::ROUNDS_MAX {
        match game.table.phase() {
            Phase::GameOver => break,
            Phase::Setup => game.register_due(),
            Phase::RoundOver => {
                booked += 1;
                black_box(scoring::book(&mut game.table));
            }
            _ => {
                codes_into(&game.table, &mut steps);
                let chosen = walk::below(&mut seed, steps.len());
                if game.table.to_act().is_some() {
                    seen(&game, &steps, chosen);
                    count += 1;
                }
                let legal = game.legal_step(&steps, chosen).expect("a step is legal");
                game.apply_into(legal, &mut ());
            }
        }
    }
    count
}

/// Checks and applies an action, which must be legal. Nobody asks for the events.
fn step(game: &mut Game, action: &Action) {
    let legal = game.check(actor(&game.table), action).expect("a step is legal");
    game.apply_into(legal, &mut ());
}

/// A round after its deal, and its actions.
struct Round {
    dealt: Game,
    actions: Vec<Action>,
}

/// Returns rounds of random games, together with at least so many actions.
fn rounds(rules: &Arc<Rules>, actions: usize) -> Vec<Round> {
    let (mut rounds, mut count): (Vec<Round>, usize) = (Vec::new(), 0);
    for number in 0.. {
        let mut round = 0;
        playout(rules, number, |game, steps, chosen| {
            if game.table.round_number() != round {
                round = game.table.round_number();
                rounds.push(Round { dealt: game.clone(), actions: Vec::new() });
            }
            rounds.last_mut().expect("a round was begun").actions.push(steps.action(chosen, &game.table));
            count += 1;
        });
        if count >= actions {
            break;
        }
    }
    rounds
}

/// Returns every position of the rounds with its action.
fn positions(rounds: &[Round]) -> impl Iterator<Item = (Game, &Action)> {
    rounds.iter().flat_map(|round| {
        let mut game = round.dealt.clone();
        round.actions.iter().map(move |action| {
            let before = game.clone();
            step(&mut game, action);
            (before, action)
        })
    })
}

fn anchor(bench: &mut Bench) {
    bench.time(
        "anchor.sha256-128",
        || (),
        |()| {
            (0..10_000).for_each(|_| _ = black_box(Sha256::digest(black_box([0u8; 128]))));
            10_000
        },
    );
}

fn deal(bench: &mut Bench, rules: &Arc<Rules>) {
    let due = |number| {
        let mut game = new_game(rules, number);
        game.register_due();
        game
    };
    let games: Vec<Game> = (0..100).map(due).collect();
    let action = Action::Deal(Box::default());
    bench.time(
        "deal",
        || games.clone(),
        |games| {
            games.iter_mut().for_each(|game| step(game, &action));
            games.len() as u64
        },
    );
}

fn check_and_apply(bench: &mut Bench, rounds: &[Round]) {
    let warm = || rounds.iter().take(100).map(|round| (round.dealt.clone(), &round.actions)).collect();
    bench.time("check+apply.warm", warm, |rounds: &mut Vec<(Game, &Vec<Action>)>| {
        let round = |(game, actions): &mut (Game, &Vec<Action>)| {
            actions.iter().for_each(|action| step(game, action));
            actions.len() as u64
        };
        rounds.iter_mut().map(round).sum()
    });
    if bench.wants(&["check+apply.cold"]) {
        let all: Vec<(Game, &Action)> = positions(rounds).take(COLD).collect();
        bench.time(
            "check+apply.cold",
            || all.clone(),
            |positions| {
                positions.iter_mut().for_each(|(game, action)| step(game, action));
                positions.len() as u64
            },
        );
    }
    let some: Vec<(Game, &Action)> = positions(rounds).step_by(EVERY).take(WARM).collect();
    bench.time(
        "check.warm",
        || (),
        |()| {
            let is_legal = |(game, action): &&(Game, &Action)| game.check(actor(&game.table), action).is_ok();
            some.iter().filter(is_legal).count() as u64
        },
    );
    let mut steps = StepCodes::default();
    let mut list = |game: &Game| {
        codes_into(black_box(&game.table), &mut steps);
        black_box(steps.len() as u64)
    };
    bench.time(
        "list.position",
        || (),
        |()| {
            some.iter().for_each(|(game, _)| _ = list(game));
            some.len() as u64
        },
    );
    bench.time("list.step", || (), |()| some.iter().map(|(game, _)| list(game)).sum());
    let mut actions = Steps::default();
    bench.time(
        "list.actions",
        || (),
        |()| {
            some.iter().for_each(|(game, _)| steps_into(black_box(&game.table), black_box(&mut actions)));
            some.len() as u64
        },
    );
}

/// Lists the actions of the positions that the example `climb` of the tests found to be the dearest ones.
fn climbed(bench: &mut Bench) {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/climbed/lists.txt");
    let lines = std::fs::read_to_string(file).expect("the positions");
    let table = |line: &str| {
        let (listed, position) = line.split_once(" | ").expect("a list and a position");
        let nodes: u32 =
            listed.split(' ').next().and_then(|nodes| nodes.parse().ok()).expect("a number of nodes");
        let setup = Position::parse(position).expect("a position").setup();
        (nodes, setup.into_table().expect("a position that can arise"))
    };
    let mut tables: Vec<(u32, Table)> = lines.lines().map(table).collect();
    tables.sort_by_key(|(nodes, _)| std::cmp::Reverse(*nodes));
    let mut steps = Steps::default();
    for (id, count) in [("list.climbed", tables.len()), ("list.dearest", 1)] {
        bench.time(
            id,
            || (),
            |()| {
                tables[..count].iter().for_each(|(_, table)| steps_into(black_box(table), &mut steps));
                count as u64
            },
        );
    }
}

/// Chooses at positions of random games as a bot of level 3 does, and plays the best steps on as its search does.
fn bots(bench: &mut Bench, rules: &Arc<Rules>) {
    const TABLES: u32 = 4;
    let level = Level::ALL[2];
    let rounds = rounds(rules, bench.count(EVERY * WARM));
    let some: Vec<(Table, Seat, RoundMemory, Vec<Action>)> = positions(&rounds)
        .step_by(EVERY)
        .filter_map(|(game, _)| {
            let As::Seat(seat) = actor(&game.table) else { return None };
            let (memory, steps) = (RoundMemory::of_pile(&game.table), steps(&game.table).actions);
            (steps.len() > 1).then_some((game.table, seat, memory, steps))
        })
        .collect();
    bench.time(
        "bot.choice",
        || (),
        |()| {
            for (table, seat, memory, steps) in &some {
                black_box(level.choose(table, *seat, memory, steps, 1));
            }
            some.len() as u64
        },
    );
    bench.time(
        "bot.playout",
        || (),
        |()| {
            let weights = level.weights(rules.set());
            let played = some.iter().step_by(EVERY).map(|(table, seat, memory, steps)| {
                let position = Knowledge::of(table, *seat, memory);
                let best = candidates(&position, weights, steps, (2, 0), 1);
                let played = evaluate(&position, weights, best, TABLES, 1).unwrap_or_default();
                played.iter().map(|each| u64::from(each.tables)).sum::<u64>()
            });
            played.sum()
        },
    );
}

fn replay(bench: &mut Bench, rules: &Arc<Rules>) {
    let (mut seed, mut count) = (7, 0);
    let logs: Vec<Vec<u8>> = (0..bench.games(SAMPLED))
        .map(|number| {
            let game = walk::game(rules, number, |game, steps| {
                count += u64::from(matches!(game.actor(), As::Seat(_)));
                steps.actions[walk::below(&mut seed, steps.actions.len())].clone()
            });
            game.into_parts().1
        })
        .collect();
    bench.time(
        "replay.chain+digests",
        || (),
        |()| {
            assert!(logs.iter().all(|log| audit(log, Expect::default()).findings.is_empty()), "audits clean");
            count
        },
    );
    let bytes = logs.iter().map(Vec::len).sum::<usize>() as f64;
    bench.size("replay.bytes", vec![bytes / count as f64]);
}

fn main() {
    let Some(mut bench) = Bench::new("play") else { return };
    let classic = rules("classic-4p");
    anchor(&mut bench);
    deal(&mut bench, &classic);
    if bench.wants(&[
        "check+apply.warm",
        "check+apply.cold",
        "check.warm",
        "list.position",
        "list.step",
        "list.actions",
    ]) {
        let actions = if bench.wants(&["check+apply.cold"]) { COLD } else { EVERY * WARM };
        let rounds = rounds(&classic, bench.count(actions));
        check_and_apply(&mut bench, &rounds);
    }
    if bench.wants(&["list.climbed", "list.dearest"]) {
        climbed(&mut bench);
    }
    if bench.wants(&["bot.choice", "bot.playout"]) {
        bots(&mut bench, &classic);
    }
    if bench.wants(&["replay.chain+digests", "replay.bytes"]) {
        replay(&mut bench, &classic);
    }
    for preset in PresetId::all().map(PresetId::name) {
        let (rules, games) = (rules(preset), bench.games(PLAYED));
        let work = |(): &mut ()| (0..games).map(|number| playout(&rules, number, |_, _, _| {})).sum();
        bench.time(&format!("playout.{preset}"), || (), work);
    }
    bench.finish();
}
