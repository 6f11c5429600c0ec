//! Carrying out what [`check`](crate::check::check) allowed: a flat match that decides nothing.

use crate::action::{About, Action, As, SpecialHand};
use crate::check::{Draw, Legal, Plan, check, is_exception};
use crate::event::{Event, Events, FreezeCause};
use crate::rejection::Rejection;
use crate::rules::{AskCheck, StockOut};
use crate::seat::Seat;
use crate::table::{Courtesy, EndReason, Permission, Phase, RoundOver, Source, Table, Turn};

mod courtesy;
mod deal;
mod foot;
mod formation;
mod melds;
mod question;
mod ruling;
mod stock;
mod talon;
mod tentative;
mod threes;

/// Carries out `legal` and returns what happened. A round that ends is left in
/// [`Phase::RoundOver`], to be booked by [`crate::scoring::book`].
///
/// # Panics
/// If `legal` was made at another step: two requests were mixed up.
pub fn apply(state: &mut Table, legal: Legal) -> Events {
    assert_eq!(legal.step, state.step, "an action is applied to the table it was checked against");
    state.step += 1;
    let mut events = Events::new();
    let seat = state.turn.seat;
    let aside =
        matches!(legal.plan, Plan::TakeTalon | Plan::Reveal(_) | Plan::MeldLate(..) | Plan::EndCourtesy(_));
    if !aside {
        // What the seat before could still do, and be asked to do, ends with this action.
        (state.round.offered, state.round.reveal) = (None, None);
    }
    match legal.plan {
        Plan::Deal(wall, cut) => deal::deal(state, &wall, cut, &mut events),
        Plan::Void => deal::void(state),
        Plan::DrawCards(draw) => seat_players(state, draw, &mut events),
        Plan::Draw => stock::draw(state, seat, &mut events),
        Plan::Take(placements) => melds::take(state, seat, placements, &mut events),
        Plan::Meld(placements) => {
            state.turn.melded_since_draw = true;
            threes::close_window(state);
            melds::lay(state, seat, placements, &mut events);
        }
        Plan::MeldLate(seat, placements) => courtesy::lay(state, seat, placements, &mut events),
        Plan::EndCourtesy(seat) => courtesy::end(state, seat, &mut events),
        Plan::TakeTalon => talon::take(state, &mut events),
        Plan::Reveal(of) => {
            state.round.reveal = None;
            events.push(Event::Revealed { seat: of, cards: state.hand(of).iter().collect() });
        }
        Plan::SpecialHand(hand) => special_hand(state, seat, hand, &mut events),
        Plan::Merge { a, b } => melds::merge(state, seat, (a, b), &mut events),
        Plan::TakeOnlyTop(placements) => melds::take_only_top(state, seat, placements, &mut events),
        Plan::Place { placements, top, release } => {
            state.turn.melded_since_draw = true;
            if state.phase == Phase::Play {
                threes::close_window(state);
            }
            tentative::place(state, seat, placements, top, release, &mut events);
        }
        Plan::Undo { meld, cards, release } => {
            tentative::undo(state, seat, meld, cards, release, &mut events);
        }
        Plan::TakeTop => tentative::take_top(state, seat, &mut events),
        Plan::Restore => tentative::restore(state, seat, &mut events),
        Plan::LayThrees(cards) => threes::lay(state, seat, &cards, &mut events),
        Plan::Discard(card) => discard(state, seat, card, &mut events),
        Plan::Ask { about, to } => {
            threes::close_window(state);
            match about {
                About::GoOut => question::ask(state, to, &mut events),
                About::Courtesy => courtesy::ask(state, to, &mut events),
            }
        }
        Plan::Answer { by, yes } => match state.turn.courtesy {
            Courtesy::Asked(_) => courtesy::answer(state, by, yes, &mut events),
            _ => question::answer(state, by, yes, &mut events),
        },
        Plan::Pass => {
            tentative::settle(state, seat);
            threes::end_turn(state, seat);
            events.push(Event::Passed { seat });
            end_turn(state, seat, &mut events);
        }
        Plan::EndRound if state.turn.no_discard => {
            tentative::settle(state, seat);
            end(state, EndReason::LastThree, Some(seat), &mut events);
        }
        Plan::EndRound => {
            events.push(Event::StockExhausted);
            end(state, EndReason::StockExhausted, Some(seat), &mut events);
        }
        Plan::Rule(decision) => ruling::rule(state, *decision, &mut events),
        Plan::Dispute { open } => ruling::dispute(state, open, &mut events),
        Plan::Sign { side } => ruling::sign(state, side, &mut events),
    }
    if state.phase == Phase::RoundOver {
        state.round.courteous = 0;
    }
    if let Some(rulings) = &mut state.rulings {
        rulings.hold(&state.hands);
    }
    events
}

/// Checks and applies in one step.
///
/// # Errors
/// The rejection, and then `state` is unchanged.
pub fn act(state: &mut Table, actor: As, action: &Action) -> Result<Events, Rejection> {
    let legal = check(state, actor, action)?;
    Ok(apply(state, legal))
}

/// Round 0 ends with its only action: the players take their seats.
fn seat_players(state: &mut Table, draw: Draw, events: &mut Events) {
    let Draw { picks, seating, dealer } = draw;
    state.seating[..seating.len()].copy_from_slice(&seating);
    state.round.dealer = dealer;
    events.push(Event::Drawn { picks, seating, dealer });
    state.round.over = Some(RoundOver { reason: EndReason::Drawn, seat: None, concealed: false });
    state.phase = Phase::RoundOver;
}

fn discard(state: &mut Table, seat: Seat, card: crate::card::Card, events: &mut Events) {
    let held = state.hands[seat.index()].remove(card);
    assert!(held, "a discard is held");
    tentative::settle(state, seat);
    state.release(seat, card);
    threes::end_turn(state, seat);
    // The last card of a first hand brings the foot, for the next turn (HF-078).
    let goes_out = state.hand(seat).is_empty() && state.foot(seat).is_empty();
    if goes_out && state.set().final_face_down {
        state.face_down = Some(card);
        events.push(Event::Discarded { seat, card, face_down: true });
        return go_out(state, seat, events);
    }
    if !goes_out && state.set().reveal && is_exception(state, card) {
        state.round.reveal = Some(seat);
    }
    let freezers = state.set().discard_freezes;
    let froze = state.push_pile(card, freezers);
    events.push(Event::Discarded { seat, card, face_down: false });
    if let Some(cause) = froze {
        froze_event(cause, events);
    }
    if goes_out {
        go_out(state, seat, events);
    } else {
        if state.turn.permission == Permission::Yes && state.set().ask_check == AskCheck::Penalty {
            ruling::broke_word(state, seat, events);
        }
        talon::award(state, seat, events);
        let granted = state.turn.courtesy == Courtesy::Granted && !state.hand(seat).is_empty();
        state.round.courteous |= u8::from(granted) << seat.0;
        end_turn(state, seat, events);
    }
}

/// The turn of `seat` is over. Where the round does not outlast the stock it ends here (HF-086): no turn
/// begins at an empty stock, so that the seat has drawn last.
fn end_turn(state: &mut Table, seat: Seat, events: &mut Events) {
    if state.set().stock_out == StockOut::FinishTurn && state.stock.is_empty() {
        end(state, EndReason::LastDrawerDone, Some(seat), events);
    } else {
        begin_turn(state, seat.left(state.set().seats), events);
    }
}

/// The whole hand is shown and ends the round (MA-140); it stays in the hand.
fn special_hand(state: &mut Table, seat: Seat, hand: SpecialHand, events: &mut Events) {
    threes::end_turn(state, seat);
    state.round.special = Some(hand);
    events.push(Event::SpecialHand { seat, hand, cards: state.hand(seat).iter().collect() });
    end(state, EndReason::SpecialHand, Some(seat), events);
}

fn froze_event(cause: FreezeCause, events: &mut Events) {
    events.push(Event::Froze { cause });
}

/// The last card has left the hand by a legal going out (CL-078).
fn go_out(state: &mut Table, seat: Seat, events: &mut Events) {
    let concealed = is_concealed(state, seat);
    formation::fix_sides(state, seat, events);
    events.push(Event::WentOut { seat, concealed });
    state.round.over = Some(RoundOver { reason: EndReason::WentOut, seat: Some(seat), concealed });
    state.phase = Phase::RoundOver;
    events.push(Event::Scored);
}

/// ALG-18: nothing melded before this turn, nothing added to melds that existed when it began, and a
/// canasta from scratch in it.
fn is_concealed(state: &Table, seat: Seat) -> bool {
    let turn = &state.turn;
    let fresh = |m: &crate::table::Meld| m.id.0 >= turn.new_from && m.grade(state.set()).is_some();
    !turn.melded_before && !turn.touched_old && state.melds_of(state.side_of(seat)).any(fresh)
}

/// The round ends without going out.
fn end(state: &mut Table, reason: EndReason, seat: Option<Seat>, events: &mut Events) {
    state.round.over = Some(RoundOver { reason, seat, concealed: false });
    state.phase = Phase::RoundOver;
    events.push(Event::Scored);
}

/// The turn of `seat` begins.
fn begin_turn(state: &mut Table, seat: Seat, events: &mut Events) {
    if let Some(rulings) = &mut state.rulings {
        rulings.end_turn(state.turn.seat);
    }
    state.round.courteous &= !(1 << seat.0);
    let side = state.side_of(seat);
    state.turn = Turn::of(seat, state.has_melded(seat), state.round.next_id[side.index()]);
    state.phase = Phase::Start;
    if state.hand(seat).is_empty() && !state.foot(seat).is_empty() {
        foot::pick_up(state, seat, events);
    }
    threes::begin_turn(state, seat);
    talon::join(state, seat, events);
}

/// The cards of this turn have come from `source`.
fn start_play(state: &mut Table, source: Source) {
    state.turn.source = source;
    state.phase = Phase::Play;
}
