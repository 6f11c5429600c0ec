//! GetServerInfo: what a client should know before it asks for anything else.

use std::path::Path;

use crate::support::Server;
use crate::support::keys::write_ring;
use canasta_proto::v1::{GetServerInfoRequest, GetServerInfoResponse, ListRuleSetsRequest, ServerLimits};

async fn info(server: &Server) -> GetServerInfoResponse {
    let mut client = server.client().await;
    client.get_server_info(GetServerInfoRequest {}).await.expect("open to all").into_inner()
}

/// Returns the limits of a server without settings, as docs/API.md has them under "Limits".
fn defaults() -> ServerLimits {
    ServerLimits {
        request_bytes: 256 * 1024,
        answer_bytes: 1024 * 1024,
        batch_actions: 256,
        observers: 16,
        listed_actions: 4096,
        log_bytes: 64 * 1024 * 1024,
        log_records: 100_000,
        log_pieces: 100_000,
        log_piece_bytes: 65_536,
        deadline_ms: 2000,
        audit_deadline_ms: 30_000,
        play_idle_ms: 300_000,
        connection_age_ms: 1_800_000,
        caller_rate: None,
        caller_burst: None,
        lifetime_ms: None,
    }
}

#[tokio::test]
async fn a_server_without_settings_says_so() {
    let server = Server::start(&[]).await;
    let info = info(&server).await;
    assert_eq!((info.version.as_str(), info.api_revision), (env!("CARGO_PKG_VERSION"), 1));
    assert!(!info.sealed && info.audience.is_empty() && info.checkpoint_key.is_empty());
    assert_eq!(info.limits, Some(defaults()));
}

#[tokio::test]
async fn settings_are_told() {
    let keys = Path::new(env!("CARGO_TARGET_TMPDIR")).join("server-info.keys");
    write_ring(&keys, &["active 1"]);
    let keys = keys.to_str().expect("a path in UTF-8");
    #[rustfmt::skip]
    let server = Server::start(&[
        "--trusted-callers", "--seal-key-file", keys, "--audience", "club", "--max-rate", "5", "--max-lifetime-ms", "9000",
        "--deadline-ms", "1500", "--audit-deadline-ms", "1600", "--play-idle-ms", "1700", "--max-age-ms", "1800",
    ])
    .await;
    let info = info(&server).await;
    assert_eq!((info.sealed, info.audience.as_str()), (true, "club"));
    let expected = ServerLimits {
        deadline_ms: 1500,
        audit_deadline_ms: 1600,
        play_idle_ms: 1700,
        connection_age_ms: 1800,
        caller_rate: Some(5),
        // Twice the rate, unless it is set.
        caller_burst: Some(10),
        lifetime_ms: Some(9000),
        ..defaults()
    };
    assert_eq!(info.limits, Some(expected));
}

#[tokio::test]
async fn digests_are_those_of_the_rule_sets() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let found = info(&server).await.rule_sets;
    let listed =
        client.list_rule_sets(ListRuleSetsRequest::default()).await.expect("listed").into_inner().rule_sets;
    assert_eq!(found.len(), 22);
    for (found, listed) in found.iter().zip(&listed) {
        assert_eq!((&found.id, &found.digest), (&listed.id, &listed.digest));
    }
}
