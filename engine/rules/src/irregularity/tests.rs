//! The table of irregularities against the rulebook, the table of penalties and the codes; the search against words
//! of people.

use super::heard::{HANDS, HeardSentence, Listener, Meaning, sentences};
use super::search::LawSearch;
use super::words::Synonyms;
use super::*;
use crate::action::choices::{self, AUTHORITIES, EFFECTS};
use crate::rulebook;
use crate::rules::{Knob, Rules};
use crate::violations::ALL;
use alloc::collections::BTreeSet;

mod german;

/// Sentences of two hands more, which were opened after the limits of `heard` had been fixed.
const UNSEEN: &str = include_str!("../../../../tests/data/irregularities/unseen.txt");

/// Returns the laws of the irregularities that the words may be about, with the answers that the words give.
fn laws(listener: &Listener, words: &str) -> Vec<Remedy> {
    let rows = listener.hear(words, |_| true).rows().into_iter();
    rows.map(|row| row.remedy(&row.answers(&[], words))).collect()
}

#[test]
fn every_row_holds_to_the_table_of_penalties() {
    let mut ids = BTreeSet::new();
    for row in all() {
        assert!(ids.insert(row.id), "{} twice", row.id);
        assert!(row.cases().next().is_some(), "{}", row.id);
        let knobs = row.lines("only").chain(row.lines("never"));
        let mut knobs = knobs.map(|line| line.split('=').next().unwrap_or(line));
        assert!(knobs.all(|knob| Knob::named(knob).is_some()), "{}", row.id);
        assert!(row.remedies().last().is_some_and(|remedy| remedy.answers.is_empty()), "{}", row.id);
        for question in row.questions() {
            assert!(
                question.text.of(Language::English).ends_with('?') && question.answers.len() >= 2,
                "{} {}",
                row.id,
                question.key
            );
        }
        for remedy in row.remedies() {
            assert!(rule(remedy.law).is_some(), "{} {}", row.id, remedy.law);
            let sanction = sanction(remedy.law).unwrap_or_else(|| panic!("{} {}", row.id, remedy.law));
            let (low, high) = sanction.penalty.points;
            assert!(
                (low..=high).contains(&remedy.points) && remedy.points % 5 == 0,
                "{} {}",
                row.id,
                remedy.law
            );
            let effect = remedy.effect.split(' ').next().and_then(|word| choices::from_word(&EFFECTS, word));
            assert!(
                effect.is_some_and(|effect| sanction.penalty.allows(effect)),
                "{} {}",
                row.id,
                remedy.effect
            );
            for (key, answer) in &remedy.answers {
                let question = row.questions().find(|question| question.key == *key);
                let known =
                    question.is_some_and(|question| question.answers.iter().any(|a| a.key() == *answer));
                assert!(known, "{} {key}={answer}", row.id);
            }
        }
    }
    assert!(sanctions().all(|sanction| sanction.recorded().len() <= 32));
    assert!(sanctions().filter(|sanction| sanction.is_house).all(|sanction| penalty(sanction.law).is_none()));
}

/// Checks that each rule of the book of irregularities with a ruling is the law of a row. IR-001 and IR-100 to IR-113
/// are about rulings themselves, IR-063 is a limit on melds whose breach is an illegal meld (IR-022).
#[test]
fn every_law_is_reached() {
    let reached: BTreeSet<&str> = all().flat_map(|row| row.remedies().map(|remedy| remedy.law)).collect();
    let missing: Vec<&str> = rulebook::all()
        .map(|rule| rule.id)
        .filter(|id| id.starts_with("IR-0") && !["IR-001", "IR-063"].contains(id) && !reached.contains(id))
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
}

#[test]
fn every_code_shows_an_irregularity_or_says_why_none() {
    for entry in ALL {
        let plain = entry.shows.iter().filter(|(_, kinds)| kinds.is_empty()).count();
        assert_eq!(plain, 1, "{}", entry.name);
        for (shown, kinds) in entry.shows {
            let is_reason = shown.starts_with("none ") && reason_for_none(entry.code).is_some();
            assert!(irregularity(shown).is_some() || is_reason, "{} shows {shown}", entry.name);
            let mut kinds = kinds.split_whitespace();
            assert!(kinds.all(|kind| ActionKind::from_name(kind).is_some()), "{} {shown}", entry.name);
        }
    }
}

/// Checks the cases that stand in the table: their words find their law first.
#[test]
fn the_words_of_a_case_find_its_law() {
    let listener = Listener::of_all_hands();
    let mut failed = Vec::new();
    for row in all() {
        for case in row.cases() {
            let found = laws(&listener, case.words);
            if found.first().is_none_or(|remedy| (remedy.law, remedy.effect) != (case.law, case.effect)) {
                failed.push((
                    case.words,
                    case.law,
                    found.iter().map(|remedy| remedy.law).collect::<Vec<_>>(),
                ));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

/// The numbers of sentences of a language by their answer.
#[derive(Default, PartialEq, Debug)]
struct Figures {
    /// Sentences of irregularities: all; those whose irregularity comes first, stands among the candidates, or alone; those to
    /// which another one is given alone.
    irregular: usize,
    first: usize,
    among: usize,
    alone: usize,
    wrong: usize,
    /// Sentences of nothing: all; those to which a law is given alone, or candidates.
    nothing: usize,
    fined: usize,
    doubted: usize,
}

impl Figures {
    fn of(language: &str, answers: &[(HeardSentence, Meaning)]) -> Self {
        let mut figures = Self::default();
        for (sentence, meaning) in answers.iter().filter(|(sentence, _)| sentence.language == language) {
            let is_alone = usize::from(matches!(meaning, Meaning::One(_)));
            let rows = meaning.clone().rows();
            let is_first = usize::from(rows.first().is_some_and(|row| row.id == sentence.row));
            if sentence.row == "nothing" {
                figures.nothing += 1;
                figures.fined += is_alone;
                figures.doubted += usize::from(!rows.is_empty()) - is_alone;
                continue;
            }
            figures.irregular += 1;
            figures.first += is_first;
            figures.among += usize::from(rows.iter().any(|row| row.id == sentence.row));
            figures.alone += is_first * is_alone;
            figures.wrong += (1 - is_first) * is_alone;
        }
        figures
    }
}

/// Lets a listener that knows the sentences of all other hands hear those of each hand, except our own, which knows the table.
/// The limits were set by these figures.
#[test]
fn each_hand_is_understood_by_whoever_knows_the_others() {
    let mut answers = Vec::new();
    for (n, hand) in HANDS.into_iter().enumerate().take(HANDS.len() - 1) {
        let others = HANDS.iter().enumerate().filter(|(other, _)| *other != n);
        let listener = Listener::of(others.flat_map(|(_, hand)| sentences(hand)));
        answers.extend(sentences(hand).map(|sentence| {
            let meaning = listener.hear(sentence.words, |_| true);
            (sentence, meaning)
        }));
    }
    let figures = ["en", "de"].map(|language| Figures::of(language, &answers));
    let [en, de] = figures;
    assert!(en.first * 100 >= en.irregular * 88 && en.among * 100 >= en.irregular * 92, "{en:?}");
    assert!(de.first * 100 >= de.irregular * 89 && de.among * 100 >= de.irregular * 92, "{de:?}");
    for figures in [en, de] {
        assert!(figures.wrong * 100 <= figures.irregular * 3, "{figures:?}");
        assert!(figures.fined * 100 <= figures.nothing * 5, "{figures:?}");
        assert!(figures.doubted * 100 <= figures.nothing * 10, "{figures:?}");
    }
}

#[test]
fn unseen_sentences_are_understood() {
    let listener = Listener::of_all_hands();
    let answers: Vec<_> = sentences(UNSEEN)
        .map(|sentence| (listener.hear(sentence.words, |_| true), sentence))
        .map(|(meaning, sentence)| (sentence, meaning))
        .collect();
    let figures = ["en", "de"].map(|language| Figures::of(language, &answers));
    let en = Figures {
        irregular: 94,
        first: 92,
        among: 92,
        alone: 87,
        wrong: 0,
        nothing: 100,
        fined: 1,
        doubted: 5,
    };
    let de = Figures {
        irregular: 94,
        first: 94,
        among: 94,
        alone: 92,
        wrong: 0,
        nothing: 100,
        fined: 2,
        doubted: 6,
    };
    assert_eq!(figures, [en, de]);
}

/// Checks that every sentence names an irregularity and one of its laws.
#[test]
fn every_sentence_belongs_to_a_row() {
    for line in HANDS.into_iter().chain([UNSEEN]).flat_map(str::lines) {
        let (head, _) = line.split_once(" | ").expect("a sentence");
        let fields: Vec<&str> = head.split(' ').collect();
        let [row, law, language] = fields[..] else { panic!("{line}") };
        let has_law = irregularity(row).is_some_and(|row| row.remedies().any(|remedy| remedy.law == law));
        assert!(has_law || (row, law) == ("nothing", "-"), "{line}");
        assert!(["en", "de"].contains(&language), "{line}");
    }
}

/// Checks that laws of feet and talons are not given where there are none.
#[test]
fn only_what_can_happen_in_a_rule_set_is_found() {
    let listener = Listener::of_all_hands();
    let classic = Rules::preset("classic-4p").expect("the main game");
    for row in ["foot-early", "talon-late", "foot-mixed"] {
        let row = irregularity(row).expect("a row");
        let said = sentences(HANDS[0]).find(|sentence| sentence.row == row.id).expect("a sentence").words;
        assert!(!row.happens_in(classic.set()));
        assert!(listener.hear(said, |_| true).rows().contains(&row), "{said}");
        assert!(
            !listener.hear(said, |other| other.happens_in(classic.set())).rows().contains(&row),
            "{said}"
        );
    }
}

/// Checks that what cannot happen in a rule set is heard as nothing, and not as what is next to it.
#[test]
fn what_cannot_happen_is_taken_for_nothing_else() {
    let listener = Listener::of_all_hands();
    let mut heard = 0;
    for (preset, row) in
        [("classic-4p", "drew-few"), ("american-4p", "out-unasked"), ("samba-4p", "talon-forgotten")]
    {
        let rules = Rules::preset(preset).expect("a preset");
        let row = irregularity(row).expect("a row");
        assert!(!row.happens_in(rules.set()), "{}", row.id);
        let said = HANDS.into_iter().flat_map(sentences).filter(|sentence| sentence.row == row.id);
        for words in said.map(|sentence| sentence.words) {
            let here = listener.hear(words, |other| other.happens_in(rules.set()));
            let is_sure = listener.hear(words, |_| true) == Meaning::One(row);
            assert!(!is_sure || here == Meaning::Nothing, "{words}: {here:?}");
            heard += usize::from(is_sure);
        }
    }
    assert!(heard > 60, "{heard}");
    let samba = Rules::preset("samba-4p").expect("two cards are drawn");
    assert!(irregularity("drew-few").expect("a row").happens_in(samba.set()));
}

/// Checks words as a search compares them, each counted by hand.
#[test]
fn words_are_compared_without_endings_as_phrases_and_as_cards() {
    let synonyms = Synonyms::new();
    let words = |text: &str| synonyms.words(text).collect::<Vec<_>>().join(" ");
    let same = [
        ("red threes", "a red three"),
        ("he got rid of it", "he discards it"),
        ("she wasn't asked", "she was not asked"),
        ("a five", "a queen"),
        ("two fives, sixes", "two kings, aces"),
        ("it was his go", "it was her move"),
        ("took 2 from stock", "took two from the deck"),
        ("exposed the Kd, 10c", "exposed a king and tens"),
        ("2h on a 3c", "a joker on a three"),
    ];
    for (one, other) in same {
        assert_eq!(words(one), words(other), "{one}");
    }
    assert_ne!(words("five points"), words("queen points"));
    assert_eq!(words("I'd she's n't ''"), "no");
}

/// Checks that a search does not depend on case or on repetitions, and that nothing is found for nothing.
#[test]
fn a_search_is_bounded_and_finds_nothing_for_nothing() {
    let search = LawSearch::of_everything();
    let find = |words: &str, most| search.find(words, |_| true, most);
    assert!(find("", 5).is_empty() && find("~~ \u{202e}", 5).is_empty());
    let first = |words: &str| find(words, 1).first().map(|subject| alloc::format!("{subject:?}"));
    assert_eq!(first("Exposed CARD"), first("exposed card"));
    let long = "exposed card ".repeat(10_000);
    assert!(find(&long, 3).len() == 3);
    assert_eq!(find("card", 7).len(), 7);
}
