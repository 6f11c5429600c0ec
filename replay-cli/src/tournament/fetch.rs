//! `fetch`: the logs of a recorder's games, while they are played.

mod recorder;

use super::http::HttpAddress;
use super::looks;
use crate::shared::io::{Exit, Io, in_words};
use crate::shared::parallel;
use crate::shared::text::count;
use anyhow::{Context, ensure};
use canasta_engine::hex::hex;
use canasta_engine::log::Reader;
use canasta_tournament::files::read_text;
use canasta_tournament::growing::GrowingLog;
use canasta_tournament::log_file::EXTENSION;
use canasta_tournament::openings::Openings;
use canasta_tournament::policy::TournamentPolicy;
use rayon::ThreadPool;
use rayon::prelude::*;
use recorder::{ListedGame, Recorder};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Maximum size of the file of the credentials, in bytes.
const SECRET_MAX: u64 = 8 << 10;
/// Maximum number of games that are asked for at the same time.
const AT_ONCE: usize = 8;
/// Number of records before the first card: genesis and register.
const BEFORE_CARDS: u64 = 2;

/// The arguments of `fetch`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Address of the recorder: http://HOST:PORT or https://HOST
    #[arg(value_name = "URL")]
    url: HttpAddress,
    /// The directory of the logs, which is made if it does not exist
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// File with the director's API key or token
    #[arg(long, value_name = "FILE")]
    token: Option<PathBuf>,
    /// Only the games of this label
    #[arg(long, value_name = "LABEL")]
    label: Option<String>,
    /// Let a game that waits for its opening be dealt as soon as SITE has opened it
    #[arg(long, value_name = "SITE")]
    opened_in: Option<PathBuf>,
    /// The policy of the tournament: its keys must have signed SITE, and its quorum of witnesses the opening
    #[arg(long, value_name = "FILE", requires = "opened_in")]
    policy: Option<PathBuf>,
    /// Seconds between two looks
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=3600))]
    every: u32,
    /// Look once and end
    #[arg(long)]
    once: bool,
}

const EXAMPLES: &str = "\
Each game's log is DIR/ID.clog. Only what is new is asked for, and nothing is written that does not go on from the records that \
are there. The log of a game that is on shows no card and no secret. Of a game before its first action the file has at \
most two records, so that publish opens it before its cards. FILE needs the right DIRECTOR, and TABLE for --opened-in.

Exit codes: 0 fetched; 1 with --once: a game could not be fetched or dealt; 2 the recorder or a file could not be read; the same \
command again goes on.

Examples:
  canasta-replay fetch http://127.0.0.1:50051 -o live
  canasta-replay fetch https://club.example -o live --token director.token --opened-in site --policy policy.toml";

/// The logs as they were at the last look, by the ids of their games.
type KnownLogs = BTreeMap<[u8; 16], GrowingLog>;

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let secret = args.token.as_deref().map(|file| read_text(file, SECRET_MAX)).transpose()?;
    let recorder = Recorder::new(&args.url, secret.as_deref().map(str::trim));
    let policy = TournamentPolicy::named(args.policy.as_deref())?;
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let mut known = KnownLogs::new();
    let pool = parallel::pool(AT_ONCE)?;
    looks::repeat(args.every, args.once, io, |_, io| {
        let exit = look(args, &recorder, policy.as_ref(), (&mut known, &pool), io)?;
        Ok(if args.once { exit } else { Exit::Clean })
    })
}

/// Fetches what is new, and lets the games begin that are opened. A game that fails is named, and the others go on.
fn look(
    args: &Args,
    recorder: &Recorder,
    policy: Option<&TournamentPolicy>,
    (known, pool): (&mut KnownLogs, &ThreadPool),
    io: &mut Io<'_>,
) -> anyhow::Result<Exit> {
    let games = recorder.games(args.label.as_deref())?;
    let (mut grown, mut records, mut begun, mut failed) = (0, 0, 0, 0);
    let mut name = |game: &ListedGame, error: &anyhow::Error, io: &mut Io<'_>| {
        failed += 1;
        io.remark(format_args!("game {}: {}", hex(&game.id), in_words(error)))
    };
    let asked: Vec<_> = games.iter().map(|game| (game, known.remove(&game.id))).collect();
    let take = |(game, log)| (game, take(args, recorder, log, game));
    let taken: Vec<(&ListedGame, _)> = pool.install(|| asked.into_par_iter().map(take).collect());
    for (game, taken) in taken {
        match taken {
            Ok((log, new)) => {
                known.extend(log.map(|log| (game.id, log)));
                (grown, records) = (grown + u64::from(new > 0), records + new);
            }
            Err(error) => name(game, &error, io)?,
        }
    }
    let mut waiting = games.iter().filter(|game| game.is_new && game.is_live).peekable();
    if let Some(site) = args.opened_in.as_ref().filter(|_| waiting.peek().is_some()) {
        let openings = Openings::read(site, policy)?;
        for game in waiting.filter(|game| known.get(&game.id).is_some_and(|log| openings.have(log))) {
            match recorder.begin(&game.id) {
                Ok(()) => begun += 1,
                Err(error) => name(game, &error, io)?,
            }
        }
    }
    if args.once || grown + begun > 0 {
        let (records, games) = (count(records, "record"), count(grown, "game"));
        writeln!(io.out, "fetched {records} of {games}, dealt {}", count(begun, "game"))?;
    }
    Ok(Exit::clean_if(failed == 0))
}

/// Fetches what is new of a game, whose log is known so far. Returns the log, and the number of new records.
fn take(
    args: &Args,
    recorder: &Recorder,
    known: Option<GrowingLog>,
    game: &ListedGame,
) -> anyhow::Result<(Option<GrowingLog>, u64)> {
    let path = args.out.join(format!("{}.{EXTENSION}", hex(&game.id)));
    let mut log = known.map_or_else(|| open(&path), GrowingLog::again)?;
    let before = records(log.as_ref());
    let end = if game.is_new { game.records.min(BEFORE_CARDS) } else { game.records };
    ensure!(before <= end, "{} has {before} records, and the recorder has {end}", path.display());
    let is_other = |log: &GrowingLog| log.records() == game.records && log.head()[..] != game.head[..];
    ensure!(!log.as_ref().is_some_and(is_other), "{} has other records than the recorder", path.display());
    while records(log.as_ref()) < end {
        let frames = recorder.records(&game.id, records(log.as_ref()))?;
        log = append(&path, log, &frames, end).with_context(|| path.display().to_string())?;
    }
    let is_of_another = log.as_ref().is_some_and(|log| log.genesis.game_id != game.id);
    ensure!(!is_of_another, "{} is the log of another game", path.display());
    Ok((log, end - before))
}

fn records(log: Option<&GrowingLog>) -> u64 {
    log.map_or(0, GrowingLog::records)
}

/// Reads a log that may be there already.
fn open(path: &Path) -> anyhow::Result<Option<GrowingLog>> {
    if !path.try_exists().with_context(|| path.display().to_string())? {
        return Ok(None);
    }
    let log = GrowingLog::read(path)?;
    if let Some(fault) = log.as_ref().and_then(|log| log.fault.clone()) {
        return Err(fault).with_context(|| format!("{} is damaged: move it away", path.display()));
    }
    Ok(log)
}

/// Appends records that go on from the log, up to `end` records in all. What a crash has left behind the last whole record is
/// cut off.
fn append(
    path: &Path,
    log: Option<GrowingLog>,
    frames: &[u8],
    end: u64,
) -> anyhow::Result<Option<GrowingLog>> {
    let mut reader = log.as_ref().map_or_else(Reader::new, GrowingLog::reader);
    let (start, mut rest) = (reader.offset(), frames);
    while reader.chain().next < end
        && reader.next(&mut rest).context("the recorder's records do not go on from it")?.is_some()
    {}
    let length = usize::try_from(reader.offset() - start)?;
    ensure!(reader.chain().next > records(log.as_ref()), "the recorder sent no whole record");
    let mut file = OpenOptions::new().create(true).write(true).truncate(false).open(path)?;
    file.set_len(start)?;
    file.seek(SeekFrom::Start(start))?;
    file.write_all(&frames[..length])?;
    drop(file);
    log.map_or_else(|| GrowingLog::read(path), GrowingLog::again)
}
