//! The reservations of an audit: what it leaves unproven although it found nothing wrong.

use crate::note::NoteVerifier;
use crate::policy::TournamentPolicy;
use crate::text::count;
use canasta_engine::action::{Authority, Ruling};
use canasta_engine::log::audit::Report;
use canasta_engine::log::finding::{DealVerdict, Finding, FindingKind};
use canasta_engine::log::record::{DealMode, Genesis};

/// The knowledge from outside the log.
#[derive(Clone, Copy, Default)]
pub struct Outside<'a> {
    /// The keys that the caller named, and those of the tournament's tree.
    pub keys: &'a [NoteVerifier],
    /// Number of the keys, from the first, that must have signed every log. A tree's keys sign the tree, and a log that
    /// somebody holds alone need not show that.
    pub demanded: usize,
    pub policy: Option<&'a TournamentPolicy>,
    /// Whether the command has options that name the keys of players.
    pub names_players: bool,
}

impl Outside<'_> {
    /// Whether a player's key is known from outside the log.
    pub fn knows(&self, name: &str, key: &[u8; 32]) -> bool {
        let is_named = self.keys.iter().any(|known| known.bytes() == key);
        is_named || self.policy.and_then(|policy| policy.is_players(name, Some(key))) == Some(true)
    }
}

/// Returns what is not proven of a log, in words. `unread` is the number of checkpoints in it whose signatures nobody
/// verified, `up_to` the last record that somebody outside the log vouches for.
pub fn of(report: &Report, unread: u64, up_to: Option<u64>, outside: Outside<'_>) -> Vec<String> {
    let Some(genesis) = &report.genesis else { return Vec::new() };
    let hides_deals = genesis.mode != DealMode::Transcribed && report.deal == DealVerdict::NotChecked;
    let of_play = [
        report.open_round.map(|round| format!("the play of round {round}, whose cards are not revealed")),
        report
            .conditional_from
            .map(|round| format!("legality from round {round} on, which rests on the scores as declared")),
        (!report.unknown.is_empty())
            .then(|| "what hangs on cards that are not recorded: the verdict is as far as known".into()),
        hides_deals.then(|| "that the deals are those committed to: not everything is revealed".into()),
    ];
    let is_unsigned =
        |(_, ruling): &&(u64, Ruling)| ruling.signature.is_none() && ruling.by == Authority::Director;
    let rulings = report.ruled.iter().filter(is_unsigned).count() as u64;
    let of_signatures = [
        (rulings > 0).then(|| format!("who made {}: no director has signed", count(rulings, "ruling"))),
        (report.unverified > 0).then(|| {
            let of = count(report.unverified as i64, "signature");
            format!("{of} under rulings that let a masked position stand: present, not verified")
        }),
        (unread > 0)
            .then(|| format!("who signed {}: no --key was given", count(unread as i64, "checkpoint"))),
        rewriting(report, up_to),
    ];
    let mut left: Vec<String> = of_play.into_iter().flatten().collect();
    left.extend(choice(report, genesis));
    left.extend(unsigned(report, genesis, outside));
    left.extend(of_signatures.into_iter().flatten());
    left
}

/// Returns the ways in which somebody could have chosen the cards, by the mode of the deals.
fn choice(report: &Report, genesis: &Genesis) -> impl Iterator<Item = String> {
    let origins = &report.origins;
    let of_all = |some| of_all(some, origins.deals, "deal");
    let is_committed = genesis.mode == DealMode::Committed;
    let of_cards = match genesis.mode {
        DealMode::Transcribed => Some(
            "the deals: the cards were shuffled by hand, and the log says what somebody wrote down".into(),
        ),
        DealMode::Explicit => Some(
            "that the cards were not chosen: the walls were given, and nothing shows how they were shuffled"
                .into(),
        ),
        DealMode::Seeded => Some(
            "that the cards were not chosen: whoever made the secret may have tried many and kept one".into(),
        ),
        DealMode::Committed => (origins.alone > 0).then(|| {
            let of = of_all(origins.alone);
            format!("that the cards of {of} were not chosen: nothing went into them but the dealer's secret")
        }),
    };
    let of_registers = (is_committed && origins.by_beacon > 0).then(|| {
        let of = of_all(origins.by_beacon);
        format!("that the registers of {of}, into which a beacon went and no seat's value, are older than the beacon")
    });
    let of_draw = (is_committed && origins.drawn)
        .then(|| "that the draw for seats was not chosen: nobody but the dealer contributes to it".into());
    [of_cards, of_registers, of_draw].into_iter().flatten()
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
fn rewriting(report: &Report, up_to: Option<u64>) -> Option<String> {
    match up_to {
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
