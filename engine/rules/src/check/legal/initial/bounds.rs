//! Upper bounds of the points and the content that a batch can have.

use super::super::Lister;
use super::super::far::sequenced;
use super::super::pick::Pick;
use super::exact::InitialSearch;
use super::pools::InitialPool;
use super::worth::{InitialChoice, InitialWorth};
use crate::card::Rank;
use crate::rules::{Exempt, InitialContent};
use core::cmp::Reverse;
use smallvec::SmallVec;

impl InitialWorth<'_, '_> {
    /// Whether there can be a batch with one of these tops, by bounds of its points and its content. Most hands have none.
    pub(super) fn may_be_batch(&self, tops: &[Option<InitialChoice>]) -> bool {
        let of_top = || tops.iter().flatten().map(|top| top.group.value).max().unwrap_or(0);
        let reach = || of_top() + self.points_in_groups() + self.wilds_worth();
        self.may_have_content(tops) && (self.may_splash() || reach() >= self.required())
    }

    /// Whether the hand has a canasta that lifts the minimum, so that points are no bound.
    pub(super) fn may_splash(&self) -> bool {
        let Lister { set, counts, wilds, .. } = self.lister;
        set.initial_exempt.contains(Exempt::Splash)
            && counts.iter().chain([&wilds.len()]).any(|&count| count >= set.canasta_size)
    }

    /// Whether the group of a top, or one of the hand's, can be the content that a batch must have, by an upper bound.
    fn may_have_content(&self, tops: &[Option<InitialChoice>]) -> bool {
        let Lister { set, hand, wilds, .. } = self.lister;
        set.initial_content == InitialContent::None
            || set.sequences
            || set.wild_melds && wilds.len() >= set.meld_min
            || hand.ranks_with(set.meld_min.min(3)) & Rank::NATURALS != 0
            || tops.iter().flatten().any(|top| top.is_content)
    }

    /// Returns the points of all naturals that a group could have, by an upper bound: those of ranks that have enough
    /// naturals for a set or a card for a sequence, and of the ranks that need a wild as many as there are wilds.
    fn points_in_groups(&self) -> i32 {
        let Lister { set, hand, wilds, table, .. } = self.lister;
        let (sequenced, _) = if set.sequences { sequenced(set, hand, hand.held()) } else { (0, false) };
        let full = (hand.ranks_with(set.meld_min) | sequenced) & Rank::NATURALS;
        let points = |ranks: u16| {
            let of_rank = |rank| i32::from(hand.rank_count(rank)) * table.rules.rank_points(rank);
            Rank::of_bits(ranks).map(of_rank)
        };
        let mut short: SmallVec<[i32; 11]> = points(self.lister.ranks_for_sets() & !full).collect();
        if short.len() > usize::from(wilds.len()) {
            short.sort_unstable_by_key(|&points| Reverse(points));
        }
        points(full).sum::<i32>() + short.iter().take(wilds.len().into()).sum::<i32>()
    }

    /// Returns the most points that all wilds, and the bonuses, can add.
    fn wilds_worth(&self) -> i32 {
        let ([two, joker], wilds) = (self.wild_values(), self.lister.wilds);
        let pick = Pick { naturals: 0, twos: wilds.twos(), jokers: wilds.jokers() };
        pick.points([0, two, joker]) + self.most_bonuses()
    }
}

impl InitialSearch<'_, '_> {
    /// Whether the groups of ranks and the sequences that lose more than the spare points can have so many points, by an
    /// upper bound.
    pub(super) fn may_reach(&self, due: i32) -> bool {
        let is_needed = |choice: &InitialChoice| choice.loss > self.spare;
        let sequences = || self.sequences.iter().map(|(_, choice)| choice);
        let mut others = self.pools.iter().filter(|pool| pool.most_loss > self.spare).peekable();
        let counts = self.worth.lister.counts;
        let held = |pool: &InitialPool| pool.rank.map_or(0, |rank| self.points(rank, counts[rank.index()]));
        let others = match sequences().any(is_needed) {
            true => self.points_free() + self.wilds_worth(),
            false if others.peek().is_none() => 0,
            false => others.map(held).sum::<i32>() + self.wilds_worth(),
        };
        // Only one group may be needed for its content alone.
        let alone = |choice: &&InitialChoice| choice.loss_alone > self.spare && !is_needed(choice);
        let all = || self.choices.iter().chain(sequences());
        let most_alone = || all().filter(alone).map(|choice| choice.group.value).max();
        others >= due || self.asks_content() && most_alone().is_some_and(|value| others + value >= due)
    }

    /// Returns the points of `count` naturals of a rank.
    fn points(&self, rank: Rank, count: u8) -> i32 {
        i32::from(count) * self.points[rank.index()]
    }

    pub(super) fn points_free(&self) -> i32 {
        self.free.iter().zip(self.points).map(|(&count, points)| i32::from(count) * points).sum()
    }

    /// Returns the most points that all wilds, and the bonuses, can add.
    pub(super) fn wilds_worth(&self) -> i32 {
        let wilds = self.worth.lister.wilds;
        self.wilds_worth_of(wilds.twos(), wilds.jokers())
    }

    pub(super) fn wilds_worth_of(&self, twos: u8, jokers: u8) -> i32 {
        let [two, joker] = self.wild_values;
        Pick { naturals: 0, twos, jokers }.points([0, two, joker]) + self.bonuses
    }
}
