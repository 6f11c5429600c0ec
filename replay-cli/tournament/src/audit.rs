//! Audits a published tournament, or the proof of one game.

use crate::checkpoint::{self, Checkpoint};
use crate::entry::GameEntry;
use crate::fault::{FAULTS_MAX, FaultKind, SiteFault};
use crate::files::{Directory, SiteFiles, read_text};
use crate::games::{AuditedGames, Fate, OwnLog, PublishedGames, audit_against};
use crate::kept;
use crate::log_file;
use crate::names;
use crate::note::{NoteVerifier, Opened};
use crate::paper::PublishedPaper;
use crate::policy::{TournamentPolicy, WitnessPolicy};
use crate::proof::{self, InclusionProof};
use crate::rest;
use crate::sightings::{SightedTree, Sightings, TOLERANCE_MS};
use crate::site::{self, Leaves, check_signatures};
use crate::text::duration;
use crate::timeline::{TimedGame, Timeline};
use crate::times::GameTimes;
use anyhow::Context;
use canasta_engine::hex::unhex;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

pub struct KeptCheckpoint {
    pub file: String,
    pub note: String,
    pub checkpoint: Checkpoint,
}

/// The ids of the games that were announced before play.
pub struct Announced {
    pub file: String,
    /// The ids, in the order of the list.
    pub games: Vec<[u8; 16]>,
}

/// The evidence from elsewhere that a published tournament must agree with.
pub struct Evidence<'a> {
    /// The keys that must have signed the checkpoint and every proof.
    pub keys: &'a [NoteVerifier],
    /// Copies of logs that must be in the tree.
    pub logs: &'a [PathBuf],
    /// A checkpoint that the tree must extend.
    pub since: Option<KeptCheckpoint>,
    /// Games that must be in the tree.
    pub announced: Option<Announced>,
    pub policy: Option<&'a TournamentPolicy>,
    /// The clock of whoever audits, in milliseconds since 1970.
    pub now_ms: i64,
}

/// The result of auditing a published tournament, or the proof of one game.
#[derive(Default)]
pub struct TournamentReport {
    pub checkpoint: Option<Checkpoint>,
    /// Names of the keys that signed the head.
    pub signed_by: Vec<String>,
    /// Names of the witnesses that cosigned the head, with their times in seconds since 1970.
    pub cosigned_by: Vec<(String, u64)>,
    /// Number of entries of the earlier tree that this tree extends.
    pub since: Option<u64>,
    /// Index and entry of the game that was proven, if only one proof was audited.
    pub proven: Option<(u64, GameEntry)>,
    /// The results of all logs, with what the tree leaves unproven.
    pub games: AuditedGames,
    /// The own copies of logs, compared with the tree.
    pub own: Vec<OwnLog>,
    /// The history that the leaves tell.
    pub timeline: Timeline,
    /// The times at which witnesses had seen the leaves.
    pub seen: SightedTree,
    /// The clock of whoever audits, in milliseconds since 1970.
    pub now_ms: i64,
    /// Pairs of different names of players that look alike.
    pub alike: Vec<(String, String)>,
    /// Signed score sheets of games without a log.
    pub papers: Vec<PublishedPaper>,
    /// Number of announced games that are in the tree.
    pub announced: Option<u64>,
    /// Paths of the files under the site that the audit does not cover.
    pub not_covered: Vec<String>,
    /// The damage found: at most [`FAULTS_MAX`] faults.
    pub faults: Vec<SiteFault>,
}

impl TournamentReport {
    /// Returns the moments at which each game was opened, fixed, and closed or voided, in the order of ids.
    pub fn times(&self) -> impl Iterator<Item = GameTimes<'_>> {
        self.timeline.times(&self.seen)
    }
}

impl KeptCheckpoint {
    /// Reads a checkpoint from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a checkpoint.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let name = file.display().to_string();
        let note = read_text(file, checkpoint::BYTES_MAX)?;
        let checkpoint = Checkpoint::parse(&note).with_context(|| name.clone())?;
        Ok(Self { file: name, note, checkpoint })
    }
}

impl Announced {
    /// Reads a list of games: the first word of every line is an id, except of empty lines and lines that begin with
    /// `#`.
    ///
    /// # Errors
    /// If the file cannot be read, or a line does not begin with an id.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let name = file.display().to_string();
        let text = fs::read_to_string(file).with_context(|| name.clone())?;
        let lines =
            (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let id = |(number, line): (usize, &str)| {
            let word = line.split_whitespace().next().unwrap_or_default();
            let id = unhex(word);
            id.with_context(|| {
                format!("{name} line {number}: expected a game id of 32 lower-case hex digits")
            })
        };
        let games = lines.map(id).collect::<anyhow::Result<_>>()?;
        Ok(Self { file: name, games })
    }
}

/// Audits a published directory. `threads` of 0 means one thread per processor; `audited` is called once per log, with
/// the number of all logs.
///
/// # Errors
/// If a file cannot be read.
pub fn audit_site(
    root: &Path,
    evidence: &Evidence<'_>,
    threads: usize,
    audited: &(dyn Fn(u64) + Sync),
) -> anyhow::Result<TournamentReport> {
    let pool = log_file::pool(threads)?;
    let files = Directory::new(root);
    let mut report = TournamentReport::default();
    let faults = &mut report.faults;
    let name = || root.display().to_string();
    let Some(site) = site::load(&files, faults).with_context(name)? else { return Ok(report) };
    report.signed_by = signers(&site.note, evidence.keys, site::CHECKPOINT, faults);
    if let Some(KeptCheckpoint { file, note, checkpoint }) = &evidence.since {
        check_signatures(note, evidence.keys, file, faults);
        match site.extends(checkpoint, file) {
            Ok(extends) => report.since = extends.then_some(checkpoint.size),
            Err(fault) => faults.push(fault),
        }
    }
    let tree = evidence.policy.map(|policy| &policy.tree);
    if let Some(origin) =
        tree.and_then(|tree| tree.origin.as_ref()).filter(|&of| *of != site.checkpoint.origin)
    {
        let detail = format!("the policy is of {origin}, the checkpoint of {}", site.checkpoint.origin);
        faults.push(SiteFault::new(FaultKind::Checkpoint, site::CHECKPOINT, detail));
    }
    let leaves = Leaves { site: &site, files: &|path, most| files.read(path, most), news: &[] };
    let timeline = Timeline::read(&leaves, tree, faults).with_context(name)?;
    let (mut seen, mut behind_ms) = (SightedTree::default(), None);
    if let Some(policy) = evidence.policy {
        let witnesses = &policy.witnesses;
        let sightings = || kept::sightings(&files, &site, evidence.keys, witnesses, faults);
        (seen, report.cosigned_by) = pool.install(sightings).with_context(name)?;
        faults.extend(lacks_witnesses(witnesses, report.cosigned_by.len(), site::CHECKPOINT));
        behind_ms = seen.behind_ms(&timeline.times, witnesses, evidence.now_ms, faults);
        timeline.check_clock(&policy.tree, evidence.now_ms, faults);
    }
    (report.seen, report.now_ms) = (seen, evidence.now_ms);
    let (keys, policy) = (evidence.keys, evidence.policy);
    report.papers = timeline.check_papers(&leaves, policy, faults).with_context(name)?;
    let games = PublishedGames { root, site: &site, keys, policy, timeline: &timeline };
    report.games = games.audit_all(&leaves, &files, &pool, audited, faults)?;
    let registered = policy.iter().flat_map(|policy| policy.players.keys());
    let pairs = names::alike(registered.map(String::as_str).chain(report.games.players())).into_iter();
    report.alike = pairs.map(|(first, second)| (first.to_owned(), second.to_owned())).collect();
    report.games.reservations.extend(of_tree(&timeline, behind_ms, evidence));
    report.not_covered = rest::check(root, &leaves, &timeline, faults).with_context(name)?;
    for log in evidence.logs {
        report.own.push(games.check_own(&leaves, log, faults).with_context(|| log.display().to_string())?);
    }
    if let Some(announced) = &evidence.announced {
        let missing = |id: &&[u8; 16]| timeline.last_entry(id).is_none() && !timeline.papers.contains(*id);
        let missing = announced.games.iter().filter(missing).map(|&id| {
            let detail = "it was announced and is not published";
            SiteFault::new(FaultKind::GameMissing, &announced.file, detail).of_game(id)
        });
        let missing: Vec<SiteFault> = missing.collect();
        report.announced = Some((announced.games.len() - missing.len()) as u64);
        faults.extend(missing);
    }
    faults.truncate(FAULTS_MAX);
    (report.checkpoint, report.timeline) = (Some(site.checkpoint), timeline);
    Ok(report)
}

/// Audits the proof of one game, and checks that the logs given are the log that it proves.
///
/// # Errors
/// If a file cannot be read.
pub fn audit_proof(
    path: &Path,
    keys: &[NoteVerifier],
    policy: Option<&TournamentPolicy>,
    logs: &[PathBuf],
) -> anyhow::Result<TournamentReport> {
    let file = path.display().to_string();
    let mut bytes = Vec::new();
    let opened = File::open(path).with_context(|| file.clone())?;
    opened.take(proof::BYTES_MAX).read_to_end(&mut bytes).with_context(|| file.clone())?;
    let text = String::from_utf8(bytes).unwrap_or_default();
    let no_witnesses = WitnessPolicy::default();
    let witnesses = policy.map_or(&no_witnesses, |policy| &policy.witnesses);
    let mut report = check_proof(&text, &file, keys, witnesses);
    let Some((index, entry)) = &report.proven else { return Ok(report) };
    for log in logs {
        let (game, _) = audit_against(log, entry).with_context(|| log.display().to_string())?;
        *report.games.verdicts.entry(game.verdict).or_default() += 1;
        report.own.push(OwnLog {
            game_id: entry.game_id,
            fate: if game.faults.is_empty() { Fate::Published } else { Fate::Changed },
        });
        report.faults.extend(game.faults.into_iter().map(|fault| fault.at(*index)));
    }
    report.faults.truncate(FAULTS_MAX);
    Ok(report)
}

/// Follows the proof of one game to its checkpoint, and checks the signatures of the checkpoint. `file` is the name for
/// faults.
pub fn check_proof(
    text: &str,
    file: &str,
    keys: &[NoteVerifier],
    witnesses: &WitnessPolicy,
) -> TournamentReport {
    let mut report = TournamentReport::default();
    let faults = &mut report.faults;
    let (proof, checkpoint) = match InclusionProof::parse(text) {
        Ok(parsed) => parsed,
        Err(bad) => {
            faults.push(SiteFault::new(FaultKind::Proof, file, bad.to_string()));
            return report;
        }
    };
    report.signed_by = signers(&proof.note, keys, file, faults);
    let mut sightings = Sightings::new(witnesses);
    let cosigned = sightings.open(&proof.note);
    report.cosigned_by = sightings.take(&cosigned, checkpoint.size, file, faults);
    faults.extend(lacks_witnesses(witnesses, report.cosigned_by.len(), file));
    report.checkpoint = Some(checkpoint);
    match GameEntry::from_bytes(&proof.leaf) {
        Some(entry) => report.proven = Some((proof.index, entry)),
        None => {
            let detail = "it proves something that is not an entry of a game";
            faults.push(SiteFault::new(FaultKind::Entry, file, detail));
        }
    }
    report
}

/// Checks that every key signed a note, and returns the names of those that did.
fn signers(note: &str, keys: &[NoteVerifier], file: &str, faults: &mut Vec<SiteFault>) -> Vec<String> {
    let opened = site::opened(note, keys);
    faults.extend(site::unsigned(&opened, keys, file));
    let signed = keys.iter().zip(opened).filter(|(_, opened)| *opened == Opened::Signed);
    signed.map(|(key, _)| key.name().to_owned()).collect()
}

/// Returns the fault of a checkpoint that fewer witnesses have cosigned than the policy promises.
fn lacks_witnesses(policy: &WitnessPolicy, found: usize, file: &str) -> Option<SiteFault> {
    let (quorum, all) = (policy.quorum, policy.keys.len());
    let detail = format!("the policy promises {quorum} of {all} witnesses, found {found}");
    (found < quorum).then(|| SiteFault::new(FaultKind::Witness, file, detail))
}

/// Returns what the tree does not prove although nothing is wrong with it, each with the number of games concerned.
fn of_tree(timeline: &Timeline, behind_ms: Option<i64>, evidence: &Evidence<'_>) -> Vec<(String, u64)> {
    let about_times = match behind_ms {
        None => timeline.latest_ms.map(|_| {
            "when it happened: no witnesses of a policy have signed all leaves, and times are as claimed"
                .into()
        }),
        Some(behind) => (behind > TOLERANCE_MS).then(|| {
            let behind = duration(behind);
            format!(
                "times as claimed: witnesses signed leaves up to {behind} after the time that these claim"
            )
        }),
    };
    let is_unopened = |game: &&TimedGame| game.last.is_some() && game.opened.is_none();
    let of_games = [
        (
            timeline.games.values().filter(is_unopened).count() as u64,
            "that a game was not played several times: it was not opened in the tree before it ended",
        ),
        (
            timeline.numbers()[1],
            "that a game was not begun several times: it was opened after its first card",
        ),
        (
            timeline.announced_late.len() as u64,
            "that a game was announced before play: it was announced after its opening or its result",
        ),
    ];
    let unsigned = evidence.keys.is_empty();
    let unsigned =
        unsigned.then(|| "who signed the checkpoint: no key was given (--key, --policy)".to_owned());
    let of_games = of_games.into_iter().filter(|(games, _)| *games > 0);
    let left = [unsigned, about_times].into_iter().flatten().map(|text| (text, 0));
    left.chain(of_games.map(|(games, text)| (text.to_owned(), games))).collect()
}
