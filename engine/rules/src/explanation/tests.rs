//! Tests of what games say of themselves. Sources: the rulebook for the sentences of Classic; for the rest the table and the code
//! are held together: who changes a rule changes what is said.

use super::*;
use crate::facts::suffices;
use crate::rulebook::rule;
use crate::table::Canastas;
use crate::violations::template::fits;
use crate::violations::{FactKind, FactRow};

/// The knobs of which nothing is said, each with the reason.
const UNSAID: [(&str, &str); 2] = [
    ("draw_ranking", "the order of cards that players draw for seats, before the game"),
    ("stock_marker", "a mark for the eye, without effect"),
];

/// A knob, and whether it has an effect in a rule set.
type KnobEffect = (&'static str, fn(&RuleSet) -> bool);

/// The knobs of which nothing changes in what is said where they have no effect, although they may differ from their defaults.
const IDLE: [KnobEffect; 6] = [
    ("ask_whom", |set| set.seats / set.side_count < 3),
    ("canasta_accepts", |set| set.meld_max == set.canasta_size),
    ("frozen_take", |set| !set.may_freeze_pile()),
    ("pile_threes_replaced", |set| {
        set.start_card == StartCard::None && set.discard_threes != DiscardThrees::Any
    }),
    ("wild_add_base", |set| set.wild_add_base <= set.min_naturals),
    ("wild_cap_scope", |set| set.max_wilds == 0),
];

/// Sentences of one section of which exactly one is said, by the beginnings of their English texts.
const ALTERNATIVES: [&[&str]; 9] = [
    &["{seats} players form", "{seats} players play", "{seats} players: who"],
    &[
        "The game ends after the round",
        "The game ends after {rounds, plural, one {{rounds} round} other {{rounds} rounds}};",
        "The game ends after {rounds, plural, one {{rounds} round} other {{rounds} rounds}}, or",
    ],
    &["A card is turned to start the pile.", "A card is turned to start the pile;", "The pile is empty"],
    &["You draw {draw_count", "You draw or take"],
    &[
        "What your side lays first in a round must be worth, by its",
        "What your team",
        "What your side lays first in a round must be worth, by the",
        "What your side lays first in a round must be worth, in",
    ],
    &[
        "{laid_threes, select, both {Threes of both colours} other {Red threes}} are",
        "{laid_threes, select, both {Threes of both colours} other {Red threes}} you",
        "Red threes are no bonus",
    ],
    &[
        "The round ends when you have no card left: you go out by melding all cards, or",
        "The round ends when you have no card left: you go out by melding all cards but",
    ],
    &["When the stock is empty, the round", "When the stock is empty, play"],
    &[
        "As long as you may not",
        "If you may not go out, you keep",
        "When your hand is empty",
        "Once your side has a canasta, your next",
    ],
];

const ENGLISH: Language = Language::English;

fn rows() -> impl Iterator<Item = &'static SentenceRow> {
    SECTIONS.iter().flat_map(|section| section.rows)
}

/// Returns all sentences of a rule set in order.
fn said(set: &RuleSet, base: PresetId, language: Language) -> Vec<SaidSentence> {
    set.explanation(&set.books(base), language).into_iter().flat_map(|section| section.sentences).collect()
}

fn texts(set: &RuleSet) -> Vec<String> {
    let sentences = said(set, PresetId::from_name("classic-4p").expect("it exists"), ENGLISH);
    sentences.into_iter().map(|sentence| sentence.text).collect()
}

/// Returns every playable rule set that differs from a preset in one knob, or in none, with the name of the knob: all words of
/// knobs with words, and of numbers and lists the values of all presets and of the numbers beside.
fn neighbours() -> Vec<(PresetId, &'static str, RuleSet)> {
    let mut sets = Vec::new();
    for base in PresetId::all() {
        let own = base.rule_set();
        sets.push((base, "", own.clone()));
        for knob in &KNOBS {
            let mut values = knob.values();
            values.extend(knob.uses().into_iter().map(|(value, _)| value));
            if knob.form == KnobForm::Number {
                values.extend([0, 5, 10, 1000].map(|number| format!("{number}")));
            }
            values.sort();
            values.dedup();
            for value in values {
                let mut set = own.clone();
                let is_read = knob.assign(&mut set, value.as_bytes()).is_ok();
                if is_read && !knob.is_same(&set, &own) && set.validate().is_ok() {
                    sets.push((base, knob.name, set));
                }
            }
        }
    }
    sets
}

#[test]
fn every_sentence_fits_its_knobs() {
    for row in rows() {
        let kind = |name: &str| match Knob::named(name).map(|knob| knob.form) {
            Some(KnobForm::Number) | None => FactKind::Int,
            Some(_) => FactKind::Word,
        };
        let facts: Vec<FactRow> = row.facts.iter().map(|name| FactRow::new(name, kind(name))).collect();
        for text in row.text.all() {
            assert!(fits(text, &facts), "{text}: {:?}", row.facts);
        }
        let ids = row.rules.split([' ', '|']).filter(|id| !id.is_empty());
        ids.for_each(|id| assert!(rule(id).is_some(), "{id} is no rule: {}", row.rules));
        assert!(!row.rules.is_empty(), "{}", row.text.of(ENGLISH));
    }
}

#[test]
fn every_preset_explains_itself_in_its_own_books() {
    for base in PresetId::all() {
        let (set, name) = (base.rule_set(), base.name());
        let books = set.books(base);
        for language in Language::ALL {
            let sections = set.explanation(&books, language);
            let names: Vec<&str> =
                sections.iter().map(|section| section.name).filter(|name| *name != "special").collect();
            let all = ["goal", "deal", "turn", "melds", "initial", "pile", "threes", "out", "scoring"];
            assert_eq!(names, all, "{name}");
            let sentences = said(&set, base, language);
            // Talons, special hands and penalties make the American game the one with most to say.
            let most = if set.talons.is_empty() { 45 } else { 54 };
            assert!((25..=most).contains(&sentences.len()), "{name}: {} sentences", sentences.len());
            for SaidSentence { text, rule_ids } in sentences {
                let is_whole =
                    text.ends_with('.') && text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
                assert!(
                    is_whole && !text.contains(['{', '}', '_', '"']) && !text.contains("  "),
                    "{name}: {text}"
                );
                assert!(!rule_ids.is_empty(), "{name}: {text}");
                let foreign = rule_ids.iter().find(|id| !books.cover(id));
                assert_eq!(foreign, None, "{name}: {text}");
            }
        }
    }
}

/// Checks that whoever changes a rule of a game changes what the game says, in both languages.
#[test]
fn every_knob_changes_what_is_said() {
    let mut silent = Vec::new();
    let sets = neighbours();
    for language in Language::ALL {
        let text = |base: PresetId, set: &RuleSet| -> Vec<String> {
            said(set, base, language).into_iter().map(|one| one.text).collect()
        };
        for of_base in sets.chunk_by(|(base, ..), (other, ..)| base == other) {
            let own = text(of_base[0].0, &of_base[0].2);
            for (base, knob, set) in &of_base[1..] {
                let is_unsaid = UNSAID.iter().any(|(name, _)| name == knob)
                    || IDLE.iter().any(|(name, is_idle)| name == knob && is_idle(set));
                if (own == text(*base, set)) != is_unsaid {
                    let value = Knob::named(knob).map(|knob| knob.value(set)).unwrap_or_default();
                    silent.push(format!("{knob} = {value} {}", base.name()));
                }
            }
        }
    }
    silent.sort();
    silent.dedup_by(|a, b| a.split(' ').take(3).eq(b.split(' ').take(3)));
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn sentences_do_not_contradict_each_other() {
    for (base, knob, set) in neighbours() {
        for group in ALTERNATIVES {
            let is_of_group =
                |row: &&SentenceRow| group.iter().any(|text| row.text.of(ENGLISH).starts_with(text));
            let count = rows().filter(|row| (row.holds)(&set)).filter(is_of_group).count();
            assert_eq!(count, 1, "{} with another {knob}: {group:?}", base.name());
        }
    }
}

/// Compares what is said of going out with what decides about it.
#[test]
fn canastas_that_are_said_suffice_and_fewer_do_not() {
    for (base, _, set) in neighbours() {
        let said = texts(&set);
        let number = |begin: &str, end: &str| {
            let rest =
                said.iter().find_map(|text| text.strip_prefix(begin).filter(|rest| rest.ends_with(end)));
            let digits: String = rest.unwrap_or("0").chars().take_while(char::is_ascii_digit).collect();
            digits.parse::<u8>().unwrap_or(0)
        };
        let counts = [" canasta.", " canastas."].map(|end| number("Going out needs ", end));
        let clean = number("Going out needs ", "without wild cards.");
        let wild = number("Going out needs ", "of wild cards alone.");
        let mixed =
            number("Going out needs ", "mixed canasta.").max(number("Going out needs ", "mixed canastas."));
        let sequence = number("Going out needs ", "sequence.").max(number("Going out needs ", "sequences."));
        let is_mixed_count = mixed > 0 && set.go_out_total == 0;
        let total = if is_mixed_count { 0 } else { set.go_out_total.min(counts[0].max(counts[1])) };
        let ranks = Rank::NATURAL.into_iter().fold(0, |ranks, rank| ranks | 1 << rank.index());
        let all = Canastas { total, clean, wild, mixed, sequence, ranks, ..Default::default() };
        assert!(suffices(&set, all), "{}: {said:?}", base.name());
        for (has, fewer) in [
            (total, Canastas { total: total.saturating_sub(1), ..all }),
            (clean, Canastas { clean: clean.saturating_sub(1), ..all }),
            (wild, Canastas { wild: wild.saturating_sub(1), ..all }),
            (mixed, Canastas { mixed: mixed.saturating_sub(1), ..all }),
            (sequence, Canastas { sequence: sequence.saturating_sub(1), ..all }),
        ] {
            assert!(has == 0 || !suffices(&set, fewer), "{}: {said:?}", base.name());
        }
    }
}

/// Checks CL-058, HF-067 and their neighbours: each minimum that is said is the one that decides at its score, or in its round.
#[test]
fn minimums_that_are_said_decide() {
    for (base, _, set) in neighbours() {
        let said = texts(&set);
        let sentence = said.iter().find(|text| text.contains("lays first in a round")).expect("it is said");
        let list = sentence.split_once(": ").expect("a list").1.trim_end_matches('.').replace(',', "");
        let number = |text: &str| text.parse::<i32>().expect("a number");
        let mut words = list.split(' ').peekable();
        let mut from = i32::MIN;
        let mut round = 0;
        while let Some(word) = words.next() {
            let minimum =
                if word == "otherwise" { number(words.next().expect("the last")) } else { number(word) };
            round += 1;
            let decided = if set.initial_key == InitialKey::Round {
                set.initial_bands.minimum_for_round(round)
            } else {
                let below = words.next_if(|word| *word == "below").and_then(|_| words.next()).map(number);
                let least = from;
                from = below.unwrap_or(i32::MAX);
                assert_eq!(
                    set.initial_bands.minimum_for_score(from.saturating_sub(1)),
                    minimum,
                    "{}",
                    base.name()
                );
                set.initial_bands.minimum_for_score(least)
            };
            assert_eq!(decided, minimum, "{}: {sentence}", base.name());
        }
    }
}

#[test]
fn numbers_have_the_groups_of_their_language() {
    let in_groups = |number, language| grouped(number, language);
    assert_eq!(
        ["5", "500", "-500", "5000", "-1000000"].map(|number| in_groups(number, ENGLISH)),
        ["5", "500", "-500", "5,000", "-1,000,000"]
    );
    assert_eq!(in_groups("15000", Language::German), "15.000");
}

/// Compares the rulebook's Classic, word by word where it has figures.
#[test]
fn classic_says_its_figures() {
    let base = PresetId::from_name("classic-4p").expect("it exists");
    let (english, german) =
        (said(&base.rule_set(), base, ENGLISH), said(&base.rule_set(), base, Language::German));
    let has = |sentences: &[SaidSentence], text: &str, ids: &[&str]| {
        let found = sentences.iter().find(|sentence| sentence.text == text);
        assert_eq!(found.map(|sentence| &sentence.rule_ids[..]), Some(ids), "{text}");
    };
    has(
        &english,
        "The game ends after the round in which somebody reaches 5,000 points; the highest score wins.",
        &["CL-109"],
    );
    has(&english, "You are dealt 11 cards; the rest is the stock, face down.", &["CL-009"]);
    has(
        &english,
        "What your side lays first in a round must be worth, by its score: 15 below 0, 50 below 1,500, 90 below 3,000, otherwise 120.",
        &["CL-058"],
    );
    has(&english, "Going out needs 1 canasta.", &["CL-079"]);
    has(&english, "Laid threes pay, for 1, 2 and so on: 100, 200, 300, 800.", &["CL-103", "CL-104"]);
    has(&german, "Zum Ausmachen braucht deine Partei 1 Canasta.", &["CL-079"]);
    has(&german, "Eine reine Canasta bringt 500 Punkte, eine gemischte 300.", &["CL-100", "CL-101"]);
}
