//! `link`: writes a whole game as a link, and a link as a log.

use crate::pages::linked_proof;
use crate::shared::io::{Exit, Io, OutputFormat, Wrong};
use crate::shared::output::OutputFile;
use crate::shared::paths;
use crate::shared::text::{count, hex, number};
use anyhow::{Context, anyhow, bail, ensure};
use base64ct::{Base64UrlUnpadded, Encoding};
use canasta_engine::archive::{LinkedLog, of_link, to_link};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::{Head, Record};
use canasta_tournament::bundle::{BYTES_MAX, ProofBundle};
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Maximum number of characters of a link: what messengers and QR codes take.
const CHARACTERS_MAX: usize = 2_000;
/// Maximum number of characters of a link with a proof.
const PROVEN_CHARACTERS_MAX: usize = 1_500;
/// Maximum number of bytes of a log that is tried.
const LOG_BYTES_MAX: u64 = 1 << 20;
/// The key of the packed game in the fragment, which browsers keep to themselves.
const GAME: &str = "g=";
/// The key of the packed proof of the game, behind the game.
const PROOF: &str = "&p=";

/// The arguments of `link`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log, or - for standard input; or a page that prove has written, whose proof the link then carries; or a link,
    /// whose log is written
    #[arg(value_name = "LOG|PAGE|LINK")]
    subject: String,
    /// Number of the record that the page shows first, from 0
    #[arg(long, value_name = "N", conflicts_with = "round")]
    at: Option<u64>,
    /// The round that the page shows first, from 1
    #[arg(long, value_name = "N")]
    round: Option<u32>,
    /// Address of a page that opens links: of a recorder, or of a file that `report` wrote
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:50051/")]
    page: String,
    /// Draw the link as a QR code as well
    #[arg(long)]
    qr: bool,
    /// The file of a link's log, or - for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Overwrite FILE if it exists
    #[arg(long)]
    force: bool,
    /// Format of the answer about a log
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
The game lies behind the # of the link, which a browser sends to nobody; the page judges it itself. A link \
says that a game is lawful and complete, never that it was played: anybody can make one. A signed game travels \
without its signatures, with the head of its full log. A game whose link would have more than 2,000 characters \
(committed deals have noise in every round) goes as a file, or as the page that `report` writes.

The link of a page that `prove` wrote says that the game was published, and under whose key; of a signed game, only \
its result. Such a link has at most 1,500 characters. verify-proof checks it.

Exit codes: 0 the link or the log is written; 1 the link would be too long, or is no game, or the proof does not \
hold; 2 a file could not be read or written.

Examples:
  canasta-replay link game.clog --page https://club.example/
  canasta-replay link game.clog --round 3 --qr
  canasta-replay link game.proof.html --page https://club.example/
  canasta-replay link 'https://club.example/#g=...' -o game.clog";

/// Writes the link of a log, or the log of a link.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if let Some(linked) = of_text(&args.subject)? {
        OutputFile::new(&args.output, args.force, [] as [&Path; 0])?.write(&linked.log, &mut io.out)?;
        tell_head(linked.full_head, io)?;
        if args.subject.contains(PROOF) {
            writeln!(io.err, "the link carries a proof: verify-proof checks it")?;
        }
        return Ok(Exit::Clean);
    }
    let path = Path::new(&args.subject);
    let name = path.display();
    let mut log = paths::read(path, BYTES_MAX, &mut io.input)?;
    let bundle = str::from_utf8(&log).ok().and_then(|text| ProofBundle::find(text).ok());
    if let Some(bundle) = &bundle {
        log.clone_from(&bundle.log);
    }
    ensure!(log.len() as u64 <= LOG_BYTES_MAX, "{name}: expected at most 1 MiB, more than any link holds");
    let at = args.at.map_or_else(|| first_of(&log, args.round), |n| Ok(Some(n)))?;
    let packed = to_link(&log).map_err(|error| anyhow!("{name}: {error}"))?;
    let linked = of_link(&packed).context("what was packed does not unpack")?;
    let full_head = linked.full_head;
    let report = audit(&linked.log, Expect::default());
    let mut link =
        format!("{}#{GAME}{}", args.page.trim_end_matches('#'), Base64UrlUnpadded::encode_string(&packed));
    let mut most = CHARACTERS_MAX;
    if let Some(bundle) = &bundle {
        let proof = packed_proof(bundle, linked).map_err(|why| Wrong(format!("{name}: {why:#}")))?;
        link += &format!("{PROOF}{}", Base64UrlUnpadded::encode_string(&proof));
        most = PROVEN_CHARACTERS_MAX;
    }
    link.extend(at.map(|at| format!("&at={at}")));
    if link.len() > most {
        let length = count(link.len() as i64, "character");
        let most = number(most as i64);
        return Err(Wrong(format!(
            "{name}: the link would have {length}, expected at most {most}: send the log as a file, or the page of `report`"
        ))
        .into());
    }
    let is_lawful = report.verdict.is_clean();
    match args.format {
        OutputFormat::Json => io.write_value(&json!({
            "format": "canasta-link/1", "link": link, "characters": link.len(), "verdict": report.verdict.name(),
            "full_head": full_head.map(|head| hex(&head)),
        }))?,
        OutputFormat::Text => {
            writeln!(io.out, "{link}")?;
            if args.qr {
                let code = QrCode::new(&link).map_err(|error| anyhow!("the QR code: {error}"))?;
                writeln!(io.out, "{}", code.render::<Dense1x2>().quiet_zone(true).build())?;
            }
            let said = if is_lawful { "lawful and complete" } else { report.verdict.name() };
            writeln!(io.err, "{}; the game is {said}", count(link.len() as i64, "character"))?;
            if let Some(bundle) = bundle {
                let what = if full_head.is_some() { "the result is proven, not the moves" } else { "proven" };
                writeln!(io.err, "{what}, under {}", bundle.keys.join(" "))?;
            }
            tell_head(full_head, io)?;
        }
    }
    Ok(Exit::Clean)
}

/// Checks a proof with its own keys, and that the log of the link still has it; returns it packed.
fn packed_proof(bundle: &ProofBundle, linked: LinkedLog) -> anyhow::Result<Vec<u8>> {
    let check = |bundle: &ProofBundle| {
        let report = bundle.check(&bundle.keys()?);
        if let Some(fault) = report.tree.faults.first() {
            bail!("{}: {}", fault.kind, fault.detail);
        }
        ensure!(!report.tree.signed_by.is_empty(), "no key has signed a tree");
        report.tree.proven.context("it proves no game")
    };
    let packed = linked_proof::pack(bundle, &check(bundle)?.1).context("it proves no game")?;
    check(&linked_proof::unpack(&packed, linked)?).context("no link can carry it")?;
    Ok(packed)
}

fn no_game(why: &dyn std::fmt::Display) -> Wrong {
    Wrong(format!("the link: {why}"))
}

fn unpacked(text: &str) -> Result<Vec<u8>, Wrong> {
    let packed = Base64UrlUnpadded::decode_vec(text.split('&').next().unwrap_or_default());
    packed.map_err(|error| no_game(&error))
}

/// Returns the game of a link; `None` if the text is the path of a file, or no link.
fn of_text(text: &str) -> Result<Option<LinkedLog>, Wrong> {
    let Some((_, rest)) = text.split_once(GAME).filter(|_| !Path::new(text).is_file()) else {
        return Ok(None);
    };
    of_link(&unpacked(rest)?).map(Some).map_err(|error| no_game(&error))
}

/// Returns the proof of a link with its log; `None` as `of_text`. Nothing is verified yet.
pub(crate) fn proof_of(text: &str) -> Result<Option<ProofBundle>, Wrong> {
    let Some(linked) = of_text(text)? else { return Ok(None) };
    let (_, proof) = text.split_once(PROOF).ok_or_else(|| no_game(&"it carries no proof"))?;
    linked_proof::unpack(&unpacked(proof)?, linked).map(Some).map_err(|error| no_game(&error))
}

/// Says where the signatures of a game are that has travelled without them.
fn tell_head(full_head: Option<Head>, io: &mut Io<'_>) -> std::io::Result<()> {
    let Some(head) = full_head else { return Ok(()) };
    writeln!(io.err, "without signatures: the full log has them, and the head {}", hex(&head))
}

/// Returns the number of the record that begins a round; `None` if no round is asked for.
fn first_of(mut log: &[u8], round: Option<u32>) -> anyhow::Result<Option<u64>> {
    let Some(round) = round else { return Ok(None) };
    let mut reader = canasta_engine::log::Reader::new();
    while let Some(frame) = reader.next(&mut log)? {
        if let Record::Register(register) = frame.record()?
            && register.round == round
        {
            return Ok(Some(frame.n));
        }
    }
    bail!("--round: the log has no round {round}")
}
