//! Records that show hidden cards are masked until the reveal: the audit reports a refusal and a position that stand in clear,
//! and verifies no signature under a masked position.

use super::{Played, stand, with_record};
use crate::support::records;
use canasta_engine::action::{Action, As};
use canasta_engine::deal::simulate;
use canasta_engine::game::{Game, NewDeal, NewGame, Stamp};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};
use canasta_engine::log::record::{Attempt, Record};
use canasta_engine::log::ruling_message;
use canasta_engine::rules::Rules;
use canasta_engine::table::Phase;
use ed25519_dalek::{Signer as _, SigningKey};
use std::sync::Arc;

/// Returns record `n` of a log.
fn record(log: &[u8], n: u64) -> Record {
    records(log).swap_remove(n as usize)
}

fn to_the_end(game: &mut Played) {
    while game.state.table.phase() != Phase::GameOver {
        game.steps(1);
    }
}

/// Checks that a log with a record in clear is a finding at this record, and that it is sound with the record masked.
fn found_in_clear(game: &Played, n: u64, in_clear: &Record, detail: &str) {
    assert_eq!(game.audit().findings, [], "masked");
    let report = audit(&with_record(&game.log, n, in_clear), Expect::default());
    let found: Vec<_> = report.findings.iter().map(|finding| (finding.kind, finding.record)).collect();
    assert_eq!(found, [(FindingKind::Refusal, n)], "{:?}", report.findings);
    assert_eq!(report.findings[0].detail, detail);
    assert!(!report.verdict.is_clean());
}

#[test]
fn a_refused_action_in_clear_is_found_while_cards_are_hidden() {
    let mut game = Played::new(31);
    game.turn();
    let seat = game.state.table.turn_seat();
    let card = game.state.table.hand(seat).iter().next().expect("a hand has cards");
    let (actor, action) = (As::Seat(seat), Action::Discard(card));
    let refused = game.state.check(actor, &action).expect_err("it has not drawn");
    let frames = game.state.refuse(actor, &action, &refused, Stamp::default()).expect("a record");
    game.log.extend(frames);
    let n = game.state.link.n;
    to_the_end(&mut game);
    let Record::Refusal(mut refusal) = record(&game.log, n) else { panic!("the refusal") };
    assert!(matches!(refusal.attempt, Attempt::Masked { .. }));
    refusal.attempt = Attempt::Clear(action);
    let in_clear = Record::Refusal(refusal);
    found_in_clear(&game, n, &in_clear, "expected the refused action masked while cards are hidden");
}

#[test]
fn a_position_in_clear_is_found_while_cards_are_hidden() {
    let mut game = Played::new(33);
    game.turn();
    let ruling = stand(&game, Action::Pass);
    game.act(As::Director, &ruling);
    let n = game.state.link.n;
    to_the_end(&mut game);
    let Record::Action(mut recorded) = record(&game.log, n) else { panic!("the ruling") };
    let (Action::Ruling(masked), Action::Ruling(in_clear)) = (&mut recorded.action, &ruling) else {
        panic!("the ruling")
    };
    assert!(masked.effect.masked && masked.effect.position != in_clear.effect.position);
    (masked.effect.masked, masked.effect.position) = (false, in_clear.effect.position.clone());
    let in_clear = Record::Action(recorded);
    found_in_clear(&game, n, &in_clear, "expected the position masked while cards are hidden");
}

/// Signs a ruling with a position by the director's key, and by another one, which nobody can tell from the log.
#[test]
fn a_signature_under_a_masked_position_is_counted_and_not_verified() {
    let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
    let key = SigningKey::from_bytes(&[0xdd; 32]);
    for signer in [&key, &SigningKey::from_bytes(&[0xee; 32])] {
        let secret = simulate::game_secret(5, 35);
        let new = NewGame::new(rules.clone(), simulate::game_id(&secret), NewDeal::Seeded(secret));
        let director = Some(key.verifying_key().to_bytes());
        let created = Game::create(NewGame { director, ..new }).expect("a game");
        let mut game = Played { state: created.game, log: created.frames, ..Played::new(35) };
        game.turn();
        let Action::Ruling(mut ruling) = stand(&game, Action::Pass) else { unreachable!("it is a ruling") };
        let message = ruling_message(&game.state.link.head, &ruling).expect("a log can hold it");
        ruling.signature = Some(signer.sign(&message).to_bytes());
        game.act(As::Director, &Action::Ruling(ruling));
        to_the_end(&mut game);
        let report = game.audit();
        assert_eq!((report.findings, report.verdict, report.unverified), (vec![], Verdict::Ruled, 1));
    }
}
