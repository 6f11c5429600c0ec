//! Actions that are listed only if they are accepted: the lister has proven it, or `check` is asked.

use super::Lister;
use crate::action::{Action, As};
use crate::check::{self, Legal, permits_counted};
use crate::nodes::Nodes;
use crate::rules::{MeldCheck, OppCanastaRank};
use crate::table::Phase;

impl Lister<'_> {
    /// Lists a well-formed action that leaves `stays` cards in the hand, if it is legal.
    pub(super) fn offer(&mut self, action: Action, stays: u16) {
        let is_proven = stays >= 2 && (self.is_plain || self.proves(&action));
        debug_assert!(
            !is_proven || self.is_accepted_uncounted(&action),
            "what is proven is accepted: {action:?}"
        );
        if is_proven || self.is_legal(&action) {
            self.push(action);
        }
    }

    /// Whether an action that leaves two cards is a take, which lays nothing loose, a group with a taken top, or an initial
    /// batch, and nothing in the rule set can stand against it: nothing that the side has laid, and no natural that must
    /// be kept for the discard. A top that is taken may wait: whether a group releases it refuses nothing.
    fn proves(&self, action: &Action) -> bool {
        match action {
            Action::TakePile(take) => self.proves_take(1 + take.also.len()),
            Action::Meld(groups) if groups.iter().any(|group| group.top) => {
                self.proves_sets && self.proves_take(groups.len())
            }
            Action::Meld(groups) => {
                let named = groups.iter().flat_map(|group| &group.cards);
                self.proves_batch(named.filter(|card| !card.is_wild()).count() as u16, groups.len())
            }
            _ => false,
        }
    }

    /// Whether the same holds for a take with this number of groups.
    pub(super) fn proves_take(&self, group_count: usize) -> bool {
        self.proves_takes && self.has_ids(group_count)
    }

    /// Whether the same holds for an initial batch with these numbers of naturals and groups.
    pub(super) fn proves_batch(&self, naturals: u16, group_count: usize) -> bool {
        self.proves_sets
            && self.table.phase != Phase::Start
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
        !self.is_cut() && self.is_accepted(action)
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
