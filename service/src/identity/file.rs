//! The identities file: every identity and what it may, checked whole before anything is served.

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::certificate::Name;
use super::fields::Table;
use super::grant::hex;
use super::jwt::{Issuer, Key};
use super::verified::Verified;
use super::{ApiKey, Grant, Identity};

/// Most bytes of the file.
const FILE_MAX: u64 = 1 << 20;

/// An identities file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum IdentitiesError {
    /// The file cannot be read.
    #[error("identities: {0}")]
    Io(#[from] std::io::Error),
    /// It is too long.
    #[error("identities: expected at most {FILE_MAX} bytes")]
    TooLong,
    /// It is not TOML.
    #[error("identities: {0}")]
    Syntax(#[from] toml::de::Error),
    /// It names fields that do not exist, lacks some, or has wrong ones: every fault, by path.
    #[error("identities: {}", .0.join("\nidentities: "))]
    Faults(Vec<String>),
    /// An open state shows and lets change everything, whoever holds it.
    #[error(
        "identities: some callers are limited to games, seats or roles, but whoever holds an open state can read and \
         change it: set --seal-key-file"
    )]
    LimitsWithoutSeal,
    /// Nobody could show a certificate.
    #[error("identities: [[certificate]] needs --tls-client-ca-file")]
    NoClientCa,
}

/// Everybody who may call.
#[derive(Debug, Default)]
pub struct Identities {
    pub(super) api_keys: Vec<(ApiKey, Arc<Identity>)>,
    pub(super) issuers: Vec<Issuer>,
    /// Of these issuers, by these keys: what is read again begins with none.
    pub(super) verified: Verified,
    pub(super) certificates: Vec<(Name, Arc<Identity>)>,
}

impl Identities {
    /// Reads the file.
    ///
    /// # Errors
    /// If it cannot be read or has a fault.
    pub fn read(path: &Path) -> Result<Self, IdentitiesError> {
        let mut text = String::new();
        std::fs::File::open(path)?.take(FILE_MAX + 1).read_to_string(&mut text)?;
        if text.len() as u64 > FILE_MAX {
            return Err(IdentitiesError::TooLong);
        }
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self, IdentitiesError> {
        let fields: Map<String, Value> = toml::from_str(text)?;
        let (mut read, mut faults, root) = (Self::default(), Vec::new(), Table::root(&fields));
        root.only(&["api_key", "issuer", "certificate"], &mut faults);
        for table in root.tables("api_key", &mut faults) {
            read.api_key(&table, &mut faults);
        }
        for table in root.tables("issuer", &mut faults) {
            read.issuer(&table, &mut faults);
        }
        for table in root.tables("certificate", &mut faults) {
            read.certificate(&table, &mut faults);
        }
        if fields.is_empty() {
            faults.push("nobody is named: expected [[api_key]], [[issuer]] or [[certificate]]".into());
        }
        if faults.is_empty() { Ok(read) } else { Err(IdentitiesError::Faults(faults)) }
    }

    fn api_key(&mut self, table: &Table<'_>, faults: &mut Vec<String>) {
        table.only(&["name", "sha256", "games", "as"], faults);
        let digest = table.fields.get("sha256").and_then(Value::as_str).and_then(hex);
        let key = digest.map(ApiKey::of_digest);
        match &key {
            None => {
                faults.push(format!("{}: expected the key's SHA-256, 64 hex digits", table.at("sha256")));
            }
            Some(key) if self.api_keys.iter().any(|(other, _)| other.is(key)) => {
                faults.push(format!("{}: the key stands there twice", table.at("sha256")));
            }
            Some(_) => {}
        }
        let identity = identity(table, faults);
        self.api_keys.extend(key.zip(identity));
    }

    fn issuer(&mut self, table: &Table<'_>, faults: &mut Vec<String>) {
        table.only(&["iss", "aud", "key"], faults);
        let (iss, aud) = (table.text("iss", faults), table.text("aud", faults));
        let before = faults.len();
        let mut keys: Vec<Key> = Vec::new();
        for table in table.tables("key", faults) {
            keys.extend(key(&table, &keys, faults));
        }
        if keys.is_empty() && faults.len() == before {
            faults.push(format!("{}: expected at least one", table.at("key")));
        }
        if keys.len() > 1 && keys.iter().any(|key| key.kid.is_none()) {
            faults.push(format!("{}: one of several keys needs a kid", table.at("key")));
        }
        if let (Some(iss), Some(aud)) = (iss, aud) {
            if self.issuers.iter().any(|other| other.iss == iss) {
                faults.push(format!("{}: the issuer stands there twice", table.at("iss")));
            }
            self.issuers.push(Issuer { iss: iss.into(), aud: aud.into(), keys });
        }
    }

    fn certificate(&mut self, table: &Table<'_>, faults: &mut Vec<String>) {
        table.only(&["name", "dns", "uri", "subject", "games", "as"], faults);
        let dns = table.text_opt("dns", faults).map(|name| Name::Dns(name.to_ascii_lowercase()));
        let uri = table.text_opt("uri", faults).map(|name| Name::Uri(name.into()));
        let subject = table.text_opt("subject", faults).map(|name| Name::Subject(name.into()));
        let shown = match (dns, uri, subject) {
            (Some(name), None, None) | (None, Some(name), None) | (None, None, Some(name)) => Some(name),
            _ => {
                faults.push(format!("{}: expected one of dns, uri and subject", table.path));
                None
            }
        };
        if shown.as_ref().is_some_and(|shown| self.certificates.iter().any(|(other, _)| other == shown)) {
            faults.push(format!("{}: the name stands there twice", table.path));
        }
        let identity = identity(table, faults);
        self.certificates.extend(shown.zip(identity));
    }

    /// Whether some identity may not everything: states must then be sealed. What issuers write is not known.
    pub fn limit_anybody(&self) -> bool {
        let keys = self.api_keys.iter().map(|(_, identity)| identity);
        let mut named = keys.chain(self.certificates.iter().map(|(_, identity)| identity));
        !self.issuers.is_empty() || named.any(|identity| !identity.grant.is_unlimited())
    }

    /// Whether some are known by certificates.
    pub fn ask_for_certificates(&self) -> bool {
        !self.certificates.is_empty()
    }
}

fn key(table: &Table<'_>, others: &[Key], faults: &mut Vec<String>) -> Option<Key> {
    table.only(&["kid", "public_key"], faults);
    let kid = table.text_opt("kid", faults).map(String::from);
    if kid.is_some() && others.iter().any(|other| other.kid == kid) {
        faults.push(format!("{}: the key stands there twice", table.at("kid")));
    }
    let pem = table.fields.get("public_key").and_then(Value::as_str);
    let key = pem.and_then(|pem| Key::from_pem(pem, kid));
    if key.is_none() {
        faults.push(format!("{}: expected a public key in PEM, Ed25519 or P-256", table.at("public_key")));
    }
    key
}

/// The fields of those who are named one by one: `name`, `games`, `as`.
fn identity(table: &Table<'_>, faults: &mut Vec<String>) -> Option<Arc<Identity>> {
    let name = table.text("name", faults);
    match (name, Grant::read(table.fields)) {
        (Some(name), Ok(grant)) => Some(Arc::new(Identity { name: name.into(), grant, until_ms: None })),
        (_, grant) => {
            faults.extend(grant.err().into_iter().flatten().map(|fault| table.at(&fault)));
            None
        }
    }
}
