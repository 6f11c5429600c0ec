//! Tests of the sentences, which are written by hand.

use super::*;
use canasta_rules::action::{About, MeldId, SpecialHand};
use canasta_rules::card::Card;
use canasta_rules::event::{Event, FreezeCause, Grade};
use canasta_rules::notation::Proposal;
use canasta_rules::rules::{PresetId, RuleSet};

fn set() -> RuleSet {
    PresetId::from_name("classic-4p").expect("a preset").rule_set()
}

/// Says a message in a language, and checks that each fact has the type of its row, or is a text of such facts.
fn said(language: Language, message: impl Fn(Say<'_>) -> String) -> String {
    message(&|wording, facts| {
        for (name, fact) in facts {
            let row = wording.facts.iter().find(|row| row.name == *name).expect(name);
            assert!(row.kind == fact.kind() || matches!(fact, Fact::Text(_)), "{}: {name}", wording.name);
        }
        plain(language)(wording, facts)
    })
}

fn of_cards(of: &str) -> CardList {
    of.split(' ').map(|card| Card::parse(card).expect(card)).collect()
}

#[test]
fn every_action_has_its_sentence() {
    for (line, english, german) in [
        ("draw", "draw from the stock", "vom Talon ziehen"),
        (
            "take 7h 7s onto 1 also Kd Kh Ks onto new",
            "take the pile with 7h 7s onto meld 1 and meld Kd Kh Ks as a new meld",
            "den Ablagestapel mit 7h 7s nehmen an Meldung 1 und Kd Kh Ks als neue Meldung melden",
        ),
        (
            "meld 2h X as wild / 5s onto NS:3",
            "meld 2h X as wild cards · 5s onto meld 3 of side 0",
            "2h X als wilde Karten · 5s an Meldung 3 von Partei 0 melden",
        ),
        ("merge_melds 0 2", "join meld 2 to meld 0", "Meldung 2 an Meldung 0 anfügen"),
        (
            "ask with Kd Kh Ks discard 4c",
            "ask the partner: may I go out, melding Kd Kh Ks, discarding 4c?",
            "den Partner fragen: darf ich ausmachen, Meldung Kd Kh Ks, Abwurf 4c?",
        ),
        (
            "ask courtesy",
            "ask the opponents: may I meld after the discard?",
            "die Gegner fragen: darf ich nach dem Abwurf noch melden?",
        ),
        ("discard 7h", "discard 7h", "7h abwerfen"),
        (
            "dispute open \"a \u{1b} b\"",
            "open a dispute: a \\u{1b} b",
            "einen Streitfall eröffnen: a \\u{1b} b",
        ),
    ] {
        let parsed = Proposal::parse(line, &set()).expect(line).action;
        assert_eq!(said(Language::English, |say| action(&parsed, say)), english);
        assert_eq!(said(Language::German, |say| action(&parsed, say)), german);
    }
}

#[test]
fn every_ruling_has_its_sentence() {
    for (line, expected) in [
        ("IR-050 -100 NS N", " by the director under IR-050: -100 points for side 0 (seat 0)"),
        ("IR-074 0 NS by jury effect warning", " by the jury under IR-074: no points for side 0; a warning"),
        ("IR-021 -100 NS effect raise_minimum 10", "; side 0 needs 10 points more to open"),
        (
            "IR-030 0 EW effect penalty_cards E Kd 4c",
            "; seat 1 has penalty cards, which are discarded first: Kd 4c",
        ),
        ("IR-011 0 NS effect forfeit_pile N 0", "; seat 0 may not take the pile in this turn"),
        (
            "IR-011 0 NS effect forfeit_pile N 1",
            "; seat 0 may not take the pile in this turn and 1 turn after it",
        ),
        ("IR-023 0 NS effect stand \"discard 4c\"", "; what was done stands: discard 4c"),
        ("IR-005 0 NS effect redeal", "; the round is dealt again"),
        ("IR-013 0 NS effect restore 14", "; play goes on from the position after action 14"),
        ("IR-060 0 NS effect revoke_talon NS", "; side 0 loses a talon"),
        ("IR-070 0 NS effect adjust 100 -50", "; the score is corrected: 100 to side 0, -50 to side 1"),
        ("IR-071 0 NS effect forfeit NS 2000", "; side 0 loses the game, 2000 points to the others"),
        ("IR-033 0 NS effect stop_clock", "; the clock is stopped"),
        ("IR-050 100 NS reverses 3", ": 100 points for side 0; ruling 3 is reversed"),
    ] {
        let parsed = Proposal::parse(&format!("ruling {line}"), &set()).expect(line).action;
        let english = said(Language::English, |say| action(&parsed, say));
        assert!(english.ends_with(expected), "{english}");
        assert_ne!(said(Language::German, |say| action(&parsed, say)), english);
    }
}

/// Checks events whose sentence is more than a template: cards that are not seen, choices by name, lists.
#[test]
fn events_say_what_their_viewer_sees() {
    let (seat, meld, side) = (Seat(2), MeldId(1), Side(0));
    let events: [(EventView, &str, &str); 12] = [
        (
            Event::Drawn {
                picks: vec![of_cards("Kd"), of_cards("X 2h")],
                seating: vec![Seat(1), Seat(0)],
                dealer: Seat(0),
            },
            "cards are drawn for seats (seat 0 X 2h · seat 1 Kd): seat 0 deals first",
            "die Plätze sind ausgelost (Platz 0 X 2h · Platz 1 Kd): zuerst gibt Platz 0",
        ),
        (
            Event::Dealt {
                hands: vec![Seen::Count(11), Seen::Cards(of_cards("4c 5c"))],
                foot_sizes: vec![],
                talon_sizes: vec![],
            },
            "the cards are dealt: seat 1 4c 5c",
            "die Karten sind gegeben: Platz 1 4c 5c",
        ),
        (Event::Drew { seat, cards: Seen::Count(2) }, "seat 2 drew 2 cards", "Platz 2 hat 2 Karten gezogen"),
        (
            Event::TookPile { seat, cards: Seen::Cards(of_cards("4c")) },
            "seat 2 took the pile: 4c to the hand",
            "Platz 2 hat den Ablagestapel genommen: 4c auf die Hand",
        ),
        (
            Event::TookPile { seat, cards: Seen::Cards(CardList::new()) },
            "seat 2 took the pile",
            "Platz 2 hat den Ablagestapel genommen",
        ),
        (
            Event::Canasta { side, meld, grade: Grade::Wild },
            "side 0 now has a canasta of wild cards: meld 1",
            "Partei 0 hat jetzt eine Canasta aus wilden Karten: Meldung 1",
        ),
        (
            Event::Froze { cause: FreezeCause::RedThree },
            "the pile is frozen: a red three lies in it",
            "der Ablagestapel ist gesperrt: eine rote Drei liegt darin",
        ),
        (
            Event::Discarded { seat, card: None, face_down: true },
            "seat 2 discarded a card face down",
            "Platz 2 hat eine Karte verdeckt abgeworfen",
        ),
        (
            Event::Asked { seat, about: About::Courtesy, to: Seat(0) },
            "seat 2 asked seat 0: may I meld after the discard?",
            "Platz 2 hat Platz 0 gefragt: darf ich nach dem Abwurf noch melden?",
        ),
        (
            Event::SpecialHand { seat, hand: SpecialHand::Garbage, cards: of_cards("4c") },
            "seat 2 showed a special hand (garbage): 4c",
            "Platz 2 hat ein besonderes Blatt gezeigt (Sätze): 4c",
        ),
        (
            Event::Ruled { id: 3, points: vec![100, 0, -50] },
            "ruling 3 holds: 100 to side 0, -50 to side 2",
            "Entscheidung 3 gilt: 100 an Partei 0, -50 an Partei 2",
        ),
        (Event::Scored, "the round is scored", "die Runde ist abgerechnet"),
    ];
    for (of, english, german) in events {
        assert_eq!(said(Language::English, |say| event(&of, say)), english);
        assert_eq!(said(Language::German, |say| event(&of, say)), german);
    }
}

#[test]
fn melds_score_lines_and_ends_have_names() {
    let name = |language, rank| said(language, |say| meld_name(MeldKind::Set, Some(rank), say));
    assert!(Rank::ALL.iter().all(|&rank| name(Language::English, rank) != "set"));
    let second = |language| said(language, |say| meld(name(language, Rank::Seven), 2, say));
    assert_eq!(
        [second(Language::English), second(Language::German)],
        ["the second sevens", "die Siebenen (2)"]
    );
    let line = |language| said(language, |say| score_line(Item::MixedCanastas, Some(3), say));
    assert_eq!(
        [line(Language::English), line(Language::German)],
        ["mixed canastas (3)", "gemischte Canastas (3)"]
    );
    let ends =
        EndReason::ALL.map(|reason| said(Language::German, |say| end(reason, Some(Seat(1)), true, say)));
    assert_eq!([&*ends[1], &*ends[7]], ["Platz 1 hat verdeckt ausgemacht", "diese Runde gilt nicht"]);
}
