//! Ways to go out among the steps.

use super::{Lister, canonical};
use crate::action::Action;
use crate::way_out::{self, FoundWay, Reach};
use alloc::vec::Vec;

impl Lister<'_> {
    /// Returns one way to go out for each final discard that allows one.
    pub(super) fn ways_out(&mut self) -> Vec<FoundWay> {
        let is_far = self.is_far_from_out(None);
        debug_assert!(
            !is_far || way_out::is_ruled_out(&Reach::of(self.table)),
            "the quick look denies nothing that the search finds"
        );
        if is_far { Vec::new() } else { self.search_ways() }
    }

    /// Searches for one way to go out for each final discard. A list seldom needs it, and it takes much of the stack.
    #[inline(never)]
    fn search_ways(&mut self) -> Vec<FoundWay> {
        let reach = Reach::of(self.table);
        self.search(|_, nodes| way_out::ways(&reach, nodes))
    }

    /// Lists the melds of ways to go out. A way with one group is listed as a single meld, unless it exceeds a limit that
    /// holds for single melds.
    pub(super) fn push_ways(&mut self, ways: Vec<FoundWay>) {
        if ways.is_empty() {
            return;
        }
        let opened = self.table.opened(self.side);
        let is_single = opened && !self.set.overfill_out;
        for way in ways.into_iter().filter(|way| way.group_count() > usize::from(is_single)) {
            // Black threes may lie there already, ids may be used up, and loose cards may have closed a canasta that the way
            // fills as the turn found it. Nothing else can stand against the way.
            let has_loose = !self.table.turn.loose.is_empty();
            let is_sure =
                !self.set.undo_meld || self.proves_sets && !has_loose && self.has_ids(way.group_count());
            if is_single && is_sure {
                self.steps.push_way(way);
                debug_assert!(
                    self.is_accepted_uncounted(&self.steps.action(self.steps.len() - 1, self.table)),
                    "the search for a way out is exact"
                );
                continue;
            }
            let action = Action::Meld(canonical::sorted(way.named(self.hand).groups(self.table)));
            debug_assert!(
                !is_sure || self.is_accepted_uncounted(&action),
                "the search for a way out is exact: {action:?}"
            );
            if !is_sure && !self.is_legal(&action) {
                continue;
            }
            // The list of initial batches may have the same action.
            if is_single || !self.steps.contains(&action, self.table) {
                self.push(action);
            }
        }
    }
}
