//! The limits per caller: requests per second, and shares of places. An identity has limits of its own; wrong
//! credentials count against the address.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::support::Server;
use crate::support::game::{Client, created, dealt, new_game, role, seat};
use crate::support::keys::identities;
use crate::support::logs::{Auditor, question};
use crate::support::stream::{OpenStream, on};
use canasta_engine::game::frame_count;
use canasta_proto::v1::audit_service_client::AuditServiceClient;
use canasta_proto::v1::{
    ApplyActionsRequest, AuditQuestion, ListRuleSetsRequest, PlayRequest, PreviewTakeBackRequest,
    ProposedAction, Role,
};
use tokio::task::JoinSet;
use tonic::{Code, Request};

async fn ask(client: &mut Client, key: &'static str) -> Code {
    let mut request = Request::new(ListRuleSetsRequest::default());
    request.metadata_mut().insert("x-api-key", key.parse().expect("a header's value"));
    client.list_rule_sets(request).await.map_or_else(|status| status.code(), |_| Code::Ok)
}

/// Writes an identities file that names `one` and `other`, both with all rights.
fn identities_file(name: &str) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, identities(&["one", "other"])).expect("a directory for tests");
    file.to_str().expect("a path in UTF-8").to_owned()
}

#[tokio::test]
async fn an_identity_has_its_own_share_and_guesses_use_up_the_addresses() {
    let file = identities_file("rates.toml");
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

/// Checks that one caller may have all places as long as nobody else asks, and loses one of three to another caller.
async fn shared(arguments: &[&str], askers: [([u8; 4], &'static str); 2]) {
    let limits = ["--max-audits", "3", "--audit-deadline-ms", "1500"];
    let server = Server::start(&[&limits, arguments].concat()).await;
    let [(one, key), (other, other_key)] = askers;
    let auditor = async |from| AuditServiceClient::new(server.channel_from(from).await);
    let mut asked = JoinSet::new();
    for _ in 0..4 {
        asked.spawn(bring(auditor(one).await, key));
    }
    let mut next = async || asked.join_next().await.expect("one more").expect("no panic");
    assert_eq!(next().await, Code::ResourceExhausted, "there are three");
    assert_eq!(bring(auditor(other).await, other_key).await, Code::DeadlineExceeded, "had a place");
    assert_eq!(next().await, Code::ResourceExhausted, "lost its place to the other");
    assert_eq!([next().await, next().await], [Code::DeadlineExceeded; 2], "had theirs");
}

#[tokio::test]
async fn an_address_has_its_share_of_the_places_for_logs() {
    shared(&[], [([127, 0, 0, 2], "-"), ([127, 0, 0, 3], "-")]).await;
}

#[tokio::test]
async fn an_identity_has_its_share_of_the_places_for_logs() {
    let file = identities_file("shares.toml");
    shared(&["--identities-file", &file], [([127, 0, 0, 1], "one"), ([127, 0, 0, 1], "other")]).await;
}

/// Returns how many requests of `actions` actions each are answered before the caller is over its limit.
async fn batches(client: &mut Client, state: &[u8], actions: usize) -> usize {
    let proposed = ProposedAction { actor: role(Role::Table), ..Default::default() };
    let request =
        ApplyActionsRequest { state: state.into(), actions: vec![proposed; actions], ..Default::default() };
    for answered in 0..1000 {
        match client.apply_actions(request.clone()).await.expect_err("an action is missing").code() {
            Code::InvalidArgument => {}
            Code::ResourceExhausted => return answered,
            other => panic!("{other}"),
        }
    }
    panic!("no limit")
}

/// Checks that a limit of 40 requests lets 40 batches of one action through, and no more than two of 40: the second is
/// admitted while nothing is owed. A token comes every second: a slow machine lets a few more through.
#[tokio::test]
async fn each_action_of_a_batch_counts() {
    let limits = ["--max-rate", "1", "--max-burst", "40"];
    let answered = async |actions| {
        let server = Server::start(&limits).await;
        let mut client = server.client().await;
        let state = created(&mut client, new_game()).await.state;
        batches(&mut client, &state, actions).await
    };
    assert!((39..60).contains(&answered(1).await));
    assert!((1..=2).contains(&answered(40).await));
}

/// Asks to take back over 1 and over 40 frames, with a limit as for batches.
#[tokio::test]
async fn each_frame_of_a_preview_counts() {
    let limits = ["--max-rate", "1", "--max-burst", "40"];
    let answered = async |count| {
        let server = Server::start(&limits).await;
        let mut client = server.client().await;
        // A frame of a payload of one byte. It leads nowhere, so each request is a fault.
        let frame = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(frame_count(&frame), 1);
        let (state, to_act) = dealt(&mut client).await;
        let request = PreviewTakeBackRequest {
            earlier_state: state.clone(),
            state,
            actor: seat(to_act),
            frames: frame.repeat(count),
        };
        for answered in 0..1000 {
            match client.preview_take_back(request.clone()).await.expect_err("no such frames").code() {
                Code::InvalidArgument => {}
                Code::ResourceExhausted => return answered,
                other => panic!("{other}"),
            }
        }
        panic!("no limit")
    };
    // The deal took two.
    assert!((37..60).contains(&answered(1).await));
    assert!((1..=2).contains(&answered(40).await));
}

/// Sends 30 messages on a stream whose caller may send ten at once and then twenty a second.
#[tokio::test]
async fn each_message_of_a_stream_counts_and_is_read_late() {
    let server = Server::start(&["--max-rate", "20", "--max-burst", "10"]).await;
    let mut client = server.client().await;
    let (state, _) = dealt(&mut client).await;
    let mut stream = OpenStream::start(&mut client).await;
    stream.ask(on(&state)).await;
    let asked = async {
        for _ in 0..29 {
            stream.ask(PlayRequest::default()).await;
        }
    };
    // Of 33 requests, ten were in the bucket.
    let early = tokio::time::timeout(Duration::from_millis(900), asked).await;
    assert!(early.is_err(), "all were read within a second");
}
