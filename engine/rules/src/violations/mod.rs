//! Violations: the reasons why an action was refused.
//!
//! [`ALL`] is the catalogue, one [`CatalogueEntry`] per [`Code`]; [`cite`](crate::citation::cite) names the rules that
//! a code stands for under a given rule set. A refusal lists every broken rule that can be judged, in the
//! order of [`ALL`].
//!
//! # Examples on pages
//!
//! Every page holds one [`Example`], a position and actions in the notation of [`crate::notation`]. Examples
//! of rules that the engine does not play yet use words of their own.

mod catalogue;
mod codes;
mod fact;
mod german;
pub mod template;
#[cfg(test)]
mod tests;

pub use catalogue::{ALL, Code};
pub use fact::{Fact, FactKind, FactRow};
use template::{Language, fits};

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
    /// The English sentence of a refusal.
    message: &'static str,
    /// The facts of a violation, in the order in which it states them.
    pub facts: &'static [FactRow],
    /// Ids of the rules that raise the code, of all books, separated by spaces.
    rules: &'static str,
    /// The page that explains the code: Markdown, the name as title, the headings of [`HEADINGS`] in this order.
    pub page: &'static str,
}

/// The headings of a page below its title, in order.
pub const HEADINGS: [&str; 5] =
    ["What the rule says", "What is refused", "What is still allowed", "Example", "Source"];

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
            Language::English => self.message,
            Language::German => german::sentence(self.code),
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

    /// Returns the example of the code's page. The one code that is a warning and refuses nothing has its
    /// example under `warned`.
    pub fn example(&self) -> Option<Example> {
        let (_, block) = self.page.split_once("```text\n")?;
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

const _: () = {
    let mut at = 0;
    while at < ALL.len() {
        let entry = &ALL[at];
        assert!(fits(entry.template(Language::English), entry.facts), "{}", entry.message);
        assert!(fits(entry.template(Language::German), entry.facts), "{}", entry.template(Language::German));
        at += 1;
    }
};

/// Returns the row of a code.
pub const fn entry(code: Code) -> &'static CatalogueEntry {
    &ALL[PLACE[code as usize] as usize]
}

/// Returns the codes that a rule raises, in order of precedence.
pub fn raised_by(rule_id: &str) -> impl Iterator<Item = Code> {
    ALL.iter().filter(move |entry| entry.rules().any(|id| id == rule_id)).map(|entry| entry.code)
}
