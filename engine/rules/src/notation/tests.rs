//! Tests of texts, their strict form, the offsets of errors, and the conversion of states to text and back.

use super::*;
use crate::action::{Action, As};
use crate::apply::{act, apply};
use crate::check::{Dealt, check_deal, legal};
use crate::rules::{PRESETS, Rules};
use crate::scoring;
use crate::table::{Phase, Table};
use alloc::string::ToString;
use alloc::sync::Arc;

/// Texts with their strict form; an empty strict form is not tested.
const POSITIONS: &[(&str, &str)] = &[
    ("classic-4p", "classic-4p; to move N"),
    (
        "classic-4p; score 1620 980; to move N; hand N 7h X Kd 4c 4d; melds NS 7s7c7d; pile 5h 2c Js 7d frozen",
        "classic-4p; score 1620 980; to move N; hand N Kd 7h 4d 4c X; melds NS 7s7d7c; pile 5h 2c Js 7d",
    ),
    ("classic-4p take_canasta_rank=never take_layoff=incomplete;to move 2 ; drew; HAND s 10h x ♠", ""),
    (
        "classic-4p wild_melds=yes penalty_incomplete={\"W\":1000}; to move e; took; melds EW 2s2cX, KsKhKd / 3s3c3s; stock 0",
        "classic-4p wild_melds=yes penalty_incomplete={\"W\":1000}; to move E; took; melds EW 2s2cX / KsKhKd / 3s3s3c; stock -",
    ),
    (
        "classic-2p; to move 1; drew; melds 1 Ks Kh Kd; hand 1 -",
        "classic-2p; to move 1; drew; hand 1 -; melds 1 KsKhKd",
    ),
    (
        "classic-4p; to move W; took; melds EW KsKhKd QsQhQd; melded; first; began 1; answered no; pile -; stock 12",
        "classic-4p; to move W; took; melded; first; began 1; answered no; melds EW KsKhKd / QsQhQd; pile -; stock 12",
    ),
    (
        "miller-6p-2x3; to move 3; drew; asked 5; threes 4 3h3d; hand 0 13; dealer 0; round 4; attempt 2",
        "miller-6p-2x3; round 4; attempt 2; dealer 0; to move 3; drew; asked 5; hand 0 13; laid 4 3h 3d",
    ),
    (
        "classic-4p; game over; round over went_out N concealed; score 5120 -4300",
        "classic-4p; score 5120 -4300; to move N; round over went_out N concealed; game over",
    ),
    (
        "classic-4p; to move N; pile 3h 9d 7s; melds NS 3:KsKhKd; has melded S; has asked W N",
        "classic-4p; to move N; has melded S; has asked N W; melds NS 3:KsKhKd; pile 3h 9d 7s",
    ),
    ("classic-4p; to move N; pile 3h 9d 7s; upcards 1", "classic-4p; to move N; pile 3h 9d 7s; upcards 1"),
];

#[test]
fn positions_are_written_strictly() {
    for &(text, strict) in POSITIONS.iter().filter(|(_, strict)| !strict.is_empty()) {
        let position = Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(position.to_string(), strict);
        assert_eq!(Position::parse(strict).as_ref(), Ok(&position), "{strict}");
    }
}

#[test]
fn errors_have_their_place() {
    for (text, offset, expected) in [
        ("", 0, "a preset"),
        ("classic-9p", 0, "a preset"),
        ("classic-4p take_layoff=incomplete", 0, "knobs that fit together"),
        ("classic-4p take_layoff=some; to move N", 23, "a value"),
        ("classic-4p; to move Q", 20, "a seat"),
        ("classic-4p; hand N Ks Kz", 22, "a card"),
        ("classic-4p; hand N Ks Ks Ks", 25, "a card that the pack still has"),
        ("classic-4p; hand N Ks; hand N Kh", 23, "a section that is not there yet"),
        ("classic-4p; hans N Ks", 12, "a section such as"),
        ("classic-4p; score 1 2 3", 18, "the points of every side"),
        ("classic-4p; pile 5h frozen; melds NS 7s7h7d x x x x x", 52, "a card"),
        ("classic-4p; stock 109", 18, "no more cards than the pack has"),
        ("classic-4p; to move N; hand N 10♠ ♠", 36, "a card"),
    ] {
        let error = Position::parse(text).expect_err(text);
        assert_eq!(error.offset, offset, "{text}: {error}");
        assert!(error.expected.starts_with(expected), "{text}: {error}");
    }
    let long = "classic-4p; ".to_string() + &"x".repeat(POSITION_BYTES_MAX);
    assert_eq!(Position::parse(&long).expect_err("too long").offset, POSITION_BYTES_MAX);
}

/// Texts with their strict form; an empty strict form stands for the text itself, `error` for a text that is
/// refused.
const ACTIONS: &[(&str, &str)] = &[
    ("draw", ""),
    ("take", ""),
    ("take 7h X", ""),
    ("take onto 2", ""),
    ("take >new Ks kh also Qs Qh 2c; >3 5s", "take Ks Kh onto new also Qs Qh 2c / 5s onto 3"),
    ("meld Qs Qh Qd 2c / 5s 5h 5d", ""),
    (
        "meld >1 2c / >new Qs Qh Qd / wild 2s 2c X / black 3s 3c 3s",
        "meld 2c onto 1 / Qs Qh Qd onto new / 2s 2c X / 3s 3c 3s",
    ),
    (
        "meld 2c as wild onto 1 / Ks as black_threes / set 2s 2h 2d",
        "meld 2c onto 1 as wild / Ks as black_threes / 2s 2h 2d as set",
    ),
    ("meld Ah As onto 5 / as ah ad as set", "meld Ah As onto 5 / As Ah Ad"),
    ("meld -", ""),
    ("meld - as set", ""),
    ("meld - / Ks", "meld - as set / Ks"),
    ("meld Kc onto EW:0", ""),
    ("discard 10h", "discard Th"),
    ("ask", ""),
    ("ask S", ""),
    ("ask s courtesy", "ask S courtesy"),
    ("S: answer yes", ""),
    ("E:  ANSWER No", "E: answer no"),
    ("end", "end_round"),
    ("pass", ""),
    ("table: deal", ""),
    ("undo_meld 0 As", ""),
    ("merge_melds 0 1", ""),
    ("lay_threes 3h 3d", ""),
    ("special_hand pairs", ""),
    ("E: call_reveal N", ""),
    ("director: dispute close", ""),
    ("NS: sign NS", "error"),
    ("N: sign NS", ""),
];

#[test]
fn actions_are_written_strictly() {
    let rules = Rules::preset("classic-4p").unwrap();
    for &(text, strict) in ACTIONS {
        if strict == "error" {
            assert!(Proposal::parse(text, rules.set()).is_err());
            continue;
        }
        let strict = if strict.is_empty() { text } else { strict };
        let action = Proposal::parse(text, rules.set()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(action.to_text(rules.set()).as_deref(), Some(strict));
        assert_eq!(Proposal::parse(strict, rules.set()), Ok(action), "{strict}");
    }
    for (text, offset) in [
        ("", 0),
        ("dance", 0),
        ("discard", 7),
        ("discard Ks Kh", 8),
        ("meld Ks / 1z", 10),
        ("Q: draw", 0),
        ("draw 2", 5),
    ] {
        assert_eq!(Proposal::parse(text, rules.set()).expect_err(text).offset, offset, "{text}");
    }
}

/// Checks that unsaid zones are filled with the expected numbers of cards, and that the result is a state.
#[test]
fn what_is_not_said_is_filled() {
    for (text, hands, stock, laid) in [
        // 11 cards for each of four, one on the pile, four red threes at the bottom of the stock.
        ("classic-4p; to move N", [11, 11, 11, 11], 63, 0),
        ("classic-4p; to move N; hand N Ks Kh", [2, 11, 11, 11], 72, 0),
        // 108 - 4 red threes - 1 - 2, by three; the first seats get one more.
        ("classic-4p; to move N; hand N Ks Kh; stock 0", [2, 34, 34, 33], 0, 4),
        ("classic-4p; to move N; hand N Ks Kh; stock 20; hand W 5", [2, 38, 38, 5], 20, 4),
        ("classic-4p; to move N; drew; hand E 3; stock 4c", [33, 3, 33, 33], 1, 4),
    ] {
        let position = Position::parse(text).unwrap();
        let state = position.setup().into_table().unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
        let sizes: Vec<u16> = state.seats().map(|seat| state.hand(seat).len()).collect();
        assert_eq!(sizes, hands, "{text}");
        assert_eq!(state.stock_len(), stock, "{text}");
        assert_eq!(state.laid(Seat(1)).len(), laid, "{text}");
    }
}

/// Checks in every preset that a position is whole only as long as it names the cards of every zone: feet, talons and laid
/// threes as well as hands, pile and stock.
#[test]
fn a_position_that_leaves_out_a_zone_is_not_whole() {
    let mut left_out = Vec::new();
    for preset in PRESETS {
        let table = Position::parse(&alloc::format!("{preset}; to move 0; stock 20; hand 1 5")).unwrap();
        let table = table.setup().into_table().unwrap_or_else(|faults| panic!("{preset}: {faults:?}"));
        let text = Position::of(&table).to_string();
        assert!(Position::parse(&text).unwrap().is_whole(), "{text}");
        let sections: Vec<&str> = text.split("; ").collect();
        for zone in ["hand", "foot", "talon", "laid", "pile", "stock"] {
            let Some(at) = sections.iter().position(|section| section.starts_with(zone)) else { continue };
            let rest = [&sections[..at], &sections[at + 1..]].concat().join("; ");
            assert!(!Position::parse(&rest).is_ok_and(|position| position.is_whole()), "{rest}");
            left_out.push(zone);
        }
    }
    left_out.sort_unstable();
    left_out.dedup();
    assert_eq!(left_out, ["foot", "hand", "laid", "pile", "stock", "talon"]);
}

/// Shuffles a pack and deals it.
fn deal(table: &mut Table, rng: &mut u64) {
    let mut wall: Vec<Card> = table.rules.census().iter().collect();
    for i in (1..wall.len()).rev() {
        *rng = 6_364_136_223_846_793_005u64.wrapping_mul(*rng).wrapping_add(1);
        wall.swap(i, (*rng >> 33) as usize % (i + 1));
    }
    let deal = Action::Deal(Default::default());
    let legal = check_deal(table, As::Table, &deal, |_| Ok(Dealt::Wall(wall))).expect("a deal is due");
    apply(table, legal);
}

/// Checks that a state written as text and parsed again is equal, except for its step, and that every action
/// on the way has a text.
#[test]
fn states_come_back_from_their_text() {
    for (preset, seed) in [("classic-4p", 1), ("classic-2p", 2), ("classic-6p-3x2", 3), ("miller-6p-2x3", 4)]
    {
        let rules = Arc::new(Rules::preset(preset).unwrap());
        let mut rng = seed;
        for i in 0..4u64 {
            let mut state = Table::new(rules.clone(), Seat(0));
            rng += i;
            for _round in 0..2 {
                state.register(state.dealer());
                deal(&mut state, &mut rng);
                while state.phase() != Phase::RoundOver {
                    let steps = legal::steps(&state);
                    rng = 6_364_136_223_846_793_005u64.wrapping_mul(rng).wrapping_add(1);
                    let action = &steps.actions[(rng >> 33) as usize % steps.actions.len()];
                    let actor = state.to_act().map_or(As::Table, As::Seat);
                    let proposal = Proposal { actor: Some(actor), action: action.clone() };
                    let text = proposal.to_text(rules.set()).expect("a step has a text");
                    assert_eq!(Proposal::parse(&text, rules.set()), Ok(proposal), "{text}");
                    act(&mut state, actor, action).unwrap();
                    comes_back(&state);
                }
                if scoring::book(&mut state).1.is_some() {
                    break;
                }
                let text = Position::of(&state).to_string();
                assert_eq!(Position::parse(&text).unwrap().to_string(), text);
            }
        }
    }
}

fn comes_back(state: &Table) {
    let text = Position::of(state).to_string();
    let position = Position::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(position.to_string(), text);
    let mut again = position.setup().into_table().unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
    again.step = state.step;
    assert_eq!(&again, state, "{text}");
}

/// Checks that a position may name its players, wherever its sections stand, and is written without the names.
#[test]
fn players_are_read_and_not_written() {
    let named =
        "classic-4p; to move dee; drew; hand Dee 9c; melds Bob 7s7c7d; players Ann / Bob / Cleo / Dee";
    let position = Position::parse(named).expect("a position");
    assert_eq!(position.players(), ["Ann", "Bob", "Cleo", "Dee"]);
    assert_eq!(position.to_string(), "classic-4p; to move W; drew; hand W 9c; melds EW 7s7d7c");
    for (players, found) in [("Ann/Bob", "Ann/Bob"), ("A/ /C/D", "nothing"), ("A/B/a/D", "a")] {
        let fault = Position::parse(&alloc::format!("classic-4p; players {players}")).expect_err(players);
        assert_eq!(fault.found, found);
    }
}

/// Checks that every word of the list is read as an action, though most of them lack what must follow.
#[test]
fn every_verb_is_known() {
    let set = Rules::preset("classic-4p").expect("classic-4p is played");
    for verb in words::VERBS {
        let fault = Proposal::parse(verb, set.set()).err();
        let unknown = fault.is_some_and(|fault| fault.expected.starts_with("an action such as"));
        assert!(!unknown, "{verb}");
    }
}

fn hand_of(text: &str, action: &str) -> String {
    let position = Position::parse_beside(text, action).unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut out = String::new();
    write_cards(&mut out, sorted(&position.named().hands[0]), " ");
    out
}

/// Checks cards that paper names by their rank alone: clubs first, then diamonds, hearts and spades; named cards keep
/// their suits, and those that an action beside names are taken first.
#[test]
fn suits_are_given_where_none_is_written() {
    let all = |cards: &str| alloc::format!("classic-4p; to move N; drew; hand N {cards}; pile 5h");
    assert_eq!(hand_of(&all("KKK 4 Joker"), ""), "Kd Kc Kc 4c X");
    assert_eq!(hand_of(&all("K? K? Kc Kc *"), ""), "Kd Kd Kc Kc X");
    assert_eq!(hand_of(&all("KKKs"), ""), "Ks Kc Kc");
    assert_eq!(hand_of(&all("KKK 10 jk"), "meld KsKhKd"), "Ks Kh Kd Tc X");
    // Two packs have eight fours: two of each suit.
    assert_eq!(hand_of(&all("4444 4444"), ""), "4s 4s 4h 4h 4d 4d 4c 4c");
    assert!(Position::parse(&all("4444 4444 4")).is_err());
    let three = Position::parse(&all("K 3")).expect_err("red or black");
    assert_eq!(three.expected, "a three with its suit, because red and black ones differ");
    let samba = Position::parse("samba-4p; hand N K 4c").expect_err("sequences");
    assert_eq!(samba.expected, "a card with its suit, because suits make sequences");
    assert!(Position::parse("samba-4p; hand N Kd Joker").is_ok());
}

#[test]
fn an_action_without_suits_plays_cards_of_the_hand() {
    let position = "classic-4p; to move N; drew; hand N Ks Kh Kd Qs Qh 2c 4d; pile 5h";
    let table = Position::parse(position).expect("a position").setup().into_table().expect("a table");
    let at = |text: &str| Proposal::parse_at(text, &table).map(|proposal| proposal.to_text(table.set()));
    assert_eq!(at("meld KKK / QQ2"), Ok(Some("meld Kd Kh Ks / Qh Qs 2c".into())));
    assert_eq!(at("discard 4"), Ok(Some("discard 4d".into())));
    // A card that the hand does not have is one of the pack: whether it may be played is judged afterwards.
    assert_eq!(at("discard 9"), Ok(Some("discard 9c".into())));
    assert!(Proposal::parse("discard 9", table.set()).is_err(), "nobody says whose hand it is");
}

/// Checks that a position is public if it says the pile and how many cards each hand has.
#[test]
fn what_all_players_see_makes_a_position_public() {
    let is_public = |text: &str| Position::parse(text).expect(text).is_public();
    assert!(is_public("classic-2p; to move 0; hand 0 15; hand 1 Kd Kh; pile 5h"));
    assert!(
        !is_public("classic-2p; to move 0; hand 0 15; pile 5h"),
        "nobody says how many cards are in the other hand"
    );
    assert!(!is_public("classic-2p; to move 0; pile 5h"));
    assert!(!is_public("classic-2p; to move 0; hand 0 15; hand 1 Kd Kh"));
    assert!(
        !is_public("classic-2p; to move 0; hand 0 15; hand 1 Kd Kh; pile 3"),
        "all have seen the cards of the pile"
    );
}

#[test]
fn a_pile_may_be_counted() {
    let position = Position::parse("classic-4p; hand N 4c 5c; pile 27").expect("a position");
    assert_eq!(position.unknown_in_pile(), 27);
    assert!(Position::parse("classic-4p; pile 109").is_err());
    let top = Position::parse("classic-4p; pile ?? ?? 9d").expect("a position");
    assert_eq!(top.unknown_in_pile(), 2);
}

/// Checks that no character of a quoted text hides, ends the line or turns its direction, and that each comes back.
#[test]
fn quoted_texts_show_what_is_in_them() {
    let text = "a\"b\\c\nd\u{7}e\u{202e}f\u{2028}é";
    let mut quoted = String::new();
    words::quote(text, &mut quoted);
    assert_eq!(quoted, r#""a\"b\\c\nd\u{7}e\u{202e}f\u{2028}é""#);
    let (read, rest) = words::unquote(Span::of(&quoted)).expect("a text in quotes");
    assert_eq!((&read[..], rest.text), (text, ""));
}
