//! Whole games of the bot against random players or against itself, and their counts.

use crate::games::{Rng, actor, new_game};
use canasta_engine::action::As;
use canasta_engine::bot::suggest;
use canasta_engine::deal::simulate;
use canasta_engine::game::Game;
use canasta_engine::legal::{self, Steps};
use canasta_engine::rules::Rules;
use canasta_engine::scoring::{self, Account, Item};
use canasta_engine::seat::Unit;
use canasta_engine::table::{EndReason, Phase};
use canasta_engine::view::view;
use std::ops::AddAssign;
use std::sync::Arc;

/// Maximum number of rounds of a game. A longer game is decided by its scores, because random players may never reach
/// a target.
const MOST_ROUNDS: u32 = 60;

/// The players at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Players {
    /// A bot in every seat.
    Bots,
    /// Bots for one side (or for one seat, if seats keep the score), which changes from game to game. The others play
    /// any step of the list, all equally likely.
    BotsAgainstRandom,
}

/// The counts for the measured side (or seat): against random players the bots' side, among bots a side that changes
/// from game to game.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct DuelTally {
    /// Number of games played.
    pub games: u32,
    /// Number of games won alone; a draw is not won.
    pub won: u32,
    /// Number of games that were decided by their scores after `MOST_ROUNDS` rounds.
    pub cut_short: u32,
    /// Number of rounds played.
    pub rounds: u32,
    /// Number of rounds that ended because somebody went out, or with a special hand.
    pub out: u32,
    /// Number of these rounds that the measured side ended.
    pub own_out: u32,
    /// Points of the measured side in all rounds.
    pub points: i64,
    /// Points of all other sides.
    pub other_points: i64,
    /// Number of canastas of the measured side: natural, mixed, wild, sequences.
    pub canastas: [u32; 4],
    /// Number of special hands of the measured side.
    pub special: u32,
}

impl AddAssign for DuelTally {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.won += other.won;
        self.cut_short += other.cut_short;
        self.rounds += other.rounds;
        self.out += other.out;
        self.own_out += other.own_out;
        self.points += other.points;
        self.other_points += other.other_points;
        self.canastas.iter_mut().zip(other.canastas).for_each(|(sum, count)| *sum += count);
        self.special += other.special;
    }
}

impl DuelTally {
    /// Returns the share of games won, and its standard error.
    pub fn win_share(&self) -> (f64, f64) {
        let (won, games) = (f64::from(self.won), f64::from(self.games));
        let share = won / games;
        (share, (share * (1.0 - share) / games).sqrt())
    }

    fn count(&mut self, account: &Account) {
        for line in &account.lines {
            let kind = match line.item {
                Item::NaturalCanastas => 0,
                Item::MixedCanastas => 1,
                Item::WildCanastas => 2,
                Item::SequenceCanastas => 3,
                Item::SpecialHand => {
                    self.special += u32::from(line.points > 0);
                    continue;
                }
                _ => continue,
            };
            self.canastas[kind] += u32::from(line.count.unwrap_or(0));
        }
    }
}

/// Plays game number `game` of the simulation with `seed` and returns its counts.
pub fn play(rules: &Arc<Rules>, players: Players, seed: u64, game: u32) -> DuelTally {
    let secret = simulate::game_secret(seed, game);
    let own = Unit((game % u32::from(rules.set().unit_count())) as u8);
    let mut state = new_game(rules, seed, game);
    let mut rng = Rng(seed ^ u64::from(game) << 32);
    let mut steps = Steps::default();
    let mut tally = DuelTally { games: 1, ..DuelTally::default() };
    loop {
        state.register_due();
        while state.table.phase() != Phase::RoundOver {
            legal::steps_into(&state.table, &mut steps);
            let who = actor(&state);
            let action = match who {
                As::Seat(seat) if players == Players::Bots || state.table.unit_of(seat) == own => {
                    suggest(&view(&state.table, who), &steps.actions, simulate::bot_seed(&secret, seat))
                }
                _ => steps.actions[rng.below(steps.actions.len())].clone(),
            };
            let legal = state.check(who, &action).expect("a step is legal");
            state.apply(legal);
        }
        if let Some(winner) = book(&mut state, own, &mut tally) {
            tally.won += u32::from(winner == Some(own));
            return tally;
        }
    }
}

/// Books a round. Returns the winner if that ends the game (`Some(None)` for a draw), or `None` if the game goes on.
fn book(state: &mut Game, own: Unit, tally: &mut DuelTally) -> Option<Option<Unit>> {
    let out_by = state.table.round_over().and_then(|over| over.seat).map(|seat| state.table.unit_of(seat));
    let (score, result) = scoring::book(&mut state.table);
    if score.accounts.is_empty() {
        return None;
    }
    tally.rounds += 1;
    if matches!(score.over.reason, EndReason::WentOut | EndReason::SpecialHand) {
        tally.out += 1;
        tally.own_out += u32::from(out_by == Some(own));
    }
    for (unit, account) in score.accounts.iter().enumerate() {
        if unit == own.index() {
            tally.points += i64::from(account.total);
            tally.count(account);
        } else {
            tally.other_points += i64::from(account.total);
        }
    }
    if result.is_none() && tally.rounds >= MOST_ROUNDS {
        tally.cut_short = 1;
        return Some(scoring::standing(&state.table).winner);
    }
    result.map(|result| result.winner)
}

/// Plays games number 0 to `games` of the simulation with `seed` on all cores. The sum does not depend on the order
/// of the games.
pub fn play_all(rules: &Arc<Rules>, players: Players, seed: u64, games: u32) -> DuelTally {
    let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    let mut sum = DuelTally::default();
    std::thread::scope(|scope| {
        let share = |first: u32| {
            move || {
                let mut sum = DuelTally::default();
                (first..games)
                    .step_by(threads as usize)
                    .for_each(|game| sum += play(rules, players, seed, game));
                sum
            }
        };
        let threads: Vec<_> = (0..threads).map(|first| scope.spawn(share(first))).collect();
        threads.into_iter().for_each(|thread| sum += thread.join().expect("games are played without panic"));
    });
    sum
}
