//! What a director looks at first: refusals, broken rules, disputes, rulings, notes.

use super::game::{ReportedGame, ReportedRecord};
use super::glossary::rule_links;
use super::html::{escape, name, rich};
use super::rows::cited;
use crate::text::{self, number};
use canasta_engine::action::Action;
use canasta_engine::log::Record;
use canasta_engine::log::record::{Attempt, Author, Refusal};
use canasta_engine::rejection::Rejection;
use canasta_engine::seat::Seat;
use canasta_engine::violations::Code;
use std::fmt::Write;

/// The list, with the rules that are named; nothing where nothing happened.
pub fn write(game: &ReportedGame, out: &mut String) {
    let mut round = 0;
    let mut items = String::new();
    for (n, told) in game.records.iter().enumerate() {
        if let Record::Register(register) = &told.record {
            round = register.round;
        }
        if let Some((kind, what)) = incident(told, game) {
            let place =
                format!("<a class=\"jump\" href=\"#at={n}\">record {}</a>, round {round}", number(n as i64));
            let _ = write!(items, "<li class=\"{kind}\"><span class=\"place\">{place}</span>{what}</li>");
        }
    }
    if items.is_empty() {
        out.push_str("<p>No action was refused, no ruling was given.</p>");
    } else {
        let _ = write!(out, "<ol class=\"incidents\">{items}</ol>");
    }
}

fn incident(told: &ReportedRecord, game: &ReportedGame) -> Option<(&'static str, String)> {
    let names = &game.names;
    match &told.record {
        Record::Refusal(refusal) => Some(("refused", refused(refusal, told, game))),
        Record::Action(record) => {
            let who = |seat: Option<Seat>| {
                seat.map_or_else(|| "The director".to_owned(), |seat| name(&names.seat(seat)))
            };
            match (&record.action, &told.happened.rejection) {
                (action, Some(rejection)) => {
                    let what = described(action, game);
                    let why = reasons(rejection, game);
                    Some((
                        "illegal",
                        format!(
                            "<p>{} {what} <b class=\"mark\">breaks the rules</b></p>{why}",
                            who(record.actor)
                        ),
                    ))
                }
                (Action::Ruling(ruling), None) => {
                    let quote = quote(&ruling.reason);
                    let rule = rule_links([ruling.rule.as_str()]);
                    Some(("ruling", format!("<p>{} {rule}</p>{quote}", described(&record.action, game))))
                }
                (Action::Dispute { open: true, reason }, None) => {
                    Some(("ruling", format!("<p>{} opens a dispute</p>{}", who(record.actor), quote(reason))))
                }
                (Action::Dispute { open: false, .. }, None) => {
                    Some(("ruling", format!("<p>{} closes the dispute</p>", who(record.actor))))
                }
                _ => None,
            }
        }
        Record::Note(note) => {
            let by = match note.by {
                Author::Seat(seat) => name(&names.seat(seat)),
                Author::Table => "the table".into(),
                Author::Director => "the director".into(),
            };
            Some(("note", format!("<p>Note by {by}</p>{}", quote(&note.text))))
        }
        _ => None,
    }
}

fn refused(refusal: &Refusal, told: &ReportedRecord, game: &ReportedGame) -> String {
    let who = refusal.actor.map_or_else(|| "The table".into(), |seat| name(&game.names.seat(seat)));
    let (action, kind) = match (&refusal.attempt, &told.happened.refused) {
        (Attempt::Clear(action), _) => (Some(action), action.kind()),
        (Attempt::Masked { kind, .. }, action) => (action.as_ref(), *kind),
    };
    let what = match action {
        Some(action) => described(action, game),
        None => format!("something of the kind {}, not revealed", escape(&kind.to_string())),
    };
    let why = match &told.happened.rejection {
        Some(rejection) => reasons(rejection, game),
        None => listed(
            refusal.codes.iter().map(|code| {
                let summary = Code::from_name(code).map_or("", |code| code.entry().summary);
                (escape(summary), code.clone())
            }),
            game,
        ),
    };
    format!("<p>{who} tried: {what} <b class=\"mark\">refused</b></p>{why}")
}

/// The action in words; what comes from outside stands elsewhere.
fn described(action: &Action, game: &ReportedGame) -> String {
    let text = match action {
        Action::Dispute { open: true, .. } => "opens a dispute".into(),
        action => text::action(action, &game.placeholders()),
    };
    rich(&text, &game.names)
}

fn reasons(rejection: &Rejection, game: &ReportedGame) -> String {
    let violations = rejection.violations.iter();
    listed(violations.map(|v| (rich(&v.to_string(), &game.names), v.code.name().to_owned())), game)
}

fn listed(reasons: impl Iterator<Item = (String, String)>, game: &ReportedGame) -> String {
    let line = |(text, code): (String, String)| {
        let ids = cited(&code, &game.rules);
        format!("<li>{text} <code>{}</code> {}</li>", escape(&code), rule_links(ids.split(' ')))
    };
    format!("<ul>{}</ul>", reasons.map(line).collect::<String>())
}

fn quote(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("<blockquote dir=\"auto\">{}</blockquote>", escape(text))
    }
}
