//! Equal requests give equal bytes, from any server; a caller that uses an old state again leaves a proof of
//! it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::support;
use crate::support::Server;
use crate::support::game::{accepted, created, dealt, discard, draw, new_game, role, seat, view};
use crate::support::logs::{piece, question};
use crate::support::raw::ask;
use crate::support::script::PlayedScript;
use canasta_engine::action::Action as EngineAction;
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::record::Record;
use canasta_engine::log::{Head, Reader, action_bytes, is_signed, seat_message};
use canasta_engine::seat::Seat;
use canasta_engine::token::{Catalogue, decode};
use canasta_proto::v1::get_rule_request::Key;
use canasta_proto::v1::*;
use ed25519_dalek::{Signer, SigningKey};
use prost::Message;
use prost_types::FileDescriptorSet;
use prost_types::method_options::IdempotencyLevel;
use tonic::transport::Channel;

/// A server in a process of its own.
struct Process(Child, Channel);

impl Process {
    async fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_canasta-service"));
        command.args(["--listen", "127.0.0.1:0"]).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        let mut line = String::new();
        let stderr = child.stderr.take().expect("piped");
        BufReader::new(stderr).read_line(&mut line).expect("text");
        let address = line.trim_end().rsplit(' ').next().expect("it names its address").to_owned();
        let endpoint = Channel::from_shared(format!("http://{address}")).expect("an address is a URI");
        Self(child, endpoint.connect().await.expect("it listens"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns requests of every method, with every outcome.
async fn requests() -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let (state, to_act) = dealt(&mut client).await;
    let script = PlayedScript::play(&mut client, 1).await;
    let log = script.log(script.moves.len());
    let who = seat(to_act);
    let legal = ApplyActionRequest { state: state.clone(), actor: who, action: draw(), ..Default::default() };
    let drawn = accepted(&mut client, legal.clone()).await;
    let wanted = ApplyActionRequest { want_events: true, want_view: true, ..legal.clone() };
    let early = ApplyActionRequest { action: discard("4c"), ..legal.clone() };
    let recorded = ApplyActionRequest { record_refusal: true, ..early.clone() };
    let note = ApplyActionRequest { action: None, note: Some(Note { text: "x".into() }), ..legal.clone() };
    let malformed = ApplyActionRequest { action: discard("1z"), ..legal.clone() };
    let stale = ApplyActionRequest { expected_seq: Some(9), ..legal.clone() };
    let proposed = |action| ProposedAction { actor: who, action, ..Default::default() };
    let batch = |actions| ApplyActionsRequest { state: state.clone(), actions, ..Default::default() };
    let apply = ApplyActionRequest { state: vec![], ..wanted.clone() };
    let step = StepQuestion { actor: role(Role::Judge), n: Some(40) };
    let one = |message: &dyn Fn() -> Vec<u8>| vec![message()];
    let rule_set = |id: &str| GetRuleSetRequest { id: id.into(), ..Default::default() }.encode_to_vec();
    let mut all: Vec<(&'static str, Vec<Vec<u8>>)> = vec![
        ("GameService/GetServerInfo", one(&|| GetServerInfoRequest {}.encode_to_vec())),
        ("GameService/ListRuleSets", one(&|| ListRuleSetsRequest::default().encode_to_vec())),
        ("GameService/ListKnobs", one(&|| ListKnobsRequest::default().encode_to_vec())),
        ("GameService/ExplainRuleSet", one(&|| ExplainRuleSetRequest::default().encode_to_vec())),
        ("GameService/GetRuleSet", one(&|| rule_set("samba-4p"))),
        ("GameService/GetRuleSet", one(&|| rule_set("bridge"))),
        ("GameService/GetCatalogue", one(&|| GetCatalogueRequest::default().encode_to_vec())),
        ("GameService/CreateGame", one(&|| new_game().encode_to_vec())),
        ("GameService/ApplyActions", one(&|| batch(vec![proposed(draw())]).encode_to_vec())),
        ("GameService/ApplyActions", one(&|| batch(vec![proposed(draw()); 2]).encode_to_vec())),
        ("GameService/ApplyActions", one(&|| batch(vec![]).encode_to_vec())),
    ];
    for request in [legal, wanted, early, recorded, note, malformed, stale] {
        all.push(("GameService/ApplyAction", vec![request.encode_to_vec()]));
    }
    for key in [Key::RuleId("CL-050".into()), Key::Code("PILE_EMPTY".into())] {
        let request = GetRuleRequest { key: Some(key), ..Default::default() };
        all.push(("GameService/GetRule", vec![request.encode_to_vec()]));
    }
    for actor in [who, seat((to_act + 1) % 4), role(Role::Table), role(Role::Judge), role(Role::Director)] {
        let (state, action) = (state.clone(), draw());
        let check = CheckActionRequest { state: state.clone(), actor, action, ..Default::default() };
        all.push(("GameService/CheckAction", vec![check.encode_to_vec()]));
        let list = ListLegalActionsRequest { state: state.clone(), actor, ..Default::default() };
        all.push(("GameService/ListLegalActions", vec![list.encode_to_vec()]));
        all.push((
            "GameService/GetView",
            vec![GetViewRequest { state: state.clone(), actor }.encode_to_vec()],
        ));
        let options = OptionsRequest { state: state.clone(), actor, cards: vec!["Kd".into()], chosen: None };
        all.push(("GameService/Options", vec![options.encode_to_vec()]));
        let preview = PreviewTakeBackRequest {
            state: drawn.state.clone(),
            actor,
            earlier_state: state.clone(),
            frames: drawn.frames.clone(),
        };
        all.push(("GameService/PreviewTakeBack", vec![preview.encode_to_vec()]));
        let suggest = SuggestActionRequest { state, actor, seed: 5, ..Default::default() };
        all.push(("GameService/SuggestAction", vec![suggest.encode_to_vec()]));
    }
    let first = PlayRequest { state, want_state: true, ..Default::default() };
    let second = PlayRequest { apply: Some(apply), ..Default::default() };
    let played = [first, second.clone(), second].iter().map(Message::encode_to_vec).collect();
    all.push(("GameService/Play", played));
    all.extend(about_a_log(&log, step));
    all
}

/// Returns a request of each method of AuditService about this log.
fn about_a_log(log: &[u8], step: StepQuestion) -> Vec<(&'static str, Vec<Vec<u8>>)> {
    let asked = AuditQuestion { actor: role(Role::Judge), ..Default::default() };
    let mut requests = Vec::new();
    let pieces = |first: Vec<u8>| vec![first, piece(log).encode_to_vec()];
    requests.push(("AuditService/AuditLog", pieces(question(asked).encode_to_vec())));
    // The messages of the two methods have the same fields.
    let part = Some(get_step_request::Part::Question(step));
    for method in ["AuditService/GetStep", "AuditService/ExplainStep"] {
        requests.push((method, pieces(GetStepRequest { part: part.clone() }.encode_to_vec())));
    }
    let described = DescriptionQuestion { actor: role(Role::Judge), want_views: true, ..Default::default() };
    let question = LogQuestion { question: Some(log_question::Question::Description(described.clone())) };
    let ask = ask_log_request::Part::Ask(LogQuestions { questions: vec![question] });
    requests.push(("AuditService/AskLog", pieces(AskLogRequest { part: Some(ask) }.encode_to_vec())));
    let described = describe_log_request::Part::Question(described);
    requests.push((
        "AuditService/DescribeLog",
        pieces(DescribeLogRequest { part: Some(described) }.encode_to_vec()),
    ));
    requests
}

#[tokio::test]
async fn equal_requests_give_equal_bytes_from_any_server() {
    let (one, other) = (Process::start().await, Process::start().await);
    let requests = requests().await;
    for (method, messages) in &requests {
        let path = format!("/canasta.v1.{method}");
        let first = ask(&one.1, &path, messages.clone()).await;
        assert_eq!(first, ask(&one.1, &path, messages.clone()).await, "{method} again");
        assert_eq!(first, ask(&other.1, &path, messages.clone()).await, "{method} elsewhere");
    }
    // Only random bytes differ.
    let drawn = CreateGameRequest { game_id: vec![], secret: vec![], ..new_game() }.encode_to_vec();
    let path = "/canasta.v1.GameService/CreateGame";
    let first = ask(&one.1, path, vec![drawn.clone()]).await.expect("a game");
    assert_ne!(first, ask(&one.1, path, vec![drawn]).await.expect("a game"));

    let set = FileDescriptorSet::decode(canasta_proto::DESCRIPTORS).expect("our own descriptors");
    let services = set.file.iter().flat_map(|file| &file.service);
    for service in services.filter(|service| service.name() != support::OF_RECORDER) {
        for method in &service.method {
            let name = format!("{}/{}", service.name(), method.name());
            assert!(requests.iter().any(|(asked, _)| *asked == name), "{name} is not asked");
            // A method without side effects may become a GET request, whose URL must hold no state and no log.
            let messages = set.file.iter().flat_map(|file| &file.message_type);
            let mut inputs =
                messages.filter(|message| method.input_type().ends_with(&format!(".{}", message.name())));
            let has_state = inputs.any(|input| input.field.iter().any(|field| field.name() == "state"));
            let expected = match method.name() {
                "CreateGame" | "Play" => IdempotencyLevel::IdempotencyUnknown,
                _ if has_state || method.client_streaming() => IdempotencyLevel::Idempotent,
                _ => IdempotencyLevel::NoSideEffects,
            };
            let level = method
                .options
                .as_ref()
                .map_or(IdempotencyLevel::IdempotencyUnknown, |options| options.idempotency_level());
            assert_eq!(level, expected, "{name}");
        }
    }
}

/// Returns the signed part of a log's last record, which must be an action of a seat.
fn signed_end(log: &[u8]) -> (Head, EngineAction, [u8; 64]) {
    let (mut input, mut reader) = (log, Reader::new());
    let mut last = None;
    while let Some(frame) = reader.next(&mut input).expect("sound") {
        last = Some((frame.before, frame.record().expect("a record")));
    }
    let (before, record) = last.expect("records");
    let Record::Action(record) = record else { panic!("{record:?}") };
    (before, record.action, record.signature.expect("it is signed"))
}

/// Signs two successors of one head. The service keeps nothing, so it accepts both; the seat that signed both cannot
/// deny it.
#[tokio::test]
async fn two_signed_successors_of_one_head_are_a_proven_fork() {
    let server = Server::start(&[]).await;
    let mut client = server.client().await;
    let key = SigningKey::from_bytes(&[9; 32]);
    let public_key = key.verifying_key().to_bytes();
    let player = |name: &str| Player { name: name.into(), public_key: public_key.into() };
    let players = ["North", "East", "South", "West"].map(player).to_vec();
    let game = created(&mut client, CreateGameRequest { players, ..new_game() }).await;
    let mut log = game.frames.clone();
    let deal = support::game::action(action::Kind::Deal(action::Deal::default()));
    let request = ApplyActionRequest {
        state: game.state,
        actor: role(Role::Table),
        action: deal,
        want_view: true,
        ..Default::default()
    };
    let dealt = accepted(&mut client, request).await;
    let to_act = dealt.view.expect("wanted").to_act.expect("a turn");
    let request =
        ApplyActionRequest { state: dealt.state, actor: seat(to_act), action: draw(), ..Default::default() };
    let drawn = accepted(&mut client, request).await;
    log.extend([dealt.frames, drawn.frames].concat());
    let hand = view(&mut client, &drawn.state, seat(to_act)).await.seats[to_act as usize].hand.clone();
    let natural = |card: &&String| !card.starts_with(['2', '3', 'X']);
    let mut cards: Vec<&String> = hand.iter().filter(natural).collect();
    cards.dedup();

    let state = decode(&drawn.state, &Catalogue::new()).expect("an open token");
    let mut ends = Vec::new();
    for card in &cards[..2] {
        let thrown = EngineAction::Discard(canasta_engine::card::Card::parse(card).expect("a card"));
        let bytes = action_bytes(&thrown).expect("short");
        let message = seat_message(&state.link.head, Seat(to_act as u8), &bytes);
        let request = ApplyActionRequest {
            state: drawn.state.clone(),
            actor: seat(to_act),
            action: discard(card),
            signature: key.sign(&message).to_bytes().into(),
            want_head: true,
            ..Default::default()
        };
        let answer = accepted(&mut client, request).await;
        let copy = [&log[..], &answer.frames].concat();
        let report = audit(&copy, Expect { live: true, ..Expect::default() });
        assert_eq!((report.findings, report.signed_actions), (vec![], 1), "each copy is sound by itself");
        ends.push((signed_end(&copy), answer.head));
    }
    let [((before, first, signature), head), ((other, second, other_signature), other_head)] = &ends[..]
    else {
        panic!("two copies")
    };
    assert_eq!((before, before), (other, &state.link.head));
    assert!(first != second && head != other_head);
    for (action, signature) in [(first, signature), (second, other_signature)] {
        assert!(is_signed(&public_key, before, Seat(to_act as u8), action, signature));
    }
}
