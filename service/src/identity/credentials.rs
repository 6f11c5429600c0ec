//! What callers show, and who they are by it.

use std::sync::Arc;

use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use super::{ApiKey, Caller, Denial, Identities, Names, jwt};

/// The header that holds an API key.
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
/// What stands before a token.
const BEARER: &str = "bearer ";

impl Identities {
    /// Who shows these headers, or this certificate. One that is shown in the handshake counts only where no header
    /// names somebody: a sidecar's certificate does not speak for the user behind it.
    ///
    /// # Errors
    /// Why they are no credentials.
    pub fn caller(
        &self,
        headers: &HeaderMap,
        certificate: Option<&Names>,
        now_ms: i64,
    ) -> Result<Caller, Denial> {
        match (one(headers, API_KEY)?, one(headers, AUTHORIZATION)?) {
            (Some(_), Some(_)) => Err(Denial::Ambiguous),
            (Some(key), None) => self.of_key(&ApiKey::of_text(key.as_bytes())),
            (None, Some(token)) => self.of_token(token, now_ms),
            (None, None) => self.of_certificate(certificate.ok_or(Denial::None)?),
        }
    }

    /// Looks at every key, whichever it is.
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

    fn of_certificate(&self, shown: &Names) -> Result<Caller, Denial> {
        let mut found = self.certificates.iter().filter(|(name, _)| shown.contain(name));
        match (found.next(), found.next()) {
            (Some((_, identity)), None) => Ok(Caller::Known(Arc::clone(identity))),
            (Some(_), Some(_)) => Err(Denial::Ambiguous),
            (None, _) => Err(Denial::Certificate),
        }
    }
}

/// The header, which may not come twice.
fn one(headers: &HeaderMap, name: HeaderName) -> Result<Option<&HeaderValue>, Denial> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        (_, Some(_)) => Err(Denial::Ambiguous),
    }
}
