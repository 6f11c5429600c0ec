//! The incidents of a game: refusals, broken rules, disputes, rulings, notes.

use super::game::{ReportedGame, ReportedRecord};
use super::glossary::rule_links;
use super::rows::{cited, without_reason};
use crate::judging::show::happened::law;
use crate::shared::html::{name, rich, visible};
use crate::shared::text::{PlayerNames, number};
use canasta_engine::action::Action;
use canasta_engine::log::Record;
use canasta_engine::log::record::{Author, Refusal, Remark};
use canasta_engine::rejection::Rejection;
use canasta_engine::seat::Seat;
use canasta_engine::violations::Code;
use maud::{Markup, html};

/// Maximum number of possible steps beside an action that broke a rule.
const POSSIBLE_SHOWN: usize = 6;

/// Returns the list of incidents, each with the rules that it concerns.
pub fn incidents(game: &ReportedGame) -> Markup {
    let mut round = 0;
    let mut items = Vec::new();
    for (n, told) in game.records.iter().enumerate() {
        if let Record::Register(register) = told.record() {
            round = register.round;
        }
        if let Some((class, what)) = incident(told, game) {
            items.push(html! {
                li class=(class) {
                    span class="place" {
                        a class="jump" href={ "#at=" (n) } { "record " (number(n as i64)) } ", round " (round)
                    }
                    (what)
                }
            });
        }
    }
    html! {
        @if items.is_empty() {
            p { "No action was refused, no ruling was given." }
        } @else {
            ol class="incidents" { @for item in items { (item) } }
        }
    }
}

/// Returns the CSS class and the text of an incident; `None` for other records.
fn incident(told: &ReportedRecord, game: &ReportedGame) -> Option<(&'static str, Markup)> {
    match told.record() {
        Record::Refusal(refusal) => Some(("refused", refused(refusal, told, game))),
        Record::Action(record) => {
            let who = match record.actor {
                Some(seat) => name(&game.names.seat(seat)),
                None => html! { "The director" },
            };
            let names = names(told, record.actor, game);
            acted(&record.action, &who, told, &names, game)
        }
        Record::Remark(Remark { by: Some(by), text, .. }) => {
            let by = match *by {
                Author::Seat(seat) => name(&game.names.seat(seat)),
                Author::Table => html! { "the table" },
                Author::Director => html! { "the director" },
            };
            Some(("note", html! { p { "Note by " (by) } (quote(text)) }))
        }
        _ => None,
    }
}

fn acted(
    action: &Action,
    who: &Markup,
    told: &ReportedRecord,
    names: &PlayerNames,
    game: &ReportedGame,
) -> Option<(&'static str, Markup)> {
    if let Some(rejection) = told.outcome.rejection() {
        return Some((
            "illegal",
            html! {
                p { (who) ": " (rich(&without_reason(action, names), &game.names)) " " b class="mark" { "breaks the rules" } }
                (reasons(rejection, names, game))
                (possible(told))
            },
        ));
    }
    let text = match action {
        Action::Ruling(ruling) => html! {
            p { (rich(&without_reason(action, names), &game.names)) " " (rule_links([ruling.rule.as_str()])) }
            @if let Some(law) = law(&ruling.rule) { p { (law) } }
            (quote(&ruling.reason))
        },
        Action::Dispute { reason, .. } => html! {
            p { (who) ": " (rich(&without_reason(action, names), &game.names)) }
            (quote(reason))
        },
        _ => return None,
    };
    Some(("ruling", text))
}

fn refused(refusal: &Refusal, told: &ReportedRecord, game: &ReportedGame) -> Markup {
    let names = names(told, refusal.actor, game);
    let who = |seat: Seat| name(&game.names.seat(seat));
    let who = refusal.actor.map_or_else(|| html! { "The table" }, who);
    let known = told.outcome.refused.as_ref().map(|(action, _)| action);
    html! {
        p {
            (who) " tried: " (rich(&names.attempt(&refusal.attempt, known), &game.names))
            " " b class="mark" { "refused" }
        }
        @match told.outcome.rejection() {
            Some(rejection) => (reasons(rejection, &names, game)),
            None => ul {
                @for code in &refusal.codes {
                    (reason(html! { (Code::from_name(code).map_or("", |code| code.entry().summary)) }, code, game))
                }
            }
        }
        (possible(told))
    }
}

/// Returns the names for an action of this seat, with those of the melds on the table.
fn names(told: &ReportedRecord, actor: Option<Seat>, game: &ReportedGame) -> PlayerNames {
    told.names(game.rules.set(), game.language).of_events(actor, &[])
}

/// Returns the steps that were possible, as far as they fit on a line or two.
fn possible(told: &ReportedRecord) -> Markup {
    let steps = &told.scene.possible;
    let more = steps.len().saturating_sub(POSSIBLE_SHOWN);
    html! {
        @if !steps.is_empty() {
            p {
                "possible here: " (steps.iter().take(POSSIBLE_SHOWN).cloned().collect::<Vec<_>>().join(" · "))
                @if more > 0 { " and " (number(more as i64)) " more" }
            }
        }
    }
}

fn reasons(rejection: &Rejection, names: &PlayerNames, game: &ReportedGame) -> Markup {
    html! {
        ul {
            @for violation in &rejection.violations {
                (reason(rich(&names.violation(violation), &game.names), violation.code.name(), game))
            }
        }
    }
}

fn reason(text: Markup, code: &str, game: &ReportedGame) -> Markup {
    let ids = cited(code, &game.rules);
    html! { li { (text) " " code { (visible(code)) } " " (rule_links(ids.split(' '))) } }
}

fn quote(text: &str) -> Markup {
    html! { @if !text.is_empty() { blockquote dir="auto" { (visible(text)) } } }
}
