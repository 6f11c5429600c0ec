//! `review`: every decision of a game beside the step of a level of the bot, from what the seat knew.

mod json;
mod text;

use crate::judging::history::History;
use crate::judging::what_if::PLAYS_ON;
use crate::shared::io::{Exit, Io, OutputFormat, progress_bar};
use crate::shared::parallel;
use crate::shared::text::levels;
use crate::stats::balance::ahead;
use crate::stats::luck;
use anyhow::ensure;
use canasta_engine::action::{Action, As};
use canasta_engine::bot::{Level, Review, ReviewSlip, RoundMemory};
use canasta_engine::card::Card;
use canasta_engine::event::Event;
use canasta_engine::legal;
use canasta_engine::log::Record;
use canasta_engine::log::outcome::Outcome;
use canasta_engine::seat::Seat;
use canasta_engine::table::Table;
use canasta_engine::view::events;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The arguments of `review`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log, or - for standard input
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// The level whose search the decisions are compared with, 4 to 6 (docs/play/BOT.md)
    #[arg(long, value_name = "N", default_value = "4", value_parser = levels(4))]
    level: Level,
    /// Seed of the guesses at hidden cards; equal seeds give equal reviews
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Only this round
    #[arg(long, value_name = "R", value_parser = clap::value_parser!(u32).range(1..))]
    round: Option<u32>,
    /// List every decision, not only those that lost points
    #[arg(long)]
    all: bool,
    /// Number of decisions reviewed at once; 0 means one per processor. Does not change the review
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Where the level would have played another step, both are played on to the end of the round in deals of the hidden cards \
that fit what the seat knew. A decision is called an inaccuracy (below 50 points), a mistake or a blunder (200 points and \
more) only if it lost at least three standard errors. Nobody has to know what lay hidden to play well: a step that turned out \
badly may be the best. The luck of a deal is what bots make of it more than of the same deal for each of their neighbours.

Exit codes: 0 the game is reviewed; 1 the log is damaged, or no round of it is revealed; 2 it could not be read, or there is no \
such round.

Examples:
  canasta-replay review game.clog
  canasta-replay review game.clog --round 2 --level 5 --all
  canasta-replay review game.clog --format json > review.json";

/// A decision of a seat.
pub struct PlayedDecision {
    /// The number of the record.
    pub n: u64,
    pub round: u32,
    /// The number of the turn, to which answers of partners belong too.
    turn: u32,
    pub seat: Seat,
    /// The table before it.
    pub table: Table,
    memory: RoundMemory,
    pub played: Action,
}

/// A decision of a seat, and its review.
pub struct ReviewedDecision {
    pub of: PlayedDecision,
    pub review: Review,
    /// Whether the same seat lost more in the same turn: a chance that is missed twice is lost once.
    is_repeated: bool,
}

/// A round, in points by side or seat: each more than the mean of the others.
pub struct ReviewedRound {
    pub round: u32,
    pub table: Table,
    pub points: Vec<i32>,
    /// Luck of the deal; `None` if bots come to no end with it, or where sides form during the round.
    pub luck: Option<Vec<i32>>,
}

/// The sums over the decisions of a player, without those that are repeated.
#[derive(Clone, Default)]
pub struct PlayerReview {
    pub decisions: u64,
    pub lost: i64,
    /// Square of the standard error of `lost`.
    pub variance: i64,
    /// Numbers of inaccuracies, mistakes and blunders.
    pub slips: [u64; ReviewSlip::ALL.len()],
}

/// The review of a game.
pub struct GameReview<'a> {
    pub args: &'a Args,
    pub history: History,
    pub rounds: Vec<ReviewedRound>,
    pub decisions: Vec<ReviewedDecision>,
    pub players: Vec<PlayerReview>,
}

impl ReviewedDecision {
    /// Returns the size of the loss, if it counts.
    pub fn slip(&self) -> Option<ReviewSlip> {
        self.review.slip().filter(|_| !self.is_repeated)
    }
}

impl PlayerReview {
    /// Returns the share of decisions in which nothing was lost, in thousandths.
    pub fn accuracy(&self) -> u64 {
        let slips: u64 = self.slips.iter().sum();
        (1000 * (self.decisions - slips) + self.decisions / 2) / self.decisions.max(1)
    }

    /// Returns one standard error of the points that were lost.
    pub fn error(&self) -> i64 {
        self.variance.isqrt()
    }
}

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    io.speak(args.format);
    let history = History::read(&args.log, io)?;
    if let Some(round) = args.round {
        let last = history.last_round();
        ensure!(round <= last, "{}: round {round}: expected 1 to {last}", args.log.display());
    }
    let players = vec![PlayerReview::default(); history.genesis.players.len()];
    let mut game = GameReview { args, history, rounds: Vec::new(), decisions: Vec::new(), players };
    game.review(io)?;
    match args.format {
        OutputFormat::Text => text::write(&game, io.language, &mut io.out)?,
        OutputFormat::Json => io.write_value(&json::value(&game))?,
    }
    if let Some(stop) = &game.history.stop {
        return io.finding(format_args!("{}: {stop}", args.log.display()));
    }
    if game.rounds.is_empty() && game.decisions.is_empty() {
        return io.finding(format_args!(
            "{}: no round is revealed: there is nothing to review",
            args.log.display()
        ));
    }
    Ok(Exit::Clean)
}

impl GameReview<'_> {
    /// Reviews the rounds one after the other, and the decisions of each at once.
    fn review(&mut self, io: &Io<'_>) -> anyhow::Result<()> {
        let pool = parallel::pool(self.args.threads)?;
        let bar = progress_bar(self.history.entries.len() as u64, "{pos}/{len} records", io.progress);
        let (mut memory, mut played) = (RoundMemory::default(), Vec::new());
        let mut turn = (0, None);
        let (args, history) = (self.args, &self.history);
        for (n, entry) in (0..).zip(&history.entries) {
            let is_wanted = args.round.is_none_or(|round| entry.part.round == Some(round));
            if is_wanted {
                played.extend(decision(history, entry, &memory, &mut turn));
            }
            if let (Record::Action(record), Some(happened)) = (&*entry.record, &entry.events) {
                memory.see(record.action.actor(record.actor), &events(happened, As::Spectator));
            }
            if matches!(*entry.record, Record::RoundEnd(_)) || n == history.last() {
                let round = reviewed_round(history, n).filter(|_| is_wanted);
                let due = std::mem::take(&mut played).into_par_iter();
                let review = |each| reviewed(args.level, args.seed, each);
                let mut reviewed: Vec<_> = pool.install(|| due.filter_map(review).collect());
                mark_repeated(&mut reviewed);
                reviewed.iter().for_each(|each| count(&mut self.players, each));
                self.decisions.extend(reviewed);
                self.rounds.extend(round);
                bar.set_position(n);
            }
        }
        bar.finish_and_clear();
        Ok(())
    }
}

/// Counts a decision among those of its player.
fn count(players: &mut [PlayerReview], decision: &ReviewedDecision) {
    let player = usize::from(decision.of.table.player_on(decision.of.seat));
    let Some(player) = players.get_mut(player) else { return };
    player.decisions += 1;
    if decision.is_repeated {
        return;
    }
    player.lost += decision.review.lost;
    player.variance += decision.review.error.pow(2);
    if let Some(slip) = decision.slip() {
        player.slips[slip as usize] += 1;
    }
}

/// Returns the decision of a seat that a record is, if the cards of the round are known. `turn` is the number of the turn and
/// whose it is.
fn decision(
    history: &History,
    entry: &Outcome,
    memory: &RoundMemory,
    turn: &mut (u32, Option<Seat>),
) -> Option<PlayedDecision> {
    let Record::Action(record) = &*entry.record else { return None };
    let (As::Seat(seat), round) = (record.action.actor(record.actor), entry.part.round?) else { return None };
    entry.events.as_ref()?;
    let before = history.before(entry.n())?;
    let table = before.table;
    if turn.1 != Some(table.turn_seat()) {
        *turn = (turn.0 + 1, Some(table.turn_seat()));
    }
    // What a seat does out of turn is no choice among the steps of whoever must act.
    if table.to_act() != Some(seat) || before.known.is_some() {
        return None;
    }
    // A ruling may have put the table back: then everyone knows the pile, and who took which card no longer counts.
    let is_remembered = table.pile().ends_with(memory.recall().pile);
    let memory = if is_remembered { memory.clone() } else { RoundMemory::of_pile(&table) };
    let (n, played) = (entry.n(), record.action.clone());
    Some(PlayedDecision { n, round, turn: turn.0, seat, table, memory, played })
}

fn reviewed(level: Level, seed: u64, of: PlayedDecision) -> Option<ReviewedDecision> {
    let steps = legal::steps(&of.table).actions;
    if steps.is_empty() {
        return None;
    }
    let review = level.review(&of.table, of.seat, &of.memory, (&steps, &of.played), seed)?;
    Some(ReviewedDecision { of, review, is_repeated: false })
}

/// Marks each loss of a turn but the largest of the seat, the first of equal ones.
fn mark_repeated(decisions: &mut [ReviewedDecision]) {
    let mut largest: BTreeMap<(u32, Seat), usize> = BTreeMap::new();
    for (at, decision) in decisions.iter().enumerate().filter(|(_, each)| each.review.slip().is_some()) {
        let place = largest.entry((decision.of.turn, decision.of.seat)).or_insert(at);
        if decision.review.lost > decisions[*place].review.lost {
            *place = at;
        }
    }
    for (at, decision) in decisions.iter_mut().enumerate() {
        let counts = largest.get(&(decision.of.turn, decision.of.seat)) == Some(&at);
        decision.is_repeated = decision.review.slip().is_some() && !counts;
    }
}

/// Returns what record `n` says of a round that ended, if its cards are known.
fn reviewed_round(history: &History, n: u64) -> Option<ReviewedRound> {
    let entry = history.entry(n)?;
    let ended = entry.ended.as_ref()?;
    let totals: Vec<i32> = entry.score.as_ref()?.accounts.iter().map(|account| account.total).collect();
    if totals.len() < 2 {
        return None;
    }
    let table = Table::clone(&ended.table);
    let luck = ended.wall.as_ref().and_then(|wall| luck_of(&table, wall, upcards(history, n)));
    let points = (0..totals.len() as u8).map(|unit| ahead(&totals, unit)).collect();
    Some(ReviewedRound { round: entry.part.round?, points, luck, table })
}

/// Returns the number of cards that were turned at the deal of the round that ends with record `n`.
fn upcards(history: &History, n: u64) -> usize {
    let before = &history.entries[..n as usize];
    let mut happened = before.iter().rev().filter_map(|entry| entry.events.as_deref());
    let deal = happened.find(|events| events.iter().any(|event| matches!(event, Event::Dealt { .. })));
    deal.unwrap_or_default().iter().filter(|event| matches!(event, Event::Upcard { .. })).count()
}

/// Returns what bots make of a deal, less the mean over its rotations.
fn luck_of(table: &Table, wall: &[Card], upcards: usize) -> Option<Vec<i32>> {
    let rotations = luck::rotations(table, wall, upcards, PLAYS_ON)?;
    let units = rotations[0].len();
    let mean =
        |unit| rotations.iter().map(|points| ahead(points, unit)).sum::<i32>() / rotations.len() as i32;
    let is_even = rotations.iter().all(|points| points.len() == units);
    is_even.then(|| (0..units as u8).map(|unit| ahead(&rotations[0], unit) - mean(unit)).collect())
}
