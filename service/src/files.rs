//! The files that the settings name: keys, identities and certificates.

use std::fmt::Display;
use std::path::Path;

use crate::config::Config;
use crate::identity::{Identities, IdentitiesError};
use crate::outside::Clock;
use crate::seal::Keyring;
use crate::signer::CheckpointSigner;
use crate::tls::{self, TlsFiles};

/// A file that a setting names and that cannot be used: one text per fault, each with the setting and the file.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct FileError(Vec<String>);

impl FileError {
    fn new(setting: &str, file: &Path, problem: impl Display) -> Self {
        Self(vec![format!("--{setting} {}: {problem}", file.display())])
    }
}

/// Returns every fault of the files. Each file is read, and nothing of it is kept.
pub fn faults(config: &Config) -> Vec<String> {
    // TLS reads the clock only in handshakes.
    let tls = tls(config, || 0).err();
    let errors = [signer(config).err(), ring(config).err(), identities(config).err(), tls];
    errors.into_iter().flatten().flat_map(|error| error.0).collect()
}

/// Reads the key that signs checkpoints. Returns `None` if the settings name no file.
///
/// # Errors
/// If the file cannot be read or holds no such key.
pub fn signer(config: &Config) -> Result<Option<CheckpointSigner>, FileError> {
    let Some(file) = config.signing_key_file.as_deref() else { return Ok(None) };
    CheckpointSigner::read(file).map(Some).map_err(|error| FileError::new("signing-key-file", file, error))
}

/// Reads the keys that seal states. Returns `None` if the settings name no file.
///
/// # Errors
/// If the file cannot be read or has a fault.
pub fn ring(config: &Config) -> Result<Option<Keyring>, FileError> {
    let Some(file) = config.seal_key_file.as_deref() else { return Ok(None) };
    let ring = Keyring::read(file, &config.audience);
    ring.map(Some).map_err(|error| FileError::new("seal-key-file", file, error))
}

/// Reads the identities. Returns `None` if the settings name no file: callers are then not authenticated.
///
/// # Errors
/// If the file cannot be read, has a fault, or needs a seal or client certificates that the settings do not
/// provide.
pub fn identities(config: &Config) -> Result<Option<Identities>, FileError> {
    let Some(file) = config.identities_file.as_deref() else { return Ok(None) };
    let named = |problem: &dyn Display| FileError::new("identities-file", file, problem);
    let identities = Identities::read(file).map_err(|error| match error {
        IdentitiesError::Faults(each) => FileError(each.iter().flat_map(|fault| named(fault).0).collect()),
        other => named(&other),
    })?;
    if config.seal_key_file.is_none() && identities.limit_anybody() {
        return Err(named(&IdentitiesError::LimitsWithoutSeal));
    }
    if config.tls_client_ca_file.is_none() && identities.ask_for_certificates() {
        return Err(named(&IdentitiesError::NoClientCa));
    }
    Ok(Some(identities))
}

/// Reads the certificates and keys of TLS. Returns `None` if the settings name none: connections are then
/// plain TCP.
///
/// # Errors
/// If a file cannot be read, or if the files do not make a TLS server.
pub fn tls(config: &Config, clock: Clock) -> Result<Option<rustls::ServerConfig>, FileError> {
    let (Some(certificate), Some(key)) = (&config.tls_cert_file, &config.tls_key_file) else {
        return Ok(None);
    };
    let files = TlsFiles { certificate, key, client_ca: config.tls_client_ca_file.as_ref() };
    tls::read(files, clock).map(Some).map_err(|error| FileError(vec![format!("TLS: {error}")]))
}
