//! `sheet --check`: counts a score sheet again that has no actions, and says who has signed it.

use super::Args;
use crate::shared::caret::pointed_in_game;
use crate::shared::io::{Exit, Io, OutputFormat, Wrong};
use crate::shared::paths;
use crate::shared::text::{PlayerNames, hex, number};
use anyhow::Context;
use canasta_engine::rules::RuleSet;
use canasta_engine::seat::{Seat, Unit};
use canasta_engine::text::{ScoreText, TEXT_MAX, score_text};
use canasta_tournament::entry::EntryResult;
use canasta_tournament::paper::PaperSheet;
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::scores::{CountedRound, SheetFault, VERDICT, count, differences};
use canasta_tournament::sheet::is_signed_by_all_sides;
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Maximum size of a photograph, in bytes.
const PHOTO_MAX: u64 = 1 << 30;

/// A score sheet that was counted again; described in docs/formats/JSON.md.
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
    result: Option<EntryResult>,
    photos: Vec<Attachment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second: Option<Attachment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signatures: Option<SheetSignatures>,
    faults: Vec<SheetFault>,
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
    /// The seats that have signed, and whether each side is among them; `None` for a sheet that was only typed.
    signers: Option<(Vec<Seat>, bool)>,
}

/// Counts a sheet again and reports.
pub fn check(file: &Path, args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let policy = TournamentPolicy::named(args.policy.as_deref())?;
    let sheet = read(file, policy.as_ref(), io)?;
    let named = |digest: &str| sheet.scores.notes.iter().any(|note| note.contains(digest));
    let attach = |path: &PathBuf, digest: String| {
        let named = named(&digest);
        Attachment { path: path.display().to_string(), sha256: digest, named }
    };
    let photos = args.photo.iter().map(|path| Ok(attach(path, digest_of(path)?)));
    let photos = photos.collect::<anyhow::Result<Vec<_>>>()?;
    let mut counted = counted(&sheet, file.display().to_string());
    counted.photos = photos;
    if let (Some(signatures), Some(policy)) = (&mut counted.signatures, &policy) {
        signatures.registered = !policy.players.is_empty();
    }
    if let Some(path) = &args.second {
        let second = read(path, None, io)?;
        counted.faults.extend(differences(&sheet.scores, &second.scores));
        counted.second = Some(attach(path, second.digest));
    }
    counted.faults.sort_by_key(|fault| fault.line);
    match args.format {
        OutputFormat::Text => write_text(&counted, sheet.scores.rules.set(), &mut io.out)?,
        OutputFormat::Json => io.write_value(&json!(counted))?,
    }
    Ok(Exit::clean_if(counted.faults.is_empty()))
}

/// Reads a sheet, typed or signed.
fn read(file: &Path, policy: Option<&TournamentPolicy>, io: &mut Io<'_>) -> anyhow::Result<SheetFile> {
    let name = || file.display().to_string();
    let bytes = paths::read(file, TEXT_MAX as u64, &mut io.input)?;
    let wrong = |reason: String| Wrong(format!("{}: {reason}", name()));
    let text = paths::in_utf8(&bytes).map_err(wrong)?;
    if PaperSheet::is_one(text) {
        let signed = PaperSheet::parse(text.to_owned()).map_err(|error| wrong(error.to_string()))?;
        let signers = signed.signers(policy);
        let all_sides = is_signed_by_all_sides(signed.scores.rules.set(), |seat| signers.contains(&seat));
        let digest = hex(&signed.digest());
        return Ok(SheetFile { scores: signed.scores, digest, signers: Some((signers, all_sides)) });
    }
    let scores = score_text(text).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(|fault| pointed_in_game(text, fault)).collect();
        wrong(faults.join("\n"))
    })?;
    Ok(SheetFile { scores, digest: hex(&Sha256::digest(&bytes)), signers: None })
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

fn counted(sheet: &SheetFile, path: String) -> CountedSheet {
    let SheetFile { scores, digest, signers } = sheet;
    let counted = count(scores);
    let player = |seat: &Seat| scores.players[seat.index()].name.clone();
    CountedSheet {
        format: "canasta-scores/1",
        path,
        verdict: VERDICT,
        ruleset: scores.rules.id().to_owned(),
        players: scores.players.iter().map(|player| player.name.clone()).collect(),
        sha256: digest.clone(),
        rounds: counted.rounds,
        totals: counted.totals,
        result: counted.result.map(EntryResult::from),
        photos: Vec::new(),
        second: None,
        signatures: signers.as_ref().map(|(signers, all_sides)| SheetSignatures {
            signed_by: signers.iter().map(player).collect(),
            all_sides: *all_sides,
            registered: false,
        }),
        faults: counted.faults,
    }
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
        Some(EntryResult { winner: None, .. }) => "a draw".to_owned(),
        Some(EntryResult { winner: Some(winner), margin }) => {
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
