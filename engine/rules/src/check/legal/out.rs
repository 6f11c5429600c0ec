//! Ways to go out among the steps.

use super::code::Code;
use super::{Lister, canonical};
use crate::action::Action;
use crate::card::Card;
use crate::rules::MeldsPerRank;
use crate::way_out::{self, Reach, WayOut};
use alloc::vec::Vec;

/// A way to go out, of which the cards are named only if that is needed.
pub(super) struct FoundWay {
    discard: Option<Card>,
    group_count: usize,
    way: Option<WayOut>,
}

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
        let (outlined, reach) = (self.outlines_ways(), Reach::of(self.table));
        self.search(|_, nodes| match outlined {
            true => way_out::outlines(&reach, nodes)
                .map(|(discard, group_count)| FoundWay { discard, group_count, way: None })
                .collect(),
            false => way_out::ways(&reach, nodes)
                .map(|way| FoundWay { discard: way.discard, group_count: way.groups.len(), way: Some(way) })
                .collect(),
        })
    }

    /// Whether no way needs to be judged or compared, and all are found again without many nodes.
    fn outlines_ways(&self) -> bool {
        let set = self.set;
        self.table.opened(self.side)
            && !set.undo_meld
            && !set.overfill_out
            && !set.sequences
            && set.melds_per_rank == MeldsPerRank::One
    }

    /// Lists the melds of ways to go out. A way with one group is listed as a single meld, unless it exceeds a limit that
    /// holds for single melds.
    pub(super) fn push_ways(&mut self, ways: Vec<FoundWay>) {
        if ways.is_empty() {
            return;
        }
        let opened = self.table.opened(self.side);
        let is_listed = |way: &FoundWay| way.group_count == 1 && opened && !self.set.overfill_out;
        let unlisted: Vec<FoundWay> =
            ways.into_iter().filter(|way| way.group_count > 0 && !is_listed(way)).collect();
        for found in unlisted {
            let Some(way) = found.way else {
                self.steps.push(Code::WayOut(found.discard));
                debug_assert!(
                    self.is_accepted_uncounted(&self.steps.action(self.steps.len() - 1, self.table)),
                    "the search for a way out is exact"
                );
                continue;
            };
            let action = Action::Meld(canonical::sorted(way.groups(self.table)));
            // Columns that are loose may be no melds yet, black threes may lie there already, and ids may be used up.
            let lies_loose = !self.table.turn.loose.is_empty();
            let is_sure =
                !self.set.undo_meld || !lies_loose && self.proves_sets && self.has_ids(found.group_count);
            debug_assert!(
                !is_sure || self.is_accepted_uncounted(&action),
                "the search for a way out is exact: {action:?}"
            );
            if !is_sure && !self.is_legal(&action) {
                continue;
            }
            // The list of initial batches may have the same action.
            if (opened && !self.set.overfill_out) || !self.steps.contains(&action, self.table) {
                self.push(action);
            }
        }
    }
}
