//! Violations: the reasons why an action was refused.
//!
//! [`ALL`] is the catalogue, one [`CatalogueEntry`] per [`Code`]; [`cite`](crate::citation::cite) names the rules that
//! a code stands for under a given rule set. A refusal lists every broken rule that can be judged, in the
//! order of [`ALL`].
//!
//! # Pages
//!
//! A code is its page, `pages/CODE.md`. The build script makes [`Code`] and [`ALL`] from the heads of the pages, and a
//! head that does not have the form fails the build. The lines of a head, in this order:
//!
//! - `number`: the code's number, the next free one;
//! - `place`: the place in the order of precedence, in which `check` judges: lower places first. Gaps leave room. The gates
//!   come first (table, seat, phase, cards), then the lists of the single actions, in one total order that agrees with
//!   each list. There is one exception: if the pile is taken with cards of two ranks, `MELD_MIXED_RANKS` comes before all
//!   violations of the right to take;
//! - `summary`: the fault in a few words: lower case, no full stop;
//! - `en` and `de`: the sentences of a refusal, [templates](template) over the facts. Without `en` the summary is the
//!   English sentence. Words in German: stock = Talon, pile = Ablagestapel, meld = Meldung, initial meld = Erstmeldung,
//!   side = Partei, wild card = wilde Karte, natural = natürliche Karte, going out = Ausmachen, dealer = Geber, foot = Fuß,
//!   talon = Zusatzkarten. docs/play/MESSAGES.md has the glossary;
//! - `fact`: name and type ([`FactKind`]) of each fact, in the order in which a violation states them. `unless` says
//!   when the fact is absent. What is compared with `required` (at least) or `allowed` (at most) is called `found`;
//! - `rules`: ids of the rules that raise the code, of all books;
//! - `since`: the release that brought the code;
//! - `irregularity`: what the code shows at a table: an irregularity of the [table](crate::irregularity), for all actions
//!   or `by` the kinds named, or `none` and the key of the reason.
//!
//! Every page holds one [`Example`], a position and actions in the notation of [`crate::notation`]. Examples
//! of rules that the engine does not play yet use words of their own.

mod codes;
mod fact;
pub mod template;
#[cfg(test)]
mod tests;

pub use fact::{Fact, FactKind, FactRow};
use template::Language;

include!(concat!(env!("OUT_DIR"), "/violations.rs"));

/// The row of a code in the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct CatalogueEntry {
    /// The code.
    pub code: Code,
    /// The code's name in capitals.
    pub name: &'static str,
    /// The release that brought the code.
    pub since: &'static str,
    /// The fault in a few words: lower case, no full stop.
    pub summary: &'static str,
    /// The sentences of a refusal.
    english: &'static str,
    german: &'static str,
    /// The facts of a violation, in the order in which it states them.
    pub facts: &'static [FactRow],
    /// Ids of the rules that raise the code, of all books, separated by spaces.
    rules: &'static str,
    /// Irregularities that the code shows, each with the kinds of actions that show it, separated by spaces; no kinds
    /// stand for all. `none KEY` is a reason for none.
    pub(crate) shows: &'static [(&'static str, &'static str)],
}

/// The example of a page: a position and an action that is refused there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The position; `none` if the action needs no position.
    pub position: &'static str,
    /// The action that is refused.
    pub action: &'static str,
    /// All codes of the refusal, in order, separated by spaces.
    pub refused: &'static str,
    /// An action that is legal in the same position.
    pub allowed: Option<&'static str>,
}

impl CatalogueEntry {
    /// Returns the template of a refusal's sentence over the facts of the row: lower case in English, no full stop.
    pub const fn template(&self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::German => self.german,
        }
    }

    /// Returns the fact called `name`.
    pub fn fact(&self, name: &str) -> Option<&'static FactRow> {
        self.facts.iter().find(|fact| fact.name == name)
    }

    /// Returns the ids of the rules of all books that raise the code, in the catalogue's order.
    /// [`cite`](crate::citation::cite) selects those that a refusal names under one rule set.
    pub fn rules(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.rules.split_ascii_whitespace()
    }

    /// Returns the ids of [`CatalogueEntry::rules`], separated by spaces.
    pub(crate) const fn row(&self) -> &'static str {
        self.rules
    }

    /// Returns the page that explains the code: Markdown, the name as title, the headings `What the rule says`, `What is
    /// refused`, `What is still allowed`, `Example` and `Source`.
    pub fn page(&self) -> &'static str {
        PAGES[self.precedence()]
    }

    /// Returns the example of the code's page. The one code that is a warning and refuses nothing has its
    /// example under `warned`.
    pub fn example(&self) -> Option<Example> {
        let (_, block) = self.page().split_once("```text\n")?;
        let (block, _) = block.split_once("```")?;
        let field = |name| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let refused = field("refused").or_else(|| field("warned"))?;
        Some(Example {
            position: field("position")?,
            action: field("action")?,
            refused,
            allowed: field("allowed"),
        })
    }

    /// Returns the code's place in the order of precedence, from 0.
    pub const fn precedence(&self) -> usize {
        PLACE[self.code as usize] as usize
    }
}

/// The index in [`ALL`] of each code, by the code's number. Number 0 is no code.
const PLACE: [u8; Code::COUNT + 1] = {
    let mut place = [u8::MAX; Code::COUNT + 1];
    let mut at = 0;
    while at < ALL.len() {
        assert!(place[ALL[at].code as usize] == u8::MAX, "a code stands in the catalogue once");
        place[ALL[at].code as usize] = at as u8;
        at += 1;
    }
    place
};

/// Returns the row of a code.
pub const fn entry(code: Code) -> &'static CatalogueEntry {
    &ALL[PLACE[code as usize] as usize]
}

/// Returns the codes that a rule raises, in order of precedence.
pub fn raised_by(rule_id: &str) -> impl Iterator<Item = Code> {
    ALL.iter().filter(move |entry| entry.rules().any(|id| id == rule_id)).map(|entry| entry.code)
}
