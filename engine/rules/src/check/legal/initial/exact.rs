//! The search for minimal batches of an exact value.
//!
//! A batch worth `required` and `spare` points is minimal exactly if each of its groups loses more than `spare`
//! ([`InitialChoice`]). So for spare points of 0, 5, 10 and so on, the search enumerates the groups with such a loss that
//! are worth exactly as much: the list comes out by value. With more spare points fewer groups may be chosen, so a state
//! that leads to no batch stays dead.
//!
//! The order of branching is the order of the list: batches without a further sequence come before those with one, and
//! batches whose next group has a higher rank before those with a lower one.

use super::pools::InitialPool;
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
/// Points are counted in fives.
const STEP: i32 = 5;

/// The groups of a batch with the content that it must have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum BatchContent {
    Missing,
    /// One group is content; others may follow.
    One,
    /// One group is content. It could lose its content for the points that it can spare, so it must stay the only one.
    Sole,
    /// Several groups are content, or the batch needs none.
    Several,
}

/// The facts that decide which groups complete a batch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct InitialState {
    /// The points that are missing.
    left: i32,
    /// The number of naturals left in each pool, a byte each; the first byte is that of `pool`.
    naturals: u128,
    /// The pool of the next group, and the first of its choices that the group may be.
    pool: u8,
    choice: u16,
    twos: u8,
    jokers: u8,
    content: BatchContent,
}

impl InitialState {
    /// Returns the state from a later pool on.
    pub(super) fn at_pool(self, pool: usize) -> Self {
        let skipped = pool - usize::from(self.pool);
        if skipped == 0 {
            return self;
        }
        // A shift by all bits is none.
        let naturals = self.naturals.checked_shr(8 * skipped as u32).unwrap_or(0);
        Self { naturals, pool: pool as u8, choice: 0, ..self }
    }

    /// Whether the cards of a choice from `pool` are left.
    pub(super) fn has(&self, choice: &InitialChoice) -> bool {
        let pick = choice.group.pick;
        pick.naturals <= self.naturals as u8 && pick.twos <= self.twos && pick.jokers <= self.jokers
    }
}

pub(super) struct InitialSearch<'l, 'a> {
    pub(super) worth: InitialWorth<'l, 'a>,
    nodes: &'l Nodes,
    /// The ranks from which a batch may choose; the wilds' pool comes last.
    pub(super) pools: Vec<InitialPool>,
    /// The sequences that the hand can begin.
    sequences: Vec<(Sequence, InitialChoice)>,
    pub(super) required: i32,
    /// The points that the batches now searched for are worth beyond the minimum.
    spare: i32,
    /// The cards that no sequence has taken.
    hand: Cards,
    /// The number of naturals that neither a sequence nor the top's group has taken, by rank.
    free: [u8; 14],
    /// The rank of the top's group, if no other group may be of this rank.
    closed: Option<Rank>,
    chosen: Choices,
    pub(super) found: Vec<(i32, Choices)>,
    /// The states that lead to no batch.
    dead: BTreeSet<InitialState>,
    /// The number of choices tried that are not counted as nodes yet.
    tried: u32,
    /// The most points that bonuses of canastas can add, where they count (HN-066).
    bonuses: i32,
    /// The most points that a two, and a joker, can add.
    wild_values: [i32; 2],
}

impl<'l, 'a> InitialSearch<'l, 'a> {
    pub(super) fn new(worth: InitialWorth<'l, 'a>, nodes: &'l Nodes) -> Self {
        let lister = worth.lister;
        Self {
            worth,
            nodes,
            pools: Vec::new(),
            sequences: Vec::new(),
            required: lister.table.minimum(lister.seat),
            spare: 0,
            hand: *lister.hand,
            free: lister.counts,
            closed: None,
            chosen: Choices::new(),
            found: Vec::new(),
            dead: BTreeSet::new(),
            tried: 0,
            bonuses: worth.most_bonuses(),
            wild_values: worth.wild_values(),
        }
    }

    /// Searches for all minimal batches, in the order of the list, until there are more than may be listed. Each batch has
    /// the group of a top, if there is a top.
    pub(super) fn run(&mut self, tops: &[Option<InitialChoice>]) {
        let may_splash = self.may_splash();
        let of_top = tops.iter().flatten().map(|top| top.group.value).max().unwrap_or(0);
        if !may_splash && of_top + self.points_free() + self.wilds_worth() < self.required {
            return;
        }
        self.fill_pools(tops);
        self.spare = (-self.required).rem_euclid(STEP);
        while of_top + self.ceiling() >= self.required + self.spare && !self.is_over() {
            self.nodes.visit();
            for top in tops {
                self.begin_with(top.as_ref());
            }
            self.spare += STEP;
        }
        if may_splash {
            self.add_splashes(tops);
        }
    }

    fn fill_pools(&mut self, tops: &[Option<InitialChoice>]) {
        let (worth, lister) = (self.worth, self.worth.lister);
        let has_wild_top = tops.iter().flatten().any(|top| top.group.rank.is_none());
        let wild = (lister.set.wild_melds && !has_wild_top).then_some(None);
        let mut examined = 0;
        for rank in Rank::NATURAL.map(Some).into_iter().chain(wild) {
            let held = rank.map_or(0, |rank| lister.held(rank));
            if rank.is_none() || held >= lister.set.min_naturals.max(1) {
                self.pools.push(InitialPool::of(worth, rank, held, self.required, &mut examined));
            }
        }
        self.pools.retain(|pool| !pool.choices.is_empty());
        if lister.set.sequences {
            let all = sequences::begun(lister.set, lister.hand);
            let all = all.map(|sequence| (sequence, worth.choice(worth.sequence(sequence))));
            self.sequences = all.collect();
        }
        self.nodes.add(examined / CHOICES_PER_NODE);
    }

    /// Searches for the batches with this top, worth as much as the minimum and the spare points.
    fn begin_with(&mut self, top: Option<&InitialChoice>) {
        let due = self.required + self.spare;
        let value = top.map_or(0, |top| top.group.value);
        if value > due || top.is_some_and(|top| top.is_splash) {
            return;
        }
        let mut state = self.first_state(top, due - value);
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
        self.extend(InitialState { naturals: self.naturals(), ..state });
        for at in from..self.sequences.len() {
            let (sequence, choice) = self.sequences[at];
            self.count_choice();
            let Some(content) = self.content_after(state.content, &choice) else { continue };
            let is_free = |card: Card| self.hand.count(card) > 0 && self.free[card.rank().index()] > 0;
            if choice.group.value > state.left || !sequence.cards().all(is_free) {
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
            self.begin(at, InitialState { left: state.left - choice.group.value, content, ..state });
            self.chosen.pop();
            for card in sequence.cards() {
                self.hand.insert(card);
                self.free[card.rank().index()] += 1;
            }
        }
    }

    /// Adds groups of ranks that complete the batch. Returns whether there are any.
    fn extend(&mut self, state: InitialState) -> bool {
        if state.left == 0 && state.content != BatchContent::Missing {
            debug_assert!(self.is_minimal(&self.chosen), "{:?}", self.chosen);
            self.found.push((self.required + self.spare, self.chosen.clone()));
            return true;
        }
        if !self.nodes.visit() || self.dead.contains(&state) {
            return false;
        }
        let (mut found, mut reach) = (false, self.wilds_worth_of(state.twos, state.jokers));
        for pool in (usize::from(state.pool)..self.pools.len()).rev() {
            let state = state.at_pool(pool);
            let InitialPool { points, most_loss, most_loss_alone, ref choices, .. } = self.pools[pool];
            let most = if state.content == BatchContent::Missing { most_loss_alone } else { most_loss };
            if most <= self.spare {
                continue;
            }
            reach += i32::from(state.naturals as u8) * points;
            if reach < state.left {
                continue;
            }
            for at in usize::from(state.choice)..choices.len() {
                let choice = self.pools[pool].choices[at];
                self.count_choice();
                if choice.is_splash || choice.group.value > state.left || !state.has(&choice) {
                    continue;
                }
                let Some(content) = self.content_after(state.content, &choice) else { continue };
                if self.is_over() {
                    return found;
                }
                self.chosen.push(choice.group);
                found |= self.extend(self.after(state, at, &choice, content));
                self.chosen.pop();
            }
        }
        if !found && self.nodes.spent() >= MEMORY_FROM && !self.is_over() {
            self.dead.insert(state);
        }
        found
    }

    /// Returns the state after a choice from its pool.
    fn after(
        &self,
        state: InitialState,
        at: usize,
        choice: &InitialChoice,
        content: BatchContent,
    ) -> InitialState {
        let pick = choice.group.pick;
        let then = InitialState {
            left: state.left - choice.group.value,
            naturals: state.naturals - u128::from(pick.naturals),
            choice: at as u16,
            twos: state.twos - pick.twos,
            jokers: state.jokers - pick.jokers,
            content,
            ..state
        };
        // Several sets of one rank are chosen in order. There is one group of wilds at most.
        match self.worth.lister.set.melds_per_rank {
            MeldsPerRank::Many if choice.group.rank.is_some() => then,
            _ => then.at_pool(usize::from(state.pool) + 1),
        }
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

    /// Whether the search ends here.
    fn is_over(&self) -> bool {
        self.found.len() > BATCHES_MAX || self.nodes.are_used_up()
    }

    fn count_choice(&mut self) {
        self.tried += 1;
        if self.tried.is_multiple_of(CHOICES_PER_NODE) {
            self.nodes.add(1);
        }
    }

    /// Returns the number of naturals left in each pool, a byte each.
    fn naturals(&self) -> u128 {
        let left = |rank: Rank| if self.closed == Some(rank) { 0 } else { self.free[rank.index()] };
        let ranks = self.pools.iter().rev().map(|pool| pool.rank.map_or(0, left));
        ranks.fold(0, |naturals, left| naturals << 8 | u128::from(left))
    }

    /// Returns an upper bound of the points of the groups of ranks and the sequences that lose more than the spare points.
    fn ceiling(&self) -> i32 {
        let is_needed = |choice: &InitialChoice| choice.loss > self.spare;
        let alone = |choice: &&InitialChoice| choice.loss_alone > self.spare && !is_needed(choice);
        let sequences = || self.sequences.iter().map(|(_, choice)| choice);
        let all = self.pools.iter().flat_map(|pool| &pool.choices).chain(sequences());
        // Only one group may be needed for its content alone.
        let alone = all.filter(alone).map(|choice| choice.group.value).max().filter(|_| self.asks_content());
        let others = self.pools.iter().filter(|pool| pool.most_loss > self.spare);
        let counts = self.worth.lister.counts;
        let held = |pool: &InitialPool| pool.rank.map_or(0, |rank| self.points(rank, counts[rank.index()]));
        let others = match sequences().any(is_needed) {
            true => self.points_free() + self.wilds_worth(),
            false if others.clone().next().is_none() => 0,
            false => others.map(held).sum::<i32>() + self.wilds_worth(),
        };
        alone.unwrap_or(0) + others
    }

    /// Whether a batch must have content. Where no points are due, it must at least have a group.
    fn asks_content(&self) -> bool {
        self.worth.lister.set.initial_content != InitialContent::None || self.required <= 0
    }

    /// Returns the points of `count` naturals of a rank.
    fn points(&self, rank: Rank, count: u8) -> i32 {
        i32::from(count) * self.worth.lister.table.rules.rank_points(rank)
    }

    /// Returns the points of all naturals that are free.
    fn points_free(&self) -> i32 {
        Rank::NATURAL.into_iter().map(|rank| self.points(rank, self.free[rank.index()])).sum()
    }

    /// Returns the most points that all wilds, and the bonuses, can add.
    fn wilds_worth(&self) -> i32 {
        let wilds = self.worth.lister.wilds;
        self.wilds_worth_of(wilds.twos(), wilds.jokers())
    }

    fn wilds_worth_of(&self, twos: u8, jokers: u8) -> i32 {
        let [two, joker] = self.wild_values;
        i32::from(twos) * two + i32::from(jokers) * joker + self.bonuses
    }
}
