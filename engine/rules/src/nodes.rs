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

use core::cell::Cell;

/// The maximum number of nodes that the search for one question visits. This number is part of the rules: another
/// number could decide differently about positions that need more nodes.
pub const NODES_MAX: u32 = 16_384;

/// The number of nodes after which a list of actions ends, as a multiple of [`NODES_MAX`].
const QUESTIONS: u32 = 2;

/// The number of nodes visited for one answer, and the limit of this number.
#[derive(Debug)]
pub struct Nodes {
    spent: Cell<u32>,
    most: u32,
    /// The maximum number of nodes that one question has visited so far.
    dearest: Cell<u32>,
}

impl Default for Nodes {
    /// Returns a count with the limit for a list of actions, which asks many questions.
    fn default() -> Self {
        Self::up_to(QUESTIONS * NODES_MAX)
    }
}

impl Nodes {
    fn up_to(most: u32) -> Self {
        Self { spent: Cell::new(0), most, dearest: Cell::new(0) }
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
        self.most.saturating_sub(self.spent())
    }

    /// Whether the limit is reached.
    pub(crate) fn are_used_up(&self) -> bool {
        self.spent.get() >= self.most
    }

    /// Runs a search that decides a question, limited to [`NODES_MAX`] whatever was counted before, so that the answer
    /// depends on the position alone. Adds its nodes to this count.
    pub(crate) fn decide<T>(&self, search: impl FnOnce(&Self) -> T) -> T {
        self.count(NODES_MAX, search)
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
        self.dearest.set(self.dearest.get().max(own.spent()));
        answer
    }
}
