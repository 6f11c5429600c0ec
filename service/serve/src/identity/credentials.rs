//! The credentials in a request, and the caller that they authenticate.

use std::sync::Arc;

use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use super::{ApiKey, Caller, CertificateNames, Denial, Identities, jwt};

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
/// The prefix of a token in the header `authorization`.
const BEARER: &str = "bearer ";

impl Identities {
    /// Authenticates a caller by the headers of a request, or by the certificate of its connection if no
    /// header has credentials: a sidecar's certificate does not stand for the user behind it.
    pub fn caller(
        &self,
        headers: &HeaderMap,
        certificate: Option<&CertificateNames>,
        now_ms: i64,
    ) -> Result<Caller, Denial> {
        match (one(headers, API_KEY)?, one(headers, AUTHORIZATION)?) {
            (Some(_), Some(_)) => Err(Denial::Ambiguous),
            (Some(key), None) => self.of_key(&ApiKey::of_text(key.as_bytes())),
            (None, Some(token)) => self.of_token(token, now_ms),
            (None, None) => self.of_certificate(certificate.ok_or(Denial::None)?),
        }
    }

    /// Returns the headers that hold credentials.
    pub fn credentials(headers: &HeaderMap) -> HeaderMap {
        let shown = |name: &HeaderName| [API_KEY, AUTHORIZATION].contains(name);
        let of_headers = headers.iter().filter(|(name, _)| shown(name));
        of_headers.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Compares the key with every known key, so that the time does not depend on which key matches.
    fn of_key(&self, shown: &ApiKey) -> Result<Caller, Denial> {
        let mut found = Err(Denial::ApiKey);
        for (key, identity) in &self.api_keys {
            if key.is(shown) {
                found = Ok(Caller::Known(Arc::clone(identity)));
            }
        }
        found
    }

    fn of_token(&self, header: &HeaderValue, now_ms: i64) -> Result<Caller, Denial> {
        let text = header.to_str().map_err(|_| Denial::TokenForm)?;
        let (scheme, token) = text.split_at_checked(BEARER.len()).ok_or(Denial::TokenForm)?;
        if !scheme.eq_ignore_ascii_case(BEARER) {
            return Err(Denial::TokenForm);
        }
        let verify = || jwt::identity(&self.issuers, token, now_ms);
        self.verified.identity(token, now_ms, verify).map(Caller::Known)
    }

    fn of_certificate(&self, shown: &CertificateNames) -> Result<Caller, Denial> {
        let mut found = self.certificates.iter().filter(|(name, _)| shown.contain(name));
        match (found.next(), found.next()) {
            (Some((_, identity)), None) => Ok(Caller::Known(Arc::clone(identity))),
            (Some(_), Some(_)) => Err(Denial::Ambiguous),
            (None, _) => Err(Denial::Certificate),
        }
    }
}

/// Returns the header, or an error if it occurs twice.
fn one(headers: &HeaderMap, name: HeaderName) -> Result<Option<&HeaderValue>, Denial> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        (_, Some(_)) => Err(Denial::Ambiguous),
    }
}
