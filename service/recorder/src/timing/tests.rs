//! Clocks of hand-made entries; every number is counted by hand beside it.

use std::sync::Arc;

use canasta_engine::action::{Action, As};
use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::game::{LoggedGame, NewDeal, NewGame};
use canasta_engine::rules::Rules;

use super::*;

/// A day with 10 s per turn, 30 s for the game, and 2 s more after each turn.
const CLOCK: GameClock = GameClock {
    starts_at_ms: Some(100_000),
    ends_at_ms: Some(200_000),
    turn_ms: Some(10_000),
    bank_ms: Some(30_000),
    increment_ms: Some(2_000),
    warnings: Some(1),
};

/// Returns a game whose cards are dealt: the seat to act is `seat(&game, 0)`.
fn dealt() -> LoggedGame {
    let rules = Arc::new(Rules::preset("classic-4p").expect("the main game"));
    let new = NewGame::new(rules, GameId([1; 16]), NewDeal::Seeded(GameSecret([2; 64])));
    let mut game = LoggedGame::create(new).expect("a game");
    let deal = game.legal().actions[0].clone();
    game.play(As::Table, &deal).expect("the deal");
    game
}

/// Returns the seat that has its turn after `later` others.
fn seat(game: &LoggedGame, later: u8) -> Seat {
    let seats = game.table().set().seats;
    Seat((game.table().turn_seat().0 + later) % seats)
}

fn entry(time_ms: i64, clocks: Option<SeatClocks>) -> JournalEntry {
    JournalEntry { time_ms, clocks, ..JournalEntry::plain() }
}

fn at(time_ms: i64) -> Moment {
    Moment { time_ms, uncharged_ms: 0 }
}

#[test]
fn a_seat_pays_for_its_turn_alone() {
    let mut game = dealt();
    let (own, next) = (seat(&game, 0), seat(&game, 1));
    let first = entry(90_000, start(&CLOCK, game.game(), 90_000));
    assert_eq!(flag_at_ms(&CLOCK, &first), Some(110_000), "the turn's 10 s run from the start of play");
    // The seat draws at 104 s: 4 s are charged, and it is still to act.
    game.play(As::Seat(own), &Action::DrawStock).expect("a draw");
    let drawn = entry(104_000, advance(&CLOCK, &first, game.game(), at(104_000)));
    let clocks = drawn.clocks.as_ref().expect("clocks");
    assert_eq!(
        (clocks.running, clocks.turn_ms, clocks.seats[own.index()].bank_ms),
        (Some(own), 4_000, 26_000)
    );
    assert_eq!(flag_at_ms(&CLOCK, &drawn), Some(110_000));
    // It discards at 107 s, of which the recorder was down for 2 s: 1 s more is charged, and 2 s are given.
    let discard = game.legal().actions.pop().expect("a discard");
    game.play(As::Seat(own), &discard).expect("a discard");
    let moment = Moment { time_ms: 107_000, uncharged_ms: 2_000 };
    let passed = entry(107_000, advance(&CLOCK, &drawn, game.game(), moment));
    let clocks = passed.clocks.as_ref().expect("clocks");
    assert_eq!((clocks.running, clocks.turn_ms), (Some(next), 0));
    for seat in game.table().seats() {
        let left = if seat == own { 27_000 } else { 30_000 };
        assert_eq!(clocks.seats[seat.index()].bank_ms, left, "{seat:?}");
    }
    let shown = write(&CLOCK, &passed, at(110_500)).expect("clocks");
    assert_eq!(
        (shown.now_ms, shown.running, shown.turn_left_ms),
        (110_500, Some(next.0.into()), Some(6_500))
    );
    assert_eq!(shown.seats[next.index()].bank_left_ms, Some(26_500));
}

#[test]
fn a_dispute_stops_the_clock() {
    let mut game = dealt();
    let first = entry(100_000, start(&CLOCK, game.game(), 100_000));
    let dispute = |open| Action::Dispute { open, reason: String::new() };
    let other = seat(&game, 2);
    game.play(As::Seat(other), &dispute(true)).expect("a dispute");
    let open = entry(103_000, advance(&CLOCK, &first, game.game(), at(103_000)));
    assert_eq!(flag_at_ms(&CLOCK, &open), None);
    assert_eq!(write(&CLOCK, &open, at(150_000)).expect("clocks").running, None);
    game.play(As::Director, &dispute(false)).expect("the end of the dispute");
    let closed = entry(160_000, advance(&CLOCK, &open, game.game(), at(160_000)));
    assert_eq!(flag_at_ms(&CLOCK, &closed), Some(167_000), "3 s of the turn were used before");
}

#[test]
fn the_second_flag_loses_and_so_does_an_empty_bank() {
    let game = dealt();
    let (own, next) = (seat(&game, 0), seat(&game, 1));
    let mut clocks = start(&CLOCK, game.game(), 100_000).expect("clocks");
    assert_eq!(sanction(&CLOCK, &clocks, own), Sanction::Warning);
    clocks.turn_ms = 10_000;
    warn(&mut clocks);
    assert_eq!((clocks.turn_ms, clocks.seats[own.index()].warnings), (0, 1));
    assert_eq!(sanction(&CLOCK, &clocks, own), Sanction::Forfeit, "the clock allows one warning");
    clocks.seats[next.index()].bank_ms = 0;
    assert_eq!(sanction(&CLOCK, &clocks, next), Sanction::Forfeit);
    let by_default = GameClock { turn_ms: Some(10_000), ..Default::default() };
    clocks.seats[own.index()].warnings = 2;
    assert_eq!(sanction(&by_default, &clocks, own), Sanction::Forfeit, "two warnings (IR-072)");
}

/// Checks that the turn under way is completed, and the next one does not begin (TF-011, decision FinishTurn).
#[test]
fn time_is_up_after_the_turn_under_way() {
    let mut game = dealt();
    let own = seat(&game, 0);
    let turn = entry(195_000, start(&CLOCK, game.game(), 195_000));
    let is_up =
        |entry: &JournalEntry, game: &LoggedGame, time_ms| is_time_up(&CLOCK, entry, game.table(), time_ms);
    assert!(!is_up(&turn, &game, 199_999) && !is_up(&turn, &game, 203_000));
    let next = entry(203_000, start(&CLOCK, game.game(), 203_000));
    assert!(is_up(&next, &game, 203_000));
    // Two actions in one entry: the first ends the turn.
    game.play(As::Seat(own), &Action::DrawStock).expect("a draw");
    assert!(!is_up(&turn, &game, 203_000));
    let discard = game.legal().actions.pop().expect("a discard");
    game.play(As::Seat(own), &discard).expect("a discard");
    assert!(is_up(&turn, &game, 203_000));
    assert!(is_before_start(&CLOCK, 99_999) && !is_before_start(&CLOCK, 100_000));
}
