//! Violations: why an action was refused.
//!
//! [`ALL`] is the catalogue, one [`Entry`] a [`Code`]; [`cite`] names the rules a code stands for under a
//! given rule set. A refusal lists every broken rule that can be judged, in the order of [`ALL`].
//!
//! # Examples on pages
//!
//! Every page holds one [`Example`], a position and actions in the notation of [`crate::notation`]; examples
//! of what the engine does not play yet use words of their own.

mod catalogue;
mod causes;
mod cite;
mod codes;
#[cfg(test)]
mod tests;

pub use catalogue::ALL;
pub use causes::has_causes;
pub use cite::{Books, cite, cite_violation};
pub use codes::Code;

/// What is known about a code.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// Its name in capitals.
    pub name: &'static str,
    /// The release that brought it.
    pub since: &'static str,
    /// What was wrong, in a few words: lower case, no full stop.
    pub summary: &'static str,
    /// Names of the facts a violation carries, separated by spaces.
    facts: &'static str,
    /// Ids of the rules that raise it, all books, separated by spaces.
    rules: &'static str,
    /// The page that explains it: Markdown, the headings of [`HEADINGS`] in this order.
    pub page: &'static str,
}

/// The headings of a page, in order.
pub const HEADINGS: [&str; 5] =
    ["What the rule says", "What is refused", "What is still allowed", "Example", "Source"];

/// The example of a page: a position and an action that is refused there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The position; `none` where the action needs none.
    pub position: &'static str,
    /// The action that is refused.
    pub action: &'static str,
    /// The codes it is refused with, all of them, in order, separated by spaces.
    pub refused: &'static str,
    /// An action that is legal in the same position.
    pub allowed: Option<&'static str>,
}

impl Entry {
    /// Names of the facts a violation of this code carries.
    pub fn facts(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.facts.split_ascii_whitespace()
    }

    /// Ids of the rules of all books that raise the code, in the catalogue's order. What a refusal names
    /// under one rule set is [`cite`].
    pub fn rules(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.rules.split_ascii_whitespace()
    }

    /// The ids of [`Entry::rules`], separated by spaces.
    pub(crate) const fn row(&self) -> &'static str {
        self.rules
    }

    /// The example of its page. The one code that is a warning and refuses nothing has its example under
    /// `warned`.
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

    /// Place in the order of precedence, from 0.
    pub const fn precedence(&self) -> usize {
        PLACE[self.code as usize] as usize
    }
}

/// Place in [`ALL`] by number; 0 is no code.
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

/// The entry of a code.
pub const fn entry(code: Code) -> &'static Entry {
    &ALL[PLACE[code as usize] as usize]
}

/// The codes a rule raises, in order of precedence.
pub fn raised_by(rule_id: &str) -> impl Iterator<Item = Code> {
    ALL.iter().filter(move |entry| entry.rules().any(|id| id == rule_id)).map(|entry| entry.code)
}
