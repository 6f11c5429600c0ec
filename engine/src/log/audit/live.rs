//! A round whose cards are still hidden: only the order of seats can be checked.

use super::super::finding::{Finding, FindingKind};
use super::super::record::{Genesis, Record};
use super::round::OpenRound;
use super::{Tally, official};
use crate::action::{Action, EffectKind};
use crate::rules::{AskWhom, RuleSet, SideFormation};
use crate::seat::Seat;
use alloc::format;
use alloc::vec::Vec;

/// Follows deal, discards and questions, and says which seat cannot have acted.
pub(super) fn check_order(set: &RuleSet, genesis: &Genesis, round: &OpenRound, tally: &mut Tally) {
    debug_assert_eq!(genesis.players.len(), usize::from(set.seats));
    let leader = round.register.dealer.map(|dealer| dealer.left(set.seats));
    let (mut turn, mut lone): (Option<Seat>, Option<Seat>) = (None, None);
    // Who still has to answer, in order.
    let mut asked: Vec<Seat> = Vec::new();
    for held in &round.held {
        let Record::Action(record) = &held.record else { continue };
        if official::is_official(&record.action) {
            if moves_on(&record.action) {
                return;
            }
            continue;
        }
        let expected = asked.first().copied().or(turn);
        let any = set.ask_whom == AskWhom::Any && record.actor.is_some_and(|seat| asked.contains(&seat));
        if record.actor != expected && !any {
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
            Action::Ask { to, .. } => {
                let mates = mates(set, lone, turn);
                asked = match (set.ask_whom, to) {
                    (AskWhom::Named, Some(to)) => alloc::vec![to],
                    (AskWhom::Named | AskWhom::Next, _) => mates.take(1).collect(),
                    (AskWhom::All | AskWhom::Any, _) => mates.collect(),
                };
            }
            Action::TakePile(_) if set.side_formation == SideFormation::LoneTaker => lone = lone.or(turn),
            Action::Answer { .. } if set.ask_whom == AskWhom::All => {
                asked = asked.split_off(asked.len().min(1));
            }
            Action::Answer { .. } => asked.clear(),
            _ => {}
        }
    }
}

/// Whether a ruling makes another seat the one to act, which the record alone does not say.
fn moves_on(action: &Action) -> bool {
    let Action::Ruling(ruling) = action else { return false };
    matches!(ruling.effect.kind, EffectKind::Stand | EffectKind::Restore)
}

/// The mates of the seat in turn, in the order in which they play after it.
fn mates(set: &RuleSet, lone: Option<Seat>, turn: Option<Seat>) -> impl Iterator<Item = Seat> + '_ {
    let side = move |seat| set.formed_side_of(seat, lone);
    let left = |seat: &Seat| Some(seat.left(set.seats));
    let others = core::iter::successors(turn.as_ref().and_then(left), left);
    others.take_while(move |&seat| Some(seat) != turn).filter(move |&seat| Some(side(seat)) == turn.map(side))
}
