//! The cost limit of searches.
//!
//! Some questions need a search: for a way to go out, for initial batches, for a legal take. A search counts the
//! search nodes that it visits and never measures time, so the same question has the same answer on every machine. A
//! node is a state of the search, 16 choices that it tries, or 8 words of a table that it computes. In ordinary play of
//! any preset, a question visits at most half of [`NODES_MAX`]. Only house rules with very large hands come near this
//! limit.
//!
//! No valid rule set exceeds the limit, and none is refused for it: a table that would cost more than the nodes left is
//! not finished. It ends in the middle of a row of at most 6,750 words, which is the row of the widest valid rule set: 14
//! canastas of each kind, and content of the initial batch.
//!
//! Each question has its own count, so its answer does not depend on earlier questions. If the count of a question is
//! used up, the question is answered as if the search had found nothing more, whoever asks:
//!
//! - No way to go out is known. A question to the partner is refused (`ASK_CANNOT_GO_OUT`), and after a promise to go
//!   out a batch that does not itself go out (`GO_OUT_BOUND`). Both refusals state the fact `search`: `UNDECIDED`. A
//!   question that names its way needs no search. A batch that might leave no finish is refused
//!   (`MELD_LEAVES_NO_FINISH`). A seat that has nothing to discard may pass.
//! - No legal take is known. There is no duty to take the pile.
//! - A list of legal actions ends there, and says that it is incomplete.
//!
//! Work that decides nothing has a limit of its own, one per request. It is counted in the same unit: the nodes of all
//! searches, and for each action that is judged for a repair, an option or a list, a price by its cards and groups
//! (`price`). Once this limit is reached, repairs are left out, and a list or the options end. Verdicts do not depend on
//! it. A unit mostly costs about 1,000 instructions, so that [`WORK_MAX`] stands for 5 ms, and [`WORK_MODERATE`] for 2 ms.

use crate::action::{Action, Group};
use core::cell::Cell;

/// The maximum number of nodes that the search for one question visits. This number is part of the rules: another
/// number could decide differently about positions that need more nodes.
pub const NODES_MAX: u32 = 16_384;

/// The number of nodes after which a list of actions ends, as a multiple of [`NODES_MAX`].
const QUESTIONS: u32 = 2;

/// The maximum work of one request, in units of a node.
pub const WORK_MAX: u32 = 5 * NODES_MAX / 2;

/// The maximum work of one request where the hand has at most [`MODERATE_HAND`] cards.
pub const WORK_MODERATE: u32 = 5 * NODES_MAX / 4;

/// The maximum number of cards of a hand of moderate size.
pub const MODERATE_HAND: u16 = 30;

/// Returns the work of judging an action at a table with this number of melds, in units of a node.
pub(crate) fn price(action: &Action, melds: usize) -> u32 {
    let of = |groups: &[Group], with: usize| {
        let cards: usize = groups.iter().map(|group| group.cards.len()).sum();
        (cards + with + (1 + groups.len()) * (8 + melds / 4)) as u32 / 4
    };
    match action {
        Action::Meld(groups) => of(groups, 0),
        Action::TakePile(take) => of(&take.also, take.with.len()),
        Action::LayThrees(cards) => of(&[], cards.len()),
        _ => 1,
    }
}

/// The number of nodes visited for one answer, and the limit of this number.
#[derive(Debug)]
pub struct Nodes {
    spent: Cell<u32>,
    most: u32,
    /// The price of the actions that were judged so far.
    judged: Cell<u32>,
    /// The limit of nodes and price together. A question has none.
    work_max: Cell<u32>,
    /// Whether what a question finds is dropped once the limit is reached, so that it need not go on.
    is_trial: bool,
    /// The maximum number of nodes that one question has visited so far.
    dearest: Cell<u32>,
}

impl Default for Nodes {
    /// Returns a count with the limits for a list of actions, which asks many questions.
    fn default() -> Self {
        Self { work_max: Cell::new(WORK_MAX), ..Self::up_to(QUESTIONS * NODES_MAX) }
    }
}

impl Nodes {
    fn up_to(most: u32) -> Self {
        let none = || Cell::new(0);
        let work_max = Cell::new(u32::MAX);
        Self { spent: none(), most, judged: none(), work_max, is_trial: false, dearest: none() }
    }

    /// Returns a count that is out of work: nothing is searched or tried for repairs and lists. Verdicts are the same.
    pub fn without_work() -> Self {
        let nodes = Self::default();
        nodes.charge(u32::MAX);
        nodes
    }

    /// Sets the limit of work for a request about a hand of this size.
    pub(crate) fn limit_work(&self, hand: u16) {
        self.work_max.set(if hand <= MODERATE_HAND { WORK_MODERATE } else { WORK_MAX });
    }

    /// Returns the work done so far, in units of a node: the nodes, and the price of the actions that were judged.
    pub fn work(&self) -> u32 {
        self.spent().saturating_add(self.judged.get())
    }

    /// Counts the price of actions that are judged.
    pub fn charge(&self, units: u32) {
        self.judged.set(self.judged.get().saturating_add(units));
    }

    /// Runs a trial, whose result is dropped if the work is used up then.
    pub(crate) fn attempt<T>(&self, units: u32, trial: impl FnOnce(&Self) -> T) -> Option<T> {
        self.charge(units);
        let own = Self { is_trial: true, ..Self::up_to(self.work_left()) };
        let result = trial(&own);
        self.add(own.spent());
        self.charge(own.judged.get());
        (!self.is_out_of_work()).then_some(result)
    }

    /// Whether the limit of work is reached.
    pub(crate) fn is_out_of_work(&self) -> bool {
        self.work_left() == 0
    }

    fn work_left(&self) -> u32 {
        self.work_max.get().saturating_sub(self.work())
    }

    /// Returns the number of nodes visited so far, including the nodes of all questions.
    pub fn spent(&self) -> u32 {
        self.spent.get()
    }

    /// Returns the maximum number of nodes that one question has visited so far.
    pub fn of_dearest_question(&self) -> u32 {
        self.dearest.get()
    }

    /// Counts one node. Returns whether the search may visit this node.
    pub(crate) fn visit(&self) -> bool {
        let may = !self.are_used_up();
        self.add(1);
        may
    }

    /// Counts `count` nodes.
    pub(crate) fn add(&self, count: u32) {
        self.spent.set(self.spent.get().saturating_add(count));
    }

    /// Returns the number of nodes up to the limit.
    pub(crate) fn left(&self) -> u32 {
        self.most.saturating_sub(self.spent()).min(self.work_left())
    }

    /// Whether a limit is reached.
    pub(crate) fn are_used_up(&self) -> bool {
        self.left() == 0
    }

    /// Runs a search that decides a question, limited to [`NODES_MAX`] whatever was counted before, so that the answer
    /// depends on the position alone. Adds its nodes to this count.
    pub(crate) fn decide<T>(&self, search: impl FnOnce(&Self) -> T) -> T {
        self.count(if self.is_trial { NODES_MAX.min(self.left()) } else { NODES_MAX }, search)
    }

    /// Runs a search for actions of a list, limited to [`NODES_MAX`] and to the nodes that the list has left. Adds its nodes
    /// to this count. Returns what the search has found, and whether its nodes have sufficed.
    pub(crate) fn list<T>(&self, search: impl FnOnce(&Self) -> T) -> (T, bool) {
        let most = NODES_MAX.min(self.left());
        self.count(most, |nodes| {
            let found = search(nodes);
            (found, !nodes.are_used_up())
        })
    }

    fn count<T>(&self, most: u32, search: impl FnOnce(&Self) -> T) -> T {
        let own = Self::up_to(most);
        let answer = search(&own);
        self.add(own.spent());
        self.charge(own.judged.get());
        self.dearest.set(self.dearest.get().max(own.spent()));
        answer
    }
}
