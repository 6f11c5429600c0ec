//! `explain LOG --at N`: why a record was refused or allowed.

use crate::io::{Exit, Io, OutputFormat};
use crate::record_context::{RecordContext, RecordVerdict, warn};
use crate::ruling::{
    bound_value, bounds, steps, steps_value, violations_value, write_bounds, write_rejection, write_steps,
};
use crate::show::table;
use crate::text::{self, hand, number};
use anyhow::anyhow;
use canasta_engine::action::As;
use canasta_engine::rejection::Rejection;
use canasta_engine::rules::Rules;
use canasta_engine::view::view;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

/// Explains one record.
pub fn run(log: &Path, at: u64, format: OutputFormat, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let context = RecordContext::read(log, at, io)?;
    let rules =
        text::rules_of(&context.genesis).ok_or_else(|| anyhow!("this version does not play its rule set"))?;
    match format {
        OutputFormat::Text => write(&context, at, &rules, &mut io.out)?,
        OutputFormat::Json => writeln!(io.out, "{}", value(&context, at, &rules))?,
    }
    Ok(warn(log, context.fault.as_ref(), io)?)
}

/// Writes the situation of the game, as a judge sees it, in two or three lines.
pub fn headline(context: &RecordContext, at: u64, out: &mut dyn Write) -> std::io::Result<()> {
    let rule_set = &context.genesis.rule_set_id;
    write!(out, "record {} of {} · {rule_set}", number(at), number(context.last))?;
    let Some(state) = &context.before else { return writeln!(out) };
    let table = view(state, As::Table).table;
    write!(out, " · round {}", table.round)?;
    if context.course.turn > 0 {
        write!(out, ", turn {}", context.course.turn)?;
    }
    writeln!(out, "\n{}", table::now(&table, &context.names))?;
    if let Some((n, what)) = &context.course.frozen_since {
        writeln!(out, "the pile is frozen since record {}: {}", number(*n), context.names.fill(what))?;
    }
    if let As::Seat(seat) = context.actor {
        writeln!(out, "{} holds {}", context.names.seat(seat), hand(state.hand(seat)))?;
    }
    Ok(())
}

fn write(context: &RecordContext, at: u64, rules: &Rules, out: &mut dyn Write) -> std::io::Result<()> {
    write_judged(context, at, rules, out)?;
    context.before.as_ref().map_or(Ok(()), |state| write_steps(&steps(state), state, out))
}

/// Writes who tried what, how the rules judge it, and what limited the seat's choice.
pub fn write_judged(
    context: &RecordContext,
    at: u64,
    rules: &Rules,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    headline(context, at, out)?;
    let who = context.names.actor(context.actor);
    writeln!(out, "\nasked      {who}: {}", text::action(&context.action, &context.names))?;
    match &context.verdict {
        RecordVerdict::Done => writeln!(out, "allowed    no rule forbids it")?,
        RecordVerdict::Refused(None) => writeln!(out, "refused, though no rule forbids it")?,
        RecordVerdict::Refused(Some(rejection)) => {
            writeln!(out, "refused")?;
            write_rejection(rejection, rules, out)?;
        }
        RecordVerdict::Illegal(rejection) => {
            writeln!(out, "ILLEGAL    the log has it as done, and it breaks the rules")?;
            write_rejection(rejection, rules, out)?;
        }
    }
    let Some(state) = &context.before else { return Ok(()) };
    if let As::Seat(seat) = context.actor {
        write_bounds(&bounds(state, seat, &context.action, &context.names), out)?;
    }
    Ok(())
}

fn value(context: &RecordContext, at: u64, rules: &Rules) -> Value {
    let rejection: Option<&Rejection> = match &context.verdict {
        RecordVerdict::Done => None,
        RecordVerdict::Refused(rejection) => rejection.as_ref(),
        RecordVerdict::Illegal(rejection) => Some(rejection),
    };
    let verdict = match &context.verdict {
        RecordVerdict::Done => "allowed",
        RecordVerdict::Refused(_) => "refused",
        RecordVerdict::Illegal(_) => "illegal",
    };
    let mut value = json!({
        "format": "canasta-explain-record/1",
        "record": at,
        "verdict": verdict,
        "action": context.action.kind().to_string(),
        "asked": text::action(&context.action, &context.names),
        "violations": violations_value(rejection, rules),
    });
    if let As::Seat(seat) = context.actor {
        value["seat"] = seat.0.into();
    }
    if let Some(state) = &context.before {
        value["round"] = state.round_number().into();
        value["turn"] = context.course.turn.into();
        if let As::Seat(seat) = context.actor {
            let bounds = bounds(state, seat, &context.action, &context.names);
            value["in_play"] = bounds.iter().map(bound_value).collect();
        }
        value["possible"] = steps_value(&steps(state), state);
    }
    value
}
