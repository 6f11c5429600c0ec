//! Tiles (C2SP tlog-tiles): files of at most 256 hashes, one level of files per eight heights of the tree, and bundles
//! with the leaves.

use crate::merkle::{Hash, Tree};

/// Number of hashes in a full tile, and of leaves in a full bundle.
pub const WIDTH: u64 = 256;
/// Number of heights of the tree between two levels of tiles.
const HEIGHT: u32 = 8;
/// Number of levels of tiles in a tree of 2^64 leaves.
const LEVELS: u32 = u64::BITS / HEIGHT;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// Level of the tile; 0 has the hashes of leaves.
    pub level: u32,
    /// Index within the level, from 0.
    pub index: u64,
    /// Number of hashes, 1 to 256.
    pub width: u64,
}

impl Tile {
    /// Returns the tiles of a tree of this size, level by level from the leaves.
    pub fn all(size: u64) -> impl Iterator<Item = Self> {
        (0..LEVELS).flat_map(move |level| Self::of_level(level, size))
    }

    /// Returns the tiles of one level of a tree of this size.
    pub fn of_level(level: u32, size: u64) -> impl Iterator<Item = Self> {
        let hashes = size >> (HEIGHT * level);
        let tile = move |index| Self { level, index, width: WIDTH.min(hashes - index * WIDTH) };
        (0..hashes.div_ceil(WIDTH)).map(tile)
    }

    /// Returns whether a tree of this size has the whole tile.
    pub fn is_in(&self, size: u64) -> bool {
        self.index * WIDTH + self.width <= size >> (HEIGHT * self.level)
    }

    /// Returns the path of the tile below the site.
    pub fn path(&self) -> String {
        format!("tile/{}/{}", self.level, self.place())
    }

    /// Returns the path of the bundle with the leaves of a tile of level 0.
    pub fn bundle_path(&self) -> String {
        format!("tile/entries/{}", self.place())
    }

    /// Returns the path of the checkpoints with their last leaf in a tile of level 0 that witnesses cosigned.
    pub fn cosigned_path(&self) -> String {
        format!("cosigned/{}", Self { width: WIDTH, ..*self }.place())
    }

    /// Returns the last part of a path: `x001/x234/067`, followed by `.p/9` for a tile of 9 hashes.
    fn place(&self) -> String {
        let mut place = format!("{:03}", self.index % 1_000);
        let mut rest = self.index / 1_000;
        while rest > 0 {
            place = format!("x{:03}/{place}", rest % 1_000);
            rest /= 1_000;
        }
        if self.width < WIDTH {
            place += &format!(".p/{}", self.width);
        }
        place
    }

    /// Parses a path into its tile, and whether the path is that of the tile's bundle.
    pub fn of_path(path: &str) -> Option<(Self, bool)> {
        let (level, place) = path.strip_prefix("tile/")?.split_once('/')?;
        let is_bundle = level == "entries";
        let level = if is_bundle { 0 } else { level.parse().ok().filter(|level| *level < LEVELS)? };
        let (place, width) = match place.split_once(".p/") {
            Some((place, width)) => (place, width.parse().ok().filter(|width| (1..WIDTH).contains(width))?),
            None => (place, WIDTH),
        };
        let digits = |part: &str| part.strip_prefix('x').unwrap_or(part).parse::<u64>().ok();
        let index = place.split('/').try_fold(0u64, |index, part| {
            index.checked_mul(1_000)?.checked_add(digits(part)?).filter(|index| *index < u64::MAX / WIDTH)
        })?;
        let tile = Self { level, index, width };
        let own = if is_bundle { tile.bundle_path() } else { tile.path() };
        (own == path).then_some((tile, is_bundle))
    }

    /// Returns the hashes of this tile in a tree.
    ///
    /// # Panics
    /// If the tree is too small to have the tile.
    pub fn hashes<'a>(&self, tree: &'a Tree) -> &'a [Hash] {
        let from = (self.index * WIDTH) as usize;
        &tree.complete(HEIGHT * self.level)[from..from + self.width as usize]
    }
}

/// Encodes leaves as a bundle: each leaf after its length.
///
/// # Panics
/// If a leaf is longer than 65,535 bytes.
pub fn bundle<'a>(leaves: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for leaf in leaves {
        let length = u16::try_from(leaf.len()).expect("a leaf has at most 65,535 bytes");
        bytes.extend(length.to_be_bytes());
        bytes.extend(leaf);
    }
    bytes
}

/// Parses a bundle of `width` leaves; `None` if it has another number of leaves, too few bytes or too many.
pub fn unbundle(mut bytes: &[u8], width: u64) -> Option<Vec<&[u8]>> {
    let mut leaves = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk()?;
        let (leaf, rest) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
        leaves.push(leaf);
        bytes = rest;
    }
    (leaves.len() as u64 == width).then_some(leaves)
}

#[cfg(test)]
mod tests;
