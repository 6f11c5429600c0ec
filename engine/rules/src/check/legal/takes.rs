//! Takes of the pile among the steps.

use super::code::{Code, SetCode};
use super::pick::{Pick, Stack};
use super::{Lister, StepCodes, canonical, initial, onto};
use crate::action::{Action, Groups, MeldKind, Onto, TakePile};
use crate::card::Card;
use crate::check;
use crate::nodes::{Nodes, price};
use crate::rules::{FrozenTake, MeldsPerRank};
use crate::table::{Meld, Table};
use crate::way_out;
use smallvec::SmallVec;

/// A meld that may receive the top: its index, the meld, and its name in an action.
pub(super) type TopTarget<'a> = (Option<u8>, Option<&'a Meld>, Onto);

/// Whether a legal take of the whole pile is among the steps of the seat in turn, which has not drawn. Ends at the first.
pub(crate) fn has_take(table: &Table, nodes: &Nodes) -> bool {
    let mut steps = StepCodes::default();
    steps.begin(table, table.turn.seat);
    if let Some(&top) = table.pile.last() {
        Lister { most: 1, ..Lister::new(table, &mut steps, nodes) }.whole_takes(top);
    }
    !steps.is_empty()
}

impl<'a> Lister<'a> {
    /// Lists the takes of the whole pile.
    pub(super) fn whole_takes(&mut self, top: Card) {
        if !self.table.opened(self.side) {
            initial::takes(self, top);
        } else if top.is_wild() {
            self.wild_takes();
        } else {
            self.takes(top);
        }
    }

    /// Lists the takes by a side that has opened: one group and, where little is picked up, takes that go out.
    fn takes(&mut self, top: Card) {
        let rank = top.rank();
        let held = self.held(rank);
        let pairs_only = self.set.frozen_take == FrozenTake::Pair;
        if held < 2 && pairs_only && !self.table.frozen(self.side).is_empty() {
            return;
        }
        let picked = check::picked_up_count(self.table);
        let is_far = picked > 1 || self.is_far_from_out(Some(top));
        let naturals = Stack::of(self.hand, rank);
        for (at, target, onto) in self.top_targets(top) {
            if target.is_some_and(|meld| meld.kind == MeldKind::Sequence) {
                let take = || TakePile { onto, ..TakePile::default() };
                if picked <= 1 {
                    self.take_and_go_out(take, top, is_far);
                }
                let is_proven = self.is_free && !self.is_restricted && self.has_ids(1);
                self.offer(Action::TakePile(take()), is_proven && self.hand.len() + picked >= 2);
                continue;
            }
            let old = target.map_or((0, 0), |meld| check::content(&meld.cards));
            // Wilds alone begin no set.
            for pick in self.wilds.picks(u8::from(target.is_none()), held) {
                if !check::entitles(self.table, self.side, target, rank, pick.naturals, pick.wilds())
                    || !check::may_grow(self.set, old, (pick.naturals + 1, pick.wilds()))
                {
                    continue;
                }
                let wilds = self.wilds;
                let take = || TakePile { with: pick.cards(&naturals, &wilds), onto, also: Groups::new() };
                if picked <= 1 && !(target.is_none() && self.begins_twice(&pick, held)) {
                    self.take_and_go_out(take, top, is_far);
                }
                let stays = self.hand.len() + picked - u16::from(pick.len());
                if self.proves_pair(rank, at.is_none(), old, pick, stays) {
                    debug_assert!(self.is_accepted_uncounted(&Action::TakePile(take())), "{pick:?}");
                    self.steps.push(Code::Take(SetCode { target: at, rank, pick, is_proven: true }));
                } else {
                    self.offer(Action::TakePile(take()), false);
                }
            }
        }
    }

    /// Whether nothing that lies in other melds decides whether a natural top may go to an own set, or with these cards to
    /// a new one. In other cases they may keep the target from being new, or the top goes to a sequence instead.
    pub(super) fn has_plain_target(&self, is_new: bool, pick: Pick) -> bool {
        match self.set.melds_per_rank {
            MeldsPerRank::One => self.set.take_result_max == 0,
            MeldsPerRank::Many => !is_new || pick.naturals >= 2,
            MeldsPerRank::OneOpen => false,
        }
    }

    /// Lists the takes of a wild top by a side that has opened: two wilds or more, to one wild meld.
    fn wild_takes(&mut self) {
        for (old, onto) in self.wild_targets() {
            for pick in self.wilds.picks(0, 0).filter(|pick| pick.wilds() >= 2) {
                if check::surplus(self.set, old, pick.wilds() + 1) == 0 {
                    let with = pick.cards(&Stack::default(), &self.wilds);
                    self.offer(Action::TakePile(TakePile { with, onto, also: Groups::new() }), false);
                }
            }
        }
    }

    /// Returns the targets of a wild top, each with the number of wilds that lie there.
    pub(super) fn wild_targets(&self) -> SmallVec<[(u8, Onto); 2]> {
        let own = self.table.melds_of(self.side).filter(|m| m.kind == MeldKind::Wild);
        let open = own.filter(|m| m.grade(self.set).is_none()).map(|m| (m.len() as u8, onto(m.id)));
        open.chain([(0, Onto::New)]).collect()
    }

    /// Returns the targets of the top: own melds with their index, and a new meld.
    pub(super) fn top_targets(&self, top: Card) -> SmallVec<[TopTarget<'a>; 3]> {
        let table = self.table;
        let takes = |m: &Meld| m.rank == Some(top.rank()) || check::sequence_receives(table, m, top);
        let own = table.melds.iter().enumerate().filter(|(_, m)| m.side == self.side && takes(m));
        let mut targets: SmallVec<[TopTarget<'a>; 3]> =
            own.map(|(at, m)| (Some(at as u8), Some(m), onto(m.id))).collect();
        if targets.iter().all(|(_, m, _)| m.is_some_and(|m| m.kind == MeldKind::Sequence))
            || self.set.melds_per_rank != MeldsPerRank::One
        {
            targets.push((None, None, Onto::New));
        }
        targets
    }

    /// Whether a new meld of the top, with these cards of its rank out of `held`, leaves two or more such cards: a way to
    /// go out lays one of them in a second meld of this rank, which the rule set does not allow.
    pub(super) fn begins_twice(&self, pick: &Pick, held: u8) -> bool {
        let is_single = self.set.melds_per_rank == MeldsPerRank::One && !self.set.sequences;
        is_single && held >= pick.naturals + 2
    }

    /// Lists a take that goes out, if there is one with these cards. `is_far`: a quick look rules out any with this top.
    pub(super) fn take_and_go_out(&mut self, take: impl Fn() -> TakePile, top: Card, is_far: bool) {
        if self.is_cut() {
            return;
        }
        if is_far {
            let way = || way_out::with_take(self.table, &take(), top, &Nodes::default());
            debug_assert!(way().is_none(), "the quick look denies nothing that the search finds");
            return;
        }
        let take = take();
        let Some(way) = self.search(|table, nodes| way_out::with_take(table, &take, top, nodes)) else {
            return;
        };
        let action = Action::TakePile(TakePile { also: canonical::sorted(way.groups(self.table)), ..take });
        self.nodes.charge(price(&action, self.table.melds.len()));
        // The groups of this way may have to be merged with the top's.
        if let Some(legal) = self.judge(&action, self.nodes) {
            let action = canonical::form(self.table, &action, legal);
            if !self.steps.contains(&action, self.table) {
                self.push(action);
            }
        }
    }
}
