//! How often a caller may ask, where callers are told apart: an identity has its own share, and who guesses has that
//! of the address.

mod support;

use std::fs;
use std::path::Path;

use canasta_proto::v1::ListRuleSetsRequest;
use sha2::Digest;
use support::Server;
use support::game::Client;
use tonic::{Code, Request};

async fn ask(client: &mut Client, key: &'static str) -> Code {
    let mut request = Request::new(ListRuleSetsRequest {});
    request.metadata_mut().insert("x-api-key", key.parse().expect("a header's value"));
    client.list_rule_sets(request).await.map_or_else(|status| status.code(), |_| Code::Ok)
}

#[tokio::test]
async fn an_identity_has_its_own_share_and_guesses_use_up_the_addresses() {
    let mut text = String::new();
    for name in ["one", "other"] {
        let digest: String = sha2::Sha256::digest(name).iter().map(|byte| format!("{byte:02x}")).collect();
        text += &format!(
            "[[api_key]]\nname = \"{name}\"\nsha256 = \"{digest}\"\ngames = \"all\"\nas = \"all\"\n"
        );
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rates.toml");
    fs::write(&file, text).expect("a directory for tests");
    let file = file.to_str().expect("a path in UTF-8");
    let server = Server::start(&["--identities-file", file, "--max-rate", "1", "--max-burst", "3"]).await;
    let mut client = server.client().await;
    for (key, expected) in [("one", Code::Ok), ("other", Code::Ok), ("guess", Code::Unauthenticated)] {
        // A token comes each second: on a slow machine there are a few more than three.
        let mut answered = 0;
        let refused = loop {
            match ask(&mut client, key).await {
                code if code == expected && answered < 100 => answered += 1,
                code => break code,
            }
        };
        assert_eq!(refused, Code::ResourceExhausted, "{key} after {answered}");
        assert!(answered >= 3, "{key} has a share of its own: {answered}");
    }
}
