//! The files of a site besides the tree and its games: superseded tiles, and files that nothing covers.

use crate::entry::{self, FOLDER};
use crate::fault::{FaultKind, SiteFault};
use crate::kept;
use crate::leaf::Leaf;
use crate::log_file;
use crate::proof;
use crate::site::{CHECKPOINT, Site};
use crate::tiles::{Tile, WIDTH, bundle};
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
pub fn check(root: &Path, site: &Site, faults: &mut Vec<SiteFault>) -> io::Result<Vec<String>> {
    let (covered, mut left, mut uncovered) = (CoveredFiles::by(site), BTreeSet::new(), Vec::new());
    list(root, "", &covered, &mut left)?;
    for path in left {
        let is_in = |(tile, _): &(Tile, bool)| site.is_sound() && tile.is_in(site.checkpoint.size);
        // Logs that no entry names are faults already.
        let is_log = Path::new(&path).extension().is_some_and(|ending| ending == log_file::EXTENSION);
        match Tile::of_path(&path).filter(is_in).and_then(|(tile, is_bundle)| expected(site, tile, is_bundle))
        {
            Some(expected) => {
                let file = root.join(&path);
                if fs::metadata(&file)?.len() != expected.len() as u64 || fs::read(&file)? != expected {
                    let detail =
                        "it was published with an earlier checkpoint, and is not what the tree has there";
                    faults.push(SiteFault::new(FaultKind::Tile, path, detail));
                }
            }
            None if is_log => {}
            None => uncovered.push(path),
        }
    }
    Ok(uncovered)
}

/// The files that the audit of the tree and its entries reads. Games are kept by id and number of records: their paths would
/// take ten times as much.
struct CoveredFiles {
    games: BTreeSet<([u8; 16], u64)>,
    paths: BTreeSet<String>,
}

impl CoveredFiles {
    fn by(site: &Site) -> Self {
        let size = site.checkpoint.size;
        let games = site.games().map(|(_, entry)| (entry.game_id, entry.records)).collect();
        let bundles = Tile::of_level(0, size).map(|tile| tile.bundle_path());
        let tiles = Tile::all(size).map(|tile| tile.path());
        let lists = site.leaves.iter().flatten().filter_map(Leaf::list_path);
        let kept = kept::paths(size).chain([CHECKPOINT.to_owned()]);
        Self { games, paths: lists.chain(bundles).chain(tiles).chain(kept).collect() }
    }

    fn has(&self, path: &str) -> bool {
        self.paths.contains(path) || self.has_game(path).is_some()
    }

    fn has_game(&self, path: &str) -> Option<()> {
        let (file, extension) = path.rsplit_once('.')?;
        let (id, records) = file.strip_prefix(FOLDER)?.strip_prefix('/')?.split_once('-')?;
        let (id, records) = (unhex(id)?, records.parse().ok()?);
        let is_known = [log_file::EXTENSION, proof::EXTENSION].contains(&extension);
        let is_of_game =
            is_known && self.games.contains(&(id, records)) && entry::place(&id, records) == file;
        is_of_game.then_some(())
    }
}

/// Returns the bytes of a tile or bundle of this tree; `None` if an entry cannot be parsed.
fn expected(site: &Site, tile: Tile, is_bundle: bool) -> Option<Vec<u8>> {
    if !is_bundle {
        return Some(tile.hashes(&site.tree).as_flattened().to_vec());
    }
    let first = (tile.index * WIDTH) as usize;
    let leaves = site.leaves.get(first..first + tile.width as usize)?;
    let leaves: Option<Vec<Vec<u8>>> = leaves.iter().map(|leaf| leaf.as_ref().map(Leaf::to_bytes)).collect();
    Some(bundle(leaves?.iter().map(Vec::as_slice)))
}

/// Adds the path of every file below a directory that is not covered to `left`.
fn list(
    directory: &Path,
    below: &str,
    covered: &CoveredFiles,
    left: &mut BTreeSet<String>,
) -> io::Result<()> {
    for file in fs::read_dir(directory)? {
        let file = file?;
        let name = file.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if file.file_type()?.is_dir() {
            list(&file.path(), &path, covered, left)?;
        } else if !covered.has(&path) {
            left.insert(path);
        }
    }
    Ok(())
}
