//! The report of `audit-tournament` for people.

use super::{Args, NAMED_MAX, fault_text, signed_by, time_text};
use crate::auditing::audit::text::ruling_text;
use crate::shared::kept_back::{KeptBack, kept_back};
use crate::shared::text::{count, entries, hex, list, number};
use canasta_engine::text::time;
use canasta_tournament::audit::TournamentReport;
use canasta_tournament::checkpoint::Checkpoint;
use canasta_tournament::entry::GameEntry;
use canasta_tournament::games::{Fate, OwnLog, PublishedRuling};
use canasta_tournament::leaf::AnnouncedBoard;
use canasta_tournament::paper::PublishedPaper;
use canasta_tournament::scores::VERDICT;
use canasta_tournament::text::duration;
use canasta_tournament::timeline::TimedGame;
use canasta_tournament::times::{Fixed, GameTimes, LeafTime};
use std::io::{Result, Write};

/// Maximum number of parts of a game that a text names.
const FIXED_MAX: usize = 6;

pub fn write_text(report: &TournamentReport, args: &Args, out: &mut dyn Write) -> Result<()> {
    if let Some(Checkpoint { origin, size, root }) = &report.checkpoint {
        writeln!(out, "{} · {} · root {}", origin.escape_debug(), entries(*size), hex(root))?;
        match &report.signed_by[..] {
            [] if args.key.is_empty() && args.policy.is_none() => {
                writeln!(out, "  signatures were not checked: no --key")?;
            }
            [] => {}
            names => writeln!(out, "  signed by {}", names.join(", "))?,
        }
    }
    for (name, time) in &report.cosigned_by {
        writeln!(out, "  cosigned by {name} at {}", time_text(*time))?;
    }
    if let Some(size) = report.since {
        writeln!(out, "  goes on from the checkpoint of {}", entries(size))?;
    }
    if let Some((index, entry)) = &report.proven {
        write_entry(*index, entry, out)?;
    }
    if !report.games.verdicts.is_empty() {
        let counted =
            report.games.verdicts.iter().map(|(verdict, games)| format!("{} {verdict}", number(*games)));
        writeln!(out, "  {}", counted.collect::<Vec<_>>().join(" · "))?;
    }
    if !args.logs.is_empty() {
        let all = args.logs.len() as i64;
        let is_published = |own: &&OwnLog| matches!(own.fate, Fate::Published);
        let published = report.own.iter().filter(is_published).count() as u64;
        writeln!(out, "  own logs published as they are: {} of {}", number(published), number(all))?;
    }
    for own in &report.own {
        let fate = match own.fate {
            Fate::Voided => "voided; your copy has the records that were signed",
            Fate::InProgress => "still in progress; your copy has the records that were signed",
            Fate::Published | Fate::Changed => continue,
        };
        writeln!(out, "  your game {} is {fate}", hex(&own.game_id))?;
    }
    for paper in &report.papers {
        writeln!(out, "  {}", paper_text(paper))?;
    }
    write_history(report, out)?;
    if let Some(games) = report.announced {
        writeln!(out, "  announced and published: {}", count(games, "game"))?;
    }
    for path in report.not_covered.iter().take(NAMED_MAX) {
        writeln!(out, "  not covered: {}", path.escape_debug())?;
    }
    if let Some(more) = report.not_covered.len().checked_sub(NAMED_MAX).filter(|more| *more > 0) {
        writeln!(out, "  not covered: {} more", count(more as u64, "file"))?;
    }
    for fault in &report.faults {
        write!(out, "{}", fault_text(fault))?;
    }
    if report.faults.is_empty() {
        for (left, games) in &report.games.reservations {
            let games = if *games > 0 { format!(" ({})", count(*games, "game")) } else { String::new() };
            writeln!(out, "  not proven: {}{games}", left.escape_debug())?;
        }
    }
    match report.proven {
        _ if !report.faults.is_empty() => Ok(()),
        Some(_) => writeln!(out, "  proven: the entry is in the tree of this checkpoint"),
        None => writeln!(
            out,
            "  proven: the tree, every entry against its log, every log by its audit, every proof"
        ),
    }
}

/// Writes the entry of the game that was proven.
fn write_entry(index: u64, entry: &GameEntry, out: &mut dyn Write) -> Result<()> {
    let players = entry.players.join(", ");
    let (label, totals) = (entry.label.escape_debug(), list(entry.totals.iter().map(|&total| number(total))));
    writeln!(out, "  entry {index}: {label} · game {} · {}", hex(&entry.game_id), players.escape_debug())?;
    writeln!(out, "  {} · points {totals} · {}", count(entry.rounds, "round"), entry.verdict.escape_debug())
}

/// Returns the text of a signed sheet of a game without a log.
fn paper_text(paper: &PublishedPaper) -> String {
    let (signed_by, totals) =
        (signed_by(paper), list(paper.counted.totals.iter().map(|&total| number(total))));
    let (index, rounds) = (paper.index, count(paper.counted.rounds.len() as u64, "round"));
    let names = if signed_by.is_empty() { "nobody".into() } else { signed_by.join(", ") };
    format!("entry {index}: {VERDICT} · {rounds} · points {totals} · as signed by {}", names.escape_debug())
}

/// Writes what was fixed in public while games were played.
fn write_history(report: &TournamentReport, out: &mut dyn Write) -> Result<()> {
    let history = &report.timeline;
    let [opened, late, _] = history.numbers();
    if opened > 0 {
        let early = count(opened - late, "game");
        writeln!(out, "  opened in the tree: {}; before the first card: {early}", count(opened, "game"))?;
    }
    let is_own = |game: &GameTimes<'_>| report.own.iter().any(|own| own.game_id == game.game_id);
    let all = report.times().nth(NAMED_MAX).is_none();
    for game in report.times().filter(|game| all || is_own(game)) {
        let label =
            if game.label.is_empty() { String::new() } else { format!(" {}", game.label.escape_debug()) };
        writeln!(out, "  game {}{label}: {}", hex(&game.game_id), times_text(&game, report.seen.quorum))?;
    }
    let boards = history.boards.values().map(|board| {
        let AnnouncedBoard { name, tables, .. } = &board.announced.1;
        let shown = if board.revealed.is_some() { "shown" } else { "not shown yet" };
        format!("{} · {} · {shown}", name.escape_debug(), count(tables.len() as u64, "table"))
    });
    named(out, "board", boards)?;
    named(out, "voided", report.times().filter_map(|game| voided_text(&game)))?;
    let age = |game: &TimedGame| {
        let opened = game.opened.as_ref().map(|opened| report.now_ms.saturating_sub(opened.at_ms));
        opened.map_or_else(String::new, |age| format!(", opened {} ago as claimed", duration(age)))
    };
    let open =
        history.open().map(|(id, game)| format!("{} {}{}", hex(id), game.label().escape_debug(), age(game)));
    named(out, "in progress", open)?;
    let ruling = |of: &PublishedRuling| {
        let said = ruling_text(&of.genesis, &of.seating, of.record, &of.ruling);
        format!("game {}, {said}", hex(&of.genesis.game_id))
    };
    named(out, "ruling", report.games.rulings.iter().map(ruling))?;
    named(out, "kept back", kept_back(&report.games.owed).iter().map(KeptBack::in_words))?;
    let pairs = report.alike.iter().map(|(first, second)| format!("{first:?} and {second:?}"));
    named(out, "are these one player each", pairs)?;
    let late = history.announced_late.iter().map(|(index, id)| format!("entry {index}, game {}", hex(id)));
    named(out, "announced after it began", late)?;
    let anyway =
        history.anyway.iter().map(|(index, why)| format!("from entry {index} on: {}", why.escape_debug()));
    named(out, "published anyway", anyway)?;
    if history.ended.is_some() { writeln!(out, "  the tournament has ended") } else { Ok(()) }
}

/// Writes a line for each of the first things, and one with the number of the others.
fn named(out: &mut dyn Write, what: &str, things: impl Iterator<Item = String>) -> Result<()> {
    let mut more = 0_u64;
    for (place, thing) in things.enumerate() {
        if place < NAMED_MAX {
            writeln!(out, "  {what}: {thing}")?;
        } else {
            more += 1;
        }
    }
    if more > 0 { writeln!(out, "  {what}: {} more", number(more)) } else { Ok(()) }
}

/// Returns when a game was opened, fixed, and closed or voided.
fn times_text(game: &GameTimes<'_>, quorum: usize) -> String {
    let at = |moment: LeafTime| moment_text(moment, quorum);
    let mut parts = Vec::new();
    if let Some(opened) = game.opened {
        let place = match game.is_before_cards {
            true => "before the first card".to_owned(),
            false => format!("after {}", count(opened.records, "record")),
        };
        parts.push(format!("opened {}, {place}", at(opened.at)));
    }
    let of = game.closed.map_or_else(String::new, |closed| format!(" of {}", number(closed.records)));
    let fixed = |fixed: &Fixed| format!("{}{of} {}", number(fixed.records), at(fixed.at));
    let shown = game.fixed.len().saturating_sub(FIXED_MAX);
    let before =
        if shown > 0 { format!("{} times, last ", number(game.fixed.len() as u64)) } else { String::new() };
    let heads: Vec<String> = game.fixed[shown..].iter().map(fixed).collect();
    if !heads.is_empty() {
        parts.push(format!("fixed {before}up to record {}", heads.join(", ")));
    }
    parts.extend(game.closed.map(|closed| format!("closed {}", at(closed.at))));
    parts.extend(game.void.map(|moment| format!("voided {}", at(moment))));
    parts.join("; ")
}

/// Returns a moment as it is known: by witnesses, or as the publisher claims.
fn moment_text(moment: LeafTime, quorum: usize) -> String {
    match (moment.seen, moment.claimed_ms) {
        (Some(seen), _) => format!("at or before {} ({})", time_text(seen), witnesses(quorum)),
        (None, Some(claimed)) => format!("at {} as claimed", time::to_text(claimed)),
        (None, None) => "at an unknown time".into(),
    }
}

fn witnesses(quorum: usize) -> String {
    if quorum == 1 { "1 witness".into() } else { format!("{quorum} witnesses") }
}

/// Returns which game was voided, how far it had gone as far as it was fixed, and why.
fn voided_text(game: &GameTimes<'_>) -> Option<String> {
    let reason = game.reason?;
    let records = game.fixed.last().or(game.opened.as_ref()).map_or(0, |fixed| fixed.records);
    let gone =
        if records == 0 { "before it began".into() } else { format!("after {}", count(records, "record")) };
    Some(format!("{} {} {gone}: {}", hex(&game.game_id), game.label.escape_debug(), reason.escape_debug()))
}
