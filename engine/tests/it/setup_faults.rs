//! Positions that cannot arise: every fault is reported in plain words, with its rule.

use canasta_engine::action::MeldKind;
use canasta_engine::card::{Card, Cards};
use canasta_engine::event::Grade;
use canasta_engine::notation::Position;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Answer, Courtesy, Loose, Permission, Phase, Setup, Source, TakenTop};

fn setup(text: &str) -> Setup {
    Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).setup()
}

fn faults(setup: Setup) -> Vec<String> {
    setup.as_it_stands().1.iter().map(ToString::to_string).collect()
}

/// Compares the faults of positions with texts that were written by hand, each with the rule that it cites.
#[test]
fn every_fault_is_named() {
    for (text, expected) in [
        (
            "classic-4p; to move N; hand N 7h 7h; melds NS 7s7d 8c; score 3 9; pile 5h",
            "NS's meld 7s 7d has two cards; a meld has three or more [CL-023]\n\
             NS's meld 8c has one card; a meld has three or more [CL-023]\n\
             NS's meld 8c has one natural card; a meld has two or more [CL-028]",
        ),
        (
            "classic-4p; drew; hand N 3h 4c",
            "N holds 3h; a red three is laid as soon as it comes to a hand [CL-069]",
        ),
        (
            "wahhi-2p; drew; hand 0 3h 4c; hand 1 3d",
            "seat 0 holds 3h; a red three is laid as soon as it comes to a hand [WH-060]\n\
             seat 1 holds 3d; a red three is laid as soon as it comes to a hand [WH-060]",
        ),
        (
            "bolivia-4p; drew; hand N 4c; melds NS 7s7c7d7h7s7c7d / 9s9c9d9h9s9c9d",
            "N has one card left in its turn and cannot keep it; going out needs one sequence canasta, and NS has none \
             [BO-010]",
        ),
        (
            "miller-6p-2x3; drew; hand 0 4c; melds 0 5s5s5h5h5d5d5c",
            "seat 0 has one card left in its turn and cannot keep it; going out needs three canastas, and side 0 has one \
             [CL-079 ML-005]\n\
             seat 0 has one card left in its turn and cannot keep it; going out needs two clean canastas, and side 0 has \
             one [ML-006]",
        ),
        (
            "classic-4p; to move N; drew; answered yes; hand N Kd 4c 5c; melds NS 7s7c7d7h7s7c7d / KsKhKc",
            "N has asked or must go out, and cannot go out with Kd 5c 4c [CL-085 AMB-16]",
        ),
        (
            "samba-4p; melds NS 4s5s7s",
            "NS's meld 7s 5s 4s is no unbroken sequence of one suit [SA-030 SA-031 SA-035]",
        ),
        (
            "classic-4p; to move N; hand N 4c 5c 6c; hand E 9; hand S 8; hand W 10; melds NS 7s7c7d; pile 9d; stock 69",
            "the zones together have 107 cards, the pack has 108: one is missing [CL-001]",
        ),
        (
            "classic-4p; hand N 4c; hand E 11; hand S 11; hand W 11; stock 74; pile 9d",
            "the zones together have 109 cards, the pack has 108: one is too many [CL-001]",
        ),
        (
            "classic-4p; hand N 4c 5c 6c; melds NS 7s7c7d; pile 6d 3d",
            "3d lies in the pile; a red three is laid, and one that is turned at the deal is covered [CL-012 CL-069]",
        ),
        (
            "classic-4p; hand N 4c 5c; melds NS 2s2h2d / 7s7c2c2sXX",
            "NS's meld 2s 2h 2d is of wild cards alone; the rule set has no such melds [CL-037]\n\
             NS's meld X X 7s 2s 7c 2c holds too many wild cards [CL-032 CL-035]",
        ),
    ] {
        let Ok(position) = Position::parse(text) else { panic!("{text}") };
        assert_eq!(faults(position.setup()).join("\n"), expected, "{text}");
    }
}

/// A way to make a setup impossible.
type Change = fn(&mut Setup);

/// One change each, so that every kind of fault speaks.
const CHANGES: &[Change] = &[
    |setup| setup.hands.truncate(2),
    |setup| setup.scores.clear(),
    |setup| setup.seating = vec![Seat(0); 4],
    |setup| setup.turn = Seat(9),
    |setup| setup.offered = Some(Seat(7)),
    |setup| setup.stock = vec![Card::JOKER; 900],
    |setup| _ = setup.stock.pop(),
    |setup| setup.stock.extend(cards("7s").iter()),
    |setup| setup.pile.extend(cards("3d").iter()),
    |setup| setup.stock[0] = setup.stock[1],
    |setup| setup.hands[1].insert(Card::parse("3d").expect("a card")),
    |setup| setup.feet = vec![Cards::EMPTY],
    |setup| setup.laid[1].insert(Card::JOKER),
    |setup| setup.meld(Side(1), MeldKind::Set, cards("7s 8s 9s")),
    |setup| setup.meld(Side(1), MeldKind::Set, cards("2s 2h 2d")),
    |setup| setup.meld(Side(1), MeldKind::Wild, cards("7s 2h 2d")),
    |setup| setup.meld(Side(1), MeldKind::Sequence, cards("7s 8s 9s")),
    |setup| setup.meld(Side(1), MeldKind::BlackThrees, cards("3s")),
    |setup| setup.has_melded = vec![Seat(1)],
    |setup| setup.start_len = 50,
    |setup| setup.loose = vec![Loose { meld: canasta_engine::action::MeldId(5), cards: cards("7s") }],
    |setup| setup.taken_top = Some(TakenTop { card: Card::JOKER, meld: None }),
    |setup| setup.phase = Phase::Taking,
    |setup| setup.cut.hands = true,
    |setup| setup.hands[0] = Cards::EMPTY,
    |setup| setup.source = Source::Stock,
    |setup| setup.phase = Phase::Play,
    |setup| setup.phase = Phase::Asked,
    |setup| setup.phase = Phase::RoundOver,
    |setup| setup.phase = Phase::Deal,
    |setup| setup.permission = Permission::Yes,
    |setup| setup.permission = Permission::No { by: Seat(2) },
    |setup| setup.permission = Permission::Pending { to: Seat(2) },
    |setup| setup.courtesy = Courtesy::Granted,
    |setup| setup.courteous = vec![Seat(1)],
    |setup| setup.no_discard = true,
    |setup| setup.answered = Some(Answer { by: Seat(2), yes: true }),
    |setup| setup.lone = Some(Seat(1)),
    |setup| setup.seating.swap(0, 1),
    |setup| setup.round = 0,
    |setup| setup.fresh = cards("3h"),
    |setup| setup.offered = Some(Seat(3)),
    |setup| setup.reveal = Some(Seat(3)),
    |setup| setup.special = Some(canasta_engine::action::SpecialHand::Pairs),
    |setup| setup.face_down = Some(Card::JOKER),
    |setup| setup.all_wild_draw = true,
];

fn cards(text: &str) -> Cards {
    text.split(' ').map(|card| Card::parse(card).expect("a card")).collect()
}

#[test]
fn no_fault_speaks_rust() {
    let mut kinds = std::collections::BTreeSet::new();
    for preset in ["classic-4p", "samba-4p", "hand-and-foot-4p", "american-4p", "hoyle-2p", "classic-6p-2x3"]
    {
        for (number, change) in CHANGES.iter().enumerate() {
            let mut changed = setup(&format!("{preset}; to move 0"));
            change(&mut changed);
            let Err(faults) = changed.into_table() else { continue };
            assert!(!faults.is_empty(), "{preset} {number}");
            for fault in faults {
                let text = fault.to_string();
                kinds.insert(fault.expected);
                let debug =
                    ["Some(", "None", "MeldId", "Seat(", "Side(", "Card", "{", "}", "::", "true", "false"];
                assert!(!debug.iter().any(|word| text.contains(word)), "{preset} {number}: {text}");
                assert!(!text.is_empty() && !text.ends_with('.'), "{preset} {number}: {text}");
                let words: Vec<&str> = text.split([' ', ';', ',']).collect();
                let plural = |pair: &[&str]| {
                    pair[0] == "one" && ["cards", "canastas", "seats", "feet", "times"].contains(&pair[1])
                };
                assert!(
                    !words.windows(2).any(plural) && !text.contains("no times"),
                    "{preset} {number}: {text}"
                );
            }
        }
    }
    println!("{} kinds of faults", kinds.len());
    assert!(kinds.len() > 30, "{kinds:#?}");
}

#[test]
fn grades_are_words() {
    let grades = [Grade::Natural, Grade::Mixed, Grade::Wild, Grade::Sequence];
    assert_eq!(grades.map(Grade::name), ["natural", "mixed", "wild", "sequence"]);
}
