//! The reservations of an audit: what it leaves unproven although it found nothing wrong.

use super::outside::Outside;
use super::signed::{Signatures, Vouched};
use crate::shared::text::count;
use canasta_engine::log::audit::Report;
use canasta_engine::log::finding::{DealVerdict, Finding, FindingKind};
use canasta_engine::log::record::{DealMode, Genesis};

/// Returns what is not proven, in words.
pub fn of(report: &Report, signatures: &Signatures, vouched: &Vouched, outside: Outside<'_>) -> Vec<String> {
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
    if genesis.mode != DealMode::Transcribed && report.deal == DealVerdict::NotChecked {
        left.push("that the deals are those committed to: not everything is revealed".into());
    }
    left.extend(choice(report, genesis));
    left.extend(unsigned(report, genesis, outside));
    if report.unverified > 0 {
        let of = count(report.unverified as i64, "signature");
        left.push(format!("{of} under rulings that let a masked position stand: present, not verified"));
    }
    let unread = signatures.unread();
    if unread > 0 {
        left.push(format!("who signed {}: no --key was given", count(unread as i64, "checkpoint")));
    }
    left.extend(rewriting(report, vouched));
    left
}

/// Returns the ways in which somebody could have chosen the cards, by the mode of the deals.
fn choice(report: &Report, genesis: &Genesis) -> Vec<String> {
    let origins = &report.origins;
    let mut left = Vec::new();
    match genesis.mode {
        DealMode::Transcribed => {
            left.push(
                "the deals: the cards were shuffled by hand, and the log says what somebody wrote down"
                    .into(),
            );
        }
        DealMode::Explicit => {
            left.push("that the cards were not chosen: the walls were given, and nothing shows how they were shuffled".into());
        }
        DealMode::Seeded => {
            left.push(
                "that the cards were not chosen: whoever made the secret may have tried many and kept one"
                    .into(),
            );
        }
        DealMode::Committed if origins.alone > 0 => {
            let of = of_all(origins.alone, origins.deals, "deal");
            left.push(format!(
                "that the cards of {of} were not chosen: nothing went into them but the dealer's secret"
            ));
        }
        DealMode::Committed => {}
    }
    if genesis.mode == DealMode::Committed && origins.by_beacon > 0 {
        let of = of_all(origins.by_beacon, origins.deals, "deal");
        left.push(format!("that the registers of {of}, into which a beacon went and no seat's value, are older than the beacon"));
    }
    if genesis.mode == DealMode::Committed && origins.drawn {
        left.push("that the draw for seats was not chosen: nobody but the dealer contributes to it".into());
    }
    left
}

/// Returns which players' part the writer of the log could have made.
fn unsigned(report: &Report, genesis: &Genesis, outside: Outside<'_>) -> Vec<String> {
    let origins = &report.origins;
    let mut left = Vec::new();
    if origins.values > origins.signed {
        let of = of_all(origins.values - origins.signed, origins.values, "contribution");
        left.push(format!(
            "that {of} came from the seats: they are not signed, and the writer of the log may have made them"
        ));
    }
    for (player, signed) in genesis.players.iter().zip(&report.signed) {
        let unsigned = signed.actions - signed.signed;
        if player.key.is_some() && unsigned > 0 {
            let of = format!("{} of {}", count(unsigned as i64, "action"), player.name);
            left.push(format!("that {of}, who has a key, are {}'s own", player.name));
        }
    }
    let has_signed = |signed: u64| signed > 0 || origins.signed > 0;
    let strangers = genesis.players.iter().zip(&report.signed).filter_map(|(player, signed)| {
        let key = player.key.as_ref().filter(|_| has_signed(signed.signed))?;
        (!outside.knows(&player.name, key)).then_some(player.name.as_str())
    });
    let strangers: Vec<&str> = strangers.collect();
    if !strangers.is_empty() {
        let who = strangers.join(", ");
        let options = if outside.names_players { " (--key, --policy)" } else { "" };
        left.push(format!(
            "that the keys in the log are those of {who}: nobody outside the log names them{options}"
        ));
    }
    left
}

/// Returns the records that the owner of the log could have written anew.
fn rewriting(report: &Report, vouched: &Vouched) -> Option<String> {
    match vouched.up_to {
        None => Some(
            "that the log was not written anew as a whole: nothing vouches for it (--head, --key)".into(),
        ),
        Some(n) if n < report.decided => Some(format!(
            "that the log was not written anew behind record {n}: nothing vouches for what follows, up to record {} that decides last",
            report.decided
        )),
        Some(_) => None,
    }
}

fn of_all(some: u32, all: u32, what: &str) -> String {
    if some == all { count(all, what) } else { format!("{some} of {}", count(all, what)) }
}

/// Turns the reservations into findings.
pub fn insist(report: &mut Report, reservations: &[String]) {
    let (record, offset) = (report.records, report.bytes);
    for reservation in reservations {
        report.find(Finding::new(FindingKind::Unproven, record, offset, reservation.clone()));
    }
}
