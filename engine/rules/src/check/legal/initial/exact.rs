//! The search for minimal batches of an exact value.
//!
//! A batch worth `required` and `spare` points is minimal exactly if each of its groups loses more than `spare`
//! ([`InitialChoice`]). So for spare points of 0, 5, 10 and so on, the search enumerates the groups with such a loss that
//! are worth exactly as much: the list comes out by value. With more spare points fewer groups may be chosen, so a state
//! that leads to no batch stays dead.
//!
//! Most hands have few batches, or none. So before each value the search computes which sums the groups of each rank and
//! of the ranks after it can have ([`Sums`]), as if every group could use all wilds. A state whose missing points are no
//! such sum is not visited.
//!
//! The search ends: within one value each step takes cards out of the hand, the values ascend, and once no
//! group loses more than the spare points, nothing may be chosen. The nodes of the list bound it besides.
//!
//! The order of branching is the order of the list: batches without a further sequence come before those with one, and
//! batches whose next group has a higher rank before those with a lower one.

use super::pools::InitialPool;
use super::state::{BatchContent, InitialState, POOLS_MAX};
use super::sums::{STEP, Sums};
use super::worth::{InitialChoice, InitialWorth};
use super::{BATCHES_MAX, Choices, sequences};
use crate::card::{Card, Cards, Rank};
use crate::nodes::Nodes;
use crate::rules::{InitialContent, MeldsPerRank};
use crate::sequence::Sequence;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// The number of choices that cost as much as one node.
const CHOICES_PER_NODE: u32 = 16;
/// The number of nodes from which on dead states are remembered. Most searches end before, and a memory costs them more
/// than it saves.
const MEMORY_FROM: u32 = 64;

pub(super) struct InitialSearch<'l, 'a> {
    pub(super) worth: InitialWorth<'l, 'a>,
    nodes: &'l Nodes,
    /// The ranks from which a batch may choose; the wilds' pool comes last.
    pub(super) pools: Vec<InitialPool>,
    /// The groups of all pools, one pool after the other.
    pub(super) choices: Vec<InitialChoice>,
    /// The sequences that the hand can begin.
    pub(super) sequences: Vec<(Sequence, InitialChoice)>,
    pub(super) required: i32,
    /// The points that the batches now searched for are worth beyond the minimum.
    pub(super) spare: i32,
    /// The sums of groups that lose more than the spare points: of ranks, and with sequences.
    pub(super) sums: Sums,
    pub(super) sums_with_sequences: Sums,
    /// The number of spare points from which on fewer groups have these sums.
    pub(super) sums_until: i32,
    /// The cards that no sequence has taken.
    hand: Cards,
    /// The number of naturals that neither a sequence nor the top's group has taken, by rank.
    pub(super) free: [u8; 14],
    /// The points of one natural of each rank.
    pub(super) points: [i32; 14],
    /// The rank of the top's group, if no other group may be of this rank.
    closed: Option<Rank>,
    chosen: Choices,
    pub(super) found: Vec<(i32, Choices)>,
    /// The states that lead to no batch.
    dead: BTreeSet<(u128, u64)>,
    /// The number of choices tried that are not counted as nodes yet.
    tried: u32,
    /// The most points that bonuses of canastas can add, where they count (HN-066).
    pub(super) bonuses: i32,
    /// The most points that a two, and a joker, can add.
    pub(super) wild_values: [i32; 2],
    /// Whether a batch may have several sets of one rank.
    pub(super) repeats_ranks: bool,
}

impl<'l, 'a> InitialSearch<'l, 'a> {
    pub(super) fn new(worth: InitialWorth<'l, 'a>, nodes: &'l Nodes) -> Self {
        let lister = worth.lister;
        Self {
            worth,
            nodes,
            pools: Vec::new(),
            choices: Vec::new(),
            sequences: Vec::new(),
            required: worth.required(),
            spare: 0,
            sums: Sums::ALL,
            sums_with_sequences: Sums::ALL,
            sums_until: i32::MIN,
            hand: *lister.hand,
            free: lister.counts,
            points: worth.natural_points(),
            closed: None,
            chosen: Choices::new(),
            found: Vec::new(),
            dead: BTreeSet::new(),
            tried: 0,
            bonuses: worth.most_bonuses(),
            wild_values: worth.wild_values(),
            repeats_ranks: lister.set.melds_per_rank == MeldsPerRank::Many,
        }
    }

    /// Computes the sums of the groups that may be chosen now, and with how many spare points there are fewer of them.
    fn compute_sums(&mut self) {
        let (lister, spare, asks_content) = (self.worth.lister, self.spare, self.asks_content());
        let mut until = i32::MAX;
        let mut may_be_chosen = |choice: &InitialChoice| {
            let alone = if asks_content && choice.is_content { choice.loss_alone } else { i32::MIN };
            let most = choice.loss.max(alone);
            let may = !choice.is_splash && most > spare;
            until = if may { until.min(most) } else { until };
            may
        };
        let mut all = Sums::NOTHING;
        for pool in self.pools.iter_mut().rev() {
            let held = pool.rank.filter(|_| self.repeats_ranks).map_or(0, |rank| lister.held(rank));
            let least = lister.set.min_naturals.max(1);
            (pool.sums, pool.sums_after) = (Sums::default(), all);
            for nth in 0..(held / least).max(1) {
                let before = if nth == 0 { all } else { pool.sums };
                let chosen = self.choices[pool.choices.clone()].iter().filter(|choice| may_be_chosen(choice));
                pool.sums = chosen.fold(pool.sums, |sums, choice| sums.or(before.plus(choice.group.value)));
            }
            if self.repeats_ranks && pool.rank.is_some() {
                pool.sums_after = all.or(pool.sums);
            }
            all = all.or(pool.sums);
        }
        self.sums = all;
        let sequences = self.sequences.iter().map(|(_, choice)| choice);
        let sequences = sequences.filter(|choice| may_be_chosen(choice));
        self.sums_with_sequences = sequences.fold(all, |sums, choice| sums.plus_many(choice.group.value));
        self.sums_until = until;
    }

    /// Searches for all minimal batches, in the order of the list, until there are more than may be listed. Each batch has
    /// the group of a top, if there is a top.
    pub(super) fn run(&mut self, tops: &[Option<InitialChoice>]) {
        self.fill_pools(tops);
        let of_top = tops.iter().flatten().map(|top| top.group.value).max().unwrap_or(0);
        let mut spare = (-self.required).rem_euclid(STEP);
        while let Some(next) = self.next_spare(spare, tops) {
            self.spare = next;
            if !self.may_reach(self.required + next - of_top) || self.is_over() {
                break;
            }
            self.nodes.visit();
            if next >= self.sums_until {
                // With more spare points, groups have fewer sums: they may rule out this value.
                self.compute_sums();
                spare = next;
                continue;
            }
            for top in tops {
                self.begin_with(top.as_ref());
            }
            spare = next + STEP;
        }
        if self.worth.may_splash() {
            self.add_splashes(tops);
        }
    }

    /// Returns the next number of spare points, from `spare` on, with which a batch may have the sums known so far; `None`
    /// if each top lifts the minimum.
    fn next_spare(&self, spare: i32, tops: &[Option<InitialChoice>]) -> Option<i32> {
        let needs_points = |top: &&Option<InitialChoice>| !top.is_some_and(|top| top.is_splash);
        let missing = tops.iter().filter(needs_points).map(|top| {
            let left = self.required + spare - top.map_or(0, |top| top.group.value);
            self.sums_with_sequences.next(left) - left
        });
        missing.min().map(|more| spare + more)
    }

    fn fill_pools(&mut self, tops: &[Option<InitialChoice>]) {
        let (worth, lister) = (self.worth, self.worth.lister);
        let has_wild_top = tops.iter().flatten().any(|top| top.group.rank.is_none());
        let wild = (lister.set.wild_melds && !has_wild_top).then_some(None);
        let mut examined = 0;
        self.pools.reserve(POOLS_MAX);
        self.choices.reserve(4 * POOLS_MAX);
        for rank in Rank::of_bits(lister.ranks_for_sets()).map(Some).chain(wild) {
            let held = rank.map_or(0, |rank| lister.held(rank));
            let (required, choices) = (self.required, &mut self.choices);
            let pool = InitialPool::of(worth, rank, held, required, &mut examined, choices);
            if !pool.choices.is_empty() {
                self.pools.push(pool);
            }
        }
        if lister.set.sequences {
            let all = sequences::begun(lister.set, lister.hand);
            let all = all.map(|sequence| (sequence, worth.choice(worth.sequence(sequence))));
            self.sequences = all.collect();
        }
        self.nodes.add(examined / CHOICES_PER_NODE);
    }

    /// Whether the groups beside this top can be worth as much as is missing.
    fn may_begin_with(&self, top: Option<&InitialChoice>) -> bool {
        let left = self.left_by(top);
        left >= 0 && self.sums_with_sequences.may_be(left) && !top.is_some_and(|top| top.is_splash)
    }

    /// Returns the points that the minimum and the spare points are more than this top.
    fn left_by(&self, top: Option<&InitialChoice>) -> i32 {
        self.required + self.spare - top.map_or(0, |top| top.group.value)
    }

    /// Searches for the batches with this top, worth as much as the minimum and the spare points.
    fn begin_with(&mut self, top: Option<&InitialChoice>) {
        if !self.may_begin_with(top) {
            return;
        }
        let mut state = self.first_state(top, self.left_by(top));
        if let Some(top) = top {
            let Some(content) = self.content_after(state.content, top) else { return };
            state.content = content;
            self.chosen.push(top.group);
        }
        self.begin(0, state);
        self.chosen.clear();
    }

    /// Returns the state after the group of the top, except for its content, when `left` points are missing. Takes the cards
    /// of this group out of the free ones.
    pub(super) fn first_state(&mut self, top: Option<&InitialChoice>, left: i32) -> InitialState {
        let lister = self.worth.lister;
        let (mut twos, mut jokers) = (lister.wilds.twos(), lister.wilds.jokers());
        (self.free, self.closed) = (lister.counts, None);
        if let Some(InitialChoice { group, .. }) = top {
            (twos, jokers) = (twos - group.pick.twos, jokers - group.pick.jokers);
            if let Some(rank) = group.rank {
                self.free[rank.index()] -= group.pick.naturals;
                self.closed = Some(rank).filter(|_| lister.set.melds_per_rank != MeldsPerRank::Many);
            }
        }
        let content = if self.asks_content() { BatchContent::Missing } else { BatchContent::Several };
        InitialState { left, naturals: self.naturals(), pool: 0, choice: 0, twos, jokers, content }
    }

    /// Adds groups of ranks; or first sequences from index `from` of the list on, then groups of ranks.
    fn begin(&mut self, from: usize, state: InitialState) {
        if !self.nodes.visit() || self.points_free() + self.wilds_worth() < state.left {
            return;
        }
        if self.sums.may_be(state.left) {
            self.extend(&InitialState { naturals: self.naturals(), ..state });
        }
        for at in from..self.sequences.len() {
            let (sequence, choice) = self.sequences[at];
            self.count_choice();
            let Some(content) = self.content_after(state.content, &choice) else { continue };
            let is_free = |card: Card| self.hand.count(card) > 0 && self.free[card.rank().index()] > 0;
            let left = state.left - choice.group.value;
            if left < 0 || !self.sums_with_sequences.may_be(left) || !sequence.cards().all(is_free) {
                continue;
            }
            if self.is_over() {
                return;
            }
            for card in sequence.cards() {
                self.hand.remove(card);
                self.free[card.rank().index()] -= 1;
            }
            self.chosen.push(choice.group);
            self.begin(at, InitialState { left, content, ..state });
            self.chosen.pop();
            for card in sequence.cards() {
                self.hand.insert(card);
                self.free[card.rank().index()] += 1;
            }
        }
    }

    /// Adds groups of ranks that complete the batch. Returns whether there are any.
    fn extend(&mut self, state: &InitialState) -> bool {
        if state.left == 0 && state.content != BatchContent::Missing {
            debug_assert!(self.is_minimal(&self.chosen), "{:?}", self.chosen);
            self.found.push((self.required + self.spare, self.chosen.clone()));
            return true;
        }
        if !self.nodes.visit() || (!self.dead.is_empty() && self.dead.contains(&state.key())) {
            return false;
        }
        let (mut found, mut reach) = (false, self.wilds_worth_of(state.twos, state.jokers));
        for pool in (usize::from(state.pool)..self.pools.len()).rev() {
            let InitialPool { points, most_loss, most_loss_alone, sums, sums_after, ref choices, .. } =
                self.pools[pool];
            let choices = choices.clone();
            let most = if state.content == BatchContent::Missing { most_loss_alone } else { most_loss };
            if most <= self.spare {
                continue;
            }
            reach += i32::from(state.naturals[pool]) * points;
            if reach < state.left || !sums.may_be(state.left) {
                continue;
            }
            let from = if pool == usize::from(state.pool) { state.choice } else { 0 };
            for at in usize::from(from)..choices.len() {
                self.count_choice();
                let choice = &self.choices[choices.start + at];
                let left = state.left - choice.group.value;
                if choice.is_splash || left < 0 || !state.has(pool, choice) || !sums_after.may_be(left) {
                    continue;
                }
                let Some(content) = self.content_after(state.content, choice) else { continue };
                if self.is_over() {
                    return found;
                }
                let (group, then) = (choice.group, self.after(state, (pool, at), choice, content));
                self.chosen.push(group);
                found |= self.extend(&then);
                self.chosen.pop();
            }
        }
        if !found && self.nodes.spent() >= MEMORY_FROM && !self.is_over() {
            self.dead.insert(state.key());
        }
        found
    }

    /// Returns the state after choice number `at` of a pool.
    fn after(
        &self,
        state: &InitialState,
        (pool, at): (usize, usize),
        choice: &InitialChoice,
        content: BatchContent,
    ) -> InitialState {
        let pick = choice.group.pick;
        // Several sets of one rank are chosen in order. There is one group of wilds at most.
        let repeats = self.repeats_ranks && choice.group.rank.is_some();
        let (next, choice_from) = if repeats { (pool, at) } else { (pool + 1, 0) };
        let mut then = InitialState {
            left: state.left - choice.group.value,
            pool: next as u8,
            choice: choice_from as u16,
            twos: state.twos - pick.twos,
            jokers: state.jokers - pick.jokers,
            content,
            ..*state
        };
        then.naturals[pool] -= pick.naturals;
        then
    }

    /// Returns the content of a batch after one more group; `None` if the group loses too little.
    fn content_after(&self, content: BatchContent, choice: &InitialChoice) -> Option<BatchContent> {
        let is_needed = choice.loss > self.spare;
        match content {
            _ if !choice.is_content => is_needed.then_some(content),
            BatchContent::Missing if is_needed => Some(BatchContent::One),
            BatchContent::Missing => (choice.loss_alone > self.spare).then_some(BatchContent::Sole),
            BatchContent::One | BatchContent::Several => is_needed.then_some(BatchContent::Several),
            BatchContent::Sole => None,
        }
    }

    fn is_over(&self) -> bool {
        self.found.len() > BATCHES_MAX || self.nodes.are_used_up()
    }

    fn count_choice(&mut self) {
        self.tried += 1;
        if self.tried.is_multiple_of(CHOICES_PER_NODE) {
            self.nodes.add(1);
        }
    }

    /// Returns the number of naturals left in each pool.
    fn naturals(&self) -> [u8; POOLS_MAX] {
        let mut naturals = [0; POOLS_MAX];
        for (left, pool) in naturals.iter_mut().zip(&self.pools) {
            let rank = pool.rank.filter(|_| self.closed != pool.rank);
            *left = rank.map_or(0, |rank| self.free[rank.index()]);
        }
        naturals
    }

    /// Whether a batch must have content. Where no points are due, it must at least have a group.
    pub(super) fn asks_content(&self) -> bool {
        self.worth.lister.set.initial_content != InitialContent::None || self.required <= 0
    }
}
