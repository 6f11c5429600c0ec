//! The texts of a page: the page contains each text once and names it by its number.

use std::collections::BTreeMap;

/// Texts by number.
///
/// In a text `{2}` stands for the name of seat 2, and `7h` or `X` for a card; the page draws them. What comes from
/// outside (notes, reasons) is kept apart from texts.
#[derive(Default)]
pub struct Texts {
    texts: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl Texts {
    /// Returns the number of a text, and adds the text if it is new.
    pub fn number(&mut self, text: &str) -> usize {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), self.texts.len() - 1);
        self.texts.len() - 1
    }

    /// Returns all texts in the order of their numbers.
    pub fn all(&self) -> &[String] {
        &self.texts
    }
}
