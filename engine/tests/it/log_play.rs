//! Whole games played through the writer, and their logs audited.

use crate::support::{CATALOGUE, Rng};
use canasta_engine::action::{Action, As};
use canasta_engine::deal::simulate;
use canasta_engine::game::{ActError, Created, Game, NewDeal, NewGame, RefuseError, Stamp};
use canasta_engine::legal;
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};
use canasta_engine::log::record::{Author, Remark};
use canasta_engine::rules::Rules;
use canasta_engine::table::Phase;
use canasta_engine::token;
use std::sync::Arc;

fn create(game: u32) -> Created {
    let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
    let secret = simulate::game_secret(3, game);
    let new = NewGame::new(rules, simulate::game_id(&secret), NewDeal::Seeded(secret));
    Game::create(new).expect("a game")
}

/// Plays a game at random. In some positions the wrong seat tries an action, and the refusal is recorded.
fn play(game: u32, rounds_at_most: u16) -> Vec<u8> {
    let created = create(game);
    let (mut state, mut log) = (created.game, created.frames);
    let mut rng = Rng(u64::from(game));
    while state.table.phase() != Phase::GameOver && state.table.round_number() <= rounds_at_most {
        let steps = legal::steps(&state.table);
        let action = &steps.actions[rng.below(steps.actions.len())];
        let actor = state.table.to_act().map_or(As::Table, As::Seat);
        if rng.below(40) == 0
            && let As::Seat(seat) = actor
        {
            let wrong = As::Seat(seat.left(4));
            let refused = state.check(wrong, action).expect_err("it is another seat's turn");
            log.extend(state.refuse(wrong, action, &refused, Stamp::default()).unwrap());
        }
        if rng.below(200) == 0 {
            log.extend(state.remark(Remark::note(Author::Director, None, "tea")).unwrap());
        }
        let stamp = Stamp { elapsed_ms: Some(rng.below(30_000) as u64), signature: None };
        log.extend(state.act(actor, action, stamp).expect("a step is legal").frames);
    }
    log
}

#[test]
fn whole_games_audit_clean() {
    for game in 0..20 {
        let log = play(game, 1000);
        let report = audit(&log, Expect::default());
        assert_eq!(report.findings, []);
        assert_eq!(report.verdict, Verdict::Clean);
        assert!(report.result.is_some());
        println!(
            "{} records, {} actions, {} refusals, {} rounds, {} bytes ({:.1} an action) {:?}",
            report.records,
            report.actions,
            report.refusals,
            report.rounds,
            log.len(),
            log.len() as f64 / report.actions as f64,
            report.totals
        );
    }
}

#[test]
fn a_live_log_is_clean_where_play_may_go_on() {
    let log = play(1, 1);
    let cut = |expect| audit(&log, expect);
    assert_eq!(cut(Expect { live: true, ..Expect::default() }).findings, []);
    let report = cut(Expect::default());
    assert_eq!(report.findings.iter().map(|f| f.kind).collect::<Vec<_>>(), [FindingKind::Incomplete]);
}

/// Fills a round with refusals: a round has at most 16,384 records and 1 MiB, of which the last 256 records and 128
/// KiB are reserved for the records that end it.
#[test]
fn a_round_that_becomes_too_long_takes_no_more() {
    let Created { game: mut state, frames: mut log } = create(0);
    let deal = Action::Deal(Default::default());
    log.extend(state.act(As::Table, &deal, Stamp::default()).expect("a deal is due").frames);
    let actor = state.table.to_act().expect("somebody is to act");
    let wrong = As::Seat(actor.left(4));
    let refused = state.check(wrong, &Action::DrawStock).expect_err("it is another seat's turn");
    let mut bytes = 0;
    loop {
        match state.refuse(wrong, &Action::DrawStock, &refused, Stamp::default()) {
            Ok(frames) => {
                bytes += frames.len();
                log.extend(frames);
            }
            Err(error) => break assert_eq!(error, RefuseError::RoundTooLong),
        }
    }
    // The longest frame, 60,011 bytes, must have room.
    assert!((1024 - 128 - 60) * 1024 < bytes && bytes <= (1024 - 128) * 1024, "{bytes}");
    let before = state.clone();
    let turn = state.act(As::Seat(actor), &Action::DrawStock, Stamp::default());
    assert_eq!(turn, Err(ActError::RoundTooLong));
    assert_eq!(state, before);
    log.extend(state.remark(Remark::note(Author::Director, None, "tea")).expect("a note"));
    assert_eq!(audit(&log, Expect { live: true, ..Expect::default() }).findings, []);
    let token = token::encode(&state);
    assert_eq!(token::decode(&token, &CATALOGUE), Ok(state));
}
