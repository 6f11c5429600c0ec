//! `what-if`: judges another action at a record of a log, and shows what would have followed.

pub(crate) mod fork;

use crate::judging::disclosure::Disclosure;
use crate::judging::explain::record::headline;
use crate::judging::record_context::{LogRecord, RecordContext, warn};
use crate::judging::ruling::{
    Bound, bound_value, bounds, steps_value, violations_value, write_bounds, write_rejection, write_steps,
};
use crate::judging::show::table;
use crate::judging::unknown;
use crate::shared::caret::pointed;
use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::json::present;
use crate::shared::text::{self, PlayerNames, action_line, number};
use anyhow::{anyhow, bail, ensure};
use canasta_engine::action::{Action, As};
use canasta_engine::apply::apply;
use canasta_engine::bot::{Level, RoundMemory};
use canasta_engine::check::check;
use canasta_engine::event::Event;
use canasta_engine::known::Known;
use canasta_engine::legal;
use canasta_engine::notation::suits::Suits;
use canasta_engine::notation::{Names, Position};
use canasta_engine::rejection::Rejection;
use canasta_engine::scoring;
use canasta_engine::seat::Unit;
use canasta_engine::table::{Phase, Table};
use canasta_engine::view::{EventView, events};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// The level of the bots that play on.
pub(crate) const PLAYS_ON: Level = Level::ALL[1];
/// Maximum number of actions that bots add: their rounds are far shorter.
const PLAYED_MAX: usize = 20_000;

/// The arguments of `what-if`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    record: LogRecord,
    /// The action to judge, in notation (docs/formats/NOTATION.md): 'take 7h X', 'S: answer yes'
    #[arg(long, value_name = "ACTION")]
    action: String,
    /// Let bots play the rest of the round
    #[arg(long)]
    play: bool,
    /// Let bots play the rest of the game, and write the game to this file, marked as a fork
    #[arg(short, long, value_name = "FORK", requires = "play")]
    output: Option<PathBuf>,
    #[command(flatten)]
    disclosure: Disclosure,
    /// Format of the result
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
The action is judged in the position before the record (without --at, after the last), for the seat that \
must act there, or for the seat that stands before the action. Nothing is written to the log. Bots see what their seats see; equal \
questions give equal play. While cards of the round are not known, the answer is yes, no, or what it \
depends on.

Exit codes: 0 the action is legal; 1 it is not legal, or the log is damaged or not a log; 2 there is no \
such position, or the action cannot be parsed.

Examples:
  canasta-replay what-if live.clog --action 'N: take 7h 7d'
  canasta-replay what-if game.clog --at 57 --action 'discard 7h'
  canasta-replay what-if game.clog --at 57 --action 'take 7h 7d' --play
  canasta-replay what-if game.clog --at 57 --action 'discard 7h' --play -o fork.clog";

/// The result of a legal action.
struct WhatIfOutcome {
    events: Vec<Event>,
    after: Table,
    played: Vec<(As, Action)>,
}

/// Judges the action, and shows what follows.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    io.speak(args.format);
    let context = RecordContext::read(&args.record.log, args.record.at, &args.disclosure, io)?;
    let at = context.at;
    let Some(state) = context.table() else {
        bail!("record {at}: there is no position before the first deal")
    };
    let suits = Suits::at(state, &args.action);
    let names = context.names.spelling().unwrap_or_else(|| Names::of(state.set())).with_suits(&suits);
    let proposal = names
        .proposal(&args.action)
        .map_err(|error| anyhow!("{}", pointed("--action: ", &args.action, &error)))?
        .on(state);
    let actor = proposal.actor.unwrap_or_else(|| state.to_act().map_or(As::Table, As::Seat));
    let question = WhatIf { context: &context, state, actor, action: &proposal.action };
    if let Some(known) = context.known() {
        ensure!(!args.play, "the cards of the round are not known: bots cannot play it");
        let legal = question.as_known(known, args.format, io)?;
        let read = warn(&args.record.log, context.fault.as_ref(), io)?;
        return Ok(if legal { read } else { Exit::Findings });
    }
    let outcome = match check(state, actor, &proposal.action) {
        Err(rejection) => Err(rejection),
        Ok(legal) => {
            let mut after = state.clone();
            let events = apply(&mut after, legal).to_vec();
            let played = if args.play { play(&mut after, PLAYS_ON) } else { Vec::new() };
            Ok(WhatIfOutcome { events, after, played })
        }
    };
    if let (Ok(_), Some(output)) = (&outcome, &args.output) {
        fork::save(&args.record.log, at, &[(actor, proposal.action.clone())], output, io)?;
        let (name, before) = (output.display(), at - 1);
        io.remark(format_args!("{name}: a fork of this game after record {before}, not the game itself"))?;
    }
    match args.format {
        OutputFormat::Text => question.write(&outcome, args.play, &mut io.out)?,
        OutputFormat::Json => io.write_value(&question.value(&outcome))?,
    }
    let read = warn(&args.record.log, context.fault.as_ref(), io)?;
    Ok(if outcome.is_ok() { read } else { Exit::Findings })
}

/// Lets bots of a level play to the end of the round.
pub(crate) fn play(state: &mut Table, level: Level) -> Vec<(As, Action)> {
    let mut played = Vec::new();
    while played.len() < PLAYED_MAX
        && !matches!(state.phase(), Phase::RoundOver | Phase::Setup | Phase::GameOver)
    {
        let steps = legal::steps(state);
        let seat = match state.to_act() {
            Some(seat) if !state.is_suspended() => seat,
            // Bots decide neither disputes nor deals whose secret is unknown.
            _ => return played,
        };
        let (memory, actor) = (RoundMemory::of_pile(state), As::Seat(seat));
        let action = level.choose(state, seat, &memory, &steps.actions, 0).action;
        let Ok(legal) = check(state, actor, &action) else { return played };
        apply(state, legal);
        played.push((actor, action));
    }
    played
}

struct WhatIf<'a> {
    context: &'a RecordContext,
    state: &'a Table,
    actor: As,
    action: &'a Action,
}

impl WhatIf<'_> {
    fn names(&self) -> &PlayerNames {
        &self.context.names
    }

    /// Judges the action with cards that are not known, and writes the answer. Returns whether the action is legal
    /// whatever they are.
    fn as_known(&self, known: &Known, format: OutputFormat, io: &mut Io<'_>) -> anyhow::Result<bool> {
        let As::Seat(seat) = self.actor else {
            bail!("only the actions of seats are judged while the cards of the round are not known")
        };
        let position = Position::as_known(self.state, known);
        let answer = unknown::answer(&position, seat, self.action)
            .map_err(|faults| anyhow!("{}", text::cannot_arise(&faults)))?;
        match format {
            OutputFormat::Text => {
                self.write_proposed(&mut io.out)?;
                answer.write(&self.context.rules, &self.names_before(), true, &mut io.out)?;
                write_bounds(&self.bounds(), &mut io.out)?;
                writeln!(io.out, "position: {position}")?;
            }
            OutputFormat::Json => {
                let mut value = self.head(answer.word() == "yes", Some(answer.word()));
                answer.fill_value(&self.context.rules, &mut value);
                value["position"] = position.to_string().into();
                io.write_value(&value)?;
            }
        }
        Ok(answer.word() == "yes")
    }

    fn write_proposed(&self, out: &mut dyn Write) -> std::io::Result<()> {
        headline(self.context, self.actor, out)?;
        writeln!(out, "\nproposed   {}", self.names_before().acted(self.actor, self.action))
    }

    fn names_before(&self) -> PlayerNames {
        self.names().on_table(Some(self.state), self.actor)
    }

    /// Returns the limits on the seat that acts.
    fn bounds(&self) -> Vec<Bound> {
        let bounds = |seat| bounds(self.state, self.context.known(), seat, self.action, self.names());
        self.actor.seat().map_or_else(Vec::new, bounds)
    }

    fn head(&self, legal: bool, answer: Option<&str>) -> Value {
        let seat = self.actor.seat();
        present(json!({
            "format": "canasta-what-if/1",
            "record": self.context.at,
            "proposed": self.names_before().action(self.action),
            "seat": seat.map(|seat| seat.0),
            "legal": legal,
            "answer": answer,
            "in_play": seat.map(|_| self.bounds().iter().map(bound_value).collect::<Value>()),
        }))
    }

    fn write(
        &self,
        outcome: &Result<WhatIfOutcome, Rejection>,
        play: bool,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        self.write_proposed(out)?;
        match outcome {
            Err(rejection) => {
                writeln!(out, "NOT LEGAL")?;
                write_rejection(rejection, &self.context.rules, &self.names_before(), out)?;
                write_bounds(&self.bounds(), out)?;
                write_steps(self.state, self.names(), out)
            }
            Ok(outcome) => {
                writeln!(out, "LEGAL")?;
                write_bounds(&self.bounds(), out)?;
                let names = self.names().on_table(Some(&outcome.after), self.actor);
                for event in events(&outcome.events, As::Judge) {
                    if event != EventView::Scored {
                        writeln!(out, "  {}", names.event(&event))?;
                    }
                }
                if play {
                    writeln!(out, "\nbots play on (no part of the game):")?;
                    let told = told(&outcome.played, &outcome.after, self.names());
                    told.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
                }
                writeln!(out)?;
                table::write(&outcome.after, None, As::Judge, self.names(), out)?;
                if !play {
                    write_steps(&outcome.after, self.names(), out)?;
                }
                Ok(())
            }
        }
    }

    fn value(&self, outcome: &Result<WhatIfOutcome, Rejection>) -> Value {
        let mut value = self.head(outcome.is_ok(), None);
        match outcome {
            Err(rejection) => {
                value["violations"] = violations_value(Some(rejection), &self.context.rules);
                value["possible"] = steps_value(self.state);
            }
            Ok(outcome) => {
                value["position"] = Position::of(&outcome.after).to_string().into();
                let set = self.state.set();
                let line = |(actor, action): &(As, Action)| action_line(Some(*actor), action, set);
                value["played"] = outcome.played.iter().filter_map(line).collect();
                let scores = scores(&outcome.after);
                if !scores.is_empty() {
                    value["scores"] = scores.into();
                }
            }
        }
        value
    }
}

/// Returns the actions played up to a table, one per line; after the end of the round also what it would score.
pub(crate) fn told(played: &[(As, Action)], after: &Table, names: &PlayerNames) -> Vec<String> {
    let line = |(actor, action): &(As, Action)| names.on_table(Some(after), *actor).acted(*actor, action);
    let score = |(unit, total)| format!("{} would score {}", names.unit(unit), number(total));
    played.iter().map(line).chain((0..).map(Unit).zip(scores(after)).map(score)).collect()
}

/// Returns the scores of the round by side or seat, after its end.
pub(crate) fn scores(state: &Table) -> Vec<i32> {
    if state.phase() != Phase::RoundOver {
        return Vec::new();
    }
    scoring::score(state).accounts.iter().map(|account| account.total).collect()
}
