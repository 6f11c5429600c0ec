use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::game::{Created, Game, NewDeal, NewGame};
use canasta_engine::log::audit::{Expect, IsOver};
use canasta_engine::log::frame::Chain;
use canasta_engine::log::record::{Author, Record, Remark};
use canasta_engine::rules::Rules;
use canasta_messages::audit::open_audit::OpenAudit;

use canasta_serve::workers::CancelOnDrop;

/// Audits a log of notes until nobody waits for the answer any longer.
#[test]
fn an_audit_that_nobody_waits_for_is_given_up_within_256_records() {
    let note = Record::Remark(Remark::note(Author::Table, None, "x"));
    let rules = Arc::new(Rules::preset("classic-4p").expect("the main game"));
    let new = NewGame::new(rules, GameId([1; 16]), NewDeal::Seeded(GameSecret([2; 64])));
    let Created { game: state, frames: mut log } = Game::create(new).expect("a game");
    let mut chain = Chain { next: state.link.n + 1, head: state.link.head };
    for _ in 0..2000 {
        chain.append(&note.encode().expect("a record"), &mut log);
    }
    for (is_cancelled, expected) in [(false, 2002..=2002), (true, 0..=256)] {
        let cancel = CancelOnDrop::default();
        let cancelled = cancel.flag();
        let is_over: IsOver = Arc::new(move || cancelled.load(Ordering::Relaxed));
        let mut audit = OpenAudit::new(Some(Expect::default()), BTreeSet::new()).until(&is_over);
        let waiting = Some(cancel).filter(|_| !is_cancelled);
        audit.feed(&log);
        drop(waiting);
        assert!(expected.contains(&audit.records()), "{}", audit.records());
    }
}
