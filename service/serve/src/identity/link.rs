//! Links: tokens of a recorder, with which their holders act in one game as one actor, without an account anywhere.

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::hex::hex as digits;
use serde_json::{Map, Value, json};

use super::grant::{self, Grant, hex};
use super::jwt::{Issuer, IssuerKey, RevokedTokens};
use crate::signer::SignedNoteKey;

/// The claim `iss` of links.
pub const LINK_ISSUER: &str = "canasta-recorder";
/// Maximum time from the making of a link to its expiry, in ms: 30 days.
pub const LINK_LIFETIME_MS: i64 = 30 * DAY_MS;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// Maximum number of keys whose links are accepted.
const KEYS_MAX: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkGrant {
    pub token_id: [u8; 16],
    pub game: GameId,
    /// The actor that the link's holder acts as.
    pub actor: As,
    /// Whether the link gives the host's rights.
    pub is_host: bool,
    /// Time of expiry, in ms since 1970: a whole second.
    pub expires_at_ms: i64,
}

impl LinkGrant {
    /// Reads the claims of a link, of which others have been read: its rights, and its time of expiry. Returns `None` if
    /// they are not those of a link.
    pub(super) fn read(claims: &Map<String, Value>, grant: &Grant, expires_at_ms: i64) -> Option<Self> {
        let (game, actor) = grant.only()?;
        let id = claims.get("jti")?.as_str()?;
        let is_host = match claims.get("host") {
            None => false,
            Some(Value::Bool(true)) => true,
            Some(_) => return None,
        };
        // The subject is the name of a caller: each link is a caller of its own.
        let token_id = hex(id).filter(|_| claims.get("sub").and_then(Value::as_str) == Some(id))?;
        Some(Self { token_id, game, actor, is_host, expires_at_ms })
    }

    /// Returns the claims of the link. Equal links have equal claims in one order.
    pub fn claims(&self, audience: &str) -> Value {
        let id = digits(&self.token_id);
        let mut claims = json!({
            "iss": LINK_ISSUER,
            "aud": link_audience(audience),
            "sub": id,
            "exp": self.expires_at_ms / 1000,
            "games": [digits(&self.game.0)],
            "as": [grant::claim(self.actor)],
            "jti": id,
        });
        if self.is_host {
            claims["host"] = true.into();
        }
        claims
    }
}

/// Returns the claim `aud` of the links of a server with this audience.
fn link_audience(audience: &str) -> &str {
    if audience.is_empty() { "canasta" } else { audience }
}

/// Returns the issuer of links that were signed with these keys, in the form `NAME+HASH+BASE64` of signed notes.
///
/// # Errors
/// Every key that is none, and too many keys.
pub(super) fn issuer(keys: &[String], audience: &str) -> Result<Issuer, Vec<String>> {
    let (mut read, mut faults): (Vec<IssuerKey>, Vec<String>) = Default::default();
    for text in keys {
        match key(text) {
            Some(key) if read.contains(&key) => {}
            Some(key) => read.push(key),
            None => faults.push(format!("{text:?}: expected NAME+HASH+BASE64 of an Ed25519 key")),
        }
    }
    if read.len() > KEYS_MAX {
        faults.push(format!("{} keys, at most {KEYS_MAX}", read.len()));
    }
    let issuer = Issuer {
        iss: LINK_ISSUER.into(),
        aud: link_audience(audience).into(),
        keys: read,
        // A day more, so that a clock that is set back refuses no new link.
        lifetime_ms: LINK_LIFETIME_MS + DAY_MS,
        revoked: RevokedTokens::default(),
        gives_links: true,
    };
    if faults.is_empty() { Ok(issuer) } else { Err(faults) }
}

/// Reads a key. Its hash is the `kid` of the links that it signs.
fn key(text: &str) -> Option<IssuerKey> {
    let key = SignedNoteKey::parse(text)?;
    IssuerKey::ed25519(&key.public, Some(digits(&key.hash)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use canasta_engine::log::checkpoint::{ED25519, base64, key_hash};

    const PUBLIC: [u8; 32] = [7; 32];

    fn line(name: &str, hash: &str) -> String {
        format!("{name}+{hash}+{}", base64(&[&[ED25519][..], &PUBLIC].concat()))
    }

    #[test]
    fn keys_are_those_of_signed_notes() {
        let hash = digits(&key_hash("recorder", &PUBLIC));
        let good = line("recorder", &hash);
        let issuer = issuer(&[good.clone(), good.clone()], "").expect("one key");
        assert_eq!((issuer.keys.len(), issuer.aud.as_str()), (1, "canasta"), "each once");
        assert_eq!(issuer.keys[0].kid.as_deref(), Some(hash.as_str()));
        let private = format!("PRIVATE+KEY+{good}");
        for bad in
            ["", "recorder", &line("recorder", "00000000"), &line("other", &hash), &line("", &hash), &private]
        {
            assert!(
                super::issuer(&[good.clone(), bad.into()], "").is_err_and(|faults| faults.len() == 1),
                "{bad}"
            );
        }
        let many: Vec<_> = (0..=KEYS_MAX)
            .map(|number| {
                let name = number.to_string();
                line(&name, &digits(&key_hash(&name, &PUBLIC)))
            })
            .collect();
        assert!(super::issuer(&many, "").is_err_and(|faults| faults == ["65 keys, at most 64"]));
    }

    #[test]
    fn a_link_is_for_one_actor_in_one_game() {
        let link = LinkGrant {
            token_id: [0xab; 16],
            game: GameId([2; 16]),
            actor: As::Spectator,
            is_host: true,
            expires_at_ms: 5_000,
        };
        let read = |claims: &Value| {
            let claims = claims.as_object().expect("an object");
            LinkGrant::read(claims, &Grant::read(claims).expect("a grant"), 5_000)
        };
        let claims = link.claims("club");
        let text = r#"{"iss":"canasta-recorder","aud":"club","sub":"abababababababababababababababab","exp":5,"games":["02020202020202020202020202020202"],"as":["SPECTATOR"],"jti":"abababababababababababababababab","host":true}"#;
        assert_eq!(claims.to_string(), text, "in this order, so that equal links have equal tokens");
        assert_eq!(read(&claims), Some(link));
        let with = |name: &str, value: Value| {
            let mut claims = claims.clone();
            claims[name] = value;
            claims
        };
        let seat = LinkGrant { actor: As::Seat(canasta_engine::seat::Seat(5)), is_host: false, ..link };
        assert_eq!(read(&seat.claims("")), Some(seat));
        for bad in [
            with("games", json!("all")),
            with("games", json!([])),
            with("games", json!(["01".repeat(16), "02".repeat(16)])),
            with("as", json!("all")),
            with("as", json!([])),
            with("as", json!([0, 1])),
            with("host", json!(false)),
            with("host", json!("yes")),
            with("jti", json!("ab")),
            with("jti", Value::Null),
            with("sub", json!("alice")),
            with("sub", Value::Null),
        ] {
            assert_eq!(read(&bad), None, "{bad}");
        }
    }
}
