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

/// Returns the root that an audit path leads to (RFC 9162, 2.1.3.2); `None` if the path is too short or too long for
/// this leaf.
pub fn root_by_path(index: u64, size: u64, leaf: Hash, path: &[Hash]) -> Option<Hash> {
    let (mut place, mut last) = (index, size.checked_sub(1).filter(|&last| index <= last)?);
    let mut hash = leaf;
    for sibling in path {
        if last == 0 {
            return None;
        }
        if place % 2 == 1 || place == last {
            hash = node_hash(sibling, &hash);
            // A last node without a sibling goes up unchanged.
            let alone = if place == 0 { 0 } else { place.trailing_zeros() };
            (place, last) = (place >> alone, last >> alone);
        } else {
            hash = node_hash(&hash, sibling);
        }
        (place, last) = (place >> 1, last >> 1);
    }
    (last == 0).then_some(hash)
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
    let (mut place, mut last) = (old.0 - 1, new.0 - 1);
    let up = place.trailing_ones();
    (place, last) = (place >> up, last >> up);
    let Some(&start) = hashes.next() else { return false };
    let (mut before, mut after) = (start, start);
    for sibling in hashes {
        if last == 0 {
            return false;
        }
        if place % 2 == 1 || place == last {
            (before, after) = (node_hash(sibling, &before), node_hash(sibling, &after));
            let alone = if place == 0 { 0 } else { place.trailing_zeros() };
            (place, last) = (place >> alone, last >> alone);
        } else {
            after = node_hash(&after, sibling);
        }
        (place, last) = (place >> 1, last >> 1);
    }
    last == 0 && (before, after) == (old.1, new.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use canasta_engine::hex::hex;

    /// Leaves and roots of the test data of the Certificate Transparency project (merkle_tree_test).
    const LEAVES: [&[u8]; 8] = [
        b"",
        &[0x00],
        &[0x10],
        &[0x20, 0x21],
        &[0x30, 0x31],
        &[0x40, 0x41, 0x42, 0x43],
        &[0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57],
        &[0x60, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f],
    ];
    const ROOTS: [&str; 9] = [
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];

    fn tree(leaves: impl IntoIterator<Item = Hash>) -> Tree {
        let mut tree = Tree::default();
        leaves.into_iter().for_each(|leaf| tree.push(leaf));
        tree
    }

    #[test]
    fn roots_are_the_published_ones() {
        let tree = tree(LEAVES.map(leaf_hash));
        for (size, root) in (0..).zip(ROOTS) {
            assert_eq!(hex(&tree.root(size)), root, "{size} leaves");
        }
    }

    #[test]
    fn a_consistency_proof_leads_from_its_tree_alone() {
        let leaves: Vec<Hash> = (0..40u8).map(|leaf| leaf_hash(&[leaf])).collect();
        let tree = tree(leaves.iter().copied());
        let head = |size| (size, tree.root(size));
        for size in 1..=40 {
            for old in 1..=size {
                let mut proof = tree.consistency(old, size);
                assert!(is_consistent(head(old), head(size), &proof), "{old} to {size}");
                assert!(!is_consistent((old, [7; 32]), head(size), &proof), "{old} to {size}");
                assert!(!is_consistent(head(old), (size, [7; 32]), &proof), "{old} to {size}");
                for at in 0..proof.len() {
                    proof[at][0] ^= 1;
                    assert!(!is_consistent(head(old), head(size), &proof), "{old} to {size}");
                    proof[at][0] ^= 1;
                }
                proof.push([7; 32]);
                assert!(!is_consistent(head(old), head(size), &proof), "a longer proof");
                proof.pop();
                proof.pop();
                assert!(old == size || !is_consistent(head(old), head(size), &proof), "a shorter proof");
            }
            assert!(!is_consistent(head(size), head(size - 1), &[]), "a smaller tree");
        }
    }

    #[test]
    fn a_path_leads_to_the_root_of_its_leaf_alone() {
        let leaves: Vec<Hash> = (0..40u8).map(|leaf| leaf_hash(&[leaf])).collect();
        let tree = tree(leaves.iter().copied());
        for size in 1..=40 {
            let root = tree.root(size);
            for index in 0..size {
                let (leaf, mut path) = (leaves[index as usize], tree.inclusion(index, size));
                assert_eq!(root_by_path(index, size, leaf, &path), Some(root), "{index} of {size}");
                for other in (0..size).filter(|&other| other != index) {
                    assert_ne!(root_by_path(other, size, leaf, &path), Some(root), "{index} of {size}");
                }
                assert_ne!(root_by_path(index, size, [7; 32], &path), Some(root));
                path.push(root);
                assert_eq!(root_by_path(index, size, leaf, &path), None, "a longer path");
                if size > 1 {
                    path.truncate(path.len() - 2);
                    assert_ne!(root_by_path(index, size, leaf, &path), Some(root), "a shorter path");
                }
            }
            assert_eq!(root_by_path(size, size, leaves[0], &[]), None);
        }
        assert_eq!(root_by_path(0, 0, leaves[0], &[]), None);
        assert_eq!(root_by_path(0, u64::MAX, leaves[0], &[]), None);
    }
}
