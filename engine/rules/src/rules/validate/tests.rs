use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::*;
use super::*;
use crate::card::{Class, Rank};

/// Sets two bands below these scores, and one above.
fn set_bands(set: &mut RuleSet, [first, second]: [i32; 2]) {
    let band = |below, minimum| Band { below, minimum };
    set.initial_bands = Bands::ByScore(vec![band(Some(first), 15), band(Some(second), 50), band(None, 120)]);
}

fn changed(base: &str, change: fn(&mut RuleSet)) -> RuleSet {
    let mut set = preset(base).expect("a preset");
    change(&mut set);
    set
}

/// Returns the faults of a rule set as texts `DETAIL knob knob ...`.
fn faults(set: &RuleSet) -> Vec<String> {
    let faults = set.validate().err().unwrap_or_default();
    faults.iter().map(|fault| format!("{} {}", fault.detail(), fault.knobs().join(" "))).collect()
}

#[test]
fn every_preset_is_free_of_contradictions() {
    for id in PresetId::all() {
        assert_eq!(faults(&id.rule_set()), Vec::<String>::new(), "{}", id.name());
    }
}

/// Checks that a contradiction says what contradicts what.
#[test]
fn a_contradiction_is_explained() {
    let faults = changed("classic-4p", |s| s.target = 0).validate().expect_err("no game ends");
    let why = "no total and no number of rounds ends the game";
    assert_eq!(format!("{}", faults[0]), format!("NO_END: target, rounds: {why}"));
    for rule in FORBIDDEN {
        assert!(rule.why.len() > 20 && rule.why.len() < 130, "{}: {}", rule.detail, rule.why);
    }
}

type Row = (&'static str, fn(&mut RuleSet), &'static [&'static str]);

fn check(rows: &[Row]) {
    for (base, change, expected) in rows {
        assert_eq!(faults(&changed(base, *change)), *expected, "{base} {expected:?}");
    }
}

/// Checks combinations 1 to 12 of model 5.4, and clarification 6.
#[test]
fn each_forbidden_combination_is_found() {
    check(&[
        (
            "classic-4p",
            |s| s.take_layoff = TakeLayoff::Incomplete,
            &["COLLISION_UNSET take_layoff take_natural_wild max_wilds canasta_accepts melds_per_rank \
               wild_cap_scope take_canasta_rank"],
        ),
        ("hoyle-2p", |s| s.undo_meld = false, &["NO_WAY_BACK meld_check undo_meld pile_restore"]),
        (
            "hoyle-2p",
            |s| s.pile_restore = false,
            &["NO_WAY_BACK pile_steps pile_restore", "NO_EFFECT restore_penalty pile_restore"],
        ),
        ("hoyle-2p", |s| s.pass_discard = false, &["NO_WAY_BACK pile_steps pass_discard"]),
        (
            "hoyle-2p",
            |s| {
                s.meld_check = MeldCheck::Immediate;
                s.undo_meld = false;
            },
            &["NO_WAY_BACK pile_steps meld_check undo_meld"],
        ),
        ("hoyle-2p", |s| s.pile_steps = PileSteps::One, &["NO_EFFECT pile_restore pile_steps"]),
        (
            "classic-4p",
            |s| s.discard_freezes = Set::of(&[Class::Wild, Class::RedThree]),
            &["RED_THREES_NOT_HELD discard_freezes threes_drawn laid_threes"],
        ),
        (
            "classic-4p",
            |s| s.discard_threes = DiscardThrees::Any,
            &["RED_THREES_NOT_HELD discard_threes threes_drawn laid_threes"],
        ),
        (
            "classic-4p",
            |s| s.discard_threes = DiscardThrees::FinalOnly,
            &["BLACK_THREES_STUCK discard_threes laid_threes"],
        ),
        ("classic-4p", |s| s.wild_top = WildTop::WildPair, &["NO_EFFECT wild_top wild_melds"]),
        (
            "hoyle-2p",
            |s| {
                (s.undo_meld, s.pile_steps, s.pile_restore) = (false, PileSteps::One, false);
                s.restore_penalty = 0;
            },
            &["NO_WAY_BACK meld_check undo_meld"],
        ),
        (
            "classic-4p",
            |s| s.threes_window = ThreesWindow::StartOrFresh,
            &["NO_EFFECT threes_window threes_dealt threes_drawn foot_threes"],
        ),
        (
            "classic-4p",
            |s| s.threes_keep = ThreesKeep::Never,
            &["NO_EFFECT threes_keep threes_dealt threes_drawn foot_threes"],
        ),
        (
            "hoyle-2p",
            |s| s.threes_keep = ThreesKeep::StraightOnly,
            &["NO_STRAIGHT threes_keep special_hands"],
        ),
        (
            "hand-and-foot-4p",
            |s| s.pass_discard = true,
            &["PASS_CONFLICT pass_discard foot_size", "PASS_CONFLICT pass_discard final_discard"],
        ),
        ("classic-4p", |s| s.side_count = 3, &["UNEVEN_SIDES seats side_count"]),
        (
            "classic-4p",
            |s| s.side_formation = SideFormation::LoneTaker,
            &[
                "LONE_TAKER_SIDES side_formation seats side_count",
                "PAIR_WITHOUT_SCORE side_formation score_unit",
            ],
        ),
        (
            "classic-3p",
            |s| s.score_unit = ScoreUnit::Side,
            &["MELDER_WITHOUT_SCORE initial_key score_unit", "PAIR_WITHOUT_SCORE side_formation score_unit"],
        ),
        ("classic-2p", |s| s.ask = Ask::Binding, &["NOBODY_TO_ASK ask side_formation seats side_count"]),
        ("american-4p", |s| s.talons.truncate(1), &["TALON_COUNT talons side_count"]),
        ("american-4p", |s| s.foot_size = 1, &["TALONS_WITH_FOOT talons foot_size"]),
        ("american-4p", |s| s.hand_size = 12, &["SPECIAL_HAND_SIZE special_hands hand_size draw_count"]),
        ("american-4p", |s| s.draw_count = 2, &["SPECIAL_HAND_SIZE special_hands hand_size draw_count"]),
        ("classic-4p", |s| s.wild_lock = true, &["NO_EFFECT wild_lock wild_melds"]),
        ("classic-4p", |s| s.go_out_wild = 1, &["NO_EFFECT go_out_wild wild_melds"]),
        ("classic-4p", |s| s.bonus_wild = 2000, &["NO_EFFECT bonus_wild wild_melds"]),
        ("classic-4p", |s| s.bonus_wild_twos = 5, &["NO_EFFECT bonus_wild_twos wild_melds"]),
        ("classic-4p", |s| s.bonus_wild_jokers = 5, &["NO_EFFECT bonus_wild_jokers wild_melds"]),
        (
            "classic-4p",
            |s| s.penalty_incomplete = RankMap::NONE.with_wild(1000),
            &["NO_EFFECT penalty_incomplete wild_melds"],
        ),
        ("classic-4p", |s| s.go_out_sequence = 1, &["NO_EFFECT go_out_sequence sequences"]),
        ("classic-4p", |s| s.bonus_sequence = 1500, &["NO_EFFECT bonus_sequence sequences"]),
        (
            "classic-4p",
            |s| s.merge = Merge::SetsAndSequences,
            &["NO_EFFECT merge sequences", "MERGE_NEEDS_MANY merge melds_per_rank"],
        ),
        ("american-4p", |s| s.meld_max = 6, &["CANASTA_IMPOSSIBLE meld_max canasta_size"]),
        ("american-4p", |s| s.wild_meld_max = 6, &["CANASTA_IMPOSSIBLE wild_meld_max canasta_size"]),
        ("samba-4p", |s| s.sequence_max = 2, &["SEQUENCE_IMPOSSIBLE sequence_max meld_min"]),
        (
            "samba-4p",
            |s| s.canasta_accepts = CanastaAccepts::All,
            &["SEQUENCE_NOT_CLOSED sequences canasta_accepts"],
        ),
        ("classic-4p", |s| s.stock_out = StockOut::FinishTurn, &["FORCED_AFTER_END stock_out forced_take"]),
        ("classic-4p", |s| s.target = 0, &["NO_END target rounds"]),
        ("hand-and-foot-4p", |s| s.rounds = 5, &["TOO_FEW_BANDS initial_key initial_bands rounds"]),
        (
            "hand-and-foot-4p",
            |s| s.initial_key = InitialKey::SideScore,
            &["BANDS_OF_OTHER_KEY initial_key initial_bands"],
        ),
        ("classic-4p", |s| set_bands(s, [1500, 0]), &["BANDS_NOT_ASCENDING initial_bands"]),
        ("classic-4p", |s| set_bands(s, [0, 0]), &["BANDS_NOT_ASCENDING initial_bands"]),
        (
            "classic-4p",
            |s| s.initial_bands = Bands::ByScore(vec![Band { below: Some(0), minimum: 15 }]),
            &["BANDS_NOT_ASCENDING initial_bands"],
        ),
        ("classic-4p", |s| s.target = 4999, &["NOT_MULTIPLE_OF_5 target"]),
        ("classic-4p", |s| s.three_table[0] = 101, &["NOT_MULTIPLE_OF_5 three_table"]),
        ("classic-4p", |s| s.pile_portion = 7, &["PORTION_CONFLICT pile_portion forced_take"]),
        (
            "hoyle-2p",
            |s| s.pile_portion = 7,
            &["PORTION_CONFLICT pile_portion pile_steps", "PORTION_CONFLICT pile_portion forced_take"],
        ),
        (
            "samba-4p",
            |s| s.wild_cap_scope = WildCapScope::ToCanasta,
            &["CANASTA_CLOSED_TO_WILDS canasta_accepts wild_cap_scope"],
        ),
        ("classic-4p", |s| s.ask_check = AskCheck::None, &["ASK_UNCHECKED ask ask_check"]),
        // HF-020: the higher half is one side.
        (
            "classic-6p-3x2",
            |s| {
                (s.side_choice, s.draw_ranking) = (SideChoice::DrawnCards, DrawRanking::AceHigh);
            },
            &["HALVES_ARE_TWO side_choice side_count"],
        ),
        (
            "classic-4p",
            |s| s.first_dealer = FirstDealer::HighCardDeals,
            &["DRAW_UNRANKED draw_ranking side_choice first_dealer"],
        ),
        (
            "classic-3p",
            |s| (s.score_unit, s.initial_key) = (ScoreUnit::Side, InitialKey::SideScore),
            &["PAIR_WITHOUT_SCORE side_formation score_unit"],
        ),
    ]);
}

/// Checks the combinations of threes that wait in a foot, and that a taken pile brings.
#[test]
fn threes_of_feet_and_piles_are_told_apart() {
    check(&[
        (
            "hand-and-foot-4p",
            |s| (s.foot_threes, s.threes_drawn) = (FootThrees::Choice, ThreesDrawn::Choice),
            &["FOOT_THREES_UNTOLD foot_threes threes_drawn late_three_replaced"],
        ),
        (
            "classic-4p",
            |s| (s.black_three_table, s.no_canasta_score) = (vec![5; 4], NoCanastaScore::AllNegative),
            &["ASIDE_NEGATIVE black_three_table no_canasta_score"],
        ),
    ]);
}

/// Checks combination 6: 4 x 23 + 8 twos + 4 jokers + 4 red threes + 1 = 109 cards; the deck has 108.
#[test]
fn the_deck_must_last_for_the_deal() {
    check(&[
        (
            "classic-4p",
            |s| s.hand_size = 23,
            &["DECK_TOO_SMALL packs jokers seats hand_size foot_size talons more_feet"],
        ),
        ("classic-4p", |s| s.hand_size = 22, &[]),
    ]);
    let set = changed("classic-4p", |s| s.hand_size = 23);
    assert_eq!((set.cards_needed(), set.deck_size(), set.deck().len()), (109, 108, 108));
}

/// Checks that a knob with a dash in model 5.2 must hold its default.
#[test]
fn a_knob_without_effect_holds_its_default() {
    check(&[
        (
            "classic-4p",
            |s| s.start_card = StartCard::None,
            &["NO_EFFECT start_cover start_card", "NO_EFFECT start_freezes start_card"],
        ),
        ("wahhi-4p", |s| s.cut_bonus = 0, &["NO_EFFECT cut_ways cut_bonus"]),
        ("american-4p", |s| s.talons.clear(), &["NO_EFFECT talon_with_pile talons"]),
        (
            "samba-4p",
            |s| s.sequences = false,
            &["NO_EFFECT sequence_max sequences", "NO_EFFECT bonus_sequence sequences"],
        ),
        ("classic-4p", |s| s.foot_threes = FootThrees::Choice, &["NO_EFFECT foot_threes foot_size"]),
        ("classic-4p", |s| s.more_feet = vec![1], &["NO_EFFECT more_feet foot_size"]),
        (
            "american-4p",
            |s| s.black_three_table = vec![5, 10, 15, 100],
            &["NO_EFFECT black_three_table laid_threes"],
        ),
        (
            "classic-4p",
            |s| s.late_three_replaced = true,
            &["NO_EFFECT late_three_replaced threes_dealt threes_drawn foot_threes"],
        ),
        (
            "classic-4p",
            |s| s.held_three_red = 5,
            &["NO_EFFECT held_three_red threes_dealt threes_drawn foot_size"],
        ),
        ("american-4p", |s| s.ask = Ask::Off, &["NO_EFFECT ask_window ask", "NO_EFFECT ask_limit ask"]),
        (
            "american-4p",
            |s| s.special_hands = Set::NONE,
            &["NO_EFFECT special_scores special_hands", "NO_EFFECT pairs_wilds special_hands"],
        ),
    ]);
}

/// Checks that the switches of the Classic family that are played leave no fault (model 5.4).
#[test]
fn switches_of_classic_are_valid() {
    let switches: [fn(&mut RuleSet); 10] = [
        |s| s.take_natural_wild = TakeNaturalWild::Never,
        |s| {
            s.take_layoff = TakeLayoff::Incomplete;
            s.take_natural_wild = TakeNaturalWild::Never;
        },
        |s| {
            s.take_layoff = TakeLayoff::Incomplete;
            s.melds_per_rank = MeldsPerRank::OneOpen;
        },
        |s| {
            s.take_layoff = TakeLayoff::Incomplete;
            s.wild_cap_scope = WildCapScope::ToCanasta;
        },
        |s| {
            s.take_layoff = TakeLayoff::Incomplete;
            s.take_canasta_rank = TakeCanastaRank::UnlessWildsFull;
        },
        |s| {
            s.take_layoff = TakeLayoff::Incomplete;
            s.take_canasta_rank = TakeCanastaRank::Never;
        },
        |s| s.frozen_always = true,
        |s| {
            s.wild_melds = true;
            s.wild_lock = true;
            s.bonus_wild = 2000;
            s.penalty_incomplete = RankMap::NONE.with_wild(1000);
        },
        |s| s.one_card_pile = OneCardPile::UnlessStockEmpty,
        |s| s.tie = Tie::PlayOn,
    ];
    for (number, change) in switches.into_iter().enumerate() {
        assert_eq!(changed("classic-4p", change).validate(), Ok(()), "switch {number}");
    }
}

#[test]
fn single_knobs_are_in_range() {
    check(&[
        ("classic-4p", |s| s.seats = 7, &["OUT_OF_RANGE seats", "UNEVEN_SIDES seats side_count"]),
        ("classic-4p", |s| s.side_count = 0, &["OUT_OF_RANGE side_count", "UNEVEN_SIDES seats side_count"]),
        ("classic-4p", |s| s.packs = 7, &["OUT_OF_RANGE packs", "WRONG_NUMBER_OF_ENTRIES three_table"]),
        ("classic-4p", |s| s.bonus_out = -100, &["OUT_OF_RANGE bonus_out"]),
        ("classic-4p", |s| s.three_table = vec![100], &["WRONG_NUMBER_OF_ENTRIES three_table"]),
        (
            "classic-4p",
            |s| s.initial_bands = Bands::ByScore(vec![]),
            &["WRONG_NUMBER_OF_ENTRIES initial_bands"],
        ),
        (
            "classic-4p",
            |s| s.start_freezes = Set::of(&[Class::BlackThree]),
            &["MEMBER_NOT_ALLOWED start_freezes"],
        ),
        (
            "classic-4p",
            |s| s.bonus_rank = RankMap::NONE.with(Rank::Two, 5).with_wild(5),
            &["MEMBER_NOT_ALLOWED bonus_rank", "MEMBER_NOT_ALLOWED bonus_rank"],
        ),
        (
            "american-4p",
            |s| s.penalty_incomplete = RankMap::NONE.with(Rank::King, 5),
            &["MEMBER_NOT_ALLOWED penalty_incomplete"],
        ),
    ]);
    let seven = changed("classic-4p", |s| s.seats = 7).validate().err().unwrap_or_default();
    assert_eq!(seven[0], KnobFault::Range { knob: "seats", found: 7, min: 2, max: 6 });
}

/// Checks that validation of extreme values ends without a panic.
#[test]
fn extremes_are_refused_not_feared() {
    assert!(RuleSet::defaults().validate().is_err());
    let set = RuleSet {
        seats: 255,
        packs: 255,
        jokers: 255,
        hand_size: 255,
        foot_size: 255,
        talons: vec![255; 4096],
        initial_bands: Bands::ByRound(vec![i32::MIN; 4096]),
        three_table: vec![i32::MAX; 4096],
        more_feet: vec![255; 4096],
        black_three_table: vec![i32::MAX; 4096],
        ..RuleSet::defaults()
    };
    assert!(set.validate().is_err());
}

#[test]
fn tables_name_knobs_that_exist_in_order() {
    for (table, names) in [
        ("forbidden", FORBIDDEN.iter().flat_map(|rule| rule.knobs.iter()).collect::<Vec<_>>()),
        ("idle", IDLE.iter().flat_map(|rule| rule.knobs.iter().chain(rule.because)).collect()),
    ] {
        assert!(names.iter().all(|name| Knob::named(name).is_some()), "{table}");
    }
}

/// Checks that a knob without effect gets one by the change that is named, or loses the fault by its default.
#[test]
fn a_knob_without_effect_is_told_what_gives_it_one() {
    let mut told = 0;
    for preset in PresetId::all() {
        let own = preset.rule_set();
        let others = PresetId::all().map(|other| other.rule_set());
        for (knob, other) in others.flat_map(|other| KNOBS.iter().map(move |knob| (knob, other.clone()))) {
            let mut set = own.clone();
            set.change(knob.name, &knob.value(&other)).expect("a value of the knob");
            let faults = set.validate().err().unwrap_or_default();
            for fault in faults.iter().filter(|fault| fault.detail() == "NO_EFFECT") {
                let remedy = fault.remedy().strip_prefix("also set ").expect("a remedy");
                for change in remedy.split(", or set ") {
                    let (name, value) = change.split_once(" = ").expect("a knob and its value");
                    let mut mended = set.clone();
                    mended.change(name, value).unwrap_or_else(|error| panic!("{change}: {error}"));
                    let left = mended.validate().err().unwrap_or_default();
                    assert!(!left.contains(fault), "{}: {fault}: {change}", preset.name());
                    told += 1;
                }
            }
        }
    }
    assert!(told > 100, "{told}");
    for rule in IDLE {
        assert!(
            EFFECTS.iter().any(|(knob, _)| rule.because.contains(knob)),
            "{:?} has no effect to give",
            rule.because
        );
    }
}
