//! The promises of a tournament's policy, compared with a log.

use crate::leaf::mode;
use crate::policy::{Contributions, SeatKey, Signing, TournamentPolicy};
use canasta_engine::action::Authority;
use canasta_engine::hex::hex;
use canasta_engine::log::audit::Report;
use canasta_engine::log::record::DealMode;

/// Returns the promises that an audited log does not keep, in words.
pub fn broken(policy: &TournamentPolicy, report: &Report) -> Vec<String> {
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
        let found = format!("{} signed of {} contributions", origins.signed, origins.values);
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
        find(&format!("at most {most} voided deals per game"), report.voided.to_string());
    }
    if policy.actions == Signing::Signed {
        for (player, signed) in
            genesis.players.iter().zip(&report.signed).filter(|(_, of)| of.signed < of.actions)
        {
            find(
                &format!("signed actions of {}", player.name),
                format!("{} signed of {}", signed.signed, signed.actions),
            );
        }
    }
    if policy.director.rulings == Signing::Signed {
        for (n, ruling) in &report.ruled {
            if ruling.by == Authority::Director && ruling.signature.is_none() {
                find("signed rulings", format!("no signature under the ruling of record {n}"));
            }
        }
        let is_known = |key: &[u8; 32]| policy.director.keys.contains(&SeatKey(*key));
        if let Some(key) = genesis.director.filter(|key| report.rulings > 0 && !is_known(key)) {
            find("rulings with a key of the director's", hex(&key));
        }
    }
    for player in &genesis.players {
        if policy.is_players(&player.name, player.key.as_ref()) == Some(false) {
            let found = player.key.map_or("none".into(), |key| hex(&key));
            find(&format!("that {} plays with a registered key", player.name), found);
        }
    }
    broken
}

/// Returns the promises that only a published tree can keep, as the policy has them.
pub fn of_tree(policy: &TournamentPolicy) -> Vec<String> {
    let tree = &policy.tree;
    let keys: Vec<&str> = tree.keys.iter().map(|key| key.name()).collect();
    let promises = [
        tree.origin.as_ref().map(|origin| format!("origin = {origin}")),
        (!keys.is_empty()).then(|| format!("keys = {}", keys.join(", "))),
        tree.opened.then(|| "opened = true".into()),
        tree.opened_before.map(|_| "opened_before = deal".into()),
        tree.heads_every.records.map(|records| format!("heads_every.records = {records}")),
        tree.heads_every.seconds.map(|seconds| {
            let name = if tree.heads_within.is_some() { "heads_within" } else { "heads_every.seconds" };
            format!("{name} = {seconds}")
        }),
        tree.close_within.map(|minutes| format!("close_within = {minutes}")),
        tree.max_voided_games.map(|games| format!("max_voided_games = {games}")),
        tree.voids_after.map(|records| format!("voids_after = {records}")),
        tree.checkpoint_within.map(|seconds| format!("checkpoint_within = {seconds}")),
        (!policy.sheets).then(|| "sheets = false".into()),
        (policy.witnesses.quorum > 0).then(|| format!("quorum = {}", policy.witnesses.quorum)),
        policy.witnesses.cosigned_within.map(|seconds| format!("cosigned_within = {seconds}")),
    ];
    promises.into_iter().flatten().collect()
}
