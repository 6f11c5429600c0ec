//! `explain LOG --at N`: why a record was refused or allowed.

use crate::io::{Exit, Format, Io};
use crate::moment::{Moment, Verdict, warn};
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
pub fn run(log: &Path, at: u64, format: Format, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let moment = Moment::read(log, at, io)?;
    let rules = text::rules_of(&moment.genesis).ok_or_else(|| anyhow!("its rule set is not played"))?;
    match format {
        Format::Text => write(&moment, at, &rules, &mut io.out)?,
        Format::Json => writeln!(io.out, "{}", value(&moment, at, &rules))?,
    }
    Ok(warn(log, moment.fault.as_ref(), io)?)
}

/// Where the game stood: two lines, for whoever sees every card.
pub fn headline(moment: &Moment, at: u64, out: &mut dyn Write) -> std::io::Result<()> {
    let rule_set = &moment.genesis.rule_set_id;
    write!(out, "record {} of {} · {rule_set}", number(at), number(moment.last))?;
    let Some(state) = &moment.before else { return writeln!(out) };
    let table = view(state, As::Table).table;
    write!(out, " · round {}", table.round)?;
    if moment.course.turn > 0 {
        write!(out, ", turn {}", moment.course.turn)?;
    }
    writeln!(out, "\n{}", table::now(&table, &moment.names))?;
    if let Some((n, what)) = &moment.course.frozen_since {
        writeln!(out, "the pile is frozen since record {}: {}", number(*n), moment.names.fill(what))?;
    }
    if let As::Seat(seat) = moment.actor {
        writeln!(out, "{} holds {}", moment.names.seat(seat), hand(state.hand(seat)))?;
    }
    Ok(())
}

fn write(moment: &Moment, at: u64, rules: &Rules, out: &mut dyn Write) -> std::io::Result<()> {
    write_judged(moment, at, rules, out)?;
    moment.before.as_ref().map_or(Ok(()), |state| write_steps(&steps(state), state, out))
}

/// Who asked what, what the rules say of it, and what bound whoever asked.
pub fn write_judged(moment: &Moment, at: u64, rules: &Rules, out: &mut dyn Write) -> std::io::Result<()> {
    headline(moment, at, out)?;
    let who = moment.names.actor(moment.actor);
    writeln!(out, "\nasked      {who}: {}", text::action(&moment.action, &moment.names))?;
    match &moment.verdict {
        Verdict::Done => writeln!(out, "allowed    no rule forbids it")?,
        Verdict::Refused(None) => writeln!(out, "refused, though no rule forbids it")?,
        Verdict::Refused(Some(rejection)) => {
            writeln!(out, "refused")?;
            write_rejection(rejection, rules, out)?;
        }
        Verdict::Illegal(rejection) => {
            writeln!(out, "ILLEGAL    the log has it as done, and it breaks the rules")?;
            write_rejection(rejection, rules, out)?;
        }
    }
    let Some(state) = &moment.before else { return Ok(()) };
    if let As::Seat(seat) = moment.actor {
        write_bounds(&bounds(state, seat, &moment.action, &moment.names), out)?;
    }
    Ok(())
}

fn value(moment: &Moment, at: u64, rules: &Rules) -> Value {
    let rejection: Option<&Rejection> = match &moment.verdict {
        Verdict::Done => None,
        Verdict::Refused(rejection) => rejection.as_ref(),
        Verdict::Illegal(rejection) => Some(rejection),
    };
    let verdict = match &moment.verdict {
        Verdict::Done => "allowed",
        Verdict::Refused(_) => "refused",
        Verdict::Illegal(_) => "illegal",
    };
    let mut value = json!({
        "format": "canasta-explain-record/1",
        "record": at,
        "verdict": verdict,
        "action": moment.action.kind().to_string(),
        "asked": text::action(&moment.action, &moment.names),
        "violations": violations_value(rejection, rules),
    });
    if let As::Seat(seat) = moment.actor {
        value["seat"] = seat.0.into();
    }
    if let Some(state) = &moment.before {
        value["round"] = state.round_number().into();
        value["turn"] = moment.course.turn.into();
        if let As::Seat(seat) = moment.actor {
            let bounds = bounds(state, seat, &moment.action, &moment.names);
            value["in_play"] = bounds.iter().map(bound_value).collect();
        }
        value["possible"] = steps_value(&steps(state), state);
    }
    value
}
