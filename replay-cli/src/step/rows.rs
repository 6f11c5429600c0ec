//! The list: its lines, and the effect of a click on each.

use super::app::{App, ScreenMode};
use super::fork::ForkedGame;
use super::look;
use crate::judging::what_if::told;
use crate::shared::lines::broken;
use crate::shared::text::{self, number};
use std::ops::Range;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListRow {
    /// The number of the record, or of the step of a fork, that a click chooses.
    pub target: Option<u64>,
    pub text: String,
    pub look: Look,
}

/// The style of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    Plain,
    Chosen,
    /// A detail of the chosen record.
    Detail,
    Dim,
    /// An action that was refused, or broke a rule.
    Bad,
}

impl ListRow {
    /// Returns a line on which a click does nothing.
    fn inert(text: String, look: Look) -> Self {
        Self { target: None, text, look }
    }
}

/// Returns the lines that fit, with the chosen record among them.
pub fn rows(app: &App, width: u16, height: u16) -> Vec<ListRow> {
    let (width, height) = (width.into(), height.into());
    match &app.mode {
        ScreenMode::Fork(fork) => fork_rows(app, fork, height),
        _ => record_rows(app, width, height),
    }
}

fn record_rows(app: &App, width: usize, height: usize) -> Vec<ListRow> {
    let (last, at) = (app.history.last(), app.at);
    let digits = number(last).len();
    let mut rows = vec![record(app, at, digits)];
    let most = (height / 3).clamp(1, 8).min(height.saturating_sub(2));
    let mut details = details(app, digits, width);
    if details.len() > most {
        let more = text::count((details.len() - most + 1) as i64, "more line");
        details.truncate(most.saturating_sub(1));
        details.push(ListRow::inert(format!("{:digits$}   {more}: Enter", ""), Look::Dim));
    }
    rows.extend(details);
    if let (true, Some(stop)) = (at == last, &app.history.stop) {
        let stop = format!("the log can be read no further: {}", stop.escape_debug());
        let lines = broken(&stop, width, 2).into_iter();
        rows.extend(lines.map(|text| ListRow::inert(text, Look::Bad)));
    }
    // Earlier records fill the upper half, later records the rest, and earlier ones what is left.
    let (room, half) = (height.saturating_sub(rows.len()) as u64, height as u64 / 2);
    let below = last.saturating_sub(at).min(room - at.min(half).min(room));
    let above = at.min(room - below);
    let records = |range: Range<u64>| range.map(|n| record(app, n, digits));
    let all = records(at - above..at).chain(rows).chain(records(at + 1..at + 1 + below));
    all.take(height).collect()
}

/// Returns the lines of the chosen record after the first.
fn details(app: &App, digits: usize, width: usize) -> Vec<ListRow> {
    let lines = look::narration(&app.history, app.at, app.viewer);
    let broken =
        lines.iter().skip(1).flat_map(|line| broken(&format!("{:digits$} {line}", ""), width, digits + 5));
    broken.map(|text| ListRow::inert(text, Look::Detail)).collect()
}

fn record(app: &App, n: u64, width: usize) -> ListRow {
    let number = number(n);
    let target = Some(n);
    if n > app.at && !look::sees_all(app.viewer) {
        let text = format!("{number:>width$} ·");
        return ListRow { target, text, look: Look::Dim };
    }
    let text = look::row(&app.history, n, app.viewer);
    let bad = text.contains(" · REFUSED") || text.contains(" · ILLEGAL");
    let look = match (n == app.at, bad) {
        (true, _) => Look::Chosen,
        (false, true) => Look::Bad,
        (false, false) => Look::Plain,
    };
    ListRow { target, text: format!("{number:>width$} {text}"), look }
}

fn fork_rows(app: &App, fork: &ForkedGame, height: usize) -> Vec<ListRow> {
    let names = app.history.names(Some(&fork.now));
    let told = told(&fork.played, &fork.now, &names);
    // The played steps get a third of the lines, the choice gets the rest.
    let room = height.saturating_sub(told.len().min(height / 3).max(usize::from(!told.is_empty())));
    let played = &told[told.len().saturating_sub(height - room.min(fork.steps.len().max(1)))..];
    let inert = |line| ListRow::inert(format!("  {line}"), Look::Dim);
    let mut rows: Vec<ListRow> = played.iter().map(inert).collect();
    let room = height.saturating_sub(rows.len());
    let first = fork.chosen.saturating_sub(room / 2).min(fork.steps.len().saturating_sub(room));
    let names = fork.actor().map_or_else(|| names.clone(), |actor| names.on_table(Some(&fork.now), actor));
    for (i, step) in fork.steps.iter().enumerate().skip(first).take(room) {
        let (mark, look) = if i == fork.chosen { ('>', Look::Chosen) } else { (' ', Look::Plain) };
        let said = fork.actor().map(|actor| names.acted(actor, step)).unwrap_or_default();
        rows.push(ListRow { target: Some(i as u64), text: format!("{mark} {said}"), look });
    }
    if fork.steps.is_empty() && rows.len() < height {
        let text = "  the round is over; s saves the fork with the rest of the game played by bots".into();
        rows.push(ListRow::inert(text, Look::Plain));
    }
    rows
}
