//! Actions that are listed only if they are accepted: the lister has proven it, or `check` is asked.

use super::pick::Pick;
use super::{Lister, actor};
use crate::action::{Action, As};
use crate::card::Rank;
use crate::check::{self, Legal, permits, permits_counted};
use crate::nodes::{Nodes, price};
use crate::rules::{MeldCheck, OppCanastaRank};
use crate::table::{Phase, Table};
use alloc::vec::Vec;

/// Returns the step of these that `choose` picks for whoever must act. If `check` refuses the step, which would be a fault
/// of the list, it is taken out and `choose` picks another, so that play goes on. `None` if no step is left.
pub fn choose(
    table: &Table,
    steps: &mut Vec<Action>,
    mut choose: impl FnMut(&[Action]) -> Action,
) -> Option<Action> {
    while !steps.is_empty() {
        let action = choose(steps);
        // The table's actions still lack their data.
        if actor(table) == As::Table || permits(table, actor(table), &action).is_some() {
            return Some(action);
        }
        steps.retain(|step| *step != action);
    }
    None
}

impl Lister<'_> {
    /// Lists an action if it is proven, or else if `check` accepts it.
    pub(super) fn offer(&mut self, action: Action, is_proven: bool) {
        debug_assert!(
            !is_proven || self.is_accepted_uncounted(&action),
            "what is proven is accepted: {action:?}"
        );
        if is_proven || self.is_legal(&action) {
            self.push(action);
        }
    }

    /// Whether a take of a natural top by one well-formed group that leaves `stays` cards is legal, whatever the rule set
    /// has. `old`: the naturals and wilds of its target.
    pub(super) fn proves_pair(
        &self,
        rank: Rank,
        is_new: bool,
        old: (u8, u8),
        pick: Pick,
        stays: u16,
    ) -> bool {
        let takes_wilds =
            || self.takes_wilds(rank, is_new, old.1) && old.0 + pick.naturals + 1 >= self.set.wild_add_base;
        stays >= 2
            && self.is_free
            && self.set.opp_canasta_rank == OppCanastaRank::Allow
            && self.has_plain_target(is_new, pick)
            && self.has_ids(1)
            && (!self.is_restricted || self.naturals() > pick.naturals.into())
            && (pick.wilds() == 0 || takes_wilds())
    }

    /// Whether an initial batch with these numbers of naturals and groups is legal if it leaves two cards: nothing that the
    /// side has laid, and no natural that must be kept for the discard, can stand against it. A take may have such a batch.
    pub(super) fn proves_batch(&self, naturals: u16, group_count: usize) -> bool {
        // A take lays nothing loose.
        (self.proves_sets || self.is_free && self.table.phase == Phase::Start)
            && !self.table.opened(self.side)
            && self.table.turn.loose.is_empty()
            && self.set.opp_canasta_rank == OppCanastaRank::Allow
            && self.has_ids(group_count)
            && (!self.is_restricted || naturals < self.naturals())
    }

    pub(super) fn has_ids(&self, begun: usize) -> bool {
        !self.set.undo_meld || check::has_ids(self.table, self.side, begun)
    }

    /// Whether the list is not cut yet and an action is accepted, as [`Self::is_accepted`] says.
    pub(super) fn is_legal(&mut self, action: &Action) -> bool {
        if self.is_cut() {
            return false;
        }
        self.nodes.charge(price(action, self.table.melds.len()));
        self.is_accepted(action)
    }

    /// Whether an action is accepted, and if it lays melds, whether they can stand.
    pub(super) fn is_accepted(&self, action: &Action) -> bool {
        self.is_accepted_by(action, self.nodes)
    }

    /// Whether an action is accepted, as [`Self::is_accepted`] says, at no cost for the list. Assertions ask this, so that a
    /// list with assertions ends where one without them does.
    pub(super) fn is_accepted_uncounted(&self, action: &Action) -> bool {
        self.is_accepted_by(action, &Nodes::default())
    }

    fn is_accepted_by(&self, action: &Action, nodes: &Nodes) -> bool {
        let stands = match action {
            Action::Meld(groups) if self.set.meld_check == MeldCheck::AtDiscard => {
                check::stands(self.table, self.seat, groups, nodes)
            }
            _ => true,
        };
        stands && self.judge(action, nodes).is_some()
    }

    pub(super) fn judge(&self, action: &Action, nodes: &Nodes) -> Option<Legal> {
        permits_counted(self.table, As::Seat(self.seat), action, nodes)
    }
}
