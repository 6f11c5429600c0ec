//! Logs and score sheets, from which results come.

use crate::auditing::audit::games::{CountedGame, GameOfLog};
use crate::auditing::audit::one_log::{Demands, LogAudit};
use crate::auditing::audit::standings::{seated, teams};
use crate::auditing::audit::{Audited, keys};
use crate::shared::io::{Io, read_most};
use crate::shared::parallel;
use crate::shared::paths::{self, Failure, LIVE, LogPaths};
use anyhow::ensure;
use canasta_engine::log::HEADER;
use canasta_engine::log::finding::FindingKind;
use canasta_engine::rules::Rules;
use canasta_engine::scoring::GameResult;
use canasta_engine::text::score_text;
use canasta_tournament::paper::{PaperSheet, refusals};
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::reserve::Outside;
use canasta_tournament::scores::count;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The extensions of score sheets in directories.
const SHEETS: &[&str] = &["sheet", "txt"];
/// Maximum size of a score sheet, in bytes.
const SHEET_MAX: u64 = 1 << 20;

/// A log or score sheet, and the result that it gives.
pub struct ResultSource {
    pub path: String,
    pub game_id: Option<[u8; 16]>,
    pub rules: Option<Arc<Rules>>,
    /// Names of the players of each side or seat, sorted.
    pub teams: Vec<Vec<String>>,
    pub points: Vec<i64>,
    /// The result, if the game has ended.
    pub result: Option<GameResult>,
    /// Number of rounds that ended.
    pub rounds: u64,
    /// The players who have signed; `None` for a log.
    pub signers: Option<Vec<String>>,
    /// The reason why it does not count.
    pub fault: Option<String>,
    log: Option<([u8; 16], GameOfLog)>,
}

/// Reads logs and sheets, and judges them, by the policy if there is one; several logs of one game become one source, or do
/// not count. Files that cannot be read are named and counted.
///
/// # Errors
/// If a temporary file cannot be written.
pub fn read(
    paths: &[PathBuf],
    policy: Option<&TournamentPolicy>,
    io: &mut Io<'_>,
) -> anyhow::Result<(Vec<ResultSource>, u64)> {
    let (mut files, mut failures) = LogPaths::find_also(paths, paths::LIST_MEMORY, SHEETS)?;
    let mut sources = Vec::new();
    let size = |source: &ResultSource| source.path.len();
    let keys = keys(&[], policy);
    let outside = Outside { keys: &keys, demanded: 0, policy, names_players: false };
    let judge =
        |path: &Path, reader: &mut dyn Read, tap: &mut dyn FnMut(&[u8])| judge(path, reader, tap, outside);
    parallel::each(&mut files, 0, io, &judge, size, |_, source| {
        match source {
            Ok(source) => sources.push(source),
            Err(failure) => failures.add(&failure)?,
        }
        Ok(())
    })?;
    failures.report(io)?;
    Ok((one_per_game(sources), failures.count()))
}

fn judge(
    path: &Path,
    reader: &mut dyn Read,
    tap: &mut dyn FnMut(&[u8]),
    outside: Outside<'_>,
) -> Result<ResultSource, Failure> {
    let head = read_most(&mut *reader, SHEET_MAX).map_err(|error| paths::failure(path, &error))?;
    if head.starts_with(&HEADER[..8]) || path.extension() == Some(paths::EXTENSION.as_ref()) {
        let demands = Demands { outside, ..Demands::default() };
        let audit = LogAudit { expect: LIVE, demands, ..LogAudit::default() };
        let audited = audit.run(path, head.chain(reader), tap, None)?;
        return Ok(of_log(audited));
    }
    of_sheet(path, &head, outside.policy).map_err(|error| paths::failure(path, &format!("{error:#}")))
}

fn of_log(audited: Audited) -> ResultSource {
    let (log, report) = (GameOfLog::of(&audited), &audited.report);
    let (verdict, found) = (report.verdict.name(), report.findings.first());
    let fault = match report.verdict {
        of if of.is_clean() => report.uncounted(),
        // A promise of the policy that is not kept.
        _ => Some(found.map_or(verdict.into(), |of| match of.kind {
            FindingKind::Unproven => of.detail.clone(),
            kind => format!("{verdict}: {}", kind.name()),
        })),
    };
    let set = audited.rules.as_deref().map(Rules::set);
    ResultSource {
        game_id: report.genesis.as_ref().map(|genesis| genesis.game_id),
        teams: set.map_or(Vec::new(), |set| teams(set, &seated(report))),
        points: report.totals.clone(),
        result: report.result,
        rounds: report.rounds.into(),
        signers: None,
        fault,
        log,
        path: audited.path,
        rules: audited.rules,
    }
}

fn of_sheet(path: &Path, text: &[u8], policy: Option<&TournamentPolicy>) -> anyhow::Result<ResultSource> {
    ensure!(text.len() as u64 <= SHEET_MAX, "expected a sheet of at most {SHEET_MAX} bytes");
    let text = paths::in_utf8(text).map_err(anyhow::Error::msg)?;
    let (scores, signers) = if PaperSheet::is_one(text) {
        let sheet = PaperSheet::parse(text.to_owned())?;
        let signers = sheet.signers(policy);
        (sheet.scores, signers)
    } else {
        let first = |faults: Vec<_>| faults.into_iter().next().expect("a reason to refuse");
        (score_text(text).map_err(first)?, Vec::new())
    };
    let (counted, players) = (count(&scores), scores.players.iter());
    let names: Vec<String> = players.map(|player| player.name.clone()).collect();
    let wrong = counted.faults.first().map(|fault| format!("line {}: {}", fault.line, fault.detail));
    let refused = || refusals(&scores, &counted, &signers, policy).into_iter().next();
    let fault = if policy.is_some() { refused() } else { wrong };
    Ok(ResultSource {
        path: path.display().to_string(),
        game_id: scores.game_id,
        teams: teams(scores.rules.set(), &names),
        points: counted.totals,
        result: counted.result,
        rounds: counted.rounds.len() as u64,
        signers: Some(signers.iter().map(|seat| names[seat.index()].clone()).collect()),
        fault,
        log: None,
        rules: Some(scores.rules),
    })
}

/// Keeps one log of each game, the longest, and those that do not count. If clean logs of a game contradict each other, none
/// counts.
fn one_per_game(mut sources: Vec<ResultSource>) -> Vec<ResultSource> {
    let mut games = BTreeMap::<[u8; 16], CountedGame>::new();
    let mut keys = Vec::new();
    for (number, source) in (0..).zip(&mut sources) {
        let log = source.log.take();
        keys.push((number, log.as_ref().map(|(key, _)| *key)));
        let Some((key, log)) = log else { continue };
        if let Some(game) = games.get_mut(&key) {
            game.add(number, log);
        } else {
            games.insert(key, CountedGame::new(number, log));
        }
    }
    let mut keys = keys.into_iter();
    sources.retain_mut(|source| {
        let Some((number, Some(key))) = keys.next() else { return true };
        let game = &games[&key];
        if game.contested && source.fault.is_none() {
            source.fault = Some("FORKED: another log of its game goes another way".into());
        }
        source.fault.is_some() || game.number == number
    });
    sources
}
