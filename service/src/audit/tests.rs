use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::game::{Created, Game, NewDeal, NewGame};
use canasta_engine::log::DecodeError;
use canasta_engine::log::audit::{Expect, IsOver};
use canasta_engine::log::finding::{DealVerdict, FindingKind, Verdict};
use canasta_engine::log::frame::Chain;
use canasta_engine::log::record::{Author, Record, Remark};
use canasta_engine::rules::Rules;
use canasta_proto::v1 as pb;

use super::open_audit::OpenAudit;
use super::{record, report};
use crate::workers::CancelOnDrop;

/// Checks that the interface uses the names of the engine, which the CLI prints.
#[test]
fn verdicts_and_findings_have_one_name() {
    for kind in FindingKind::ALL {
        assert_eq!(report::kind(kind).as_str_name(), format!("FINDING_KIND_{}", kind.name()));
    }
    use Verdict::*;
    for verdict in
        [NotALog, UnsupportedVersion, Altered, Illegal, Clerical, Incomplete, Conditional, Ruled, Clean]
    {
        assert_eq!(report::verdict(verdict).as_str_name(), format!("VERDICT_{}", verdict.name()));
    }
    for deal in [DealVerdict::Failed, DealVerdict::NotChecked, DealVerdict::AsCommitted] {
        assert_eq!(report::deal(deal).as_str_name(), format!("DEAL_VERDICT_{}", deal.name()));
    }
    assert!(pb::FindingKind::try_from(FindingKind::ALL.len() as i32 + 1).is_err(), "and no others");
}

/// Checks that the interface names the kinds of records of the log, and no others.
#[test]
fn kinds_of_records_have_one_name() {
    let kinds: Vec<_> = (1..).map_while(|number| pb::RecordKind::try_from(number).ok()).collect();
    for kind in &kinds {
        let name = kind.as_str_name().trim_start_matches("RECORD_KIND_").to_ascii_lowercase();
        assert_eq!(record::kind(&Record::blank(&name).expect("a kind of the log")), *kind);
    }
    // Accepted actions have four of the numbers in the log.
    let is_known = |&number: &u8| {
        let error = Record::decode(&[number]).expect_err("every record is longer");
        !matches!(error, DecodeError::UnknownRecord { .. })
    };
    assert_eq!((0..=u8::MAX).filter(is_known).count() - 3, kinds.len());
}

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
