//! Causes: the rules of a code that a violation breaks, if the code's rules are alternatives.
//!
//! A rule that stands in no row of [`CAUSES`] is named whenever its code is. A rule that stands in rows is named only
//! if the conditions of one of these rows hold.

use super::Books;
use crate::card::{Class, Rank};
use crate::rejection::{Circumstance, Field, Violation};
use crate::violations::Code::{self, *};
use crate::violations::Fact;

/// The relation of a rule to a violation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bearing {
    /// The violation has another cause.
    None,
    /// The violation breaks the rule.
    Applies,
    /// The rule gives the number or the words by which this violation is judged.
    Decides,
}

/// A condition on a violation for a rule to be its cause.
enum When {
    /// The fact is one of these words, or a list that has one of them.
    Word(&'static str, &'static [&'static str]),
    /// The fact is a number from the first to the second.
    Number(&'static str, i64, i64),
    /// The fact is a card of this class.
    Class(&'static str, Class),
    /// The fact is this rank.
    Rank(&'static str, Rank),
    /// The violation states the fact, or does not.
    Has(&'static str, bool),
    /// The circumstance is given, or is not.
    Given(Circumstance, bool),
    /// The violation concerns a group of the action.
    InGroup,
    /// The violation concerns the meld that the top of the pile goes to.
    OfTop,
    /// The book with this prefix is one of the rule set's own.
    Form(&'static str),
    /// The switch of this rule is off.
    Off(&'static str),
    /// Never: the rule explains the code, but no action breaks it.
    Never,
}

/// Rules of one code and the conditions under which they are the cause.
struct Cause {
    code: Code,
    /// Ids separated by spaces.
    rules: &'static str,
    /// The conditions, all of which must hold.
    when: &'static [When],
    decides: bool,
}

const fn cause(code: Code, rules: &'static str, when: &'static [When]) -> Cause {
    Cause { code, rules, when, decides: false }
}

const fn decides(code: Code, rules: &'static str, when: &'static [When]) -> Cause {
    Cause { code, rules, when, decides: true }
}

const TAKING: &[When] = &[When::Given(Circumstance::Taking, true)];
const CANASTA: &[When] = &[When::Given(Circumstance::Canasta, true)];
const NEVER: &[When] = &[When::Never];

/// The rules that are alternatives, in the order of the codes.
const CAUSES: &[Cause] = &[
    decides(GameOver, "IR-104", &[When::Word("signed", &["YES"])]),
    cause(GameRoundOver, "CL-094", &[When::Word("reason", &["LAST_THREE"])]),
    cause(
        GameRoundOver,
        "CL-078",
        &[When::Word(
            "reason",
            &["WENT_OUT", "STOCK_EXHAUSTED", "LAST_DRAWER_DONE", "SPECIAL_HAND", "RULED", "VOIDED", "DRAWN"],
        )],
    ),
    cause(TurnActionNotInRules, "HN-013", &[When::Word("action", &["undo_meld"])]),
    cause(TurnActionNotInRules, "HN-039", &[When::Word("action", &["take_top", "restore_pile"])]),
    cause(TurnActionNotInRules, "SA-036", &[When::Word("action", &["merge_melds"])]),
    cause(TurnActionNotInRules, "HF-088", &[When::Word("action", &["ask"])]),
    cause(AskNoPartner, "AMB-21", &[When::Form("P3-")]),
    cause(TurnDrawFirst, "CL-018", &[When::Given(Circumstance::Melding, true)]),
    cause(TurnAlreadyDrew, "CL-041", TAKING),
    cause(PileBuriedCard, "WH-033", &[When::InGroup]),
    cause(TurnCardNotInHand, "MA-112", &[When::Given(Circumstance::Talon, true)]),
    cause(TurnCardNotInHand, "HF-064", &[When::Given(Circumstance::Unopened, true)]),
    cause(SetupDeck, "AMB-05", &[When::Has("card", false)]),
    cause(SetupDeck, "CL-001", &[When::Has("card", true)]),
    cause(SetupDeal, "MA-011", &[When::Word("zone", HANDS)]),
    cause(SetupDeal, "MA-011 MA-012 MA-013 HF-028", &[When::Word("zone", &["WALL"])]),
    cause(SetupDeal, "MA-014", &[When::Word("zone", &["UPCARDS"])]),
    cause(SetupStartCard, "GR-034", &[When::Class("card", Class::RedThree)]),
    cause(SetupStartCard, "GR-035", &[When::Class("card", Class::BlackThree)]),
    cause(SetupStartCard, "GR-036 HN-029", &[When::Class("card", Class::Wild)]),
    cause(SetupStartCard, "HN-029", &[When::Class("card", Class::RedThree)]),
    cause(PilePending, "HN-068", &[When::Word("reasons", &["INITIAL_BELOW_MINIMUM"])]),
    cause(MeldFixed, "GR-013", &[When::Class("card", Class::Wild)]),
    cause(StockMustTakePile, "HN-048 AMB-HN-15", TAKING),
    cause(PileFrozenNeedsPair, "CL-050 WH-074", &[When::Word("causes", &["WILD"])]),
    cause(PileFrozenNeedsPair, "CL-051 WH-075", &[When::Word("causes", &["RED_THREE"])]),
    cause(PileFrozenNeedsPair, "CL-052 WH-076 S3-023", &[When::Word("causes", &["NOT_OPENED"])]),
    cause(PileFrozenNeedsPair, "CV-011", &[When::Word("causes", &["ALWAYS"])]),
    cause(PileFrozenNeedsPair, "HN-037", &[When::Number("found", 0, 0)]),
    cause(PileTopNotMelded, "CL-045", &[When::Number("naturals", 1, i64::MAX)]),
    cause(PileTopNotMelded, "CL-045", &[When::Number("wilds", 1, i64::MAX)]),
    cause(PileTopNotMelded, "CL-046", &[When::Number("naturals", 0, 0), When::Number("wilds", 0, 0)]),
    cause(ThreeNotMeldable, "HF-093", &[When::Class("card", Class::RedThree)]),
    cause(ThreeNotMeldable, "HF-097", &[When::Class("card", Class::BlackThree)]),
    cause(MeldKindMismatch, "BOD-06", &[When::OfTop]),
    cause(MeldSequenceGap, "SA-031", &[When::Word("ranks", &["A"])]),
    cause(MeldRankDuplicate, "CL-038", &[When::Off("CV-006")]),
    cause(MeldTooLarge, "MA-057", CANASTA),
    cause(MeldRankTakesNoWild, "MA-045", &[When::Rank("rank", Rank::Seven)]),
    cause(MeldRankTakesNoWild, "MA-047", &[When::Rank("rank", Rank::Ace)]),
    cause(
        MeldRankTakesNoWild,
        "MA-049",
        &[When::Rank("rank", Rank::Ace), When::Given(Circumstance::OldMeld, false)],
    ),
    cause(
        MeldRankTakesNoWild,
        "MA-050",
        &[When::Rank("rank", Rank::Ace), When::Given(Circumstance::OldMeld, true)],
    ),
    cause(MeldTooFewNaturals, "CV-007", &[When::Number("required", 3, i64::MAX)]),
    decides(MeldTooFewNaturals, "IR-063", &[When::Number("required", 5, i64::MAX)]),
    cause(MeldTooManyWilds, "CL-035 WH-049", CANASTA),
    cause(MeldTooManyWilds, "CL-032 WH-043", &[When::Given(Circumstance::Canasta, false)]),
    cause(ThreeBlackCount, "CL-076", &[When::Number("allowed", 0, 4)]),
    cause(ThreeBlackCount, "P6-011", &[When::Number("allowed", 5, i64::MAX)]),
    decides(
        InitialBelowMinimum,
        "P6-010",
        &[When::Number("key", 7_000, i64::MAX), When::Number("required", 150, i64::MAX)],
    ),
    decides(InitialBelowMinimum, "CL-058 MA-092 HN-063 WH-053 S3-025 HF-062 GR-030 SA-055 MZ-025", &[]),
    decides(InitialBelowMinimum, "IR-110", &[When::Number("surcharge", 1, i64::MAX)]),
    cause(InitialBelowMinimum, "CL-063 CL-064 MA-098 HN-067", TAKING),
    cause(InitialBelowMinimum, "CL-066 CL-067 HN-066", CANASTA),
    cause(InitialBelowMinimum, "CL-059 CL-060 CL-061 CL-062 CL-065", NEVER),
    cause(InitialBelowMinimum, "HN-064 HN-065 S3-022 S3-023 S3-024 HF-063", NEVER),
    cause(DiscardRequired, "HN-044", &[When::Number("hand", 1, 1)]),
    decides(GoOutNeedsCanastas, "MA-121 HN-022", &[]),
    cause(GoOutNeedsCanastas, "HN-044", &[When::Word("may_pass", &["YES"])]),
    cause(GoOutNeedsCanastas, "P2-004 P6-007", &[When::Number("required", 2, 2)]),
    cause(GoOutNeedsCanastas, "ML-005", &[When::Number("required", 3, 3)]),
    cause(SpecialShape, "MA-143", &[When::Word("kind", &["straight"])]),
    cause(SpecialShape, "MA-144", NEVER),
    cause(SpecialShape, "MA-145 MA-146 MA-147", &[When::Word("kind", &["pairs"])]),
    cause(SpecialShape, "MA-148", &[When::Word("kind", &["garbage"])]),
];

/// Names of the zones of hands in SETUP_DEAL.
const HANDS: &[&str] = &["HANDS", "HAND_0", "HAND_1", "HAND_2", "HAND_3", "HAND_4", "HAND_5"];

/// Returns the relation of the rule to the violation under these books.
pub(super) fn bearing(violation: &Violation, books: &Books, id: &str) -> Bearing {
    let names =
        |cause: &&Cause| cause.code == violation.code && cause.rules.split(' ').any(|rule| rule == id);
    let mut found = None;
    for cause in CAUSES.iter().filter(names) {
        let holds = cause.when.iter().all(|when| when.holds(violation, books));
        match (holds, cause.decides) {
            (true, true) => return Bearing::Decides,
            (true, false) => found = Some(Bearing::Applies),
            (false, _) => found = found.or(Some(Bearing::None)),
        }
    }
    found.unwrap_or(Bearing::Applies)
}

impl When {
    fn holds(&self, violation: &Violation, books: &Books) -> bool {
        let fact = |name: &str| violation.get(name);
        match *self {
            Self::Word(name, words) => fact(name).is_some_and(|fact| fact.names(words)),
            Self::Number(name, least, most) => {
                matches!(fact(name), Some(&Fact::Int(found)) if (least..=most).contains(&found))
            }
            Self::Class(name, class) => matches!(fact(name), Some(Fact::Card(card)) if card.class() == class),
            Self::Rank(name, rank) => matches!(fact(name), Some(&Fact::Rank(found)) if found == rank),
            Self::Has(name, there) => fact(name).is_some() == there,
            Self::Given(circumstance, given) => violation.circumstances.has(circumstance) == given,
            Self::InGroup => matches!(violation.field, Field::Group(_) | Field::GroupCards(_)),
            Self::OfTop => matches!(violation.field, Field::TopOnto),
            Self::Form(prefix) => books.holds(prefix),
            Self::Off(id) => !books.is_on(id),
            Self::Never => false,
        }
    }
}

impl Fact {
    /// Whether the fact is one of these words, or a list that has one of them.
    fn names(&self, words: &[&str]) -> bool {
        match self {
            Self::Word(word) => words.contains(word),
            Self::Words(found) => found.iter().any(|word| words.contains(word)),
            Self::Codes(found) => found.iter().any(|code| words.contains(&code.name())),
            Self::Text(text) => words.contains(&text.as_str()),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
