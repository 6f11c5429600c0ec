//! Whole games, checked at every position for what must hold under any rule set and with any players.

use crate::games::{Policy, Rng, actor, is_on, new_game};
use crate::notation::{line, show};
use crate::reference;
use canasta_engine::action::{Action, As};
use canasta_engine::bot::suggest;
use canasta_engine::game::Game;
use canasta_engine::invariant::check_all;
use canasta_engine::legal::{self, Steps};
use canasta_engine::log::tally;
use canasta_engine::rules::Rules;
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_engine::token::{Catalogue, decode, encode, max_len};
use canasta_engine::view::view;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// Maximum number of actions of one round: random players, who take back what they laid, need some thousands.
const MOST_ACTIONS: u64 = 16_000;

/// Maximum number of cards in a hand for which all legal actions are listed, and the limit of that search in steps.
const SMALL: u16 = 6;
const SEARCHED: u64 = 20_000;

/// Number of actions of a round after which nobody takes cards back any longer, so that the round comes to its end.
pub const MOST_AIMLESS: u64 = 4_000;

/// The players at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TablePlayers {
    /// Bots alone, whose games must come to their end.
    Bots,
    /// A bot or one of the policies at each seat, drawn anew for every game, with some random actions.
    Mixed,
}

/// The way in which games are played and checked.
#[derive(Clone, Copy, Debug)]
pub struct GamePlan {
    /// The seed of the deals and the players.
    pub seed: u64,
    /// The players.
    pub players: TablePlayers,
    /// Maximum number of rounds of a game; a longer game is left unfinished.
    pub rounds: u64,
    /// Number of positions from one full check to the next. A full check judges all steps and proposes some actions
    /// that may be refused; elsewhere only the played step is judged.
    pub every: u64,
}

/// The counts of what the games reached.
#[derive(Clone, Default, Debug)]
pub struct GameCounts {
    /// Number of games begun.
    pub games: u64,
    /// Number of games that came to their end.
    pub ended: u64,
    /// Number of rounds played.
    pub rounds: u64,
    /// Number of rounds of the longest game.
    pub longest: u64,
    /// Number of actions, and so of positions.
    pub actions: u64,
    /// Number of steps that `check` accepted.
    pub steps: u64,
    /// Number of proposals that were refused and changed nothing.
    pub refused: u64,
    /// Number of rounds by the way in which they ended.
    pub ends: BTreeMap<&'static str, u64>,
}

impl GameCounts {
    /// Adds the counts of other games.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.ended += other.ended;
        self.rounds += other.rounds;
        self.longest = self.longest.max(other.longest);
        self.actions += other.actions;
        self.steps += other.steps;
        self.refused += other.refused;
        for (reason, count) in &other.ends {
            *self.ends.entry(reason).or_default() += count;
        }
    }
}

/// Plays game number `game` and checks every position.
///
/// # Panics
/// If a check fails; the message shows the position.
pub fn watch(rules: &Arc<Rules>, game: u32, plan: &GamePlan, seen: &mut GameCounts) {
    let mut state = new_game(rules, plan.seed, game);
    let mut rng = Rng(plan.seed ^ u64::from(game) << 20);
    let seats: Vec<Option<Policy>> = state.table.seats().map(|_| player(plan.players, &mut rng)).collect();
    seen.games += 1;
    for round in 1..=plan.rounds {
        state.register_due();
        play_round(&mut state, &seats, plan, &mut rng, seen);
        seen.rounds += 1;
        seen.longest = seen.longest.max(round);
        if book(&mut state, seen) {
            seen.ended += 1;
            return;
        }
    }
}

/// Returns the policy of a seat, or `None` for a bot.
fn player(players: TablePlayers, rng: &mut Rng) -> Option<Policy> {
    match players {
        TablePlayers::Bots => None,
        TablePlayers::Mixed => Policy::ALL.get(rng.below(Policy::ALL.len() + 1)).copied(),
    }
}

fn play_round(
    state: &mut Game,
    seats: &[Option<Policy>],
    plan: &GamePlan,
    rng: &mut Rng,
    seen: &mut GameCounts,
) {
    let (mut steps, mut before) = (Steps::default(), Vec::new());
    let began = seen.actions;
    while is_on(state) {
        check_all(&state.table).unwrap_or_else(|fault| panic!("{fault:?}\n{}", show(&state.table)));
        legal::steps_into(&state.table, &mut steps);
        assert!(!steps.actions.is_empty(), "stuck: {}", show(&state.table));
        if seen.actions - began > MOST_AIMLESS {
            steps.leave_out_ways_back();
        }
        if seen.actions.is_multiple_of(plan.every) {
            judge_all(state, &steps.actions, seen);
            propose(state, &steps.actions, &before, rng, seen);
            same_by_token(state);
        }
        let action = choose(state, &steps.actions, seats, plan, rng);
        let legal = state.check(actor(state), &action).unwrap_or_else(|rejection| {
            panic!("{} is refused: {rejection}\n{}", line(&action), show(&state.table))
        });
        state.apply(legal);
        seen.actions += 1;
        assert!(
            seen.actions - began < MOST_ACTIONS,
            "the round does not end: {}after {}, of {}",
            show(&state.table),
            line(&action),
            steps.actions.iter().map(line).collect::<Vec<_>>().join(" | ")
        );
        std::mem::swap(&mut before, &mut steps.actions);
    }
    check_all(&state.table).unwrap_or_else(|fault| panic!("{fault:?}\n{}", show(&state.table)));
}

fn choose(
    state: &Game,
    steps: &[Action],
    seats: &[Option<Policy>],
    plan: &GamePlan,
    rng: &mut Rng,
) -> Action {
    let random = plan.players == TablePlayers::Mixed && rng.chance(10);
    let policy = state.table.to_act().map_or(Some(Policy::Random), |seat| seats[seat.index()]);
    match if random { Some(Policy::Random) } else { policy } {
        Some(policy) => policy.choose(state, steps, rng).clone(),
        None => suggest(&view(&state.table, actor(state)), steps, rng.bits()),
    }
}

fn judge_all(state: &Game, steps: &[Action], seen: &mut GameCounts) {
    for step in steps {
        if let Err(rejection) = state.check(actor(state), step) {
            panic!("{} is a step and refused: {rejection}\n{}", line(step), show(&state.table));
        }
    }
    seen.steps += steps.len() as u64;
    let hand = state.table.to_act().map_or(0, |seat| state.table.hand(seat).len());
    if hand <= SMALL {
        listed_exactly(state, steps);
    }
}

/// Checks that every step is canonical, and among all legal actions.
fn listed_exactly(state: &Game, steps: &[Action]) {
    let mut all = reference::all(&state.table).within_steps(SEARCHED);
    let mut left: Vec<&Action> = steps.iter().collect();
    for action in &mut all {
        left.retain(|step| **step != action);
    }
    if all.is_cut_short() {
        return;
    }
    if let Some(step) = left.first() {
        let form = legal::canonical(&state.table, step);
        panic!(
            "{} is a step and not among all, canonically {}\n{}",
            line(step),
            line(&form),
            show(&state.table)
        );
    }
}

/// Checks that a token gives the same state again and is no longer than `max_len`.
fn same_by_token(state: &Game) {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::new);
    let token = encode(state);
    assert!(token.len() <= max_len(state), "{} bytes: {}", token.len(), show(&state.table));
    let read = decode(&token, &CATALOGUE).unwrap_or_else(|error| panic!("{error:?}\n{}", show(&state.table)));
    assert!(read == *state, "a token changed {}", show(&state.table));
}

/// Proposes a step on behalf of any seat, and some steps of the position before. Checks that a refused action changes
/// nothing.
fn propose(state: &Game, steps: &[Action], before: &[Action], rng: &mut Rng, seen: &mut GameCounts) {
    let other = As::Seat(Seat(rng.below(usize::from(state.table.set().seats)) as u8));
    let step = &steps[rng.below(steps.len())];
    let stale = (0..3).filter_map(|_| before.get(rng.below(before.len().max(1))));
    let proposals = std::iter::once((other, step)).chain(stale.map(|action| (actor(state), action)));
    for (by, action) in proposals {
        let mut same = state.clone();
        if same.play(by, action).is_err() {
            assert!(same == *state, "a refused {} changed {}", line(action), show(&state.table));
            seen.refused += 1;
        }
    }
}

/// Books the round and checks that lines, totals and the count of the final table give the same points. Returns
/// whether the game has ended.
fn book(state: &mut Game, seen: &mut GameCounts) -> bool {
    let over = state.table.round_over().unwrap_or_else(|| panic!("not over: {}", show(&state.table)));
    assert_eq!(state.table.phase(), Phase::RoundOver, "{}", show(&state.table));
    let counted = tally::totals(&state.table, over);
    let before = show(&state.table);
    let (score, result) = scoring::book(&mut state.table);
    let ledger: Vec<i64> = score.accounts.iter().map(|account| i64::from(account.total)).collect();
    assert_eq!(ledger, counted, "{before}");
    for account in &score.accounts {
        assert_eq!(account.lines.iter().map(|line| line.points).sum::<i32>(), account.total, "{before}");
    }
    check_all(&state.table).unwrap_or_else(|fault| panic!("{fault:?}\n{}", show(&state.table)));
    assert_eq!(result.is_some(), state.table.phase() == Phase::GameOver, "{before}");
    *seen.ends.entry(over.reason.name()).or_default() += 1;
    result.is_some()
}
