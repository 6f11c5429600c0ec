//! The consequences of a record, as one viewer may know them.

use super::{genesis_lines, quoted};
use crate::shared::text::{PlayerNames, hex, join, list, rules_of, some};
use canasta_engine::action::{Action, ActionKind, As};
use canasta_engine::citation::{cite, cite_violation};
use canasta_engine::log::Record;
use canasta_engine::log::outcome::Outcome;
use canasta_engine::log::record::{ActionRecord, Genesis, Refusal, Remark, RoundEnd, ScoreLine};
use canasta_engine::rejection::{Rejection, Violation};
use canasta_engine::rulebook;
use canasta_engine::rulebook::penalties::HOUSE;
use canasta_engine::seat::Unit;
use canasta_engine::text::words;
use canasta_engine::view::{self, EventView};
use canasta_engine::violations::Code;

/// Returns the action on the first line, and its events on the lines below, except those that `is_left_out` names.
pub(crate) fn lines(
    told: &Outcome,
    genesis: &Genesis,
    names: &PlayerNames,
    viewer: As,
    is_left_out: fn(&EventView) -> bool,
) -> Vec<String> {
    match &*told.record {
        Record::Genesis(_) => genesis_lines(genesis, names),
        Record::Register(register) => {
            let commitment = register.commitment.map(|c| names.line("committed_wall", vec![some(hex(&c))]));
            let first = words::registered(register, &names.speaker());
            let signed = register.signatures.iter().flatten().count() as i64;
            let signed = (signed > 0).then(|| names.line("signatures", vec![some(signed)]));
            std::iter::once(first).chain(commitment).chain(signed).collect()
        }
        Record::Action(record) => acted(record, told, genesis, names, viewer, is_left_out),
        Record::Refusal(refusal) => refused(refusal, told, genesis, names, viewer),
        Record::RoundEnd(end) => round_end(end, told, names),
        Record::GameEnd(end) => {
            vec![words::game_over(end.winner.map(|unit| names.unit(Unit(unit))), &names.speaker())]
        }
        record @ Record::Remark(Remark { by: Some(by), text, .. }) => {
            let facts = vec![some(record.name()), some(names.actor((*by).into())), some(quoted(text))];
            vec![names.line("remark", facts)]
        }
        record => {
            let lines = record.checkpoint().unwrap_or_default().lines();
            let lines = lines.map(|line| format!("  {}", quoted(line)));
            std::iter::once(record.name().to_owned()).chain(lines).collect()
        }
    }
}

fn acted(
    record: &ActionRecord,
    told: &Outcome,
    genesis: &Genesis,
    names: &PlayerNames,
    viewer: As,
    is_left_out: fn(&EventView) -> bool,
) -> Vec<String> {
    // In a transcript, events would show cards that only stand for unknown cards.
    let witness = if told.as_known && viewer != As::Table { As::Table } else { viewer };
    let events = view::events(told.events.as_deref().unwrap_or_default(), witness);
    let names = &names.of_events(record.actor, &events);
    let actor = record.action.actor(record.actor);
    let mut lines = match events.iter().any(|event| matches!(event, EventView::Discarded { card: None, .. }))
    {
        true => vec![format!("{}: {}", names.actor(actor), names.hidden(ActionKind::Discard))],
        false => vec![names.acted(actor, &record.action)],
    };
    if let Action::Ruling(ruling) = &record.action {
        lines.extend(law(&ruling.rule).map(|law| format!("  {law}")));
        let reason = || format!("  {}", names.line("reason", vec![some(quoted(&ruling.reason))]));
        lines.extend((!ruling.reason.is_empty()).then(reason));
    }
    if let Some(cards) = record.cards.as_ref().filter(|_| witness != viewer && viewer == As::Judge) {
        let cards = cards.iter().map(|card| card.map_or_else(|| "??".into(), |card| card.to_string()));
        lines.push(format!("  {}", names.line("received", vec![some(list(cards))])));
    }
    if let Some(rejection) = &told.illegal {
        lines.push(names.line("illegal", vec![]));
        lines.extend(reasons(rejection, genesis, names));
    }
    let followed = events.iter().filter(|event| !is_left_out(event) && !is_said(&record.action, event));
    lines.extend(followed.map(|event| format!("  {}", names.event(event))));
    lines
}

/// Returns whether the action says all that the event says.
pub(crate) fn is_said(action: &Action, event: &EventView) -> bool {
    matches!(
        (action, event),
        (Action::Discard(_), EventView::Discarded { face_down: false, .. })
            | (Action::RestorePile, EventView::RestoredPile { .. })
            | (Action::Pass, EventView::Passed { .. })
            | (Action::Ask { .. }, EventView::Asked { .. })
            | (Action::Answer { .. }, EventView::Answered { .. })
            | (Action::Dispute { .. }, EventView::Disputed { .. })
            | (Action::Sign { .. }, EventView::Signed { .. })
            | (_, EventView::Scored)
    )
}

/// Returns the id and the text of the law of a ruling; `None` for a rule that a house has made itself.
pub(crate) fn law(rule: &str) -> Option<String> {
    let rule = rulebook::rule(rule.strip_prefix(HOUSE).unwrap_or(rule))?;
    Some(format!("{}: {}", rule.id, rule.text))
}

/// Returns a refused action, which may show hand cards, only for a judge and for the seat that tried it.
fn refused(
    refusal: &Refusal,
    told: &Outcome,
    genesis: &Genesis,
    names: &PlayerNames,
    viewer: As,
) -> Vec<String> {
    let allowed = match viewer {
        As::Judge | As::Director => true,
        As::Seat(seat) => refusal.actor == Some(seat),
        As::Table | As::Spectator => false,
    };
    let names = &names.of_events(refusal.actor, &[]);
    let who = names.actor(refusal.actor.map_or(As::Table, As::Seat));
    let known = told.refused.as_ref().map(|(action, _)| action).filter(|_| allowed);
    let tried = words::tried(who, names.attempt(&refusal.attempt, known), &names.speaker());
    let mut lines = vec![tried, names.line("refused", vec![])];
    match told.refused.as_ref().and_then(|(_, rejection)| rejection.as_ref()).filter(|_| allowed) {
        Some(rejection) => lines.extend(reasons(rejection, genesis, names)),
        None => lines.extend(refusal.codes.iter().map(|code| code_line(code, genesis))),
    }
    lines
}

/// Returns every broken rule, with what was expected and found.
fn reasons(rejection: &Rejection, genesis: &Genesis, names: &PlayerNames) -> Vec<String> {
    let rules = rules_of(genesis);
    let reason = |violation: &Violation| {
        let ids = rules.as_ref().map(|rules| cite_violation(violation, &rules.books()));
        cited(&names.violation(violation), violation.code, ids)
    };
    rejection.violations.iter().map(reason).collect()
}

fn code_line(name: &str, genesis: &Genesis) -> String {
    let Some(code) = Code::from_name(name) else { return format!("  {name}") };
    let ids = rules_of(genesis).map(|rules| cite(code, &rules.books()).collect());
    cited(code.entry().summary, code, ids)
}

/// Returns the text of a broken rule with its code, and the rules that it cites in the game; without a game, its first rule.
fn cited(text: &str, code: Code, ids: Option<Vec<&'static str>>) -> String {
    let ids = ids.unwrap_or_else(|| code.entry().rules().take(1).collect());
    format!("  {text}\n    {} [{}]", code.name(), list(ids))
}

fn round_end(end: &RoundEnd, told: &Outcome, names: &PlayerNames) -> Vec<String> {
    let over = told.score.as_ref().map(|score| score.over);
    let (seat, concealed) = over.map_or((None, false), |over| (over.seat, over.concealed));
    let how = words::end(end.reason, seat, concealed, &names.speaker());
    let mut lines = vec![words::round_over(how, &names.speaker())];
    for score in &end.scores {
        let line = |line: &ScoreLine| {
            let heading = words::score_line(line.item, line.count, &names.speaker());
            format!("{heading} {}", names.number(line.points))
        };
        let account = told.score.as_ref().and_then(|round| round.accounts.get(usize::from(score.unit)));
        let facts = vec![
            some(names.unit(Unit(score.unit))),
            some(join(score.lines.iter().map(line), ", ")),
            some(names.number(score.total())),
            account.map(|account| names.number(account.cumulative).into()),
        ];
        lines.push(format!("  {}", names.line("account", facts)));
    }
    lines
}
