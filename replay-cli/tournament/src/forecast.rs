//! Faults that an audit will find for ever in leaves that are not signed yet.
//!
//! Nothing here knows what a fault is: the tree with the new leaves is read as the audit of the site reads it, and what it
//! finds there and not in the tree without them is the forecast.

use crate::fault::SiteFault;
use crate::files::SiteFiles;
use crate::leaf::Leaf;
use crate::log_file;
use crate::merkle::Hash;
use crate::policy::{HeadsEvery, TournamentPolicy};
use crate::publish::{LOG_MAX, UnpublishedLeaf};
use crate::sheet;
use crate::site::{Leaves, Site};
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
        let leaves = Leaves { site, files: &|path, most| files.read(path, most), news: &[] };
        let policy = lasting(policy);
        self.timeline.read_on(&leaves, policy.as_ref().map(|policy| &policy.tree), &mut self.faults)?;
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
    let (mut before, mut faults) = (known.faults.clone(), known.faults.clone());
    let now = Leaves { site, files: &|path, most| files.read(path, most), news: &[] };
    finish(&now, &known.timeline, policy, &mut before)?;
    let with_news = |path: &str, most| {
        let list = news.iter().find_map(|of| of.list().filter(|(name, _)| name == path));
        list.map_or_else(|| files.read(path, most), |(_, list)| Ok(Some(list.to_vec())))
    };
    let leaves: Vec<Leaf> = news.iter().map(UnpublishedLeaf::leaf).collect();
    let after = Leaves { site, files: &with_news, news: &leaves };
    let mut timeline = known.timeline.clone();
    timeline.read_on(&after, policy.map(|policy| &policy.tree), &mut faults)?;
    finish(&after, &timeline, policy, &mut faults)?;
    let place = |fault: &SiteFault| (fault.kind, fault.index, fault.game_id);
    faults.retain(|fault| !before.iter().any(|known| place(known) == place(fault)));
    let old = site.tree.size();
    for index in subjects(&timeline, old) {
        let Some(Leaf::Game(entry)) = after.get(index)? else { continue };
        let place = format!("{}.{}", entry.place(), log_file::EXTENSION);
        let new = index.checked_sub(old).and_then(|new| news.get(new as usize));
        let report = report(files, new, &place).context(place)?;
        let (sheets, mut found) = (timeline.sheets_about(&after, (index, &entry.game_id))?, Vec::new());
        sheet::check(&sheets, &report, &mut found);
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
fn finish(
    leaves: &Leaves<'_>,
    timeline: &Timeline,
    policy: Option<&TournamentPolicy>,
    faults: &mut Vec<SiteFault>,
) -> io::Result<()> {
    timeline.finish(policy.map(|policy| &policy.tree), faults);
    timeline.check_papers(leaves, policy, faults)?;
    Ok(())
}

/// Returns the indices of the entries with signed sheets, if the entry or one of its sheets is new.
fn subjects(timeline: &Timeline, old: u64) -> BTreeSet<u64> {
    let sheets = timeline.sheets.values().flatten();
    let subject = |&(sheet, entry): &(u64, Option<u64>)| entry.filter(|entry| sheet.max(*entry) >= old);
    sheets.filter_map(subject).collect()
}

/// Audits the log of a new game, or else the published log.
fn report(files: &impl SiteFiles, new: Option<&UnpublishedLeaf>, place: &str) -> io::Result<Report> {
    match new {
        Some(UnpublishedLeaf::Game(game)) => log_file::audit(&game.log),
        _ => Ok(audit(&files.read(place, LOG_MAX)?.unwrap_or_default(), Expect::default())),
    }
}
