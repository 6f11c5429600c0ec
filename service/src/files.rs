//! The files that the settings name: keys, identities and certificates.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use canasta_serve::config::Config;
use canasta_serve::identity::{Identities, IdentitiesError};
use canasta_serve::outside::Clock;
use canasta_serve::secret;
use canasta_serve::signer::CheckpointSigner;
use canasta_serve::tls::{self, TlsFiles};

use crate::seal::Keyring;

/// A file that a setting names and that cannot be used: one text per fault, each with the setting and the file.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct FileError(Vec<String>);

impl FileError {
    fn new(setting: &str, file: &Path, problem: impl Display) -> Self {
        Self(vec![format!("--{setting} {}: {problem}", file.display())])
    }
}

/// The links of a recorder, whose holders call besides the identities of the file.
#[derive(Clone, Debug)]
pub struct LinkSettings {
    /// File with the public keys that have signed links, one per line. The key of the settings is one of them in any
    /// case.
    pub public_keys: PathBuf,
    /// Whether callers without credentials may create rooms.
    pub has_rooms: bool,
}

/// Returns every fault of the files. Each file is read, and nothing of it is kept.
pub fn faults(config: &Config, links: Option<&LinkSettings>) -> Vec<String> {
    // TLS reads the clock only in handshakes.
    let tls = tls(config, || 0).err();
    let signer = signer(config).err();
    // A signing key with a fault is named once.
    let callers = if signer.is_some() { identities(config).err() } else { callers(config, links).err() };
    let errors = [signer, ring(config).err(), callers, tls];
    errors.into_iter().flatten().flat_map(|error| error.0).collect()
}

/// Reads the key that signs checkpoints. Returns `None` if the settings name no file.
pub fn signer(config: &Config) -> Result<Option<CheckpointSigner>, FileError> {
    let Some(file) = config.signing_key_file.as_deref() else { return Ok(None) };
    CheckpointSigner::read(file).map(Some).map_err(|error| FileError::new("signing-key-file", file, error))
}

/// Reads the keys that seal states. Returns `None` if the settings name no file.
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

/// Reads everybody who is known by credentials: the identities, and with `links` the links of a recorder. Returns `None`
/// if callers are not authenticated at all.
///
/// # Errors
/// As [`identities`]; or if the keys of the links cannot be read, or the file names their issuer.
pub fn callers(config: &Config, links: Option<&LinkSettings>) -> Result<Option<Identities>, FileError> {
    let identities = identities(config)?;
    let Some(LinkSettings { public_keys: file, .. }) = links else { return Ok(identities) };
    let located = |problem: &dyn Display| FileError(vec![format!("{}: {problem}", file.display())]);
    let text = secret::read(file).map_err(|error| located(&error))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut keys: Vec<String> = lines.map(str::to_owned).collect();
    keys.extend(signer(config)?.map(|signer| signer.verifier()));
    let mut identities = identities.unwrap_or_default();
    identities.add_links(&keys, &config.audience).map_err(|error| {
        match (error, &config.identities_file) {
            (IdentitiesError::Faults(each), _) => {
                FileError(each.iter().flat_map(|fault| located(fault).0).collect())
            }
            (other, Some(file)) => FileError::new("identities-file", file, other),
            (other, None) => located(&other),
        }
    })?;
    Ok(Some(identities))
}

/// Reads the certificates and keys of TLS. Returns `None` if the settings name none: connections are then
/// plain TCP.
pub fn tls(config: &Config, clock: Clock) -> Result<Option<rustls::ServerConfig>, FileError> {
    let (Some(certificate), Some(key)) = (&config.tls_cert_file, &config.tls_key_file) else {
        return Ok(None);
    };
    let files = TlsFiles { certificate, key, client_ca: config.tls_client_ca_file.as_ref() };
    tls::read(files, clock).map(Some).map_err(|error| FileError(vec![format!("TLS: {error}")]))
}
