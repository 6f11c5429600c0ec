//! The presets as data: each is a block of `presets.txt`, from which the build makes its row.

use super::RuleSet;
use super::table::KNOBS;

/// The number of a preset: its index in [`PRESETS`], which never changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PresetId(u8);

/// A preset. States and logs hold its number.
struct Preset {
    name: &'static str,
    title: &'static str,
    sentence: &'static str,
    /// Groups of books, in the order of their precedence. Each group lists the prefixes of its rule ids.
    books: &'static [&'static str],
    /// The knobs whose values are our guesses, because the preset's text could not be read whole.
    guessed: &'static [&'static str],
    /// The numbers of knobs, each with its value; all others have their defaults.
    knobs: &'static [(usize, &'static str)],
}

include!(concat!(env!("OUT_DIR"), "/presets.rs"));

const NAMES: [&str; TABLE.len()] = {
    let mut names = [""; TABLE.len()];
    let mut index = 0;
    while index < TABLE.len() {
        names[index] = TABLE[index].name;
        index += 1;
    }
    names
};

/// The names of all presets, in the order of their numbers.
pub const PRESETS: &[&str] = &NAMES;

/// Returns the rule set of the preset called `id`, or `None` if there is no such preset.
pub fn preset(id: &str) -> Option<RuleSet> {
    Some(PresetId::from_name(id)?.rule_set())
}

impl PresetId {
    /// Returns all presets in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len() as u8).map(Self)
    }

    /// Returns the preset with this number, or `None` if there is no such preset.
    pub fn from_number(number: u8) -> Option<Self> {
        (usize::from(number) < TABLE.len()).then_some(Self(number))
    }

    /// Returns the knobs whose values are guesses, since the preset's text could not be read whole. Empty for a
    /// preset that is not provisional.
    pub fn guessed(self) -> &'static [&'static str] {
        self.row().guessed
    }

    /// Returns the preset called `name`, or `None` if there is no such preset.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|preset| preset.name() == name)
    }

    /// Returns the number, from 0.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Returns the name, such as `classic-4p`.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// Returns the title, such as `Classic Canasta`.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Returns one sentence that says what the game is.
    pub fn sentence(self) -> &'static str {
        self.row().sentence
    }

    /// Returns the books that refusals of the preset cite: groups in the order of their precedence. Each group lists
    /// the prefixes of its rule ids.
    pub(crate) fn books(self) -> &'static [&'static str] {
        self.row().books
    }

    /// Returns the preset from which a rule set differs in the fewest knobs: the first of equally near ones.
    pub fn nearest(set: &RuleSet) -> Self {
        let distance = |preset: &Self| preset.rule_set().differences(set).count();
        Self::all().min_by_key(distance).unwrap_or(Self(0))
    }

    /// Returns the rule set.
    pub fn rule_set(self) -> RuleSet {
        let mut set = RuleSet::defaults();
        for &(knob, value) in self.row().knobs {
            KNOBS[knob]
                .assign(&mut set, value.as_bytes())
                .expect("the table's values are those of its knobs");
        }
        set
    }

    fn row(self) -> &'static Preset {
        &TABLE[usize::from(self.0)]
    }
}

#[cfg(test)]
mod tests;
