//! Authenticated callers: who is admitted, and that nobody learns more of a state than it is entitled to.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use canasta_proto::v1::action::{Deal, Kind};
use canasta_proto::v1::*;
use canasta_serve::identity::ApiKey;
use tonic::{Code, Request, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::support;
use crate::support::Server;
use crate::support::game::{Client, action, created, draw, new_game, role, seat};
use crate::support::keys::write_ring;

/// Everything that a refused caller receives.
type Refusal = (Code, String, Vec<u8>);

fn of(status: &Status) -> Refusal {
    (status.code(), status.message().to_owned(), status.details().to_vec())
}

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("identities-{name}"))
}

/// Starts a server that seals and knows seven callers by API key: `back end`, `host`, `dealer`, `watcher`,
/// `seat 0`, `judge` and `nobody`.
async fn server(name: &str) -> Server {
    let (keys, file) = (place(&format!("{name}.keys")), place(&format!("{name}.toml")));
    write_ring(&keys, &["active 1"]);
    let game = "01".repeat(16);
    let grants = [
        ("back end", "games = \"all\"\nas = \"all\"".into()),
        ("host", format!("games = [\"{game}\"]\nas = \"all\"")),
        ("dealer", "games = \"all\"\nas = [\"TABLE\"]".into()),
        ("watcher", "games = \"all\"\nas = [\"SPECTATOR\"]".into()),
        ("seat 0", format!("games = [\"{game}\"]\nas = [0]")),
        ("judge", "games = \"all\"\nas = [\"JUDGE\"]".into()),
        ("nobody", "games = []\nas = []".into()),
    ];
    let mut text = String::new();
    for (name, grant) in grants {
        let digest = sha256(name.as_bytes());
        text += &format!("[[api_key]]\nname = \"{name}\"\nsha256 = \"{digest}\"\n{grant}\n");
    }
    fs::write(&file, text).expect("a directory for tests");
    let path = |path: &Path| path.to_str().expect("a path in UTF-8").to_owned();
    Server::start(&["--seal-key-file", &path(&keys), "--identities-file", &path(&file)]).await
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn by<T>(key: &'static str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("x-api-key", key.parse().expect("a header's value"));
    request
}

async fn game_of(client: &mut Client, id: u8) -> Vec<u8> {
    let mut asked = new_game();
    asked.game_id = vec![id; 16];
    let answer = client.create_game(by("back end", asked)).await.expect("may").into_inner();
    let Some(create_game_response::Outcome::Created(game)) = answer.outcome else { panic!("a game") };
    let deal = ApplyActionRequest {
        state: game.state,
        actor: role(Role::Table),
        action: action(Kind::Deal(Deal::default())),
        ..Default::default()
    };
    let answer = client.apply_action(by("back end", deal)).await.expect("may").into_inner();
    let Some(apply_action_response::Outcome::Accepted(dealt)) = answer.outcome else { panic!("a deal") };
    dealt.state
}

async fn view(
    client: &mut Client,
    key: &'static str,
    state: &[u8],
    who: Option<Actor>,
) -> Result<View, Status> {
    let asked = GetViewRequest { state: state.into(), actor: who };
    Ok(client.get_view(by(key, asked)).await?.into_inner().view.expect("a view"))
}

#[tokio::test]
async fn without_good_credentials_nobody_gets_anything() {
    let server = server("credentials").await;
    let mut client = server.client().await;
    let state = game_of(&mut client, 1).await;
    let view = GetViewRequest { state, actor: role(Role::Table) };
    let none = of(&client.get_view(view.clone()).await.expect_err("no key"));
    assert_eq!(none.0, Code::Unauthenticated);
    let mut twice = by("back end", view.clone());
    twice.metadata_mut().append("x-api-key", "back end".parse().expect("a value"));
    assert_eq!(of(&client.get_view(twice).await.expect_err("two keys")), none);
    assert_eq!(of(&client.get_view(by("back enc", view)).await.expect_err("no such key")), none);
    let refused = [
        client.get_server_info(GetServerInfoRequest {}).await.err(),
        client.list_rule_sets(ListRuleSetsRequest::default()).await.err(),
        client.get_rule_set(GetRuleSetRequest::default()).await.err(),
        client.get_rule(GetRuleRequest::default()).await.err(),
        client.create_game(new_game()).await.err(),
        client.apply_action(ApplyActionRequest::default()).await.err(),
        client.check_action(CheckActionRequest::default()).await.err(),
        client.list_legal_actions(ListLegalActionsRequest::default()).await.err(),
        client.suggest_action(SuggestActionRequest::default()).await.err(),
        client.options(OptionsRequest::default()).await.err(),
        client.preview_take_back(PreviewTakeBackRequest::default()).await.err(),
    ];
    for (at, status) in refused.into_iter().enumerate() {
        assert_eq!(of(&status.expect("refused")), none, "method {at}");
    }
    client
        .list_rule_sets(by("nobody", ListRuleSetsRequest::default()))
        .await
        .expect("the rules are everybody's");
    let info = client.get_server_info(by("nobody", GetServerInfoRequest {})).await.expect("and so is this");
    assert!(info.into_inner().sealed);
    let mut health = HealthClient::new(server.channel().await);
    health.check(HealthCheckRequest::default()).await.expect("probes have no credentials");
}

#[tokio::test]
async fn a_seat_may_act_for_itself_in_its_game_only() {
    let server = server("seat").await;
    let mut client = server.client().await;
    let (own, other) = (game_of(&mut client, 1).await, game_of(&mut client, 2).await);
    let seen = view(&mut client, "seat 0", &own, seat(0)).await.expect("its own view");
    assert_eq!(seen.seats.iter().filter(|seat| !seat.hand.is_empty()).count(), 1);
    let denied = of(&view(&mut client, "seat 0", &own, seat(1)).await.expect_err("another seat"));
    assert_eq!(denied.0, Code::PermissionDenied);
    for who in [seat(3), role(Role::Table), role(Role::Judge), role(Role::Director)] {
        assert_eq!(of(&view(&mut client, "seat 0", &own, who).await.expect_err("not its own")), denied);
    }
    // A token of another game looks the same, whether and however it is invalid.
    let mut forged = other.clone();
    forged[40] ^= 1;
    for state in [&other, &forged, &other[..30].to_vec(), &[&other[..24], &own[24..]].concat()] {
        for who in [seat(0), role(Role::Judge)] {
            assert_eq!(of(&view(&mut client, "seat 0", state, who).await.expect_err("another game")), denied);
        }
    }
    let judged = view(&mut client, "judge", &own, role(Role::Judge)).await.expect("a judge sees");
    assert!(judged.seats.iter().all(|seat| !seat.hand.is_empty()) && !judged.stock_cards.is_empty());
    assert_eq!(of(&view(&mut client, "nobody", &own, seat(0)).await.expect_err("default deny")), denied);

    // These requests act, suggest or list for others, register, deal, or create games.
    let wanted =
        |who| ApplyActionRequest { state: own.clone(), actor: who, action: draw(), ..Default::default() };
    for who in [seat(1), role(Role::Table)] {
        assert_eq!(of(&client.apply_action(by("seat 0", wanted(who))).await.expect_err("not it")), denied);
        let asked =
            CheckActionRequest { state: own.clone(), actor: who, action: draw(), ..Default::default() };
        assert_eq!(of(&client.check_action(by("seat 0", asked)).await.expect_err("not it")), denied);
        let asked = ListLegalActionsRequest { state: own.clone(), actor: who, ..Default::default() };
        assert_eq!(of(&client.list_legal_actions(by("seat 0", asked)).await.expect_err("not it")), denied);
        let asked = SuggestActionRequest { state: own.clone(), actor: who, seed: 1, ..Default::default() };
        assert_eq!(of(&client.suggest_action(by("seat 0", asked)).await.expect_err("not it")), denied);
        let asked = OptionsRequest { state: own.clone(), actor: who, ..Default::default() };
        assert_eq!(of(&client.options(by("seat 0", asked)).await.expect_err("not it")), denied);
        let (state, earlier_state) = (own.clone(), own.clone());
        let asked = PreviewTakeBackRequest { state, actor: who, earlier_state, ..Default::default() };
        assert_eq!(of(&client.preview_take_back(by("seat 0", asked)).await.expect_err("not it")), denied);
    }
    client.apply_action(by("seat 0", wanted(seat(0)))).await.expect("its own action is judged");
    let earlier = ApplyActionRequest { earlier_state: other, ..wanted(seat(0)) };
    assert_eq!(of(&client.apply_action(by("seat 0", earlier)).await.expect_err("another game")), denied);
    for who in ["seat 0", "judge", "nobody"] {
        assert_eq!(
            of(&client.create_game(by(who, new_game())).await.expect_err("no table")),
            denied,
            "{who}"
        );
    }
}

#[tokio::test]
async fn to_who_may_a_bent_token_is_no_token_and_to_others_it_is_another_game() {
    let server = server("bent").await;
    let mut client = server.client().await;
    let state = game_of(&mut client, 1).await;
    let denied = of(&view(&mut client, "seat 0", &state, seat(1)).await.expect_err("another seat"));
    let invalid = of(&view(&mut client, "seat 0", b"no state", seat(0)).await.expect_err("no state"));
    assert_eq!(invalid.0, Code::InvalidArgument);
    for bit in 0..state.len() {
        let mut bent = state.clone();
        bent[bit] ^= 1 << (bit % 8);
        // Bytes 8 to 23 are the game's id (docs/operate/SEALING.md).
        let expected = if (8..24).contains(&bit) { &denied } else { &invalid };
        assert_eq!(
            &of(&view(&mut client, "seat 0", &bent, seat(0)).await.expect_err("bent")),
            expected,
            "{bit}"
        );
        assert_eq!(
            of(&view(&mut client, "seat 0", &bent, seat(1)).await.expect_err("bent")),
            denied,
            "{bit}"
        );
        let all = view(&mut client, "back end", &bent, seat(0)).await.expect_err("bent");
        assert_eq!(of(&all), invalid, "to who may in every game all are alike, {bit}");
    }
}

/// Creates games as a host of game 1: the id that the service gives is none of its own.
#[tokio::test]
async fn who_has_rights_in_some_games_names_the_id_of_a_new_one() {
    let server = server("host").await;
    let mut client = server.client().await;
    client.create_game(by("host", new_game())).await.expect("its own game");
    for game_id in [vec![], vec![2; 16]] {
        for request_id in [vec![], vec![5; 16]] {
            let asked = CreateGameRequest { game_id: game_id.clone(), request_id, ..new_game() };
            let denied = client.create_game(by("host", asked)).await.expect_err("another id");
            assert_eq!(denied.code(), Code::PermissionDenied, "{game_id:?}");
        }
    }
    let asked = CreateGameRequest { game_id: vec![], ..new_game() };
    client.create_game(by("back end", asked)).await.expect("it may in all games");
}

#[tokio::test]
async fn without_identities_callers_are_believed() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    created(&mut client, new_game()).await;
}

/// Runs the program. Returns its exit code and its output on stderr.
fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_canasta-service"));
    let output = command.args(arguments).output().expect("the program runs");
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).expect("text"))
}

#[test]
fn every_fault_of_the_file_is_named_before_anything_is_served() {
    let file = place("faults.toml");
    let serve = |text: &str, more: &[&str]| {
        fs::write(&file, text).expect("a directory for tests");
        let file = file.to_str().expect("a path in UTF-8");
        run(&[&["--listen", "127.0.0.1:0", "--identities-file", file], more].concat())
    };
    let digest = "ab".repeat(32);
    let good = format!("[[api_key]]\nname = \"a\"\nsha256 = \"{digest}\"\n");
    let all = format!("{good}games = \"all\"\nas = \"all\"\n");
    let bad = format!(
        "[[api_key]]\nsha256 = \"12\"\n{good}games = [\"01\"]\nas = [6, \"KING\"]\n{good}game = \"all\"\n[other]\n[[issuer]]\n\
         iss = \"club\"\naud = \"canasta\"\njwks_file = \"nowhere.jwks\"\nmax_lifetime_s = 0\n\
         [issuer.revoked]\nsubjects = \"alice\"\nids = []\n"
    );
    let (code, said) = serve(&bad, &[]);
    assert_eq!(code, Some(64), "{said}");
    for fault in [
        "other: unknown field, expected one of api_key",
        "issuer[0].jwks_file: nowhere.jwks: No such file",
        "issuer[0].max_lifetime_s: expected a whole number from 1 to 31622400",
        "issuer[0].revoked.subjects: expected a list of at most 10000 texts of 1 to 256 bytes",
        "issuer[0].revoked.ids: unknown field, expected one of subjects, token_ids",
        "api_key[0].sha256: expected the key's SHA-256, 64 hex digits",
        "api_key[1].games[0]: expected a game's id, 32 hex digits",
        "api_key[1].as[0]: expected a seat (0 to 5), \"TABLE\", \"JUDGE\", \"DIRECTOR\" or \"SPECTATOR\"",
        "api_key[1].as[1]: expected a seat",
        "api_key[2].game: unknown field, expected one of name, sha256, games, as",
        "api_key[2].games: expected \"all\" or a list of at most 1024 game ids",
        "api_key[2].as: expected \"all\" or a list of seats and roles",
    ] {
        let line = said.lines().find(|line| line.contains(&format!("faults.toml: {fault}")));
        assert!(line.is_some_and(|line| line.contains("--identities-file ")), "{fault}: {said}");
    }
    for (text, more, expected) in [
        ("", &[][..], "no identities"),
        ("a = ", &[], ": TOML parse error at line 1"),
        (&all, &["--trusted-callers"], "set one of the two"),
        (&format!("{good}games = []\nas = []\n"), &[], "set --seal-key-file"),
        (&format!("{all}{all}"), &[], "api_key[1].sha256: the key occurs twice"),
    ] {
        let (code, said) = serve(text, more);
        assert!(code == Some(64) && said.contains(expected), "{code:?} {said}");
    }
    let (code, said) = run(&["--identities-file", "/nowhere"]);
    assert!(code == Some(64) && said.contains("--identities-file /nowhere: No such file"), "{code:?} {said}");
}

#[test]
fn an_api_key_is_made_with_its_lines() {
    let (code, said) = run(&["api-key", "score board"]);
    assert_eq!(code, Some(0), "{said}");
    let key = said.lines().next().and_then(|line| line.rsplit(' ').next()).expect("the key");
    assert!(key.starts_with("canasta_") && key.len() == 51, "{said}");
    assert!(said.contains(&format!("sha256 = \"{}\"", sha256(key.as_bytes()))), "{said}");
    assert!(ApiKey::of_text(key.as_bytes()).is(&ApiKey::of_text(key.as_bytes())));
}

#[tokio::test]
async fn to_observe_takes_the_rights_of_whoever_is_named() {
    let server = server("observers").await;
    let mut client = server.client().await;
    let state = game_of(&mut client, 1).await;
    let denied = of(&view(&mut client, "seat 0", &state, seat(1)).await.expect_err("another seat"));
    let named = |who: &[Option<Actor>]| who.iter().copied().flatten().collect::<Vec<_>>();
    for (observers, is_entitled) in [
        (named(&[seat(0)]), true),
        (named(&[seat(0), seat(1)]), false),
        (named(&[role(Role::Table)]), false),
        (named(&[role(Role::Spectator)]), false),
        (named(&[role(Role::Judge)]), false),
    ] {
        let (state, actor, action, observers) = (state.clone(), seat(0), draw(), observers.clone());
        let actions = vec![ProposedAction { actor, action: action.clone(), ..Default::default() }];
        let batch = ApplyActionsRequest {
            state: state.clone(),
            actions,
            observers: observers.clone(),
            ..Default::default()
        };
        let apply = ApplyActionRequest { actor, action, observers, ..Default::default() };
        let play = PlayRequest { state: state.clone(), apply: Some(apply.clone()), want_state: false };
        let single = ApplyActionRequest { state, ..apply };
        let mut request = Request::new(tokio_stream::iter([play]));
        request.metadata_mut().insert("x-api-key", "seat 0".parse().expect("a value"));
        let mut stream = client.play(request).await.expect("a stream").into_inner();
        let first = stream.message().await.expect("an answer, or the state").expect("a message");
        let played = stream.message().await;
        let faults = [
            client.apply_action(by("seat 0", single)).await.err(),
            client.apply_actions(by("seat 0", batch)).await.err(),
            played.err(),
        ];
        assert_eq!(first.outcome.is_some(), is_entitled);
        for fault in faults {
            assert_eq!(fault.as_ref().map(of), (!is_entitled).then(|| denied.clone()));
        }
    }
    let game = |observers| CreateGameRequest { observers, ..new_game() };
    let open = game(named(&[role(Role::Table), role(Role::Spectator)]));
    client.create_game(by("dealer", open)).await.expect("its own eyes");
    let closed = game(named(&[role(Role::Table), seat(0)]));
    assert_eq!(of(&client.create_game(by("dealer", closed)).await.expect_err("a seat")), denied);
}

/// Checks that a spectator sees what the table sees, and that whoever may act for the table may also be one.
#[tokio::test]
async fn a_spectator_watches_and_does_nothing() {
    let server = server("spectator").await;
    let mut client = server.client().await;
    let state = game_of(&mut client, 1).await;
    let spectator = role(Role::Spectator);
    let seen = view(&mut client, "watcher", &state, spectator).await.expect("its own view");
    let table = view(&mut client, "dealer", &state, role(Role::Table)).await.expect("its own view");
    assert_eq!(View { actor: table.actor, ..seen.clone() }, table);
    assert_eq!(view(&mut client, "dealer", &state, spectator).await.expect("no more than it has"), seen);
    for who in [seat(0), role(Role::Table), role(Role::Judge), role(Role::Director)] {
        let status = view(&mut client, "watcher", &state, who).await.expect_err("not a spectator");
        assert_eq!(status.code(), Code::PermissionDenied);
    }
    let listed = ListLegalActionsRequest { state: state.clone(), actor: spectator, ..Default::default() };
    let listed = client.list_legal_actions(by("watcher", listed)).await.expect("may ask").into_inner();
    assert!(listed.actions.is_empty());
    let suggest =
        SuggestActionRequest { state: state.clone(), actor: spectator, seed: 1, ..Default::default() };
    let suggested = client.suggest_action(by("watcher", suggest)).await.expect("may ask").into_inner();
    assert_eq!(suggested.action, None);
    let asked = ApplyActionRequest { state, actor: spectator, ..Default::default() };
    for kind in [
        Kind::DrawStock(Default::default()),
        Kind::Deal(Deal::default()),
        Kind::Dispute(action::Dispute { open: Some(true), reason: String::new() }),
    ] {
        let asked = ApplyActionRequest { action: action(kind), ..asked.clone() };
        let answer = client.apply_action(by("watcher", asked)).await.expect("judged").into_inner();
        assert!(matches!(answer.outcome, Some(apply_action_response::Outcome::Rejected(_))), "{answer:?}");
    }
    let note = ApplyActionRequest { note: Some(Note { text: "well played".into() }), ..asked.clone() };
    let recorded = ApplyActionRequest { action: draw(), record_refusal: true, ..asked };
    for (request, path) in [(note, "actor"), (recorded, "record_refusal")] {
        let status = client.apply_action(by("watcher", request)).await.expect_err(path);
        support::game::assert_field(&status, path);
    }
}
