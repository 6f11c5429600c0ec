//! The check of a round whose cards are still hidden: its register, and the order of seats.

use super::super::held::OpenRound;
use super::super::{Tally, or_none};
use super::GameAudit;
use crate::finding::{Finding, FindingKind};
use alloc::format;
use alloc::vec::Vec;
use canasta_log::record::{ActionRecord, DealMode};
use canasta_rules::action::{About, Action, EffectKind};
use canasta_rules::rejection::Field;
use canasta_rules::rules::{AskWhom, Courtesy, RuleSet, SideFormation};
use canasta_rules::seat::Seat;

impl GameAudit {
    /// Compares register and deal with each other and with the mode, as far as that is possible before the reveal.
    pub(super) fn check_register(&self, round: &OpenRound, tally: &mut Tally) {
        round.skipped().into_iter().for_each(|finding| tally.find(finding));
        let by_hand = self.genesis.mode == DealMode::Explicit && round.register.round == 0;
        let committed = self.genesis.mode != DealMode::Transcribed && !by_hand;
        if committed != round.register.commitment.is_some() {
            let expected = if committed { "a commitment to the wall" } else { "no commitment" };
            tally.find(round.place.finding(FindingKind::Commitment, format!("expected {expected}")));
        }
        for (place, record) in round.rare_actions() {
            let Action::Deal(deal) = &record.action else { continue };
            if let Some(misfit) = self.dealing.misfit(&self.table, deal) {
                let seat = match misfit.field {
                    Field::Contribution(seat) => Some(seat),
                    _ => None,
                };
                let finding = place.finding(FindingKind::Commitment, format!("deal: {misfit}"));
                tally.find(Finding { seat, codes: alloc::vec![misfit.code], ..finding });
            }
        }
    }

    /// Follows deal, discards and questions, and reports the first seat that cannot have acted.
    pub(super) fn check_order(&self, round: &OpenRound, tally: &mut Tally) {
        let set = self.table.set();
        debug_assert_eq!(self.genesis.players.len(), usize::from(set.seats));
        let leader = round.register.dealer.map(|dealer| dealer.left(set.seats));
        let (mut turn, mut lone): (Option<Seat>, Option<Seat>) = (None, None);
        // The seats that still have to answer, in order.
        let mut asked: Vec<Seat> = Vec::new();
        let mut of_courtesy = false;
        for (place, record) in round.records() {
            let Some(record) = record.with_action(ActionRecord::clone) else { continue };
            if record.action.is_official() {
                if moves_on(&record.action) {
                    return;
                }
                continue;
            }
            if is_aside(set, &record.action, record.actor, turn) {
                continue;
            }
            let expected = asked.first().copied().or(turn);
            // Seats that are asked at the same time answer in any order (AMB-20).
            let at_once = !of_courtesy && matches!(set.ask_whom, AskWhom::Any | AskWhom::All);
            let any = at_once && record.actor.is_some_and(|seat| asked.contains(&seat));
            if record.actor != expected && !any {
                let (due, found) = (or_none(expected), or_none(record.actor));
                let detail = format!("expected seat {due} to act, found {found}");
                let finding = place.finding(FindingKind::Order, detail);
                tally.find(Finding { seat: record.actor, ..finding });
                return;
            }
            match record.action {
                Action::Deal(ref deal) if self.dealing.is_void(deal) => turn = None,
                Action::Deal(_) => turn = leader,
                Action::Discard(_) | Action::Pass => turn = turn.map(|seat| seat.left(set.seats)),
                Action::Ask { about: About::Courtesy, .. } => {
                    let seats =
                        (1..set.seats).filter_map(|n| turn.map(|turn| Seat((turn.0 + n) % set.seats)));
                    let opposes =
                        |seat: &Seat| Some(set.side_of(*seat)) != turn.map(|turn| set.side_of(turn));
                    asked = match set.courtesy {
                        Courtesy::WithConsent => seats.filter(opposes).collect(),
                        _ => Vec::new(),
                    };
                    of_courtesy = true;
                }
                Action::Ask { to, .. } => {
                    of_courtesy = false;
                    let mates = mates(set, lone, turn);
                    asked = match (set.ask_whom, to) {
                        (AskWhom::Named, Some(to)) => alloc::vec![to],
                        (AskWhom::Named | AskWhom::Next, _) => mates.take(1).collect(),
                        (AskWhom::All | AskWhom::Any, _) => mates.collect(),
                    };
                }
                Action::TakePile(_) if set.side_formation == SideFormation::LoneTaker => lone = lone.or(turn),
                Action::Answer { yes: true } if of_courtesy => asked = asked.split_off(asked.len().min(1)),
                Action::Answer { .. } if !of_courtesy && set.ask_whom == AskWhom::All => {
                    asked.retain(|seat| Some(*seat) != record.actor);
                }
                Action::Answer { .. } => asked.clear(),
                _ => {}
            }
        }
    }
}

/// Whether a seat may do the action while it is another seat's turn.
fn is_aside(set: &RuleSet, action: &Action, actor: Option<Seat>, turn: Option<Seat>) -> bool {
    let out_of_turn = actor.is_some() && actor != turn;
    match action {
        Action::TakeTalon | Action::CallReveal { .. } => actor.is_some(),
        Action::Meld(_) | Action::Pass => out_of_turn && set.courtesy != Courtesy::Off,
        _ => false,
    }
}

/// Whether a ruling changes the seat that must act next; the new seat does not follow from the record alone.
fn moves_on(action: &Action) -> bool {
    let Action::Ruling(ruling) = action else { return false };
    matches!(ruling.effect.kind, EffectKind::Stand | EffectKind::Restore)
}

/// Returns the mates of the seat in turn, in the order in which they play after that seat.
fn mates(set: &RuleSet, lone: Option<Seat>, turn: Option<Seat>) -> impl Iterator<Item = Seat> + '_ {
    let side = move |seat| set.formed_side_of(seat, lone);
    let left = |seat: &Seat| Some(seat.left(set.seats));
    let others = core::iter::successors(turn.as_ref().and_then(left), left);
    others.take_while(move |&seat| Some(seat) != turn).filter(move |&seat| Some(side(seat)) == turn.map(side))
}
