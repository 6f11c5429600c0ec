//! The sentences of messages in each language: what GetCatalogue answers.
//!
//! Refusals and repairs are the engine's messages. Events, actions, score lines and reasons are messages of the interface: their
//! facts are read from the fields of a protobuf message.

#[cfg(test)]
mod tests;

use canasta_engine::rejection::REPAIRS;
use canasta_engine::text::words::{ACTIONS, EVENTS, REASONS, SCORE_LINES};
use canasta_engine::violations::template::{Language, Wording as Row};
use canasta_engine::violations::{ALL, FactKind, FactRow};
use canasta_proto::v1::{Wording, WordingFact, WordingKind};
use sha2::{Digest, Sha256};

/// The field from which a fact is read, if it is called otherwise than the fact: kind, message, fact, path.
const PATHS: [(WordingKind, &str, &str, &str); 19] = [
    (WordingKind::Event, "drew", "count", "cards"),
    (WordingKind::Event, "took_pile", "count", "cards"),
    (WordingKind::Event, "took_talon", "count", "cards"),
    (WordingKind::Event, "special_hand", "special_hand", "hand"),
    (WordingKind::Event, "ruled", "ruling", "id"),
    (WordingKind::Event, "drawn", "picks", "picks.cards"),
    (WordingKind::Action, "take_pile", "others", "also.cards"),
    (WordingKind::Action, "take_pile", "onto", "onto.meld.id"),
    (WordingKind::Action, "take_pile", "place", "onto.place"),
    (WordingKind::Action, "take_pile", "side", "onto.meld.side"),
    (WordingKind::Action, "meld", "cards", "groups.cards"),
    (WordingKind::Action, "ask", "cards", "way.groups.cards"),
    (WordingKind::Action, "ask", "card", "way.discard"),
    (WordingKind::Action, "special_hand", "special_hand", "hand"),
    (WordingKind::Action, "ruling", "ruling", "id"),
    (WordingKind::Action, "ruling", "seat", "offender"),
    (WordingKind::Value, "seat", "number", ""),
    (WordingKind::Value, "side", "number", ""),
    (WordingKind::Value, "meld", "number", ""),
];

/// Returns the messages of a language: values, refusals in order of precedence, repairs, events, score lines, actions, reasons.
pub fn catalogue(language: Language) -> Vec<Wording> {
    let values = language.values();
    let number = &[FactRow::new("number", FactKind::Int)];
    let values = [("seat", values.seat), ("side", values.side), ("meld", values.meld)];
    let values = values.map(|(name, template)| write(WordingKind::Value, name, template, number));
    let refusals =
        ALL.iter().map(|entry| write(WordingKind::Code, entry.name, entry.template(language), entry.facts));
    let rows = |kind, rows: &'static [Row]| {
        rows.iter().map(move |row| write(kind, row.name, row.template(language), row.facts))
    };
    let messages = rows(WordingKind::Event, EVENTS)
        .chain(rows(WordingKind::ScoreLine, SCORE_LINES))
        .chain(rows(WordingKind::Action, ACTIONS))
        .chain(rows(WordingKind::Reason, REASONS));
    values.into_iter().chain(refusals).chain(rows(WordingKind::Repair, &REPAIRS)).chain(messages).collect()
}

/// Returns the SHA-256 over all messages of a language.
pub fn digest(catalogue: &[Wording]) -> [u8; 32] {
    let mut digest = Sha256::new();
    for wording in catalogue {
        digest.update(prost::Message::encode_length_delimited_to_vec(wording));
    }
    digest.finalize().into()
}

/// Writes the facts of a message with the fields from which they are read.
pub fn facts(kind: WordingKind, name: &str, facts: &[FactRow]) -> Vec<WordingFact> {
    let fact = |row: &FactRow| WordingFact {
        name: row.name.into(),
        // The interface has the engine's order and counts from 1.
        r#type: row.kind as i32 + 1,
        path: path(kind, name, row),
        optional: row.absent.is_some(),
    };
    facts.iter().map(fact).collect()
}

fn write(kind: WordingKind, name: &str, template: &str, rows: &[FactRow]) -> Wording {
    Wording {
        kind: kind.into(),
        name: name.into(),
        template: template.into(),
        facts: facts(kind, name, rows),
    }
}

/// Returns the path of a fact in the message: refusals and repairs have maps of typed facts.
fn path(kind: WordingKind, name: &str, row: &FactRow) -> String {
    if matches!(kind, WordingKind::Code | WordingKind::Repair) {
        let value = match row.kind {
            FactKind::Int => "number",
            FactKind::Card => "card",
            FactKind::Cards => "cards.cards",
            FactKind::Rank => "rank",
            FactKind::Seat => "seat",
            FactKind::Side => "side",
            FactKind::Meld => "meld",
            FactKind::Word => "word",
            FactKind::Words => "words.words",
            FactKind::Seats => "seats.seats",
        };
        return format!("facts.{}.{value}", row.name);
    }
    let named = PATHS.iter().find(|(k, message, fact, _)| (*k, *message, *fact) == (kind, name, row.name));
    named.map_or(row.name, |(.., path)| path).into()
}
