//! Whole games played through the writer, and their logs audited.

use canasta_engine::action::As;
use canasta_engine::deal::simulate;
use canasta_engine::legal;
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::finding::{FindingKind, Verdict};
use canasta_engine::log::record::{Author, Player};
use canasta_engine::log::writer::{self, NewDeal, NewGame, Stamp};
use canasta_engine::rules::Rules;
use canasta_engine::state::Phase;
use std::sync::Arc;

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A random game; now and then an action is tried by the wrong seat, and the refusal recorded.
fn play(game: u32, rounds_at_most: u16) -> Vec<u8> {
    let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
    let secret = simulate::game_secret(3, game);
    let player = |name: &str| Player { name: name.into(), key: None };
    let created = writer::create(NewGame {
        rules,
        game_id: simulate::game_id(&secret),
        deal: NewDeal::Seeded(secret),
        dealer: None,
        players: ["North", "East", "South", "West"].map(player).to_vec(),
        started_at_ms: None,
        expires_at: None,
        fork_of: None,
    })
    .expect("four players make a game");
    let (mut state, mut log) = (created.state, created.frames);
    let mut rng = Rng(u64::from(game));
    while state.phase() != Phase::GameOver && state.round_number() <= rounds_at_most {
        let steps = legal::steps(&state);
        let action = &steps.actions[rng.below(steps.actions.len())];
        let actor = state.to_act().map_or(As::Table, As::Seat);
        if rng.below(40) == 0
            && let As::Seat(seat) = actor
        {
            let wrong = As::Seat(seat.left(4));
            let refused =
                canasta_engine::check::check(&state, wrong, action).expect_err("it is another seat's turn");
            log.extend(writer::refuse(&mut state, wrong, action, &refused, Stamp::default()).unwrap());
        }
        if rng.below(200) == 0 {
            log.extend(writer::note(&mut state, Author::Director, "tea".into(), Stamp::default()).unwrap());
        }
        let stamp = Stamp { elapsed_ms: Some(rng.below(30_000) as u64), signature: None };
        log.extend(writer::act(&mut state, actor, action, stamp).expect("a step is legal").frames);
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
    assert_eq!(cut(Expect { live: true, head: None }).findings, []);
    let report = cut(Expect::default());
    assert_eq!(report.findings.iter().map(|f| f.kind).collect::<Vec<_>>(), [FindingKind::Incomplete]);
}
