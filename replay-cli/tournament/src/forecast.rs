//! Faults that an audit will find for ever in leaves that are not signed yet.
//!
//! Nothing here knows what a fault is: the tree with the new leaves is read as the audit of the site reads it, and what it
//! finds there and not in the tree without them is the forecast.

use crate::entry::GameEntry;
use crate::fault::SiteFault;
use crate::files::{ReadFile, SiteFiles};
use crate::leaf::{Leaf, Milestone};
use crate::log_file;
use crate::paper;
use crate::policy::TournamentPolicy;
use crate::publish::{LOG_MAX, UnpublishedLeaf};
use crate::sheet::{self, SignedSheet};
use crate::site::Site;
use crate::timeline::Timeline;
use anyhow::Context;
use canasta_engine::log::audit::{Expect, Report, audit};
use std::collections::BTreeSet;
use std::io;

/// Returns the faults that leaves add to a tree. What is late is late already, and is none: a leaf that is not signed would
/// not mend that. The logs of new games are not read: [`crate::publish::NewLogs`] compares them with the tree.
///
/// # Errors
/// If a file cannot be read.
pub fn forecast(
    site: &Site,
    files: &impl SiteFiles,
    news: &[UnpublishedLeaf],
    policy: Option<&TournamentPolicy>,
) -> anyhow::Result<Vec<SiteFault>> {
    let mut policy = policy.cloned();
    if let Some(policy) = &mut policy {
        (policy.tree.close_within, policy.tree.heads_within) = (None, None);
    }
    let mut after = site.clone();
    after.leaves.extend(news.iter().map(|of| Some(of.leaf())));
    let (mut before, mut faults) = (Vec::new(), Vec::new());
    read(site, &|path, most| files.read(path, most), policy.as_ref(), &mut before)?;
    let with_news = |path: &str, most| {
        let list = news.iter().find_map(|of| of.list().filter(|(name, _)| name == path));
        list.map_or_else(|| files.read(path, most), |(_, list)| Ok(Some(list.to_vec())))
    };
    read(&after, &with_news, policy.as_ref(), &mut faults)?;
    let place = |fault: &SiteFault| (fault.kind, fault.index, fault.game_id);
    faults.retain(|fault| !before.iter().any(|known| place(known) == place(fault)));
    let old = site.leaves.len() as u64;
    for (index, entry) in subjects(&after, old) {
        let place = format!("{}.{}", entry.place(), log_file::EXTENSION);
        let new = index.checked_sub(old).and_then(|new| news.get(new as usize));
        let report = report(files, new, &place).context(place)?;
        let mut found = Vec::new();
        sheet::check(&after, index, &report, &mut found);
        faults.extend(found.into_iter().filter(|fault| fault.index.max(Some(index)) >= Some(old)));
    }
    Ok(faults)
}

/// Reads the leaves of a tree as the audit of the site does.
fn read(
    site: &Site,
    files: &ReadFile<'_>,
    policy: Option<&TournamentPolicy>,
    faults: &mut Vec<SiteFault>,
) -> io::Result<()> {
    Timeline::read(site, files, policy.map(|policy| &policy.tree), faults)?;
    paper::check(site, policy, faults);
    Ok(())
}

/// Returns the games with signed sheets, if the game or one of its sheets is new.
fn subjects(after: &Site, old: u64) -> Vec<(u64, &GameEntry)> {
    let subject = |(index, leaf): (u64, &Option<Leaf>)| {
        let Some(Leaf::Milestone(Milestone::Sheet { note, .. })) = leaf else { return None };
        let sheet = SignedSheet::parse(note.clone()).ok()?;
        let entry = sheet::subject(after, index, &sheet.game_id)?;
        (entry.max(index) >= old).then_some(entry)
    };
    let subjects: BTreeSet<u64> = (0..).zip(&after.leaves).filter_map(subject).collect();
    after.games().filter(|(index, _)| subjects.contains(index)).collect()
}

/// Audits the log of a new game, or else the published log.
fn report(files: &impl SiteFiles, new: Option<&UnpublishedLeaf>, place: &str) -> io::Result<Report> {
    match new {
        Some(UnpublishedLeaf::Game(game)) => log_file::audit(&game.log),
        _ => Ok(audit(&files.read(place, LOG_MAX)?.unwrap_or_default(), Expect::default())),
    }
}
