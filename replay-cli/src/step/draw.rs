//! The screen of a session, in a window of any size.

use super::app::{App, Page, ScreenMode};
use super::keys::WALK;
use super::layout::{Areas, LEAST};
use super::look::called;
use super::rows::{Look, rows};
use crate::judging::show::table;
use crate::shared::lines::{Theme, cut, flow, wrap};
use crate::shared::text::{join, number, some};
use ratatui::Frame;
use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

/// A key of the bottom line, and its columns.
pub struct HintSpan {
    pub code: KeyCode,
    pub from: u16,
    pub width: u16,
    shown: &'static str,
    word: &'static str,
}

pub fn draw(app: &App, frame: &mut Frame<'_>) {
    let Some(areas) = app.areas() else { return too_small(frame) };
    header(app, areas.header, frame);
    draw_table(app, areas.table, frame);
    match &app.mode {
        ScreenMode::Page(page) => draw_page(page, app, areas.list, frame),
        _ => draw_list(app, &areas, frame),
    }
    bottom(app, areas.hints, frame);
}

fn too_small(frame: &mut Frame<'_>) {
    let Rect { width, height, .. } = frame.area();
    let (least_width, least_height) = LEAST;
    let text = format!(
        "{width}x{height} is too small: make the window {least_width}x{least_height} or larger (q quits)"
    );
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), frame.area());
}

fn theme(app: &App) -> Theme {
    Theme { color: app.color }
}

/// Returns the first text that fits.
fn fitting(texts: impl IntoIterator<Item = String>, width: usize) -> String {
    texts.into_iter().find(|text| Span::raw(text.as_str()).width() <= width).unwrap_or_default()
}

fn header(app: &App, area: Rect, frame: &mut Frame<'_>) {
    let width = usize::from(area.width);
    let (at, last) = (number(app.at), number(app.history.last()));
    let eyes = called(app.viewer, &app.names());
    // In a narrow window the number of the round has priority.
    let texts = [
        format!("record {at} of {last} · as {eyes} "),
        format!("{at}/{last} · {eyes} "),
        format!("{at}/{last} "),
    ];
    let right = fitting(texts, width.saturating_sub(20));
    let room = width.saturating_sub(Span::raw(right.as_str()).width() + 2);
    let left = match &app.mode {
        ScreenMode::Fork(fork) => {
            let before = number(fork.at);
            fitting([format!(" FORK before record {before}: not the game"), " FORK".into()], room)
        }
        _ => {
            let file = app.path.file_name().map_or_else(|| "-".into(), |name| name.to_string_lossy());
            let fork = if app.history.genesis.fork_of.is_some() { " (a fork)" } else { "" };
            let file = format!("{}{fork}", file.escape_debug());
            let rules = &app.history.genesis.rule_set_id;
            let when = when(app);
            let short = if fork.is_empty() { when.replacen(" ·", "", 1) } else { format!("{fork}{when}") };
            fitting([format!(" {file} · {rules}{when}"), format!(" {file}{when}"), short, fork.into()], room)
        }
    };
    let gap = width.saturating_sub(Span::raw(left.as_str()).width() + Span::raw(right.as_str()).width());
    let text = format!("{left}{}{right}", " ".repeat(gap));
    let style =
        if matches!(app.mode, ScreenMode::Fork(_)) { theme(app).fork() } else { theme(app).reversed() };
    frame.render_widget(Line::styled(text, style), area);
}

/// Returns the round and the turn, if they are known.
fn when(app: &App) -> String {
    let Some(round) = app.history.entry(app.at).and_then(|entry| entry.part.round) else {
        return String::new();
    };
    match app.history.course(app.at).turn {
        0 => format!(" · round {round}"),
        turn => format!(" · round {round}, turn {turn}"),
    }
}

/// Returns the table in lines of at most `width`.
pub fn table_lines(app: &App, width: u16) -> Vec<Line<'static>> {
    let (theme, width) = (theme(app), usize::from(width));
    let (position, unknown) = app.table();
    let mut lines = Vec::new();
    let mut add =
        |text: &str, indent: usize, style: Style| lines.extend(wrap(text, width, indent, style, theme));
    let (plain, bold) = (Style::new(), Style::new().add_modifier(Modifier::BOLD));
    let Some(position) = position else {
        let no_cards = || app.names().line("no_cards", vec![]);
        add(&unknown.unwrap_or_else(no_cards), 0, plain);
        return lines;
    };
    let names = app.history.names(Some(&position.table));
    let parts = table::lines(&position.table, position.known.as_ref(), app.viewer, &names);
    add(&parts.head, 4, bold);
    for seat in &parts.seats {
        add(seat, 6, if seat.starts_with('>') { bold } else { plain });
    }
    for line in &parts.middle {
        add(line, 4, plain);
    }
    if let (ScreenMode::Walk | ScreenMode::Page(_), Some((n, laid))) =
        (&app.mode, &app.history.course(app.at + 1).frozen_since)
        && !parts.middle.is_empty()
    {
        let facts = vec![some(names.number(*n)), some(names.event(laid))];
        add(&format!("  {}", names.line("frozen_since", facts)), 4, plain);
    }
    if let Some(stock) = parts.stock.filter(|_| app.stock) {
        add(&stock, 4, plain);
    }
    for line in &parts.aside {
        add(line, 4, plain);
    }
    for (side, melds) in &parts.sides {
        lines.extend(wrap(side, width, 4, bold, theme));
        lines.extend(flow(melds, width, theme));
    }
    lines
}

fn draw_table(app: &App, area: Rect, frame: &mut Frame<'_>) {
    if area.height == 0 {
        return;
    }
    let mut lines: Vec<Line<'_>> = table_lines(app, area.width);
    let height = usize::from(area.height);
    let past = usize::from(app.scroll).min(lines.len().saturating_sub(height));
    let below = lines.len().saturating_sub(past + height);
    lines.drain(..past);
    lines.truncate(height);
    if below > 0
        && let Some(last) = lines.last_mut()
    {
        *last = Line::styled(format!("  … {} more lines (J, K scroll; Tab)", below + 1), theme(app).dim());
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// Returns a line across the window with a title, and a remark at its end.
fn rule(title: &str, remark: &str, width: u16, theme: Theme) -> Line<'static> {
    let width = usize::from(width);
    let title = if title.is_empty() { String::new() } else { format!(" {title} ") };
    let remark = fitting([if remark.is_empty() { String::new() } else { format!(" {remark} ") }], width / 2);
    let used = Span::raw(title.as_str()).width() + Span::raw(remark.as_str()).width() + 3;
    let text = format!("──{title}{}{remark}─", "─".repeat(width.saturating_sub(used)));
    Line::styled(text, theme.dim())
}

fn draw_list(app: &App, areas: &Areas, frame: &mut Frame<'_>) {
    let area = areas.list;
    let theme = theme(app);
    let remark = match app.history.report.findings.len() {
        0 => String::new(),
        1 => "1 finding: a tells".into(),
        found => format!("{found} findings: a tells"),
    };
    let title = match &app.mode {
        ScreenMode::Fork(_) => "played otherwise, and what is possible",
        _ if super::look::sees_all(app.viewer) => "what was done",
        _ => "what was done until here",
    };
    let mut lines = vec![rule(title, &remark, area.width, theme)];
    for row in rows(app, area.width, area.height.saturating_sub(1)) {
        let style = match row.look {
            Look::Chosen => theme.reversed(),
            Look::Dim => theme.dim(),
            Look::Bad => theme.bad(),
            Look::Plain | Look::Detail => Style::new(),
        };
        lines.push(cut(&row.text, usize::from(area.width), style, theme, row.look == Look::Chosen));
    }
    frame.render_widget(Paragraph::new(lines), area);
}

/// Returns the lines of a page, wrapped to the width.
pub fn page_lines(page: &Page, width: u16, color: bool) -> Vec<Line<'static>> {
    let width = usize::from(width);
    let indent = |line: &str| line.len() - line.trim_start().len() + 2;
    page.lines
        .iter()
        .flat_map(|line| wrap(line, width, indent(line), Style::new(), Theme { color }))
        .collect()
}

fn draw_page(page: &Page, app: &App, area: Rect, frame: &mut Frame<'_>) {
    let mut text = page_lines(page, area.width, app.color);
    let room = usize::from(area.height.saturating_sub(1));
    let past = usize::from(page.scroll).min(text.len().saturating_sub(room));
    let below = text.len().saturating_sub(past + room);
    let remark = match below {
        0 => String::new(),
        below => format!("↓ {below} more"),
    };
    text.drain(..past);
    text.truncate(room);
    text.insert(0, rule(&page.title, &remark, area.width, theme(app)));
    frame.render_widget(Paragraph::new(text), area);
}

/// Returns the list of keys as the lines of a page.
pub fn key_lines() -> Vec<String> {
    let mut lines: Vec<String> = WALK.iter().map(|key| format!("{:<6} {}", key.shown, key.does)).collect();
    lines.extend([
        String::new(),
        "The mouse: the wheel steps; a click on a line goes there, on the top line changes the viewer, on a key below presses the key.".into(),
        "The table is shown after the record; the last table of a round has its scores. Why and fork use the position before the record.".into(),
    ]);
    lines
}

/// Returns the keys of the bottom line that fit.
pub fn hint_spans(app: &App, width: u16) -> Vec<HintSpan> {
    let mut from = 1;
    let mut spans = Vec::new();
    for (code, shown, word) in app.hints() {
        let size = (Span::raw(shown).width() + 1 + Span::raw(word).width()) as u16;
        if from + size > width {
            break;
        }
        spans.push(HintSpan { code, from, width: size, shown, word });
        from += size + 1;
    }
    spans
}

fn bottom(app: &App, area: Rect, frame: &mut Frame<'_>) {
    let theme = theme(app);
    if !app.message.is_empty() {
        let text = format!(" {}", app.message);
        return frame.render_widget(cut(&text, area.width.into(), theme.message(), theme, true), area);
    }
    if let Some(input) = &app.input {
        let label = format!(" {}", input.ask.label());
        let room = usize::from(area.width).saturating_sub(label.len() + 1);
        let letters: Vec<char> = input.text.chars().collect();
        let tail: String = letters[letters.len().saturating_sub(room)..].iter().collect();
        let used = label.len() + Span::raw(tail.as_str()).width();
        let mut line = Line::from(vec![Span::styled(label, theme.message()), Span::raw(tail)]);
        let hints = join(app.hints().iter().map(|(_, shown, word)| format!("{shown} {word}")), "  ");
        let hints = fitting([hints], usize::from(area.width).saturating_sub(used + 4));
        let gap = usize::from(area.width).saturating_sub(used + Span::raw(hints.as_str()).width() + 1);
        line.push_span(Span::styled(format!("{}{hints}", " ".repeat(gap)), theme.dim()));
        frame.render_widget(line, area);
        let x = (used as u16).min(area.width.saturating_sub(1));
        return frame.set_cursor_position((area.x + x, area.y));
    }
    let mut line = Line::default();
    let mut end = 0;
    for span in hint_spans(app, area.width) {
        line.push_span(Span::raw(" ".repeat(usize::from(span.from - end))));
        line.push_span(Span::styled(span.shown, theme.reversed()));
        line.push_span(Span::raw(format!(" {}", span.word)));
        end = span.from + span.width;
    }
    frame.render_widget(line, area);
}
