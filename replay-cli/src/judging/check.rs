//! `check`: a ruling without a log, on a position that may be known in part.

use crate::judging::irregular::{as_it_stands, irregular_value, write_irregular};
use crate::judging::ruling::{
    Bound, bound_value, bounds, steps_value, violations_value, write_allowed, write_bounds, write_rejection,
    write_steps,
};
use crate::judging::unknown;
use crate::shared::caret::pointed;
use crate::shared::io::{Exit, Io, OutputFormat, read_whole};
use crate::shared::json::present;
use crate::shared::text::{PlayerNames, cannot_arise};
use anyhow::{Context, anyhow, bail};
use canasta_engine::action::As;
use canasta_engine::check::check;
use canasta_engine::explain::refused_later;
use canasta_engine::notation::suits::Suits;
use canasta_engine::notation::{Names, Position, Proposal};
use canasta_engine::rejection::Rejection;
use canasta_engine::seat::Seat;
use canasta_engine::table::{SetupFault, Table};
use serde_json::{Value, json};
use std::io::Write;

/// Maximum size of a position read from a file or standard input, in bytes.
const TEXT_MAX: u64 = 8192;

/// The arguments of `check`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The position in notation (docs/formats/NOTATION.md), or - for standard input
    #[arg(value_name = "POSITION")]
    position: String,
    /// The action in notation: 'take 7h X', 'S: answer yes'
    #[arg(long, value_name = "ACTION")]
    action: String,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
The position may leave cards unknown: ?? stands for a card in a hand or in the pile. If the answer is \
the same for all such cards, it is yes or no; otherwise it says on what it depends.

A position to which legal play does not lead is an irregularity: every defect is named with the law on \
it, and the action is judged as the position stands, where that makes sense.

Exit codes: 0 legal; 1 not legal, or it depends, or the position is irregular; 2 the position or the \
action cannot be parsed, or cannot be judged.

Examples:
  canasta-replay check 'classic-4p; score 1620 980; hand N 7h X Kd 4c 4d; melds NS 7s7c7d; pile 5h 2c Js 7d' \\
      --action 'take 7h X'
  canasta-replay check 'classic-4p; drew; hand N Kd Ks ?? ?? 4c; melds NS 7s7c7d' --action 'meld Kd Ks Kh'";

/// Returns a position as it was typed; `-` is standard input.
pub fn typed(text: &str, io: &mut Io<'_>) -> anyhow::Result<String> {
    if text != "-" {
        return Ok(text.trim().to_owned());
    }
    let text = String::from_utf8(read_whole(&mut io.input, TEXT_MAX).context("standard input")?)
        .map_err(|_| anyhow!("standard input: expected a position, found no text"))?;
    Ok(text.trim().to_owned())
}

/// Judges the action and writes the result.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    io.speak(args.format);
    let text = &typed(&args.position, io)?;
    let position = Position::parse_beside(text, &args.action)
        .map_err(|error| anyhow!("{}", pointed("", text, &error)))?;
    let names = PlayerNames::of_position(&position).speaking(io.language);
    let (set, named) = (position.rules().set(), position.named());
    let suits = Suits::of_hand(set, &named.hands[named.turn.index()], &args.action);
    let spelling = names.spelling().unwrap_or_else(|| Names::of(set)).with_suits(&suits);
    let proposal = spelling
        .proposal(&args.action)
        .map_err(|error| anyhow!("{}", pointed("--action: ", &args.action, &error)))?;
    let actor = proposal.actor.unwrap_or_else(|| position.to_act().map_or(As::Table, As::Seat));
    let proposal = proposal.onto_melds(&named.melds, named.side_of(actor.seat().unwrap_or(named.turn)));
    let faults = position.miscounts();
    let format = args.format;
    let mut question = PositionCheck { actor, proposal, names: names.clone(), format, faults };
    let unknown_hand = if let As::Seat(seat) = actor { position.unknown_in_hand(seat) } else { 0 };
    if unknown_hand == 0 && position.unknown_in_pile() == 0 {
        let (table, faults) = as_it_stands(&position, Seat(0), &[], &[]);
        question.faults.extend(faults);
        let Some(state) = table else { return question.write_impossible(io) };
        return question.judge(&state, io);
    }
    let As::Seat(seat) = actor else {
        bail!("actions of the table depend on no hidden card: give the whole position")
    };
    match unknown::answer(&position, seat, &question.proposal.action) {
        Ok(answer) => {
            question.faults.extend(answer.faults.iter().cloned());
            question.write(&answer, &position, io)
        }
        Err(faults) => {
            question.faults.extend(faults);
            question.write_impossible(io)
        }
    }
}

struct PositionCheck {
    actor: As,
    proposal: Proposal,
    names: PlayerNames,
    format: OutputFormat,
    /// The facts of the position to which legal play does not lead.
    faults: Vec<SetupFault>,
}

impl PositionCheck {
    /// Judges a position whose cards are all known, or whose unknown cards do not matter.
    fn judge(&self, state: &Table, io: &mut Io<'_>) -> anyhow::Result<Exit> {
        let judged = check(state, self.actor, &self.proposal.action).err();
        match self.format {
            OutputFormat::Text => self.write_judged(state, judged.as_ref(), &mut io.out)?,
            OutputFormat::Json => io.write_value(&self.judged_value(state, judged.as_ref()))?,
        }
        Ok(self.exit(judged.is_none()))
    }

    fn exit(&self, legal: bool) -> Exit {
        Exit::clean_if(legal && self.faults.is_empty())
    }

    /// Writes why the action cannot be judged.
    fn write_impossible(&self, io: &mut Io<'_>) -> anyhow::Result<Exit> {
        if self.faults.is_empty() {
            bail!("the position cannot arise: no cards of the pack fit the unknown places");
        }
        if self.faults.iter().all(|fault| fault.laws.is_empty()) {
            bail!("{}", cannot_arise(&self.faults));
        }
        match self.format {
            OutputFormat::Text => {
                write_irregular(&self.faults, self.names.language(), &mut io.out)?;
                writeln!(io.out, "the action is not judged: the position contradicts itself")?;
            }
            OutputFormat::Json => io.write_value(&self.head("not_judged"))?,
        }
        Ok(Exit::Failure)
    }

    fn write_judged(
        &self,
        state: &Table,
        refused: Option<&Rejection>,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        let rules = state.rules();
        write_irregular(&self.faults, self.names.language(), out)?;
        let stands = if self.faults.is_empty() { "" } else { ", as the position stands" };
        match refused {
            None => {
                writeln!(out, "LEGAL{stands}")?;
                self.write_later(state, out)?;
            }
            Some(rejection) => {
                writeln!(out, "NOT LEGAL{stands}")?;
                write_rejection(rejection, rules, &self.names.on_table(Some(state), self.actor), out)?;
                write_allowed(&self.proposal.action, &self.names, out)?;
            }
        }
        write_bounds(&self.bounds(state).unwrap_or_default(), out)?;
        write_steps(state, &self.names, out)
    }

    /// Writes what is tested only at the end of the turn and would be refused then.
    fn write_later(&self, state: &Table, out: &mut dyn Write) -> std::io::Result<()> {
        let Some(later) = refused_later(state, self.actor, &self.proposal.action) else { return Ok(()) };
        writeln!(
            out,
            "  these cards may be laid: melds are tested at the end of the turn [HN-015]. As they lie, they would be refused then:"
        )?;
        write_rejection(&later, state.rules(), &self.names.on_table(Some(state), self.actor), out)
    }

    fn judged_value(&self, state: &Table, refused: Option<&Rejection>) -> Value {
        let later = refused_later(state, self.actor, &self.proposal.action);
        let mut value = self.head(if refused.is_none() { "yes" } else { "no" });
        value["violations"] = violations_value(refused, state.rules());
        value["refused_later"] = later.map_or(Value::Null, |of| violations_value(Some(&of), state.rules()));
        if let Some(bounds) = self.bounds(state) {
            value["in_play"] = bounds.iter().map(bound_value).collect();
        }
        value["possible"] = steps_value(state);
        present(value)
    }

    /// Returns the limits on the seat that acts; `None` for a seat that does not exist.
    fn bounds(&self, state: &Table) -> Option<Vec<Bound>> {
        let seat = self.actor.seat().filter(|seat| seat.0 < state.set().seats)?;
        Some(bounds(state, None, seat, &self.proposal.action, &self.names))
    }

    fn head(&self, answer: &str) -> Value {
        let mut value = json!({ "format": "canasta-check/1", "answer": answer });
        if !self.faults.is_empty() {
            value["irregular"] = irregular_value(&self.faults);
        }
        value
    }

    /// Writes the answer for a position with unknown cards.
    fn write(
        &self,
        answer: &unknown::PartialAnswer,
        position: &Position,
        io: &mut Io<'_>,
    ) -> anyhow::Result<Exit> {
        match self.format {
            OutputFormat::Text => {
                write_irregular(&self.faults, self.names.language(), &mut io.out)?;
                let (rules, are_hands) = (position.rules(), position.unknown_in_pile() == 0);
                let (table, _) = position.setup().as_it_stands();
                let names = self.names.on_table(table.as_ref(), self.actor);
                answer.write(rules, &names, are_hands, &mut io.out)?;
                if let Some(table) = table.filter(|_| answer.word() == "yes") {
                    self.write_later(&table, &mut io.out)?;
                }
            }
            OutputFormat::Json => {
                let mut value = self.head(answer.word());
                answer.fill_value(position.rules(), &mut value);
                io.write_value(&value)?;
            }
        }
        Ok(self.exit(answer.word() == "yes"))
    }
}
