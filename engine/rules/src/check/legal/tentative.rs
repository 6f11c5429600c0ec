//! The steps where laid cards may still return (ALG-07).
//!
//! Most batches that AT_DISCARD accepts could never end a turn. So the steps list only groups that make a legal
//! meld, whatever else lies there, and the return of each loose meld as a whole. From every point of a turn,
//! these steps lead on or back, and no listed discard fails the test of the turn. `take_top` is listed if the
//! take can be justified, and `restore_pile` while a take is pending.

use super::pick::{Pick, Stack};
use super::{Lister, initial, meld};
use crate::action::{Action, CardList, Group, MeldKind, TakePile};
use crate::card::Card;
use crate::check;
use crate::rules::PileSteps;
use crate::table::Loose;

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
