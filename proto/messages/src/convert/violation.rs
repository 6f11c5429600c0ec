//! Conversion of rejections to messages.

use std::collections::BTreeMap;

use canasta_engine::action::ActionKind;
use canasta_engine::citation::{Books, cite, cite_violation};
use canasta_engine::rejection::{Field, Rejection, Repair, Violation, of_rule_set};
use canasta_engine::rules::{KnobFault, RuleSet, VariationFault};
use canasta_engine::violations::Code;
use canasta_engine::violations::Fact;
use canasta_proto::v1::{self as pb, fact::Value};

use super::card::write_list;
use crate::fault::{FieldFault, FieldFaults};

/// Writes a rejection; `books` are the rule books of the rule set in force.
pub fn write(rejection: &Rejection, books: &Books) -> pb::Rejected {
    let rejected =
        write_all(&rejection.violations, books, |violation| path(violation.field, rejection.action));
    pb::Rejected { repairs_cut: rejection.repairs_cut, ..rejected }
}

/// Returns a field's fault if a deal has fields that its register does not provide for: such a deal is
/// malformed, not refused by a rule.
pub fn refuse_misfit(rejection: &Rejection) -> Result<(), FieldFaults> {
    rejection.misfit().map_or(Ok(()), |violation| {
        Err(FieldFault { path: path(violation.field, rejection.action), problem: violation.to_string() }
            .into())
    })
}

/// Returns the path of a field in requests. The engine's paths have the names of the log's text form, two of which are
/// keywords of many languages.
fn path(field: Field, kind: ActionKind) -> String {
    match field {
        Field::Actor => "actor".into(),
        Field::With => format!("action.{kind}.cards"),
        other => other.path(kind),
    }
}

/// Writes the violations of a game that cannot be set up; `prefix` leads to the message with the fields.
pub fn write_setup(violations: &[Violation], books: &Books, prefix: &str) -> pb::Rejected {
    write_all(violations, books, |violation| match (violation.code, violation.field) {
        (Code::SetupPlayerCount, _) => format!("{prefix}players"),
        (Code::SetupDeck, _) => format!("{prefix}wall"),
        (Code::SetupDealer, _) => format!("{prefix}dealer"),
        (_, Field::Actor) => "actor".into(),
        _ => String::new(),
    })
}

/// Writes why rules cannot be played: the violations of seats and packs, then SETUP_KNOBS per contradiction.
pub fn write_knobs(set: &RuleSet, faults: &[KnobFault], books: &Books) -> pb::Rejected {
    let violation = |fault: &KnobFault| pb::Violation {
        repair: remedy(fault.remedy()),
        ..knobs(fault.detail(), fault.knobs(), fault.to_string(), books)
    };
    let mut rejected = write_setup(&of_rule_set(set, faults), books, "");
    rejected.violations.extend(faults.iter().map(violation));
    rejected
}

/// Writes SETUP_KNOBS for each pair of variations that exclude each other.
pub fn write_variations(faults: &[VariationFault], books: &Books) -> pb::Rejected {
    let violation = |fault: &VariationFault| {
        Some(knobs(fault.detail()?, fault.knob().as_slice(), fault.to_string(), books))
    };
    pb::Rejected { violations: faults.iter().filter_map(violation).collect(), ..Default::default() }
}

/// Returns SETUP_KNOBS with the stable name of the contradiction and its knobs.
fn knobs(detail: &str, knobs: &[&str], message: String, books: &Books) -> pb::Violation {
    let knobs = knobs.iter().map(|&knob| knob.into()).collect();
    let facts = [
        ("detail", Value::Word(detail.into())),
        ("knobs", Value::Words(pb::WordList { words: knobs })),
        ("problem", Value::Word(message.clone())),
    ];
    pb::Violation {
        code: Code::SetupKnobs.name().into(),
        rule_ids: cite(Code::SetupKnobs, books).map(String::from).collect(),
        message,
        facts: facts.map(|(name, value)| (name.into(), pb::Fact { value: Some(value) })).into(),
        field: "rule_set".into(),
        repair: None,
    }
}

fn write_all(violations: &[Violation], books: &Books, path: impl Fn(&Violation) -> String) -> pb::Rejected {
    let violation = |violation: &Violation| pb::Violation {
        code: violation.code.name().into(),
        rule_ids: cite_violation(violation, books).into_iter().map(String::from).collect(),
        message: violation.to_string(),
        facts: write_facts(&violation.facts),
        field: path(violation),
        repair: violation.repair.as_ref().map(write_repair),
    };
    pb::Rejected { violations: violations.iter().map(violation).collect(), ..Default::default() }
}

fn write_repair(repair: &Repair) -> pb::Repair {
    let (wording, facts) = repair.wording();
    pb::Repair { name: wording.name.into(), message: repair.to_string(), facts: write_facts(&facts) }
}

/// Writes what would remove a contradiction of rules; an empty text if nothing is known.
fn remedy(text: &str) -> Option<pb::Repair> {
    let facts = || write_facts(&[("remedy", Fact::Text(text.into()))]);
    (!text.is_empty()).then(|| pb::Repair {
        name: "change_rules".into(),
        message: text.into(),
        facts: facts(),
    })
}

fn write_facts(facts: &[(&'static str, Fact)]) -> BTreeMap<String, pb::Fact> {
    facts.iter().map(|(name, fact)| ((*name).into(), write_fact(fact))).collect()
}

fn write_fact(fact: &Fact) -> pb::Fact {
    let words = |words: Vec<String>| Value::Words(pb::WordList { words });
    let value = match fact {
        // Facts are counts and points: a clamped one would be absurd, but is no reason to fail.
        Fact::Int(number) => Value::Number((*number).clamp(i32::MIN.into(), i32::MAX.into()) as i32),
        Fact::Card(card) => Value::Card(card.to_string()),
        Fact::Cards(cards) => Value::Cards(pb::CardList { cards: write_list(cards) }),
        Fact::Rank(rank) => Value::Rank(rank.letter().into()),
        Fact::Seat(seat) => Value::Seat(seat.0.into()),
        Fact::Side(side) => Value::Side(side.0.into()),
        Fact::Meld(meld) => Value::Meld(meld.0.into()),
        Fact::Word(word) => Value::Word((*word).into()),
        Fact::Text(text) => Value::Word(text.clone()),
        Fact::Words(list) => words(list.iter().map(|&word| word.into()).collect()),
        Fact::Seats(seats) => {
            Value::Seats(pb::SeatList { seats: seats.iter().map(|seat| seat.0.into()).collect() })
        }
        Fact::Codes(codes) => words(codes.iter().map(|code| code.name().into()).collect()),
    };
    pb::Fact { value: Some(value) }
}
