//! The reservations of an audit: what it leaves unproven although it found nothing wrong.

use super::signed::Signatures;
use crate::text::count;
use canasta_engine::log::audit::Report;
use canasta_engine::log::finding::{DealVerdict, Finding, FindingKind};
use canasta_engine::log::record::DealMode;

/// Returns what is not proven, in words. `vouched` says whether a given key has signed the log.
pub fn of(report: &Report, signatures: &Signatures, vouched: bool) -> Vec<String> {
    let Some(genesis) = &report.genesis else { return Vec::new() };
    let mut left = Vec::new();
    if let Some(round) = report.open_round {
        left.push(format!("the play of round {round}, whose cards are not revealed"));
    }
    if let Some(round) = report.conditional_from {
        left.push(format!("legality from round {round} on, which rests on the scores as declared"));
    }
    if !report.unknown.is_empty() {
        left.push("what hangs on cards that are not recorded: the verdict is as far as known".into());
    }
    if genesis.mode == DealMode::Transcribed {
        left.push(
            "the deals: the cards were shuffled by hand, and the log says what somebody wrote down".into(),
        );
    } else if report.deal == DealVerdict::NotChecked {
        left.push("that the deals are those committed to: not everything is revealed".into());
    }
    for (player, signed) in genesis.players.iter().zip(&report.signed) {
        let unsigned = signed.actions - signed.signed;
        if player.key.is_some() && unsigned > 0 {
            let of = format!("{} of {}", count(unsigned as i64, "action"), player.name);
            left.push(format!("that {of}, who has a key, are {}'s own", player.name));
        }
    }
    if report.unverified > 0 {
        let of = count(report.unverified as i64, "signature");
        left.push(format!("{of} under contributions and rulings: present, not verified"));
    }
    let unread = signatures.unread();
    if unread > 0 {
        left.push(format!("who signed {}: no --key was given", count(unread as i64, "checkpoint")));
    }
    if !report.head_checked && !vouched {
        left.push(
            "that the log was not written anew as a whole: nothing vouches for it (--head, --key)".into(),
        );
    }
    left
}

/// Turns the reservations into findings.
pub fn insist(report: &mut Report, reservations: &[String]) {
    let (record, offset) = (report.records, report.bytes);
    for reservation in reservations {
        report.find(Finding::new(FindingKind::Unproven, record, offset, reservation.clone()));
    }
}
