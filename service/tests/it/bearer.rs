//! Tokens of an issuer: valid until they expire, are revoked or lose their key, however often they were used before.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::game::Client;
use crate::support::keys::write_ring;
use crate::support::{NOON, Server};
use base64ct::{Base64, Base64UrlUnpadded, Encoding};
use canasta_proto::v1::ListRuleSetsRequest;
use ed25519_dalek::{Signer, SigningKey};
use tonic::{Code, Request};

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bearer-{name}"))
}

/// Returns the identities file of one issuer with this key.
fn issuer(key: &SigningKey) -> String {
    // RFC 8410.
    let der =
        [b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00", &key.verifying_key().to_bytes()[..]].concat();
    let pem =
        format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", Base64::encode_string(&der));
    format!(
        "[[issuer]]\niss = \"club\"\naud = \"canasta\"\n[[issuer.key]]\npublic_key = \"\"\"\n{pem}\"\"\"\n"
    )
}

fn token(key: &SigningKey, exp: i64) -> String {
    let part = |text: &str| Base64UrlUnpadded::encode_string(text.as_bytes());
    let claims =
        format!(r#"{{"iss":"club","aud":"canasta","exp":{exp},"jti":"{exp}","games":"all","as":"all"}}"#);
    let signed = format!("{}.{}", part(r#"{"alg":"EdDSA"}"#), part(&claims));
    let signature = key.sign(signed.as_bytes()).to_bytes();
    format!("{signed}.{}", Base64UrlUnpadded::encode_string(&signature))
}

async fn show(client: &mut Client, token: &str) -> Code {
    let mut request = Request::new(ListRuleSetsRequest::default());
    let value = format!("Bearer {token}").parse().expect("a header's value");
    request.metadata_mut().insert("authorization", value);
    client.list_rule_sets(request).await.map_or_else(|status| status.code(), |_| Code::Ok)
}

/// Starts a server with this identities file, which it reads again every 20 ms. Returns the file's path, too.
async fn server(name: &str, identities: &str) -> (Server, PathBuf) {
    let (keys, file) = (place(&format!("{name}.keys")), place(&format!("{name}.toml")));
    write_ring(&keys, &["active 1"]);
    fs::write(&file, identities).expect("a directory for tests");
    let path = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
    let arguments = ["--seal-key-file", &path(&keys), "--identities-file", &path(&file), "--reread-ms", "20"];
    (Server::start(&arguments).await, file)
}

/// Checks what IDENTITIES.md says: a token that expires later than the issuer's tokens may is refused; a revoked one
/// from the next look at the file on.
#[tokio::test]
async fn a_token_ends_when_its_id_is_revoked() {
    let key = SigningKey::from_bytes(&[1; 32]);
    let (server, file) = server("revoked", &issuer(&key)).await;
    let mut client = server.client().await;
    let (day, first, second) = (24 * 60 * 60, NOON / 1000 + 60, NOON / 1000 + 61);
    assert_eq!(show(&mut client, &token(&key, NOON / 1000 + day)).await, Code::Ok);
    assert_eq!(show(&mut client, &token(&key, NOON / 1000 + day + 1)).await, Code::Unauthenticated);
    assert_eq!(show(&mut client, &token(&key, first)).await, Code::Ok);
    let revoked = format!("{}[issuer.revoked]\ntoken_ids = [\"{first}\"]\n", issuer(&key));
    fs::write(&file, revoked).expect("our file");
    while show(&mut client, &token(&key, first)).await != Code::Unauthenticated {}
    assert_eq!(show(&mut client, &token(&key, second)).await, Code::Ok, "another token of the same caller");
}

#[tokio::test]
async fn a_token_that_is_known_ends_with_its_key() {
    let (old, new) = (SigningKey::from_bytes(&[1; 32]), SigningKey::from_bytes(&[2; 32]));
    let (server, file) = server("known", &issuer(&old)).await;
    let mut client = server.client().await;
    let (good, over) = (token(&old, NOON / 1000 + 60), token(&old, NOON / 1000));
    for _ in 0..3 {
        assert_eq!(show(&mut client, &good).await, Code::Ok);
        assert_eq!(show(&mut client, &over).await, Code::Unauthenticated);
        assert_eq!(show(&mut client, &token(&new, NOON / 1000 + 60)).await, Code::Unauthenticated);
        assert_eq!(show(&mut client, &good[..good.len() - 1]).await, Code::Unauthenticated);
    }
    fs::write(&file, issuer(&new)).expect("our file");
    while show(&mut client, &good).await != Code::Unauthenticated {}
    assert_eq!(show(&mut client, &token(&new, NOON / 1000 + 60)).await, Code::Ok);
}
