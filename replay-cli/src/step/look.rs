//! The text about a record for one viewer: nothing that the viewer could not know when the record was made.

use crate::judging::explain::record::write_judged;
use crate::judging::history::{History, narration_by, refusal};
use crate::judging::ruling;
use crate::shared::text::{PlayerNames, number};
use canasta_engine::action::As;

pub fn called(viewer: As, names: &PlayerNames) -> String {
    match viewer {
        As::Judge | As::Director => "the judge".into(),
        As::Table | As::Spectator => "the table".into(),
        As::Seat(seat) => names.seat(seat),
    }
}

/// Returns whether the viewer sees every card, and what comes later.
pub fn sees_all(viewer: As) -> bool {
    matches!(viewer, As::Judge | As::Director)
}

/// Returns the action on the first line, and its events on the lines below.
pub fn narration(history: &History, n: u64, viewer: As) -> Vec<String> {
    let names = history.names(history.shown(n).map(|position| position.table).as_ref());
    narration_by(history, n, viewer, &names, |_| false)
}

/// Returns the line of a record in the list: the action, and why it was refused.
pub fn row(history: &History, n: u64, viewer: As) -> String {
    let lines = narration(history, n, viewer);
    let first = lines.first().cloned().unwrap_or_default();
    match history.entry(n).and_then(refusal) {
        Some(refusal) => format!("{first} · {refusal}"),
        None => first,
    }
}

/// Returns the whole text about a record.
pub fn whole(history: &History, n: u64, viewer: As) -> Vec<String> {
    let Some(entry) = history.entry(n) else { return Vec::new() };
    let mut lines =
        vec![format!("record {} begins at byte {}", number(n), number(entry.place.offset)), String::new()];
    lines.extend(narration(history, n, viewer));
    if let Some(reason) = history.unknown(n) {
        lines.extend([String::new(), reason]);
    } else if let (Some(shown), true) = (history.shown(n), sees_all(viewer)) {
        lines.extend([String::new(), format!("position: {}", shown.position())]);
    }
    lines
}

/// Returns why a record was refused or allowed, what limited the seat, and what was possible. A seat sees
/// this for its own actions only, because it depends on the hand.
pub fn why(history: &History, n: u64, viewer: As) -> Vec<String> {
    let before = history.before(n);
    let names = history.names(before.as_ref().map(|position| &position.table));
    let mut text = Vec::new();
    match history.context(n) {
        Ok(moment) if sees_all(viewer) || moment.action().is_some_and(|action| action.actor == viewer) => {
            let _ = write_judged(&moment, &mut text);
        }
        Ok(moment) => {
            let mut told = narration(history, n, viewer).join("\n") + "\n";
            if let Some(As::Seat(seat)) = moment.action().map(|action| action.actor) {
                let who = names.seat(seat);
                told += &format!(
                    "\nThe limits on {who} depend on a hand that this viewer does not see (v: another viewer).\n"
                );
            }
            text = told.into_bytes();
        }
        Err(error) => text = format!("{error}\n").into_bytes(),
    }
    if let Some(position) = before.filter(|position| position.known.is_none()) {
        let acts = position.table.to_act().map(As::Seat);
        if sees_all(viewer) || acts == Some(viewer) {
            text.extend_from_slice(b"\npossible there (Tab writes them below):\n");
            let (steps, _) = ruling::steps(&position.table);
            text.extend(steps.iter().flat_map(|step| format!("  {step}\n").into_bytes()));
        }
    }
    lines(&text)
}

pub fn lines(text: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(text).lines().map(str::to_owned).collect()
}

pub fn findings(history: &History) -> Vec<String> {
    let report = &history.report;
    let mut lines = vec![format!(
        "{} records hold: {} actions, {} refusals, {} rounds",
        number(report.records),
        number(report.actions),
        number(report.refusals),
        report.rounds
    )];
    if report.findings.is_empty() {
        lines.push("the audit finds nothing wrong in them".into());
    }
    for finding in &report.findings {
        lines.push(String::new());
        lines.push(format!(
            "record {} (byte {}): {}",
            number(finding.record),
            number(finding.offset),
            finding.kind.name()
        ));
        lines.push(format!("  {}", finding.detail.escape_debug()));
    }
    if report.left_off > 0 {
        lines.push(format!("and {} more", number(report.left_off)));
    }
    if let Some(round) = report.open_round {
        lines.push(String::new());
        lines.push(format!("the cards of round {round} are not revealed: its play is not judged"));
    }
    lines
}
