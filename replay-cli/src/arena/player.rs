//! `player`: the bot as a player of the protocol, for an arena of any language.

use super::chair::PROTOCOL;
use crate::judging::irregular::as_it_stands;
use crate::shared::io::{Exit, Io, read_line};
use crate::shared::text::{cannot_arise, levels};
use anyhow::{Context, anyhow, bail, ensure};
use canasta_engine::action::Action;
use canasta_engine::bot::{Level, RoundMemory};
use canasta_engine::card::{Card, Cards};
use canasta_engine::notation::{Position, Proposal};
use canasta_engine::seat::Seat;
use serde_json::{Value, json};
use std::io::{BufReader, Write};

/// Maximum length of a question, in bytes.
const QUESTION_MAX: u64 = 1 << 20;

/// The arguments of `player`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The strength of the bot, 1 to 6 (docs/play/BOT.md)
    #[arg(long, value_name = "N", default_value = "3", value_parser = levels(1))]
    level: Level,
}

const EXAMPLES: &str = "\
Reads one question per line from standard input, a JSON object, and answers each with one line: canasta-player/1, which \
docs/play/PLAYERS.md describes. The answer to a line that cannot be answered is an error.

Examples:
  canasta-replay arena 'canasta-replay player --level 3' level:2
  echo '{\"op\":\"hello\",\"protocol\":\"canasta-player/1\"}' | canasta-replay player";

/// Answers questions until the input ends.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let mut input = BufReader::new(&mut io.input);
    let (mut line, mut seed) = (Vec::new(), 0);
    while read_line(&mut input, QUESTION_MAX, &mut line).context("a question")? {
        let answer = answer(args.level, &mut seed, &line);
        let answer = answer.unwrap_or_else(|error| json!({"error": format!("{error:#}")}));
        writeln!(io.out, "{answer}")?;
        io.out.flush()?;
    }
    Ok(Exit::Clean)
}

fn answer(level: Level, seed: &mut u64, line: &[u8]) -> anyhow::Result<Value> {
    let question: Value = serde_json::from_slice(line)?;
    match question["op"].as_str() {
        Some("hello") => {
            let name = format!("canasta-replay level {}", level.number());
            return Ok(json!({"protocol": PROTOCOL, "name": name}));
        }
        Some("game") => {
            *seed = u64::from_str_radix(question["seed"].as_str().unwrap_or_default(), 16).context("seed")?;
        }
        Some("choose") => return Ok(json!({"action": choose(level, *seed, &question)?})),
        Some("end") => {}
        _ => bail!("op: {} is no question", question["op"]),
    }
    Ok(json!({}))
}

/// Returns the place of the chosen action. Unknown cards are dealt in a fixed way: the choice does not depend on them.
fn choose(level: Level, seed: u64, question: &Value) -> anyhow::Result<usize> {
    let strings = |of: &Value| -> anyhow::Result<Vec<String>> { Ok(serde_json::from_value(of.clone())?) };
    let position = question["position"].as_str().context("position: missing")?;
    let position = Position::parse(position).map_err(|error| anyhow!("position: {error}"))?;
    let (table, faults) = as_it_stands(&position, Seat(0), &[], &[]);
    let table = table.filter(|_| faults.is_empty()).ok_or_else(|| anyhow!(cannot_arise(&faults)))?;
    let seat = table.to_act().context("position: no seat must act")?;
    let cards = |of: &Value| -> anyhow::Result<Cards> {
        strings(of)?
            .iter()
            .map(|card| Card::parse(card).with_context(|| format!("{card:?} is no card")))
            .collect()
    };
    let held = question["held"].as_array().map_or(&[][..], Vec::as_slice).iter();
    let held: Vec<Cards> = held.map(cards).collect::<Result<_, _>>().context("held")?;
    let memory = RoundMemory::of_pile(&table).holding(&held);
    let step = |text: &String| Proposal::parse_at(text, &table).map(|proposal| proposal.action);
    let actions = strings(&question["actions"]).context("actions")?;
    let steps: Result<Vec<Action>, _> = actions.iter().map(step).collect();
    let steps = steps.map_err(|error| anyhow!("actions: {error}"))?;
    ensure!(!steps.is_empty(), "actions: expected one");
    let chosen = level.choose(&table, seat, &memory, &steps, seed).action;
    Ok(steps.iter().position(|step| *step == chosen).expect("one of the steps"))
}
