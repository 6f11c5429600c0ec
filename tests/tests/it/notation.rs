//! Notation of any content: nothing panics, the strict form is unique and has the same value, and every position that
//! can be set up can be judged.

use canasta_engine::action::{Action, As};
use canasta_engine::apply::act;
use canasta_engine::invariant;
use canasta_engine::notation::{POSITION_BYTES_MAX, Position, Proposal};
use canasta_engine::rules::Rules;
use proptest::prelude::*;

/// Pieces of positions and actions, correct and wrong ones.
const PIECES: &[&str] = &[
    "classic-4p",
    "classic-2p",
    "miller-6p-2x3",
    "american-4p",
    "wild_melds=yes",
    "wild_lock=yes",
    "hand_size=2",
    "penalty_incomplete={\"W\":1000}",
    "take_layoff=incomplete",
    "take_canasta_rank=never",
    "seats=3",
    ";",
    ";",
    ";",
    ";",
    " ",
    " ",
    " ",
    " ",
    "score",
    "round",
    "round over",
    "attempt",
    "dealer",
    "to move",
    "to register",
    "to deal",
    "drew",
    "took",
    "melded",
    "first",
    "began",
    "added",
    "asked",
    "answered",
    "game over",
    "has melded",
    "has asked",
    "hand",
    "laid",
    "threes",
    "melds",
    "pile",
    "upcards",
    "stock",
    "N",
    "E",
    "S",
    "W",
    "NS",
    "EW",
    "0",
    "1",
    "2",
    "7",
    "50",
    "65535",
    "-",
    "-",
    "/",
    ",",
    ":",
    ">",
    "yes",
    "no",
    "courtesy",
    "went_out",
    "last_three",
    "concealed",
    "frozen",
    "Ks",
    "Kh",
    "kd",
    "Kc",
    "10h",
    "7♠",
    "2c",
    "2s",
    "X",
    "X",
    "3h",
    "3d",
    "3s",
    "3c",
    "As",
    "AsAhAd",
    "2s2cX",
    "draw",
    "take",
    "meld",
    "discard",
    "ask",
    "answer",
    "end",
    "pass",
    "deal",
    "onto",
    "new",
    "also",
    "as",
    "wild",
    "set",
    "black",
    "sequence",
    "undo_meld",
    "merge_melds",
    "table:",
    "director:",
    "sign",
    "é",
    "\u{202e}",
];

fn text() -> impl Strategy<Value = String> {
    let pieces = proptest::collection::vec(proptest::sample::select(PIECES), 0..40);
    (any::<bool>(), pieces).prop_map(|(head, pieces)| {
        let body = pieces.join(" ");
        if head { format!("classic-4p; {body}") } else { body }
    })
}

/// Returns a strategy for positions made of sections that are correct by themselves.
fn sections() -> impl Strategy<Value = String> {
    let one = prop_oneof![
        Just("drew"),
        Just("took"),
        Just("melded"),
        Just("first"),
        Just("added"),
        Just("began 1"),
        Just("asked"),
        Just("answered no"),
        Just("answered yes"),
        Just("round over went_out N"),
        Just("game over"),
        Just("to deal"),
        Just("score 1500 -20"),
        Just("to move S"),
        Just("to move 3"),
        Just("dealer E"),
        Just("has melded W"),
        Just("has melded -"),
        Just("has asked N S"),
        Just("hand N Ks Kh 2c"),
        Just("hand E 5"),
        Just("hand S -"),
        Just("laid W 3h"),
        Just("melds NS 7s7h7d / KdKcKs"),
        Just("melds EW 2s2cX, 3s3c3s"),
        Just("pile 5h 2d 7c"),
        Just("pile -"),
        Just("pile 3d 9c"),
        Just("upcards 1"),
        Just("stock 12"),
        Just("stock 0"),
        Just("stock 3h 9h"),
    ];
    proptest::collection::vec(one, 0..12).prop_map(|sections| format!("classic-4p; {}", sections.join("; ")))
}

fn action() -> impl Strategy<Value = String> {
    let card = proptest::sample::select(&[
        "Ks", "Kh", "Kd", "Kc", "7s", "7h", "7d", "7c", "2c", "2s", "X", "3s", "3c", "5h", "9h", "4c", "4d",
        "4h",
    ]);
    let cards = proptest::collection::vec(card, 1..5).prop_map(|cards| cards.join(" "));
    let end = proptest::sample::select(&[
        "",
        "",
        "",
        " onto 0",
        " onto 1",
        " onto new",
        " as wild",
        " as black_threes",
    ]);
    let group = (cards, end).prop_map(|(cards, end)| cards + end);
    prop_oneof![
        2 => Just("draw".to_string()),
        1 => Just("end_round".to_string()),
        1 => Just("ask".to_string()),
        1 => Just("answer yes".to_string()),
        1 => Just("answer no".to_string()),
        1 => Just("table: deal".to_string()),
        3 => proptest::sample::select(&["discard Ks", "discard 2c", "discard 4c", "discard 7h", "discard 5h"])
            .prop_map(str::to_string),
        3 => group.clone().prop_map(|group| format!("take {group}")),
        1 => Just("take".to_string()),
        4 => proptest::collection::vec(group, 1..3).prop_map(|groups| format!("meld {}", groups.join(" / "))),
    ]
}

fn is_stable(text: &str) -> Result<bool, TestCaseError> {
    match Position::parse(text) {
        Err(error) => {
            prop_assert!(error.offset <= text.len(), "{text:?}: {error}");
            Ok(false)
        }
        Ok(position) => {
            let strict = position.to_string();
            let again = Position::parse(&strict);
            prop_assert!(again.as_ref() == Ok(&position), "{text:?} -> {strict:?}: {again:?}");
            prop_assert_eq!(again.map(|p| p.to_string()), Ok(strict));
            let setup = position.setup();
            prop_assert_eq!(&setup, &position.setup());
            if let Ok(state) = setup.into_table() {
                let whole = Position::of(&state);
                let text = whole.to_string();
                prop_assert_eq!(Position::parse(&text), Ok(whole));
            }
            Ok(true)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_in_any_order(text in text()) {
        is_stable(&text)?;
    }

    #[test]
    fn right_sections_in_any_order(text in sections()) {
        is_stable(&text)?;
    }

    #[test]
    fn anything_at_all(text in ".{0,80}") {
        is_stable(&text)?;
        let rules = Rules::preset("classic-4p").expect("classic-4p is played");
        let _ = Proposal::parse(&text, rules.set());
    }

    #[test]
    fn actions_of_pieces(text in text()) {
        let rules = Rules::preset("classic-4p").expect("classic-4p is played");
        match Proposal::parse(&text, rules.set()) {
            Err(error) => prop_assert!(error.offset <= text.len(), "{text:?}: {error}"),
            Ok(proposal) => {
                let strict = proposal.to_text(rules.set()).expect("what is read has a text");
                prop_assert_eq!(Proposal::parse(&strict, rules.set()), Ok(proposal), "{:?} -> {:?}", text, strict);
            }
        }
    }

    #[test]
    fn actions_of_words(
        verb in proptest::sample::select(&["meld ", "take ", "ask ", "discard ", "undo_meld 0 ", "lay_threes "]),
        words in proptest::collection::vec(proptest::sample::select(&[
            "Ks", "as", "As", "2c", "X", "3s", "onto", "0", "1", "EW:0", "new", ">2", "/", "as set", "as wild",
            "as black_threes", "wild", "black", "also", "-", "S", "courtesy",
        ]), 0..12),
    ) {
        let rules = Rules::preset("classic-4p").expect("classic-4p is played");
        let text = format!("{verb}{}", words.join(" "));
        if let Ok(proposal) = Proposal::parse(&text, rules.set()) {
            let strict = proposal.to_text(rules.set()).expect("what is read has a text");
            prop_assert_eq!(Proposal::parse(&strict, rules.set()), Ok(proposal), "{:?} -> {:?}", text, strict);
        }
    }

    /// Proposes any actions in any valid position: nothing panics, and every invariant holds, so cards are conserved.
    #[test]
    fn whatever_is_set_up_is_judged(text in sections(), actions in proptest::collection::vec(action(), 1..6)) {
        let Ok(Ok(mut state)) = Position::parse(&text).map(|p| p.setup().into_table()) else { return Ok(()) };
        // Known gap: a player who waits for the turn without a card is not refused, and the turn comes there.
        let waits_empty = |seat| state.hand(seat).is_empty() && state.to_act().is_some_and(|turn| turn != seat);
        prop_assume!(!state.seats().any(waits_empty));
        for text in actions {
            let Ok(proposal) = Proposal::parse(&text, state.set()) else { continue };
            let actor = proposal.actor.or_else(|| state.to_act().map(As::Seat)).unwrap_or(As::Table);
            if act(&mut state, actor, &proposal.action).is_ok() {
                prop_assert_eq!(invariant::check_all(&state), Ok(()), "{}", text);
            }
        }
    }
}

#[test]
fn long_texts_are_refused_at_once() {
    let long = format!("classic-4p; hand N {}", "Ks ".repeat(POSITION_BYTES_MAX));
    assert_eq!(Position::parse(&long).expect_err("too long").offset, POSITION_BYTES_MAX);
    let full = "classic-4p; hand N ".to_string() + &"X ".repeat(4000);
    assert!(Position::parse(&full).is_err());
    // An action with blanks behind it.
    let set = Rules::preset("classic-4p").expect("a preset");
    let action = |length: usize| Proposal::parse(&("draw".to_owned() + &" ".repeat(length - 4)), set.set());
    assert_eq!(action(65_536).expect("as long as it may be").action, Action::DrawStock);
    let error = action(65_537).expect_err("too long");
    assert_eq!((error.offset, &*error.found), (65_536, "65537 bytes"));
    assert_eq!(POSITION_BYTES_MAX, 8_192);
}
