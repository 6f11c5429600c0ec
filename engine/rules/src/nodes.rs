//! How much searching one answer may cost.
//!
//! Some answers need a search: for a way to go out, for initial batches, for a take that is legal. A search counts the
//! nodes that it visits, never the time, so the same question has the same answer on every machine. At a table of any
//! preset a question visits a small part of [`MAX_NODES`]; only house rules with very large hands come near it.
//!
//! Each question has a count of its own: its answer does not depend on what was asked before. A question whose count
//! is used up is answered as if there were nothing left to find, for whoever asks:
//!
//! - no way to go out is known: a question to the partner is refused (`ASK_CANNOT_GO_OUT`), a batch after a promise to
//!   go out too (`GO_OUT_BOUND`) unless it goes out itself, and so is a batch that might leave no finish
//!   (`MELD_LEAVES_NO_FINISH`); a seat that has nothing to discard may pass;
//! - no legal take is known: there is no duty to take the pile;
//! - a list of legal actions ends there, and says that it is cut.

use core::cell::Cell;

/// The most nodes that the search for one question visits. Part of the rules: another number could decide
/// otherwise about positions that need more.
pub const MAX_NODES: u32 = 65_536;

/// The most questions' worth of nodes after which a list of actions ends.
const QUESTIONS: u32 = 3;

/// A count of the nodes that were visited for one answer.
#[derive(Debug)]
pub struct Nodes {
    spent: Cell<u32>,
    most: u32,
    /// The most that one question has cost.
    dearest: Cell<u32>,
}

impl Default for Nodes {
    /// A count for a list of actions, which asks many questions.
    fn default() -> Self {
        Self::up_to(QUESTIONS * MAX_NODES)
    }
}

impl Nodes {
    fn up_to(most: u32) -> Self {
        Self { spent: Cell::new(0), most, dearest: Cell::new(0) }
    }

    /// The nodes visited so far, those of all questions included.
    pub fn spent(&self) -> u32 {
        self.spent.get()
    }

    /// The most nodes that one question visited.
    pub fn of_dearest_question(&self) -> u32 {
        self.dearest.get()
    }

    /// Counts one node. Returns whether the search may visit it.
    pub(crate) fn visit(&self) -> bool {
        let may = !self.are_used_up();
        self.add(1);
        may
    }

    /// Counts this many nodes.
    pub(crate) fn add(&self, count: u32) {
        self.spent.set(self.spent.get().saturating_add(count));
    }

    /// Whether no node is left.
    pub(crate) fn are_used_up(&self) -> bool {
        self.spent.get() >= self.most
    }

    /// Asks a question with a count of its own, and adds that count to this one.
    pub(crate) fn ask<T>(&self, question: impl FnOnce(&Self) -> T) -> T {
        let own = Self::up_to(MAX_NODES);
        let answer = question(&own);
        self.add(own.spent());
        self.dearest.set(self.dearest.get().max(own.spent()));
        answer
    }
}
