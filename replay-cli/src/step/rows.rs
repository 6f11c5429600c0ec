//! The list: which records stand in it, line by line, and what a click on one means.

use super::app::{App, Mode};
use super::look;
use crate::text;
use std::collections::VecDeque;

/// A line of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The record, or the step of a fork, that a click chooses.
    pub target: Option<u64>,
    pub text: String,
    pub look: Look,
}

/// How a line looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    Plain,
    Chosen,
    /// What the chosen one tells besides.
    Detail,
    Dim,
    /// Refused, or broken.
    Bad,
}

/// The lines that fit into `height`, the chosen one among them.
pub fn rows(app: &App, height: usize) -> Vec<Row> {
    match &app.mode {
        Mode::Fork(_) => fork_rows(app, height),
        _ => record_rows(app, height),
    }
}

fn record_rows(app: &App, height: usize) -> Vec<Row> {
    let (last, at) = (app.history.last(), app.at);
    let width = text::number(i128::from(last)).len();
    let mut rows = VecDeque::from([record(app, at, width)]);
    let detail_most = (height / 3).clamp(1, 8).min(height.saturating_sub(2));
    let details = look::narration(&app.history, at, app.viewer);
    let more = details.len().saturating_sub(1 + detail_most);
    for (i, line) in details.iter().skip(1).take(detail_most).enumerate() {
        let cut = more > 0 && i + 1 == detail_most;
        let text = match cut {
            true => format!("{:width$}   and {} more: Enter", "", text::count(more as i64 + 1, "line")),
            false => format!("{:width$} {line}", ""),
        };
        rows.push_back(Row { target: None, text, look: Look::Detail });
    }
    // What came before fills the upper half, what comes the rest.
    let (mut before, mut after) = (at, at);
    let mut above = 0;
    while rows.len() < height && before > 0 && above < height / 2 {
        before -= 1;
        above += 1;
        rows.push_front(record(app, before, width));
    }
    while rows.len() < height && after < last {
        after += 1;
        rows.push_back(record(app, after, width));
    }
    if rows.len() < height
        && after == last
        && let Some(stop) = &app.history.stop
    {
        let text = format!("{:width$} the log can be read no further: {}", "", stop.escape_debug());
        rows.push_back(Row { target: None, text, look: Look::Bad });
    }
    while rows.len() < height && before > 0 {
        before -= 1;
        rows.push_front(record(app, before, width));
    }
    rows.truncate(height);
    rows.into()
}

fn record(app: &App, n: u64, width: usize) -> Row {
    let number = text::number(i128::from(n));
    let target = Some(n);
    if n > app.at && !look::sees_all(app.viewer) {
        return Row { target, text: format!("{number:>width$} ·"), look: Look::Dim };
    }
    let text = look::row(&app.history, n, app.viewer);
    let bad = text.contains(" · REFUSED") || text.contains(" · ILLEGAL");
    let look = match (n == app.at, bad) {
        (true, _) => Look::Chosen,
        (false, true) => Look::Bad,
        (false, false) => Look::Plain,
    };
    Row { target, text: format!("{number:>width$} {text}"), look }
}

fn fork_rows(app: &App, height: usize) -> Vec<Row> {
    let Mode::Fork(fork) = &app.mode else { return Vec::new() };
    let names = app.history.names(Some(&fork.now));
    let told = fork.told(&names);
    let actor = fork.actor().map_or_else(String::new, |actor| names.actor(actor));
    // What was played keeps a third of the room, the choice the rest.
    let room = height.saturating_sub(told.len().min(height / 3).max(usize::from(!told.is_empty())));
    let played = &told[told.len().saturating_sub(height - room.min(fork.steps.len().max(1)))..];
    let mut rows: Vec<Row> =
        played.iter().map(|line| Row { target: None, text: format!("  {line}"), look: Look::Dim }).collect();
    let room = height.saturating_sub(rows.len());
    let first = fork.chosen.saturating_sub(room / 2).min(fork.steps.len().saturating_sub(room));
    for (i, step) in fork.steps.iter().enumerate().skip(first).take(room) {
        let chosen = i == fork.chosen;
        let mark = if chosen { '>' } else { ' ' };
        let text = format!("{mark} {actor} {}", text::action(step, &names));
        rows.push(Row {
            target: Some(i as u64),
            text,
            look: if chosen { Look::Chosen } else { Look::Plain },
        });
    }
    if fork.steps.is_empty() && rows.len() < height {
        let text = "  the round is over; s saves the fork with the rest of the game played by bots".into();
        rows.push(Row { target: None, text, look: Look::Plain });
    }
    rows
}
