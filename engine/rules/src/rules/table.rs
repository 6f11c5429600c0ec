//! The table of knobs. Each knob is one row of `knobs.txt`, from which the build makes its field of [`RuleSet`] and its row
//! of [`KNOBS`], for the writer, the reader, differences and ranges.

use alloc::string::String;
use alloc::vec::Vec;

use super::knob_text::{CanonicalReader, KnobErrorKind, KnobForm, Value};
use super::knobs::*;
use super::values::*;

/// The words of the type of a knob's members or keys that the rulebook does not list for the knob.
const STRANGERS: &[(&str, &[&str])] = &[
    ("start_freezes", &["black_three"]),
    ("discard_freezes", &["black_three"]),
    ("empty_pile_barred", &["3", "2", "X"]),
    ("go_out_ranks", &["3", "2", "X"]),
    ("rank_wilds", &["3", "2", "X", "W"]),
    ("bonus_rank", &["3", "2", "X", "W"]),
    ("bonus_rank_mixed", &["3", "2", "X", "W"]),
    ("penalty_held_trio", &["3", "2", "X", "W"]),
    ("penalty_incomplete", &["K", "Q", "J", "T", "9", "8", "6", "5", "4", "3", "2", "X"]),
];

/// One knob: its name, its limits, and the functions that read and write it.
pub struct Knob {
    /// The knob's name, as in the rulebook and in the canonical form.
    pub name: &'static str,
    /// The ids of the rules that the knob comes from, in the rulebook's order.
    pub rule_ids: &'static [&'static str],
    /// The smallest and largest number that the knob may hold; no limit if it holds no numbers.
    pub range: (i32, i32),
    /// Whether the canonical form names the knob even at its default.
    pub always_written: bool,
    /// The form of the knob's values.
    pub form: KnobForm,
    /// Whether the knob's numbers are points, which are multiples of 5.
    pub holds_points: bool,
    pub(super) write: fn(&RuleSet, &mut String),
    pub(super) read: fn(&mut RuleSet, &mut CanonicalReader<'_>) -> Result<(), KnobErrorKind>,
    numbers: fn(&RuleSet, &mut dyn FnMut(i32)),
    pub(super) all: fn() -> Vec<String>,
    same: fn(&RuleSet, &RuleSet) -> bool,
    is_default: fn(&RuleSet) -> bool,
}

impl Knob {
    /// Returns the knob called `name`, or `None` if there is no such knob.
    pub fn named(name: &str) -> Option<&'static Self> {
        KNOBS.iter().find(|knob| knob.name == name)
    }

    /// Returns all values in the spelling of the canonical form, the default first, if the knob has a closed list of
    /// values: words, or false and true. Otherwise returns an empty list.
    pub fn values(&self) -> Vec<String> {
        if matches!(self.form, KnobForm::Word | KnobForm::Switch) { self.words() } else { Vec::new() }
    }

    /// Returns the words of the knob in the spelling of the canonical form: its values, or the members or entries of its
    /// values. Empty if it has none.
    pub fn words(&self) -> Vec<String> {
        (self.all)().into_iter().filter(|word| !self.is_stranger(word)).collect()
    }

    /// Returns the words of the type of the knob's members or keys that the rulebook does not list for the knob.
    pub(super) fn strangers(&self) -> &'static [&'static str] {
        STRANGERS.iter().find(|(name, _)| *name == self.name).map_or(&[], |(_, words)| words)
    }

    /// Whether this word, as the canonical form spells it, is one of them.
    pub(super) fn is_stranger(&self, word: &str) -> bool {
        self.strangers().contains(&word.trim_matches('"'))
    }

    /// Returns the knob's value in `set`, in the spelling of the canonical form.
    pub fn value(&self, set: &RuleSet) -> String {
        let mut text = String::new();
        (self.write)(set, &mut text);
        text
    }

    /// Sets the knob in `set` to the value that `text` spells, which must be spelled exactly as [`Knob::value`] does.
    pub fn assign(&self, set: &mut RuleSet, text: &[u8]) -> Result<(), KnobErrorKind> {
        let mut reader = CanonicalReader::new(text);
        (self.read)(set, &mut reader)?;
        reader.finish()
    }

    /// Whether the knob has the same value in both rule sets.
    pub fn is_same(&self, a: &RuleSet, b: &RuleSet) -> bool {
        (self.same)(a, b)
    }

    /// Whether the knob has its default in `set`.
    pub fn is_default(&self, set: &RuleSet) -> bool {
        (self.is_default)(set)
    }

    /// Calls `each` with every number that the knob holds in `set`.
    pub fn numbers(&self, set: &RuleSet, each: &mut dyn FnMut(i32)) {
        (self.numbers)(set, each);
    }
}

/// Returns the function that lists the values of the knob that `field` reads.
const fn all<T: Value>(_field: fn(&RuleSet) -> &T) -> fn() -> Vec<String> {
    T::all
}

/// Returns the form of the knob that `field` reads.
const fn form<T: Value>(_field: fn(&RuleSet) -> &T) -> KnobForm {
    T::FORM
}

/// Whether the knob that `field` reads holds points.
const fn holds_points<T: Value>(_field: fn(&RuleSet) -> &T) -> bool {
    T::POINTS
}

fn is_default<T: Value + Default>(value: &T) -> bool {
    *value == T::default()
}

/// Makes a row of the table.
macro_rules! knob {
    ($name:ident, $rule_ids:expr, $range:expr, $always_written:literal) => {
        Knob {
            name: stringify!($name),
            rule_ids: $rule_ids,
            range: $range,
            always_written: $always_written,
            write: |set, out| set.$name.write(out),
            read: |set, reader| {
                set.$name = Value::read(reader)?;
                Ok(())
            },
            numbers: |set, each| set.$name.numbers(each),
            form: form(|set| &set.$name),
            holds_points: holds_points(|set| &set.$name),
            all: all(|set| &set.$name),
            same: |a, b| a.$name == b.$name,
            is_default: |set| is_default(&set.$name),
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/knobs.rs"));
