//! The steps and the exact set of actions where laid cards may still return (ALG-07).
//!
//! Most batches that AT_DISCARD accepts could never end a turn. So the steps list only groups that make a legal
//! meld, whatever else lies there, and the return of each loose meld as a whole. From every point of a turn,
//! these steps lead on or back, and no listed discard fails the test of the turn. `take_top` is listed if the
//! take can be justified, and `restore_pile` while a take is pending. The exact set has every batch that
//! `check` accepts, ill-formed ones too, and the return of every part of a loose meld.

use super::canonical::{self, Counts, KINDS};
use super::pick::{Pick, Stack};
use super::{Lister, initial, meld};
use crate::action::{Action, CardList, Group, MeldId, MeldKind, Onto, TakePile};
use crate::card::{Card, Rank};
use crate::check;
use crate::nodes::Nodes;
use crate::rules::PileSteps;
use crate::sequence::Sequence;
use crate::table::{Loose, Meld, Table};
use alloc::vec::Vec;

impl Lister<'_> {
    /// Lists the takes of the duty of HN-048: the top alone, onto a meld that receives it.
    pub(super) fn duty(&mut self, top: Card) {
        for (_, target, onto) in self.top_targets(top) {
            let take = Action::TakePile(TakePile { onto, ..TakePile::default() });
            if target.is_some() && self.is_legal(&take) {
                self.push(take);
            }
        }
    }

    /// Lists `take_top`, the first step of a take, if a take is listed that could be made at once.
    pub(super) fn take_top(&mut self) {
        let takes = self.steps.has_take();
        if takes && self.set.pile_steps == PileSteps::Two && self.is_legal(&Action::TakeTop) {
            self.push(Action::TakeTop);
        }
    }

    /// Lists the steps while a take is pending.
    pub(super) fn taking(&mut self) {
        self.push(Action::RestorePile);
        self.undos();
        let Some(taken) = self.table.taken_top else { return };
        if !self.table.opened(self.side) && self.table.turn.loose.is_empty() {
            initial::takes(self, taken.card);
            return;
        }
        if taken.meld.is_none() {
            self.top_groups(taken.card);
        }
        self.single_melds();
    }

    /// Lists the groups that lay the top by itself or with cards that entitle to the pile.
    fn top_groups(&mut self, top: Card) {
        if top.is_wild() {
            return self.wild_top_groups();
        }
        let rank = top.rank();
        let naturals = Stack::of(self.hand, rank);
        for (_, target, onto) in self.top_targets(top) {
            if target.is_some_and(|meld| meld.kind == MeldKind::Sequence) {
                let cards = CardList::new();
                self.offer(meld(Group { kind: MeldKind::Sequence, onto, top: true, cards }), false);
                continue;
            }
            let old = target.map_or((0, 0), |meld| check::content(&meld.cards));
            for pick in self.wilds.picks(0, self.held(rank)) {
                if check::entitles(self.table, self.side, target, rank, pick.naturals, pick.wilds())
                    && check::may_grow(self.set, old, (pick.naturals + 1, pick.wilds()))
                {
                    let cards = pick.cards(&naturals, &self.wilds);
                    let action = meld(Group { kind: MeldKind::Set, onto, top: true, cards });
                    let stays = self.hand.len() - u16::from(pick.len());
                    let is_proven = rank.is_natural()
                        && self.proves_sets
                        && self.proves_pair(rank, target.is_none(), old, pick, stays);
                    self.offer(action, is_proven);
                }
            }
        }
    }

    /// Lists the groups that lay a wild top with wilds that entitle to the pile (HF-050).
    fn wild_top_groups(&mut self) {
        let most = self.set.wild_meld_max;
        for (old, onto) in self.wild_targets() {
            let fits = |pick: &Pick| {
                let size = old + pick.wilds() + 1;
                pick.wilds() >= 2
                    && check::surplus(self.set, old, pick.wilds() + 1) == 0
                    && (most == 0 || size <= most)
            };
            for pick in self.wilds.picks(0, 0).filter(fits) {
                let cards = pick.cards(&Stack::default(), &self.wilds);
                self.offer(meld(Group { kind: MeldKind::Wild, onto, top: true, cards }), false);
            }
        }
    }

    /// Lists the return of every loose meld to the hand.
    pub(super) fn undos(&mut self) {
        for Loose { meld, cards } in &self.table.turn.loose {
            let mut cards: CardList = cards.iter().collect();
            cards.sort_unstable_by_key(|card| (card.is_wild(), *card));
            self.push(Action::UndoMeld { meld: *meld, cards });
        }
    }
}

/// An iterator over the returns of every part of every loose meld. Melds are in the order of their ids, parts
/// in the order of their counts of each kind, and parts of a sequence in the order of their number of cards at
/// the low end, then at the high end.
pub(super) struct Undos<'a> {
    loose: core::slice::Iter<'a, Loose>,
    table: &'a Table,
    meld: MeldId,
    rank: Option<Rank>,
    limits: Counts,
    counts: Counts,
    /// The parts of a sequence that are still to come.
    ends: alloc::vec::IntoIter<CardList>,
}

impl<'a> Undos<'a> {
    pub(super) fn new(table: &'a Table) -> Self {
        let (limits, counts) = ([0; KINDS], [0; KINDS]);
        let (loose, ends) = (table.turn.loose.iter(), Vec::new().into_iter());
        Self { loose, table, meld: MeldId(0), rank: None, limits, counts, ends }
    }
}

impl Iterator for Undos<'_> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        loop {
            if let Some(cards) = self.ends.next() {
                return Some(Action::UndoMeld { meld: self.meld, cards });
            }
            for place in (0..KINDS).rev() {
                if self.counts[place] < self.limits[place] {
                    self.counts[place] += 1;
                    let cards = canonical::cards(&self.counts, self.rank);
                    return Some(Action::UndoMeld { meld: self.meld, cards });
                }
                self.counts[place] = 0;
            }
            self.limits = [0; KINDS];
            let loose = self.loose.next()?;
            let side = self.table.side_of(self.table.turn.seat);
            let meld = self.table.meld(side, loose.meld)?;
            self.meld = loose.meld;
            if meld.kind == MeldKind::Sequence {
                self.ends = ends(meld, loose).into_iter();
                continue;
            }
            self.rank = canonical::rank_of(meld.kind, meld.rank);
            let cards: CardList = loose.cards.iter().collect();
            self.limits = canonical::counts(&cards);
        }
    }
}

/// Returns the parts that may leave a sequence: loose cards at its ends.
fn ends(meld: &Meld, loose: &Loose) -> Vec<CardList> {
    let Some(sequence) = Sequence::of_meld(meld) else { return Vec::new() };
    let cards: Vec<Card> = sequence.cards().collect();
    let is_loose = |card: &&Card| loose.cards.count(**card) > 0;
    let low = cards.iter().take_while(is_loose).count();
    let high = cards.iter().rev().take_while(is_loose).count();
    let mut parts = Vec::new();
    // The whole sequence is a part only once: from the high end.
    for below in 0..=low.min(cards.len() - 1) {
        let most = high.min(cards.len() - below - usize::from(below > 0));
        for above in usize::from(below == 0)..=most {
            let mut part: CardList =
                cards[..below].iter().chain(&cards[cards.len() - above..]).copied().collect();
            part.sort_unstable();
            parts.push(part);
        }
    }
    parts
}

/// Whether a group of this many naturals and wilds may be placed, well formed or not (AMB-HN-07).
pub(super) fn may_place(kind: MeldKind, is_new: bool, top: bool, naturals: u8, wilds: u8) -> bool {
    match kind {
        MeldKind::Set if top => true,
        MeldKind::Set if is_new => naturals > 0,
        MeldKind::Set | MeldKind::Wild => naturals + wilds > 0,
        MeldKind::BlackThrees => naturals > 0,
        MeldKind::Sequence => naturals > 0 || top,
    }
}

/// Returns the takes that a duty to take the top alone may name; none if there is no such duty.
pub(super) fn duties(table: &Table) -> impl Iterator<Item = Action> {
    let side = table.side_of(table.turn.seat);
    let rank =
        table.pile.last().filter(|_| check::yields_top_only(table, &Nodes::default())).map(|top| top.rank());
    let own = table.melds_of(side).filter(move |m| rank.is_some() && m.rank == rank);
    own.map(|m| {
        let onto = Onto::Meld { side: None, id: m.id };
        Action::TakePile(TakePile { onto, ..TakePile::default() })
    })
}
