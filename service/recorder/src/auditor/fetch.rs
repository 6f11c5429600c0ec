//! The command `fetch`: logs of archived games as files, each checked against its verdict.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use anyhow::{anyhow, ensure};
use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use tokio::task::{JoinSet, spawn_blocking};

use super::settings::FetchOptions;
use crate::archive::packed::unpack;
use crate::archive::{ArchiveFault, ArchivedGame, GameArchive, ObjectPaths, PATHS_MAX, damaged, digest};
use crate::folder::write_synced;

/// Number of games that are brought back at a time.
const FETCHES: usize = 16;

/// Numbers of games, by what became of them.
#[derive(Default)]
struct FetchCounts {
    written: u64,
    there: u64,
    failed: u64,
}

/// Writes the logs of archived games into a folder, and prints their number. A game that cannot be brought back does not
/// hinder the others.
///
/// # Errors
/// If the folder cannot be used, the archive does not answer, or a game is not brought back.
pub async fn fetch(archive: &GameArchive, options: &FetchOptions) -> anyhow::Result<()> {
    let folder = options.folder.display();
    ensure!(options.folder.is_dir(), "{folder} is no folder: create it first");
    let (archive, options) = (archive.clone(), Arc::new(options.clone()));
    let (mut counts, mut tasks, mut after) = (FetchCounts::default(), JoinSet::new(), None);
    loop {
        let page = page(&archive, &options, after).await?;
        let Some(last) = page.last() else { break };
        after = Some(*last);
        for game in page {
            if tasks.len() == FETCHES {
                count(&mut counts, &mut tasks).await?;
            }
            let (archive, options) = (archive.clone(), Arc::clone(&options));
            tasks.spawn(async move { (game, one(&archive, &options, game).await) });
        }
        if !options.games.is_empty() {
            break;
        }
    }
    while !tasks.is_empty() {
        count(&mut counts, &mut tasks).await?;
    }
    let FetchCounts { written, there, failed } = counts;
    println!("{written} logs written, {there} were there");
    let asked = written + there + failed;
    ensure!(failed == 0, "{failed} of {asked} games are not brought back");
    Ok(())
}

/// Returns the next games that may be wanted.
async fn page(
    archive: &GameArchive,
    options: &FetchOptions,
    after: Option<GameId>,
) -> Result<Vec<GameId>, ArchiveFault> {
    match &options.label {
        _ if !options.games.is_empty() => Ok(options.games.clone()),
        Some(label) => archive.labelled_after(label, after, PATHS_MAX).await,
        None => archive.games_after(after, PATHS_MAX).await,
    }
}

/// The outcome for a game: true if its log is written, false if it was there, `None` if it is not wanted.
type Fetched = (GameId, anyhow::Result<Option<bool>>);

/// Waits for one game, and counts it.
///
/// # Errors
/// If the archive does not answer: then it will not for other games either.
async fn count(counts: &mut FetchCounts, tasks: &mut JoinSet<Fetched>) -> anyhow::Result<()> {
    match tasks.join_next().await {
        Some(Ok((_, Ok(Some(true))))) => counts.written += 1,
        Some(Ok((_, Ok(Some(false))))) => counts.there += 1,
        Some(Ok((_, Ok(None)))) | None => {}
        Some(Ok((game, Err(error)))) => {
            if let Some(ArchiveFault::Unavailable(_)) = error.downcast_ref() {
                return Err(error);
            }
            tracing::error!(game = hex(&game.0), "{error}");
            counts.failed += 1;
        }
        Some(Err(_)) => counts.failed += 1,
    }
    Ok(())
}

async fn one(archive: &GameArchive, options: &FetchOptions, game: GameId) -> anyhow::Result<Option<bool>> {
    let missing = || ArchiveFault::Missing(format!("game {}", hex(&game.0)));
    let told = archive.archived(game).await?.ok_or_else(missing)?;
    if options.label.as_ref().is_some_and(|label| *label != told.summary.label) {
        return Ok(None);
    }
    let log = log(archive, &told).await?;
    let path = options.folder.join(format!("{}.clog", hex(&game.0)));
    spawn_blocking(move || write(&path, &log)).await?.map(Some)
}

/// Returns the log of a judged game. It is the one that the verdict was given on.
async fn log(archive: &GameArchive, told: &ArchivedGame) -> Result<Vec<u8>, ArchiveFault> {
    let paths = ObjectPaths::of(told.game, &told.head);
    if digest(&archive.get(&paths.verdict).await?) != told.digests.verdict {
        return Err(damaged(&paths.verdict, "it is not the one that was put"));
    }
    let packed = archive.get(&paths.log).await?;
    let (digests, log_sha256) = (told.digests, told.verdict.log_sha256.clone());
    let unpacked = spawn_blocking(move || {
        let log = unpack(&packed).map_err(|error| error.to_string())?;
        let is_same = digest(&packed) == digests.log && digest(&log)[..] == log_sha256[..];
        if is_same { Ok(log) } else { Err("it is not the log of the verdict".to_owned()) }
    });
    let unpacked = unpacked.await.unwrap_or_else(|_| Err("to unpack it panicked".into()));
    unpacked.map_err(|problem| damaged(&paths.log, problem))
}

/// Writes a file unless it is there. Returns true if it is written. The file is complete or absent, whenever the program is
/// killed.
fn write(path: &Path, log: &[u8]) -> anyhow::Result<bool> {
    let name = path.display();
    let at = |error| anyhow!("{name}: {error}");
    let same = || match fs::read(path) {
        Ok(there) if there == log => Ok(Some(false)),
        Ok(_) => Err(anyhow!("{name} has another content: it is not overwritten")),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(error)),
    };
    if let Some(written) = same()? {
        return Ok(written);
    }
    let new = path.with_extension(format!("{}.new", std::process::id()));
    let renamed = || Ok(renameat_with(CWD, &new, CWD, path, RenameFlags::NOREPLACE)?);
    let Err(error) = write_synced(&new, log).and_then(|()| renamed()) else { return Ok(true) };
    // What is left of it is of no use.
    let _ = fs::remove_file(&new);
    match error.kind() {
        ErrorKind::AlreadyExists => same()?.ok_or_else(|| at(error)),
        _ => Err(at(error)),
    }
}
