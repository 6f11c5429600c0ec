//! The Merkle tree of RFC 6962, section 2.1, built leaf by leaf.

use sha2::{Digest, Sha256};

/// The hash of a leaf or a node.
pub type Hash = [u8; 32];

pub fn leaf_hash(content: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(content).finalize().into()
}

/// Returns the hash of the node above two nodes.
pub fn node_hash(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// A tree that stores the hash of every complete subtree: 64 bytes per leaf.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tree {
    /// Hashes by height: entry `i` of height `h` covers `2^h` leaves, from leaf `i * 2^h` on.
    complete: Vec<Vec<Hash>>,
}

impl Tree {
    /// Returns the number of leaves.
    pub fn size(&self) -> u64 {
        self.complete(0).len() as u64
    }

    /// Returns the hashes of the complete subtrees of a height, from the left.
    pub fn complete(&self, height: u32) -> &[Hash] {
        self.complete.get(height as usize).map_or(&[], Vec::as_slice)
    }

    /// Adds a leaf at the right end.
    pub fn push(&mut self, leaf: Hash) {
        let mut hash = leaf;
        for height in 0.. {
            if self.complete.len() == height {
                self.complete.push(Vec::new());
            }
            let level = &mut self.complete[height];
            level.push(hash);
            match level.as_slice() {
                [.., left, right] if level.len().is_multiple_of(2) => hash = node_hash(left, right),
                _ => return,
            }
        }
    }

    /// Gives back the memory that further leaves would take.
    pub(crate) fn shrink(&mut self) {
        self.complete.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// Returns the root over the first `size` leaves.
    ///
    /// # Panics
    /// If the tree has fewer leaves.
    pub fn root(&self, size: u64) -> Hash {
        if size == 0 {
            return Sha256::digest([]).into();
        }
        self.range(0, size)
    }

    /// Returns the audit path of a leaf in the tree of the first `size` leaves, from its sibling up.
    ///
    /// # Panics
    /// If the tree has fewer leaves, or `index` is not less than `size`.
    pub fn inclusion(&self, index: u64, size: u64) -> Vec<Hash> {
        assert!(index < size, "leaf {index} is in a tree of {size}");
        let (mut from, mut to) = (0, size);
        let mut path = Vec::new();
        while to - from > 1 {
            let middle = from + left_part(to - from);
            if index < middle {
                path.push(self.range(middle, to));
                to = middle;
            } else {
                path.push(self.range(from, middle));
                from = middle;
            }
        }
        path.reverse();
        path
    }

    /// Returns the proof that the tree of the first `size` leaves begins with the tree of the first `old` leaves (RFC
    /// 6962, 2.1.2).
    ///
    /// # Panics
    /// If the tree has fewer leaves, or `old` is more than `size`.
    pub fn consistency(&self, old: u64, size: u64) -> Vec<Hash> {
        assert!(old <= size, "a tree of {size} leaves cannot begin with {old}");
        if old == 0 || old == size {
            return Vec::new();
        }
        let (mut from, mut to, mut is_whole) = (0, size, true);
        let mut proof = Vec::new();
        while old != to {
            let middle = from + left_part(to - from);
            if old <= middle {
                proof.push(self.range(middle, to));
                to = middle;
            } else {
                proof.push(self.range(from, middle));
                (from, is_whole) = (middle, false);
            }
        }
        if !is_whole {
            proof.push(self.range(from, to));
        }
        proof.reverse();
        proof
    }

    /// Returns the hash over the leaves `from..to`, split as RFC 6962 says. `from` must be a multiple of a power of two
    /// that is at least the number of these leaves.
    fn range(&self, from: u64, to: u64) -> Hash {
        let size = to - from;
        if size.is_power_of_two() {
            return self.complete[size.ilog2() as usize][(from / size) as usize];
        }
        let middle = from + left_part(size);
        node_hash(&self.range(from, middle), &self.range(middle, to))
    }
}

/// Returns the largest power of two below `size`, which must be at least 2.
fn left_part(size: u64) -> u64 {
    1 << (size - 1).ilog2()
}

/// Returns the siblings of a path from a node up, each with whether it is the left one; `None` if the path is too short or too
/// long. `place` is the number of the node on its height, `last` that of the last one there.
fn sides<'p>(
    mut place: u64,
    mut last: u64,
    path: impl IntoIterator<Item = &'p Hash>,
) -> Option<Vec<(bool, &'p Hash)>> {
    let mut sides = Vec::new();
    for sibling in path {
        if last == 0 {
            return None;
        }
        let is_left = place % 2 == 1 || place == last;
        sides.push((is_left, sibling));
        // A last node without a sibling goes up unchanged.
        let alone = if is_left && place > 0 { place.trailing_zeros() } else { 0 };
        (place, last) = (place >> alone >> 1, last >> alone >> 1);
    }
    (last == 0).then_some(sides)
}

/// Returns the root that an audit path leads to (RFC 9162, 2.1.3.2); `None` if the path is too short or too long for
/// this leaf.
pub fn root_by_path(index: u64, size: u64, leaf: Hash, path: &[Hash]) -> Option<Hash> {
    let last = size.checked_sub(1).filter(|&last| index <= last)?;
    let up = |hash, (is_left, sibling)| match is_left {
        true => node_hash(sibling, &hash),
        false => node_hash(&hash, sibling),
    };
    Some(sides(index, last, path)?.into_iter().fold(leaf, up))
}

/// Whether a proof shows that the tree `new` begins with the tree `old`, each a size and a root (RFC 9162, 2.1.4.2).
pub fn is_consistent(old: (u64, Hash), new: (u64, Hash), proof: &[Hash]) -> bool {
    if old.0 == new.0 {
        return proof.is_empty() && old.1 == new.1;
    }
    if old.0 == 0 || old.0 > new.0 {
        return old.0 == 0 && proof.is_empty();
    }
    let first = if old.0.is_power_of_two() { Some(&old.1) } else { None };
    let mut hashes = first.into_iter().chain(proof);
    let (place, last) = (old.0 - 1, new.0 - 1);
    let whole = place.trailing_ones();
    let Some(&start) = hashes.next() else { return false };
    let Some(path) = sides(place >> whole, last >> whole, hashes) else { return false };
    let up = |(before, after), (is_left, sibling)| match is_left {
        true => (node_hash(sibling, &before), node_hash(sibling, &after)),
        false => (before, node_hash(&after, sibling)),
    };
    path.into_iter().fold((start, start), up) == (old.1, new.1)
}

#[cfg(test)]
mod tests;
