//! The end of an audit: its report.

use super::game::GameAudit;
use super::report::{Report, Salvaged};
use super::salvaging::find_gap;
use super::{Auditor, FrameSource};
use crate::finding::{DealVerdict, Finding, FindingKind, Verdict};
use crate::replay::{Place, Step};
use canasta_log::Head;

impl Auditor {
    /// Returns the outcome, after the whole log has been fed.
    pub fn finish(mut self) -> Report {
        self.drain_salvager(true, &mut |_: &Step<'_>| ());
        let Self { source, expect, mut game, mut tally, head_seen_at, record_seen, stopped_at } = self;
        let (chain, offset, salvaged) = match source {
            FrameSource::Strict(reader) => {
                if let Some(error) = reader.finish().err().filter(|_| stopped_at.is_none()) {
                    tally.find(Finding::of_error(&error));
                }
                let (chain, offset) = stopped_at.unwrap_or((reader.chain(), reader.offset()));
                (chain, offset, None)
            }
            FrameSource::Salvage { prefix: (chain, offset), salvager, .. } => {
                let records = salvager.records() - chain.next;
                if let Some(left) = salvager.left() {
                    find_gap(&mut tally, salvager.records(), left.0, left.1);
                }
                (chain, offset, Some(Salvaged { records, passed_over: salvager.passed_over() }))
            }
        };
        let end = Place { n: chain.next, offset, head: chain.head };
        let ended = game.as_ref().is_some_and(GameAudit::has_ended);
        if let Some(game) = &mut game {
            game.check_open_round(&mut tally);
            if tally.salvage {
                game.check_adrift(end, &mut tally);
            }
        }
        if !ended && !expect.live && tally.report.findings.is_empty() {
            tally.find(end.finding(FindingKind::Incomplete, "the log stops before the end of the game"));
        }
        let other = head_finding(expect.head, chain.head, head_seen_at, end);
        other.into_iter().for_each(|of| tally.find(of));
        if let Some((n, head)) = expect.record.filter(|_| !record_seen) {
            let detail = alloc::format!(
                "expected record {n} with head {}: the log was cut before it or rewritten",
                canasta_rules::hex::hex(&head)
            );
            tally.find(end.finding(FindingKind::Head, detail));
        }
        let failed = |f: &Finding| matches!(f.kind, FindingKind::Commitment | FindingKind::Deal);
        let deal = match &game {
            _ if tally.report.findings.iter().any(failed) => DealVerdict::Failed,
            Some(game) if !tally.stopped && !tally.unproven && game.is_dealt_as_committed() => {
                DealVerdict::AsCommitted
            }
            _ => DealVerdict::NotChecked,
        };
        let (head_checked, mut report) = (expect.head.is_some(), tally.report);
        if let Some(game) = game {
            game.report(&mut report);
        }
        let best = match report.rulings {
            _ if report.open_round.is_some() || !report.unknown.is_empty() => Verdict::Conditional,
            0 => Verdict::Clean,
            _ => Verdict::Ruled,
        };
        let verdict = report.verdict.min(best);
        let (records, head) = (chain.next, chain.head);
        Report { records, bytes: offset, head, head_checked, verdict, deal, salvaged, ..report }
    }
}

fn head_finding(expected: Option<Head>, found: Head, seen_at: Option<u64>, end: Place) -> Option<Finding> {
    let expected = expected.filter(|&expected| expected != found)?;
    let detail = match seen_at {
        Some(n) => alloc::format!("the expected head is that of record {n}: records follow it"),
        None => alloc::format!(
            "expected head {}, found {}: the log was cut or rewritten",
            canasta_rules::hex::hex(&expected),
            canasta_rules::hex::hex(&found)
        ),
    };
    Some(end.finding(FindingKind::Head, detail))
}
