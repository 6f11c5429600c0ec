//! Audits the games of a published tournament: their logs against the tree, and the proofs beside them.

use crate::boards;
use crate::entries::{self, PublishedEntry};
use crate::entry::{GameEntry, hexed};
use crate::fault::{FAULTS_MAX, FaultKind, SiteFault};
use crate::files::SiteFiles;
use crate::leaf::Leaf;
use crate::log_file::{self, has_record, lacks};
use crate::note::NoteVerifier;
use crate::owed::OwedByPlayer;
use crate::policy::TournamentPolicy;
use crate::promises;
use crate::proof::{self, InclusionProof};
use crate::reserve::{self, Outside};
use crate::sheet;
use crate::site::{Leaves, Site, check_signatures};
use crate::text::count;
use crate::timeline::{Timeline, WatchedGame};
use anyhow::Context;
use canasta_engine::action::Ruling;
use canasta_engine::log::audit::Report;
use canasta_engine::log::finding::{Finding, FindingKind};
use canasta_engine::log::record::Genesis;
use canasta_engine::seat::Seat;
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Maximum number of rulings that an audit keeps.
const RULINGS_MAX: usize = 10_000;
/// Number of logs whose results are in memory at once.
const AT_ONCE: usize = 1_000;

/// The games of a site, with the keys that must have signed their proofs.
pub struct PublishedGames<'a> {
    pub root: &'a Path,
    pub site: &'a Site,
    pub keys: &'a [NoteVerifier],
    pub policy: Option<&'a TournamentPolicy>,
    pub timeline: &'a Timeline,
}

/// The result of auditing one log against its entry.
#[derive(Default)]
pub struct AuditedGame {
    pub verdict: &'static str,
    pub faults: Vec<SiteFault>,
    pub rulings: Vec<PublishedRuling>,
    /// The facts that the log does not prove, in words.
    pub reservations: Vec<String>,
    /// The values that players owed to deals.
    pub owed: OwedByPlayer,
}

/// The result of auditing all logs.
#[derive(Default)]
pub struct AuditedGames {
    /// Number of logs per verdict.
    pub verdicts: BTreeMap<&'static str, u64>,
    pub rulings: Vec<PublishedRuling>,
    /// The facts that are not proven although nothing is wrong, each with the number of games that it is about.
    pub reservations: BTreeMap<String, u64>,
    /// The values that players owed to deals, by name.
    pub owed: OwedByPlayer,
    /// The names of the players, numbered as they come.
    names: BTreeMap<String, usize>,
}

pub struct PublishedRuling {
    pub genesis: Genesis,
    pub record: u64,
    /// The ruling, without a position.
    pub ruling: Ruling,
    /// The seat of each player, by place in the genesis.
    pub seating: Vec<Seat>,
}

/// An own copy of a log, compared with what is published.
#[derive(Serialize)]
pub struct OwnLog {
    #[serde(with = "hexed")]
    pub game_id: [u8; 16],
    pub fate: Fate,
}

/// The result of comparing an own copy with the tree.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// The tree has the log, at least as far as the copy goes.
    Published,
    /// The game was voided; the copy has the heads that were signed.
    Voided,
    /// The game is in progress; the copy has the heads that were signed.
    InProgress,
    /// The copy contradicts the tree, or the tree knows nothing of the game: a fault says what.
    Changed,
}

/// Audits a log and compares the result with an entry. Returns the audit's report too.
pub fn audit_against(log: &Path, entry: &GameEntry) -> io::Result<(AuditedGame, Report)> {
    let report = log_file::audit(log)?;
    Ok((against(&report, &log.display().to_string(), entry), report))
}

/// Compares the result of a log's audit with an entry. `path` is the name for faults.
pub fn against(report: &Report, path: &str, entry: &GameEntry) -> AuditedGame {
    let mut faults = Vec::new();
    let fault = |kind, detail: String| SiteFault::of_log(kind, path, detail).of_game(entry.game_id);
    match GameEntry::of(report, entry.label.clone()) {
        None => faults.push(fault(FaultKind::GameChanged, "the log cannot be read".into())),
        Some(found) => {
            let differing = entry.differing(&found);
            if !differing.is_empty() {
                let detail =
                    format!("the log is not the one in the tree: it differs in {}", differing.join(", "));
                faults.push(fault(FaultKind::GameChanged, detail));
            }
        }
    }
    // A game in progress is no fault: the history of the tree says whether it should have ended.
    let goes_on = |finding: &Finding| finding.kind == FindingKind::Incomplete;
    let goes_on = entry.result.is_none() && report.findings.iter().all(goes_on);
    if !report.verdict.is_clean() && !goes_on {
        let findings = count(report.findings.len() as u64, "finding");
        faults.push(fault(FaultKind::Verdict, format!("{}: {findings}", report.verdict.name())));
    }
    faults.extend(report.uncounted().map(|reason| fault(FaultKind::Verdict, reason)));
    let mut owed = OwedByPlayer::default();
    owed.add(report);
    AuditedGame {
        verdict: report.verdict.name(),
        faults,
        rulings: rulings(report),
        reservations: Vec::new(),
        owed,
    }
}

fn rulings(report: &Report) -> Vec<PublishedRuling> {
    let Some(genesis) = &report.genesis else { return Vec::new() };
    let of = |(record, ruling): &(u64, Ruling)| PublishedRuling {
        genesis: genesis.clone(),
        record: *record,
        ruling: ruling.clone(),
        seating: report.seating.clone(),
    };
    report.ruled.iter().map(of).collect()
}

/// Checks that a log has the heads that were signed while it was played, is the game that was opened, and keeps the
/// promises of the policy.
pub fn check_history(
    timeline: &Timeline,
    watched: Option<&WatchedGame>,
    policy: Option<&TournamentPolicy>,
    (log, game_id): (&Path, [u8; 16]),
    report: &Report,
    faults: &mut Vec<SiteFault>,
) -> io::Result<()> {
    let mut find = |kind, detail: String| {
        faults.push(SiteFault::of_log(kind, log.display().to_string(), detail).of_game(game_id));
    };
    let genesis = report.genesis.as_ref();
    if let Some(watched) = watched {
        let found = watched.contradicted_by(genesis, u64::MAX, |heads| lacks(log, heads))?;
        found.into_iter().for_each(|detail| find(FaultKind::Heads, detail));
    }
    if let Some((genesis, board)) = genesis.zip(timeline.board_of(&game_id)) {
        boards::differing(log, genesis, board)?.into_iter().for_each(|detail| find(FaultKind::Board, detail));
    }
    let broken = policy.map_or(Vec::new(), |policy| promises::broken(policy, report));
    broken.into_iter().for_each(|broken| find(FaultKind::Promise, broken));
    Ok(())
}

impl AuditedGames {
    /// Returns the names of the players in the order in which they came.
    pub fn players(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<(&String, &usize)> = self.names.iter().collect();
        names.sort_by_key(|(_, place)| **place);
        names.into_iter().map(|(name, _)| name.as_str())
    }

    /// Adds a game; of an earlier log of a game only its verdict and the names of the players.
    fn add(&mut self, game: AuditedGame, of: PublishedEntry) {
        *self.verdicts.entry(game.verdict).or_default() += 1;
        for name in of.entry.players {
            let number = self.names.len();
            self.names.entry(name).or_insert(number);
        }
        // The last log of a game has the rulings of those before it.
        if of.is_last {
            let free = RULINGS_MAX.saturating_sub(self.rulings.len());
            self.rulings.extend(game.rulings.into_iter().take(free));
            self.owed.merge(&game.owed);
            game.reservations.into_iter().for_each(|left| *self.reservations.entry(left).or_default() += 1);
        }
    }
}

impl PublishedGames<'_> {
    /// Checks the log and the proof of every entry, and that a game with several entries only grew. `audited` is called once
    /// per log, with the number of all logs.
    pub fn audit_all(
        &self,
        leaves: &Leaves<'_>,
        files: &(impl SiteFiles + Sync),
        pool: &ThreadPool,
        audited: &(dyn Fn(u64) + Sync),
        faults: &mut Vec<SiteFault>,
    ) -> anyhow::Result<AuditedGames> {
        let audit = |of: &PublishedEntry| {
            let game = self.audit_entry(files, of);
            audited(self.timeline.entries);
            game.with_context(|| of.entry.place())
        };
        // Of a game stays what is printed of all games together.
        let (mut all, mut found, mut entries) = (AuditedGames::default(), Vec::new(), Vec::new());
        let mut judge = |entries: &mut Vec<PublishedEntry>| {
            let games: Vec<_> = pool.install(|| entries.par_iter().map(audit).collect());
            for (game, of) in games.into_iter().zip(entries.drain(..)) {
                let mut game = game?;
                found.append(&mut game.faults);
                all.add(game, of);
            }
            found.truncate(FAULTS_MAX);
            anyhow::Ok(())
        };
        entries::each(leaves, self.timeline, &mut |of| {
            faults.extend(self.check_twice(&of)?);
            faults.truncate(FAULTS_MAX);
            entries.push(of);
            if entries.len() < AT_ONCE { Ok(()) } else { judge(&mut entries) }
        })?;
        judge(&mut entries)?;
        faults.append(&mut found);
        Ok(all)
    }

    /// Returns a fault if an entry has another before it, and its log is not longer or does not begin with the log of that one.
    fn check_twice(&self, of: &PublishedEntry) -> anyhow::Result<Option<SiteFault>> {
        let Some((first, records, head)) = of.earlier else { return Ok(None) };
        let log = self.log(&of.entry);
        let extends = of.entry.records > records
            && match has_record(&log, records - 1, &head) {
                // A missing log is a fault of its own.
                Err(error) if error.kind() == ErrorKind::NotFound => true,
                found => found.with_context(|| log.display().to_string())?,
            };
        let detail = format!("the game is entry {first} too, under a head that does not lead to this one");
        let fault = SiteFault::new(FaultKind::GameTwice, log.display().to_string(), detail);
        Ok((!extends).then(|| fault.at(of.index).of_game(of.entry.game_id)))
    }

    fn log(&self, entry: &GameEntry) -> PathBuf {
        self.root.join(format!("{}.{}", entry.place(), log_file::EXTENSION))
    }

    fn audit_entry(&self, files: &impl SiteFiles, of: &PublishedEntry) -> io::Result<AuditedGame> {
        let PublishedEntry { index, entry, watched, sheets, .. } = of;
        let index = *index;
        let log = self.log(entry);
        let mut game = match audit_against(&log, entry) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let detail = "the log is missing";
                let fault = SiteFault::new(FaultKind::GameMissing, log.display().to_string(), detail);
                let faults = vec![fault.of_game(entry.game_id)];
                AuditedGame { verdict: "MISSING", faults, ..AuditedGame::default() }
            }
            game => {
                let (mut game, report) = game?;
                let of_game = (log.as_path(), entry.game_id);
                let (watched, faults) = (watched.as_ref(), &mut game.faults);
                check_history(self.timeline, watched, self.policy, of_game, &report, faults)?;
                sheet::check(sheets, &report, faults);
                let outside =
                    Outside { keys: self.keys, policy: self.policy, demanded: 0, names_players: true };
                // The signed tree vouches for the whole log.
                let up_to = (!self.keys.is_empty()).then(|| report.records.saturating_sub(1));
                game.reservations = reserve::of(&report, 0, up_to, outside);
                game
            }
        };
        game.faults.iter_mut().for_each(|fault| fault.index = fault.index.or(Some(index)));
        self.check_proof(files, index, entry, &mut game.faults)?;
        Ok(game)
    }

    /// Checks that the proof of an entry is signed, and proves the entry in this tree or an earlier one.
    fn check_proof(
        &self,
        files: &impl SiteFiles,
        index: u64,
        entry: &GameEntry,
        faults: &mut Vec<SiteFault>,
    ) -> io::Result<()> {
        let path = format!("{}.{}", entry.place(), proof::EXTENSION);
        let fault =
            |detail: String| SiteFault::new(FaultKind::Proof, &path, detail).at(index).of_game(entry.game_id);
        let Some(bytes) = files.read(&path, proof::BYTES_MAX)? else {
            faults.push(fault("the proof is missing: publish again writes it".into()));
            return Ok(());
        };
        let text = String::from_utf8(bytes).unwrap_or_default();
        match InclusionProof::parse(&text) {
            Err(bad) => faults.push(fault(bad.to_string())),
            Ok((proof, _)) if proof.index != index || proof.leaf != entry.to_bytes() => {
                faults.push(fault(format!("it is the proof of another entry than {index}")));
            }
            Ok((proof, checkpoint)) => {
                // The site's own note is checked once, where it stands.
                if proof.note != self.site.note {
                    check_signatures(&proof.note, self.keys, &path, faults);
                }
                let extends = self.site.extends(&checkpoint, &path);
                faults.extend(extends.err().map(|fault| fault.at(index).of_game(entry.game_id)));
            }
        }
        Ok(())
    }

    /// Compares somebody's own copy of a log, as a whole, with the tree.
    pub fn check_own(
        &self,
        leaves: &Leaves<'_>,
        log: &Path,
        faults: &mut Vec<SiteFault>,
    ) -> io::Result<OwnLog> {
        let path = log.display().to_string();
        let report = log_file::audit(log)?;
        let fault = |kind, detail: &str| SiteFault::of_log(kind, path.as_str(), detail);
        let changed = |game_id| Ok(OwnLog { game_id, fate: Fate::Changed });
        let Some(own) = GameEntry::of(&report, String::new()) else {
            faults.push(fault(FaultKind::GameChanged, "your copy cannot be read"));
            return changed([0; 16]);
        };
        let game_id = own.game_id;
        let timed = self.timeline.games.get(&game_id);
        let last = self.timeline.last_entry(&game_id).unwrap_or(u64::MAX);
        let Some((index, Leaf::Game(entry))) = leaves.get(last)?.map(|leaf| (last, leaf)) else {
            let Some(game) = timed.filter(|game| game.is_open() || game.void.is_some()) else {
                faults.push(fault(FaultKind::GameMissing, "your game is not in the tree").of_game(game_id));
                return changed(game_id);
            };
            let found = game.watched.as_ref().map_or(Ok(Vec::new()), |watched| {
                watched.contradicted_by(report.genesis.as_ref(), own.records, |heads| lacks(log, heads))
            })?;
            let fate = match found.is_empty() {
                false => Fate::Changed,
                true if game.void.is_some() => Fate::Voided,
                true => Fate::InProgress,
            };
            faults.extend(found.iter().map(|detail| fault(FaultKind::Heads, detail).of_game(game_id)));
            return Ok(OwnLog { game_id, fate });
        };
        let is_same = (entry.records, entry.head) == (own.records, own.head);
        // Of a copy made earlier, the published log must have the last record.
        let is_earlier = own.records < entry.records;
        if is_same || is_earlier && has_record(&self.log(&entry), own.records - 1, &own.head)? {
            return Ok(OwnLog { game_id, fate: Fate::Published });
        }
        let detail = match report.uncounted() {
            Some(reason) => format!("your copy is {reason}"),
            None if has_record(log, entry.records - 1, &entry.head)? => {
                "your copy goes on where the published log ends: records were cut off".into()
            }
            None => "your copy is not the log that is published".into(),
        };
        faults.push(fault(FaultKind::GameChanged, &detail).at(index).of_game(game_id));
        changed(game_id)
    }
}
