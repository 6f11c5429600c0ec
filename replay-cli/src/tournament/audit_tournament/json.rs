//! The report of `audit-tournament` for programs.

use super::{Args, FORMAT, explaining, signed_by};
use crate::auditing::audit::json::ruling_value;
use crate::shared::json::{present, some};
use crate::shared::kept_back;
use canasta_engine::hex::hex;
use canasta_tournament::audit::TournamentReport;
use canasta_tournament::fault::SiteFault;
use canasta_tournament::games::{Fate, OwnLog, PublishedRuling};
use canasta_tournament::leaf::AnnouncedBoard;
use canasta_tournament::paper::PublishedPaper;
use canasta_tournament::scores::VERDICT;
use canasta_tournament::timeline::TimedBoard;
use canasta_tournament::times::{Fixed, GameTimes, LeafTime};
use serde_json::{Value, json};

pub fn to_value(report: &TournamentReport, args: &Args) -> Value {
    let checkpoint = report.checkpoint.as_ref();
    let cosigned = report.cosigned_by.iter().map(|(name, time)| json!({"name": name, "time": time}));
    let history = &report.timeline;
    let [opened, late, voided] = history.numbers();
    let is_published = |own: &&OwnLog| matches!(own.fate, Fate::Published);
    let own = report.own.iter().filter(is_published).count();
    let late_announced =
        history.announced_late.iter().map(|(index, id)| json!({"index": index, "game_id": hex(id)}));
    let not_proven =
        report.reservations.iter().map(|(what, games)| present(json!({"what": what, "games": some(*games)})));
    let open = history.open().map(|(game_id, game)| json!({"game_id": hex(game_id), "label": game.label()}));
    let anyway = history.anyway.iter().map(|(index, reason)| json!({"index": index, "reason": reason}));
    present(json!({
        "format": FORMAT,
        "site": args.site.display().to_string(),
        "origin": checkpoint.map(|of| &of.origin),
        "size": checkpoint.map(|of| of.size),
        "root": checkpoint.map(|of| hex(&of.root)),
        "signed_by": report.signed_by,
        "cosigned_by": some(cosigned.collect::<Vec<_>>()),
        "since": report.since,
        "index": report.proven.as_ref().map(|(index, _)| index),
        "entry": report.proven.as_ref().map(|(_, entry)| entry),
        "verdicts": report.verdicts,
        "own": (!args.logs.is_empty()).then_some(own),
        "own_logs": some(report.own.iter().map(own_value).collect::<Vec<_>>()),
        "games": some(report.times.iter().map(times_value).collect::<Vec<_>>()),
        "quorum": some(report.quorum),
        "rulings": some(report.rulings.iter().map(published_ruling_value).collect::<Vec<_>>()),
        "kept_back": some(kept_back::to_value(&report.owed)).filter(|value| *value != json!([])),
        "alike": some(report.alike.clone()),
        "boards": some(history.boards.values().map(board_value).collect::<Vec<_>>()),
        "announced_late": some(late_announced.collect::<Vec<_>>()),
        "not_proven": some(not_proven.collect::<Vec<_>>()),
        "opened": some(opened),
        "opened_late": (opened > 0).then_some(late),
        "voided": some(voided),
        "open": some(open.collect::<Vec<_>>()),
        "anyway": some(anyway.collect::<Vec<_>>()),
        "ended": some(history.ended.is_some()),
        "announced": report.announced,
        "not_covered": some(&report.not_covered[..]),
        "papers": some(report.papers.iter().map(paper_value).collect::<Vec<_>>()),
        "faults": report.faults.iter().map(fault_value).collect::<Vec<_>>(),
    }))
}

/// Returns a signed sheet of a game without a log in the format for programs.
fn paper_value(paper: &PublishedPaper) -> Value {
    let PublishedPaper { index, sheet, counted, .. } = paper;
    present(json!({
        "index": index, "verdict": VERDICT, "sha256": hex(&sheet.digest()), "rounds": counted.rounds.len(),
        "totals": counted.totals, "signed_by": signed_by(paper),
        "game_id": sheet.scores.game_id.map(|game_id| hex(&game_id)),
    }))
}

/// Returns a fault in the format for programs.
fn fault_value(fault: &SiteFault) -> Value {
    present(json!({
        "kind": fault.kind,
        "file": fault.file,
        "index": fault.index,
        "game_id": fault.game_id.map(|game_id| hex(&game_id)),
        "detail": fault.detail,
        "show": explaining(fault),
    }))
}

/// Returns what became of an own copy.
fn own_value(own: &OwnLog) -> Value {
    json!({"game_id": hex(&own.game_id), "fate": own.fate})
}

fn board_value(board: &TimedBoard) -> Value {
    let AnnouncedBoard { board_id, name, tables, .. } = &board.announced.1;
    json!({"board_id": hex(board_id), "name": name, "tables": tables.len(), "revealed": board.revealed.is_some()})
}

/// Returns the history of a game in time.
fn times_value(game: &GameTimes) -> Value {
    let moment = |at: LeafTime| present(json!({"claimed_ms": at.claimed_ms, "seen": at.seen}));
    let fixed = |of: &Fixed| {
        present(json!({"records": of.records, "claimed_ms": of.at.claimed_ms, "seen": of.at.seen}))
    };
    present(json!({
        "game_id": hex(&game.game_id),
        "label": some(game.label.as_str()),
        "opened": game.opened.as_ref().map(fixed),
        "before_cards": some(game.is_before_cards),
        "fixed": some(game.fixed.iter().map(fixed).collect::<Vec<_>>()),
        "closed": game.closed.as_ref().map(fixed),
        "void": game.void.as_ref().map(|(at, _)| moment(*at)),
        "reason": game.void.as_ref().map(|(_, reason)| reason),
    }))
}

/// Returns a ruling of a published log.
fn published_ruling_value(published: &PublishedRuling) -> Value {
    let mut value = ruling_value(published.record, &published.ruling);
    value["game_id"] = hex(&published.genesis.game_id).into();
    value
}
