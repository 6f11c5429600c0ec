//! The one accountant of what callers hold: a table of what is scarce, with the limits of one caller, of one address and of
//! all callers together.

use std::sync::Arc;

use canasta_messages::fault::RequestFault;

use super::shares::{ADDRESS_CALLERS, ShareLimits, SharedPlace, Shares};
use crate::OrFault;
use crate::config::Config;
use crate::identity::CallerKey;
use crate::telemetry::counts::{Counts, PlaceKind};

/// Maximum number of bytes of answers that are being made or are not taken yet.
pub const ANSWERS_BYTES_MAX: u64 = 16 << 20;

/// Maximum number of open streams about games by id.
const GAME_STREAMS: u64 = 10_000;
/// Number of callers of one address that may have all their streams about games at once.
const STREAM_CALLERS: u64 = 4;

/// The account of everything that callers hold in this process; see the module.
#[derive(Clone)]
pub struct Accountant(Arc<[Shares; PlaceKind::NAMES.len()]>);

impl Accountant {
    /// Returns an accountant in whose books nobody holds anything.
    pub fn new(config: &Config, counts: &Counts) -> Self {
        let of = |kind| Shares::new(limits(config, kind), counts.revoked(kind));
        Self(Arc::new(PlaceKind::ALL.map(of)))
    }

    /// Returns an accountant with so many bytes for requests that arrive.
    #[cfg(test)]
    pub fn of_bytes(bytes: u32) -> Self {
        use clap::Parser;
        let mut config = crate::config::ServiceCli::parse_from(["canasta-service"]).config;
        config.max_body_bytes = bytes;
        Self::new(&config, &Counts::default())
    }

    pub fn of(&self, kind: PlaceKind) -> &Shares {
        &self.0[kind as usize]
    }

    /// Takes a place of so many units.
    ///
    /// # Errors
    /// If the caller has its share.
    pub fn take(&self, kind: PlaceKind, caller: &CallerKey, units: u64) -> OrFault<SharedPlace> {
        self.of(kind).take(caller, units).ok_or_else(|| match kind {
            PlaceKind::Games => RequestFault::GameStreams(self.of(kind).caller_max()),
            _ => RequestFault::Overloaded,
        })
    }
}

/// Returns the limits of places of one kind. Whoever is alone may have all of what has one number.
fn limits(config: &Config, kind: PlaceKind) -> ShareLimits {
    match kind {
        PlaceKind::Requests => ShareLimits::of_all(config.max_requests.into()),
        PlaceKind::Audits => ShareLimits::of_all(config.max_audits.into()),
        PlaceKind::Play => ShareLimits::of_all(config.max_play_streams.into()),
        PlaceKind::Watchers => ShareLimits::of_all(config.max_watchers.into()),
        PlaceKind::Connections => {
            let caller = u64::from(config.max_peer_connections);
            ShareLimits { all: config.max_connections.into(), party: ADDRESS_CALLERS * caller, caller }
        }
        PlaceKind::Bytes => ShareLimits::of_all(config.max_body_bytes.into()),
        PlaceKind::Games => {
            let caller = u64::from(config.max_caller_streams);
            ShareLimits { all: GAME_STREAMS, party: (STREAM_CALLERS * caller).min(GAME_STREAMS), caller }
        }
        PlaceKind::Answers => ShareLimits::of_all(ANSWERS_BYTES_MAX),
    }
}
