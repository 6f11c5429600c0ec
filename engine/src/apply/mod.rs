//! Carrying out what [`check`](crate::check::check) allowed: a flat match that decides nothing.

use crate::action::{Action, As};
use crate::check::{Legal, Plan, check};
use crate::event::{Event, Events, FreezeCause};
use crate::rejection::Rejection;
use crate::seat::Seat;
use crate::state::{EndReason, Permission, Phase, RoundOver, Source, State, Turn};

mod deal;
mod melds;
mod stock;

/// Carries out `legal` and returns what happened. A round that ends is left in
/// [`Phase::RoundOver`], to be booked by [`crate::scoring::book`].
///
/// # Panics
/// If `legal` was made for another state: two requests were mixed up.
pub fn apply(state: &mut State, legal: Legal) -> Events {
    assert!(
        legal.seq == state.link.seq && legal.head == state.link.head,
        "an action is applied to the state it was checked against"
    );
    state.link.seq += 1;
    let mut events = Events::new();
    let seat = state.turn.seat;
    match legal.plan {
        Plan::Deal(wall) => deal::deal(state, &wall, &mut events),
        Plan::Draw => stock::draw(state, seat, &mut events),
        Plan::Take(placements) => melds::take(state, seat, placements, &mut events),
        Plan::Meld(placements) => {
            state.turn.melded_since_draw = true;
            melds::lay(state, seat, placements, &mut events);
        }
        Plan::Discard(card) => discard(state, seat, card, &mut events),
        Plan::Ask { about, to } => {
            state.turn.permission = Permission::Pending { about, to };
            state.round.asked |= 1 << seat.0;
            state.phase = Phase::Asked;
            events.push(Event::Asked { seat, about, to });
        }
        Plan::Answer { yes } => {
            let Permission::Pending { to, .. } = state.turn.permission else {
                unreachable!("an answer has a question")
            };
            state.turn.permission = if yes { Permission::Yes } else { Permission::No { by: to } };
            state.phase = Phase::Play;
            events.push(Event::Answered { seat: to, yes });
        }
        Plan::EndRound => {
            events.push(Event::StockExhausted);
            end(state, EndReason::StockExhausted, Some(seat), &mut events);
        }
    }
    events
}

/// Checks and applies in one step.
///
/// # Errors
/// The rejection, and then `state` is unchanged.
pub fn act(state: &mut State, actor: As, action: &Action) -> Result<Events, Rejection> {
    let legal = check(state, actor, action)?;
    Ok(apply(state, legal))
}

fn discard(state: &mut State, seat: Seat, card: crate::card::Card, events: &mut Events) {
    let held = state.hands[seat.index()].remove(card);
    assert!(held, "a discard is held");
    let freezers = state.set().discard_freezes;
    let froze = state.push_pile(card, freezers);
    events.push(Event::Discarded { seat, card, face_down: false });
    if let Some(cause) = froze {
        froze_event(cause, events);
    }
    if state.hands[seat.index()].is_empty() {
        go_out(state, seat, events);
    } else {
        begin_turn(state, seat.left(state.set().seats));
    }
}

fn froze_event(cause: FreezeCause, events: &mut Events) {
    events.push(Event::Froze { cause });
}

/// The last card has left the hand by a legal going out (CL-078).
fn go_out(state: &mut State, seat: Seat, events: &mut Events) {
    let concealed = is_concealed(state, seat);
    events.push(Event::WentOut { seat, concealed });
    state.round.over = Some(RoundOver { reason: EndReason::WentOut, seat: Some(seat), concealed });
    state.phase = Phase::RoundOver;
    events.push(Event::Scored);
}

/// ALG-18: nothing melded before this turn, nothing added to melds that existed when it began, and a
/// canasta from scratch in it.
fn is_concealed(state: &State, seat: Seat) -> bool {
    let turn = &state.turn;
    let fresh = |m: &crate::state::Meld| m.id.0 >= turn.new_from && m.grade(state.set()).is_some();
    !turn.melded_before && !turn.touched_old && state.melds_of(state.side_of(seat)).any(fresh)
}

/// The round ends without going out.
fn end(state: &mut State, reason: EndReason, seat: Option<Seat>, events: &mut Events) {
    state.round.over = Some(RoundOver { reason, seat, concealed: false });
    state.phase = Phase::RoundOver;
    events.push(Event::Scored);
}

/// The turn of `seat` begins.
fn begin_turn(state: &mut State, seat: Seat) {
    let side = state.side_of(seat);
    state.turn = Turn::of(seat, state.has_melded(seat), state.round.next_id[side.index()]);
    state.phase = Phase::Start;
}

/// The cards of this turn have come from `source`.
fn start_play(state: &mut State, source: Source) {
    state.turn.source = source;
    state.phase = Phase::Play;
}
