use alloc::format;

use super::*;
use crate::card::{Class, Rank};
use crate::seat::{Seat, Side};

const CLASSIC: &str = "classic-4p";

fn classic() -> (PresetId, RuleSet) {
    let id = PresetId::from_name(CLASSIC).expect("a preset");
    (id, id.rule_set())
}

/// Checks that a house rule's id is the preset's name, or base and name (or digest) if a knob differs (model 5.5).
#[test]
fn house_rules_are_named_after_their_base() {
    let (base, set) = classic();
    let id =
        |set: &RuleSet, name| Rules::house(base, set.clone(), name).map(|rules| String::from(rules.id()));
    assert_eq!(id(&set, None).as_deref(), Ok(CLASSIC));
    assert_eq!(id(&set, Some("club")).as_deref(), Ok(CLASSIC));
    let house = RuleSet { tie: Tie::PlayOn, ..set };
    assert_eq!(id(&house, Some("club")).as_deref(), Ok("classic-4p+club"));
    let digest = house.digest();
    let hex: String = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(id(&house, None), Ok(format!("classic-4p+{hex}")));
    for bad in ["", "a\nb", "\u{202e}evil", &"x".repeat(65)] {
        assert_eq!(id(&house, Some(bad)), Err(HouseError::Name), "{bad:?}");
    }
}

#[test]
fn only_rules_that_are_played_are_made_ready() {
    assert!(Rules::preset(CLASSIC).is_some());
    assert!(Rules::preset("bridge").is_none());
    let (base, set) = classic();
    let broken = RuleSet { target: 0, bonus_out: 7, ..set };
    let error = Rules::house(base, broken, None).expect_err("two faults");
    let text = format!("{error}");
    let (first, second) = text.split_once("; ").expect("two faults");
    assert!(
        first.starts_with("NO_END: target, rounds: ") && second.starts_with("NOT_MULTIPLE_OF_5: bonus_out")
    );
}

#[test]
fn ready_rules_carry_bytes_and_digest() {
    let rules = Rules::preset(CLASSIC).expect("classic is played");
    let (base, set) = classic();
    assert_eq!((rules.base(), rules.set()), (base, &set));
    assert_eq!(rules.canonical(), set.to_canonical());
    assert_eq!(*rules.digest(), set.digest());
}

/// Checks the points of CL-002. Red threes have no card points.
#[test]
fn cards_have_the_points_of_classic() {
    let rules = Rules::preset(CLASSIC).expect("classic is played");
    for (text, points) in [
        ("X", 50),
        ("2c", 20),
        ("Ah", 20),
        ("Ks", 10),
        ("8d", 10),
        ("7d", 5),
        ("4c", 5),
        ("3s", 5),
        ("3c", 5),
        ("3h", 0),
        ("3d", 0),
    ] {
        let card = Card::parse(text).expect("a card");
        assert_eq!(rules.card_points(card), points, "{text}");
    }
}

/// Checks the minimums by score of Classic (CL-058).
#[test]
fn minimums_of_classic_by_score() {
    let (_, set) = classic();
    for (score, minimum) in
        [(-5, 15), (0, 50), (1495, 50), (1500, 90), (2995, 90), (3000, 120), (i32::MIN, 15), (i32::MAX, 120)]
    {
        assert_eq!(set.initial_bands.minimum_for_score(score), minimum, "{score}");
    }
}

/// Checks the minimums by round of Hand and Foot (HF-067).
#[test]
fn minimums_of_hand_and_foot_by_round() {
    let bands = preset("hand-and-foot-4p").expect("a preset").initial_bands;
    for (round, minimum) in [(1, 50), (2, 90), (3, 120), (4, 150), (5, 150)] {
        assert_eq!(bands.minimum_for_round(round), minimum, "round {round}");
    }
}

#[test]
fn sets_and_maps_hold_what_was_put_in() {
    let (_, set) = classic();
    assert!(set.start_cover.contains(Class::Wild) && set.start_cover.contains(Class::RedThree));
    assert!(!set.start_cover.contains(Class::BlackThree) && !set.start_cover.contains(Class::Natural));
    assert!(Classes::of(&[Class::Natural]).is_empty());
    let american = preset("american-4p").expect("a preset");
    assert_eq!(american.rank_wilds.get(Rank::Ace), Some(RankWilds::InitialOnly));
    assert_eq!(american.rank_wilds.get(Rank::Seven), Some(RankWilds::Never));
    assert_eq!(american.rank_wilds.get(Rank::King), None);
    assert_eq!((american.penalty_incomplete.wild(), american.bonus_rank.wild()), (Some(2000), None));
}

/// Checks that the side of seat i is i mod `side_count` (model 5.1), and the decks (CL-001, P6-002).
#[test]
fn derived_numbers() {
    let six = preset("classic-6p-3x2").expect("a preset");
    assert_eq!((0..6).map(|seat| six.side_of(Seat(seat))).collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2].map(Side));
    assert_eq!((six.deck_size(), six.wild_count(), six.red_three_count()), (162, 18, 6));
    let deck = six.deck();
    assert_eq!((deck.len(), deck.wilds(), deck.red_threes(), deck.black_threes()), (162, 18, 6, 6));
    // Exact cuts are told apart wherever one of the two earns points: of the hands (WH-013), of the foot (HF-025, HF-027).
    let pays = |name, changes: &[(&str, &str)]| {
        let mut set = preset(name).expect("a preset");
        changes.iter().for_each(|(knob, value)| set.change(knob, value).expect(knob));
        set.pays_cuts()
    };
    assert!(pays("hand-and-foot-4p", &[("cut_bonus", "0")]) && pays("wahhi-4p", &[]));
    assert!(pays("hand-and-foot-4p", &[("foot_cut_bonus", "0")]) && !pays("classic-4p", &[]));
}

#[test]
fn differences_name_the_knobs() {
    let (_, set) = classic();
    let two = preset("classic-2p").expect("a preset");
    let names: Vec<&str> = two.differences(&set).map(|knob| knob.name).collect();
    // Model 5.3.
    assert_eq!(names, ["seats", "hand_size", "draw_count", "go_out_total", "ask"]);
}
