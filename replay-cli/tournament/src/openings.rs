//! The games that a site has opened, for whoever deals: no card lies before the opening is public.

use crate::files::{Directory, SiteFiles};
use crate::growing::GrowingLog;
use crate::kept;
use crate::policy::TournamentPolicy;
use crate::sightings::SightedTree;
use crate::site::{self, CHECKPOINT, Leaves, check_signatures};
use crate::timeline::Timeline;
use anyhow::{Context, bail};
use std::path::Path;

/// The games that are open in a site, with the openings that count.
#[derive(Default)]
pub struct Openings {
    timeline: Timeline,
    /// The leaves that the quorum has seen; `None` if the policy has none.
    seen: Option<SightedTree>,
}

impl Openings {
    /// Reads a site. Its checkpoint must have the signatures of the policy's keys; an opening counts once the quorum has
    /// cosigned a tree that has it. A site without a checkpoint has opened nothing.
    ///
    /// # Errors
    /// If the site cannot be read, or does not hold.
    pub fn read(root: &Path, policy: Option<&TournamentPolicy>) -> anyhow::Result<Self> {
        let (files, name) = (Directory::new(root), || root.display().to_string());
        let (mut faults, mut openings) = (Vec::new(), Self::default());
        if files.read(CHECKPOINT, 0).with_context(name)?.is_none() {
            return Ok(openings);
        }
        let Some(site) = site::load(&files, &mut faults).with_context(name)? else {
            bail!("{}: there is no checkpoint that can be read", name());
        };
        let leaves = Leaves { site: &site, files: &|path, most| files.read(path, most), news: &[] };
        openings.timeline = Timeline::read(&leaves, None, &mut Vec::new()).with_context(name)?;
        if let Some(policy) = policy {
            check_signatures(&site.note, &policy.tree.keys, CHECKPOINT, &mut faults);
            let (keys, witnesses) = (&policy.tree.keys, &policy.witnesses);
            let (seen, _) =
                kept::sightings(&files, &site, keys, witnesses, &mut faults).with_context(name)?;
            openings.seen = (witnesses.quorum > 0).then_some(seen);
        }
        match faults.first() {
            Some(fault) => bail!("{}: it does not hold: {}: {}", name(), fault.file, fault.detail),
            None => Ok(openings),
        }
    }

    /// Returns whether the game of this log is open, as the log has it.
    pub fn have(&self, log: &GrowingLog) -> bool {
        let game = self.timeline.games.get(&log.genesis.game_id).filter(|game| game.is_open());
        let signed = game.and_then(|game| game.opened.as_ref().zip(game.watched.as_ref()));
        signed.is_some_and(|(timed, watched)| {
            let opened = &watched.opened;
            opened.is_of(&log.genesis)
                && log.lacks(&[(opened.records - 1, opened.head)]).is_none()
                && self.seen.as_ref().is_none_or(|seen| seen.seen(timed.index).is_some())
        })
    }
}
