//! The bytes of every action, written out by hand from docs/LOG_FORMAT.md.

use super::golden::check_action;
use super::sample::{self, cards};
use canasta_engine::action::*;
use canasta_engine::seat::{Seat, Side};

#[test]
fn deals() {
    let deal = Deal {
        lifted: Some(45),
        foot_lifted: None,
        contributions: vec![Some([0x11; 32]), None],
        signature: Some(vec![0x99; 48]),
        hands: vec![vec![None, Some(cards::<Vec<_>>("Ac")[0])], vec![]],
        upcards: vec![None],
    };
    check_action(
        &Action::Deal(Box::new(deal)),
        &[
            ("00", "deal"),
            ("01 2d 00", "lifted 45, no foot_lifted"),
            ("02 01 11*32 00", "two contributions, the second empty"),
            ("01 30 99*48", "a beacon's signature of 48 bytes"),
            ("02 02 35 00 00", "two hands: unknown and Ac; none"),
            ("01 35", "one upcard, unknown"),
        ],
    );
    check_action(&Action::Deal(Box::default()), &[("00 00 00 00 00 00 00", "a deal with nothing given")]);
    check_action(
        &Action::DrawCards(vec![cards("Ks"), cards("2d 3d")]),
        &[("01 02", "two seats"), ("01 33", "Ks"), ("02 0e 0f", "2d 3d")],
    );
}

/// Checks the bytes of every other action: its number, then its fields.
#[test]
fn actions() {
    let group = |kind, onto, top, text| Group { kind, onto, top, cards: cards(text) };
    check_action(
        &Action::TakePile(TakePile {
            with: cards("Ks Kd"),
            onto: Onto::Meld { side: None, id: MeldId(4) },
            also: [group(MeldKind::Wild, Onto::New, false, "2c X 2h")].into_iter().collect(),
        }),
        &[("03 02 33 19", "with Ks Kd"), ("06", "onto meld 4 = 2 + 4"), ("01 01 01 03 01 34 1b", "also")],
    );
    check_action(
        &Action::Meld(
            [
                group(MeldKind::Set, Onto::Auto, true, "5c 5d"),
                group(MeldKind::Sequence, Onto::Meld { side: Some(Side(1)), id: MeldId(9) }, false, "6c"),
                group(MeldKind::BlackThrees, Onto::Meld { side: None, id: MeldId(255) }, false, ""),
            ]
            .into_iter()
            .collect(),
        ),
        &[
            ("08 03", "meld, three groups"),
            ("04 00 02 04 11", "set with the top: 0 + 4; auto; two cards"),
            ("02 fb 0b02 01 05", "sequence; 258 + 256*1 + 9 = 523 = 0x020b; one card"),
            ("03 fb 0101 00", "black threes; 2 + 255 = 257 = 0x0101; no card"),
        ],
    );
    check_action(&Action::LayThrees(cards("3h 3d")), &[("06 02 1c 0f", "lay_threes")]);
    check_action(&Action::MergeMelds { a: MeldId(1), b: MeldId(4) }, &[("09 01 04", "merge_melds")]);
    check_action(
        &Action::UndoMeld { meld: MeldId(1), cards: cards("4c") },
        &[("0a 01 01 03", "undo_meld: meld 1, one card")],
    );
    check_action(&Action::Answer { yes: true }, &[("0c 01", "answer yes")]);
    check_action(&Action::SpecialHand(SpecialHand::Garbage), &[("0d 02", "special_hand garbage")]);
    check_action(&Action::CallReveal { of: Seat(1) }, &[("11 01", "call_reveal")]);
    check_action(
        &Action::Dispute { open: true, reason: "no".into() },
        &[("13 01 02 6e6f", "dispute: opened, \"no\"")],
    );
    check_action(&Action::Sign { side: Side(1) }, &[("14 01", "sign for side 1")]);
    let bare = [
        (Action::DrawStock, "02"),
        (Action::TakeTop, "04"),
        (Action::RestorePile, "05"),
        (Action::TakeTalon, "07"),
        (Action::Pass, "0f"),
        (Action::EndRound, "10"),
    ];
    for (action, hex) in bare {
        check_action(&action, &[(hex, "an action without fields")]);
    }
}

#[test]
fn questions() {
    check_action(&Action::Ask { about: About::GoOut, to: None, with: None }, &[("0b 00 00 00", "ask")]);
    let courtesy = Action::Ask { about: About::Courtesy, to: Some(Seat(2)), with: None };
    check_action(&courtesy, &[("0b 01 01 02 00", "ask seat 2 for a courtesy")]);
    let groups = [Group { kind: MeldKind::Set, onto: Onto::Auto, top: false, cards: cards("5c 5d") }]
        .into_iter()
        .collect();
    let way = NamedWay { groups, discard: Some(cards::<Vec<_>>("Ks")[0]) };
    check_action(
        &Action::Ask { about: About::GoOut, to: Some(Seat(2)), with: Some(Box::new(way)) },
        &[
            ("0b 00 01 02 01", "ask seat 2, with a way out"),
            ("01 00 00 02 04 11", "one group: set, auto, two cards"),
            ("01 33", "a discard: 51 = 3*13+12"),
        ],
    );
    check_action(
        &Action::Ask { about: About::GoOut, to: None, with: Some(Box::default()) },
        &[("0b 00 00 01 00 00", "ask with a way of no groups and no discard")],
    );
}

#[test]
fn rulings() {
    check_action(
        &Action::Ruling(Box::new(sample::ruling())),
        &[
            ("12 01 00", "ruling 1 by the director"),
            ("01 01 01", "offender seat 1, side 1"),
            ("06 49522d303132", "rule \"IR-012\""),
            ("c7", "-100: 2*100-1 = 199"),
            ("05 00 00 00 00 00 00 00", "stand; no by, seat, cards, until, side, award, to_seq"),
            ("01 02 0e 34", "the action that stands, two bytes: discard of a joker"),
            ("01 01 50 9a*80", "a position, masked, 80 bytes"),
            ("00", "no points by side"),
            ("11 73686f776e2c206e6f7420706c61796564", "reason, 17 bytes"),
            ("00 00", "reverses nothing, no signature"),
        ],
    );
    let effect = Effect {
        kind: EffectKind::PenaltyCards,
        by: Some(-10),
        seat: Some(Seat(2)),
        cards: cards("Kd"),
        until: Some(3),
        side: Some(Side(0)),
        award: Some(500),
        to_seq: Some(70_000),
        action: None,
        position: Some(b"p".to_vec()),
        masked: false,
        points: vec![],
    };
    let all = Ruling {
        id: 300,
        by: Authority::Auto,
        offender: None,
        side: Side(0),
        rule: String::new(),
        points: 5,
        effect,
        reason: String::new(),
        reverses: Some(7),
        signature: Some([0x51; 64]),
    };
    check_action(
        &Action::Ruling(Box::new(all)),
        &[
            ("12 fb 2c01 03 00 00", "ruling 300 by auto, no offender, side 0"),
            ("00 0a", "empty rule, 5 points = 10"),
            ("03 01 13 01 02 01 19", "penalty_cards; by -10 = 19; seat 2; Kd"),
            ("01 03 01 00 01 fb e803", "until 3; side 0; award 500 = 1000"),
            ("01 fc 70110100", "to_seq 70000 = 0x00011170"),
            ("00 01 00 01 70 00", "no action; a position in clear, \"p\"; no points by side"),
            ("00 01 07", "empty reason, reverses 7"),
            ("01 51*64", "a signature"),
        ],
    );
    let mut adjust = sample::ruling();
    adjust.effect = Effect { points: vec![100, -1_000_000], ..Effect::of(EffectKind::Adjust) };
    check_action(
        &Action::Ruling(Box::new(adjust)),
        &[
            ("12 01 00 01 01 01 06 49522d303132 c7", "as above"),
            ("09 00 00 00 00 00 00 00 00 00", "adjust, nothing that it does not use"),
            ("02 c8 fc 7f841e00", "two sides: 2 * 100 = 200; 2 * 1000000 - 1 = 0x1e847f"),
            ("11 73686f776e2c206e6f7420706c61796564 00 00", "reason, reverses nothing, no signature"),
        ],
    );
}
