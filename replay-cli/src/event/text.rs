//! The table of results as tables with titles, for the terminal and for pages.

use super::boards::{boards, field_head};
use super::check::CheckedEvent;
use super::file::Kind;
use super::results::EventResults;
use super::words::Words;
use crate::auditing::audit::standings::{Criterion, Tie};
use crate::shared::html::visible;
use crate::shared::table::TextTable;
use crate::shared::text::join;
use std::io::{Result, Write};
use std::path::Path;

/// Returns what an event has, in one line.
pub fn summary(event: &CheckedEvent, words: Words) -> String {
    let kind = match event.file.kind {
        Kind::Pairs => words.say("pairs"),
        Kind::Teams => words.say("teams"),
        Kind::Individual => words.say("players"),
    };
    let (entries, rounds, tables) = (event.entries.len(), event.rounds(), event.tables.len());
    let counts = format!("{entries} {kind}, {rounds} {}, {tables} ", words.say("rounds"));
    let order = words.order(&event.criteria);
    format!("{}: {counts}{}; {order}", event.file.name, words.say("tables"))
}

/// Returns how far the event has come, in one line.
pub fn heading(results: &EventResults<'_>, words: Words) -> String {
    let (round, rounds, open) = (results.round, results.event.rounds(), results.open());
    let (after, of) = (words.say("after round"), words.say("of"));
    let mut text = format!("{after} {round} {of} {rounds}");
    if open > 0 {
        text += &format!(" · {}: {open}", words.say("tables without a result"));
    }
    text + " · " + &words.order(&results.event.criteria)
}

/// Returns the tables with their titles: the standings, why ties were broken, the rounds, the decisions, what does not
/// count. A table without a head is a list.
pub fn sections(results: &EventResults<'_>, words: Words) -> Vec<(String, TextTable)> {
    // Before the first game everybody is equal.
    let has_played = |entry: usize| results.totals[entry].games > 0;
    let have_played = |tie: &&Tie| tie.entries.iter().any(|(entry, _)| has_played(*entry));
    let ties = results.ranks.ties.iter().filter(have_played);
    let ties = ties.map(|tie| explain(results.event, tie, words));
    let mut sections = vec![
        (words.say("standings").to_owned(), standings(results, words)),
        (words.say("ties").to_owned(), TextTable::of_lines(ties)),
    ];
    for round in (1..=results.round).rev() {
        let title = format!("{} {round}", words.say("round"));
        sections.push((title, games(results, round, words)));
    }
    sections.extend(boards(results, words));
    sections.push((words.say("decisions").to_owned(), TextTable::of_lines(decisions(results, words))));
    let faults = results.faults.iter();
    let faults = TextTable::of_lines(faults.map(|(path, fault)| format!("{path}: {fault}")));
    sections.push((words.say("not counted").to_owned(), faults));
    sections.retain(|(_, table)| !table.rows.is_empty() || !table.head[0].is_empty());
    sections
}

fn standings(results: &EventResults<'_>, words: Words) -> TextTable {
    let mut heads =
        ["rank", "no", " name", "games", "won", "drawn", "lost", "mp", "points", "difference", "best"];
    let field = results.event.field.as_ref();
    heads[7] = field.map_or("mp", field_head);
    let mut table = words.columns(&heads);
    for &(rank, entry) in &results.ranks.places {
        let (event, sums) = (results.event, results.totals[entry]);
        let number = event.entries[entry].number.to_string();
        let mut row = vec![rank.to_string(), number, event.entry(entry)];
        row.extend(sums.counts());
        row.extend(sums.figures().map(|figure| words.number(figure)));
        if field.is_some() {
            row[7] = words.hundredths(results.sum_of(entry, Criterion::Field));
        }
        table.rows.push(row);
    }
    table
}

/// Returns why entries that were equal have the ranks that they have.
fn explain(event: &CheckedEvent, tie: &Tie, words: Words) -> String {
    let figure = |&(by, figure): &(_, i64)| format!("{} {}", words.criterion(by), words.figure(by, figure));
    let name = |&(entry, figure): &(usize, i64)| match tie.by {
        Some(by) => format!("{} {}", event.entry(entry), words.figure(by, figure)),
        None => event.entry(entry),
    };
    let (equal, names) = (join(tie.equal.iter().map(figure), ", "), join(tie.entries.iter().map(name), ", "));
    let lots = words.say("nothing separates, lots are drawn");
    let by = tie.by.map_or(lots, |by| words.criterion(by));
    format!("{} {equal}; {by}: {names}", words.say("equal on"))
}

fn games(results: &EventResults<'_>, round: u32, words: Words) -> TextTable {
    let field = results.event.field.as_ref();
    let head = ["table", " players", "points", field.map_or("mp", field_head), " from"];
    let mut table = words.columns(&head);
    let rows = results.tables.iter();
    for row in rows.filter(|row| row.table.place.round == round) {
        let mut from = words.say(row.origin.name()).to_owned();
        let file = row.path.as_deref().and_then(|path| Path::new(path).file_name());
        from.extend(file.map(|file| format!(" {}", file.display())));
        if !row.signers.is_empty() {
            let signed = words.say("signed by");
            from += &format!(", {signed} {}", row.signers.join(", "));
        }
        let points = words.against(row.sides.iter().map(|(side, _)| side.points));
        let figures: Vec<String> = match field {
            Some(_) => row.field.iter().map(|of| words.hundredths(of.hundredths)).collect(),
            None => row.sides.iter().map(|(_, of)| words.number(*of)).collect(),
        };
        let players = results.event.sides(row.table, " – ");
        let number = words.table(row.table.place);
        table.rows.push(vec![number, players, points, figures.join(" : "), from]);
    }
    table
}

/// Returns what the director and the jury have decided so far, one line each.
fn decisions(results: &EventResults<'_>, words: Words) -> Vec<String> {
    let (event, round) = (results.event, words.say("round"));
    let name = |number| event.by_number(number).map(|entry| event.entry(entry));
    let name = |number| name(number).unwrap_or_default();
    let mut lines = Vec::new();
    for table in results.tables.iter().map(|row| row.table) {
        let place = words.place(table.place);
        for (entry, of) in &table.forfeits {
            let (name, forfeits) = (event.entry(*entry), words.say("forfeits"));
            lines.push(format!("{place}: {name} {forfeits}: {}", of.reason));
        }
        if let Some(of) = &table.adjustment {
            let points = of.points.iter().map(|points| words.against(points.iter().copied()));
            let field = of.field.iter().zip(&event.field).map(|(figures, by)| {
                format!("{} {}", words.against(figures.iter().copied()), words.say(field_head(by)))
            });
            let what = match of.void {
                true => words.say("does not count").to_owned(),
                false => format!("{} {}", words.say("counts as"), join(points.chain(field), " · ")),
            };
            let by = of.by.as_deref().unwrap_or_default();
            lines.push(format!("{place}: {what}: {} ({by})", of.reason));
        }
    }
    let penalties = event.file.penalties.iter().map(|at| at.get_ref());
    for of in penalties.filter(|of| of.round <= results.round) {
        for (figure, what) in
            [(of.match_points, "match points"), (of.points, "points"), (of.field, "against the field")]
        {
            let (figure, what) = (words.number(-figure), words.say(what));
            let penalty = format!("{round} {}: {}: {figure} {what}", of.round, name(of.entry));
            lines.extend((figure != "0").then(|| format!("{penalty}: {}", of.reason)));
        }
    }
    let withdrawals = event.withdrawals.values();
    for of in withdrawals.filter(|of| of.from <= results.round) {
        let (name, withdraws) = (name(of.entry), words.say("has withdrawn"));
        lines.push(format!("{round} {}: {name} {withdraws}: {}", of.from, of.reason));
    }
    lines
}

/// Writes the table of results for people.
pub fn write(results: &EventResults<'_>, words: Words, out: &mut dyn Write) -> Result<()> {
    let name = visible(&results.event.file.name);
    writeln!(out, "{name} · {}", heading(results, words))?;
    for (title, mut table) in sections(results, words) {
        writeln!(out, "\n{title}")?;
        let cells = table.rows.iter_mut().flatten();
        cells.for_each(|cell| *cell = visible(cell));
        table.write("  ", out)?;
    }
    Ok(())
}
