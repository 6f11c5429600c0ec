//! The lines of the list.

use super::app::App;
use super::look;
use crate::shared::lines::broken;
use crate::shared::text::{self, number};
use std::collections::VecDeque;

/// A line of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListRow {
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

/// Returns the lines that fit, with the chosen record among them.
pub fn rows(app: &App, width: u16, height: u16) -> Vec<ListRow> {
    let (width, height) = (usize::from(width), usize::from(height));
    let (last, at) = (app.history.last(), app.at);
    let digits = number(last).len();
    let mut rows = VecDeque::from([record(app, at, digits)]);
    let most = (height / 3).clamp(1, 8).min(height.saturating_sub(2));
    let mut details = details(app, digits, width);
    if details.len() > most {
        let more = text::count((details.len() - most + 1) as i64, "more line");
        details.truncate(most.saturating_sub(1));
        let text = format!("{:digits$}   {more}: Enter", "");
        details.push(ListRow { text, look: Look::Dim });
    }
    rows.extend(details);
    if let (true, Some(stop)) = (at == last, &app.history.stop) {
        let stop = format!("the log can be read no further: {}", stop.escape_debug());
        let lines = broken(&stop, width, 2).into_iter();
        rows.extend(lines.map(|text| ListRow { text, look: Look::Bad }));
    }
    // Earlier records fill the upper half, later records the rest.
    let (mut before, mut after) = (at, at);
    let mut above = 0;
    while rows.len() < height && before > 0 && above < height / 2 {
        before -= 1;
        above += 1;
        rows.push_front(record(app, before, digits));
    }
    while rows.len() < height && after < last {
        after += 1;
        rows.push_back(record(app, after, digits));
    }
    while rows.len() < height && before > 0 {
        before -= 1;
        rows.push_front(record(app, before, digits));
    }
    rows.truncate(height);
    rows.into()
}

/// Returns the lines of the chosen record after the first.
fn details(app: &App, digits: usize, width: usize) -> Vec<ListRow> {
    let lines = look::narration(&app.history, app.at, app.viewer);
    let broken =
        lines.iter().skip(1).flat_map(|line| broken(&format!("{:digits$} {line}", ""), width, digits + 5));
    broken.map(|text| ListRow { text, look: Look::Detail }).collect()
}

fn record(app: &App, n: u64, width: usize) -> ListRow {
    let number = number(n);
    if n > app.at && !look::sees_all(app.viewer) {
        return ListRow { text: format!("{number:>width$} ·"), look: Look::Dim };
    }
    let text = look::row(&app.history, n, app.viewer);
    let bad = text.contains(" · REFUSED") || text.contains(" · ILLEGAL");
    let look = match (n == app.at, bad) {
        (true, _) => Look::Chosen,
        (false, true) => Look::Bad,
        (false, false) => Look::Plain,
    };
    ListRow { text: format!("{number:>width$} {text}"), look }
}
