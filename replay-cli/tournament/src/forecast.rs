//! Faults that an audit will find for ever in leaves that are not signed yet.
//!
//! Nothing here knows what a fault is: the tree with the new leaves is read as the audit of the site reads it, and what it
//! finds there and not in the tree without them is the forecast.

use crate::entry::GameEntry;
use crate::fault::SiteFault;
use crate::files::SiteFiles;
use crate::log_file;
use crate::merkle::Hash;
use crate::paper;
use crate::policy::{HeadsEvery, TournamentPolicy};
use crate::publish::{LOG_MAX, UnpublishedLeaf};
use crate::sheet;
use crate::site::Site;
use crate::timeline::Timeline;
use anyhow::Context;
use canasta_engine::log::audit::{Expect, Report, audit};
use std::collections::BTreeSet;
use std::io;

/// A tree as an audit reads it, kept between two looks at a site that grows.
#[derive(Default)]
pub struct ReadTree {
    root: Hash,
    size: u64,
    pub timeline: Timeline,
    faults: Vec<SiteFault>,
}

impl ReadTree {
    /// Reads what a site has behind what was read; all of it if it is another tree. The policy must be the same each time.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn read_on(
        &mut self,
        site: &Site,
        files: &impl SiteFiles,
        policy: Option<&TournamentPolicy>,
    ) -> io::Result<()> {
        if self.size > site.tree.size() || site.tree.root(self.size) != self.root {
            *self = Self::default();
        }
        let (policy, file) = (lasting(policy), |path: &str, most| files.read(path, most));
        self.timeline.read_on(site, &file, policy.as_ref().map(|policy| &policy.tree), &mut self.faults)?;
        (self.size, self.root) = (site.tree.size(), site.tree.root(site.tree.size()));
        Ok(())
    }
}

/// Returns the faults that leaves add to a tree, which is `known`. What is late is late already, and is none, and so is a head
/// that moved too far: a leaf that is not signed would not mend that. The logs of new games are not read:
/// [`crate::publish::NewLogs`] compares them with the tree.
///
/// # Errors
/// If a file cannot be read.
pub fn forecast(
    site: &Site,
    known: &ReadTree,
    files: &impl SiteFiles,
    news: &[UnpublishedLeaf],
    policy: Option<&TournamentPolicy>,
) -> anyhow::Result<Vec<SiteFault>> {
    let policy = lasting(policy);
    let policy = policy.as_ref();
    let mut after = site.clone();
    after.leaves.extend(news.iter().map(|of| Some(of.leaf())));
    let (mut before, mut faults) = (known.faults.clone(), known.faults.clone());
    finish(site, &known.timeline, policy, &mut before);
    let with_news = |path: &str, most| {
        let list = news.iter().find_map(|of| of.list().filter(|(name, _)| name == path));
        list.map_or_else(|| files.read(path, most), |(_, list)| Ok(Some(list.to_vec())))
    };
    let mut timeline = known.timeline.clone();
    timeline.read_on(&after, &with_news, policy.map(|policy| &policy.tree), &mut faults)?;
    finish(&after, &timeline, policy, &mut faults);
    let place = |fault: &SiteFault| (fault.kind, fault.index, fault.game_id);
    faults.retain(|fault| !before.iter().any(|known| place(known) == place(fault)));
    let old = site.leaves.len() as u64;
    for (index, entry) in subjects(&after, &timeline, old) {
        let place = format!("{}.{}", entry.place(), log_file::EXTENSION);
        let new = index.checked_sub(old).and_then(|new| news.get(new as usize));
        let report = report(files, new, &place).context(place)?;
        let mut found = Vec::new();
        sheet::check(&after, timeline.sheets.get(&entry.game_id), index, &report, &mut found);
        faults.extend(found.into_iter().filter(|fault| fault.index.max(Some(index)) >= Some(old)));
    }
    Ok(faults)
}

/// Returns a policy without the promises that no leaf breaks or mends.
fn lasting(policy: Option<&TournamentPolicy>) -> Option<TournamentPolicy> {
    let mut policy = policy.cloned()?;
    (policy.tree.close_within, policy.tree.heads_every) = (None, HeadsEvery::default());
    Some(policy)
}

/// Adds what the leaves of a tree say together, as the audit of the site does.
fn finish(site: &Site, timeline: &Timeline, policy: Option<&TournamentPolicy>, faults: &mut Vec<SiteFault>) {
    timeline.finish(policy.map(|policy| &policy.tree), faults);
    paper::check(site, policy, faults);
}

/// Returns the games with signed sheets, if the game or one of its sheets is new.
fn subjects<'a>(after: &'a Site, timeline: &Timeline, old: u64) -> Vec<(u64, &'a GameEntry)> {
    let sheets = timeline.sheets.iter().flat_map(|(id, sheets)| sheets.iter().map(move |sheet| (id, *sheet)));
    let subject = |(game_id, sheet)| {
        let entry = sheet::subject(after, sheet, game_id)?;
        (entry.max(sheet) >= old).then_some(entry)
    };
    let subjects: BTreeSet<u64> = sheets.filter_map(subject).collect();
    after.games().filter(|(index, _)| subjects.contains(index)).collect()
}

/// Audits the log of a new game, or else the published log.
fn report(files: &impl SiteFiles, new: Option<&UnpublishedLeaf>, place: &str) -> io::Result<Report> {
    match new {
        Some(UnpublishedLeaf::Game(game)) => log_file::audit(&game.log),
        _ => Ok(audit(&files.read(place, LOG_MAX)?.unwrap_or_default(), Expect::default())),
    }
}
