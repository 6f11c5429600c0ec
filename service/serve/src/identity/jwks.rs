//! Public keys of an issuer as a JSON Web Key Set (RFC 7517), the form in which sign-in services publish them.
//! Fetching the set is left to the operator: the service reads a file.

use base64ct::{Base64UrlUnpadded, Encoding};
use serde_json::{Map, Value};

use super::jwt::IssuerKey;

/// Maximum number of keys in a set.
const KEYS_MAX: usize = 64;

/// Parses a set. Keys that cannot verify tokens of ours (for encryption, or of other kinds) are left out, since
/// issuers publish all their keys.
///
/// # Errors
/// If the text is not a set, or has no usable key. The error says what was expected.
pub fn parse(text: &str) -> Result<Vec<IssuerKey>, String> {
    let set: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let keys = set.get("keys").and_then(Value::as_array).ok_or("expected {\"keys\": [...]}")?;
    if keys.len() > KEYS_MAX {
        return Err(format!("{} keys, at most {KEYS_MAX}", keys.len()));
    }
    let keys: Vec<_> = keys.iter().filter_map(Value::as_object).filter_map(key).collect();
    if keys.is_empty() {
        return Err("no key for EdDSA (Ed25519), ES256 or RS256 (2048 to 8192 bits)".into());
    }
    Ok(keys)
}

/// Reads a key; `None` if it cannot verify tokens.
fn key(fields: &Map<String, Value>) -> Option<IssuerKey> {
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let bytes = |name: &str| Base64UrlUnpadded::decode_vec(text(name)?).ok();
    if text("use").is_some_and(|purpose| purpose != "sig") {
        return None;
    }
    let kid = text("kid").map(String::from);
    let key = match (text("kty")?, text("crv")) {
        ("OKP", Some("Ed25519")) => IssuerKey::ed25519(&bytes("x")?, kid),
        ("EC", Some("P-256")) => IssuerKey::p256(&[vec![4], bytes("x")?, bytes("y")?].concat(), kid),
        ("RSA", None) => IssuerKey::rsa(&bytes("n")?, &bytes("e")?, kid),
        _ => None,
    };
    key.filter(|key| text("alg").is_none_or(|alg| key.verifies(alg)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_that_verify_nothing_of_ours_are_left_out() {
        let ed25519 = json!({"kty": "OKP", "crv": "Ed25519", "kid": "a", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"});
        let with = |name: &str, value: Value| {
            let mut key = ed25519.clone();
            key[name] = value;
            key
        };
        let found = |keys: Value| parse(&json!({ "keys": keys }).to_string());
        for good in
            [ed25519.clone(), with("use", json!("sig")), with("alg", json!("EdDSA")), with("x5c", json!([]))]
        {
            assert_eq!(found(json!([good])).map(|keys| keys.len()), Ok(1), "{good}");
        }
        for bad in [
            with("use", json!("enc")),
            with("alg", json!("ES256")),
            with("crv", json!("X25519")),
            with("kty", json!("oct")),
            with("x", json!("AAAA")),
            with("x", json!("+/==")),
            json!({"kty": "RSA", "n": "AQAB", "e": "AQAB"}),
            json!("key"),
        ] {
            assert_eq!(found(json!([ed25519.clone(), bad.clone()])).map(|keys| keys.len()), Ok(1), "{bad}");
            assert!(found(json!([bad.clone()])).is_err_and(|error| error.starts_with("no key")), "{bad}");
        }
        assert!(found(json!(vec![ed25519.clone(); 65])).is_err_and(|error| error == "65 keys, at most 64"));
        for text in ["", "[]", "{}", "{\"keys\": 1}", "{\"keys\": []}"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
