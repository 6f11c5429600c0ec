//! Points by side, signatures of the director, and a position that nothing judges yet.

use super::{Played, stand, with_record};
use crate::support::records;
use canasta_engine::action::{Action, As};
use canasta_engine::deal::simulate;
use canasta_engine::event::Event;
use canasta_engine::game::{CreateError, Game, NewDeal, NewGame};
use canasta_engine::hex::hex;
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};
use canasta_engine::log::record::{ActionRecord, Genesis, Record};
use canasta_engine::log::{action_bytes, action_from_bytes};
use canasta_engine::notation::Proposal;
use canasta_engine::rules::Rules;
use canasta_engine::table::Phase;
use canasta_engine::violations::Code;
use ed25519_dalek::{Signer as _, SigningKey};
use std::sync::Arc;

/// Checks points by side: they enter with the round, events and text say them, and a reversal gives them back.
#[test]
fn an_adjustment_changes_every_side() {
    let mut game = Played::new(21);
    game.turn();
    let line = "director: ruling IR-070 0 NS effect adjust 100 -50";
    let acted = game.line(line);
    assert_eq!(acted.events[..], [Event::Ruled { id: 1, points: vec![100, -50] }]);
    assert_eq!(game.state.table.rulings().adjustments[..2], [100, -50]);
    game.line("director: ruling IR-070 0 NS reverses 1");
    assert_eq!(game.state.table.rulings().adjustments, [0; 6]);
    game.line("director: ruling IR-070 0 EW effect adjust 0 20000");
    while game.state.table.phase() != Phase::GameOver {
        game.steps(1);
    }
    // After the end they change the totals, and with them the winner.
    let totals = game.state.table.scores().to_vec();
    let acted = game.line("director: ruling IR-070 0 NS effect adjust 50000 -50000");
    assert_eq!(game.state.table.scores(), [totals[0] + 50_000, totals[1] - 50_000]);
    assert!(totals[1] > totals[0] && acted.result.is_some_and(|result| result.winner.is_some()));
    let report = game.audit();
    assert_eq!((report.findings, report.verdict), (vec![], Verdict::Ruled));
    let book = |total: i32| i64::from(total);
    assert_eq!(report.totals, game.state.table.scores().iter().copied().map(book).collect::<Vec<_>>());
}

/// Refuses points by side that cannot be, and points where a ruling reverses another.
#[test]
fn adjustments_have_bounds() {
    let mut game = Played::new(23);
    game.turn();
    game.line("director: ruling IR-070 0 NS effect adjust 5");
    for text in [
        "ruling IR-070 0 NS effect adjust 3",
        "ruling IR-070 0 NS effect adjust 0 0",
        "ruling IR-070 0 NS effect adjust 5 5 5",
        "ruling IR-070 0 NS effect adjust 5 reverses 1",
        "ruling IR-071 0 NS effect adjust 5",
    ] {
        let action = Proposal::parse(text, game.state.table.set()).expect("a ruling").action;
        let refused = game.state.check(As::Director, &action).expect_err(text);
        let codes: Vec<_> = refused.violations.iter().map(|violation| violation.code).collect();
        assert!(codes.contains(&Code::RulingEffectNotApplicable), "{text}: {codes:?}");
    }
    let far = Proposal::parse("ruling IR-070 0 NS effect adjust 1000005", game.state.table.set());
    assert!(far.is_err(), "out of bounds");
}

/// Verifies the director's signatures under rulings, and keeps the director's key and the table of penalties.
#[test]
fn signatures_of_rulings_are_the_directors() {
    let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
    let secret = simulate::game_secret(5, 25);
    let new = NewGame::new(rules, simulate::game_id(&secret), NewDeal::Seeded(secret));
    let unknown = NewGame { penalties: Some(2), ..new.clone() };
    assert!(matches!(Game::create(unknown), Err(CreateError::Field(error)) if error.field == "penalties"));
    let key = SigningKey::from_bytes(&[0xdd; 32]);
    let director = Some(key.verifying_key().to_bytes());
    let created = Game::create(NewGame { director, penalties: Some(1), ..new }).expect("a game");
    let mut game = Played { state: created.game, log: created.frames, ..Played::new(25) };
    game.turn();
    let text = "ruling IR-033 -100 NS";
    let Action::Ruling(bare) = Proposal::parse(text, game.state.table.set()).expect("a ruling").action else {
        unreachable!("it is a ruling")
    };
    let bytes = action_bytes(&Action::Ruling(bare)).expect("a log can hold it");
    let message = [&b"canasta-director/1\0"[..], &game.state.link.head, &bytes].concat();
    let signature = hex(&key.sign(&message).to_bytes());
    game.line(&format!("director: {text} signature {signature}"));
    let n = game.state.link.n;
    while game.state.table.phase() != Phase::GameOver {
        game.steps(1);
    }
    let report = game.audit();
    assert_eq!((report.findings, report.verdict, report.unverified), (vec![], Verdict::Ruled, 0));
    let genesis = report.genesis.expect("a genesis");
    assert_eq!((genesis.director, genesis.penalties), (director, Some(1)));
    // Other points under the same signature; another director.
    let changed = |record: &mut ActionRecord| match &mut record.action {
        Action::Ruling(ruling) => ruling.reason = "another".into(),
        _ => unreachable!("it is the ruling"),
    };
    let mut records = records(&game.log);
    let Record::Action(ruling) = &mut records[n as usize] else { panic!("the ruling") };
    changed(ruling);
    let log = with_record(&game.log, n, &records[n as usize]);
    let other = Genesis { director: Some([0xdd; 32]), ..genesis.clone() };
    for log in [log, with_record(&game.log, 0, &Record::Genesis(Box::new(other)))] {
        let report = audit(&log, Expect::default());
        let kinds: Vec<_> = report.findings.iter().map(|finding| (finding.kind, finding.record)).collect();
        assert_eq!(kinds, [(FindingKind::Signature, n)]);
    }
    // A table of penalties that this engine does not have: nothing is judged by another one.
    let other = Genesis { penalties: Some(2), ..genesis };
    let log = with_record(&game.log, 0, &Record::Genesis(Box::new(other)));
    let report = audit(&log, Expect::default());
    assert_eq!(report.findings[0].kind, FindingKind::RuleSet, "{:?}", report.findings);
}

/// Refuses a position with unknown cards, which a log can hold and nobody judges yet.
#[test]
fn a_position_with_unknown_cards_does_not_stand_yet() {
    let mut game = Played::new(27);
    game.turn();
    let Action::Ruling(mut ruling) = stand(&game, Action::Pass) else { unreachable!("it is a ruling") };
    let text = String::from_utf8(ruling.effect.position.take().expect("a position")).expect("text");
    let (before, hand) = text.split_once("hand N ").expect("a hand");
    ruling.effect.position = Some(format!("{before}hand N ??{}", &hand[2..]).into_bytes());
    let action = Action::Ruling(ruling);
    let bytes = action_bytes(&action).expect("a log can hold it");
    assert_eq!(action_from_bytes(&bytes).as_ref(), Ok(&action));
    let refused = game.state.check(As::Director, &action).expect_err("refused");
    let codes: Vec<_> = refused.violations.iter().map(|violation| violation.code).collect();
    assert_eq!(codes, [Code::RulingEffectNotApplicable]);
}
