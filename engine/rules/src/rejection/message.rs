//! Messages for people: lower case, no full stop, what was expected and what was found. Every number
//! and name in the text is also a fact.

use super::Violation;
use crate::violations::template::{Filled, Language};
use core::fmt;

/// Writes the English sentence of the code.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let language = Language::English;
        Filled { language, template: self.code.entry().template(language), facts: &self.facts }.fmt(f)
    }
}
