//! The clocks of a game: the time that each entry charges to a seat, and the moment at which that time is up.
//!
//! A seat's time runs from the entry that makes it the seat to act to the entry that ends this, by the times in the
//! entries. Nothing is charged before the start of play, while a dispute is open, and while the recorder was down.

use canasta_engine::game::Game;
use canasta_engine::seat::Seat;
use canasta_engine::table::Table;
use canasta_proto::v1 as pb;

use crate::entry::{GameClock, JournalEntry, SeatClocks, SeatTime};

/// Warnings where the game names no number (IR-072).
const WARNINGS_DEFAULT: u32 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The recorder's time, in ms since 1970; never below that of the entry before.
    pub time_ms: i64,
    /// Time since the entry before that is charged to no clock, in ms.
    pub uncharged_ms: u32,
}

/// The sanction of a seat whose time is up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sanction {
    /// A warning, after which the turn's time starts again.
    Warning,
    /// The seat's side loses the game.
    Forfeit,
}

/// Returns the clocks of a new game; `None` without time limits.
pub fn start(clock: &GameClock, game: &Game, time_ms: i64) -> Option<SeatClocks> {
    let seat = SeatTime { bank_ms: clock.bank_ms.unwrap_or(0), warnings: 0 };
    let seats = vec![seat; game.table.set().seats.into()];
    let mut clocks = SeatClocks { turn_since_ms: time_ms, seats, ..Default::default() };
    (clocks.running, clocks.turn) = (game.table.to_act(), turn(&game.table));
    (*clock != GameClock::default()).then_some(clocks)
}

/// Returns the clocks after an entry that follows `before` and leads to `game`.
pub fn advance(clock: &GameClock, before: &JournalEntry, game: &Game, at: Moment) -> Option<SeatClocks> {
    let mut clocks = charged(clock, before, at)?;
    clocks.is_paused = game.table.is_suspended();
    // While a dispute is open, the seat keeps its turn.
    let (running, turn) = (game.table.to_act(), turn(&game.table));
    if turn != clocks.turn {
        if let Some(ended) = clocks.turn.and_then(|seat| clocks.seats.get_mut(seat.index())) {
            ended.bank_ms = ended.bank_ms.saturating_add(clock.increment_ms.unwrap_or(0));
        }
        (clocks.turn, clocks.turn_since_ms) = (turn, at.time_ms);
    }
    if running != clocks.running {
        (clocks.running, clocks.turn_ms) = (running, 0);
    }
    Some(clocks)
}

/// Returns the clocks of an entry as they stand at a later moment.
pub fn charged(clock: &GameClock, entry: &JournalEntry, at: Moment) -> Option<SeatClocks> {
    let mut clocks = entry.clocks.clone()?;
    if clocks.is_paused || clocks.is_stopped {
        return Some(clocks);
    }
    let from_ms = since(clock, entry);
    let passed = u64::try_from(at.time_ms.saturating_sub(from_ms)).unwrap_or(0);
    let passed = passed.saturating_sub(at.uncharged_ms.into());
    if let Some(seat) = clocks.running.and_then(|seat| clocks.seats.get_mut(seat.index())) {
        seat.bank_ms = seat.bank_ms.saturating_sub(passed);
        clocks.turn_ms = clocks.turn_ms.saturating_add(passed);
    }
    Some(clocks)
}

/// Returns the moment at which the time of the seat to act is up unless it acts, in ms since 1970; `None` if its time is
/// not limited or does not run.
pub fn flag_at_ms(clock: &GameClock, entry: &JournalEntry) -> Option<i64> {
    let clocks = entry.clocks.as_ref().filter(|clocks| !clocks.is_paused && !clocks.is_stopped)?;
    let seat = clocks.seats.get(clocks.running?.index())?;
    let turn = clock.turn_ms.map(|turn| turn.saturating_sub(clocks.turn_ms));
    let left = turn.into_iter().chain(clock.bank_ms.map(|_| seat.bank_ms)).min()?;
    Some(since(clock, entry).saturating_add_unsigned(left))
}

/// Returns the sanction of `seat`, whose time is up at the present moment of `clocks` (IR-072).
pub fn sanction(clock: &GameClock, clocks: &SeatClocks, seat: Seat) -> Sanction {
    let seat = clocks.seats.get(seat.index()).copied().unwrap_or_default();
    let has_bank = clock.bank_ms.is_none() || seat.bank_ms > 0;
    if has_bank && u32::from(seat.warnings) < clock.warnings.unwrap_or(WARNINGS_DEFAULT) {
        Sanction::Warning
    } else {
        Sanction::Forfeit
    }
}

/// Counts a warning of the seat to act, whose turn's time starts again.
pub fn warn(clocks: &mut SeatClocks) {
    if let Some(seat) = clocks.running.and_then(|seat| clocks.seats.get_mut(seat.index())) {
        seat.warnings = seat.warnings.saturating_add(1);
    }
    clocks.turn_ms = 0;
}

/// Whether play has not begun at this time.
pub fn is_before_start(clock: &GameClock, time_ms: i64) -> bool {
    clock.starts_at_ms.is_some_and(|start| time_ms < start)
}

/// Whether the time for play is up at a table after an entry: the time has passed, and the turn that was under way then
/// has ended (TF-011, decision FinishTurn).
pub fn is_time_up(clock: &GameClock, entry: &JournalEntry, table: &Table, time_ms: i64) -> bool {
    let Some(end_ms) = clock.ends_at_ms.filter(|end| time_ms >= *end) else { return false };
    let turn = turn(table).filter(|_| !is_stopped(entry));
    let began = entry.clocks.as_ref().filter(|clocks| turn.is_some() && clocks.turn == turn);
    began.is_none_or(|clocks| clocks.turn_since_ms >= end_ms)
}

/// Whether play has ended because its time was up.
pub fn is_stopped(entry: &JournalEntry) -> bool {
    entry.clocks.as_ref().is_some_and(|clocks| clocks.is_stopped)
}

/// Writes the clocks as they stand at a moment.
pub fn write(clock: &GameClock, entry: &JournalEntry, at: Moment) -> Option<pb::ClockState> {
    let clocks = charged(clock, entry, at)?;
    let running = clocks
        .running
        .filter(|_| !clocks.is_paused && !clocks.is_stopped && !is_before_start(clock, at.time_ms));
    let turn_left_ms = clock.turn_ms.map(|turn| turn.saturating_sub(clocks.turn_ms));
    Some(pb::ClockState {
        now_ms: at.time_ms,
        running: running.map(|seat| seat.0.into()),
        turn_left_ms: turn_left_ms.filter(|_| running.is_some()),
        seats: clocks
            .seats
            .iter()
            .map(|seat| pb::SeatClock {
                bank_left_ms: clock.bank_ms.map(|_| seat.bank_ms),
                warnings: seat.warnings.into(),
            })
            .collect(),
    })
}

/// Returns the seat whose turn it is; `None` between rounds.
fn turn(table: &Table) -> Option<Seat> {
    table.to_act().map(|_| table.turn_seat())
}

/// Returns the moment from which time is charged after an entry.
fn since(clock: &GameClock, entry: &JournalEntry) -> i64 {
    entry.time_ms.max(clock.starts_at_ms.unwrap_or(entry.time_ms))
}

#[cfg(test)]
mod tests;
