//! The signatures of beacons in the audit of a log, which a strict audit verifies.

use crate::auditing::verify_deal::DealReading;
use crate::auditing::verify_deal::report::ProofResult;
use crate::shared::text::count;
use canasta_engine::log::audit::Report;
use canasta_engine::log::finding::{Finding, FindingKind};
use canasta_tournament::beacon::BeaconChain;

/// Returns a reading of deals that verifies beacons of quicknet and these chains, if there is a list. It costs the time of
/// decoding every record.
pub fn deals(chains: Option<&[BeaconChain]>) -> Option<DealReading> {
    chains.map(|chains| DealReading::new([&[BeaconChain::quicknet()], chains].concat()))
}

/// Adds a finding for every beacon that does not verify. Returns a reservation if a beacon was not verified.
pub fn close(deals: Option<DealReading>, report: &mut Report) -> Option<String> {
    let of = count(report.origins.beacons, "beacon");
    let Some(deals) = deals.and_then(DealReading::report) else {
        return Some(format!("the signatures of {of}: verify-deal and --strict verify them"));
    };
    let end = (report.records, report.bytes);
    let steps = deals.deals.iter().flat_map(|deal| deal.steps.iter().map(move |step| (deal, step)));
    let mut is_open = false;
    for (deal, step) in steps.filter(|(_, step)| step.what.starts_with("beacon")) {
        match step.outcome {
            ProofResult::Holds => {}
            ProofResult::Open => is_open = true,
            ProofResult::Fails => {
                let detail = format!("{}, {}: {}", deal.title, step.what, step.text);
                report.find(Finding::new(FindingKind::Commitment, end.0, end.1, detail));
            }
        }
    }
    is_open.then(|| {
        format!("the signatures of {of}: the key of a chain is not known (verify-deal --beacon-info)")
    })
}
