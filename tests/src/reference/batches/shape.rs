//! The conditions of a batch while it grows. They leave out only batches that `check` refuses.

use super::{Batches, TargetChoice};
use crate::reference::counts::{KINDS, WILDS};
use crate::reference::facts;
use crate::reference::targets::Target;
use canasta_engine::action::MeldKind;
use canasta_engine::card::{Card, Class};
use canasta_engine::legal::internals as check;
use canasta_engine::rules::{InitialCount, MeldsPerRank};
use canasta_engine::table::{Meld, Phase};

impl Batches<'_> {
    /// Whether the last choice is well formed. `check` judges the rest at the end.
    pub fn fits(&self) -> bool {
        let Some(choice) = self.choices.last() else { return true };
        let (set, target) = (self.table.set(), &choice.target);
        let naturals: u8 = choice.counts[..WILDS].iter().sum();
        let wilds: u8 = choice.counts[WILDS..].iter().sum();
        let room = if target.repeats { u16::MAX } else { self.room[choice.next] };
        if self.exact && u16::from(self.left.wilds()) > room {
            return false;
        }
        if !self.may_stand(choice)
            || !self.keeps_lock()
            || self.strands(choice)
            || !self.may_place_rest(choice)
        {
            return false;
        }
        if naturals + wilds == 0 && !target.top {
            return true;
        }
        if choice.counts < choice.floor || (set.undo_meld && !self.has_number()) {
            return false;
        }
        if self.defers {
            let is_new = target.at.is_none();
            return may_place(target.kind, is_new, target.top, naturals, wilds);
        }
        let grows = if set.overfill_out { facts::may_overfill } else { check::may_grow };
        let grows = |old: (u8, u8), added: (u8, u8)| {
            let begins = target.at.is_none() && !self.table.opened(self.side);
            let wild = added.1 > 0 && !facts::rank_takes_wilds(set, target.rank, old.1, begins);
            !wild && grows(set, old, added)
        };
        let taking = self.table.phase() == Phase::Taking;
        match target.kind {
            MeldKind::Set if target.top => {
                (taking || self.entitles(target, naturals, wilds)) && grows(target.old, (naturals + 1, wilds))
            }
            MeldKind::Set => (naturals > 0 || target.at.is_some()) && grows(target.old, (naturals, wilds)),
            MeldKind::Wild => {
                let size = target.old.1 + wilds + u8::from(target.top);
                let over = facts::surplus(set, target.old.1, size - target.old.1);
                let joined = if target.at.is_none() && !target.top { self.top_surplus() } else { 0 };
                (if target.top { (taking || wilds >= 2) && over <= 2 } else { over == 0 })
                    && size + joined >= set.meld_min
                    && (set.wild_meld_max == 0 || size <= set.wild_meld_max || set.overfill_out)
            }
            // Black threes go only with the last cards, and no target comes after a new meld of them.
            MeldKind::BlackThrees => target.at.is_some() || taking || self.hand_after() <= 1,
            MeldKind::Sequence if target.top => true,
            MeldKind::Sequence => (set.meld_min..=set.sequence_max).contains(&choice.size()),
        }
    }

    /// Whether an id is left for every meld that is begun. Ids are not used again.
    fn has_number(&self) -> bool {
        let begins = |c: &&TargetChoice| c.target.at.is_none() && (c.target.top || c.counts != [0; KINDS]);
        facts::has_ids(self.table, self.side, self.choices.iter().filter(begins).count())
    }

    /// Returns the number of wilds of the top's group that join a new wild meld.
    fn top_surplus(&self) -> u8 {
        let top = self.choices.first().filter(|c| c.target.top && c.target.kind == MeldKind::Wild);
        top.map_or(0, |c| {
            let old = c.target.old.1;
            facts::surplus(self.table.set(), old, c.size() - old)
        })
    }

    fn entitles(&self, target: &Target, naturals: u8, wilds: u8) -> bool {
        let meld = target.at.map(|at| &self.table.melds()[usize::from(at)]);
        let rank = target.rank.expect("a top has a rank");
        check::entitles(self.table, self.side, meld, rank, naturals, wilds)
    }

    /// Whether the choice keeps to ONE_OPEN: if a meld is new, all own melds of its kind and rank that lie there are
    /// complete, and at most one new meld of them is open.
    fn may_stand(&self, choice: &TargetChoice) -> bool {
        let target = &choice.target;
        let several = self.table.set().melds_per_rank != MeldsPerRank::OneOpen;
        if several || self.defers || target.kind == MeldKind::Sequence {
            return true;
        }
        let full = self.table.set().canasta_size;
        let alike = |t: &Target| t.kind == target.kind && t.rank == target.rank;
        let (before, _) = self.choices.split_at(self.choices.len() - 1);
        if target.at.is_some() {
            let beside =
                before.first().is_some_and(|c| c.target.top && c.target.at.is_none() && alike(&c.target));
            return !beside || choice.size() >= full;
        }
        if choice.counts == [0; KINDS] && !target.top {
            return true;
        }
        let begun = before.iter().filter(|c| c.target.at.is_none() && alike(&c.target));
        let open =
            begun.filter(|c| c.counts != [0; KINDS] || c.target.top).filter(|c| c.size() < full).count();
        let own = self.table.melds().iter().enumerate().filter(|(_, m)| m.side == self.side);
        let mut own = own.filter(|(_, m)| m.kind == target.kind && m.rank == target.rank);
        let grown = |(at, meld): (usize, &Meld)| {
            let at = Some(at as u8);
            match before.iter().rev().find(|c| c.target.at == at) {
                Some(choice) => choice.size(),
                // The top's target comes first: later choices may still complete this meld.
                None if target.top => {
                    meld.len() as u8 + target.rank.map_or(0, |r| self.left.rank_count(r)) + self.left.wilds()
                }
                None => meld.len() as u8,
            }
        };
        own.all(|meld| grown(meld) >= full) && (open == 0 || (open == 1 && choice.size() >= full))
    }

    /// Whether the naturals that this choice leaves have a place, if all cards must be named. Without this look ahead
    /// every meld of a long run is tried with every part of what it must take.
    fn may_place_rest(&self, choice: &TargetChoice) -> bool {
        let (set, target) = (self.table.set(), &choice.target);
        // A sequence may take cards that are too few for a set.
        let Some(rank) = target.rank.filter(|_| self.exact && !set.sequences) else { return true };
        let left = self.left.rank_count(rank);
        if left == 0 {
            return true;
        }
        let from = if target.repeats { choice.next - 1 } else { choice.next };
        let mut later = self.targets[from..].iter().filter(|t| t.rank == Some(rank));
        // A new meld comes last, and may stand only beside complete ones.
        let is_open =
            set.melds_per_rank == MeldsPerRank::OneOpen && !self.defers && choice.size() < set.canasta_size;
        let least = if self.defers { 1 } else { set.min_naturals };
        let may_begin = left >= least && !(target.at.is_some() && is_open);
        later.any(|t| t.at.is_some() || may_begin)
    }

    /// Whether the lock on wilds can hold (ALG-10): if wilds go elsewhere, each open wild meld can still be completed.
    fn keeps_lock(&self) -> bool {
        let outside =
            |c: &TargetChoice| c.target.kind != MeldKind::Wild && c.counts[WILDS..] != [0; KINDS - WILDS];
        if !self.table.set().wild_lock || self.defers || !self.choices.iter().any(outside) {
            return true;
        }
        let full = u16::from(self.table.set().canasta_size);
        let own = self.table.melds().iter().enumerate().filter(|(_, m)| m.side == self.side);
        let mut open = own.filter(|(_, m)| m.kind == MeldKind::Wild && m.len() < full);
        open.all(|(at, meld)| match self.choices.iter().find(|c| c.target.at == Some(at as u8)) {
            Some(choice) => u16::from(choice.size()) >= full,
            None => meld.len() + u16::from(self.left.wilds()) >= full,
        })
    }

    /// Whether the batch can still be an initial meld.
    pub fn is_in_reach(&self, next: usize) -> bool {
        (!self.wants_content || self.may_hold_content(next)) && self.may_reach_minimum(next)
    }

    /// Whether the batch holds the meld that it must hold, or the targets from `next` on could still make it.
    fn may_hold_content(&self, next: usize) -> bool {
        let set = self.table.set();
        let holds = |choice: &TargetChoice| {
            let top = u8::from(choice.target.top && set.initial_count != InitialCount::HandMelds);
            let named = |from: std::ops::Range<usize>| choice.counts[from].iter().sum::<u8>();
            let (naturals, wilds) = (named(0..WILDS), named(WILDS..KINDS));
            let is_wild = choice.target.kind == MeldKind::Wild;
            let (naturals, wilds) = if is_wild { (naturals, wilds + top) } else { (naturals + top, wilds) };
            naturals + wilds > 0 && facts::is_content(set, choice.target.kind, naturals, wilds)
        };
        let (mut ranks, least) = ([0u8; 14], set.meld_min);
        for (card, count) in self.left.kinds().filter(|(card, _)| self.later[next] & 1 << card.kind() != 0) {
            ranks[card.rank().index()] += count;
        }
        let wild = self.left.wilds() >= least;
        wild || set.sequences
            || ranks.iter().any(|&count| count >= least.min(3))
            || self.choices.iter().any(holds)
    }

    /// Whether the batch can still be worth the minimum, or go out and be exempt from it.
    fn may_reach_minimum(&self, next: usize) -> bool {
        if self.required == 0 || self.hand_after() <= 1 {
            return true;
        }
        let named = |card: &Card| card.class() == Class::Natural && self.later[next] & 1 << card.kind() != 0;
        let useful = |card: &Card| named(card) || matches!(card.class(), Class::Wild | Class::BlackThree);
        let points = |(card, count)| i32::from(count) * self.table.rules().card_points(card);
        let later: i32 = self.left.kinds().filter(|(card, _)| useful(card)).map(points).sum();
        self.points() + later >= self.required || (self.exempts && self.may_go_out(next))
    }

    /// Whether the targets from `next` on could take all cards except one.
    fn may_go_out(&self, next: usize) -> bool {
        let later = self.left.kinds().filter(|(card, _)| self.later[next] & 1 << card.kind() != 0);
        let placed = later.map(|(_, count)| u16::from(count)).sum::<u16>() + u16::from(self.left.wilds());
        self.hand_after() <= placed + 1
    }

    /// Whether cards that must be named are left which no later target takes.
    fn strands(&self, choice: &TargetChoice) -> bool {
        if !self.exact {
            return false;
        }
        let again = choice.target.repeats && choice.counts != [0; KINDS];
        let own = if again { choice.target.kinds(&self.left, self.table.set()) } else { 0 };
        let takers = self.later[choice.next] | own | facts::kinds_of(Class::Wild);
        self.left.kinds().any(|(card, _)| takers & 1 << card.kind() == 0)
    }

    pub fn hand_after(&self) -> u16 {
        self.left.len() + self.kept + self.picked
    }
}

/// Whether a group of this many naturals and wilds may be placed, well formed or not (AMB-HN-07).
fn may_place(kind: MeldKind, is_new: bool, top: bool, naturals: u8, wilds: u8) -> bool {
    match kind {
        MeldKind::Set if top => true,
        MeldKind::Set if is_new => naturals > 0,
        MeldKind::Set | MeldKind::Wild => naturals + wilds > 0,
        MeldKind::BlackThrees => naturals > 0,
        MeldKind::Sequence => naturals > 0 || top,
    }
}
