//! The files that the settings name: keys, identities and certificates.

use crate::config::Config;
use crate::identity::{Identities, IdentitiesError};
use crate::outside::Clock;
use crate::seal::{Keyring, KeyringError};
use crate::signer::{CheckpointSigner, SigningKeyError};
use crate::tls::{self, TlsError, TlsFiles};

/// Returns every fault of the files. Each file is read, and nothing of it is kept.
pub fn faults(config: &Config) -> Vec<String> {
    let mut faults = Vec::new();
    faults.extend(signer(config).err().map(|error| error.to_string()));
    faults.extend(ring(config).err().map(|error| error.to_string()));
    match identities(config) {
        Err(IdentitiesError::Faults(each)) => {
            faults.extend(each.iter().map(|fault| format!("identities: {fault}")));
        }
        other => faults.extend(other.err().map(|error| error.to_string())),
    }
    // TLS reads the clock only in handshakes.
    faults.extend(tls(config, || 0).err().map(|error| error.to_string()));
    faults
}

/// Reads the key that signs checkpoints. Returns `None` if the settings name no file.
///
/// # Errors
/// If the file cannot be read or holds no such key.
pub fn signer(config: &Config) -> Result<Option<CheckpointSigner>, SigningKeyError> {
    config.signing_key_file.as_deref().map(CheckpointSigner::read).transpose()
}

/// Reads the keys that seal states. Returns `None` if the settings name no file.
///
/// # Errors
/// If the file cannot be read or has a fault.
pub fn ring(config: &Config) -> Result<Option<Keyring>, KeyringError> {
    config.seal_key_file.as_deref().map(|file| Keyring::read(file, &config.audience)).transpose()
}

/// Reads the identities. Returns `None` if the settings name no file: callers are then not authenticated.
///
/// # Errors
/// If the file cannot be read, has a fault, or needs a seal or client certificates that the settings do not
/// provide.
pub fn identities(config: &Config) -> Result<Option<Identities>, IdentitiesError> {
    let Some(file) = config.identities_file.as_deref() else { return Ok(None) };
    let identities = Identities::read(file)?;
    if config.seal_key_file.is_none() && identities.limit_anybody() {
        return Err(IdentitiesError::LimitsWithoutSeal);
    }
    if config.tls_client_ca_file.is_none() && identities.ask_for_certificates() {
        return Err(IdentitiesError::NoClientCa);
    }
    Ok(Some(identities))
}

/// Reads the certificates and keys of TLS. Returns `None` if the settings name none: connections are then
/// plain TCP.
///
/// # Errors
/// If a file cannot be read, or if the files do not make a TLS server.
pub fn tls(config: &Config, clock: Clock) -> Result<Option<rustls::ServerConfig>, TlsError> {
    let (Some(certificate), Some(key)) = (&config.tls_cert_file, &config.tls_key_file) else {
        return Ok(None);
    };
    tls::read(TlsFiles { certificate, key, client_ca: config.tls_client_ca_file.as_ref() }, clock).map(Some)
}
