//! Tests about the table: names, numbers, order, citations, pages. Sources: sections 4, 4.1 and 4.3 of the
//! rulebook's model.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::*;
use crate::card::{Card, Cards};
use crate::citation::{Books, cite};
use crate::rulebook;
use crate::rules::PresetId;

/// The codes of all releases in the order of their numbers, from 1: those of release 0.1.0 are the catalogue 4.1, row by
/// row. A release adds its codes.
const RELEASED: &str = "
    GAME_OVER GAME_ROUND_OVER GAME_DISPUTE_OPEN GAME_CLOCK SETUP_KNOBS SETUP_PLAYER_COUNT SETUP_SIDES SETUP_DECK
    SETUP_DEAL SETUP_START_CARD SETUP_DEALER SETUP_DRAW_TIED SETUP_WRONG_TIME TURN_NOT_YOURS TURN_OVER
    TURN_ACTION_NOT_IN_RULES TURN_DRAW_FIRST TURN_ALREADY_DREW TURN_WRONG_PHASE TURN_EMPTY_ACTION
    TURN_CARD_NOT_IN_HAND STOCK_EMPTY STOCK_NOT_EMPTY STOCK_MUST_TAKE_PILE PILE_EMPTY PILE_TOP_WILD
    PILE_TOP_BLACK_THREE PILE_TOP_RED_THREE PILE_ONE_CARD PILE_FORFEITED PILE_BURIED_CARD
    PILE_INITIAL_TURN_FORBIDDEN PILE_CANASTA_RANK_FORBIDDEN PILE_FROZEN_NEEDS_PAIR PILE_NEEDS_PAIR
    PILE_LAYOFF_FORBIDDEN PILE_CANASTA_TARGET_FORBIDDEN PILE_CANASTA_WILDS_FULL PILE_SEQUENCE_START
    PILE_SEQUENCE_BRIDGED PILE_TOP_NOT_MELDED PILE_MELD_TOO_FULL PILE_INITIAL_MELD_FIRST PILE_PENDING
    PILE_RESTORE_FORBIDDEN MELD_KIND_MISMATCH MELD_WILD_MELD_OFF MELD_SEQUENCE_OFF MELD_NOT_FOUND
    MELD_NOT_OWN_SIDE MELD_FIXED MELD_SEQUENCE_WILD MELD_SEQUENCE_SUITS MELD_SEQUENCE_DUPLICATE MELD_SEQUENCE_GAP
    MELD_MIXED_RANKS MELD_RANK_DUPLICATE MELD_RANK_CLOSED_BY_OPPONENTS MELD_TOO_SMALL MELD_TOO_LARGE
    MELD_CANASTA_CLOSED MELD_RANK_TAKES_NO_WILD MELD_TOO_FEW_NATURALS MELD_WILDS_OUTNUMBER MELD_TOO_MANY_WILDS
    MELD_MERGE_FORBIDDEN THREE_NOT_MELDABLE THREE_BLACK_WILD THREE_BLACK_COUNT THREE_BLACK_NOT_LAST
    THREE_BLACK_NOT_GOING_OUT THREE_LAY_WRONG_TIME THREE_MUST_BE_LAID MELD_WILDS_LOCKED INITIAL_BELOW_MINIMUM
    INITIAL_CONTENT_MISSING GO_OUT_DISCARD_REQUIRED GO_OUT_NOT_ASKED GO_OUT_REFUSED MELD_LEAVES_TOO_FEW_CARDS
    GO_OUT_NEEDS_CANASTAS GO_OUT_NEEDS_CLEAN GO_OUT_NEEDS_WILD GO_OUT_NEEDS_SEQUENCE GO_OUT_NEEDS_HANDS_FINISHED
    GO_OUT_INCOMPLETE_MELD MELD_LEAVES_NO_FINISH GO_OUT_BOUND DISCARD_REQUIRED DISCARD_PENALTY_CARD_FIRST
    DISCARD_THREE_FORBIDDEN DISCARD_WILD_FORBIDDEN DISCARD_RANK_ON_EMPTY_PILE DISCARD_SAFE_ON_EMPTY_PILE
    ASK_NO_PARTNER ASK_PENDING ASK_NOTHING_PENDING ASK_NOT_ADDRESSED ASK_USED_UP ASK_TOO_LATE ASK_CANNOT_GO_OUT
    ASK_NO_CHOICE SPECIAL_NOT_AGREED SPECIAL_NOT_AFTER_STOCK_DRAW SPECIAL_SIDE_HAS_MELDED SPECIAL_WRONG_SIZE
    SPECIAL_SHAPE TALON_NOT_AVAILABLE REVEAL_NOT_AVAILABLE RULING_NOT_AUTHORISED RULING_SIDE_INVALID
    RULING_UNKNOWN_RULE RULING_POINTS_OUT_OF_RANGE RULING_TOO_LATE RULING_EFFECT_NOT_APPLICABLE
    RULING_ALREADY_REVERSED EVENT_REPEAT_OPPONENTS GO_OUT_NEEDS_MIXED GO_OUT_NEEDS_RANK";

/// The gates of 4.3 in order.
const GATES: &str = "
    GAME_OVER GAME_ROUND_OVER GAME_DISPUTE_OPEN GAME_CLOCK SETUP_WRONG_TIME
    ASK_PENDING TURN_NOT_YOURS TURN_OVER
    TURN_ACTION_NOT_IN_RULES TURN_DRAW_FIRST TURN_ALREADY_DREW TURN_WRONG_PHASE
    TURN_EMPTY_ACTION PILE_BURIED_CARD TURN_CARD_NOT_IN_HAND";

/// Sub-lists of 4.3: the shape of a group (common, then one of three), the reasons against going out, the size.
const SHAPE: &str =
    "THREE_NOT_MELDABLE MELD_KIND_MISMATCH MELD_WILD_MELD_OFF MELD_SEQUENCE_OFF MELD_NOT_FOUND
    MELD_NOT_OWN_SIDE";
const SHAPES: [&str; 3] = [
    "MELD_SEQUENCE_WILD MELD_SEQUENCE_SUITS MELD_SEQUENCE_DUPLICATE MELD_SEQUENCE_GAP MELD_TOO_SMALL MELD_TOO_LARGE",
    "MELD_MIXED_RANKS MELD_RANK_DUPLICATE MELD_RANK_CLOSED_BY_OPPONENTS MELD_TOO_SMALL MELD_TOO_LARGE
     MELD_CANASTA_CLOSED MELD_RANK_TAKES_NO_WILD MELD_TOO_FEW_NATURALS MELD_WILDS_OUTNUMBER MELD_TOO_MANY_WILDS",
    "THREE_BLACK_WILD THREE_BLACK_COUNT THREE_BLACK_NOT_LAST",
];
const OUT: &str = "GO_OUT_NEEDS_CANASTAS GO_OUT_NEEDS_CLEAN GO_OUT_NEEDS_WILD GO_OUT_NEEDS_SEQUENCE
    GO_OUT_NEEDS_MIXED GO_OUT_NEEDS_RANK GO_OUT_NEEDS_HANDS_FINISHED GO_OUT_INCOMPLETE_MELD";
const INITIAL: &str = "INITIAL_BELOW_MINIMUM INITIAL_CONTENT_MISSING";

/// The list of each action after the gates, as 4.3 gives it; `{..}` stands for a sub-list. One check is outside any
/// total order and left out: MELD_MIXED_RANKS of the cards offered with the top.
const ACTIONS: &[&str] = &[
    "SETUP_PLAYER_COUNT SETUP_SIDES SETUP_DECK SETUP_KNOBS SETUP_DRAW_TIED SETUP_DEALER SETUP_DEAL SETUP_START_CARD",
    "STOCK_EMPTY THREE_MUST_BE_LAID",
    "THREE_MUST_BE_LAID PILE_FORFEITED PILE_EMPTY PILE_TOP_WILD PILE_TOP_BLACK_THREE PILE_TOP_RED_THREE
     PILE_ONE_CARD STOCK_MUST_TAKE_PILE PILE_INITIAL_TURN_FORBIDDEN PILE_CANASTA_RANK_FORBIDDEN
     PILE_FROZEN_NEEDS_PAIR PILE_NEEDS_PAIR PILE_CANASTA_WILDS_FULL PILE_LAYOFF_FORBIDDEN
     PILE_CANASTA_TARGET_FORBIDDEN PILE_SEQUENCE_START PILE_SEQUENCE_BRIDGED PILE_TOP_NOT_MELDED
     PILE_MELD_TOO_FULL {shape} MELD_WILDS_LOCKED PILE_INITIAL_MELD_FIRST {initial} {size}",
    "PILE_RESTORE_FORBIDDEN",
    "THREE_LAY_WRONG_TIME",
    "THREE_MUST_BE_LAID {shape} MELD_WILDS_LOCKED {initial} {size}",
    "MELD_NOT_FOUND MELD_NOT_OWN_SIDE MELD_MERGE_FORBIDDEN MELD_CANASTA_CLOSED MELD_TOO_MANY_WILDS",
    "MELD_FIXED",
    "PILE_PENDING THREE_MUST_BE_LAID {shape} MELD_WILDS_LOCKED {initial} DISCARD_PENALTY_CARD_FIRST
     GO_OUT_NOT_ASKED GO_OUT_REFUSED {out}",
    "PILE_PENDING THREE_MUST_BE_LAID {shape} MELD_WILDS_LOCKED {initial} DISCARD_PENALTY_CARD_FIRST
     DISCARD_THREE_FORBIDDEN DISCARD_WILD_FORBIDDEN DISCARD_RANK_ON_EMPTY_PILE DISCARD_SAFE_ON_EMPTY_PILE
     GO_OUT_BOUND",
    "PILE_PENDING {shape} MELD_WILDS_LOCKED {initial} DISCARD_REQUIRED",
    "ASK_USED_UP ASK_TOO_LATE ASK_CANNOT_GO_OUT ASK_NO_CHOICE",
    "SPECIAL_SIDE_HAS_MELDED SPECIAL_WRONG_SIZE SPECIAL_SHAPE",
    "STOCK_NOT_EMPTY STOCK_MUST_TAKE_PILE",
    "TALON_NOT_AVAILABLE",
    "REVEAL_NOT_AVAILABLE",
    "RULING_NOT_AUTHORISED RULING_TOO_LATE RULING_SIDE_INVALID RULING_UNKNOWN_RULE RULING_POINTS_OUT_OF_RANGE
     RULING_EFFECT_NOT_APPLICABLE RULING_ALREADY_REVERSED",
];

/// Lists that replace the gates.
const IN_PLACE: [&str; 4] = [
    "GAME_OVER ASK_NOTHING_PENDING ASK_NOT_ADDRESSED TURN_ACTION_NOT_IN_RULES",
    "TURN_OVER ASK_NO_PARTNER TURN_DRAW_FIRST",
    "TURN_OVER SPECIAL_NOT_AGREED SPECIAL_NOT_AFTER_STOCK_DRAW TURN_ALREADY_DREW",
    "GAME_CLOCK RULING_NOT_AUTHORISED",
];

fn code(name: &str) -> Code {
    Code::from_name(name).unwrap_or_else(|| panic!("{name} is no code"))
}

fn precedence(name: &str) -> usize {
    code(name).entry().precedence()
}

fn assert_in_order(list: &str) {
    let names: Vec<_> = list.split_whitespace().collect();
    for pair in names.windows(2) {
        assert!(precedence(pair[0]) < precedence(pair[1]), "{} comes before {}", pair[0], pair[1]);
    }
}

#[test]
fn numbers_and_names_are_those_released() {
    assert!(RELEASED.split_whitespace().count() <= Code::COUNT);
    assert_eq!(ALL.len(), Code::COUNT);
    for (number, name) in (1..).zip(RELEASED.split_whitespace()) {
        let code = code(name);
        assert_eq!(code.number(), number, "{name}");
        assert_eq!(code.name(), name);
        assert_eq!(format!("{code}"), name);
        assert_eq!(Code::from_number(number), Some(code));
        assert_eq!(code.entry().code, code);
    }
    assert_eq!(Code::from_number(0), None);
    assert_eq!(Code::from_number(1 + Code::COUNT as u16), None);
    assert_eq!(Code::from_name("Game_Over"), None);
}

#[test]
fn a_variant_is_its_name_in_camel_case() {
    for entry in ALL {
        let camel: String = entry
            .name
            .split('_')
            .flat_map(|word| word.chars().take(1).chain(word.chars().skip(1).map(|c| c.to_ascii_lowercase())))
            .collect();
        assert_eq!(format!("{:?}", entry.code), camel);
    }
}

#[test]
fn the_order_agrees_with_every_list_of_4_3() {
    assert_in_order(GATES);
    IN_PLACE.iter().for_each(|list| assert_in_order(list));
    let size = "THREE_BLACK_NOT_GOING_OUT GO_OUT_DISCARD_REQUIRED GO_OUT_NOT_ASKED GO_OUT_REFUSED
        MELD_LEAVES_TOO_FEW_CARDS {out} MELD_LEAVES_NO_FINISH GO_OUT_BOUND";
    for list in ACTIONS {
        for shape in SHAPES {
            let list = list
                .replace("{shape}", &format!("{SHAPE} {shape}"))
                .replace("{initial}", INITIAL)
                .replace("{size}", size)
                .replace("{out}", OUT);
            assert_in_order(&format!("TURN_CARD_NOT_IN_HAND {list}"));
        }
    }
}

#[test]
fn summaries_and_facts_are_plain() {
    for entry in ALL {
        assert!(!entry.summary.is_empty() && !entry.summary.ends_with('.'), "{}", entry.name);
        assert!(entry.summary.starts_with(|c: char| c.is_lowercase()), "{}", entry.name);
        for language in Language::ALL {
            assert!(!entry.template(language).ends_with('.'), "{}", entry.name);
        }
        for fact in entry.facts {
            assert!(
                fact.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'),
                "{} {}",
                entry.name,
                fact.name
            );
        }
    }
}

/// Checks that one name of a fact means one type, in refusals and in repairs.
#[test]
fn facts_with_one_name_have_one_type() {
    let repairs = crate::rejection::REPAIRS.iter().flat_map(|repair| repair.facts);
    let facts: Vec<_> = ALL.iter().flat_map(|entry| entry.facts).chain(repairs).collect();
    for fact in &facts {
        let other = facts.iter().find(|other| other.name == fact.name && other.kind != fact.kind);
        assert!(other.is_none(), "{} is {:?} and {:?}", fact.name, fact.kind, other);
    }
}

/// Checks that what is found is compared with something, and the other way round.
#[test]
fn a_number_found_has_one_to_compare_it_with() {
    for entry in ALL {
        let has = |name| entry.fact(name).is_some();
        assert!(!has("found") || has("required") || has("allowed") || has("range"), "{}", entry.name);
        assert!(!has("required") && !has("allowed") || has("found"), "{}", entry.name);
    }
}

/// Checks the ids that a refusal names against ids worked out by hand from the first paragraph of section 4
/// and the rows of 4.1.
#[test]
fn a_refusal_names_the_rules_of_its_books() {
    for (name, preset, switched, expected) in [
        ("PILE_FROZEN_NEEDS_PAIR", "classic-4p", "", "CL-050 CL-051 CL-052 CL-053 CL-116"),
        ("PILE_FROZEN_NEEDS_PAIR", "classic-4p", "CV-011", "CL-050 CL-051 CL-052 CL-053 CL-116 CV-011"),
        ("PILE_FROZEN_NEEDS_PAIR", "hoyle-2p", "", "HN-037 HN-038"),
        ("PILE_FROZEN_NEEDS_PAIR", "american-4p", "", "CL-050 CL-051 CL-052 CL-053 CL-116"),
        ("PILE_FROZEN_NEEDS_PAIR", "bolivia-4p", "", "SA-047"),
        ("PILE_FROZEN_NEEDS_PAIR", "gr-4p", "", "GR-032"),
        ("PILE_NEEDS_PAIR", "classic-4p", "CV-002", "CV-002"),
        ("PILE_NEEDS_PAIR", "classic-4p", "", "CV-002"),
        ("PILE_ONE_CARD", "classic-4p", "", "AMB-11"),
        ("PILE_ONE_CARD", "hand-and-foot-4p", "", "AMB-11"),
        ("SETUP_KNOBS", "classic-4p", "", "CL-001"),
        ("SETUP_KNOBS", "classic-4p", "CV-001 CV-005 CV-010", "CL-001 CV-005 CV-010"),
        ("SETUP_SIDES", "classic-6p-3x2", "", "CL-006 P6-003"),
        ("MELD_NOT_OWN_SIDE", "classic-3p-11", "", "CL-027 P3-003"),
        ("MELD_NOT_OWN_SIDE", "s3-4p", "", "S3-010"),
        ("THREE_BLACK_COUNT", "classic-4p", "", "CL-076"),
        ("THREE_BLACK_COUNT", "classic-6p-2x3", "", "CL-076 P6-011"),
        ("THREE_BLACK_COUNT", "miller-6p-2x3", "", "CL-076 P6-011"),
        ("ASK_NO_PARTNER", "classic-2p", "", "CL-085 P2-005 AMB-21"),
        ("ASK_NO_PARTNER", "classic-3p", "", "CL-085 AMB-21"),
        ("ASK_NO_PARTNER", "wahhi-5p", "", "WH-083"),
        ("GO_OUT_NEEDS_CLEAN", "miller-6p-2x3", "", "ML-006"),
        ("GO_OUT_NEEDS_CLEAN", "hand-and-foot-6p", "", "HF-083"),
        ("GO_OUT_NEEDS_CLEAN", "samba-4p", "", "ML-006"),
        ("MELD_LEAVES_TOO_FEW_CARDS", "hand-and-foot-4p", "", "AMB-HF-26"),
        ("MELD_LEAVES_TOO_FEW_CARDS", "manzana-2p", "", "MZD-06"),
        ("MELD_LEAVES_TOO_FEW_CARDS", "american-4p", "", "MA-075"),
        ("MELD_LEAVES_NO_FINISH", "american-wikipedia-4p", "", "MA-077 AC-42"),
        ("MELD_KIND_MISMATCH", "bolivia-4p", "", "BOD-06 BO-002"),
        ("SPECIAL_NOT_AGREED", "american-4p", "", "MA-142"),
        ("SPECIAL_NOT_AGREED", "american-4p", "MV-009", "MA-142 MV-009"),
        ("GAME_DISPUTE_OPEN", "classic-4p", "", "IR-107 TF-024"),
        ("GAME_OVER", "classic-4p", "", "CL-109"),
        ("GO_OUT_NOT_ASKED", "american-4p", "", "IR-055"),
        ("TURN_OVER", "classic-4p", "", "HF-072"),
    ] {
        let books = Books::new(PresetId::from_name(preset).expect("a preset"), switched.split_whitespace());
        let found: Vec<_> = cite(code(name), &books).collect();
        assert_eq!(found.join(" "), expected, "{name} under {preset} {switched}");
    }
}

#[test]
fn every_code_cites_something_under_every_preset() {
    for preset in PresetId::all() {
        let books = Books::new(preset, []);
        assert!(ALL.iter().all(|entry| cite(entry.code, &books).next().is_some()), "{}", preset.name());
    }
}

fn is_classic(id: &str) -> bool {
    let book = id.split('-').next().unwrap();
    ["CL", "CV", "P2", "P3", "P6", "ML", "CLAR"].contains(&book)
        || (book == "AMB" && id.len() == "AMB-00".len())
}

#[test]
fn every_classic_rule_of_a_row_is_in_the_rulebook() {
    for entry in ALL {
        assert!(entry.rules().next().is_some(), "{}", entry.name);
        for id in entry.rules().filter(|id| is_classic(id)) {
            assert!(rulebook::rule(id).is_some(), "{} names {id}", entry.name);
            assert!(raised_by(id).any(|code| code == entry.code));
        }
    }
}

#[test]
fn every_page_has_its_headings_in_order() {
    for entry in ALL {
        let page = entry.page();
        let mut lines = page.lines();
        assert_eq!(lines.next(), Some(&*format!("# {}", entry.name)));
        let headings: Vec<_> = lines.filter_map(|line| line.strip_prefix("## ")).collect();
        let expected = "What the rule says|What is refused|What is still allowed|Example|Source";
        assert_eq!(headings.join("|"), expected, "{}", entry.name);
        let is_filled = |part: &str| part.lines().nth(2).is_some_and(|line| !line.is_empty());
        assert!(page.split("\n## ").skip(1).all(is_filled));
        let is_short = |line: &str| line.starts_with("position:") || line.len() <= 110;
        assert!(page.lines().all(is_short), "{}", entry.name);
    }
}

/// Returns the words of a page's prose that look like rule ids.
fn ids(page: &str) -> impl Iterator<Item = &str> {
    page.split("```").step_by(2).flat_map(|prose| prose.split_whitespace()).map(trim).filter(|word| {
        let Some((book, number)) = word.rsplit_once('-') else { return false };
        !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
            && book.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-')
            && book.starts_with(|c: char| c.is_ascii_uppercase())
    })
}

fn trim(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_ascii_alphanumeric())
}

/// Checks that every id on a page exists. Classic ids are in the rulebook; ids of other books are there, or
/// at least in some row.
#[test]
fn every_rule_a_page_names_exists() {
    for entry in ALL {
        assert!(ids(entry.page()).next().is_some(), "{} names no rule", entry.name);
        for id in ids(entry.page()) {
            let known = rulebook::rule(id).is_some() || (!is_classic(id) && raised_by(id).next().is_some());
            assert!(known, "{} names {id}", entry.name);
        }
    }
}

#[test]
fn every_code_a_page_names_exists() {
    for entry in ALL {
        for word in entry.page().split_whitespace().map(trim).filter(|word| word.contains('_')) {
            let family =
                RELEASED.split_whitespace().any(|n| word.starts_with(n.split_inclusive('_').next().unwrap()));
            assert!(!family || Code::from_name(word).is_some(), "{} names {word}", entry.name);
        }
    }
}

#[test]
fn every_page_has_an_example_of_its_code() {
    for entry in ALL {
        let example = entry.example().unwrap_or_else(|| panic!("{} has no example", entry.name));
        assert!(example.refused.split(' ').any(|name| name == entry.name), "{}", entry.name);
        assert_in_order(example.refused);
        assert_ne!(Some(example.action), example.allowed, "{}", entry.name);
    }
}

/// Returns the cards in a text of cards, written apart or together.
fn cards(text: &str) -> Vec<Card> {
    let mut found = Vec::new();
    for word in text.split([' ', '/']) {
        let mut rest = word;
        let mut here = Vec::new();
        while !rest.is_empty() {
            let size = if rest.starts_with('X') { 1 } else { 2.min(rest.len()) };
            let Some(card) = Card::parse(&rest[..size]) else { break };
            here.push(card);
            rest = &rest[size..];
        }
        if rest.is_empty() {
            found.extend(here);
        }
    }
    found
}

/// Returns the number of packs of a preset.
fn packs(preset: &str) -> u8 {
    match preset.split_once('-').unwrap().0 {
        "samba" | "bolivia" | "miller" => 3,
        "hand" => 6,
        _ => 2,
    }
}

/// Checks that an example can be set up: no card occurs more often than in the packs, and the actor holds the
/// cards played.
#[test]
fn examples_use_cards_that_exist() {
    for entry in ALL {
        let example = entry.example().unwrap();
        let mut fields = example.position.split("; ");
        let packs = packs(fields.next().filter(|preset| *preset != "none").unwrap_or("classic-4p"));
        let zones = ["hand ", "melds ", "laid ", "pile ", "taking "];
        let fields: Vec<_> =
            fields.filter(|field| zones.iter().any(|zone| field.starts_with(zone))).collect();
        let table: Cards = fields.iter().flat_map(|field| cards(field)).collect();
        for (card, count) in table.kinds() {
            let most = if card.rank() == crate::card::Rank::Joker { 2 * packs } else { packs };
            assert!(count <= most, "{}: {count} of {card}", entry.name);
        }
        let hand: Cards =
            fields.iter().filter(|field| field.starts_with("hand ")).flat_map(|f| cards(f)).collect();
        let not_held =
            [Code::TurnCardNotInHand, Code::PileBuriedCard, Code::MeldFixed, Code::TurnActionNotInRules];
        let plays = |action: &str| {
            ["take", "meld ", "discard", "lay_threes"].iter().any(|verb| action.contains(verb))
        };
        for action in
            [Some(example.action), example.allowed].into_iter().flatten().filter(|action| plays(action))
        {
            let held = hand.contains(&cards(action).into_iter().collect());
            assert!(held || not_held.contains(&entry.code), "{}: {action} is not in hand", entry.name);
        }
    }
}
