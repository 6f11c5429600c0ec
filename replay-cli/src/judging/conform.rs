//! `conform`: answers the questions of the conformance kit, one per line (docs/formats/CONFORMANCE.md).

mod game;
mod perft;
mod position;

use crate::shared::io::{Exit, Io, read_line};
use anyhow::Context;
use canasta_engine::action::{Action, As};
use canasta_engine::card::Card;
use canasta_engine::deal::{GameId, WallSalt};
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::rejection::Rejection;
use canasta_engine::rules::{PRESETS, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::text::interchange::action_of;
use game::CurrentGame;
use serde_json::{Value, json};
use std::io::{BufReader, Write};

/// The name and version of the protocol.
const PROTOCOL: &str = "canasta-conform/1";
/// Maximum length of a line, in bytes.
const LINE_MAX: u64 = 1 << 20;

/// The arguments of `conform`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {}

const EXAMPLES: &str = "\
Reads one question per line from standard input, a JSON object, and answers each with one line, at once \
and in the same order. docs/formats/CONFORMANCE.md lists the questions. The answer to a line that cannot be \
parsed is an error.

Examples:
  echo '{\"op\":\"position\",\"position\":\"classic-4p; hand N 7h X\",\"do\":[\"draw\"]}' | canasta-replay conform
  python3 run.py --kit . -- canasta-replay conform             compare this engine with the kit";

/// Answers questions until the input ends.
pub fn run(_: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let mut input = BufReader::new(&mut io.input);
    let mut game = CurrentGame::default();
    let mut line = Vec::new();
    for number in 1.. {
        if !read_line(&mut input, LINE_MAX, &mut line).with_context(|| format!("line {number}"))? {
            break;
        }
        let found = serde_json::from_slice(&line).map_err(|error| error.to_string());
        let answer = found.and_then(|question| answer(&question, &mut game));
        writeln!(io.out, "{}", answer.unwrap_or_else(|reason| json!({ "error": reason })))?;
        io.out.flush()?;
    }
    Ok(Exit::Clean)
}

/// The answer, or the reason why there is none.
type Answer = Result<Value, String>;

fn answer(question: &Value, game: &mut CurrentGame) -> Answer {
    match text(question, "op")? {
        "hello" => Ok(hello()),
        "position" => position::answer(question),
        "perft" => perft::answer(question),
        "new" => game.begin(question),
        "deal" => game.deal(question),
        "act" => game.act(question),
        "try" => game.try_out(question),
        other => Err(format!("op: {other:?} is no question")),
    }
}

fn hello() -> Value {
    let presets: Vec<&str> = PRESETS.iter().copied().filter(|id| Rules::preset(id).is_some()).collect();
    json!({
        "protocol": PROTOCOL,
        "engine": concat!("canasta-replay ", env!("CARGO_PKG_VERSION")),
        "ops": ["position", "perft", "game"],
        "presets": presets,
    })
}

fn field<'a>(question: &'a Value, key: &str) -> Result<&'a Value, String> {
    question.get(key).ok_or_else(|| format!("{key}: missing"))
}

fn text<'a>(question: &'a Value, key: &str) -> Result<&'a str, String> {
    field(question, key)?.as_str().ok_or_else(|| format!("{key}: expected a string"))
}

fn number(question: &Value, key: &str) -> Result<u64, String> {
    field(question, key)?.as_u64().ok_or_else(|| format!("{key}: expected a number from 0"))
}

fn list<'a>(question: &'a Value, key: &str) -> Result<&'a [Value], String> {
    let list = field(question, key)?.as_array().map(Vec::as_slice);
    list.ok_or_else(|| format!("{key}: expected a list"))
}

/// Parses a pack in dealing order.
fn wall(question: &Value) -> Result<Vec<Card>, String> {
    let card = |value: &Value| {
        let found = value.as_str().and_then(Card::parse);
        found.ok_or_else(|| format!("wall: {value} is no card"))
    };
    list(question, "wall")?.iter().map(card).collect()
}

/// Parses an action and its actor; the table acts if no seat is named.
fn proposal(question: &Value) -> Result<(As, Action), String> {
    let actor = match question.get("seat") {
        None => As::Table,
        Some(_) => As::Seat(seat(question, "seat")?),
    };
    Ok((actor, action_of(field(question, "action")?)?))
}

fn seat(question: &Value, key: &str) -> Result<Seat, String> {
    let found = number(question, key)?;
    u8::try_from(found).map(Seat).map_err(|_| format!("{key}: {found} is no seat"))
}

/// Returns the source of the cards: the pack of the question, if it has one.
fn source(question: &Value) -> Result<DealSource, String> {
    match question.get("wall") {
        None => Ok(DealSource::Unknown),
        Some(_) => Ok(from(wall(question)?)),
    }
}

/// Returns a source that deals the cards in the given order.
fn from(wall: Vec<Card>) -> DealSource {
    DealSource::Wall { wall, salt: WallSalt([0; 32]) }
}

/// Returns the dealing of a game whose cards are given with each deal.
fn dealing(source: DealSource) -> Dealing {
    Dealing::new(GameId([0; 16]), source, false)
}

/// Returns the codes of a rejection, in their order.
fn codes(rejection: &Rejection) -> Vec<&'static str> {
    rejection.codes().iter().map(|code| code.name()).collect()
}
