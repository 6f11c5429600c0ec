//! House rules travel in the token itself.

use super::common::{Rng, new_game, play, round_trip};
use crate::support::CATALOGUE;
use canasta_engine::game::Game;
use canasta_engine::hex::hex;
use canasta_engine::notation::Position;
use canasta_engine::rules::{Ask, KNOBS, PresetId, RuleSet, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::token::{TokenErrorKind, decode, encode};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// Offset of the changed knobs in the token of a seeded game that expires, in bytes.
const HOUSE: usize = 4 + 16 + 32 + 64 + 8;

fn house(name: Option<&str>, change: impl FnOnce(&mut RuleSet)) -> Arc<Rules> {
    let base = PresetId::from_name("classic-4p").expect("a preset");
    let mut set = base.rule_set();
    change(&mut set);
    Arc::new(Rules::house(base, set, name).expect("a house rule that can be played"))
}

#[test]
fn house_rules_come_back() {
    let bands = PresetId::from_name("samba-4p").expect("a preset").rule_set().initial_bands;
    let houses = [
        house(None, |set| set.target = 3000),
        house(Some("kurz"), |set| (set.target, set.bonus_out) = (2000, 200)),
        house(Some("stra\u{df}e"), |set| set.ask = Ask::Off),
        house(Some("bands"), |set| (set.initial_bands, set.wild_melds, set.max_wilds) = (bands, true, 0)),
    ];
    let mut rng = Rng(31);
    for rules in houses {
        play(new_game(&rules, 8, 0), &mut rng, |state| {
            // Making rules is slow: not every state.
            if state.table.step().is_multiple_of(16) {
                round_trip(state);
            }
        });
    }
}

/// Checks players with three and four hands: up to 24 holders of cards, and twelve jokers that all wait in one foot.
#[test]
fn many_feet_come_back() {
    let mut rng = Rng(32);
    for (name, more) in [("4p", "[2]"), ("4p", "[2,3]"), ("6p", "[3]"), ("6p", "[2,3]")] {
        let base = PresetId::from_name(&format!("hand-and-foot-{name}")).expect("a preset");
        let mut set = base.rule_set();
        for (knob, value) in [("hand_size", "4"), ("foot_size", "12"), ("more_feet", more)] {
            set.change(knob, value).expect("a value of a knob");
        }
        let rules = Arc::new(Rules::house(base, set, None).expect("a house rule that can be played"));
        let start = new_game(&rules, 8, 0);
        play(start.clone(), &mut rng, |state| {
            if state.table.step().is_multiple_of(16) {
                round_trip(state);
            }
        });
        let jokers = format!(
            "hand-and-foot-{name} hand_size=4 foot_size=12 more_feet={more}; to move 0; drew; foot 3 XXXXXXXXXXXX"
        );
        let position = Position::parse(&jokers).expect("a position");
        let table = position.setup().into_table().expect("a state that can be played");
        assert_eq!(table.foot(Seat(3)).wilds(), 12);
        round_trip(&Game { table, ..start });
    }
}

/// Checks that knobs keep the numbers by which states name them: those that were there when the form was frozen are the first,
/// and new ones came behind them. The digest is that of their names with blanks between, as revision 1c5c5c4c had them.
#[test]
fn knobs_keep_their_numbers() {
    let names: Vec<&str> = KNOBS.iter().take(128).map(|knob| knob.name).collect();
    let digest = Sha256::digest(names.join(" "));
    assert_eq!(hex(&digest), "fdc72076252d7c5368f63fd5904b723a5f4e99d3c1d3abae911bf1c76f096d4e");
}

#[test]
fn a_house_rule_has_one_spelling() {
    let token = encode(&new_game(&house(None, |set| (set.target, set.bonus_out) = (3000, 200)), 8, 0));
    let kind = |bytes: &[u8]| decode(bytes, &CATALOGUE).map(|_| ()).map_err(|error| error.kind);
    assert_eq!(kind(&token), Ok(()));
    // Two knobs: number, length in two bytes, value; then the length of the name.
    assert_eq!(token[HOUSE], 2);
    let (first, second) = (token[HOUSE + 1], token[HOUSE + 1 + 3 + 3]);
    assert_eq!(&token[HOUSE + 4..HOUSE + 7], b"200");
    assert_eq!(&token[HOUSE + 10..HOUSE + 14], b"3000");
    assert_eq!(token[HOUSE + 14], 0);

    let edit = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut token = token.clone();
        change(&mut token);
        kind(&token)
    };
    let value = |number| Err(TokenErrorKind::KnobValue { number });
    // The preset's own value, a value out of range, another spelling of the same value.
    assert_eq!(edit(&|token| token[HOUSE + 4] = b'1'), value(first));
    assert_eq!(edit(&|token| drop(token.splice(HOUSE + 2..HOUSE + 7, *b"\x05\x0020000"))), value(first));
    let spelled = edit(&|token| drop(token.splice(HOUSE + 2..HOUSE + 7, *b"\x04\x000200")));
    assert!(matches!(spelled, Err(TokenErrorKind::Knob { number, .. }) if number == first), "{spelled:?}");
    // No knob at all, knobs out of order or twice, a knob that does not exist.
    let no_knob = edit(&|token| drop(token.splice(HOUSE..HOUSE + 14, [0])));
    assert_eq!(no_knob, Err(TokenErrorKind::NotCanonical { field: "house rule" }));
    let twice = edit(&|token| token[HOUSE + 7] = first);
    assert_eq!(twice, Err(TokenErrorKind::NotCanonical { field: "knob" }));
    let beyond = KNOBS.len() as u8;
    let unknown = edit(&|token| token[HOUSE + 7] = beyond);
    assert_eq!(unknown, Err(TokenErrorKind::Field { field: "knob", found: beyond.into() }));
    assert!(second > first);
    // Points that are no multiple of 5.
    assert_eq!(edit(&|token| token[HOUSE + 6] = b'1'), Err(TokenErrorKind::HouseRule));
    // A name that is none, and the name that it has without one.
    let named = |name: &str| {
        let name = [&[name.len() as u8], name.as_bytes()].concat();
        edit(&|token| drop(token.splice(HOUSE + 14..=HOUSE + 14, name.iter().copied())))
    };
    assert_eq!(named("a\u{202e}b"), Err(TokenErrorKind::HouseRule));
    assert_eq!(named("kurz"), Ok(()));
    let own = house(None, |set| (set.target, set.bonus_out) = (3000, 200));
    let digest = own.id().rsplit('+').next().expect("the name is behind the plus");
    assert_eq!(named(digest), Err(TokenErrorKind::NotCanonical { field: "house rule" }));
}
