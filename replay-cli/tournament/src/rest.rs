//! The files of a site besides the tree and its games: superseded tiles, logs without an entry, and files that nothing covers.

use crate::entry::{self, FOLDER};
use crate::fault::{FAULTS_MAX, FaultKind, SiteFault};
use crate::kept;
use crate::leaf::HEADS;
use crate::log_file;
use crate::proof;
use crate::site::{CHECKPOINT, Leaves};
use crate::tiles::Tile;
use crate::timeline::Timeline;
use canasta_engine::hex::unhex;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// Checks every file below `root` that the tree does not need, and returns the paths of those that nothing covers.
///
/// A tile or bundle that was published before it was full must be a prefix of the full one: whoever kept a checkpoint
/// of that time reads it.
///
/// # Errors
/// If the disk fails.
pub fn check(
    root: &Path,
    leaves: &Leaves<'_>,
    timeline: &Timeline,
    faults: &mut Vec<SiteFault>,
) -> io::Result<Vec<String>> {
    let size = leaves.site.checkpoint.size;
    let bundles = Tile::of_level(0, size).map(|tile| tile.bundle_path());
    let tiles = Tile::all(size).map(|tile| tile.path());
    let kept = kept::paths(size).chain([CHECKPOINT.to_owned()]);
    let paths = bundles.chain(tiles).chain(kept).collect();
    let (is_sound, found, uncovered) = (leaves.site.is_sound(), Vec::new(), Vec::new());
    let mut rest = OtherFiles { root, leaves, timeline, paths, is_sound, found, uncovered };
    rest.walk("")?;
    rest.found.sort_by(|a, b| a.file.cmp(&b.file));
    rest.uncovered.sort();
    faults.extend(rest.found.into_iter().take(FAULTS_MAX));
    Ok(rest.uncovered)
}

/// The files that the audit of the tree and its entries does not read. No list of the others is made: they may be millions.
struct OtherFiles<'a> {
    root: &'a Path,
    leaves: &'a Leaves<'a>,
    timeline: &'a Timeline,
    paths: BTreeSet<String>,
    is_sound: bool,
    found: Vec<SiteFault>,
    uncovered: Vec<String>,
}

impl OtherFiles<'_> {
    /// Checks every file below a folder of the site.
    fn walk(&mut self, folder: &str) -> io::Result<()> {
        for file in fs::read_dir(self.root.join(folder))? {
            let file = file?;
            let name = file.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if file.file_type()?.is_dir() {
                self.walk(&path)?;
            } else if !self.is_read(&path) {
                self.check(path)?;
            }
        }
        Ok(())
    }

    /// Returns whether the audit of the tree and its entries reads a file.
    fn is_read(&self, path: &str) -> bool {
        let is_list = |(folder, name): (&str, &str)| {
            folder == HEADS && unhex(name).is_some_and(|list| self.timeline.lists.contains(&list))
        };
        self.paths.contains(path)
            || path.split_once('/').is_some_and(is_list)
            || self.is_of_game(path).unwrap_or_default()
    }

    fn is_of_game(&self, path: &str) -> Option<bool> {
        let (file, extension) = path.rsplit_once('.')?;
        let (id, records) = file.strip_prefix(FOLDER)?.strip_prefix('/')?.split_once('-')?;
        let (id, records) = (unhex(id)?, records.parse().ok()?);
        let is_known = [log_file::EXTENSION, proof::EXTENSION].contains(&extension);
        Some(is_known && entry::place(&id, records) == file && self.timeline.has_entry(&id, records))
    }

    fn check(&mut self, path: String) -> io::Result<()> {
        let file = self.root.join(&path);
        let site = self.leaves.site;
        let tile = Tile::of_path(&path).filter(|(tile, _)| self.is_sound && tile.is_in(site.checkpoint.size));
        let expected = match tile {
            Some((tile, true)) => self.leaves.bundle_of(tile)?,
            tile => tile.map(|(tile, _)| tile.hashes(&site.tree).as_flattened().to_vec()),
        };
        let is_log = file.parent() == Some(&self.root.join(FOLDER))
            && file.extension().is_some_and(|ending| ending == log_file::EXTENSION);
        if let Some(expected) = expected {
            if fs::metadata(&file)?.len() != expected.len() as u64 || fs::read(&file)? != expected {
                let detail =
                    "it was published with an earlier checkpoint, and is not what the tree has there";
                self.found.push(SiteFault::new(FaultKind::Tile, path, detail));
            }
        } else if !is_log {
            self.uncovered.push(path);
        } else if site.is_legible() {
            // If leaves are missing, nobody can say which log has no entry.
            let detail =
                "this log is not in the tree: an interrupted publish leaves such, else it was put there";
            let path = file.display().to_string();
            self.found.push(SiteFault::new(FaultKind::GameUnlisted, path, detail));
        }
        Ok(())
    }
}
