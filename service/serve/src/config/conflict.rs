//! Contradictions between settings.

use std::net::SocketAddr;

use super::Config;

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConfigError {
    /// The address is not on loopback and callers are not authenticated: whoever reaches the port acts for
    /// every seat.
    #[error(
        "--listen: {0} is reachable from elsewhere, but callers are not authenticated: set --identities-file, listen on \
         loopback, or set --trusted-callers if only a trusted back end can reach the port"
    )]
    OpenToAll(SocketAddr),
    /// States are sealed and callers are not authenticated: whoever reaches the port acts for every seat all
    /// the same.
    #[error(
        "--seal-key-file: a seal protects nothing while callers are not authenticated: set --identities-file, or set \
         --trusted-callers if only a trusted back end can reach the port"
    )]
    SealForAll,
    /// Callers are both trusted and authenticated.
    #[error(
        "--trusted-callers trusts every caller, --identities-file only those that it names: set one of the two"
    )]
    TrustedIdentities,
    #[error("--tls-cert-file and --tls-key-file need each other: set both or neither")]
    HalfTls,
    /// Clients' certificates would never be requested, or never be looked at.
    #[error("--tls-client-ca-file needs --tls-cert-file and --identities-file: set them too")]
    ClientCaAlone,
    /// Origins are named on an address where browsers are not served.
    #[error("--web-origin: this address does not serve browsers: set --web too")]
    OriginWithoutWeb,
    #[error("--max-burst needs --max-rate: set it too")]
    BurstWithoutRate,
}

impl Config {
    /// Returns every contradiction between the settings. The files that they name are not read.
    pub fn conflicts(&self) -> Vec<ConfigError> {
        let knows_callers = self.identities_file.is_some();
        let believes_anybody = !self.trusted_callers && !knows_callers;
        let asks_for_certificates = self.tls_cert_file.is_some() && knows_callers;
        let table = [
            (self.seal_key_file.is_some() && believes_anybody, ConfigError::SealForAll),
            (!self.is_on_loopback() && believes_anybody, ConfigError::OpenToAll(self.listen)),
            (self.trusted_callers && knows_callers, ConfigError::TrustedIdentities),
            (self.tls_cert_file.is_some() != self.tls_key_file.is_some(), ConfigError::HalfTls),
            (self.tls_client_ca_file.is_some() && !asks_for_certificates, ConfigError::ClientCaAlone),
            (self.max_burst.is_some() && self.max_rate.is_none(), ConfigError::BurstWithoutRate),
            (!self.web_origins.is_empty() && !self.serves_web(), ConfigError::OriginWithoutWeb),
        ];
        table.into_iter().filter_map(|(is_conflict, error)| is_conflict.then_some(error)).collect()
    }
}
