//! The promises of a tournament's policy, compared with a log.

use crate::leaf::mode;
use crate::policy::{Contributions, TournamentPolicy};
use canasta_engine::hex::hex;
use canasta_engine::log::audit::Report;
use canasta_engine::log::record::DealMode;

/// Returns the promises that an audited log does not keep, in words. `vouched` is the number of the last record that
/// somebody outside the log vouches for.
pub fn broken(policy: &TournamentPolicy, report: &Report, vouched: Option<u64>) -> Vec<String> {
    let Some(genesis) = &report.genesis else { return Vec::new() };
    let (deals, origins) = (&policy.deals, &report.origins);
    let of_deals = format!("{} deals", origins.deals);
    let mut broken = Vec::new();
    let mut find =
        |promise: &str, found: String| broken.push(format!("the policy promises {promise}, found {found}"));
    let mode = mode(genesis.mode);
    if !deals.modes.is_empty() && !deals.modes.iter().any(|promised| promised == mode) {
        find(&format!("{} deals", deals.modes.join(" or ")), format!("{mode} deals"));
    }
    if deals.contributions >= Contributions::Given && origins.complete < origins.deals {
        let found = format!("{} in {}", origins.complete, of_deals);
        find("a contribution of every seat in every deal", found);
    }
    if deals.contributions == Contributions::Signed && origins.signed < origins.values {
        let found =
            format!("{} signed of {}", origins.signed, format_args!("{} contributions", origins.values));
        find("signed contributions", found);
    }
    if deals.contributions > Contributions::Any && genesis.mode != DealMode::Committed {
        find("contributions of the seats", format!("{mode} deals, which have none"));
    }
    if !deals.beacons.is_empty() {
        if origins.beacons < origins.deals {
            find("a beacon in every deal", format!("{} in {}", origins.beacons, of_deals));
        }
        for chain in origins.chains.iter().filter(|chain| !deals.beacons.contains(chain)) {
            find("beacons of the chains it names", format!("chain {}", hex(chain)));
        }
    }
    if let Some(most) = deals.max_voided.filter(|&most| report.voided > most) {
        find(&format!("at most {} per game", format_args!("{most} voided deals")), report.voided.to_string());
    }
    for player in &genesis.players {
        if policy.is_players(&player.name, player.key.as_ref()) == Some(false) {
            let found = player.key.map_or("none".into(), |key| hex(&key));
            find(&format!("that {} plays with a registered key", player.name), found);
        }
    }
    if !policy.tree.keys.is_empty() && vouched.is_none_or(|n| n < report.decided) {
        let found = vouched.map_or("none".into(), |n| format!("one up to record {n}"));
        find(&format!("a signature up to record {}, the last that decides anything", report.decided), found);
    }
    broken
}
