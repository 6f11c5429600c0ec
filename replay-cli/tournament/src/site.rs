//! A published tree, read from its files and checked against its signed head.
//!
//! The hashes of the tree are kept, its leaves are not: they take ten times as much, and are read again tile by tile.

use crate::checkpoint::{self, Checkpoint};
use crate::entry::GameEntry;
use crate::fault::{FAULTS_MAX, FaultKind, SiteFault};
use crate::files::{ReadFile, SiteFiles};
use crate::leaf::Leaf;
use crate::merkle::{Hash, Tree, leaf_hash};
use crate::note::{NoteVerifier, Opened};
use crate::tiles::{Tile, WIDTH, bundle, unbundle};
use canasta_engine::log::Head;
use std::collections::BTreeMap;
use std::io;

/// The path of the signed head below the site.
pub const CHECKPOINT: &str = "checkpoint";

/// By game: the number of records, and the head, of each of its entries.
pub(crate) type HeadsByGame = BTreeMap<[u8; 16], Vec<(u64, Head)>>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The signed head as text.
    pub note: String,
    pub checkpoint: Checkpoint,
    /// The tree of the published hashes; smaller than the head says if hashes are missing.
    pub tree: Tree,
    /// Number of leaves that could be parsed.
    legible: u64,
}

/// The leaves of a tree, read tile by tile, and those that will stand behind them.
#[derive(Clone, Copy)]
pub struct Leaves<'a> {
    pub site: &'a Site,
    pub files: &'a ReadFile<'a>,
    pub news: &'a [Leaf],
}

impl Leaves<'_> {
    /// Returns the leaves from an index on, with their indices; `None` for a leaf that cannot be parsed. Those of a bundle that is
    /// missing or damaged, which is a fault of the tree, are left out.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn from(&self, first: u64) -> impl Iterator<Item = io::Result<(u64, Option<Leaf>)>> {
        let old = self.site.tree.size();
        let tiles = Tile::of_level(0, self.site.checkpoint.size).skip((first / WIDTH) as usize);
        let published = tiles.take_while(move |tile| tile.is_in(old)).flat_map(move |tile| {
            let (leaves, failure) = match self.raw(tile) {
                Ok(leaves) => (leaves, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            let leaves = (tile.index * WIDTH..).zip(leaves).filter(move |(index, _)| *index >= first);
            failure.into_iter().chain(leaves.map(|(index, leaf)| Ok((index, Leaf::from_bytes(&leaf)))))
        });
        let behind = (old..).zip(self.news).skip(first.saturating_sub(old) as usize);
        published.chain(behind.map(|(index, leaf)| Ok((index, Some(leaf.clone())))))
    }

    /// Returns a leaf; `None` if the tree does not have it, or it cannot be parsed.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn get(&self, index: u64) -> io::Result<Option<Leaf>> {
        let found = self.from(index).next().transpose()?;
        Ok(found.filter(|(found, _)| *found == index).and_then(|(_, leaf)| leaf))
    }

    /// Returns the closed games with the indices of their leaves.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn games(&self) -> impl Iterator<Item = io::Result<(u64, GameEntry)>> {
        self.from(0).filter_map(|leaf| match leaf {
            Ok((index, Some(Leaf::Game(entry)))) => Some(Ok((index, entry))),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
    }

    /// Returns the numbers of records and the heads of all entries, by game.
    ///
    /// # Errors
    /// If the disk fails.
    pub(crate) fn heads(&self) -> io::Result<HeadsByGame> {
        let mut heads = BTreeMap::<_, Vec<_>>::new();
        for entry in self.games() {
            let (_, entry) = entry?;
            heads.entry(entry.game_id).or_default().push((entry.records, entry.head));
        }
        Ok(heads)
    }

    /// Returns the leaves of a tile as a bundle, also if the tree has more leaves there by now; `None` if they are missing.
    ///
    /// # Errors
    /// If the disk fails.
    pub(crate) fn bundle_of(&self, tile: Tile) -> io::Result<Option<Vec<u8>>> {
        let whole = Tile::of_level(0, self.site.checkpoint.size).nth(tile.index as usize);
        let leaves = whole.map_or(Ok(Vec::new()), |whole| self.raw(whole))?;
        let leaves = leaves.get(..tile.width as usize);
        Ok(leaves.map(|leaves| bundle(leaves.iter().map(Vec::as_slice))))
    }

    /// Returns the leaves of a tile as they are published; nothing if the bundle is missing or damaged.
    fn raw(&self, tile: Tile) -> io::Result<Vec<Vec<u8>>> {
        let bytes = (self.files)(&tile.bundle_path(), bundle_max(tile))?.unwrap_or_default();
        let leaves = unbundle(&bytes, tile.width).unwrap_or_default();
        Ok(leaves.into_iter().map(<[u8]>::to_vec).collect())
    }
}

/// Returns the maximum size of the bundle of a tile, in bytes.
fn bundle_max(tile: Tile) -> u64 {
    tile.width * (2 + u64::from(u16::MAX))
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
    let mut site = Site { note, checkpoint, tree: Tree::default(), legible: 0 };
    let size = site.checkpoint.size;
    for tile in Tile::of_level(0, size) {
        if faults.len() >= FAULTS_MAX || !site.read_leaves(files, tile, faults)? {
            return Ok(Some(site));
        }
    }
    site.tree.shrink();
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
        Self { note: String::new(), checkpoint, tree, legible: 0 }
    }

    /// Returns whether every leaf could be parsed.
    pub fn is_legible(&self) -> bool {
        self.legible == self.checkpoint.size
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
        let bundle = files.read(&path, bundle_max(tile))?;
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
            if Leaf::from_bytes(leaf).is_some() {
                self.legible += 1;
            } else {
                let detail = "it is no leaf of a tournament, or not as one is written";
                faults.push(SiteFault::new(FaultKind::Entry, &path, detail).at(index));
            }
            if hashes.as_ref().is_some_and(|hashes| hashes[place] != found[place]) {
                let detail = format!("its hash is not the one in {}", tile.path());
                faults.push(SiteFault::new(FaultKind::Entry, &path, detail).at(index));
            }
        }
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
    let found = if bytes.len() as u64 > length { "more".into() } else { bytes.len().to_string() };
    let detail = format!("expected {length} bytes, found {found}");
    faults.push(SiteFault::new(FaultKind::Tile, path, detail));
    Ok(None)
}

/// Checks that every key signed a note, and adds a fault for each key that did not.
pub fn check_signatures(note: &str, keys: &[NoteVerifier], file: &str, faults: &mut Vec<SiteFault>) {
    faults.extend(unsigned(&opened(note, keys), keys, file));
}

/// Verifies a note with each of these keys.
pub(crate) fn opened(note: &str, keys: &[NoteVerifier]) -> Vec<Opened> {
    keys.iter().map(|key| key.open(note)).collect()
}

/// Returns a fault for each key that has not signed a note, which was verified with them.
pub(crate) fn unsigned(opened: &[Opened], keys: &[NoteVerifier], file: &str) -> Vec<SiteFault> {
    let fault = |(opened, key): (&Opened, &NoteVerifier)| {
        let detail = match opened {
            Opened::Signed => return None,
            Opened::Forged => format!("the signature by {} does not verify", key.name()),
            Opened::Unsigned => format!("it is not signed by {}", key.name()),
        };
        Some(SiteFault::new(FaultKind::Signature, file, detail))
    };
    opened.iter().zip(keys).filter_map(fault).collect()
}
