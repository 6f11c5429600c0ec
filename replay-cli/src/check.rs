//! `check`: a ruling without a log, on a position that may be known in part.

pub(crate) mod known;
mod unknown;

use crate::io::{Exit, Io, OutputFormat};
use crate::ruling::{
    bound_value, bounds, steps, steps_value, violations_value, write_allowed, write_bounds, write_rejection,
    write_steps,
};
use crate::text::{PlayerNames, cannot_arise, hand, list, number};
use anyhow::{anyhow, bail};
use canasta_engine::action::As;
use canasta_engine::check::check;
use canasta_engine::notation::Proposal;
use canasta_engine::rejection::Rejection;
use canasta_engine::table::Table;
use known::PartialPosition;
use serde_json::{Value, json};
use std::io::{Read, Write};
use unknown::{CheckAnswer, Completion};

/// Maximum size of a position read from a file or standard input, in bytes.
const TEXT_MAX: u64 = 8192;

/// The arguments of `check`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The position in notation (docs/NOTATION.md), or - for standard input
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
The position may leave cards unknown: ?? stands for a card in the hand of the acting seat, or in the \
pile. If the answer is the same for all such cards, it is yes or no; otherwise it says on what it \
depends.

Exit codes: 0 legal; 1 not legal, or it depends; 2 the position or the action cannot be parsed.

Examples:
  canasta-replay check 'classic-4p; score 1620 980; hand N 7h X Kd 4c 4d; melds NS 7s7c7d; pile 5h 2c Js 7d' \\
      --action 'take 7h X'
  canasta-replay check 'classic-4p; drew; hand N Kd Ks ?? ?? 4c; melds NS 7s7c7d' --action 'meld Kd Ks Kh'";

/// Judges the action and writes the result.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let mut text = args.position.clone();
    if text == "-" {
        text.clear();
        io.input.by_ref().take(TEXT_MAX + 1).read_to_string(&mut text)?;
    }
    let known = PartialPosition::read(text.trim())?;
    let proposal =
        Proposal::parse(&args.action, known.rules.set()).map_err(|error| anyhow!("--action: {error}"))?;
    let actor = match proposal.actor {
        Some(actor) => actor,
        None => known.to_act(),
    };
    let question = PositionCheck { actor, proposal, format: args.format };
    if known.is_whole(actor) {
        let state = known.base().map_err(|faults| anyhow!("{}", cannot_arise(&faults)))?;
        return question.judge(&state, io);
    }
    let As::Seat(seat) = actor else {
        bail!("actions of the table depend on no hidden card: give the whole position")
    };
    let answer = unknown::answer(&known, seat, &question.proposal.action)?;
    question.write(&answer, &known, io)
}

struct PositionCheck {
    actor: As,
    proposal: Proposal,
    format: OutputFormat,
}

impl PositionCheck {
    /// Judges a position whose cards are all known, or whose unknown cards do not matter.
    fn judge(&self, state: &Table, io: &mut Io<'_>) -> anyhow::Result<Exit> {
        let judged = check(state, self.actor, &self.proposal.action).err();
        match self.format {
            OutputFormat::Text => self.write_judged(state, judged.as_ref(), &mut io.out)?,
            OutputFormat::Json => writeln!(io.out, "{}", self.judged_value(state, judged.as_ref()))?,
        }
        Ok(if judged.is_none() { Exit::Clean } else { Exit::Findings })
    }

    fn write_judged(
        &self,
        state: &Table,
        refused: Option<&Rejection>,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        let rules = state.rules();
        match refused {
            None => writeln!(out, "LEGAL")?,
            Some(rejection) => {
                writeln!(out, "NOT LEGAL")?;
                write_rejection(rejection, rules, out)?;
                write_allowed(&self.proposal.action, out)?;
            }
        }
        let names = PlayerNames::seats_of(state.set());
        if let As::Seat(seat) = self.actor
            && seat.0 < state.set().seats
        {
            write_bounds(&bounds(state, seat, &self.proposal.action, &names), out)?;
        }
        write_steps(&steps(state), state, out)
    }

    fn judged_value(&self, state: &Table, refused: Option<&Rejection>) -> Value {
        let mut value = self.head(if refused.is_none() { "yes" } else { "no" });
        value["violations"] = violations_value(refused, state.rules());
        if let As::Seat(seat) = self.actor
            && seat.0 < state.set().seats
        {
            let bounds = bounds(state, seat, &self.proposal.action, &PlayerNames::seats_of(state.set()));
            value["in_play"] = bounds.iter().map(bound_value).collect();
        }
        value["possible"] = steps_value(&steps(state), state);
        value
    }

    fn head(&self, answer: &str) -> Value {
        json!({ "format": "canasta-check/1", "answer": answer })
    }

    /// Writes the answer for a position with unknown cards.
    fn write(&self, answer: &CheckAnswer, known: &PartialPosition, io: &mut Io<'_>) -> anyhow::Result<Exit> {
        let word = match (&answer.legal, &answer.refused) {
            (Some(_), None) => "yes",
            (None, _) => "no",
            _ => "depends",
        };
        match self.format {
            OutputFormat::Text => write_answer(word, answer, known, &mut io.out)?,
            OutputFormat::Json => writeln!(io.out, "{}", self.answer_value(word, answer, known))?,
        }
        Ok(if word == "yes" { Exit::Clean } else { Exit::Findings })
    }

    fn answer_value(&self, word: &str, answer: &CheckAnswer, known: &PartialPosition) -> Value {
        let mut value = self.head(word);
        value["tried"] = answer.tried.into();
        value["all"] = answer.all.into();
        if !answer.needs.is_empty() {
            value["needs"] = answer.needs.iter().map(ToString::to_string).collect();
        }
        if let Some(depends) = answer.depends.as_ref().filter(|_| word == "depends") {
            value["depends_on"] = depends.clone().into();
        }
        let cards = |case: &Completion| case.cards.iter().map(ToString::to_string).collect::<Value>();
        if let Some(case) = &answer.legal {
            value["legal_with"] = cards(case);
        }
        if let Some(case) = &answer.refused {
            value["refused_with"] = cards(case);
            value["violations"] = violations_value(case.refused.as_ref(), &known.rules);
        }
        value
    }
}

fn write_answer(
    word: &str,
    answer: &CheckAnswer,
    known: &PartialPosition,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let needs = list(&answer.needs);
    let tried = match (answer.all, answer.tried) {
        (true, _) => "whatever the cards are that are not known".into(),
        (false, tried) => {
            format!("in {} of the many ways to fill in what is not known, taken at random", number(tried))
        }
    };
    match word {
        "yes" => writeln!(out, "LEGAL, {tried}")?,
        "no" => writeln!(out, "NOT LEGAL, {tried}")?,
        _ => {
            writeln!(out, "DEPENDS")?;
            if !answer.needs.is_empty() {
                writeln!(out, "  on {needs}: the hand must hold it")?;
            }
            if let Some(depends) = &answer.depends {
                writeln!(out, "  on {depends}")?;
            }
            if !answer.all {
                writeln!(
                    out,
                    "  (as far as {} ways to fill in the rest tell, taken at random)",
                    number(answer.tried)
                )?;
            }
        }
    }
    let with = |case: &Completion| {
        if case.cards.is_empty() { "-".into() } else { hand(&case.cards.iter().copied().collect()) }
    };
    if let Some(case) = answer.legal.as_ref().filter(|_| word == "depends") {
        writeln!(out, "legal, for example, with {}", with(case))?;
    }
    if let Some(Completion { refused: Some(rejection), .. }) = &answer.refused {
        if let Some(case) = answer.refused.as_ref().filter(|_| word == "depends") {
            writeln!(out, "not legal, for example, with {}", with(case))?;
        }
        write_rejection(rejection, &known.rules, out)?;
    }
    Ok(())
}
