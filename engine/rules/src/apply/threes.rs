//! Laying threes by choice (ALG-03).

use super::{end, foot, start_play, stock, tentative};
use crate::card::{Card, Cards};
use crate::check::least_to_end;
use crate::event::Events;
use crate::rules::{DiscardWilds, LastThree, ThreesDrawn, ThreesWindow};
use crate::seat::Seat;
use crate::table::{EndReason, Phase, Source, Table};

/// One after another, each replaced before the next is laid (AC-01, AC-06).
pub(super) fn lay(state: &mut Table, seat: Seat, cards: &[Card], events: &mut Events) {
    for &card in cards {
        let held = state.hands[seat.index()].remove(card);
        assert!(held, "a three that is laid is held");
        stock::lay_three(state, seat, card, events);
        if is_late(state, seat, card) || is_of_foot(state, seat) {
            continue;
        }
        state.turn.fresh.remove(card);
        if stock::replace(state, seat, events) {
            continue;
        }
        match state.set().last_three {
            // MA-038: no meld and no discard follow.
            LastThree::EndRound => {
                tentative::settle(state, seat);
                return end(state, EndReason::LastThree, Some(seat), events);
            }
            // Clarification 7: no discard follows, and no draw where none was made.
            LastThree::MeldNoDiscard => {
                let source = if state.phase == Phase::Start { Source::Stock } else { state.turn.source };
                start_play(state, source);
                state.turn.no_discard = true;
            }
            LastThree::GoOn => {}
        }
    }
    if state.phase == Phase::Play && !state.turn.melded_since_draw {
        mark_wild_draw(state, seat);
    }
    if state.hand(seat).is_empty() && !state.foot(seat).is_empty() {
        foot::pick_up(state, seat, events);
    }
}

/// MA-085: remembers whether the hand is all wild now that the draw, or what follows it, is done.
pub(super) fn mark_wild_draw(state: &mut Table, seat: Seat) {
    if state.set().discard_wilds == DiscardWilds::ForcedByDraw && state.turn.source == Source::Stock {
        let hand = &state.hands[seat.index()];
        state.turn.all_wild_draw = u16::from(hand.wilds()) == hand.len();
    }
}

/// Whether threes in the hand came with the foot and are not replaced (HF-080): with feet all others are laid
/// as they come, or with the first hand, unless drawn ones are held. Those of the foot are then laid as it comes, or late
/// by themselves.
fn is_of_foot(state: &Table, seat: Seat) -> bool {
    let set = state.set();
    set.foot_size > 0 && state.foot(seat).is_empty() && set.threes_drawn == ThreesDrawn::Auto
}

/// Whether a copy of `card`, just laid, is one that could have been laid in an earlier turn and is not
/// replaced for it (IR-042). Of several copies the late ones go first. Where so few cards stay that the turn could not
/// end, those had to be laid (MA-039), and are replaced all the same.
fn is_late(state: &Table, seat: Seat, card: Card) -> bool {
    let hand = state.hand(seat);
    !state.set().late_three_replaced
        && hand.count(card) >= state.turn.fresh.count(card)
        && hand.len() >= u16::from(least_to_end(state))
}

/// A card from the stock comes to the hand.
pub(super) fn receive(state: &mut Table, seat: Seat, card: Card) {
    state.hands[seat.index()].insert(card);
    let set = state.set();
    // Before the draw any three may be laid: it only matters whether it is late.
    let matters = state.phase != Phase::Start || !set.late_three_replaced;
    if set.lays(card.class()) && set.marks_fresh_threes() && matters {
        state.turn.fresh.insert(card);
    }
}

/// What was not laid at once stays in the hand (MA-033), where only fresh threes can be laid.
pub(super) fn close_window(state: &mut Table) {
    if state.set().threes_window == ThreesWindow::StartOrFresh {
        state.turn.fresh = Cards::EMPTY;
    }
}

/// At the beginning of its first turn no three of the seat's hand is late.
pub(super) fn begin_turn(state: &mut Table, seat: Seat) {
    if state.set().marks_turns() && state.round.played & (1 << seat.0) == 0 {
        state.turn.fresh = crate::check::held_threes(state);
    }
}

/// The turn of `seat` is over: the threes it still holds are late.
pub(super) fn end_turn(state: &mut Table, seat: Seat) {
    if state.set().marks_fresh_threes() {
        state.turn.fresh = Cards::EMPTY;
        state.round.played |= u8::from(state.set().marks_turns()) << seat.0;
    }
}
