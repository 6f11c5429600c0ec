//! The identities file: every identity and what it may, checked whole before anything is served.

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use http::HeaderMap;
use serde_json::{Map, Value};

use super::grant::hex;
use super::{ApiKey, Caller, Denial, Grant, Identity};

/// Most bytes of the file.
const FILE_MAX: u64 = 1 << 20;
/// Longest name of an identity, in bytes.
const NAME_MAX: usize = 128;
/// The header that holds an API key.
const API_KEY: &str = "x-api-key";

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
}

/// Everybody who may call.
#[derive(Debug)]
pub struct Identities {
    api_keys: Vec<(ApiKey, Arc<Identity>)>,
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
        let mut faults = Vec::new();
        let read = Self::gather(&fields, &mut faults);
        if faults.is_empty() && read.api_keys.is_empty() {
            faults.push("nobody is named: expected [[api_key]]".into());
        }
        if faults.is_empty() { Ok(read) } else { Err(IdentitiesError::Faults(faults)) }
    }

    fn gather(fields: &Map<String, Value>, faults: &mut Vec<String>) -> Self {
        only(fields, &["api_key"], "", faults);
        let mut api_keys: Vec<(ApiKey, Arc<Identity>)> = Vec::new();
        for (path, entry) in entries(fields, "api_key", faults) {
            only(entry, &["name", "sha256", "games", "as"], &path, faults);
            let key = match entry.get("sha256").and_then(Value::as_str).and_then(hex) {
                Some(digest) => ApiKey::of_digest(digest),
                None => {
                    faults.push(format!("{path}.sha256: expected the key's SHA-256, 64 hex digits"));
                    continue;
                }
            };
            if api_keys.iter().any(|(other, _)| other.is(&key)) {
                faults.push(format!("{path}.sha256: the key stands there twice"));
            }
            api_keys.extend(identity(entry, &path, faults).map(|identity| (key, identity)));
        }
        Self { api_keys }
    }

    /// Whether some identity may not everything: states must then be sealed.
    pub fn limit_anybody(&self) -> bool {
        self.api_keys.iter().any(|(_, identity)| !identity.grant.is_unlimited())
    }

    /// Who shows these credentials.
    ///
    /// # Errors
    /// Why they are none.
    pub fn caller(&self, headers: &HeaderMap) -> Result<Caller, Denial> {
        let mut keys = headers.get_all(API_KEY).iter();
        match (keys.next(), keys.next()) {
            (None, _) => Err(Denial::None),
            (Some(key), None) => self.of_key(&ApiKey::of_text(key.as_bytes())),
            (Some(_), Some(_)) => Err(Denial::Ambiguous),
        }
    }

    /// Looks at every key, whichever it is.
    fn of_key(&self, shown: &ApiKey) -> Result<Caller, Denial> {
        let found = self
            .api_keys
            .iter()
            .fold(None, |found, (key, identity)| if key.is(shown) { Some(identity) } else { found });
        found.map(|identity| Caller::Known(Arc::clone(identity))).ok_or(Denial::ApiKey)
    }
}

/// The tables `[[name]]` and their paths.
fn entries<'a>(
    fields: &'a Map<String, Value>,
    name: &str,
    faults: &mut Vec<String>,
) -> Vec<(String, &'a Map<String, Value>)> {
    let list = match fields.get(name) {
        None => return Vec::new(),
        Some(Value::Array(list)) => list,
        Some(_) => {
            faults.push(format!("{name}: expected [[{name}]]"));
            return Vec::new();
        }
    };
    let mut tables = Vec::new();
    for (at, entry) in list.iter().enumerate() {
        let path = format!("{name}[{at}]");
        match entry.as_object() {
            Some(table) => tables.push((path, table)),
            None => faults.push(format!("{path}: expected a table")),
        }
    }
    tables
}

/// Fields that do not exist are mistakes: a limit that is misspelt would not be one.
fn only(fields: &Map<String, Value>, known: &[&str], path: &str, faults: &mut Vec<String>) {
    let dot = if path.is_empty() { "" } else { "." };
    for name in fields.keys().filter(|name| !known.contains(&name.as_str())) {
        faults.push(format!("{path}{dot}{name}: there is no such field, only {}", known.join(", ")));
    }
}

/// The fields that all entries have: `name`, `games`, `as`.
fn identity(entry: &Map<String, Value>, path: &str, faults: &mut Vec<String>) -> Option<Arc<Identity>> {
    let name = text(entry, "name", path, faults);
    let grant = Grant::read(entry);
    match (name, grant) {
        (Some(name), Ok(grant)) => Some(Arc::new(Identity { name: name.into(), grant, until_ms: None })),
        (_, grant) => {
            faults.extend(grant.err().into_iter().flatten().map(|fault| format!("{path}.{fault}")));
            None
        }
    }
}

/// A text that must be there.
fn text<'a>(
    entry: &'a Map<String, Value>,
    field: &str,
    path: &str,
    faults: &mut Vec<String>,
) -> Option<&'a str> {
    let text = entry.get(field).and_then(Value::as_str).filter(|text| (1..=NAME_MAX).contains(&text.len()));
    if text.is_none() {
        faults.push(format!("{path}.{field}: expected a text of 1 to {NAME_MAX} bytes"));
    }
    text
}
