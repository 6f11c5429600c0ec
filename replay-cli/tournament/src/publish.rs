//! Adds games to a tournament's tree, signs its new head, and writes one proof per game.
//!
//! The checkpoint is what publishes. It is written after everything that it covers has reached the disk, and the proofs,
//! which contain it, are written after it. Whatever a crash leaves, the tree that was signed last is whole, and the same
//! command again finishes the work.

use crate::audit::KeptCheckpoint;
use crate::checkpoint::Checkpoint;
use crate::entry::GameEntry;
use crate::fault::SiteFault;
use crate::files::{SiteFiles, read_bounded};
use crate::games::check_history;
use crate::kept;
use crate::leaf::Leaf;
use crate::log_file::{self, has_record, note_path};
use crate::merkle::leaf_hash;
use crate::note::NoteSigner;
use crate::policy::TournamentPolicy;
use crate::proof::{self, InclusionProof};
use crate::site::{self, Leaves, Site, check_signatures};
use crate::tiles::{Tile, WIDTH, bundle};
use crate::timeline::Timeline;
use anyhow::{Context, ensure};
use canasta_engine::hex::hex;
use canasta_engine::log::Reader;
use canasta_engine::log::audit::Report;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Maximum size of a log, or of the note beside a log, in bytes.
pub(crate) const LOG_MAX: u64 = 1 << 28;

/// The reason why a log is refused whose proof is there, and whose entry is not.
const LOST_ENTRY: &str =
    "there is a proof that it is published, but the tree does not have it: is the checkpoint lost?";

/// A game to publish, and its log.
#[derive(Clone, Debug)]
pub struct UnpublishedGame {
    /// The entry that the tree will have.
    pub entry: GameEntry,
    /// The present path of its log.
    pub log: PathBuf,
}

/// A leaf to publish, and what belongs to it.
#[derive(Clone, Debug)]
pub enum UnpublishedLeaf {
    Game(UnpublishedGame),
    /// A milestone; the list of heads if it names one.
    Milestone(Leaf, Option<Vec<u8>>),
}

impl UnpublishedLeaf {
    /// Returns the leaf alone.
    pub(crate) fn leaf(&self) -> Leaf {
        match self {
            Self::Game(game) => Leaf::Game(game.entry.clone()),
            Self::Milestone(leaf, _) => leaf.clone(),
        }
    }

    /// Returns the list of heads with its path, if the leaf names one.
    pub(crate) fn list(&self) -> Option<(String, &[u8])> {
        match self {
            Self::Milestone(leaf, Some(list)) => Some((leaf.list_path()?, list)),
            _ => None,
        }
    }
}

impl From<UnpublishedGame> for UnpublishedLeaf {
    fn from(game: UnpublishedGame) -> Self {
        Self::Game(game)
    }
}

/// The reason why nothing is published.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The site belongs to another tournament.
    Origin {
        expected: String,
        /// The name that the site has.
        found: String,
    },
    Damage(SiteFault),
    /// A log must not be published, for this reason.
    Log(PathBuf, String),
    /// A log must not be published, for this reason, which its audit explains.
    Audited(PathBuf, String),
    /// An audit would find it for ever.
    Forecast(SiteFault),
}

/// Reads the published tree and checks it; `None` if nothing is published yet. Adds what is wrong to `obstacles`.
///
/// # Errors
/// If the disk fails.
pub fn load_published(
    files: &impl SiteFiles,
    signer: &NoteSigner,
    origin: Option<&str>,
    since: Option<&KeptCheckpoint>,
    obstacles: &mut Vec<Obstacle>,
) -> anyhow::Result<Option<Site>> {
    let is_new = files.read(site::CHECKPOINT, 0)?.is_none();
    if is_new && since.is_none() {
        return Ok(None);
    }
    let mut faults = Vec::new();
    let site = site::load(files, &mut faults)?;
    if let Some(site) = &site {
        check_signatures(&site.note, &[signer.verifier()], site::CHECKPOINT, &mut faults);
        let found = &site.checkpoint.origin;
        if let Some(expected) = origin.filter(|&expected| expected != found) {
            obstacles.push(Obstacle::Origin { expected: expected.into(), found: found.clone() });
        }
        faults.extend(since.and_then(|since| site.extends(&since.checkpoint, &since.file).err()));
    }
    obstacles.extend(faults.into_iter().map(Obstacle::Damage));
    Ok(site)
}

/// The logs to publish, and how they are audited.
pub struct NewLogs<'a> {
    pub logs: &'a [PathBuf],
    /// The paths that the director named: the label of a log is its path below one of them.
    pub named: &'a [PathBuf],
    /// Whether games whose audit has findings are published too.
    pub with_findings: bool,
    /// Number of logs that are audited at once; 0 means one per processor.
    pub threads: usize,
    pub policy: Option<&'a TournamentPolicy>,
}

/// The games to publish, and what an audit of the site would find in their logs.
#[derive(Default)]
pub struct NewGames {
    pub games: Vec<UnpublishedGame>,
    /// The faults, which nothing mends later.
    pub faults: Vec<SiteFault>,
}

impl NewLogs<'_> {
    /// Audits the logs and returns the games that are not in the tree yet. Adds the logs that must not be published to
    /// `obstacles`. `audited` is called once per log.
    ///
    /// # Errors
    /// If a log cannot be read.
    pub fn audit(
        &self,
        site: Option<&Site>,
        files: &impl SiteFiles,
        timeline: &Timeline,
        audited: &(dyn Fn() + Sync),
        obstacles: &mut Vec<Obstacle>,
    ) -> anyhow::Result<NewGames> {
        let pool = log_file::pool(self.threads)?;
        let audit = |log: &PathBuf| {
            let report = log_file::audit(log).with_context(|| log.display().to_string());
            audited();
            report
        };
        let reports: Vec<anyhow::Result<Report>> = pool.install(|| self.logs.par_iter().map(audit).collect());
        let reports = reports.into_iter().collect::<anyhow::Result<Vec<Report>>>()?;
        let longest = self.longest(&reports);
        let read = |path: &str, most| files.read(path, most);
        let published = site.map(|site| Leaves { site, files: &read, news: &[] }.heads());
        let published = published.transpose()?.unwrap_or_default();
        let mut taken: BTreeMap<[u8; 16], &PathBuf> = BTreeMap::new();
        let mut new = NewGames::default();
        for (log, report) in self.logs.iter().zip(&reports) {
            let mut refuse =
                |why: fn(PathBuf, String) -> Obstacle, reason| obstacles.push(why(log.clone(), reason));
            let Some(entry) = GameEntry::of(report, label(log, self.named)?) else {
                refuse(Obstacle::Audited, "not a log of a game".into());
                continue;
            };
            if let Some(reason) = report.uncounted() {
                refuse(Obstacle::Log, reason);
                continue;
            }
            let heads = published.get(&entry.game_id).map_or(&[][..], Vec::as_slice);
            if heads.contains(&(entry.records, entry.head)) {
                continue;
            }
            if !self.takes(report) {
                refuse(Obstacle::Audited, entry.verdict);
                continue;
            }
            // A log that goes on behind this one stands for both.
            if let Some((records, longer)) = longest.get(&entry.game_id)
                && *records > entry.records
                && has_record(longer, entry.records - 1, &entry.head)?
            {
                continue;
            }
            if let Some(other) = taken.insert(entry.game_id, log) {
                refuse(Obstacle::Log, format!("the same game as {}", other.display()));
                continue;
            }
            match heads.last() {
                Some((records, head)) if !has_record(log, records - 1, head)? => {
                    refuse(Obstacle::Log, contradicts(&entry, records - 1));
                }
                None if files.read(&proof_path(&entry), 0)?.is_some() => {
                    refuse(Obstacle::Log, LOST_ENTRY.into());
                }
                _ => {
                    let of_game = (log.as_path(), entry.game_id);
                    let watched = timeline.watched(&entry.game_id);
                    check_history(timeline, watched, self.policy, of_game, report, &mut new.faults)?;
                    new.games.push(UnpublishedGame { entry, log: log.clone() });
                }
            }
        }
        Ok(new)
    }

    /// Returns whether the findings of a log's audit do not keep it from being published.
    fn takes(&self, report: &Report) -> bool {
        self.with_findings || report.verdict.is_clean()
    }

    /// Returns the longest log of each game, among those that may be published, with its number of records.
    fn longest(&self, reports: &[Report]) -> BTreeMap<[u8; 16], (u64, &PathBuf)> {
        let mut longest = BTreeMap::new();
        for (log, report) in self.logs.iter().zip(reports).filter(|(_, report)| self.takes(report)) {
            if let Some(genesis) = report.genesis.as_ref().filter(|_| report.uncounted().is_none()) {
                let best = longest.entry(genesis.game_id).or_insert((0, log));
                *best = (*best).max((report.records, log));
            }
        }
        longest
    }
}

/// Returns why a log does not go on from what is published of its game, up to record `last`.
fn contradicts(entry: &GameEntry, last: u64) -> String {
    let id = hex(&entry.game_id);
    format!("game {id} is published up to record {last}, and this log does not have that record")
}

/// Returns the label of a log: its path below the directory that was named, without its extension.
pub(crate) fn label(log: &Path, named: &[PathBuf]) -> anyhow::Result<String> {
    let below = named.iter().filter_map(|path| log.strip_prefix(path).ok());
    let below =
        below.filter(|below| !below.as_os_str().is_empty()).min_by_key(|below| below.as_os_str().len());
    let below = below.unwrap_or(log.file_name().map_or(log, Path::new)).with_extension("");
    let label = below.to_str().context("expected a file name in UTF-8").map(str::to_owned);
    let label = label.with_context(|| log.display().to_string())?;
    ensure!(
        label.len() <= 200 && !label.contains(char::is_control),
        "{}: expected a name of at most 200 bytes without control characters",
        log.display()
    );
    Ok(label)
}

fn proof_path(entry: &GameEntry) -> String {
    format!("{}.{}", entry.place(), proof::EXTENSION)
}

/// Adds leaves to the tree of `site`, writes the signed head, then every missing proof. Returns the new head. `cosign`
/// returns the signature lines of witnesses under the new head; it also gets the old number of leaves.
///
/// # Errors
/// If the disk fails, or a log has changed since it was audited.
pub fn extend(
    files: &mut impl SiteFiles,
    signer: &NoteSigner,
    mut site: Site,
    news: &[UnpublishedLeaf],
    cosign: &mut dyn FnMut(&Site, u64) -> Vec<String>,
) -> anyhow::Result<Checkpoint> {
    if !news.is_empty() {
        // Who cosigned the old checkpoint by hand, or before a crash, is kept too.
        kept::keep(files, &site)?;
        for of in news {
            if let Some((path, list)) = of.list() {
                files.put(&path, list)?;
            }
            let UnpublishedLeaf::Game(game) = of else { continue };
            let log = read_log(game)?;
            let path = format!("{}.{}", game.entry.place(), log_file::EXTENSION);
            files.put(&path, &log)?;
            let note = note_path(&game.log);
            if note.exists() {
                files.put(&format!("{path}.note"), &read_bounded(&note, LOG_MAX)?)?;
            }
        }
        let old = site.tree.size();
        // The tile that is not full yet is written again as a whole.
        let first = old - old % WIDTH;
        let mut leaves: Vec<Vec<u8>> = Vec::new();
        let known = Leaves { site: &site, files: &|path, most| files.read(path, most), news: &[] };
        for leaf in known.from(first) {
            leaves.extend(leaf?.1.map(|leaf| leaf.to_bytes()));
        }
        leaves.extend(news.iter().map(|of| of.leaf().to_bytes()));
        leaves[(old - first) as usize..].iter().for_each(|leaf| site.tree.push(leaf_hash(leaf)));
        let size = site.tree.size();
        for tile in Tile::all(size).filter(|tile| !tile.is_in(old)) {
            files.put(&tile.path(), tile.hashes(&site.tree).as_flattened())?;
            if tile.level == 0 {
                let start = (tile.index * WIDTH - first) as usize;
                let leaves = &leaves[start..start + tile.width as usize];
                files.put(&tile.bundle_path(), &bundle(leaves.iter().map(Vec::as_slice)))?;
            }
        }
        files.settle()?;
        site.checkpoint.size = size;
        site.checkpoint.root = site.tree.root(size);
        site.note = signer.sign(&site.checkpoint.body());
        files.put(site::CHECKPOINT, site.note.as_bytes())?;
        files.settle()?;
        let lines = cosign(&site, old);
        if !lines.is_empty() {
            site.note.extend(lines);
            files.put(site::CHECKPOINT, site.note.as_bytes())?;
            files.settle()?;
            kept::keep(files, &site)?;
        }
    }
    write_proofs(files, &site)?;
    files.settle()?;
    Ok(site.checkpoint)
}

/// Writes the missing proofs. An existing proof stays: it leads to an earlier head of the same tree.
fn write_proofs(files: &mut impl SiteFiles, site: &Site) -> anyhow::Result<()> {
    let mut missing = Vec::new();
    let leaves = Leaves { site, files: &|path, most| files.read(path, most), news: &[] };
    for entry in leaves.games() {
        let (index, entry) = entry?;
        let path = proof_path(&entry);
        if files.read(&path, 0)?.is_none() {
            missing.push((index, path, entry.to_bytes()));
        }
    }
    for (index, path, leaf) in missing {
        let way = site.tree.inclusion(index, site.checkpoint.size);
        let proof = InclusionProof { leaf, index, path: way, note: site.note.clone() };
        files.put(&path, proof.to_text().as_bytes())?;
    }
    Ok(())
}

/// Reads a log, which must still be the log that was audited.
fn read_log(game: &UnpublishedGame) -> anyhow::Result<Vec<u8>> {
    let bytes = read_bounded(&game.log, LOG_MAX)?;
    let (mut reader, mut piece) = (Reader::new(), bytes.as_slice());
    let mut last = None;
    while let Ok(Some(frame)) = reader.next(&mut piece) {
        last = Some((frame.n + 1, frame.head));
    }
    let (is_same, log) = (last == Some((game.entry.records, game.entry.head)), game.log.display());
    ensure!(is_same, "{log}: it has changed since it was audited");
    Ok(bytes)
}
