//! The execution of what [`check()`](crate::check::check()) allowed. It never refuses.

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
mod fresh;
mod loose;
mod melds;
mod question;
mod ruling;
mod sink;
mod stock;
mod talon;
mod tentative;
mod threes;

pub use sink::Sink;

/// Executes `legal` and returns the events. A round that ends is left in [`Phase::RoundOver`];
/// [`crate::scoring::book`] books it.
///
/// # Panics
/// If `legal` was made at another step, which means that two requests were mixed up.
pub fn apply(table: &mut Table, legal: Legal) -> Events {
    let mut events = Events::new();
    apply_into(table, legal, &mut events);
    events
}

/// Executes `legal` as [`apply`] does, and puts the events into a sink.
///
/// # Panics
/// As [`apply`].
pub fn apply_into(table: &mut Table, legal: Legal, events: &mut impl Sink) {
    assert_eq!(legal.step, table.step, "an action is applied to the table it was checked against");
    table.step += 1;
    let seat = table.turn.seat;
    let aside =
        matches!(legal.plan, Plan::TakeTalon | Plan::Reveal(_) | Plan::MeldLate(..) | Plan::EndCourtesy(_));
    if !aside {
        // The seat before can no longer take an offered talon, and can no longer be called upon to show its hand.
        (table.round.offered, table.round.reveal) = (None, None);
    }
    match legal.plan {
        Plan::Deal(wall, cut) => deal::deal(table, &wall, cut, events),
        Plan::Void => deal::void(table),
        Plan::DrawCards(draw) => seat_players(table, draw, events),
        Plan::Draw => stock::draw(table, seat, events),
        Plan::Take(placements) => melds::take(table, seat, placements, events),
        Plan::Meld(placements) => {
            table.turn.melded_since_draw = true;
            fresh::close_window(table);
            melds::lay(table, seat, placements, events);
        }
        Plan::MeldLate(seat, placements) => courtesy::lay(table, seat, placements, events),
        Plan::EndCourtesy(seat) => courtesy::end(table, seat, events),
        Plan::TakeTalon => talon::take(table, events),
        Plan::Reveal(of) => {
            table.round.reveal = None;
            events.add(|| Event::Revealed { seat: of, cards: table.hand(of).iter().collect() });
        }
        Plan::SpecialHand(hand) => special_hand(table, seat, hand, events),
        Plan::Merge { a, b } => melds::merge(table, seat, (a, b), events),
        Plan::TakeOnlyTop(placements) => melds::take_only_top(table, seat, placements, events),
        Plan::Place { placements, top, release } => {
            table.turn.melded_since_draw = true;
            if table.phase == Phase::Play {
                fresh::close_window(table);
            }
            tentative::place(table, seat, placements, top, release, events);
        }
        Plan::Undo { meld, cards, release } => {
            tentative::undo(table, seat, meld, cards, release, events);
        }
        Plan::TakeTop => tentative::take_top(table, seat, events),
        Plan::Restore => tentative::restore(table, seat, events),
        Plan::LayThrees(cards) => threes::lay(table, seat, &cards, events),
        Plan::Discard(card) => discard(table, seat, card, events),
        Plan::Ask { about, to } => {
            fresh::close_window(table);
            match about {
                About::GoOut => question::ask(table, to, events),
                About::Courtesy => courtesy::ask(table, to, events),
            }
        }
        Plan::Answer { by, yes } => match table.turn.courtesy {
            Courtesy::Asked(_) => courtesy::answer(table, by, yes, events),
            _ => question::answer(table, by, yes, events),
        },
        Plan::Pass => {
            loose::settle(table, seat);
            fresh::end_turn(table, seat);
            events.add(|| Event::Passed { seat });
            end_turn(table, seat, events);
        }
        Plan::EndRound if table.turn.no_discard => {
            loose::settle(table, seat);
            end(table, EndReason::LastThree, Some(seat), events);
        }
        Plan::EndRound => {
            events.add(|| Event::StockExhausted);
            end(table, EndReason::StockExhausted, Some(seat), events);
        }
        Plan::Rule(decision) => ruling::rule(table, *decision, events),
        Plan::Dispute { open } => ruling::dispute(table, open, events),
        Plan::Sign { side } => ruling::sign(table, side, events),
    }
    if table.phase == Phase::RoundOver {
        table.round.courteous = 0;
    }
    if let Some(rulings) = &mut table.rulings {
        rulings.hold(&table.hands);
    }
}

/// Checks an action and, if it is legal, executes it.
///
/// # Errors
/// The rejection; `table` is then unchanged.
pub fn act(table: &mut Table, actor: As, action: &Action) -> Result<Events, Rejection> {
    let legal = check(table, actor, action)?;
    Ok(apply(table, legal))
}

/// Puts the players on their seats. This is the only action of round 0, and ends it.
fn seat_players(table: &mut Table, draw: Draw, events: &mut impl Sink) {
    let Draw { picks, seating, dealer } = draw;
    table.seating[..seating.len()].copy_from_slice(&seating);
    table.round.dealer = dealer;
    events.add(|| Event::Drawn { picks, seating, dealer });
    table.round.over = Some(RoundOver::without_seat(EndReason::Drawn));
    table.phase = Phase::RoundOver;
}

fn discard(table: &mut Table, seat: Seat, card: crate::card::Card, events: &mut impl Sink) {
    let held = table.hands[seat.index()].remove(card);
    assert!(held, "a discard is held");
    loose::settle(table, seat);
    table.release(seat, card);
    fresh::end_turn(table, seat);
    // The last card of a first hand brings the foot for the next turn (HF-078).
    let goes_out = table.hand(seat).is_empty() && table.foot(seat).is_empty();
    if goes_out && table.set().final_face_down {
        table.face_down = Some(card);
        events.add(|| Event::Discarded { seat, card, face_down: true });
        return go_out(table, seat, events);
    }
    if !goes_out && table.set().reveal && is_exception(table, card) {
        table.round.reveal = Some(seat);
    }
    let freezers = table.set().discard_freezes;
    let froze = table.push_pile(card, freezers);
    events.add(|| Event::Discarded { seat, card, face_down: false });
    if let Some(cause) = froze {
        froze_event(cause, events);
    }
    if goes_out {
        go_out(table, seat, events);
    } else {
        if table.turn.permission == Permission::Yes && table.set().ask_check == AskCheck::Penalty {
            ruling::broke_word(table, seat, events);
        }
        talon::award(table, seat, events);
        let granted = table.turn.courtesy == Courtesy::Granted && !table.hand(seat).is_empty();
        table.round.courteous |= u8::from(granted) << seat.0;
        end_turn(table, seat, events);
    }
}

/// Ends the turn of `seat`. If the rule set ends the round with the stock (HF-086), and the stock is empty,
/// the round ends here. Therefore no turn begins with an empty stock, and this seat has drawn last.
fn end_turn(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    if table.set().stock_out == StockOut::FinishTurn && table.stock.is_empty() {
        end(table, EndReason::LastDrawerDone, Some(seat), events);
    } else {
        begin_turn(table, seat.left(table.set().seats), events);
    }
}

/// Shows the whole hand, which ends the round (MA-140). The cards stay in the hand.
fn special_hand(table: &mut Table, seat: Seat, hand: SpecialHand, events: &mut impl Sink) {
    fresh::end_turn(table, seat);
    table.round.special = Some(hand);
    events.add(|| Event::SpecialHand { seat, hand, cards: table.hand(seat).iter().collect() });
    end(table, EndReason::SpecialHand, Some(seat), events);
}

fn froze_event(cause: FreezeCause, events: &mut impl Sink) {
    events.add(|| Event::Froze { cause });
}

/// Ends the round by a legal going out: the last card has left the hand (CL-078).
fn go_out(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    let concealed = is_concealed(table, seat);
    formation::fix_sides(table, seat, events);
    events.add(|| Event::WentOut { seat, concealed });
    table.round.over = Some(RoundOver { reason: EndReason::WentOut, seat: Some(seat), concealed });
    table.phase = Phase::RoundOver;
    events.add(|| Event::Scored);
}

/// Whether the seat goes out concealed (ALG-18): it melded nothing before this turn, added nothing to melds
/// that existed when the turn began, and completed a canasta in this turn from its first card on.
fn is_concealed(table: &Table, seat: Seat) -> bool {
    let turn = &table.turn;
    let fresh = |m: &crate::table::Meld| m.id.0 >= turn.new_from && m.grade(table.set()).is_some();
    !turn.melded_before && !turn.touched_old && table.melds_of(table.side_of(seat)).any(fresh)
}

/// Ends the round without going out.
fn end(table: &mut Table, reason: EndReason, seat: Option<Seat>, events: &mut impl Sink) {
    table.round.over = Some(RoundOver { reason, seat, concealed: false });
    table.phase = Phase::RoundOver;
    events.add(|| Event::Scored);
}

/// Begins the turn of `seat`.
fn begin_turn(table: &mut Table, seat: Seat, events: &mut impl Sink) {
    if let Some(rulings) = &mut table.rulings {
        rulings.end_turn(table.turn.seat);
    }
    table.round.courteous &= !(1 << seat.0);
    let side = table.side_of(seat);
    table.turn = Turn::of(seat, table.has_melded(seat), table.round.next_id[side.index()]);
    table.phase = Phase::Start;
    foot::begin_turn(table, seat, events);
    fresh::begin_turn(table, seat);
    talon::join(table, seat, events);
}

/// Records the source of this turn's cards, and begins the phase of play.
fn start_play(table: &mut Table, source: Source) {
    table.turn.source = source;
    table.phase = Phase::Play;
}

/// Records that `seat` has melded and that its side has made its initial meld.
fn open(table: &mut Table, seat: Seat) {
    table.round.opened |= 1 << table.side_of(seat).0;
    table.round.has_melded |= 1 << seat.0;
}
