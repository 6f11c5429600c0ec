//! The context that the checks of a seat's action share: the table, the actor, and the violations found so far.

use super::Plan;
use crate::action::{ActionKind, CardList, Group};
use crate::card::{Card, Cards};
use crate::facts::must_lay;
use crate::nodes::Nodes;
use crate::rejection::{Circumstance, Field, Violation};
use crate::rules::{MeldCheck, RuleSet};
use crate::seat::{Seat, Side};
use crate::table::{Table, Talon, TalonPlace};
use crate::violations::Code;
use alloc::vec::Vec;
use core::cell::Cell;
use smallvec::SmallVec;

pub(super) type Verdict = Result<Plan, Vec<Violation>>;

/// The context of every check of a seat's action.
pub(crate) struct CheckContext<'a> {
    pub table: &'a Table,
    pub set: &'a RuleSet,
    pub seat: Seat,
    pub side: Side,
    pub(super) kind: ActionKind,
    /// Whether the tests that the rule set defers to the end of the turn are made at once. Only the minimum of the initial
    /// meld is never tested early.
    pub(super) strict: bool,
    /// Whether the turn ends with the melds: they are tested as at its end, though a card is left to discard.
    pub(super) ends_turn: bool,
    /// The counter of the nodes that searches visit.
    pub(super) nodes: &'a Nodes,
    /// The place for the points of the initial meld, if somebody asks for them.
    pub(super) initial: Option<&'a Cell<Option<InitialPoints>>>,
    pub(super) faults: Vec<Violation>,
}

impl<'a> CheckContext<'a> {
    pub(crate) fn new(table: &'a Table, seat: Seat, kind: ActionKind, nodes: &'a Nodes) -> Self {
        Self {
            table,
            set: table.set(),
            seat,
            side: table.side_of(seat),
            kind,
            strict: false,
            ends_turn: false,
            nodes,
            initial: None,
            faults: Vec::new(),
        }
    }

    /// Whether the seat melds after its own discard, while another is in turn (HF-073).
    pub(super) fn is_late(&self) -> bool {
        self.seat != self.table.turn.seat
    }

    /// Whether this is a meld that is tested only at the end of the turn (HN-015).
    pub(super) fn defers(&self) -> bool {
        self.set.meld_check == MeldCheck::AtDiscard && self.kind == ActionKind::Meld && !self.is_late()
    }

    /// Whether the laid cards may return to the hand until the turn ends: true of a `meld` of the seat in turn.
    pub(crate) fn lays_loose(&self) -> bool {
        self.set.undo_meld && self.kind != ActionKind::TakePile && !self.is_late()
    }

    pub(super) fn push(&mut self, violation: Violation) {
        self.faults.push(violation);
    }

    pub(super) fn settle(self, plan: Plan) -> Verdict {
        if self.faults.is_empty() { Ok(plan) } else { Err(self.faults) }
    }

    /// Judges THREE_MUST_BE_LAID.
    pub(super) fn judge_kept(&mut self) {
        if !self.set.lays_threes_by_choice() {
            return;
        }
        let threes = must_lay(self.table);
        if !threes.is_empty() {
            let cards: CardList = threes.iter().collect();
            self.push(Violation::new(Code::ThreeMustBeLaid, Field::Action).fact("cards", cards));
        }
    }

    /// Checks that a group names the tentatively taken top only while the top is not laid, and that only one group does
    /// (G2), and that every group names a card (G3). The top counts as a card.
    pub(super) fn groups_gate(&self, groups: &[Group]) -> Result<(), Vec<Violation>> {
        let named: u16 = groups.iter().map(|group| u16::from(group.top)).sum();
        let fault = |code| Violation::new(code, Field::Action);
        match self.table.taken_top {
            _ if named == 0 => {}
            Some(top) if top.meld.is_none() && named == 1 => {}
            Some(top) => {
                let fault = fault(Code::TurnCardNotInHand).fact("card", top.card);
                return Err(one(fault.fact("found", u16::from(top.meld.is_none())).fact("required", named)));
            }
            None => return Err(one(fault(Code::TurnWrongPhase).fact("phase", self.table.phase.name()))),
        }
        match groups.iter().position(|group| group.cards.is_empty() && !group.top) {
            Some(at) => Err(one(Violation::new(Code::TurnEmptyAction, Field::Group(at as u8)))),
            None => Ok(()),
        }
    }

    /// Checks that every named card is held (G3). Returns the cards that stay in the hand.
    pub(super) fn cards_gate<'c>(
        &self,
        named: impl Iterator<Item = (Field, &'c CardList)>,
    ) -> Result<Cards, Vec<Violation>> {
        let mut rest = *self.table.hand(self.seat);
        let mut missing: SmallVec<[Missing; 4]> = SmallVec::new();
        for (field, cards) in named {
            for &card in cards {
                if rest.remove(card) {
                    continue;
                }
                match missing.iter_mut().find(|m| m.card == card) {
                    Some(known) => known.short += 1,
                    None => missing.push(Missing { card, short: 1, field }),
                }
            }
        }
        if missing.is_empty() { Ok(rest) } else { Err(self.not_held(&missing)) }
    }

    /// Returns one violation per missing card: cards buried in the pile, then cards not in hand (the order of G3).
    pub(super) fn not_held(&self, missing: &[Missing]) -> Vec<Violation> {
        let under_top = self.table.pile.split_last().map_or(&[][..], |(_, under)| under);
        let buried = |card| self.kind == ActionKind::TakePile && under_top.contains(&card);
        let hand = self.table.hand(self.seat);
        let is_before = |talon: &Talon| talon.place == TalonPlace::Before(self.seat);
        let mut faults: Vec<Violation> = missing
            .iter()
            .map(|&Missing { card, short, field }| {
                if buried(card) {
                    return Violation::new(Code::PileBuriedCard, field).fact("card", card);
                }
                let held = hand.count(card);
                Violation::new(Code::TurnCardNotInHand, field)
                    .fact("card", card)
                    .fact("found", held)
                    .fact("required", u16::from(held) + short)
                    .with(Circumstance::Unopened, !self.table.opened(self.side))
                    .with(Circumstance::Talon, self.table.talons.iter().any(is_before))
            })
            .collect();
        faults.sort_by_key(|v| v.code != Code::PileBuriedCard);
        faults
    }
}

/// A card that an action names more often than the hand holds it.
pub(super) struct Missing {
    pub card: Card,
    /// The number of copies that are missing.
    pub short: u16,
    /// The field that names the first missing copy.
    pub field: Field,
}

pub(super) fn one(violation: Violation) -> Vec<Violation> {
    alloc::vec![violation]
}

/// The points of an initial meld as its check counts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InitialPoints {
    /// The points that count towards the minimum: card values, and canasta bonuses where these count.
    pub found: i32,
    /// The minimum of the seat, with surcharges.
    pub required: i32,
}
