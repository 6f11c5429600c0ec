//! Topics: what people doubt or ask and the rules settle without a ruling, such as a wild card on a natural canasta.
//!
//! `topics.txt` has a line per topic: its id, its name in both languages, and the rules of every book that has one about it. As
//! with irregularities, conditions say in which rule sets it comes up.

use super::{Irregularity, comes_up, irregularity, is_so};
use crate::citation::Books;
use crate::rules::RuleSet;
use crate::violations::template::Translated;
use alloc::vec::Vec;

const TOPICS: &str = include_str!("topics.txt");

/// A subject of the rules under which nobody has offended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Topic {
    /// The name in a word, for example `take-onto`.
    pub id: &'static str,
    /// The subject in a few words: no full stop.
    pub name: Translated,
    /// The ids of the rules, of all books, in parts.
    row: &'static str,
    /// `| only KNOB`, `| never KNOB=VALUE` and `| breach IRREGULARITY KNOB=VALUE ...`.
    conditions: &'static str,
}

/// Returns every topic, in the order of the table.
///
/// # Panics
/// If a line of the table lacks a field, which would be our own fault; the tests read every line.
pub fn topics() -> impl Iterator<Item = Topic> {
    TOPICS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.splitn(4, " | ");
        let mut next = || fields.next().expect("a topic has an id, two names and rules");
        let (id, english, german, rest) = (next(), next(), next(), next());
        let begin = ["| only ", "| never ", "| breach "].into_iter().filter_map(|word| rest.find(word)).min();
        let (row, conditions) = rest.split_at(begin.unwrap_or(rest.len()));
        Topic { id, name: Translated::new([english, german]), row, conditions }
    })
}

impl Topic {
    /// Returns the ids of the rules of these books that settle it, the most telling first; never empty.
    pub fn rules(&self, books: &Books) -> Vec<&'static str> {
        books.cite_parts(self.row)
    }

    /// Whether it comes up in a rule set: without feet nobody asks when one is taken.
    pub fn comes_up_in(&self, set: &RuleSet) -> bool {
        comes_up(|| self.conditions(), set)
    }

    /// Returns the irregularity that it is if somebody does so under a rule set that forbids it.
    pub fn breach(&self, set: &RuleSet) -> Option<Irregularity> {
        let words = self.conditions().find_map(|line| line.strip_prefix("breach "))?;
        let (id, knobs) = words.split_once(' ').unwrap_or((words, ""));
        let is_forbidden = knobs.is_empty() || knobs.split(' ').any(|knob| is_so(knob, set));
        irregularity(id).filter(|_| is_forbidden)
    }

    fn conditions(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.conditions.split("| ").map(str::trim)
    }
}
