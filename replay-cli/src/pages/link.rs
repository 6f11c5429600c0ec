//! `link`: writes a whole game as a link, and a link as a log.

use crate::shared::io::{Exit, Io, OutputFormat, Wrong};
use crate::shared::output::OutputFile;
use crate::shared::paths;
use crate::shared::text::{count, hex, number};
use anyhow::{Context, anyhow, bail, ensure};
use base64ct::{Base64UrlUnpadded, Encoding};
use canasta_engine::archive::{LinkedLog, of_link, to_link};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::finding::Verdict;
use canasta_engine::log::{Head, Record};
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use serde_json::json;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Maximum number of characters of a link: what messengers and QR codes take.
const CHARACTERS_MAX: usize = 2_000;
/// Maximum number of bytes of a log that is tried.
const LOG_BYTES_MAX: u64 = 1 << 20;
/// The key of the packed game in the fragment, which browsers keep to themselves.
const GAME: &str = "g=";

/// The arguments of `link`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The log, or - for standard input; or a link, whose log is written
    #[arg(value_name = "LOG|LINK")]
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

Exit codes: 0 the link or the log is written; 1 the link would be too long, or is no game; 2 a file could not \
be read or written.

Examples:
  canasta-replay link game.clog --page https://club.example/
  canasta-replay link game.clog --round 3 --qr
  canasta-replay link 'https://club.example/#g=...' -o game.clog";

/// Writes the link of a log, or the log of a link.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if !Path::new(&args.subject).is_file()
        && let Some((_, rest)) = args.subject.split_once(GAME)
    {
        return write_log(rest.split('&').next().unwrap_or_default(), args, io);
    }
    let path = Path::new(&args.subject);
    let mut log = Vec::new();
    paths::open(path, &mut io.input)?.take(LOG_BYTES_MAX + 1).read_to_end(&mut log)?;
    let name = path.display();
    ensure!(log.len() as u64 <= LOG_BYTES_MAX, "{name}: expected at most 1 MiB, more than any link holds");
    let at = args.at.map_or_else(|| first_of(&log, args.round), |n| Ok(Some(n)))?;
    let packed = to_link(&log).map_err(|error| anyhow!("{name}: {error}"))?;
    let LinkedLog { full_head, log } = of_link(&packed).context("what was packed does not unpack")?;
    let mut link =
        format!("{}#{GAME}{}", args.page.trim_end_matches('#'), Base64UrlUnpadded::encode_string(&packed));
    if let Some(at) = at {
        link += &format!("&at={at}");
    }
    if link.len() > CHARACTERS_MAX {
        let length = count(link.len() as i64, "character");
        let most = number(CHARACTERS_MAX as i64);
        return Err(Wrong(format!(
            "{name}: the link would have {length}, expected at most {most}: send the log as a file, or the page of `report`"
        ))
        .into());
    }
    let report = audit(&log, Expect::default());
    let is_lawful = matches!(report.verdict, Verdict::Clean | Verdict::Ruled);
    match args.format {
        OutputFormat::Json => {
            let value = json!({
                "format": "canasta-link/1", "link": link, "characters": link.len(), "verdict": report.verdict.name(),
                "full_head": full_head.map(|head| hex(&head)),
            });
            writeln!(io.out, "{value}")?;
        }
        OutputFormat::Text => {
            writeln!(io.out, "{link}")?;
            if args.qr {
                let code = QrCode::new(&link).map_err(|error| anyhow!("the QR code: {error}"))?;
                writeln!(io.out, "{}", code.render::<Dense1x2>().quiet_zone(true).build())?;
            }
            let said = if is_lawful { "lawful and complete" } else { report.verdict.name() };
            writeln!(io.err, "{}; the game is {said}", count(link.len() as i64, "character"))?;
            tell_head(full_head, io)?;
        }
    }
    Ok(Exit::Clean)
}

fn write_log(text: &str, args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let no_game = |why: &dyn std::fmt::Display| Wrong(format!("the link: {why}"));
    let packed = Base64UrlUnpadded::decode_vec(text).map_err(|error| no_game(&error))?;
    let LinkedLog { log, full_head } = of_link(&packed).map_err(|error| no_game(&error))?;
    OutputFile::new(&args.output, args.force, [] as [&Path; 0])?.write(&log, &mut io.out)?;
    tell_head(full_head, io)?;
    Ok(Exit::Clean)
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
