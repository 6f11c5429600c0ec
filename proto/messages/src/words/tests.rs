//! Tests that the sentences are about the messages of the interface, by its descriptors.

use super::*;
use canasta_engine::scoring::Item;
use prost::Message as _;
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorSet};

/// Returns all messages of the interface with their full names (`Event.Drew`).
fn messages() -> Vec<(String, DescriptorProto)> {
    let set = FileDescriptorSet::decode(canasta_proto::DESCRIPTORS).expect("our own descriptors");
    let files = set.file.into_iter().filter(|file| file.package() == "canasta.v1");
    let tops = files.flat_map(|file| file.message_type);
    tops.flat_map(|top| {
        let nested = top.nested_type.clone().into_iter();
        let name = top.name().to_owned();
        let nested = nested.map(move |inner| (format!("{name}.{}", inner.name()), inner));
        std::iter::once((top.name().to_owned(), top)).chain(nested)
    })
    .collect()
}

fn message(messages: &[(String, DescriptorProto)], name: &str) -> DescriptorProto {
    let found = messages.iter().find(|(other, _)| other == name);
    found.unwrap_or_else(|| panic!("no message {name}")).1.clone()
}

/// Returns the message of a field's type without the package.
fn type_of(field: &FieldDescriptorProto) -> String {
    field.type_name().trim_start_matches(".canasta.v1.").to_owned()
}

fn of_kind(wordings: &[Wording], kind: WordingKind) -> Vec<&Wording> {
    wordings.iter().filter(|wording| wording.kind() == kind).collect()
}

/// Checks that each path leads to a field, over messages on the way.
fn assert_paths_lead_to_fields(all: &[(String, DescriptorProto)], wording: &Wording, of: &DescriptorProto) {
    for fact in &wording.facts {
        let mut here = of.clone();
        for (place, step) in fact.path.split('.').enumerate() {
            let field = here.field.iter().find(|field| field.name() == step).cloned();
            let field =
                field.unwrap_or_else(|| panic!("{}: no field {} of {}", wording.name, step, here.name()));
            if place + 1 < fact.path.split('.').count() {
                here = message(all, &type_of(&field));
            }
        }
    }
}

#[test]
fn every_event_and_every_action_has_its_sentence() {
    let all = messages();
    for language in Language::ALL {
        let wordings = catalogue(language);
        for (kind, name) in [(WordingKind::Event, "Event"), (WordingKind::Action, "Action")] {
            let fields: Vec<_> =
                message(&all, name).field.into_iter().filter(|f| f.oneof_index.is_some()).collect();
            let said = of_kind(&wordings, kind);
            let names: Vec<&str> = fields.iter().map(|field| field.name()).collect();
            assert_eq!(said.iter().map(|wording| &wording.name[..]).collect::<Vec<_>>(), names, "{name}");
            for (wording, field) in said.iter().zip(&fields) {
                assert_paths_lead_to_fields(&all, wording, &message(&all, &type_of(field)));
            }
        }
        let lines = of_kind(&wordings, WordingKind::ScoreLine);
        assert!(lines.iter().map(|wording| &wording.name[..]).eq(Item::ALL.map(Item::name)));
        lines.iter().for_each(|line| assert_paths_lead_to_fields(&all, line, &message(&all, "ScoreLine")));
    }
}

#[test]
fn one_name_of_a_fact_means_one_type_in_all_messages() {
    let wordings = catalogue(Language::English);
    let facts: Vec<_> = wordings.iter().flat_map(|wording| &wording.facts).collect();
    for fact in &facts {
        let other = facts.iter().find(|other| other.name == fact.name && other.r#type != fact.r#type);
        assert!(other.is_none(), "{fact:?} and {other:?}");
    }
}

#[test]
fn every_exception_of_a_path_is_used() {
    let wordings = catalogue(Language::German);
    for (kind, name, fact, path) in PATHS {
        let named = of_kind(&wordings, kind).into_iter().find(|wording| wording.name == name);
        let facts = &named.unwrap_or_else(|| panic!("no wording {name}")).facts;
        assert!(facts.iter().any(|known| known.name == fact && known.path == path), "{name} {fact}");
    }
}

#[test]
fn no_message_stands_twice_and_both_languages_say_all() {
    let [english, german] = Language::ALL.map(catalogue);
    let key = |wording: &Wording| (wording.kind, wording.name.clone());
    let mut keys: Vec<_> = english.iter().map(key).collect();
    assert!(german.iter().map(key).eq(keys.iter().cloned()));
    assert!(english.iter().zip(&german).all(|(one, other)| one.facts == other.facts));
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), english.len());
    // 3 values, 119 codes, 24 repairs, 30 events, 18 score lines, 21 actions, 22 reasons.
    assert_eq!(english.len(), 3 + 119 + 24 + 30 + 18 + 21 + 22);
    assert_ne!(digest(&english), digest(&german));
    let same = english.iter().zip(&german).filter(|(one, other)| one.template == other.template);
    assert_eq!(same.map(|(one, _)| &one.name[..]).collect::<Vec<_>>(), Vec::<&str>::new(), "not translated");
}

/// Checks that the table of reasons has the order of the bot's reasons, by which their sentences are found.
#[test]
fn each_reason_of_the_bot_has_its_sentence() {
    use canasta_engine::bot::Reason::*;
    let all = [
        Draw,
        EndRound,
        SpecialHand,
        Three,
        Talon,
        GoOut,
        CompleteCanasta,
        Open,
        Foot,
        Pile,
        Hurry,
        Meld,
        Freeze,
        BlackThree,
        SafeDiscard,
        SpareDiscard,
        AskPartner,
        Agree,
        Decline,
        HelpNobody,
        NothingBetter,
        PlayedOn,
    ];
    let flat = |name: &str| name.replace('_', "").to_lowercase();
    let bots = all.map(|reason| (reason as usize, flat(&format!("{reason:?}"))));
    let said = REASONS.iter().enumerate().map(|(at, row)| (at, flat(row.name)));
    assert!(said.eq(bots), "reasons.txt has another order");
}
