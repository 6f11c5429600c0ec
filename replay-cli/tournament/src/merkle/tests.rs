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
