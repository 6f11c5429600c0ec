//! The identities file: every identity and its rights, validated as a whole before the server starts.

use std::cell::RefCell;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::certificate::CertificateName;
use super::fields::FileTable;
use super::grant::hex;
use super::jwks;
use super::jwt::{Issuer, IssuerKey, LIFETIME_S, RevokedTokens};
use super::link::{self, LINK_ISSUER};
use super::verified::VerifiedTokens;
use super::{ApiKey, CredentialKind, Grant, Identity, IdentityName};

/// Maximum length of the file, in bytes.
const FILE_MAX: u64 = 1 << 20;
/// Longest lifetime that an issuer may give its tokens, in seconds: a year.
const LIFETIME_S_MAX: u64 = 366 * 24 * 60 * 60;
/// Maximum number of revoked subjects, and of revoked token ids, of one issuer.
const REVOKED_MAX: usize = 10_000;

/// An identities file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum IdentitiesError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("the file has more than {FILE_MAX} bytes")]
    TooLong,
    #[error(transparent)]
    Syntax(#[from] toml::de::Error),
    /// Fields are unknown, missing or invalid: every fault, with its path.
    #[error("{}", .0.join("; "))]
    Faults(Vec<String>),
    /// Some callers have limited rights, but states are not sealed: whoever holds an open state can read and
    /// change it.
    #[error(
        "some callers are limited to games, seats or roles, but whoever holds an open state can read and \
         change it: set --seal-key-file"
    )]
    LimitsWithoutSeal,
    #[error("issuer: {LINK_ISSUER:?} is the recorder itself, whose links need no entry")]
    LinkIssuer,
    #[error("[[certificate]] needs --tls-client-ca-file")]
    NoClientCa,
}

/// All identities, and the credentials that authenticate them.
#[derive(Debug, Default)]
pub struct Identities {
    pub(super) api_keys: Vec<(ApiKey, Arc<Identity>)>,
    pub(super) issuers: Vec<Issuer>,
    /// Verified tokens of these issuers. A new file starts with an empty cache.
    pub(super) verified: VerifiedTokens,
    pub(super) certificates: Vec<(CertificateName, Arc<Identity>)>,
}

impl Identities {
    pub fn read(path: &Path) -> Result<Self, IdentitiesError> {
        Self::parse(&read_text(path)?, folder(path))
    }

    /// Returns the files that the file names, and the file itself: what has to be read again if it changes.
    pub fn files(path: &Path) -> Vec<PathBuf> {
        let fields: Map<String, Value> =
            read_text(path).ok().and_then(|text| toml::from_str(&text).ok()).unwrap_or_default();
        let issuers = fields.get("issuer").and_then(Value::as_array).into_iter().flatten();
        let sets = issuers.filter_map(|issuer| issuer.get("jwks_file")?.as_str());
        std::iter::once(path.to_owned()).chain(sets.map(|file| folder(path).join(file))).collect()
    }

    fn parse(text: &str, folder: &Path) -> Result<Self, IdentitiesError> {
        let fields: Map<String, Value> = toml::from_str(text)?;
        let (mut read, faults) = (Self::default(), RefCell::default());
        let root = FileTable { path: String::new(), fields: &fields, faults: &faults };
        root.only(&["api_key", "issuer", "certificate"]);
        for table in root.tables("api_key") {
            read.api_key(&table);
        }
        for table in root.tables("issuer") {
            read.issuer(&table, folder);
        }
        for table in root.tables("certificate") {
            read.certificate(&table);
        }
        if fields.is_empty() {
            root.report("no identities: expected [[api_key]], [[issuer]] or [[certificate]]".into());
        }
        let faults = faults.into_inner();
        if faults.is_empty() { Ok(read) } else { Err(IdentitiesError::Faults(faults)) }
    }

    fn api_key(&mut self, table: &FileTable<'_>) {
        table.only(&["name", "sha256", "games", "as"]);
        let digest = table.fields.get("sha256").and_then(Value::as_str).and_then(hex);
        let key = digest.map(ApiKey::of_digest);
        match &key {
            None => table.refuse("sha256", "expected the key's SHA-256, 64 hex digits"),
            Some(key) if self.api_keys.iter().any(|(other, _)| other.is(key)) => {
                table.refuse("sha256", "the key occurs twice");
            }
            Some(_) => {}
        }
        let identity = identity(CredentialKind::ApiKey, table);
        self.api_keys.extend(key.zip(identity));
    }

    fn issuer(&mut self, table: &FileTable<'_>, folder: &Path) {
        table.only(&["iss", "aud", "key", "jwks_file", "max_lifetime_s", "revoked"]);
        let (iss, aud) = (table.text("iss"), table.text("aud"));
        let before = table.faults.borrow().len();
        let mut keys: Vec<IssuerKey> = Vec::new();
        for table in table.tables("key") {
            keys.extend(key(&table, &keys));
        }
        if let Some(file) = table.text_opt("jwks_file") {
            let text = read_text(&folder.join(file)).map_err(|error| error.to_string());
            match text.and_then(|text| jwks::parse(&text)) {
                Ok(set) => {
                    let names =
                        |keys: &[IssuerKey], kid: &Option<String>| keys.iter().any(|key| key.kid == *kid);
                    if set.iter().any(|key| key.kid.is_some() && names(&keys, &key.kid)) {
                        table.refuse("jwks_file", "a kid occurs in key too");
                    }
                    keys.extend(set);
                }
                Err(fault) => table.refuse("jwks_file", &format!("{file}: {fault}")),
            }
        }
        if keys.is_empty() && table.faults.borrow().len() == before {
            table.refuse("key", "expected at least one, or jwks_file");
        }
        if keys.len() > 1 && keys.iter().any(|key| key.kid.is_none()) {
            table.refuse("key", "each of several keys needs a kid");
        }
        let lifetime_s = table.number_opt("max_lifetime_s", LIFETIME_S_MAX).unwrap_or(LIFETIME_S);
        let revoked = table.table_opt("revoked").map_or_else(RevokedTokens::default, |table| {
            table.only(&["subjects", "token_ids"]);
            let list = |field| table.texts(field, REVOKED_MAX).map(String::from).collect();
            RevokedTokens { subjects: list("subjects"), ids: list("token_ids") }
        });
        if let (Some(iss), Some(aud)) = (iss, aud) {
            if self.issuers.iter().any(|other| other.iss == iss) {
                table.refuse("iss", "the issuer occurs twice");
            }
            let lifetime_ms = lifetime_s as i64 * 1000;
            let (iss, aud) = (iss.into(), aud.into());
            self.issuers.push(Issuer { iss, aud, keys, lifetime_ms, revoked, gives_links: false });
        }
    }

    fn certificate(&mut self, table: &FileTable<'_>) {
        table.only(&["name", "dns", "uri", "subject", "games", "as"]);
        let dns = table.text_opt("dns").map(|name| CertificateName::Dns(name.to_ascii_lowercase()));
        let uri = table.text_opt("uri").map(|name| CertificateName::Uri(name.into()));
        let subject = table.text_opt("subject").map(|name| CertificateName::Subject(name.into()));
        let shown = match (dns, uri, subject) {
            (Some(name), None, None) | (None, Some(name), None) | (None, None, Some(name)) => Some(name),
            _ => {
                table.report(format!("{}: expected one of dns, uri and subject", table.path));
                None
            }
        };
        if shown.as_ref().is_some_and(|shown| self.certificates.iter().any(|(other, _)| other == shown)) {
            table.report(format!("{}: the name occurs twice", table.path));
        }
        let identity = identity(CredentialKind::Certificate, table);
        self.certificates.extend(shown.zip(identity));
    }

    /// Adds the links of a recorder with this audience, signed with any of these keys.
    ///
    /// # Errors
    /// If a key is none, or the file names the issuer of links.
    pub fn add_links(&mut self, keys: &[String], audience: &str) -> Result<(), IdentitiesError> {
        if self.issuers.iter().any(|issuer| issuer.iss == LINK_ISSUER) {
            return Err(IdentitiesError::LinkIssuer);
        }
        self.issuers.push(link::issuer(keys, audience).map_err(IdentitiesError::Faults)?);
        Ok(())
    }

    /// Whether some identity has limited rights, so that states must be sealed. The rights in an issuer's
    /// tokens are unknown, so an issuer counts as limited.
    pub fn limit_anybody(&self) -> bool {
        let keys = self.api_keys.iter().map(|(_, identity)| identity);
        let mut named = keys.chain(self.certificates.iter().map(|(_, identity)| identity));
        !self.issuers.is_empty() || named.any(|identity| !identity.grant.is_unlimited())
    }

    /// Whether the holders of links are known.
    pub fn give_links(&self) -> bool {
        self.issuers.iter().any(|issuer| issuer.gives_links)
    }

    pub fn ask_for_certificates(&self) -> bool {
        !self.certificates.is_empty()
    }
}

fn read_text(path: &Path) -> Result<String, IdentitiesError> {
    let mut text = String::new();
    std::fs::File::open(path)?.take(FILE_MAX + 1).read_to_string(&mut text)?;
    if text.len() as u64 > FILE_MAX { Err(IdentitiesError::TooLong) } else { Ok(text) }
}

/// Returns the folder that the names of files in the file begin at: its own.
fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn key(table: &FileTable<'_>, others: &[IssuerKey]) -> Option<IssuerKey> {
    table.only(&["kid", "public_key"]);
    let kid = table.text_opt("kid").map(String::from);
    if kid.is_some() && others.iter().any(|other| other.kid == kid) {
        table.refuse("kid", "the key occurs twice");
    }
    let pem = table.fields.get("public_key").and_then(Value::as_str);
    let key = pem.and_then(|pem| IssuerKey::from_pem(pem, kid));
    if key.is_none() {
        table.refuse("public_key", "expected a public key in PEM, Ed25519 or P-256");
    }
    key
}

/// Reads the fields of a named identity: `name`, `games`, `as`.
fn identity(kind: CredentialKind, table: &FileTable<'_>) -> Option<Arc<Identity>> {
    let name = table.text("name");
    match (name, Grant::read(table.fields)) {
        (Some(name), Ok(grant)) => {
            let name = Arc::new(IdentityName { kind, issuer: String::new(), name: name.into() });
            Some(Arc::new(Identity { name, grant, until_ms: None, link: None }))
        }
        (_, grant) => {
            for fault in grant.err().into_iter().flatten() {
                table.report(table.at(&fault));
            }
            None
        }
    }
}
