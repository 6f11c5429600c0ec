//! Links: what their holders may do, and which tokens are refused.

use std::path::Path;
use std::time::Duration;

use canasta_engine::action::As;
use canasta_engine::deal::GameId;
use canasta_proto::v1::action::{DrawStock, Kind};
use canasta_proto::v1::game_service_client::GameServiceClient;
use canasta_proto::v1::*;
use canasta_serve::identity::LinkGrant;
use canasta_serve::signer::CheckpointSigner;
use canasta_service::program::{now, random};
use tonic::Code;
use tonic_types::StatusExt;

use crate::support::game::*;
use crate::support::links::*;
use crate::support::server::{Client, Recorder};

#[tokio::test]
async fn a_link_is_good_for_one_actor_in_one_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let (game, host) = hosted(&mut client, 1, seat(0)).await;
    let (other, _) = hosted(&mut client, 2, seat(0)).await;
    acted(&mut client, act(&game, 1, role(Role::Table), deal())).await;
    let link = recorder.holder(&host).await.invite(&game, seat(2), tomorrow()).await.expect("a link");
    assert_eq!((link.token_id.len(), link.expires_at_ms % 1000), (16, 0));
    let mut player = recorder.holder(&link).await;

    let seen = player.get_game(&game, seat(2)).await.expect("its own view").view.expect("a view");
    let is_hidden = |seat: usize| seen.seats[seat].hand.iter().all(|card| card == "??");
    assert_eq!([0, 1, 2, 3].map(is_hidden), [true, true, false, true]);
    assert!(
        player.get_log(GetLogRequest { game_id: game.clone(), actor: seat(2), from_n: None }).await.is_ok()
    );
    let draw = action(Kind::DrawStock(DrawStock {}));
    assert!(player.act(act(&game, 2, seat(2), draw.clone())).await.is_ok(), "it is judged");
    let roles = [Role::Table, Role::Judge, Role::Director, Role::Spectator].map(role);
    for actor in roles.into_iter().chain([seat(0), seat(1), seat(3)]) {
        refused_everywhere(&mut player, &game, actor).await;
    }
    // Whether another game exists is not told.
    let existing = refused_everywhere(&mut player, &other, seat(2)).await;
    assert_eq!(refused_everywhere(&mut player, &[0xee; 16], seat(2)).await, existing);
    let mut observed = act(&game, 3, seat(2), draw);
    observed.observers = seat(0).into_iter().collect();
    denied(player.act(observed).await);
    denied(player.create(new_game(3)).await);
    let table = client.invite(&game, role(Role::Table), tomorrow()).await.expect("a link");
    denied(recorder.holder(&table).await.create(new_game(1)).await);
    denied(player.invite(&game, seat(1), tomorrow()).await);
    denied(player.revoke(&game, &host.token_id).await);
    let list = ListGamesRequest { actor: seat(2), ..Default::default() };
    let page = player.list_games(list.clone()).await.expect("a list");
    assert_eq!(page.games.iter().map(|one| &one.game_id).collect::<Vec<_>>(), [&game]);
    assert!(page.next_page_token.is_empty());
    denied(player.list_games(ListGamesRequest { actor: seat(0), ..list }).await);
}

/// Asks everything for this actor, which must be denied. Returns what is told.
async fn refused_everywhere(client: &mut Client, game: &[u8], actor: Option<Actor>) -> Vec<Vec<u8>> {
    let describe = DescribeRequest { game_id: game.into(), actor, ..Default::default() };
    let describe = client.request(describe);
    vec![
        denied(client.get_game(game, actor).await),
        denied(client.act(act(game, 9, actor, deal())).await),
        denied(client.watch(game, actor).await),
        denied(client.list_actions(game, actor).await),
        denied(client.service.describe(describe).await),
        denied(client.get_log(GetLogRequest { game_id: game.into(), actor, from_n: None }).await),
    ]
}

/// Revokes a link while its holder watches. Every other link stays good.
#[tokio::test]
async fn a_revoked_link_ends_its_streams() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let (game, host) = hosted(&mut client, 1, seat(0)).await;
    acted(&mut client, act(&game, 1, role(Role::Table), deal())).await;
    let mut host = recorder.holder(&host).await;
    let at = tomorrow();
    let [link, kept] = [at, at + 1000].map(|at| (at, seat(2)));
    let link = host.invite(&game, link.1, link.0).await.expect("a link");
    let kept = host.invite(&game, kept.1, kept.0).await.expect("a link");
    let (mut player, mut other) = (recorder.holder(&link).await, recorder.holder(&kept).await);
    let mut stream = player.watch(&game, seat(2)).await.expect("a stream");
    assert!(stream.message().await.expect("no fault").expect("a message").snapshot);
    let log = player.request(GetLogRequest { game_id: game.clone(), actor: seat(2), from_n: None });
    let mut log = player.service.get_log(log).await.expect("a stream").into_inner();

    host.revoke(&game, &link.token_id).await.expect("revoked");
    host.revoke(&game, &link.token_id).await.expect("as before");
    unknown(stream.message().await);
    // Its one piece was sent before.
    log.message().await.expect("no fault");
    unknown(player.get_game(&game, seat(2)).await);
    unknown(player.get_game(&game, seat(1)).await);
    unknown(player.get_game(&[0xee; 16], seat(2)).await);
    unknown(player.act(act(&game, 5, seat(2), deal())).await);
    unknown(player.watch(&game, seat(2)).await);
    unknown(player.list_games(ListGamesRequest { actor: seat(2), ..Default::default() }).await);
    unknown(player.revoke(&game, &link.token_id).await);
    assert!(other.get_game(&game, seat(2)).await.is_ok());
    bad_field(host.invite(&game, seat(2), at).await);
    assert_eq!(host.revoke(&game, &[7; 16]).await.expect_err("no such link").code(), Code::NotFound);

    denied(other.revoke(&game, &link.token_id).await);
    other.revoke(&game, &kept.token_id).await.expect("its own");
    unknown(other.get_game(&game, seat(2)).await);
    assert!(host.get_game(&game, seat(0)).await.is_ok());
}

/// Reads the log of a game with long rounds, and revokes the link in the middle.
#[tokio::test]
async fn a_log_is_not_sent_on_after_its_link_is_revoked() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let (game, _) = hosted(&mut client, 1, seat(0)).await;
    let link = client.invite(&game, role(Role::Director), tomorrow()).await.expect("a link");
    for id in 0..300 {
        let mut note = act(&game, 100 + id, role(Role::Director), None);
        note.proposals[0].record = remark("n".repeat(1024));
        acted(&mut client, note).await;
    }
    let mut reader = recorder.narrow_client().await;
    reader.bearer = Some(link.token.clone());
    let log = GetLogRequest { game_id: game.clone(), actor: role(Role::Director), from_n: None };
    let log = reader.request(log);
    let mut pieces = reader.service.get_log(log).await.expect("a stream").into_inner();
    assert!(!pieces.message().await.expect("no fault").expect("a piece").last);
    client.revoke(&game, &link.token_id).await.expect("revoked");
    let rest = async {
        while let Some(piece) = pieces.message().await? {
            assert!(!piece.last, "a piece that was made before");
        }
        Ok(())
    };
    unknown(rest.await);
}

/// Signs tokens of every bad kind. Where callers are not authenticated a token must not make its bearer trusted.
#[tokio::test]
async fn forged_tokens_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let recorder = Recorder::start(&data, &[]).await;
    let mut client = recorder.client().await;
    let (game, host) = hosted(&mut client, 1, seat(0)).await;
    let link = client.invite(&game, seat(2), tomorrow()).await.expect("a link");
    let signer = CheckpointSigner::read(&data.join("signing.key")).expect("our key");
    let stranger = folder.path().join("stranger.key");
    let text = CheckpointSigner::generate("canasta-recorder", random).expect("randomness");
    write_secret(&stranger, &text);
    let stranger = CheckpointSigner::read(&stranger).expect("a key");
    let good = LinkGrant {
        token_id: link.token_id[..].try_into().expect("16 bytes"),
        game: GameId(game[..].try_into().expect("16 bytes")),
        actor: As::Seat(canasta_engine::seat::Seat(2)),
        is_host: false,
        expires_at_ms: link.expires_at_ms,
    };
    let signed = |link: LinkGrant| signer.token(&link.claims(""));
    assert_eq!(signed(good), link.token, "the recorder signs the same");
    let parts = |token: &str| token.split('.').map(str::to_owned).collect::<Vec<_>>();
    let (of_link, of_host) = (parts(&link.token), parts(&host.token));
    use base64ct::{Base64UrlUnpadded, Encoding};
    let none = Base64UrlUnpadded::encode_string(br#"{"alg":"none","typ":"JWT"}"#);
    let bad = [
        ("another game", signed(LinkGrant { game: GameId([9; 16]), ..good })),
        ("not given out", signed(LinkGrant { token_id: [9; 16], ..good })),
        ("another actor", signed(LinkGrant { actor: As::Director, ..good })),
        ("the host's rights", signed(LinkGrant { is_host: true, ..good })),
        ("a longer life", signed(LinkGrant { expires_at_ms: good.expires_at_ms + 1000, ..good })),
        ("expired", signed(LinkGrant { expires_at_ms: now() - 1000, ..good })),
        ("too long a life", signed(LinkGrant { expires_at_ms: now() + 40 * DAY_MS, ..good })),
        ("another audience", signer.token(&good.claims("elsewhere"))),
        ("another key", stranger.token(&good.claims(""))),
        ("no algorithm", format!("{none}.{}.", of_link[1])),
        ("no algorithm, old signature", format!("{none}.{}.{}", of_link[1], of_link[2])),
        ("claims of the host", [&of_link[0][..], &of_host[1], &of_link[2]].join(".")),
        ("no token", "token".into()),
    ];
    for (kind, token) in bad {
        let mut bearer = Client { bearer: Some(token), ..recorder.client().await };
        for actor in [seat(2), seat(0), role(Role::Director)] {
            let status = bearer.get_game(&game, actor).await.expect_err(kind);
            // A link of another game, where there is no such game, is good for that game only.
            let expected =
                if kind == "another game" { Code::PermissionDenied } else { Code::Unauthenticated };
            assert_eq!(status.code(), expected, "{kind}: {status:?}");
        }
    }
    let mut two = client.request(GetGameRequest { game_id: game.clone(), actor: seat(2) });
    two.metadata_mut().insert("authorization", format!("Bearer {}", link.token).parse().expect("text"));
    two.metadata_mut().insert("x-api-key", "canasta_key".parse().expect("text"));
    unknown(client.service.get_game(two).await);
    assert!(recorder.holder(&link).await.get_game(&game, seat(2)).await.is_ok());
    assert!(client.get_game(&game, role(Role::Director)).await.is_ok(), "without credentials it is trusted");
}

fn write_secret(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text).expect("our file");
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o600)).expect("our file");
}

#[tokio::test]
async fn a_link_expires_while_its_holder_watches() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let (game, _) = hosted(&mut client, 1, seat(0)).await;
    bad_field(client.invite(&game, seat(2), now()).await);
    bad_field(client.invite(&game, seat(2), now() + 31 * DAY_MS).await);
    assert!(client.invite(&game, seat(2), now() + 30 * DAY_MS).await.is_ok());
    let link = client.invite(&game, seat(2), now() + 2500).await.expect("a link");
    let mut player = recorder.holder(&link).await;
    let mut stream = player.watch(&game, seat(2)).await.expect("a stream");
    assert!(stream.message().await.expect("no fault").expect("a message").snapshot);
    while player.get_game(&game, seat(2)).await.is_ok() {
        assert!(now() < link.expires_at_ms + 5000, "it expires");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(now() >= link.expires_at_ms);
    acted(&mut client, act(&game, 1, role(Role::Table), deal())).await;
    unknown(stream.message().await);
}

/// Puts another signing key in the place of the first: links of the first stay good for as long as its public key stays.
#[tokio::test]
async fn links_outlive_the_key_that_signed_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let recorder = Recorder::start(&data, &[]).await;
    let mut client = recorder.client().await;
    let (game, _) = hosted(&mut client, 1, seat(0)).await;
    let at = tomorrow();
    let old = client.invite(&game, seat(2), at).await.expect("a link");
    drop(client);
    recorder.stop().await;
    let old_keys = std::fs::read_to_string(data.join("signing.pub")).expect("it is there");
    assert_eq!(old_keys.lines().count(), 1);
    let text = CheckpointSigner::generate("canasta-recorder", random).expect("randomness");
    write_secret(&data.join("signing.key"), &text);
    let recorder = Recorder::start(&data, &["--reread-ms", "20"]).await;
    let mut client = recorder.client().await;
    let new = client.invite(&game, seat(2), at).await.expect("a link");
    assert!(new.token_id == old.token_id && new.token != old.token, "the same link by another key");
    for link in [&old, &new] {
        assert!(recorder.holder(link).await.get_game(&game, seat(2)).await.is_ok());
    }
    let keys = std::fs::read_to_string(data.join("signing.pub")).expect("it is there");
    assert_eq!((keys.lines().count(), keys.starts_with(&old_keys)), (2, true));
    write_secret(&data.join("signing.pub"), "# the old key was stolen\n");
    // The recorder looks at the file from time to time.
    let mut holder = recorder.holder(&old).await;
    while holder.get_game(&game, seat(2)).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    unknown(holder.get_game(&game, seat(2)).await);
    assert!(recorder.holder(&new).await.get_game(&game, seat(2)).await.is_ok());
}

#[tokio::test]
async fn links_work_beside_identities() {
    use canasta_serve::identity::ApiKey;
    let folder = tempfile::tempdir().expect("a folder");
    let made = ApiKey::generate("club", random).expect("randomness");
    let (comment, entry) = made.split_once('\n').expect("a comment with the key, then its entry");
    let entry = entry.replace("games = []", "games = \"all\"").replace("as = []", "as = \"all\"");
    let file = folder.path().join("identities.toml");
    std::fs::write(&file, entry).expect("our file");
    let file = file.to_str().expect("UTF-8");
    let recorder = Recorder::start(&folder.path().join("data"), &["--identities-file", file]).await;
    let key = comment.rsplit(' ').next().expect("a key").to_owned();
    let mut club = Client { bearer: Some(key), ..recorder.client().await };
    let (game, own) = hosted(&mut club, 1, seat(0)).await;
    let link = recorder.holder(&own).await.invite(&game, seat(1), tomorrow()).await.expect("a link");
    assert!(recorder.holder(&link).await.get_game(&game, seat(1)).await.is_ok());
    denied(recorder.holder(&link).await.get_game(&game, seat(0)).await);
    club.invite(&game, role(Role::Judge), tomorrow()).await.expect("a director's identity");
    unknown(recorder.client().await.get_game(&game, seat(1)).await);
    // A link is no identity for games that callers keep themselves.
    let mut games = GameServiceClient::new(recorder.channel().await);
    let request = recorder.holder(&link).await.request(CreateGameRequest {
        rule_set: "classic-4p".into(),
        deal_mode: DealMode::Seeded.into(),
        ..Default::default()
    });
    denied(games.create_game(request).await);
}

#[tokio::test]
async fn a_file_cannot_name_the_recorder_as_an_issuer() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    Recorder::start(&data, &[]).await.stop().await;
    let file = folder.path().join("identities.toml");
    let key = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----";
    let text = format!(
        "[[issuer]]\niss = \"canasta-recorder\"\naud = \"canasta\"\n[[issuer.key]]\npublic_key = \"\"\"\n{key}\n\"\"\"\n"
    );
    std::fs::write(&file, text).expect("our file");
    let mut settings =
        crate::support::server::settings(&["--identities-file", file.to_str().expect("UTF-8")]);
    settings.data = data;
    let prepared = canasta_recorder::server::prepare(&settings, random);
    let faults = prepared.err().expect("it is refused");
    assert!(faults.iter().any(|fault| fault.to_string().contains("is the recorder itself")), "{faults:?}");
}

/// Writes notes of 4,096 bytes until the round has no room for another one: it has 512 KiB, and a frame some bytes more than
/// its note. The game goes on, and another one does not notice.
#[tokio::test]
async fn notes_of_a_round_have_a_share_and_play_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let recorder = Recorder::start(&folder.path().join("data"), &[]).await;
    let mut client = recorder.client().await;
    let (game, host) = hosted(&mut client, 1, seat(0)).await;
    let (other, other_host) = hosted(&mut client, 2, seat(0)).await;
    let note = |game: &[u8], id, who| {
        let mut request = act(game, id, who, None);
        request.proposals[0].record = remark("x".repeat(4_096));
        request
    };
    let mut player = recorder.holder(&host).await;
    let mut count = 0;
    let full = loop {
        match player.act(note(&game, 100 + count, seat(0))).await {
            Ok(_) => count += 1,
            Err(status) => break status,
        }
    };
    assert_eq!((full.code(), count), (Code::FailedPrecondition, (512 << 10) / (4_096 + 16)));
    let info = full.get_error_details().error_info().cloned().expect("an ErrorInfo");
    assert_eq!(info.reason, "LOG_TOO_LARGE");
    assert!(client.act(note(&game, 1, role(Role::Director))).await.is_ok(), "the director");
    acted(&mut client, act(&game, 2, role(Role::Table), deal())).await;
    assert!(recorder.holder(&other_host).await.act(note(&other, 1, seat(0))).await.is_ok());
}
