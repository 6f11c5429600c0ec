//! The refusals of the rule rows, from the service and from the command line.

use crate::rules::harness::{Case, act, book, set_up};
use canasta_engine::action::{Action, As, Authority};
use canasta_engine::game::Game;
use canasta_engine::notation::{Position, Proposal};
use canasta_messages::convert::{action_out, identity};
use canasta_proto::v1::check_action_response::Outcome;
use canasta_proto::v1::game_service_server::GameService;
use canasta_proto::v1::{CheckActionRequest, Violation, fact::Value as Fact};
use canasta_replay::{Command, Io};
use canasta_serve::config::ServiceCli;
use canasta_serve::identity::Caller;
use canasta_serve::outside::NoRandomness;
use canasta_service::seal::{Keyring, keygen};
use canasta_service::server;
use canasta_service::server::GameHandler;
use canasta_tests::games::at;
use clap::Parser;
use serde_json::{Map, Value, json};
use std::future::Future;
use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tonic::Request;

/// Whether no request can contain the action: a deal whose cards were written down, or a ruling that follows from
/// play.
fn is_never_sent(action: &Action) -> bool {
    match action {
        Action::Deal(deal) => !deal.hands.is_empty() || !deal.upcards.is_empty(),
        Action::Ruling(ruling) => ruling.by == Authority::Auto,
        _ => false,
    }
}

/// Compares all refusals of the rows, field by field: code, rules, message, facts, field, repair.
#[test]
fn the_service_and_the_command_line_refuse_alike() {
    let service = Service::new();
    let (mut compared, mut differing) = (0, Vec::new());
    for case in book().iter().filter(|case| case.refused.is_some() && !case.r#do.is_empty()) {
        let Some((state, text)) = before_the_last(case) else { continue };
        let (wire, line) = (service.refusal(&state, &text), refusal(&state, &text));
        match (wire, line) {
            (Ok(wire), Ok(line)) if wire == line => compared += 1,
            (wire, line) => differing.push(format!("{}: {wire:?}\n  {line:?}", case.id)),
        }
    }
    assert!(differing.is_empty(), "{compared} alike, {} not:\n{}", differing.len(), differing.join("\n"));
    println!("{compared} refusals compared");
    assert!(compared > 500, "only {compared} refusals were compared");
}

/// Returns the position in which the last action of a row is proposed, read from its own text, and that action.
fn before_the_last(case: &Case) -> Option<(Game, String)> {
    let (last, before) = case.r#do.split_last()?;
    if case.wall.is_some() {
        return None;
    }
    let mut state = set_up(case, &case.position).ok()?.ok()?;
    for text in before {
        act(&mut state, text).ok()?.ok()?;
    }
    let again =
        Position::parse(&Position::of(&state.table).to_string()).ok()?.setup().into_table().ok().map(at)?;
    (!is_never_sent(&proposal(&again, last).action)).then(|| (again, last.clone()))
}

fn proposal(state: &Game, text: &str) -> Proposal {
    let read = Proposal::parse(text, state.table.set()).expect("an action");
    let actor = read.actor.or_else(|| state.table.to_act().map(As::Seat)).unwrap_or(As::Table);
    Proposal { actor: Some(actor), ..read }
}

/// Returns the refusal as `check --format json` prints it, with the fields' names of the service (docs/API.md, names and
/// options).
fn refusal(state: &Game, text: &str) -> Result<Value, String> {
    let position = Position::of(&state.table).to_string();
    let line = ["canasta-replay", "check", &position, "--action", text, "--format", "json"];
    let command: Command = canasta_replay::Cli::parse_from(line).command;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut io = Io::new(std::io::empty(), &mut out, &mut err, false);
    let run = canasta_replay::run(&command, &mut io);
    drop(io);
    run.map_err(|error| format!("{error:#}"))?;
    let mut answer: Value = serde_json::from_slice(&out).map_err(|error| error.to_string())?;
    for violation in answer["violations"].as_array_mut().into_iter().flatten() {
        let field = violation["field"].as_str().unwrap_or_default();
        violation["field"] = match (field, field.strip_suffix(".with")) {
            ("as", _) => "actor".into(),
            (_, Some(action)) => format!("{action}.cards").into(),
            (field, None) => field.into(),
        };
    }
    Ok(answer["violations"].clone())
}

/// The service within this process.
struct Service {
    game: GameHandler,
    ring: Keyring,
}

impl Service {
    fn new() -> Self {
        let keys = Path::new(env!("CARGO_TARGET_TMPDIR")).join("both.keys");
        let _ = std::fs::remove_file(&keys);
        keygen(&keys, nines).expect("a key");
        let file = keys.to_str().expect("a path in UTF-8");
        let line = ["canasta-service", "--trusted-callers", "--seal-key-file", file];
        let game = server::service(&ServiceCli::parse_from(line).config, nines, || 0).expect("a service");
        Self { game, ring: Keyring::read(&keys, "").expect("a ring") }
    }

    /// Returns the refusal of CheckAction, in the form of the command line.
    fn refusal(&self, state: &Game, text: &str) -> Result<Value, String> {
        let Proposal { actor, action } = proposal(state, text);
        let request = CheckActionRequest {
            state: self.ring.seal(state),
            actor: actor.map(identity::write),
            action: Some(action_out::write(&action)),
            earlier_state: Vec::new(),
        };
        let mut request = Request::new(request);
        request.extensions_mut().insert(Caller::Trusted);
        let answer = now(self.game.check_action(request)).map_err(|status| status.to_string())?;
        match answer.into_inner().outcome {
            Some(Outcome::Rejected(rejected)) => Ok(rejected.violations.into_iter().map(value).collect()),
            other => Err(format!("{other:?}")),
        }
    }
}

fn nines(bytes: &mut [u8]) -> Result<(), NoRandomness> {
    bytes.fill(9);
    Ok(())
}

/// Returns the output of a future that is ready at once: the service waits for nothing.
fn now<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => panic!("the service waits"),
    }
}

fn value(violation: Violation) -> Value {
    let facts = violation.facts.into_iter().map(|(name, fact)| (name, text(fact.value).into()));
    let mut value = json!({
        "code": violation.code,
        "rule_ids": violation.rule_ids,
        "message": violation.message,
        "facts": facts.collect::<Map<_, _>>(),
        "field": violation.field,
    });
    if let Some(repair) = violation.repair {
        value["repair"] = repair.message.into();
    }
    value
}

fn text(fact: Option<Fact>) -> String {
    match fact.expect("a fact has a value") {
        Fact::Number(number) => number.to_string(),
        Fact::Card(text) | Fact::Rank(text) | Fact::Word(text) => text,
        Fact::Cards(list) => list.cards.join(" "),
        Fact::Seat(number) | Fact::Side(number) | Fact::Meld(number) => number.to_string(),
        Fact::Words(list) => list.words.join(" "),
        Fact::Seats(list) => list.seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
    }
}
