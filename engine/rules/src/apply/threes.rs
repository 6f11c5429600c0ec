//! Threes that are laid by choice (ALG-03).

use super::{Sink, end, foot, fresh, loose, start_play, stock};
use crate::card::{Card, Cards};
use crate::facts::least_to_end;
use crate::rules::{FootComes, LastThree, ThreesDrawn};
use crate::seat::Seat;
use crate::table::{EndReason, Phase, Source, Table};

/// Lays threes one after another. Each is replaced before the next is laid (AC-01, AC-06).
pub(super) fn lay(table: &mut Table, seat: Seat, cards: &[Card], events: &mut impl Sink) {
    for &card in cards {
        let held = table.hands[seat.index()].remove(card);
        assert!(held, "a three that is laid is held");
        stock::lay_three(table, seat, card, events);
        if is_late(table, seat, card) || is_of_foot(table, seat) {
            continue;
        }
        table.turn.fresh.remove(card);
        if stock::replace(table, seat, events) {
            continue;
        }
        match table.set().last_three {
            // MA-038: no meld and no discard follow.
            LastThree::EndRound => {
                loose::settle(table, seat);
                return end(table, EndReason::LastThree, Some(seat), events);
            }
            // Clarification 7: no discard follows, and also no draw if the seat has not drawn.
            LastThree::MeldNoDiscard => {
                let source = if table.phase == Phase::Start { Source::Stock } else { table.turn.source };
                start_play(table, source);
                table.turn.no_discard = true;
            }
            LastThree::GoOn => {}
        }
    }
    if table.phase == Phase::Play && !table.turn.melded_since_draw {
        fresh::mark_wild_draw(table, seat);
    }
    if table.hand(seat).is_empty() && !table.foot(seat).is_empty() {
        foot::pick_up(table, seat, events);
    }
}

/// Whether threes in the hand came with the foot and are therefore not replaced (HF-080). In a rule set with
/// feet, all other threes are laid as they come or with the first hand, unless drawn threes may be held. In
/// that case threes of the foot are laid when the foot is picked up, or they count as late.
fn is_of_foot(table: &Table, seat: Seat) -> bool {
    let set = table.set();
    // A foot that joins the hand finds threes of the deal there (HF-110).
    let joins = set.foot_comes == FootComes::FirstCanasta;
    let has_come = table.feet.get(seat.index()).is_some_and(Cards::is_empty);
    has_come && set.threes_drawn == ThreesDrawn::Auto && !joins
}

/// Whether the three that was just laid could have been laid in an earlier turn, so that it is not replaced
/// (IR-042). Of several copies of `card` the late ones are laid first. If so few cards stay that the turn
/// could not end, the three had to be laid (MA-039); it is then replaced although it is late.
fn is_late(table: &Table, seat: Seat, card: Card) -> bool {
    let hand = table.hand(seat);
    !table.set().late_three_replaced
        && hand.count(card) >= table.turn.fresh.count(card)
        && hand.len() >= u16::from(least_to_end(table))
}
