//! The signatures of beacons in the audit of a log, which a strict audit verifies.

use crate::auditing::verify_deal::DealReading;
use crate::auditing::verify_deal::report::ProofResult;
use crate::shared::text::count;
use canasta_engine::log::audit::Report;
use canasta_engine::log::finding::{Finding, FindingKind};
use canasta_tournament::beacon::BeaconChain;

/// A reading of a log for the beacons in it; `None` where they are not verified.
pub struct BeaconReading(Option<DealReading>);

impl BeaconReading {
    /// Returns a reading that verifies beacons of quicknet and these chains, if there is a list. It costs the time of
    /// decoding every record.
    pub fn new(chains: Option<&[BeaconChain]>) -> Self {
        Self(chains.map(|chains| DealReading::new([&[BeaconChain::quicknet()], chains].concat())))
    }

    /// Reads the next piece of the log.
    pub fn feed(&mut self, piece: &[u8]) {
        if let Some(reading) = &mut self.0 {
            reading.feed(piece);
        }
    }

    /// Adds a finding for every beacon that does not verify. Returns a reservation if a beacon was not verified.
    pub fn close(self, report: &mut Report) -> Option<String> {
        let of = count(report.origins.beacons, "beacon");
        let Some(deals) = self.0.and_then(DealReading::report) else {
            return Some(format!("the signatures of {of}: verify-deal and --strict verify them"));
        };
        let end = (report.records, report.bytes);
        let steps = deals.deals.iter().flat_map(|deal| deal.steps.iter().map(move |step| (deal, step)));
        let mut is_open = false;
        for (deal, step) in steps.filter(|(_, step)| step.what.starts_with("beacon")) {
            match &step.outcome {
                ProofResult::Holds(_) => {}
                ProofResult::Open(_) => is_open = true,
                ProofResult::Fails(why) => {
                    let detail = format!("{}, {}: {why}", deal.title, step.what);
                    report.find(Finding::new(FindingKind::Commitment, end.0, end.1, detail));
                }
            }
        }
        is_open.then(|| {
            format!("the signatures of {of}: the key of a chain is not known (verify-deal --beacon-info)")
        })
    }
}
