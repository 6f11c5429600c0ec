//! Rejections, written as messages.

use canasta_engine::rejection::{Fact, Rejection, Violation};
use canasta_engine::violations::{Books, cite};
use canasta_proto::v1::{self as pb, fact::Value};

use super::card::write_list;

/// Writes a rejection; `books` are those that the rule set in force is written in.
pub fn write(rejection: &Rejection, books: &Books) -> pb::Rejected {
    let violation = |violation: &Violation| pb::Violation {
        code: violation.code.name().into(),
        rule_ids: cite(violation.code, books).map(String::from).collect(),
        message: violation.to_string(),
        facts: violation.facts.iter().map(|(name, fact)| ((*name).into(), write_fact(fact))).collect(),
        field: violation.field.path(rejection.action),
        repair: violation.repair.as_ref().map(ToString::to_string).unwrap_or_default(),
    };
    pb::Rejected { violations: rejection.violations.iter().map(violation).collect() }
}

fn write_fact(fact: &Fact) -> pb::Fact {
    let words = |words: Vec<String>| Value::Words(pb::WordList { words });
    let value = match fact {
        // Counts and points: a saturated one would be absurd, and still no reason to fail.
        Fact::Int(number) => Value::Number((*number).clamp(i32::MIN.into(), i32::MAX.into()) as i32),
        Fact::Card(card) => Value::Card(card.to_string()),
        Fact::Cards(cards) => Value::Cards(pb::CardList { cards: write_list(cards) }),
        Fact::Rank(rank) => Value::Rank(rank.letter().into()),
        Fact::Seat(seat) => Value::Seat(seat.0.into()),
        Fact::Side(side) => Value::Side(side.0.into()),
        Fact::Meld(meld) => Value::Meld(meld.0.into()),
        Fact::Word(word) => Value::Word((*word).into()),
        Fact::Words(list) => words(list.iter().map(|&word| word.into()).collect()),
        Fact::Codes(codes) => words(codes.iter().map(|code| code.name().into()).collect()),
    };
    pb::Fact { value: Some(value) }
}
