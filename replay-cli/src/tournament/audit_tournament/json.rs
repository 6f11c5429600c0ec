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
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

/// The report, of which the games are never in memory as JSON together.
pub struct JsonReport<'a> {
    pub report: &'a TournamentReport,
    pub args: &'a Args,
}

impl Serialize for JsonReport<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let value = to_value(self.report, self.args);
        let fields = value.as_object().into_iter().flatten();
        let mut map = to.serialize_map(None)?;
        for (name, field) in fields {
            match name.as_str() {
                "games" => map.serialize_entry(name, &JsonGames(self.report))?,
                _ => map.serialize_entry(name, field)?,
            }
        }
        map.end()
    }
}

struct JsonGames<'a>(&'a TournamentReport);

impl Serialize for JsonGames<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.times())
    }
}

fn to_value(report: &TournamentReport, args: &Args) -> Value {
    let checkpoint = report.checkpoint.as_ref();
    let cosigned = report.cosigned_by.iter().map(|(name, time)| json!({"name": name, "time": time}));
    let history = &report.timeline;
    let [opened, late, voided] = history.numbers();
    let is_published = |own: &&OwnLog| matches!(own.fate, Fate::Published);
    let own = report.own.iter().filter(is_published).count();
    let late_announced =
        history.announced_late.iter().map(|(index, id)| json!({"index": index, "game_id": hex(id)}));
    let not_proven = report
        .games
        .reservations
        .iter()
        .map(|(what, games)| present(json!({"what": what, "games": some(*games)})));
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
        "verdicts": report.games.verdicts,
        "own": (!args.logs.is_empty()).then_some(own),
        "own_logs": (!report.own.is_empty()).then_some(&report.own),
        // In their place, the games are written one by one.
        "games": report.times().next().map(|_| true),
        "quorum": some(report.seen.quorum),
        "rulings": some(report.games.rulings.iter().map(published_ruling_value).collect::<Vec<_>>()),
        "kept_back": some(json!(kept_back::kept_back(&report.games.owed))).filter(|value| *value != json!([])),
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

fn board_value(board: &TimedBoard) -> Value {
    let AnnouncedBoard { board_id, name, tables, .. } = &board.announced.1;
    json!({"board_id": hex(board_id), "name": name, "tables": tables.len(), "revealed": board.revealed.is_some()})
}

/// Returns a ruling of a published log.
fn published_ruling_value(published: &PublishedRuling) -> Value {
    let mut value = ruling_value(published.record, &published.ruling);
    value["game_id"] = hex(&published.genesis.game_id).into();
    value
}
