//! The trail of callers in the log: who asked for whom in which game, with which verdict, and nothing else.

use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::support;
use crate::support::game::{Client, accepted, action, create, dealt, draw, new_game, rejected, role, seat};
use canasta_proto::v1::{
    self as pb, ApplyActionRequest, ApplyActionsRequest, PlayRequest, ProposedAction, Role, action::Kind,
    game_service_client::GameServiceClient,
};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tonic::Request;
use tonic::transport::Channel;

/// The id of the game that every test plays.
const GAME: &str = "01010101010101010101010101010101";
/// The example of the W3C recommendation "Trace Context", section 3.2.
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// A running program whose log is read at its end.
struct Logged {
    child: Child,
    stderr: BufReader<std::process::ChildStderr>,
    channel: Channel,
}

impl Logged {
    async fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_canasta-service"));
        command.args(["--listen", "127.0.0.1:0", "--log-requests", "--drain-notice-ms", "0"]).args(arguments);
        // The clients of a test keep their connections.
        command.args(["--drain-limit-ms", "100"]);
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program runs");
        let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
        let mut first = String::new();
        stderr.read_line(&mut first).expect("text");
        let address: Value = serde_json::from_str(&first).expect("JSON");
        let address = format!("http://{}", address["address"].as_str().expect("an address"));
        let channel = Channel::from_shared(address).expect("a URI").connect().await.expect("it listens");
        Self { child, stderr, channel }
    }

    fn client(&self) -> Client {
        GameServiceClient::new(self.channel.clone())
    }

    /// Ends the program. Returns its log.
    fn end(mut self) -> String {
        drop(self.channel);
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
        let mut log = String::new();
        self.stderr.read_to_string(&mut log).expect("text");
        assert_eq!(self.child.wait().expect("it ends").code(), Some(0), "{log}");
        log
    }
}

/// Returns the lines of requests and messages, each as method, actor and verdict.
fn told(log: &str) -> Vec<[String; 3]> {
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let lines = lines.filter(|line| line["message"] == "request" || line["message"] == "message");
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    lines.map(|line| [&line["method"], &line["actor"], &line["verdict"]].map(text)).collect()
}

/// Asserts that every line has fields of closed forms only: there is no place where a card could show.
fn assert_closed(log: &str) {
    let is_of = |letters: &str, text: &str| text.chars().all(|letter| letters.contains(letter));
    let (hex, digits) = ("0123456789abcdef", "0123456789");
    let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_,0123456789";
    for line in log.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        if line["message"] != "request" && line["message"] != "message" {
            continue;
        }
        for (name, value) in line.as_object().expect("an object") {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let is_closed = match name.as_str() {
                "timestamp" | "level" | "target" | "message" => true,
                "method" => text.chars().all(|letter| letter.is_ascii_alphabetic()),
                "code" | "actor" | "observers" => is_of(upper, &text),
                "us" => is_of(digits, &text),
                "id" | "game" | "trace" => is_of(hex, &text),
                "peer" => text == "127.0.0.1",
                "caller" => text == "api_key \"score board\"",
                "verdict" => {
                    let count = text.strip_suffix(" accepted").is_some_and(|count| is_of(digits, count));
                    let words = ["accepted", "recorded", "created", "legal"];
                    count || words.contains(&text.as_str()) || is_of(upper, &text)
                }
                _ => false,
            };
            assert!(is_closed, "{name} of {line}");
        }
    }
}

#[tokio::test]
async fn each_request_and_each_message_of_a_stream_is_told() {
    let service = Logged::start(&["--log-format", "json"]).await;
    let mut client = service.client();
    let (state, turn) = dealt(&mut client).await;
    let other = (turn + 1) % 4;
    let request = |who, action| ApplyActionRequest {
        state: state.clone(),
        actor: seat(who),
        action,
        ..Default::default()
    };
    rejected(&mut client, request(other, draw())).await;
    let observers = [seat(other), role(Role::Table)].into_iter().flatten().collect();
    let mut traced = Request::new(ApplyActionRequest { observers, ..request(turn, draw()) });
    let parent = format!("00-{TRACE}-00f067aa0ba902b7-00");
    traced.metadata_mut().insert("traceparent", parent.parse().expect("text"));
    client.apply_action(traced).await.expect("well formed");
    let proposed = |who, action| ProposedAction { actor: seat(who), action, ..ProposedAction::default() };
    let note =
        ApplyActionRequest { note: Some(pb::Note { text: "Ks for you".into() }), ..request(turn, None) };
    client.apply_action(note).await.expect("recorded");
    for actions in [vec![proposed(turn, draw()); 2], vec![proposed(turn, draw())]] {
        let batch = ApplyActionsRequest { state: state.clone(), actions, ..Default::default() };
        client.apply_actions(batch).await.expect("well formed");
    }
    let ask = pb::GetViewRequest { state: b"made up".to_vec(), actor: role(Role::Judge) };
    client.get_view(ask).await.expect_err("no state");

    let play = |state: &[u8], who, action| PlayRequest {
        state: state.into(),
        apply: Some(ApplyActionRequest { actor: seat(who), action, ..Default::default() }),
        ..Default::default()
    };
    let messages = [play(&state, other, draw()), play(&[], turn, draw()), play(&[], 9, draw())];
    let mut answers = client.play(tokio_stream::iter(messages)).await.expect("a stream").into_inner();
    while let Ok(Some(_)) = answers.message().await {}

    let log = service.end();
    assert_closed(&log);
    let observed = format!("\"observers\":\"{other},TABLE\"");
    assert_eq!(log.lines().filter(|line| line.contains(&observed)).count(), 1, "{log}");
    let (turn, other) = (turn.to_string(), other.to_string());
    let expected = [
        ["CreateGame", "TABLE", "created"],
        ["ApplyAction", "TABLE", "accepted"],
        ["ApplyAction", &other, "TURN_NOT_YOURS"],
        ["ApplyAction", &turn, "accepted"],
        ["ApplyAction", &turn, "recorded"],
        ["ApplyActions", &turn, "TURN_ALREADY_DREW"],
        ["ApplyActions", &turn, "1 accepted"],
        ["GetView", "JUDGE", "STATE_TOKEN_INVALID"],
        ["Play", &other, "TURN_NOT_YOURS"],
        ["Play", &turn, "accepted"],
        ["Play", "-", "INVALID_FIELD"],
        ["Play", "-", "INVALID_FIELD"],
    ];
    let told = told(&log);
    assert_eq!(told, expected);
    let of_game = log.lines().filter(|line| line.contains(&format!("\"game\":\"{GAME}\""))).count();
    assert_eq!(of_game, expected.len() - 1, "all except the state that is none: {log}");
    assert_eq!(log.lines().filter(|line| line.contains(&format!("\"trace\":\"{TRACE}\""))).count(), 1);
}

#[tokio::test]
async fn callers_are_told_by_name_and_strangers_by_address() {
    let file: PathBuf = std::env::temp_dir().join(format!("canasta-trail-{}.toml", std::process::id()));
    let digest = base16ct::lower::encode_string(&Sha256::digest(b"canasta_key"));
    let text = format!(
        "[[api_key]]\nname = \"score board\"\nsha256 = \"{digest}\"\ngames = \"all\"\nas = \"all\"\n"
    );
    std::fs::write(&file, text).expect("a directory for tests");
    let service =
        Logged::start(&["--log-format", "json", "--identities-file", file.to_str().expect("a path")]).await;
    let mut client = service.client();
    for key in ["canasta_key", "canasta_guess"] {
        let mut request = Request::new(new_game());
        request.metadata_mut().insert("x-api-key", key.parse().expect("text"));
        assert_eq!(client.create_game(request).await.is_ok(), key == "canasta_key");
    }
    let log = service.end();
    std::fs::remove_file(file).expect("our file");
    assert_closed(&log);
    assert!(!log.contains("canasta_key") && !log.contains("canasta_guess"), "{log}");
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("\"message\":\"request\"")).collect();
    let [known, stranger] = lines.as_slice() else { panic!("{log}") };
    assert!(known.contains("\"caller\":\"api_key \\\"score board\\\"\"") && known.contains(GAME), "{known}");
    assert!(!stranger.contains("\"caller\"") && stranger.contains("\"peer\":\"127.0.0.1\""), "{stranger}");
    assert!(stranger.contains("\"verdict\":\"UNAUTHENTICATED\""), "{stranger}");
}

/// Checks that a trail costs nothing of the answers: they are the same bytes with and without one.
#[tokio::test]
async fn answers_are_the_same_with_and_without_a_trail() {
    let service = Logged::start(&["--log-format", "json"]).await;
    let server = support::Server::start(&[]).await;
    let mut answers = Vec::new();
    for mut client in [service.client(), server.client().await] {
        let state = match create(&mut client, new_game()).await {
            pb::create_game_response::Outcome::Created(created) => created.state,
            other => panic!("{other:?}"),
        };
        let deal = action(Kind::Deal(pb::action::Deal::default()));
        let request =
            ApplyActionRequest { state, actor: role(Role::Table), action: deal, ..Default::default() };
        answers.push(accepted(&mut client, request).await);
    }
    assert_eq!(answers[0], answers[1]);
    service.end();
}
