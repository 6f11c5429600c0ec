//! The penalty table (IR-102, IR-103): the rules that may be ruled, by whom, for how many points, with which
//! effects.

use crate::action::choices::{self, AUTHORITIES, EFFECTS};
use crate::action::{Authority, EffectKind};

/// The table: one line per rule. The head of the file describes the form.
const TABLE: &str = include_str!("penalties.txt");

/// The version of the table. A game may name it in its genesis; a changed table is a new version.
pub const PENALTIES_VERSION: u16 = 1;

/// The prefix of a rule that is the house's own.
pub const HOUSE: &str = "house:";

/// Lowest and highest points of a rule of the house (IR-103: 0 to -500 by default).
const HOUSE_POINTS: (i32, i32) = (-500, 0);

/// The rulings that are possible under one rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Penalty {
    /// Lowest and highest points.
    pub points: (i32, i32),
    /// The words for the authorities and for the effects that are possible; `None` stands for every authority
    /// except the rules themselves, and every effect.
    words: Option<(&'static str, &'static str)>,
}

/// Returns the rulings that are possible under `rule`; `None` if the rule is neither in the table nor the
/// house's own.
pub fn penalty(rule: &str) -> Option<Penalty> {
    if rule.strip_prefix(HOUSE).is_some_and(|name| !name.is_empty()) {
        return Some(Penalty { points: HOUSE_POINTS, words: None });
    }
    TABLE.lines().find_map(|line| of_line(line, rule))
}

/// Returns the ids of the rules in the table, in its order.
pub fn rules() -> impl Iterator<Item = &'static str> {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split(" | ").next())
}

fn of_line(line: &'static str, rule: &str) -> Option<Penalty> {
    let mut fields = line.split('|').map(str::trim);
    if fields.next() != Some(rule) {
        return None;
    }
    Penalty::of_fields(fields.next()?, fields.next()?, fields.next()?)
}

impl Penalty {
    /// Reads the fields of a line: lowest and highest points, words for the authorities, words for the effects.
    pub(crate) fn of_fields(points: &str, by: &'static str, effects: &'static str) -> Option<Self> {
        let mut points = points.split(' ').map(|number| number.parse().ok());
        let points = (points.next()??, points.next()??);
        Some(Self { points, words: Some((by, effects)) })
    }

    /// Returns the words for the officials who may rule, in the order of their numbers.
    pub fn authorities(&self) -> impl Iterator<Item = &'static str> + use<> {
        let penalty = *self;
        AUTHORITIES.iter().filter(move |(by, _)| penalty.is_issued_by(*by)).map(|(_, word)| *word)
    }

    /// Returns the words for the effects that are possible, without those that always are.
    pub fn effects(&self) -> impl Iterator<Item = &'static str> + use<> {
        let penalty = *self;
        let listed =
            EFFECTS.iter().filter(move |(kind, _)| !is_always_possible(*kind) && penalty.allows(*kind));
        listed.map(|(_, word)| *word)
    }

    /// Whether `by` may issue a ruling under this rule. The rules themselves may do so only if the table says
    /// it (IR-111).
    pub fn is_issued_by(&self, by: Authority) -> bool {
        match self.words {
            Some((by_words, _)) => has(by_words, choices::word(&AUTHORITIES, by)),
            None => by != Authority::Auto,
        }
    }

    /// Whether a ruling under this rule may have this effect.
    pub fn allows(&self, effect: EffectKind) -> bool {
        is_always_possible(effect)
            || self.words.is_none_or(|(_, effects)| has(effects, choices::word(&EFFECTS, effect)))
    }
}

fn is_always_possible(effect: EffectKind) -> bool {
    matches!(effect, EffectKind::None | EffectKind::Warning | EffectKind::StopClock)
}

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|found| found == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_can_be_read() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let (rule, rest) = line.split_once(" | ").expect("a rule and its fields");
            let found = penalty(rule).unwrap_or_else(|| panic!("{line}"));
            assert!(found.points.0 <= found.points.1 && found.points.1 == 0, "{line}");
            assert_eq!((found.points.0 % 5, found.points.0.signum() <= 0), (0, true), "{line}");
            let words: alloc::vec::Vec<&str> =
                rest.split('|').skip(1).flat_map(str::split_whitespace).collect();
            let by = AUTHORITIES.iter().filter(|(by, _)| found.is_issued_by(*by)).count();
            let effects = EFFECTS.iter().filter(|(kind, _)| found.allows(*kind)).count() - 3;
            assert_eq!(words.len(), by + effects, "{line}");
        }
    }

    /// Checks points and authorities of rules of the table (IR-103, IR-111) and of the house.
    #[test]
    fn rules_have_their_range_and_their_issuers() {
        let talk = penalty("IR-052").expect("a rule of the table");
        assert_eq!(talk.points, (-100, 0));
        assert!(!talk.is_issued_by(Authority::Auto));
        assert!(penalty("IR-050").is_some_and(|ask| ask.is_issued_by(Authority::Auto)));
        assert_eq!(penalty("IR-999"), None);
        assert_eq!(penalty("IR-1"), None);
        assert_eq!(penalty("house:"), None);
        let own = penalty("house:no-phones").expect("a rule of the house");
        assert!(own.allows(EffectKind::Redeal) && !own.is_issued_by(Authority::Auto));
    }
}
