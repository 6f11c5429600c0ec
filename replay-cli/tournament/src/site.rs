//! A published tree, read from its files and checked against its signed head.

use crate::checkpoint::{self, Checkpoint};
use crate::entry::GameEntry;
use crate::fault::{FAULTS_MAX, FaultKind, SiteFault};
use crate::files::SiteFiles;
use crate::leaf::Leaf;
use crate::merkle::{Hash, Tree, leaf_hash};
use crate::note::{NoteVerifier, Opened};
use crate::tiles::{Tile, unbundle};
use std::io;

/// The path of the signed head below the site.
pub const CHECKPOINT: &str = "checkpoint";

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The signed head as text.
    pub note: String,
    /// The signed head, parsed.
    pub checkpoint: Checkpoint,
    /// The tree of the published hashes; smaller than the head says if hashes are missing.
    pub tree: Tree,
    /// The leaves of the tree; `None` for a leaf that cannot be parsed.
    pub leaves: Vec<Option<Leaf>>,
}

/// Reads a tree with every tile and every entry, and adds what is damaged to `faults`. Returns `None` if there is no
/// valid checkpoint.
///
/// # Errors
/// If the disk fails.
pub fn load(files: &impl SiteFiles, faults: &mut Vec<SiteFault>) -> io::Result<Option<Site>> {
    let bytes = files.read(CHECKPOINT, checkpoint::BYTES_MAX)?;
    let no_head = |detail: String| SiteFault::new(FaultKind::Checkpoint, CHECKPOINT, detail);
    let Some(bytes) = bytes else {
        faults.push(no_head("there is none: nothing says which games are published".into()));
        return Ok(None);
    };
    let note = String::from_utf8(bytes).unwrap_or_default();
    let checkpoint = match Checkpoint::parse(&note) {
        Ok(checkpoint) => checkpoint,
        Err(bad) => {
            faults.push(no_head(bad.to_string()));
            return Ok(None);
        }
    };
    let mut site = Site { note, checkpoint, tree: Tree::default(), leaves: Vec::new() };
    let size = site.checkpoint.size;
    for tile in Tile::of_level(0, size) {
        if faults.len() >= FAULTS_MAX || !site.read_leaves(files, tile, faults)? {
            return Ok(Some(site));
        }
    }
    for tile in Tile::all(size).filter(|tile| tile.level > 0) {
        let hashes = read_tile(files, tile, faults)?;
        if hashes.is_some_and(|hashes| hashes != tile.hashes(&site.tree)) {
            let detail = "its hashes are not those of the tiles below";
            faults.push(SiteFault::new(FaultKind::Tile, tile.path(), detail));
        }
    }
    if !site.is_sound() {
        let detail = "the published hashes lead to another root than the checkpoint's";
        faults.push(SiteFault::new(FaultKind::Root, CHECKPOINT, detail));
    }
    Ok(Some(site))
}

impl Site {
    /// Returns a tree without games that is not signed yet.
    pub fn new(origin: &str) -> Self {
        let tree = Tree::default();
        let checkpoint = Checkpoint { origin: origin.to_owned(), size: 0, root: tree.root(0) };
        Self { note: String::new(), checkpoint, tree, leaves: Vec::new() }
    }

    /// Returns the closed games with the indices of their leaves.
    pub fn games(&self) -> impl Iterator<Item = (u64, &GameEntry)> {
        let leaves = (0..).zip(&self.leaves);
        leaves.filter_map(|(index, leaf)| Some((index, leaf.as_ref()?.game()?)))
    }

    /// Returns whether every leaf could be parsed.
    pub fn is_legible(&self) -> bool {
        self.leaves.len() as u64 == self.checkpoint.size && self.leaves.iter().all(Option::is_some)
    }

    /// Reads a tile of leaves and its bundle. Missing hashes are computed from the entries, so that reading can go on.
    /// Returns `false` if both are missing.
    fn read_leaves(
        &mut self,
        files: &impl SiteFiles,
        tile: Tile,
        faults: &mut Vec<SiteFault>,
    ) -> io::Result<bool> {
        let hashes = read_tile(files, tile, faults)?;
        let path = tile.bundle_path();
        let first = self.tree.size();
        let most = tile.width * (2 + u64::from(u16::MAX));
        let bundle = files.read(&path, most)?;
        let leaves = bundle.as_deref().and_then(|bytes| unbundle(bytes, tile.width));
        if bundle.is_none() {
            faults.push(SiteFault::new(FaultKind::TileMissing, &path, "the entries are missing"));
        } else if leaves.is_none() {
            let detail = format!("expected {} entries, each behind its length", tile.width);
            faults.push(SiteFault::new(FaultKind::Entry, &path, detail));
        }
        let found: Vec<Hash> = leaves.iter().flatten().map(|leaf| leaf_hash(leaf)).collect();
        for (place, leaf) in leaves.iter().flatten().enumerate() {
            let index = first + place as u64;
            let entry = Leaf::from_bytes(leaf);
            if entry.is_none() {
                let detail = "it is no leaf of a tournament, or not as one is written";
                faults.push(SiteFault::new(FaultKind::Entry, &path, detail).at(index));
            }
            if hashes.as_ref().is_some_and(|hashes| hashes[place] != found[place]) {
                let detail = format!("its hash is not the one in {}", tile.path());
                faults.push(SiteFault::new(FaultKind::Entry, &path, detail).at(index));
            }
            self.leaves.push(entry);
        }
        self.leaves.resize((first + tile.width) as usize, None);
        let hashes = hashes.unwrap_or(found);
        let complete = hashes.len() as u64 == tile.width;
        hashes.into_iter().for_each(|hash| self.tree.push(hash));
        Ok(complete)
    }

    /// Returns whether all published hashes exist and lead to the signed root.
    pub fn is_sound(&self) -> bool {
        let size = self.checkpoint.size;
        self.tree.size() == size && self.tree.root(size) == self.checkpoint.root
    }

    /// Checks that this tree extends the tree of an earlier checkpoint, which stands in `file`. Returns `false` if this
    /// tree is damaged, so that nothing can be said.
    ///
    /// # Errors
    /// The fault, if this tree does not extend the earlier one.
    pub fn extends(&self, earlier: &Checkpoint, file: &str) -> Result<bool, SiteFault> {
        let (size, here) = (earlier.size, self.checkpoint.size);
        let fault = |kind, detail: String| Err(SiteFault::new(kind, file, detail));
        if earlier.origin != self.checkpoint.origin {
            let detail = format!(
                "expected a checkpoint of {}, found one of {}",
                self.checkpoint.origin, earlier.origin
            );
            return fault(FaultKind::Checkpoint, detail);
        }
        if size > here {
            let detail = format!("it signs {size} entries, the site has {here}: some were taken back");
            return fault(FaultKind::RolledBack, detail);
        }
        if !self.is_sound() {
            return Ok(false);
        }
        if self.tree.root(size) != earlier.root {
            let detail = format!("it signs other first {size} entries than the site has");
            return fault(FaultKind::Forked, detail);
        }
        Ok(true)
    }
}

/// Reads the hashes of a tile. Adds a fault and returns `None` if the tile is missing or has the wrong length.
fn read_tile(
    files: &impl SiteFiles,
    tile: Tile,
    faults: &mut Vec<SiteFault>,
) -> io::Result<Option<Vec<Hash>>> {
    let (path, length) = (tile.path(), tile.width * 32);
    let Some(bytes) = files.read(&path, length)? else {
        faults.push(SiteFault::new(FaultKind::TileMissing, path, "the tile is missing"));
        return Ok(None);
    };
    let (hashes, rest) = bytes.as_chunks();
    if hashes.len() as u64 == tile.width && rest.is_empty() {
        return Ok(Some(hashes.to_vec()));
    }
    let detail = format!("expected {length} bytes, found {}", describe_length(&bytes, length));
    faults.push(SiteFault::new(FaultKind::Tile, path, detail));
    Ok(None)
}

fn describe_length(bytes: &[u8], most: u64) -> String {
    if bytes.len() as u64 > most { "more".into() } else { bytes.len().to_string() }
}

/// Checks that every key signed a note, and adds a fault for each key that did not.
pub fn check_signatures(note: &str, keys: &[NoteVerifier], file: &str, faults: &mut Vec<SiteFault>) {
    for key in keys {
        let detail = match key.open(note) {
            Opened::Signed => continue,
            Opened::Forged => format!("the signature by {} does not verify", key.name()),
            Opened::Unsigned => format!("it is not signed by {}", key.name()),
        };
        faults.push(SiteFault::new(FaultKind::Signature, file, detail));
    }
}
