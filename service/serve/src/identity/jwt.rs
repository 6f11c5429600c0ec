//! JSON Web Tokens (RFC 7519), signed by an issuer that the file names.
//!
//! Every key has one algorithm, by its type. The algorithm that a token names must agree with its key's and
//! never chooses another.
//!
//! Own code and not the crate jsonwebtoken (read at version 11.1): that crate verifies with aws-lc or with
//! RustCrypto, or with a provider of one's own that is set for the whole process, and the service has neither
//! of the two, only ring. It also reads the system's clock, takes no notice of `crit`, and does not know the
//! name `Ed25519` of RFC 9864.

use std::collections::BTreeSet;
use std::sync::Arc;

use base64ct::{Base64UrlUnpadded, Encoding};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use rustls::pki_types::SubjectPublicKeyInfoDer;
use rustls::pki_types::pem::PemObject;
use serde_json::{Map, Value};

use super::{CredentialKind, Denial, Grant, Identity, IdentityName, LinkGrant};

/// Maximum length of a token, in bytes.
const TOKEN_MAX: usize = 8 * 1024;
/// Maximum length of a `sub` that becomes an identity's name, in bytes.
const SUBJECT_MAX: usize = 128;
/// Time within which a token must expire unless its issuer says otherwise, in seconds: a day.
pub const LIFETIME_S: u64 = 24 * 60 * 60;
/// The prefixes of a public key in DER, which the key's bytes follow (RFC 8410; RFC 5480, uncompressed point
/// on P-256).
const ED25519_PREFIX: &[u8] = b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00";
const P256_PREFIX: &[u8] =
    b"\x30\x59\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07\x03\x42\x00";

#[derive(Clone, Debug)]
pub struct Issuer {
    pub iss: String,
    /// The audience that the claim `aud` of its tokens must contain.
    pub aud: String,
    /// Public keys of the issuer; at least one.
    pub keys: Vec<IssuerKey>,
    /// Time within which its tokens must expire, in ms.
    pub lifetime_ms: i64,
    /// The tokens that are refused although they are valid.
    pub revoked: RevokedTokens,
    pub gives_links: bool,
}

/// Tokens of one issuer that are refused although they are valid.
#[derive(Clone, Default, Debug)]
pub struct RevokedTokens {
    /// The values of the claim `sub` that are refused.
    pub subjects: BTreeSet<String>,
    /// The values of the claim `jti` that are refused.
    pub ids: BTreeSet<String>,
}

impl RevokedTokens {
    fn refuse(&self, claims: &Map<String, Value>) -> bool {
        let is_in = |list: &BTreeSet<String>, name: &str| {
            claims.get(name).and_then(Value::as_str).is_some_and(|value| list.contains(value))
        };
        is_in(&self.subjects, "sub") || is_in(&self.ids, "jti")
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IssuerKey {
    /// The header `kid` of the tokens that the key signs.
    pub kid: Option<String>,
    key: PublicKey,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum PublicKey {
    EdDsa(Vec<u8>),
    Es256(Vec<u8>),
    /// The modulus and the exponent, most significant byte first and without zeros in front.
    Rs256 {
        n: Vec<u8>,
        e: Vec<u8>,
    },
}

impl IssuerKey {
    /// Parses a public key in PEM; `None` if it is neither Ed25519 nor P-256. Keys of other kinds come in a set
    /// ([`super::jwks`]).
    pub fn from_pem(pem: &str, kid: Option<String>) -> Option<Self> {
        let der = SubjectPublicKeyInfoDer::from_pem_slice(pem.as_bytes()).ok()?;
        match (der.strip_prefix(ED25519_PREFIX), der.strip_prefix(P256_PREFIX)) {
            (Some(key), _) => Self::ed25519(key, kid),
            (_, Some(point)) => Self::p256(point, kid),
            _ => None,
        }
    }

    /// Returns an Ed25519 key; `None` if the bytes are none.
    pub fn ed25519(key: &[u8], kid: Option<String>) -> Option<Self> {
        (key.len() == 32).then(|| Self { kid, key: PublicKey::EdDsa(key.to_vec()) })
    }

    /// Returns a P-256 key of an uncompressed point; `None` if the bytes are none.
    pub fn p256(point: &[u8], kid: Option<String>) -> Option<Self> {
        let is_point = point.len() == 65 && point[0] == 4;
        is_point.then(|| Self { kid, key: PublicKey::Es256(point.to_vec()) })
    }

    /// Returns an RSA key of a modulus and an exponent, most significant byte first; `None` if the modulus has less
    /// than 2048 or more than 8192 bits.
    pub fn rsa(modulus: &[u8], exponent: &[u8], kid: Option<String>) -> Option<Self> {
        let unpadded =
            |number: &[u8]| number.iter().copied().skip_while(|&byte| byte == 0).collect::<Vec<u8>>();
        let (n, e) = (unpadded(modulus), unpadded(exponent));
        let is_long = (256..=1024).contains(&n.len()) && (n.len() > 256 || n[0] >= 0x80);
        is_long.then_some(Self { kid, key: PublicKey::Rs256 { n, e } })
    }

    /// Whether the key verifies signatures of the algorithm with this name. RFC 9864 gives EdDSA a second name.
    pub fn verifies(&self, alg: &str) -> bool {
        match self.key {
            PublicKey::EdDsa(_) => alg == "EdDSA" || alg == "Ed25519",
            PublicKey::Es256(_) => alg == "ES256",
            PublicKey::Rs256 { .. } => alg == "RS256",
        }
    }

    fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        let verified = match &self.key {
            PublicKey::EdDsa(key) => UnparsedPublicKey::new(&ED25519, key).verify(message, signature),
            PublicKey::Es256(key) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key).verify(message, signature)
            }
            PublicKey::Rs256 { n, e } => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature)
            }
        };
        verified.is_ok()
    }
}

/// Verifies a token. Returns the identity of its bearer.
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
    // The issuer is trusted only once the signature is verified; until then it only selects the keys.
    let iss = text(&claims, "iss").ok_or(Denial::TokenIssuer)?;
    let issuer = issuers.iter().find(|issuer| issuer.iss == iss).ok_or(Denial::TokenIssuer)?;
    let key = key(issuer, text(&header, "kid").as_deref()).ok_or(Denial::TokenKey)?;
    let alg = text(&header, "alg").unwrap_or_default();
    // A critical header must be understood (RFC 7515, 4.1.11), and the service understands none.
    if !key.verifies(&alg) || header.contains_key("crit") {
        return Err(Denial::TokenAlgorithm);
    }
    if !key.has_signed(signed.as_bytes(), &signature) {
        return Err(Denial::TokenSignature);
    }
    let until_ms = times(&claims, now_ms, issuer.lifetime_ms)?;
    if !is_for(&claims, &issuer.aud) {
        return Err(Denial::TokenAudience);
    }
    if issuer.revoked.refuse(&claims) {
        return Err(Denial::TokenRevoked);
    }
    let grant = Grant::read(&claims).map_err(|_| Denial::TokenClaims)?;
    let name = text(&claims, "sub").filter(|sub| sub.len() <= SUBJECT_MAX).unwrap_or_else(|| iss.clone());
    let name = Arc::new(IdentityName { kind: CredentialKind::Token, issuer: iss, name });
    let link = match issuer.gives_links {
        true => Some(LinkGrant::read(&claims, &grant, until_ms).ok_or(Denial::TokenClaims)?),
        false => None,
    };
    Ok(Identity { name, grant, until_ms: Some(until_ms), link })
}

fn object(part: &str) -> Result<Map<String, Value>, Denial> {
    let bytes = Base64UrlUnpadded::decode_vec(part).map_err(|_| Denial::TokenForm)?;
    serde_json::from_slice(&bytes).map_err(|_| Denial::TokenForm)
}

/// Returns the issuer's key with this id; without an id, the only key.
fn key<'a>(issuer: &'a Issuer, kid: Option<&str>) -> Option<&'a IssuerKey> {
    let named = issuer.keys.iter().find(|key| kid.is_some() && key.kid.as_deref() == kid);
    named.or_else(|| match issuer.keys.as_slice() {
        [only] if kid.is_none() || only.kid.is_none() => Some(only),
        _ => None,
    })
}

/// Checks `exp`, which is required and must be within the lifetime, and `nbf`, both in whole seconds. Returns
/// the time of expiry, in ms since 1970.
fn times(claims: &Map<String, Value>, now_ms: i64, lifetime_ms: i64) -> Result<i64, Denial> {
    let ms = |name: &str| claims.get(name).map(|time| time.as_i64().and_then(|time| time.checked_mul(1000)));
    let until_ms = ms("exp").flatten().ok_or(Denial::TokenClaims)?;
    let from_ms = ms("nbf").unwrap_or(Some(i64::MIN)).ok_or(Denial::TokenClaims)?;
    if now_ms >= until_ms || now_ms < from_ms || until_ms - now_ms > lifetime_ms {
        return Err(Denial::TokenTime);
    }
    Ok(until_ms)
}

/// Whether `aud`, a text or a list of texts, contains the audience.
fn is_for(claims: &Map<String, Value>, audience: &str) -> bool {
    match claims.get("aud") {
        Some(Value::String(one)) => one == audience,
        Some(Value::Array(list)) => list.iter().any(|one| one == audience),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
