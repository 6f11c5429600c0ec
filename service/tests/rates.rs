//! The limits per caller: requests per second, and concurrent logs. An identity has limits of its own; wrong
//! credentials count against the address.

mod support;

use std::fs;
use std::path::Path;

use canasta_proto::v1::audit_service_client::AuditServiceClient;
use canasta_proto::v1::{AuditQuestion, ListRuleSetsRequest, Role};
use sha2::Digest;
use support::Server;
use support::game::{Client, role};
use support::logs::{Auditor, question};
use tokio::task::JoinSet;
use tonic::transport::Channel;
use tonic::{Code, Request};

async fn ask(client: &mut Client, key: &'static str) -> Code {
    let mut request = Request::new(ListRuleSetsRequest::default());
    request.metadata_mut().insert("x-api-key", key.parse().expect("a header's value"));
    client.list_rule_sets(request).await.map_or_else(|status| status.code(), |_| Code::Ok)
}

/// Writes an identities file that names `one` and `other`, both with all rights.
fn identities(name: &str) -> String {
    let mut text = String::new();
    for name in ["one", "other"] {
        let digest: String = sha2::Sha256::digest(name).iter().map(|byte| format!("{byte:02x}")).collect();
        text += &format!(
            "[[api_key]]\nname = \"{name}\"\nsha256 = \"{digest}\"\ngames = \"all\"\nas = \"all\"\n"
        );
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, text).expect("a directory for tests");
    file.to_str().expect("a path in UTF-8").to_owned()
}

#[tokio::test]
async fn an_identity_has_its_own_share_and_guesses_use_up_the_addresses() {
    let file = identities("rates.toml");
    let server = Server::start(&["--identities-file", &file, "--max-rate", "1", "--max-burst", "3"]).await;
    let mut client = server.client().await;
    for (key, expected) in [("one", Code::Ok), ("other", Code::Ok), ("guess", Code::Unauthenticated)] {
        // A token comes every second: a slow machine answers a few more than three.
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

/// Begins an audit with this key of a log that never arrives. Returns the status code.
async fn bring(mut client: Auditor, key: &'static str) -> Code {
    let asked = question(AuditQuestion { actor: role(Role::Table), ..Default::default() });
    let slow = tokio_stream::StreamExt::chain(tokio_stream::once(asked), tokio_stream::pending());
    let mut request = Request::new(slow);
    request.metadata_mut().insert("x-api-key", key.parse().expect("a header's value"));
    client.audit_log(request).await.expect_err("it never ends").code()
}

async fn auditor(server: &Server, from: [u8; 4]) -> Auditor {
    let endpoint = Channel::from_shared(format!("http://{}", server.address)).expect("an address is a URI");
    let channel = endpoint.local_address(Some(from.into())).connect().await.expect("it listens");
    AuditServiceClient::new(channel)
}

/// Checks that one caller may take two of the three places, from any number of connections, and that the other takes
/// the third.
async fn shared(arguments: &[&str], askers: [([u8; 4], &'static str); 2]) {
    let limits = ["--max-audits", "3", "--max-caller-audits", "2", "--audit-deadline-ms", "1500"];
    let server = Server::start(&[&limits, arguments].concat()).await;
    let [(one, key), (other, other_key)] = askers;
    let mut asked = JoinSet::new();
    for _ in 0..4 {
        asked.spawn(bring(auditor(&server, one).await, key));
    }
    let mut next = async || asked.join_next().await.expect("one more").expect("no panic");
    assert_eq!([next().await, next().await], [Code::ResourceExhausted; 2], "at once");
    assert_eq!(bring(auditor(&server, other).await, other_key).await, Code::DeadlineExceeded, "had a place");
    assert_eq!([next().await, next().await], [Code::DeadlineExceeded; 2], "had theirs");
}

#[tokio::test]
async fn an_address_has_its_share_of_the_places_for_logs() {
    shared(&[], [([127, 0, 0, 2], "-"), ([127, 0, 0, 3], "-")]).await;
}

#[tokio::test]
async fn an_identity_has_its_share_of_the_places_for_logs() {
    let file = identities("shares.toml");
    shared(&["--identities-file", &file], [([127, 0, 0, 1], "one"), ([127, 0, 0, 1], "other")]).await;
}
