//! Causes: the rules of a code that a violation breaks, if the code's rules are alternatives.
//!
//! A rule that stands in no row of [`CAUSES`] is named whenever its code is. A rule that stands in rows is named only
//! if the conditions of one of these rows hold.

use super::Books;
use crate::card::{Class, Rank};
use crate::rejection::{Circumstance, Field, Violation};
use crate::violations::Code;
use crate::violations::Fact;

/// The relation of a rule to a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bearing {
    /// The violation has another cause.
    None,
    /// The violation breaks the rule.
    Applies,
    /// The rule gives the number or the words by which this violation is judged.
    Decides,
}

/// A condition on a violation for a rule to be its cause.
enum When {
    /// The fact is one of these words, or a list that has one of them.
    Word(&'static str, &'static [&'static str]),
    /// The fact is a number from the first to the second.
    Number(&'static str, i64, i64),
    /// The fact is a card of this class.
    Class(&'static str, Class),
    /// The fact is this rank.
    Rank(&'static str, Rank),
    /// The violation states the fact, or does not.
    Has(&'static str, bool),
    /// The circumstance is given, or is not.
    Given(Circumstance, bool),
    /// The violation concerns a group of the action.
    InGroup,
    /// The violation concerns the meld that the top of the pile goes to.
    OfTop,
    /// The book with this prefix is one of the rule set's own.
    Form(&'static str),
    /// The switch of this rule is off.
    Off(&'static str),
    /// Never: the rule explains the code, but no action breaks it.
    Never,
}

/// Rules of one code and the conditions under which they are the cause.
struct Cause {
    code: Code,
    /// Ids separated by spaces.
    rules: &'static str,
    /// The conditions, all of which must hold.
    when: &'static [When],
    decides: bool,
}

include!(concat!(env!("OUT_DIR"), "/causes.rs"));

/// Returns the relation of the rule to the violation under these books.
pub(super) fn bearing(violation: &Violation, books: &Books, id: &str) -> Bearing {
    let names =
        |cause: &&Cause| cause.code == violation.code && cause.rules.split(' ').any(|rule| rule == id);
    let mut found = None;
    for cause in CAUSES.iter().filter(names) {
        let holds = cause.when.iter().all(|when| when.holds(violation, books));
        match (holds, cause.decides) {
            (true, true) => return Bearing::Decides,
            (true, false) => found = Some(Bearing::Applies),
            (false, _) => found = found.or(Some(Bearing::None)),
        }
    }
    found.unwrap_or(Bearing::Applies)
}

impl When {
    fn holds(&self, violation: &Violation, books: &Books) -> bool {
        let fact = |name: &str| violation.get(name);
        match *self {
            Self::Word(name, words) => fact(name).is_some_and(|fact| fact.names(words)),
            Self::Number(name, least, most) => {
                matches!(fact(name), Some(&Fact::Int(found)) if (least..=most).contains(&found))
            }
            Self::Class(name, class) => matches!(fact(name), Some(Fact::Card(card)) if card.class() == class),
            Self::Rank(name, rank) => matches!(fact(name), Some(&Fact::Rank(found)) if found == rank),
            Self::Has(name, there) => fact(name).is_some() == there,
            Self::Given(circumstance, given) => violation.circumstances.has(circumstance) == given,
            Self::InGroup => matches!(violation.field, Field::Group(_) | Field::GroupCards(_)),
            Self::OfTop => matches!(violation.field, Field::TopOnto),
            Self::Form(prefix) => books.holds(prefix),
            Self::Off(id) => !books.is_on(id),
            Self::Never => false,
        }
    }
}

impl Fact {
    /// Whether the fact is one of these words, or a list that has one of them.
    fn names(&self, words: &[&str]) -> bool {
        match self {
            Self::Word(word) => words.contains(word),
            Self::Words(found) => found.iter().any(|word| words.contains(word)),
            Self::Codes(found) => found.iter().any(|code| words.contains(&code.name())),
            Self::Text(text) => words.contains(&text.as_str()),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
