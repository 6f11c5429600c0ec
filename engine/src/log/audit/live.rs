//! A round whose cards are still hidden: only the order of seats can be checked.

use super::super::finding::{Finding, FindingKind};
use super::super::record::{Genesis, Record};
use super::Tally;
use super::round::OpenRound;
use crate::action::Action;
use crate::rules::RuleSet;
use crate::seat::Seat;
use alloc::format;

/// Follows deal, discards and questions, and says which seat cannot have acted.
pub(super) fn check_order(set: &RuleSet, genesis: &Genesis, round: &OpenRound, tally: &mut Tally) {
    debug_assert_eq!(genesis.players.len(), usize::from(set.seats));
    let leader = round.register.dealer.map(|dealer| dealer.left(set.seats));
    let (mut turn, mut asked): (Option<Seat>, Option<Seat>) = (None, None);
    for held in &round.held {
        let Record::Action(record) = &held.record else { continue };
        let expected = asked.or(turn);
        if record.actor != expected {
            tally.find(Finding {
                seat: record.actor,
                ..held.place.finding(
                    FindingKind::Order,
                    format!("expected seat {expected:?} to act, found {:?}", record.actor),
                )
            });
            return;
        }
        match record.action {
            Action::Deal(_) => turn = leader,
            Action::Discard(_) => turn = turn.map(|seat| seat.left(set.seats)),
            Action::Ask { to, .. } => asked = to.or_else(|| only_mate(set, turn)),
            Action::Answer { .. } => asked = None,
            _ => {}
        }
    }
}

fn only_mate(set: &RuleSet, turn: Option<Seat>) -> Option<Seat> {
    let turn = turn?;
    let mut mates =
        (0..set.seats).map(Seat).filter(|s| *s != turn && s.0 % set.side_count == turn.0 % set.side_count);
    mates.next().filter(|_| mates.next().is_none())
}
