//! Melds as a batch of groups leaves them, and the hand and the canastas after the batch.

use super::{CheckContext, Placement};
use crate::action::CardList;
use crate::card::Card;
use crate::facts::{may_go_out, surplus_after};
use crate::rejection::Field;
use crate::rules::RuleSet;
use crate::table::{Canastas, grade};

/// One meld as the batch leaves it.
#[derive(Clone, Debug)]
pub(crate) struct BatchColumn {
    pub placement: Placement,
    /// The field of the first group that goes to this meld.
    pub field: Field,
    /// Naturals and wilds that lie there already.
    pub old: (u8, u8),
    /// Naturals (or black threes) and wilds added, the top card included.
    pub added: (u8, u8),
    /// Whether the tentatively taken top is among the cards.
    pub top: bool,
    /// Naturals and wilds of `added` that are laid before all others: the top of a take and the cards that entitle to
    /// the pile (clarification 29).
    pub first: (u8, u8),
}

impl BatchColumn {
    pub(super) fn new(placement: Placement, field: Field, old: (u8, u8), added: (u8, u8)) -> Self {
        Self { placement, field, old, added, top: false, first: (0, 0) }
    }

    pub(crate) fn size(&self) -> u8 {
        self.naturals().saturating_add(self.wilds())
    }

    /// Whether nothing lay there before: the meld is new, or all its cards are loose (ALG-07).
    pub(crate) fn is_new(&self) -> bool {
        self.old == (0, 0)
    }

    pub(super) fn extend(&mut self, cards: &[Card], added: (u8, u8)) {
        self.placement.cards.extend_from_slice(cards);
        self.added.0 = self.added.0.saturating_add(added.0);
        self.added.1 = self.added.1.saturating_add(added.1);
    }

    /// Takes the `count` highest wilds out of the column and returns them; one copy of `kept` stays.
    pub(super) fn split_highest(&mut self, count: u8, kept: Option<Card>) -> CardList {
        let mut split = CardList::new();
        let cards = &mut self.placement.cards;
        let kept = kept.and_then(|card| cards.iter().rposition(|&c| c == card)).map(|at| cards.remove(at));
        for _ in 0..count {
            let wilds = (0..cards.len()).filter(|&at| cards[at].is_wild());
            let highest = wilds.max_by_key(|&at| (cards[at], core::cmp::Reverse(at)));
            split.push(cards.remove(highest.expect("surplus wilds are among the cards")));
        }
        cards.extend(kept);
        self.added.1 -= count;
        self.first.1 = self.first.1.min(self.added.1);
        split
    }

    /// Returns how many wilds a canasta closed to wilds has no place for. The top and what entitles to the pile are
    /// laid first, all others after them, wilds before naturals (clarifications 2 and 29).
    pub(super) fn surplus(&self, set: &RuleSet) -> u8 {
        // Loose cards that are laid with the top lie there already.
        let first = (self.first.0.min(self.added.0), self.first.1.min(self.added.1));
        surplus_after(set, self.old.0 + self.old.1, first, self.added.1)
    }

    pub(crate) fn naturals(&self) -> u8 {
        self.old.0.saturating_add(self.added.0)
    }

    pub(crate) fn wilds(&self) -> u8 {
        self.old.1.saturating_add(self.added.1)
    }
}

/// The result of a batch: the hand that stays and the canastas that the side then has.
pub(crate) struct Outlook {
    /// The number of cards in hand after the action, with the cards that come from the pile.
    pub hand_after: u16,
    pub canastas: Canastas,
    /// The number of cards that a seat may still hold when it goes out by this batch: the final discard.
    pub for_discard: u16,
}

impl Outlook {
    /// Returns the outlook after `columns`, with `hand_after` cards left.
    pub(crate) fn of(ctx: &CheckContext<'_>, columns: &[BatchColumn], hand_after: u16) -> Self {
        let mut canastas = Canastas::default();
        for (at, meld) in ctx.table.melds.iter().enumerate().filter(|(_, m)| m.side == ctx.side) {
            if !columns.iter().any(|c| c.placement.target == Some(at as u8)) {
                canastas.count(ctx.set, meld.rank, meld.wilds(), meld.grade(ctx.set));
            }
        }
        for column in columns {
            let (rank, wilds) = (column.placement.rank, column.wilds());
            let grade = grade(ctx.set, column.placement.kind, column.size(), wilds);
            canastas.count(ctx.set, rank, wilds, grade);
        }
        Self { hand_after, canastas, for_discard: ctx.table.for_discard() }
    }

    /// Whether the batch leaves at most the final card and goes out free of the limits on size and wilds (US-003,
    /// clarification 8).
    pub(super) fn overfills(&self, ctx: &CheckContext<'_>) -> bool {
        ctx.set.overfill_out && self.hand_after <= self.for_discard && may_go_out(ctx.table, self.canastas)
    }
}

/// Returns the place of a field in the order of the action: 0 for the top's meld, from 1 for the groups as named.
pub(super) fn place(field: Field) -> u8 {
    match field {
        Field::Group(number) => number.saturating_add(1),
        _ => 0,
    }
}
