//! Games that are taken up from a position (IR-113).

use super::Played;
use crate::support::{chained, comes_back, records};
use canasta_engine::action::{As, Ruling};
use canasta_engine::archive;
use canasta_engine::deal::simulate;
use canasta_engine::game::{CreateError, Created, Game, NewDeal, NewGame};
use canasta_engine::log::audit::{Expect, Report, audit};
use canasta_engine::log::finding::FindingKind;
use canasta_engine::log::record::{Record, Register};
use canasta_engine::notation::Position;
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use std::sync::Arc;

/// East is to act in the third round; its hand, a meld and the pile are known. The dealer sits at the right of the first
/// to act, unless the position says so.
const KNOWN_IN_PART: &str = "classic-4p; score 1620 980; round 3; dealer W; to move E; hand E Kd Ks 7h 4c X; melds NS \
                             7s7c7d; pile 5h 2c Js 7d";

fn create(text: &str, deal: fn(u32) -> NewDeal, number: u32) -> Result<Created, CreateError> {
    let position = Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let secret = simulate::game_secret(5, number);
    let rules = Arc::new(Rules::preset("classic-4p").expect("a preset"));
    Game::create(NewGame {
        position: Some(Box::new(position)),
        dealer: None,
        ..NewGame::new(rules, simulate::game_id(&secret), deal(number))
    })
}

fn seeded(number: u32) -> NewDeal {
    NewDeal::Seeded(simulate::game_secret(5, number))
}

fn committed(number: u32) -> NewDeal {
    NewDeal::Committed(simulate::game_secret(5, number))
}

fn played(created: Created, number: u32) -> Played {
    let Created { game: state, frames: log } = created;
    let mut game = Played { state, log, random: number.into() };
    game.hold();
    while game.state.table.phase() != Phase::GameOver {
        game.steps(1);
    }
    game
}

fn of_records<'a>(records: impl IntoIterator<Item = &'a Record>) -> Report {
    audit(&chained(records), Expect { live: true, ..Expect::default() })
}

#[test]
fn what_is_named_stands_and_the_rest_is_dealt_anew() {
    let positions = [(1, seeded as fn(u32) -> NewDeal), (2, seeded), (3, committed)].map(|(number, deal)| {
        let created = create(KNOWN_IN_PART, deal, number).expect("a game");
        let again = create(KNOWN_IN_PART, deal, number).expect("a game");
        assert_eq!(created.frames, again.frames);
        let table = &created.game.table;
        assert_eq!((table.round_number(), table.dealer(), table.to_act()), (3, Seat(3), Some(Seat(1))));
        assert_eq!(table.scores(), [1620, 980]);
        let position = Position::of(table).to_string();
        for named in ["hand E Ks Kd 7h 4c X;", "melds NS 7s7d7c;", "pile 5h 2c Js 7d;"] {
            assert!(position.contains(named), "{position}: {named}");
        }
        assert_eq!([0, 2, 3].map(|seat| table.hand(Seat(seat)).len()), [11, 11, 11]);
        let game = played(created, number);
        let report = game.audit();
        assert_eq!(report.findings, []);
        assert!(report.is_taken_up() && report.uncounted().is_some());
        assert_eq!(report.ruled[0].1.rule, "IR-113");
        let packed = archive::pack(&[&game.log]);
        assert_eq!(archive::unpack(&packed.body, &packed.sizes), Ok(vec![game.log]));
        position
    });
    assert!(positions[0] != positions[1] && positions[1] != positions[2]);
}

#[test]
fn a_position_before_a_deal_is_dealt_like_any_round() {
    for deal in [seeded, committed] {
        let text = "classic-4p; score 1620 980; round 3; dealer W; to move W; to deal";
        let created = create(text, deal, 3).expect("a game");
        assert_eq!(created.game.table.phase(), Phase::Deal);
        let game = played(created, 3);
        let report = game.audit();
        assert_eq!(report.findings, []);
        assert!(report.is_taken_up());
    }
}

#[test]
fn a_game_whose_cards_nobody_deals_needs_them_all() {
    let refused = create(KNOWN_IN_PART, |_| NewDeal::Transcribed, 1).map(|_| ()).expect_err("no wall");
    assert!(refused.to_string().contains("no wall"), "{refused}");
}

#[test]
fn a_position_that_cannot_be_played_on_is_refused_with_the_reason() {
    for (text, reason) in [
        ("samba-4p; hand N Kd", "the rules of the game"),
        (
            "classic-4p; to move N; hand N 4c; hand E 5c; hand S 6c; hand W 7c; pile 5h; stock 8c",
            "are missing",
        ),
        (
            "classic-4p; score 5200 980; round 4; to move N; game over; round over went_out N",
            "dealt or about",
        ),
        ("classic-4p; to move N; hand N 4c 5c; pile 5h; ruling 1 NS -100 by N", "dealt or about"),
    ] {
        let refused = create(text, seeded, 1).map(|_| ()).expect_err(text).to_string();
        assert!(refused.contains(reason), "{text}: {refused}");
    }
}

/// Checks that nobody can leave rounds out: without the ruling, a later first round is a finding; with it, the game is marked.
#[test]
fn only_the_ruling_lets_a_game_begin_with_a_later_round() {
    let game = played(create(KNOWN_IN_PART, seeded, 1).expect("a game"), 1);
    let all = records(&game.log);
    assert!(matches!(&all[1], Record::Register(register) if register.round == 3));
    let without = of_records(all[..2].iter().chain(&all[3..]));
    assert_eq!(without.findings[0].kind, FindingKind::Register, "{:?}", without.findings);
    // The same game that claims another round than its position.
    let Record::Register(register) = &all[1] else { unreachable!("it is checked above") };
    let other = Record::Register(Box::new(Register { round: 2, ..(**register).clone() }));
    let moved = of_records([&all[0], &other].into_iter().chain(&all[2..]));
    assert!(!moved.findings.is_empty());
    comes_back(&game.log);
}

/// Checks that a ruling by this rule changes no game that has begun.
#[test]
fn a_game_that_has_begun_is_not_taken_up() {
    let mut game = Played::new(2);
    let position = Position::of(&create(KNOWN_IN_PART, seeded, 1).expect("a game").game.table).to_string();
    let ruling = canasta_engine::action::Action::Ruling(Box::new(Ruling::taking_up(position)));
    assert!(game.state.check(As::Director, &ruling).is_err());
    game.turn();
    assert!(game.state.check(As::Director, &ruling).is_err());
}
