//! JSON Web Tokens (RFC 7519), signed by an issuer that the file names.
//!
//! Every key has one algorithm, by its type: what a token says of its algorithm must agree and never chooses.

use base64ct::{Base64UrlUnpadded, Encoding};
use ring::signature::{ECDSA_P256_SHA256_FIXED, ED25519, UnparsedPublicKey, VerificationAlgorithm};
use rustls::pki_types::SubjectPublicKeyInfoDer;
use rustls::pki_types::pem::PemObject;
use serde_json::{Map, Value};

use super::{Denial, Grant, Identity};

/// Longest token that is looked at, in bytes.
const TOKEN_MAX: usize = 8 * 1024;
/// Longest `sub` that becomes an identity's name, in bytes.
const SUBJECT_MAX: usize = 128;
/// A public key in DER is one of these and the key's bytes (RFC 8410; RFC 5480, uncompressed point on P-256).
const ED25519_PREFIX: &[u8] = b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00";
const P256_PREFIX: &[u8] =
    b"\x30\x59\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07\x03\x42\x00";

/// Whoever signs tokens, and for whom.
#[derive(Clone, Debug)]
pub struct Issuer {
    /// `iss` of its tokens.
    pub iss: String,
    /// What `aud` of its tokens must contain.
    pub aud: String,
    /// At least one.
    pub keys: Vec<Key>,
}

/// A key of an issuer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// `kid` of the tokens that it signs.
    pub kid: Option<String>,
    algorithm: Algorithm,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Algorithm {
    EdDsa,
    Es256,
}

impl Algorithm {
    /// What tokens call it: RFC 9864 has a second name for the first.
    fn is_called(self, alg: &str) -> bool {
        match self {
            Self::EdDsa => alg == "EdDSA" || alg == "Ed25519",
            Self::Es256 => alg == "ES256",
        }
    }

    fn ring(self) -> &'static dyn VerificationAlgorithm {
        match self {
            Self::EdDsa => &ED25519,
            Self::Es256 => &ECDSA_P256_SHA256_FIXED,
        }
    }
}

impl Key {
    /// A public key in PEM, Ed25519 or P-256; `None` if it is neither.
    pub fn from_pem(pem: &str, kid: Option<String>) -> Option<Self> {
        let der = SubjectPublicKeyInfoDer::from_pem_slice(pem.as_bytes()).ok()?;
        let (algorithm, bytes) = match (der.strip_prefix(ED25519_PREFIX), der.strip_prefix(P256_PREFIX)) {
            (Some(key), _) if key.len() == 32 => (Algorithm::EdDsa, key),
            (_, Some(point)) if point.len() == 65 && point[0] == 4 => (Algorithm::Es256, point),
            _ => return None,
        };
        Some(Self { kid, algorithm, bytes: bytes.to_vec() })
    }
}

/// Who shows this token.
///
/// # Errors
/// Why it is not good.
pub fn identity(issuers: &[Issuer], token: &str, now_ms: i64) -> Result<Identity, Denial> {
    if token.len() > TOKEN_MAX {
        return Err(Denial::TokenForm);
    }
    let (signed, signature) = token.rsplit_once('.').ok_or(Denial::TokenForm)?;
    let (header, claims) = signed.split_once('.').ok_or(Denial::TokenForm)?;
    let signature = Base64UrlUnpadded::decode_vec(signature).map_err(|_| Denial::TokenForm)?;
    let (header, claims) = (object(header)?, object(claims)?);
    let text =
        |fields: &Map<String, Value>, name: &str| fields.get(name).and_then(Value::as_str).map(String::from);
    // Only to choose the keys; believed once the signature holds.
    let iss = text(&claims, "iss").ok_or(Denial::TokenIssuer)?;
    let issuer = issuers.iter().find(|issuer| issuer.iss == iss).ok_or(Denial::TokenIssuer)?;
    let key = key(issuer, text(&header, "kid").as_deref()).ok_or(Denial::TokenKey)?;
    let alg = text(&header, "alg").unwrap_or_default();
    // What must be understood and is not (RFC 7515, 4.1.11) is refused.
    if !key.algorithm.is_called(&alg) || header.contains_key("crit") {
        return Err(Denial::TokenAlgorithm);
    }
    let verifier = UnparsedPublicKey::new(key.algorithm.ring(), &key.bytes);
    verifier.verify(signed.as_bytes(), &signature).map_err(|_| Denial::TokenSignature)?;
    let until_ms = times(&claims, now_ms)?;
    if !is_for(&claims, &issuer.aud) {
        return Err(Denial::TokenAudience);
    }
    let grant = Grant::read(&claims).map_err(|_| Denial::TokenClaims)?;
    let name = text(&claims, "sub").filter(|sub| sub.len() <= SUBJECT_MAX).unwrap_or(iss);
    Ok(Identity { name, grant, until_ms: Some(until_ms) })
}

fn object(part: &str) -> Result<Map<String, Value>, Denial> {
    let bytes = Base64UrlUnpadded::decode_vec(part).map_err(|_| Denial::TokenForm)?;
    serde_json::from_slice(&bytes).map_err(|_| Denial::TokenForm)
}

/// The key of this id; without one, the only key.
fn key<'a>(issuer: &'a Issuer, kid: Option<&str>) -> Option<&'a Key> {
    let named = issuer.keys.iter().find(|key| kid.is_some() && key.kid.as_deref() == kid);
    named.or_else(|| match issuer.keys.as_slice() {
        [only] if kid.is_none() || only.kid.is_none() => Some(only),
        _ => None,
    })
}

/// Until when the token is good, in ms: `exp` is required, `nbf` is not. Both are whole seconds.
fn times(claims: &Map<String, Value>, now_ms: i64) -> Result<i64, Denial> {
    let ms = |name: &str| claims.get(name).map(|time| time.as_i64().and_then(|time| time.checked_mul(1000)));
    let until_ms = ms("exp").flatten().ok_or(Denial::TokenClaims)?;
    let from_ms = ms("nbf").unwrap_or(Some(i64::MIN)).ok_or(Denial::TokenClaims)?;
    if now_ms >= until_ms || now_ms < from_ms {
        return Err(Denial::TokenTime);
    }
    Ok(until_ms)
}

/// `aud` is one text or a list of them.
fn is_for(claims: &Map<String, Value>, audience: &str) -> bool {
    match claims.get("aud") {
        Some(Value::String(one)) => one == audience,
        Some(Value::Array(list)) => list.iter().any(|one| one == audience),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
