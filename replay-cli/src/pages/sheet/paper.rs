//! `sheet --check`: counts a score sheet again that has no actions, and says who has signed it.

use super::Args;
use crate::shared::caret::pointed_in_game;
use crate::shared::io::{Exit, Io, OutputFormat, Wrong, read_most};
use crate::shared::json::present;
use crate::shared::paths;
use crate::shared::text::{PlayerNames, hex, join, number};
use anyhow::Context;
use canasta_engine::scoring::GameResult;
use canasta_engine::seat::Unit;
use canasta_engine::text::{ScoreText, TEXT_MAX, score_text};
use canasta_tournament::entry::EntryResult;
use canasta_tournament::paper::PaperSheet;
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::scores::{CountedScores, SheetFault, VERDICT, count, differences};
use canasta_tournament::sheet::is_signed_by_all_sides;
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Maximum size of a photograph, in bytes.
const PHOTO_MAX: u64 = 1 << 30;

/// A score sheet that was counted again.
struct CountedSheet {
    path: String,
    sheet: SheetFile,
    counted: CountedScores,
    photos: Vec<Attachment>,
    second: Option<Attachment>,
}

/// The players who have signed a sheet.
#[derive(Serialize)]
struct SheetSignatures {
    /// Names of the players.
    signed_by: Vec<String>,
    /// Whether a player of each side is among them.
    all_sides: bool,
    /// Whether their keys were held against the register of a policy.
    registered: bool,
}

/// A file that belongs to a sheet.
#[derive(Serialize)]
struct Attachment {
    path: String,
    sha256: String,
    /// Whether a note of the sheet has the digest.
    named: bool,
}

struct SheetFile {
    scores: ScoreText,
    /// SHA-256 of the sheet as it was typed.
    digest: String,
    /// `None` for a sheet that was only typed.
    signatures: Option<SheetSignatures>,
}

/// Counts a sheet again and reports.
pub fn check(file: &Path, args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let policy = TournamentPolicy::named(args.policy.as_deref())?;
    let sheet = read(file, policy.as_ref(), io)?;
    let mut counted = count(&sheet.scores);
    let attach = |path: &PathBuf, sha256: String| {
        let named = sheet.scores.notes.iter().any(|note| note.contains(&sha256));
        Attachment { path: path.display().to_string(), sha256, named }
    };
    let photos = args.photo.iter().map(|path| Ok(attach(path, digest_of(path)?)));
    let photos = photos.collect::<anyhow::Result<Vec<_>>>()?;
    let mut second = None;
    if let Some(path) = &args.second {
        let other = read(path, None, io)?;
        counted.faults.extend(differences(&sheet.scores, &other.scores));
        second = Some(attach(path, other.digest));
    }
    counted.faults.sort_by_key(|fault| fault.line);
    let sheet = CountedSheet { path: file.display().to_string(), sheet, counted, photos, second };
    match args.format {
        OutputFormat::Text => write_text(&sheet, &mut io.out)?,
        OutputFormat::Json => io.write_value(&value(&sheet))?,
    }
    Ok(Exit::clean_if(sheet.counted.faults.is_empty()))
}

/// Reads a sheet, typed or signed.
fn read(file: &Path, policy: Option<&TournamentPolicy>, io: &mut Io<'_>) -> anyhow::Result<SheetFile> {
    let name = || file.display().to_string();
    // A longer text is refused as one, with its fault.
    let bytes = read_most(paths::open(file, &mut io.input)?, TEXT_MAX as u64).with_context(name)?;
    let wrong = |reason: String| Wrong(format!("{}: {reason}", name()));
    let text = paths::in_utf8(&bytes).map_err(wrong)?;
    if PaperSheet::is_one(text) {
        let signed = PaperSheet::parse(text.to_owned()).map_err(|error| wrong(error.to_string()))?;
        let (signers, digest, scores) = (signed.signers(policy), hex(&signed.digest()), signed.scores);
        let signatures = SheetSignatures {
            signed_by: signers.iter().map(|seat| scores.players[seat.index()].name.clone()).collect(),
            all_sides: is_signed_by_all_sides(scores.rules.set(), |seat| signers.contains(&seat)),
            registered: policy.is_some_and(|policy| !policy.players.is_empty()),
        };
        return Ok(SheetFile { scores, digest, signatures: Some(signatures) });
    }
    let scores = score_text(text)
        .map_err(|faults| wrong(join(faults.iter().map(|fault| pointed_in_game(text, fault)), "\n")))?;
    Ok(SheetFile { scores, digest: hex(&Sha256::digest(&bytes)), signatures: None })
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

/// Returns the sheet for programs; described in docs/formats/JSON.md.
fn value(of: &CountedSheet) -> Value {
    let (sheet, counted) = (&of.sheet, &of.counted);
    present(json!({
        "format": "canasta-scores/1",
        "path": of.path,
        "verdict": VERDICT,
        "ruleset": sheet.scores.rules.id(),
        "players": sheet.scores.players.iter().map(|player| player.name.as_str()).collect::<Value>(),
        "sha256": sheet.digest,
        "rounds": counted.rounds,
        "totals": counted.totals,
        "result": counted.result.map(EntryResult::from),
        "photos": of.photos,
        "second": of.second,
        "signatures": sheet.signatures,
        "faults": counted.faults,
    }))
}

fn write_text(of: &CountedSheet, out: &mut dyn Write) -> std::io::Result<()> {
    let (sheet, scores, counted) = (&of.sheet, &of.sheet.scores, &of.counted);
    let names = PlayerNames::seats_of(scores.rules.set());
    let unit = |unit: usize| names.unit(Unit(unit as u8));
    let players = join(scores.players.iter().map(|player| &player.name), ", ");
    writeln!(out, "{}   {VERDICT}", of.path.escape_debug())?;
    writeln!(out, "  {} · {}", scores.rules.id(), players.escape_debug())?;
    for round in &counted.rounds {
        let part = |at: usize| {
            let (points, total) = (number(round.points[at]), number(round.cumulative[at]));
            format!("{} {points}, so far {total} (minimum {})", unit(at), round.minimums[at])
        };
        writeln!(out, "  round {}: {}", round.round, join((0..round.points.len()).map(part), " · "))?;
    }
    let total = |(at, &total): (usize, &i64)| format!("{} {}", unit(at), number(total));
    let totals = join(counted.totals.iter().enumerate().map(total), " · ");
    let end = match counted.result {
        None => "the game is not over".to_owned(),
        Some(GameResult { winner: None, .. }) => "a draw".to_owned(),
        Some(GameResult { winner: Some(winner), margin }) => {
            format!("{} wins by {}", names.unit(winner), number(margin))
        }
    };
    writeln!(out, "  {totals} · {end}")?;
    writeln!(out, "  sheet {}", sheet.digest)?;
    let attached = of.photos.iter().map(|photo| ("photo", photo));
    for (what, Attachment { path, sha256, named }) in
        attached.chain(of.second.iter().map(|second| ("second sheet", second)))
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
    for SheetFault { line, detail } in &counted.faults {
        writeln!(out, "  line {line}: {}", detail.escape_debug())?;
    }
    if let Some(signatures) = &sheet.signatures {
        write_signatures(signatures, out)?;
    }
    writeln!(
        out,
        "  not judged: play, deals, and whether the cards give these scores: the sheet has no actions"
    )
}

/// Writes who has signed a sheet, and what the signatures prove.
fn write_signatures(signatures: &SheetSignatures, out: &mut dyn Write) -> std::io::Result<()> {
    let SheetSignatures { signed_by, all_sides, registered } = signatures;
    if signed_by.is_empty() {
        return writeln!(out, "  signed by nobody with a key that counts");
    }
    let names = signed_by.join(", ").escape_debug().to_string();
    let keys = if *registered { "registered keys" } else { "keys that the sheet has" };
    writeln!(out, "  signed by {names}, with {keys}")?;
    match all_sides {
        true => writeln!(out, "  proven: the scores are as signed by {names}, a player of each side"),
        false => writeln!(
            out,
            "  not proven: that both sides agree: expected a signature of a player of each side"
        ),
    }
}
