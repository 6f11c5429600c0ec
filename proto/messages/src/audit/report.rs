//! The report on a log, which AuditLog answers.

use canasta_engine::action::As;
use canasta_engine::citation::{Books, cite};
use canasta_engine::log::audit::{Expect, Report};
use canasta_engine::log::finding::{self, FindingKind};
use canasta_engine::log::record::{DealMode, Genesis};

use canasta_proto::v1::{
    self as pb, AuditLogResponse, AuditQuestion, AuditedGame, Finding, Salvaged, SignedActions,
};
use prost::Message;

use super::record::sees_all;
use crate::convert::field::{Read, all, bytes, bytes_opt, required, within};
use crate::convert::{identity, score};

/// Maximum length of all findings, in bytes: the rest of the answer needs room too.
const FINDINGS_BYTES_MAX: usize = 768 * 1024;

/// Reads the question for a report: who asks, and how the log is expected.
pub fn read(question: AuditQuestion) -> Read<(As, Expect)> {
    let AuditQuestion { actor, live, expected_head, expected_record, salvage } = question;
    let head = bytes_opt(&expected_head).map_err(within("expected_head"));
    let record = expected_record
        .map(|expected| {
            let n = required(expected.n).map_err(within("n"))?;
            Ok((n, bytes(&expected.head).map_err(within("head"))?))
        })
        .transpose()
        .map_err(within("expected_record"));
    let (who, head, record) = all((identity::read(actor), head, record))?;
    Ok((who, Expect { live, head, record, salvage }))
}

/// Writes the report on a log as `who` may see it.
pub fn write(report: &Report, who: As) -> AuditLogResponse {
    let genesis = report.genesis.as_ref();
    let books = genesis.and_then(|genesis| genesis.rules().ok()).map(|rules| rules.books());
    let (findings, left_off) = findings(report, books.as_ref(), who);
    let totals: Vec<i32> = report.totals.iter().map(|&total| total as i32).collect();
    AuditLogResponse {
        verdict: verdict(report.verdict).into(),
        deal: deal(report.deal).into(),
        game: genesis.map(|genesis| game(genesis, report)),
        records: report.records,
        bytes: report.bytes,
        head: report.head.into(),
        head_checked: report.head_checked,
        actions: report.actions,
        signed: signed(report),
        unverified: report.unverified,
        refusals: report.refusals,
        rulings: report.rulings,
        remarks: report.remarks,
        rounds: report.rounds,
        voided: report.voided,
        conditional_from: report.conditional_from,
        totals: report.totals.clone(),
        result: report.result.map(|result| score::game_end(&result, &totals)),
        open_round: report.open_round.map(u32::from),
        findings,
        findings_left_off: report.left_off + left_off,
        salvaged: report
            .salvaged
            .map(|salvaged| Salvaged { records: salvaged.records, passed_over: salvaged.passed_over }),
    }
}

fn signed(report: &Report) -> Vec<SignedActions> {
    let players = report.genesis.as_ref().map_or(0, |genesis| genesis.players.len());
    let counted = report.signed.iter().take(players);
    counted.map(|by| SignedActions { actions: by.actions, signed: by.signed }).collect()
}

fn game(genesis: &Genesis, report: &Report) -> AuditedGame {
    let player = |player: &canasta_engine::log::record::Player| pb::Player {
        name: player.name.clone(),
        public_key: player.key.map(Vec::from).unwrap_or_default(),
    };
    AuditedGame {
        game_id: genesis.game_id.into(),
        rule_set: genesis.rule_set_id.clone(),
        rule_set_digest: genesis.rule_set_digest().into(),
        deal_mode: match genesis.mode {
            DealMode::Seeded => pb::DealMode::Seeded,
            DealMode::Committed => pb::DealMode::Committed,
            DealMode::Explicit => pb::DealMode::Explicit,
            DealMode::Transcribed => pb::DealMode::Unspecified,
        }
        .into(),
        players: genesis.players.iter().map(player).collect(),
        seating: report.seating.iter().map(|seat| seat.0.into()).collect(),
        director_key: genesis.director.map(Vec::from).unwrap_or_default(),
        penalties: genesis.penalties.map(Into::into),
        branch_of: genesis.fork_of.map(|fork| fork.n),
    }
}

/// Writes as many findings as there is room for. Returns them and the number of findings left off.
fn findings(report: &Report, books: Option<&Books>, who: As) -> (Vec<Finding>, u64) {
    let mut room = FINDINGS_BYTES_MAX;
    let mut written = Vec::with_capacity(report.findings.len());
    for finding in &report.findings {
        let mut finding = write_finding(finding, books);
        hide(&mut finding, who);
        match room.checked_sub(finding.encoded_len()) {
            Some(left) => room = left,
            None => break,
        }
        written.push(finding);
    }
    let left_off = report.findings.len() - written.len();
    (written, left_off as u64)
}

/// Removes from a report what only those may see who see every hand.
pub fn redact(report: &mut AuditLogResponse, who: As) {
    report.findings.iter_mut().for_each(|finding| hide(finding, who));
}

fn hide(finding: &mut Finding, who: As) {
    if !sees_all(who) {
        finding.position.clear();
    }
}

fn write_finding(finding: &finding::Finding, books: Option<&Books>) -> Finding {
    let mut rule_ids: Vec<String> = Vec::new();
    for &code in &finding.codes {
        let cited: Vec<&str> = match books {
            Some(books) => cite(code, books).collect(),
            None => code.entry().rules().take(1).collect(),
        };
        for rule in cited {
            if !rule_ids.iter().any(|known| known == rule) {
                rule_ids.push(rule.into());
            }
        }
    }
    Finding {
        kind: kind(finding.kind).into(),
        record: finding.record,
        offset: finding.offset,
        round: finding.round.map(u32::from),
        seat: finding.seat.map(|seat| seat.0.into()),
        codes: finding.codes.iter().map(|code| code.name().into()).collect(),
        rule_ids,
        detail: finding.detail.clone(),
        position: finding.position.as_ref().map_or_else(String::new, ToString::to_string),
        unproven: finding.unproven,
    }
}

/// Converts the kind of a finding: the interface has the engine's order and counts from 1.
fn kind(kind: FindingKind) -> pb::FindingKind {
    pb::FindingKind::try_from(kind as i32 + 1).unwrap_or_default()
}

fn verdict(verdict: finding::Verdict) -> pb::Verdict {
    pb::Verdict::from_str_name(&format!("VERDICT_{}", verdict.name())).unwrap_or_default()
}

fn deal(verdict: finding::DealVerdict) -> pb::DealVerdict {
    pb::DealVerdict::from_str_name(&format!("DEAL_VERDICT_{}", verdict.name())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use canasta_engine::log::finding::{DealVerdict, Verdict};

    /// Checks that the interface uses the names of the engine, which the CLI prints.
    #[test]
    fn verdicts_and_findings_have_one_name() {
        for kind in FindingKind::ALL {
            assert_eq!(super::kind(kind).as_str_name(), format!("FINDING_KIND_{}", kind.name()));
        }
        use Verdict::*;
        for verdict in
            [NotALog, UnsupportedVersion, Altered, Illegal, Clerical, Incomplete, Conditional, Ruled, Clean]
        {
            assert_eq!(super::verdict(verdict).as_str_name(), format!("VERDICT_{}", verdict.name()));
        }
        for deal in [DealVerdict::Failed, DealVerdict::NotChecked, DealVerdict::AsCommitted] {
            assert_eq!(super::deal(deal).as_str_name(), format!("DEAL_VERDICT_{}", deal.name()));
        }
        assert!(pb::FindingKind::try_from(FindingKind::ALL.len() as i32 + 1).is_err(), "and no others");
    }
}
