//! `explain LOG --at N`: why a record was refused or allowed.

use crate::judging::disclosure::Disclosure;
use crate::judging::record_context::{JudgedAction, RecordAsked, RecordContext, RecordVerdict, warn};
use crate::judging::ruling::{
    bound_value, bounds, steps_value, violations_value, write_bounds, write_rejection, write_steps,
};
use crate::judging::show::table;
use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::json::present;
use crate::shared::text::{hand, number};
use anyhow::bail;
use canasta_engine::action::As;
use canasta_engine::table::Table;
use canasta_engine::view::view;
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

pub fn run(
    log: &Path,
    at: u64,
    disclosure: &Disclosure,
    format: OutputFormat,
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    io.speak(format);
    let context = RecordContext::read(log, Some(at), disclosure, io)?;
    match &context.asked {
        RecordAsked::Action(_) => {}
        RecordAsked::Nothing => {
            bail!(
                "{}: record {at} is neither an action nor a refusal: canasta-replay show prints it",
                log.display()
            )
        }
        RecordAsked::Unknown(reason) => bail!("{}: {reason}", log.display()),
    }
    match format {
        OutputFormat::Text => write(&context, &mut io.out)?,
        OutputFormat::Json => io.write_value(&value(&context))?,
    }
    warn(log, context.fault.as_ref(), io)
}

/// Writes the situation of the game, as a judge sees it, in two or three lines. `actor` is the one whose hand matters.
pub fn headline(context: &RecordContext, actor: As, out: &mut dyn Write) -> std::io::Result<()> {
    let rule_set = &context.genesis.rule_set_id;
    match context.at > context.last {
        true => write!(out, "after record {}, the last · {rule_set}", number(context.last))?,
        false => write!(out, "record {} of {} · {rule_set}", number(context.at), number(context.last))?,
    }
    let Some(before) = &context.before else { return writeln!(out) };
    let state = &before.table;
    let table = view(state, As::Table).table;
    write!(out, " · round {}", table.round)?;
    if context.course.turn > 0 {
        write!(out, ", turn {}", context.course.turn)?;
    }
    writeln!(out, "\n{}", table::now(&table, &context.names))?;
    if let Some((n, laid)) = &context.course.frozen_since {
        writeln!(out, "the pile is frozen since record {}: {}", number(*n), context.names.event(laid))?;
    }
    if let As::Seat(seat) = actor
        && seat.0 < state.set().seats
    {
        let mut held = *state.hand(seat);
        let open = before.open(seat);
        held.subtract(open);
        let unknown = "?? ".repeat(open.len().into());
        let held = format!("{} {unknown}", hand(&held));
        writeln!(out, "{} holds {}", context.names.seat(seat), held.trim())?;
    }
    Ok(())
}

fn write(context: &RecordContext, out: &mut dyn Write) -> std::io::Result<()> {
    write_judged(context, out)?;
    if context.known().is_some() {
        return writeln!(out, "possible here: not listed, it hangs on cards that are not known");
    }
    context.table().map_or(Ok(()), |state| write_steps(state, &context.names, out))
}

/// Writes who tried what, how the rules judge it, and what limited the seat's choice.
pub fn write_judged(context: &RecordContext, out: &mut dyn Write) -> std::io::Result<()> {
    let Some(JudgedAction { action, actor, verdict, rejection }) = context.action() else {
        return writeln!(out, "nothing was done here");
    };
    let names = context.names_for(*actor);
    headline(context, *actor, out)?;
    writeln!(out, "\nasked      {}", names.acted(*actor, action))?;
    let known = context.known();
    let said = match (verdict, rejection) {
        (RecordVerdict::Done, _) if known.is_some() => {
            "allowed    as far as the cards are known, no rule forbids it"
        }
        (RecordVerdict::Done, _) => "allowed    no rule forbids it",
        (RecordVerdict::Refused, None) => "refused, though no rule forbids it",
        (RecordVerdict::Refused, Some(_)) => "refused",
        (RecordVerdict::Illegal, _) => "ILLEGAL    the log has it as done, and it breaks the rules",
    };
    writeln!(out, "{said}")?;
    rejection.iter().try_for_each(|of| write_rejection(of, &context.rules, &names, out))?;
    let Some((state, seat)) = context.table().zip(actor.seat()) else { return Ok(()) };
    write_bounds(&bounds(state, known, seat, action, &context.names), out)
}

fn value(context: &RecordContext) -> Value {
    let Some(JudgedAction { action, actor, verdict, rejection }) = context.action() else {
        return Value::Null;
    };
    let verdict = match verdict {
        RecordVerdict::Done => "allowed",
        RecordVerdict::Refused => "refused",
        RecordVerdict::Illegal => "illegal",
    };
    let (state, known) = (context.table(), context.known());
    let seat = actor.seat();
    let bounds = |(state, seat)| -> Value {
        bounds(state, known, seat, action, &context.names).iter().map(bound_value).collect()
    };
    present(json!({
        "format": "canasta-explain-record/1",
        "record": context.at,
        "verdict": verdict,
        "action": action.kind().to_string(),
        "asked": context.names_for(*actor).action(action),
        "violations": violations_value(rejection.as_ref(), &context.rules),
        "seat": seat.map(|seat| seat.0),
        "round": state.map(Table::round_number),
        "turn": state.map(|_| context.course.turn),
        "in_play": state.zip(seat).map(bounds),
        "possible": state.filter(|_| known.is_none()).map(steps_value),
        "position": context.before.as_ref().filter(|_| known.is_some()).map(|at| at.position().to_string()),
    }))
}
