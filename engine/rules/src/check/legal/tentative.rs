//! Steps and the exact set where what is laid may still return (ALG-07).
//!
//! Of the batches that AT_DISCARD accepts most could never end a turn, so the steps list those groups only
//! that make a legal meld, whatever else lies there, and every loose meld as a whole to be taken back: from
//! wherever a turn has got to it is so led on or back, and no discard is listed that the turn's test would
//! refuse. `take_top` is listed where the take can be justified, `restore_pile` while one pends. The exact set
//! has every batch that check accepts, ill-formed ones too, and every part of a loose meld to be taken back.

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
    /// The duty of HN-048: the top alone, onto a meld that receives it.
    pub(super) fn duty(&mut self, top: Card) {
        for (target, onto) in self.top_targets(top) {
            let take = Action::TakePile(TakePile { onto, ..TakePile::default() });
            if target.is_some() && self.is_legal(&take) {
                self.push(take);
            }
        }
    }

    /// The first step of a take, where there is one that could be made at once.
    pub(super) fn take_top(&mut self) {
        let takes = self.steps.actions.iter().any(|action| matches!(action, Action::TakePile(_)));
        if takes && self.set.pile_steps == PileSteps::Two && self.is_legal(&Action::TakeTop) {
            self.push(Action::TakeTop);
        }
    }

    /// While a take pends.
    pub(super) fn taking(&mut self) {
        self.push(Action::RestorePile);
        self.undos();
        let Some(taken) = self.state.taken_top else { return };
        if !self.state.opened(self.side) && self.state.turn.loose.is_empty() {
            initial::takes(self, taken.card);
            return;
        }
        if taken.meld.is_none() {
            self.top_groups(taken.card);
        }
        self.single_melds();
    }

    /// Groups that lay the top by itself or with cards that entitle to the pile.
    fn top_groups(&mut self, top: Card) {
        if top.is_wild() {
            return self.wild_top_groups();
        }
        let rank = top.rank();
        let naturals = Stack::of(self.hand, rank);
        for (target, onto) in self.top_targets(top) {
            if target.is_some_and(|meld| meld.kind == MeldKind::Sequence) {
                let cards = CardList::new();
                self.offer(meld(Group { kind: MeldKind::Sequence, onto, top: true, cards }), 0);
                continue;
            }
            let old = target.map_or((0, 0), super::content);
            for pick in self.wilds.picks(0, self.held(rank)) {
                if check::entitles(self.state, self.side, target, rank, pick.naturals, pick.wilds())
                    && check::may_grow(self.set, old, (pick.naturals + 1, pick.wilds()))
                {
                    let cards = pick.cards(&naturals, &self.wilds);
                    self.offer(meld(Group { kind: MeldKind::Set, onto, top: true, cards }), 0);
                }
            }
        }
    }

    /// The same for a wild top (HF-050).
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
                self.offer(meld(Group { kind: MeldKind::Wild, onto, top: true, cards }), 0);
            }
        }
    }

    /// Every loose meld, back to the hand.
    pub(super) fn undos(&mut self) {
        for Loose { meld, cards } in &self.state.turn.loose {
            let mut cards: CardList = cards.iter().collect();
            cards.sort_unstable_by_key(|card| (card.is_wild(), *card));
            self.push(Action::UndoMeld { meld: *meld, cards });
        }
    }
}

/// Every part of every loose meld, one at a time: melds by id, parts by how many of each kind they have, of a sequence
/// by how many at its low end, then at its high end.
pub(super) struct Undos<'a> {
    loose: core::slice::Iter<'a, Loose>,
    state: &'a Table,
    meld: MeldId,
    rank: Option<Rank>,
    limits: Counts,
    counts: Counts,
    /// Parts of a sequence.
    ends: alloc::vec::IntoIter<CardList>,
}

impl<'a> Undos<'a> {
    pub(super) fn new(state: &'a Table) -> Self {
        let (limits, counts) = ([0; KINDS], [0; KINDS]);
        let (loose, ends) = (state.turn.loose.iter(), Vec::new().into_iter());
        Self { loose, state, meld: MeldId(0), rank: None, limits, counts, ends }
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
            let side = self.state.side_of(self.state.turn.seat);
            let meld = self.state.meld(side, loose.meld)?;
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

/// What may leave a sequence: loose cards at its ends.
fn ends(meld: &Meld, loose: &Loose) -> Vec<CardList> {
    let Some(sequence) = Sequence::of_meld(meld) else { return Vec::new() };
    let cards: Vec<Card> = sequence.cards().collect();
    let is_loose = |card: &&Card| loose.cards.count(**card) > 0;
    let low = cards.iter().take_while(is_loose).count();
    let high = cards.iter().rev().take_while(is_loose).count();
    let mut parts = Vec::new();
    // All of it goes once: from the high end.
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

/// Whether a group of so many naturals and wilds may be placed, well formed or not (AMB-HN-07).
pub(super) fn may_place(kind: MeldKind, is_new: bool, top: bool, naturals: u8, wilds: u8) -> bool {
    match kind {
        MeldKind::Set if top => true,
        MeldKind::Set if is_new => naturals > 0,
        MeldKind::Set | MeldKind::Wild => naturals + wilds > 0,
        MeldKind::BlackThrees => naturals > 0,
        MeldKind::Sequence => naturals > 0 || top,
    }
}

/// The target of a top-only duty, if there is one.
pub(super) fn duties(state: &Table) -> impl Iterator<Item = Action> {
    let side = state.side_of(state.turn.seat);
    let rank =
        state.pile.last().filter(|_| check::yields_top_only(state, &Nodes::default())).map(|top| top.rank());
    let own = state.melds_of(side).filter(move |m| rank.is_some() && m.rank == rank);
    own.map(|m| {
        let onto = Onto::Meld { side: None, id: m.id };
        Action::TakePile(TakePile { onto, ..TakePile::default() })
    })
}
