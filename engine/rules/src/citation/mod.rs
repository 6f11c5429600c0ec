//! Citations: the rules that a refusal names.
//!
//! The same code stands for different rules in different books. A rule set has groups of books, in order. A
//! refusal names the ids of the code's row, in row order, that belong to the first group with an id in the row.
//! If no group has one there, the refusal names the row's first id. Of rules that are alternatives, a refusal names
//! those of its cause (`citation::causes`).

mod causes;

use crate::rejection::Violation;
use crate::rules::{PresetId, RuleSet, Rules};
use crate::violations::{Code, entry};
use alloc::vec::Vec;
use causes::Bearing;

/// A set of books, one bit each.
type BookSet = u32;

/// The books that refusals under a rule set cite. Computed once per rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Books {
    /// Groups of books in the order of their precedence; 0 behind the last group.
    groups: [BookSet; 4],
    /// Rules of optional books (`CV`, `MV`) and options (`HN-067`) that are switched on, by bit.
    switched: u64,
}

/// Prefixes of rule ids; a book's bit is its place. A longer prefix stands before the one it begins with.
const BOOKS: [&str; 29] = [
    "AMB-HN-", "AMB-WH-", "AMB-S3-", "AMB-GR-", "AMB-HF-", "AMB-", "CL-", "CV-", "P2-", "P3-", "P6-", "ML-",
    "MA-", "MV-", "AC-", "HN-", "WH-", "S3-", "GR-", "HF-", "SA-", "SAD-", "BO-", "BOD-", "MZ-", "MZD-",
    "US-", "IR-", "TF-",
];

impl Rules {
    /// Returns the books that a refusal under these rules cites.
    pub fn books(&self) -> Books {
        self.set().books(self.base())
    }
}

impl RuleSet {
    /// Returns the books that a refusal under these rules cites if they begin from `base`, whether they can be played
    /// or not.
    pub fn books(&self, base: PresetId) -> Books {
        Books::new(base, self.switched_rules())
    }
}

impl Books {
    /// Returns the books of a preset, or of a house rule with that base preset.
    ///
    /// `switched` are the rules of the optional books whose switch is on; other ids are ignored. The switches of
    /// the Classic family are:
    ///
    /// - CV-001: `take_layoff` INCOMPLETE;
    /// - CV-002: `take_natural_wild` NEVER;
    /// - CV-005: the first of these without the second, or a solution chosen;
    /// - CV-006 to CV-009: the solutions S1 to S4;
    /// - CV-010: any of all these;
    /// - CV-011: `frozen_always`;
    /// - CV-012: `wild_melds`;
    /// - CV-015: `wild_lock`.
    ///
    /// Those of the American family are MV-001 to MV-009, by the knobs that the rulebook names.
    pub fn new<'a>(base: PresetId, switched: impl IntoIterator<Item = &'a str>) -> Self {
        let switched = switched.into_iter().fold(0, |all, id| all | switch_bit(id).unwrap_or(0));
        Self { switched, ..Self::behind(base.books()) }
    }

    /// Returns the books that every rule set has.
    pub fn common() -> Self {
        Self::behind(&[])
    }

    /// Returns the common books behind others: the Classic book, and then the rulings and the tournament book.
    fn behind(own: &[&str]) -> Self {
        let mut groups = [0; 4];
        for (group, prefixes) in groups.iter_mut().zip(own.iter().chain(&["CL- AMB-", "IR- TF-"])) {
            *group = prefixes.split_ascii_whitespace().map(book_of).sum();
        }
        Self { groups, switched: 0 }
    }

    /// Whether the id belongs to a book of the group and, if it is an option, is switched on.
    fn speaks(&self, group: BookSet, id: &str) -> bool {
        group & book_of(id) != 0 && switch_bit(id).is_none_or(|bit| self.switched & bit != 0)
    }

    /// Returns the ids of a row that belong to the first group of books with an id in the row.
    pub fn cite_row(&self, row: &'static str) -> Vec<&'static str> {
        let ids = || row.split_ascii_whitespace();
        let group = self.groups.into_iter().find(|&group| ids().any(|id| self.speaks(group, id)));
        group.map_or_else(Vec::new, |group| ids().filter(|id| self.speaks(group, id)).collect())
    }

    /// Returns the ids of the first part of a row with an id in these books. `|` stands between parts. If no part has one,
    /// returns the row's first id: house rules may have what none of their books knows.
    pub fn cite_parts(&self, row: &'static str) -> Vec<&'static str> {
        let mut parts = row.split(" | ").map(|part| self.cite_row(part));
        parts.find(|ids| !ids.is_empty()).unwrap_or_else(|| row.split_ascii_whitespace().take(1).collect())
    }

    /// Whether a rule is one of these books, and is switched on if it is an option.
    pub fn cover(&self, id: &str) -> bool {
        self.groups.iter().any(|&group| self.speaks(group, id))
    }

    /// Whether the book with this prefix is one of the rule set's own.
    fn holds(&self, prefix: &str) -> bool {
        self.groups[0] & book_of(prefix) != 0
    }

    /// Whether the switch of this rule is on.
    fn is_on(&self, id: &str) -> bool {
        switch_bit(id).is_some_and(|bit| self.switched & bit != 0)
    }
}

/// Returns the ids of the rules that a violation breaks under `books`; never empty. Rules of another cause are left
/// out, the rule that decides stands first, and a rule on rulings that adds to the cause stands last.
pub fn cite_violation(violation: &Violation, books: &Books) -> Vec<&'static str> {
    let row = || entry(violation.code).rules();
    let bearing = |id: &str| causes::bearing(violation, books, id);
    let applies = |id: &&'static str| bearing(id) != Bearing::None;
    let speaks = |group: BookSet, id: &str| books.speaks(group, id);
    let group = books.groups.into_iter().find(|&group| row().filter(applies).any(|id| speaks(group, id)));
    let Some(group) = group else { return cite(violation.code, books).collect() };
    let of_group = row().filter(applies).filter(|id| speaks(group, id));
    let (first, others): (Vec<_>, Vec<_>) = of_group.partition(|id| bearing(id) == Bearing::Decides);
    let rulings = book_of("IR-");
    let added = row().filter(|id| group & rulings == 0 && speaks(rulings, id));
    let added = added.filter(|id| bearing(id) == Bearing::Decides);
    first.into_iter().chain(others).chain(added).collect()
}

/// Returns the ids of the rules that a refusal with this code may name under `books`, in the catalogue's order; never
/// empty. If the violation is known, [`cite_violation`] is more precise.
pub fn cite(code: Code, books: &Books) -> impl Iterator<Item = &'static str> + use<> {
    let cited = books.cite_row(entry(code).row());
    let fallback = if cited.is_empty() { entry(code).rules().next() } else { None };
    cited.into_iter().chain(fallback)
}

/// Returns the book of an id (or of a bare prefix) as a bit, 0 if there is no such book.
fn book_of(id: &str) -> BookSet {
    BOOKS.iter().position(|prefix| id.starts_with(prefix)).map_or(0, |place| 1 << place)
}

/// Returns the bit of a rule of an optional book: `CV-001` is bit 0, `MV-001` bit 16, `HN-067` bit 32.
fn switch_bit(id: &str) -> Option<u64> {
    if id == "HN-067" {
        return Some(1 << 32);
    }
    let (number, base) = match (id.strip_prefix("CV-"), id.strip_prefix("MV-")) {
        (Some(number), _) => (number, 0),
        (_, Some(number)) => (number, 16),
        _ => return None,
    };
    let number: u32 = number.parse().ok()?;
    (1..=16).contains(&number).then(|| 1 << (base + number - 1))
}
