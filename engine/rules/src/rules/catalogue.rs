//! The texts that people read about knobs: the headings, the meanings and words in each language, and what goes with what.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::PresetId;
use super::forbidden::{FORBIDDEN, IDLE};
use super::knob_text::KnobForm;
use super::table::{KNOBS, Knob, RuleSet};
use super::validate::{IDLE_WHY, NO_EFFECT};
use crate::violations::template::Translated;

/// The texts about a knob, whose English and German the build holds together.
struct KnobTexts {
    group: Translated,
    meaning: Translated,
    /// The meanings of the knob's words, in the order of [`Knob::words`]; empty if the words say it themselves.
    words: &'static [Translated],
}

include!(concat!(env!("OUT_DIR"), "/knob_texts.rs"));

/// The German of [`IDLE_WHY`].
const IDLE_GERMAN: &str = "neben den anderen hat der erste keine Wirkung und behält seinen Vorgabewert";

/// A combination of knobs that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnobConflict {
    /// The stable name of the contradiction, as in SETUP_KNOBS: `PASS_CONFLICT`.
    pub detail: &'static str,
    /// The knobs concerned.
    pub knobs: Vec<&'static str>,
    /// The text that says what contradicts what.
    pub why: Translated,
}

/// Returns all knobs by their groups, in the order of the rulebook. Knobs that came later stand with their group.
pub fn knobs_by_group() -> Vec<&'static Knob> {
    let mut knobs: Vec<&Knob> = KNOBS.iter().collect();
    knobs.sort_by_key(|knob| KNOBS.iter().position(|other| other.group() == knob.group()));
    knobs
}

impl Knob {
    /// Returns the heading that the knob stands under.
    pub fn group(&self) -> Translated {
        self.texts().group
    }

    /// Returns the knob's meaning in a few words, without full stop.
    pub fn meaning(&self) -> Translated {
        self.texts().meaning
    }

    /// Returns the knob's words, each with its meaning as a sentence; `None` for words that are ranks or true and false.
    pub fn choices(&self) -> Vec<(String, Option<Translated>)> {
        let meanings = self.texts().words.iter().copied().map(Some).chain(core::iter::repeat(None));
        let choices = (self.all)().into_iter().zip(meanings);
        choices.filter(|(word, _)| !self.is_stranger(word)).collect()
    }

    /// Returns the value that the knob has where a canonical form does not name it.
    pub fn default_value(&self) -> String {
        self.value(&RuleSet::defaults())
    }

    /// Returns the values that presets have, each with these presets: the most frequent value first.
    pub fn uses(&self) -> Vec<(String, Vec<PresetId>)> {
        let mut uses: Vec<(String, Vec<PresetId>)> = Vec::new();
        for preset in PresetId::all() {
            let value = self.value(&preset.rule_set());
            match uses.iter_mut().find(|(known, _)| *known == value) {
                Some((_, presets)) => presets.push(preset),
                None => uses.push((value, [preset].into())),
            }
        }
        uses.sort_by_key(|(_, presets)| core::cmp::Reverse(presets.len()));
        uses
    }

    /// Returns the combinations that the knob takes part in and no game can have.
    pub fn conflicts(&self) -> Vec<KnobConflict> {
        let mut conflicts = Vec::new();
        for (rule, german) in
            FORBIDDEN.iter().zip(REASONS).filter(|(rule, _)| rule.knobs.contains(&self.name))
        {
            let why = Translated::new([rule.why, german]);
            conflicts.push(KnobConflict { detail: rule.detail, knobs: rule.knobs.to_vec(), why });
        }
        for rule in IDLE.iter().filter(|rule| rule.knobs.contains(&self.name)) {
            let knobs = [self.name].iter().chain(rule.because).copied().collect();
            let why = Translated::new([IDLE_WHY, IDLE_GERMAN]);
            conflicts.push(KnobConflict { detail: NO_EFFECT, knobs, why });
        }
        conflicts
    }

    /// Returns what the knob can hold, in words: `one of "any", "incomplete" or "never"`.
    pub fn expected(&self) -> String {
        let words = self.words();
        let range = match self.range {
            (i32::MIN, _) => String::new(),
            (min, max) => format!(", {min} to {max}"),
        };
        match self.form {
            KnobForm::Switch => "true or false".into(),
            KnobForm::Word => format!("one of {}", words.join(", ")),
            KnobForm::Words => format!("a list such as [{}], in this order", words.join(",")),
            KnobForm::Number => format!("a number{range}"),
            KnobForm::Numbers => format!("a list of numbers{range}"),
            KnobForm::ByRank if words.is_empty() => format!("a table such as {{\"A\":100}}, numbers{range}"),
            KnobForm::ByRank => format!("a table such as {{\"A\":{}}}, with {}", words[0], words.join(" or ")),
            KnobForm::Bands => {
                "bands by score, such as [{\"below\":0,\"minimum\":15},{\"minimum\":50}], or by round, such as [50,90]".into()
            }
            KnobForm::CardPoints => "the points of every card, as `rules show` prints them".into(),
        }
    }

    fn texts(&self) -> &'static KnobTexts {
        let place = KNOBS.iter().position(|knob| knob.name == self.name);
        &KNOB_TEXTS[place.expect("a knob is one of the table")]
    }
}
