//! `sheet --check`: counts a score sheet again that has no actions.

use super::{Args, may_score};
use crate::caret::pointed_in_game;
use crate::io::{Exit, Io, OutputFormat, Wrong};
use crate::paths;
use crate::text::{PlayerNames, hex, number};
use anyhow::Context;
use canasta_engine::log::record::EndReason;
use canasta_engine::rules::{InitialKey, RuleSet};
use canasta_engine::scoring::{GameResult, result};
use canasta_engine::seat::Unit;
use canasta_engine::text::{ScoreText, ScoreTextRound, TEXT_MAX, score_text};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The verdict on a sheet without actions, whatever is wrong with it.
const VERDICT: &str = "SCORES_ONLY";
/// Maximum absolute total of a side, in points.
const TOTAL_MAX: i64 = 1_000_000;
/// Maximum size of a photograph, in bytes.
const PHOTO_MAX: u64 = 1 << 30;

/// A score sheet that was counted again; described in docs/JSON.md.
#[derive(Serialize)]
struct CountedSheet {
    format: &'static str,
    path: String,
    verdict: &'static str,
    ruleset: String,
    players: Vec<String>,
    sha256: String,
    rounds: Vec<CountedRound>,
    totals: Vec<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<CountedResult>,
    photos: Vec<Attachment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<Attachment>,
    faults: Vec<SheetFault>,
}

/// A round of a sheet: by side, or by seat where seats score.
#[derive(Serialize)]
struct CountedRound {
    round: u16,
    /// The points that each needed for its initial meld, from the scores before.
    minimums: Vec<i32>,
    points: Vec<i64>,
    cumulative: Vec<i64>,
}

#[derive(Serialize)]
struct CountedResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<u8>,
    margin: i32,
}

/// A file that belongs to a sheet.
#[derive(Serialize)]
struct Attachment {
    path: String,
    sha256: String,
    /// Whether a note of the sheet has the digest.
    named: bool,
}

/// A line that does not hold.
#[derive(Clone, PartialEq, Eq, Serialize)]
struct SheetFault {
    line: u32,
    detail: String,
}

/// Counts a sheet again and reports.
pub fn check(file: &Path, args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (sheet, digest) = read(file, io)?;
    let named = |digest: &str| sheet.notes.iter().any(|note| note.contains(digest));
    let attach = |path: &PathBuf, digest: String| {
        let named = named(&digest);
        Attachment { path: path.display().to_string(), sha256: digest, named }
    };
    let photos = args.photo.iter().map(|path| Ok(attach(path, digest_of(path)?)));
    let photos = photos.collect::<anyhow::Result<Vec<_>>>()?;
    let mut counted = count_again(&sheet, file.display().to_string(), digest);
    counted.photos = photos;
    if let Some(path) = &args.second {
        let (second, digest) = read(path, io)?;
        counted.faults.extend(differences(&sheet, &second));
        counted.second = Some(attach(path, digest));
    }
    counted.faults.sort_by_key(|fault| fault.line);
    match args.format {
        OutputFormat::Text => write_text(&counted, sheet.rules.set(), &mut io.out)?,
        OutputFormat::Json => crate::json::write(&counted, &mut io.out)?,
    }
    Ok(if counted.faults.is_empty() { Exit::Clean } else { Exit::Findings })
}

/// Reads a sheet and its digest.
fn read(file: &Path, io: &mut Io<'_>) -> anyhow::Result<(ScoreText, String)> {
    let name = || file.display().to_string();
    let mut bytes = Vec::new();
    paths::open(file, io)?.take(TEXT_MAX as u64 + 1).read_to_end(&mut bytes).with_context(name)?;
    let wrong = |reason: String| Wrong(format!("{}: {reason}", name()));
    let text = crate::import::in_utf8(&bytes).map_err(wrong)?;
    let sheet = score_text(text).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(|fault| pointed_in_game(text, fault)).collect();
        wrong(faults.join("\n"))
    })?;
    Ok((sheet, hex(&Sha256::digest(&bytes))))
}

fn digest_of(path: &Path) -> anyhow::Result<String> {
    let name = || path.display().to_string();
    let mut digest = Sha256::new();
    let file = File::open(path).with_context(name)?.take(PHOTO_MAX);
    paths::feed(file, |piece| {
        digest.update(piece);
        true
    })
    .with_context(name)?;
    Ok(hex(&digest.finalize()))
}

fn count_again(sheet: &ScoreText, path: String, sha256: String) -> CountedSheet {
    let set = sheet.rules.set();
    let units = usize::from(set.unit_count());
    let (mut totals, mut rounds, mut faults) = (vec![0; units], Vec::new(), Vec::new());
    let mut over: Option<GameResult> = None;
    let mut next = 1;
    for round in &sheet.rounds {
        let mut find = |line: u32, detail: String| faults.push(SheetFault { line, detail });
        if round.number.is_some_and(|number| number != u32::from(next)) {
            find(round.line, format!("expected round {next}"));
        }
        if over.is_some() {
            find(round.line, "the game was over before this round".into());
        }
        let minimums = (0..units).map(|unit| minimum(set, next, totals[unit])).collect();
        let points = points_of(round, set, &mut find);
        for (total, points) in totals.iter_mut().zip(&points) {
            *total = (*total + points).clamp(-TOTAL_MAX, TOTAL_MAX);
        }
        if totals.iter().any(|total| total.abs() == TOTAL_MAX) {
            find(round.line, format!("expected totals below {}", number(TOTAL_MAX)));
        }
        // A voided round is dealt again and does not count.
        if round.reason == Some(EndReason::Voided) {
            continue;
        }
        let booked: Vec<i32> = totals.iter().map(|&total| total as i32).collect();
        over = over.or_else(|| result(set, next, &booked));
        rounds.push(CountedRound { round: next, minimums, points, cumulative: totals.clone() });
        next = next.saturating_add(1);
    }
    faults.extend(wrong_winner(sheet, over));
    CountedSheet {
        format: "canasta-scores/1",
        path,
        verdict: VERDICT,
        ruleset: sheet.rules.id().to_owned(),
        players: sheet.players.clone(),
        sha256,
        rounds,
        totals,
        result: over
            .map(|result| CountedResult { winner: result.winner.map(|unit| unit.0), margin: result.margin }),
        photos: Vec::new(),
        second: None,
        faults,
    }
}

/// Returns the minimum of an initial meld in a round (CL-058).
fn minimum(set: &RuleSet, round: u16, score: i64) -> i32 {
    match set.initial_key {
        InitialKey::Round => set.initial_bands.minimum_for_round(round),
        InitialKey::SideScore | InitialKey::MelderScore => set.initial_bands.minimum_for_score(score as i32),
    }
}

/// Returns the points of each side or seat in a round.
fn points_of(round: &ScoreTextRound, set: &RuleSet, find: &mut impl FnMut(u32, String)) -> Vec<i64> {
    let units = usize::from(set.unit_count());
    let mut points = vec![0; units];
    let names = PlayerNames::seats_of(set);
    let voided = round.reason == Some(EndReason::Voided);
    for (unit, sum) in points.iter_mut().enumerate() {
        let of_unit = round.scores.iter().find(|(score, _)| usize::from(score.unit) == unit);
        match of_unit {
            None if voided => {}
            None => find(round.line, format!("the score of {} is missing", names.unit(Unit(unit as u8)))),
            Some((_, line)) if voided => find(*line, "a voided round has no scores".into()),
            Some((score, line)) => {
                for (at, scored) in score.lines.iter().enumerate() {
                    let item = scored.item.name();
                    if !may_score(set, scored.item) {
                        find(*line, format!("{item}: these rules have no such score"));
                    }
                    if score.lines[..at].iter().any(|before| before.item == scored.item) {
                        find(*line, format!("{item}: expected each item once"));
                    }
                    if scored.points % 5 != 0 {
                        find(*line, format!("{item}: expected a multiple of 5, found {}", scored.points));
                    }
                }
                *sum = score.lines.iter().map(|line| i64::from(line.points)).sum();
            }
        }
    }
    points
}

fn wrong_winner(sheet: &ScoreText, over: Option<GameResult>) -> Option<SheetFault> {
    let (stated, line) = sheet.winner?;
    let names = PlayerNames::seats_of(sheet.rules.set());
    let name = |unit: Option<u8>| unit.map_or("nobody".to_owned(), |unit| names.unit(Unit(unit)));
    let detail = match over {
        None => "the game is not over with these scores".to_owned(),
        Some(result) => {
            let due = result.winner.map(|unit| unit.0);
            if due == stated {
                return None;
            }
            format!("winner: the sheet says {}, the scores give {}", name(stated), name(due))
        }
    };
    Some(SheetFault { line, detail })
}

/// Returns where the second scorer has other scores.
fn differences(first: &ScoreText, second: &ScoreText) -> Vec<SheetFault> {
    let mut found = Vec::new();
    let last = first.rounds.last().map_or(1, |round| round.line);
    let names = PlayerNames::seats_of(first.rules.set());
    if first.rules.canonical() != second.rules.canonical() || first.players != second.players {
        found.push(SheetFault { line: 1, detail: "the second sheet has other rules or players".into() });
    }
    if first.rounds.len() != second.rounds.len() {
        let (here, there) = (first.rounds.len(), second.rounds.len());
        let detail = format!("the second sheet has another number of rounds: {here} here, {there} there");
        found.push(SheetFault { line: last, detail });
    }
    for (here, there) in first.rounds.iter().zip(&second.rounds) {
        for (score, line) in &here.scores {
            let sum = |lines: &[canasta_engine::log::record::ScoreLine]| -> i64 {
                lines.iter().map(|line| i64::from(line.points)).sum()
            };
            let other = there.scores.iter().find(|(other, _)| other.unit == score.unit);
            let (points, theirs) = (sum(&score.lines), other.map(|(other, _)| sum(&other.lines)));
            if theirs != Some(points) {
                let theirs = theirs.map_or("nothing".to_owned(), number);
                let unit = names.unit(Unit(score.unit));
                let detail = format!("{unit}: {} here, {theirs} in the second sheet", number(points));
                found.push(SheetFault { line: *line, detail });
            }
        }
    }
    found
}

fn write_text(sheet: &CountedSheet, set: &RuleSet, out: &mut dyn Write) -> std::io::Result<()> {
    let names = PlayerNames::seats_of(set);
    let unit = |unit: usize| names.unit(Unit(unit as u8));
    writeln!(out, "{}   {VERDICT}", sheet.path.escape_debug())?;
    writeln!(out, "  {} · {}", sheet.ruleset, sheet.players.join(", ").escape_debug())?;
    for round in &sheet.rounds {
        let part = |at: usize| {
            let (points, total) = (number(round.points[at]), number(round.cumulative[at]));
            format!("{} {points}, so far {total} (minimum {})", unit(at), round.minimums[at])
        };
        let parts: Vec<String> = (0..round.points.len()).map(part).collect();
        writeln!(out, "  round {}: {}", round.round, parts.join(" · "))?;
    }
    let totals =
        sheet.totals.iter().enumerate().map(|(at, &total)| format!("{} {}", unit(at), number(total)));
    let end = match &sheet.result {
        None => "the game is not over".to_owned(),
        Some(CountedResult { winner: None, .. }) => "a draw".to_owned(),
        Some(CountedResult { winner: Some(winner), margin }) => {
            format!("{} wins by {}", unit(usize::from(*winner)), number(*margin))
        }
    };
    writeln!(out, "  {} · {end}", totals.collect::<Vec<_>>().join(" · "))?;
    writeln!(out, "  sheet {}", sheet.sha256)?;
    let attached = sheet.photos.iter().map(|photo| ("photo", photo));
    for (what, Attachment { path, sha256, named }) in
        attached.chain(sheet.second.iter().map(|second| ("second sheet", second)))
    {
        let path = path.escape_debug();
        match named {
            true => writeln!(out, "  {what} {path} is named in a note of the sheet")?,
            false => writeln!(
                out,
                "  {what} {path} is not named in the sheet; a note that names it:\n    note {what} sha256 {sha256}"
            )?,
        }
    }
    for SheetFault { line, detail } in &sheet.faults {
        writeln!(out, "  line {line}: {}", detail.escape_debug())?;
    }
    writeln!(
        out,
        "  not judged: play, deals, and whether the cards give these scores: the sheet has no actions"
    )
}
