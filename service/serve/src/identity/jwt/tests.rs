//! Valid and invalid tokens, signed by keys of the tests.

use base64ct::Base64;
use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_engine::seat::Seat;
use ed25519_dalek::{Signer as _, SigningKey};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

use super::super::GameScope;
use super::*;

/// The time of the tests, in seconds since 1970.
const NOW: i64 = 1_000_000_000;
const ISS: &str = "https://id.club.example";

/// Two issuers: one with an Ed25519 key and a P-256 key, one with a key of its own.
struct Signers {
    edwards: SigningKey,
    p256: EcdsaKeyPair,
    other: SigningKey,
    random: SystemRandom,
}

#[allow(clippy::disallowed_methods, reason = "a key of the tests")]
fn signers() -> Signers {
    let random = SystemRandom::new();
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).expect("a key");
    let p256 = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random);
    Signers {
        edwards: SigningKey::from_bytes(&[1; 32]),
        p256: p256.expect("a key"),
        other: SigningKey::from_bytes(&[2; 32]),
        random,
    }
}

fn pem(prefix: &[u8], key: &[u8]) -> String {
    let body = Base64::encode_string(&[prefix, key].concat());
    format!("-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----\n")
}

impl Signers {
    fn issuers(&self) -> Vec<Issuer> {
        let edwards = pem(ED25519_PREFIX, self.edwards.verifying_key().as_bytes());
        let p256 = pem(P256_PREFIX, self.p256.public_key().as_ref());
        let other = pem(ED25519_PREFIX, self.other.verifying_key().as_bytes());
        let key =
            |pem: &str, kid: Option<&str>| IssuerKey::from_pem(pem, kid.map(String::from)).expect("a key");
        let keys = vec![key(&edwards, Some("ed")), key(&p256, Some("p256"))];
        let issuer = |iss: &str, keys, lifetime_s: i64| Issuer {
            iss: iss.into(),
            aud: "canasta".into(),
            keys,
            lifetime_ms: lifetime_s * 1000,
            revoked: RevokedTokens {
                subjects: BTreeSet::from(["mallory".into()]),
                ids: BTreeSet::from(["7".into()]),
            },
            gives_links: false,
        };
        vec![issuer(ISS, keys, 3600), issuer("other", vec![key(&other, None)], 2 * NOW)]
    }

    fn token(&self, header: Value, claims: Value) -> String {
        let part = |value: &Value| Base64UrlUnpadded::encode_string(value.to_string().as_bytes());
        let signed = format!("{}.{}", part(&header), part(&claims));
        let signature = match header["kid"].as_str() {
            Some("ed") => self.edwards.sign(signed.as_bytes()).to_bytes().to_vec(),
            Some(_) => self.p256.sign(&self.random, signed.as_bytes()).expect("signed").as_ref().to_vec(),
            None => self.other.sign(signed.as_bytes()).to_bytes().to_vec(),
        };
        format!("{signed}.{}", Base64UrlUnpadded::encode_string(&signature))
    }
}

fn claims() -> Value {
    json!({
        "iss": ISS, "aud": "canasta", "sub": "alice", "exp": NOW + 60, "nbf": NOW,
        "games": ["01".repeat(16)], "as": [2],
    })
}

/// Returns the claims with one claim changed, or removed by `null`.
fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    match value {
        Value::Null => _ = claims.as_object_mut().expect("an object").remove(name),
        value => claims[name] = value,
    }
    claims
}

#[test]
fn good_tokens_say_who_and_what() {
    let signers = signers();
    for kid_alg in [("ed", "EdDSA"), ("ed", "Ed25519"), ("p256", "ES256")] {
        let token = signers.token(json!({"alg": kid_alg.1, "kid": kid_alg.0, "typ": "JWT"}), claims());
        let alice = identity(&signers.issuers(), &token, NOW * 1000).expect("a good token");
        assert_eq!((alice.name.name.as_str(), alice.until_ms), ("alice", Some((NOW + 60) * 1000)));
        assert!(alice.grant.acts_as(As::Seat(Seat(2))) && !alice.grant.acts_as(As::Seat(Seat(0))));
        assert!(!alice.grant.acts_as(As::Table) && !alice.grant.acts_as(As::Judge));
        assert!(alice.grant.covers(GameScope::Of(GameId([1; 16]))) && !alice.grant.covers(GameScope::New));
        assert!(!alice.grant.covers(GameScope::Of(GameId([2; 16]))));
    }
    for (name, value) in [("exp", json!(NOW + 3600)), ("sub", json!("mallory2")), ("jti", json!("8"))] {
        let token = signers.token(json!({"alg": "EdDSA", "kid": "ed"}), with(name, value));
        identity(&signers.issuers(), &token, NOW * 1000).expect("within the lifetime, and not revoked");
    }
    // The only key of an issuer needs no name, an audience may be one of several, `sub` and `nbf` may be
    // absent.
    let mut plain = with("aud", json!(["x", "canasta"]));
    plain["iss"] = json!("other");
    for name in ["sub", "nbf"] {
        plain.as_object_mut().expect("an object").remove(name);
    }
    let token = signers.token(json!({"alg": "EdDSA"}), plain);
    assert_eq!(identity(&signers.issuers(), &token, 0).expect("a good token").name.name, "other");
}

#[test]
fn bad_tokens_are_told_apart() {
    let signers = signers();
    let ed = || json!({"alg": "EdDSA", "kid": "ed"});
    let refused = |token: &str| identity(&signers.issuers(), token, NOW * 1000).expect_err(token);
    #[rustfmt::skip]
    let table = [
        // The key's algorithm counts, whatever the token says; `none`, and the key's bytes as an HMAC secret,
        // are known attacks.
        (json!({"alg": "ES256", "kid": "ed"}), claims(), Denial::TokenAlgorithm),
        (json!({"alg": "EdDSA", "kid": "p256"}), claims(), Denial::TokenAlgorithm),
        (json!({"alg": "none", "kid": "ed"}), claims(), Denial::TokenAlgorithm),
        (json!({"alg": "HS256", "kid": "ed"}), claims(), Denial::TokenAlgorithm),
        (json!({"kid": "ed"}), claims(), Denial::TokenAlgorithm),
        (json!({"alg": "EdDSA", "kid": "ed", "crit": ["b64"]}), claims(), Denial::TokenAlgorithm),
        (json!({"alg": "EdDSA", "kid": "old"}), claims(), Denial::TokenKey),
        (json!({"alg": "EdDSA"}), claims(), Denial::TokenKey),
        (ed(), with("iss", json!("else")), Denial::TokenIssuer),
        (ed(), with("iss", Value::Null), Denial::TokenIssuer),
        // The key of one issuer signs for another.
        (ed(), with("iss", json!("other")), Denial::TokenSignature),
        (ed(), with("aud", json!("bridge")), Denial::TokenAudience),
        (ed(), with("aud", Value::Null), Denial::TokenAudience),
        (ed(), with("aud", json!(["x"])), Denial::TokenAudience),
        (ed(), with("exp", json!(NOW)), Denial::TokenTime),
        (ed(), with("nbf", json!(NOW + 1)), Denial::TokenTime),
        (ed(), with("exp", json!(NOW + 3601)), Denial::TokenTime),
        (ed(), with("sub", json!("mallory")), Denial::TokenRevoked),
        (ed(), with("jti", json!("7")), Denial::TokenRevoked),
        (ed(), with("exp", Value::Null), Denial::TokenClaims),
        (ed(), with("exp", json!("soon")), Denial::TokenClaims),
        (ed(), with("exp", json!(i64::MAX)), Denial::TokenClaims),
        (ed(), with("nbf", json!("now")), Denial::TokenClaims),
        (ed(), with("games", Value::Null), Denial::TokenClaims),
        (ed(), with("games", json!("some")), Denial::TokenClaims),
        (ed(), with("as", json!([6])), Denial::TokenClaims),
        (ed(), with("as", json!(["KING"])), Denial::TokenClaims),
        (ed(), with("as", json!(2)), Denial::TokenClaims),
    ];
    for (header, claims, expected) in table {
        let token = signers.token(header.clone(), claims.clone());
        // The only key of an issuer, if it has no name, accepts every `kid`: then the signature fails.
        assert_eq!(refused(&token), expected, "{header} {claims}");
    }
    let good = signers.token(ed(), claims());
    let parts: Vec<&str> = good.split('.').collect();
    let other = signers.token(ed(), with("as", json!("all")));
    let spliced = [parts[0], other.split('.').nth(1).expect("claims"), parts[2]].join(".");
    assert_eq!(refused(&spliced), Denial::TokenSignature);
    for form in ["", ".", "..", "a.b", "a.b.c", &parts[..2].join("."), &format!("{good}="), &"x".repeat(9000)]
    {
        assert_eq!(refused(form), Denial::TokenForm, "{form}");
    }
}

/// Verifies the token of RFC 7515, appendix A.2, with its key as a set (RFC 7517). Its signature is good, so what is
/// refused is what comes after the signature: the audience, which it lacks.
#[test]
fn rs256_is_what_the_rfc_says() {
    let n = "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZ\
             S-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2\
             R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcD\
             TW9gb54h4FRWyuXpoQ";
    let signed = "eyJhbGciOiJSUzI1NiJ9.\
                  eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
    let signature = "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJ\
                     dbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383\
                     LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywl\
                     VmtVrBp0igcN_IoypGlUPQGe77Rw";
    let issuers = |key: Value| {
        let keys = crate::identity::jwks::parse(&json!({"keys": [key]}).to_string()).expect("a set");
        let lifetime_ms = i64::MAX;
        vec![Issuer {
            iss: "joe".into(),
            aud: "canasta".into(),
            keys,
            lifetime_ms,
            revoked: RevokedTokens::default(),
            gives_links: false,
        }]
    };
    let of =
        |issuers: &[Issuer], token: &str| identity(issuers, token, 1_300_819_379_000).expect_err("refused");
    let good = issuers(json!({"kty": "RSA", "n": n, "e": "AQAB"}));
    assert_eq!(of(&good, &format!("{signed}.{signature}")), Denial::TokenAudience);
    let altered = signature.replacen("cC4h", "cC4i", 1);
    assert_eq!(of(&good, &format!("{signed}.{altered}")), Denial::TokenSignature);
    let other = issuers(json!({"kty": "RSA", "n": n.replacen("ofgW", "ofgX", 1), "e": "AQAB"}));
    assert_eq!(of(&other, &format!("{signed}.{signature}")), Denial::TokenSignature);
    // The key's algorithm counts: this token cannot be one of an Ed25519 key.
    let edwards = json!({"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"});
    assert_eq!(of(&issuers(edwards), &format!("{signed}.{signature}")), Denial::TokenAlgorithm);
}

#[test]
fn keys_are_of_two_kinds() {
    let good = pem(ED25519_PREFIX, &[7; 32]);
    assert!(IssuerKey::from_pem(&good, None).is_some());
    let private = good.replace("PUBLIC", "PRIVATE");
    let (short, hybrid) = (pem(ED25519_PREFIX, &[7; 31]), pem(P256_PREFIX, &[6; 65]));
    for bad in ["", "key", private.as_str(), short.as_str(), hybrid.as_str()] {
        assert_eq!(IssuerKey::from_pem(bad, None), None, "{bad}");
    }
}
