//! A published tournament: its tree compared with implementations that are not ours (the crates `tlog_tiles`
//! and `signed_note`), and crashes while it is written.

use crate::common::{command, directory, key, logs};
use canasta_replay::Exit;
use canasta_tournament::entry::GameEntry;
use canasta_tournament::files::SiteFiles;
use canasta_tournament::log_file;
use canasta_tournament::merkle::{Tree, leaf_hash, root_by_path};
use canasta_tournament::note::NoteSigner;
use canasta_tournament::proof::InclusionProof;
use canasta_tournament::publish::{UnpublishedGame, UnpublishedLeaf, extend};
use canasta_tournament::site::{self, Leaves, Site};
use canasta_tournament::tiles::{Tile, unbundle};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use tlog_tiles::{
    HashReader, TileHashReader, TileReader, check_record, check_tree, prove_record, prove_tree,
};

fn nobody(_: &Site, _: u64) -> Vec<String> {
    Vec::new()
}

fn signer() -> NoteSigner {
    NoteSigner::new("open-2026.example", &[7; 32]).expect("a key")
}

/// Tiles in the interface of the other implementation.
struct Published<'a>(&'a BTreeMap<String, Vec<u8>>);

impl TileReader for Published<'_> {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[tlog_tiles::Tile]) -> Result<Vec<Vec<u8>>, tlog_tiles::Error> {
        // The paths of that implementation contain the height of tiles; those of the specification do not.
        let path = |tile: &tlog_tiles::Tile| tile.path().replacen("tile/8/", "tile/", 1);
        Ok(tiles.iter().map(|tile| self.0[&path(tile)].clone()).collect())
    }

    fn save_tiles(&self, _: &[tlog_tiles::Tile], _: &[Vec<u8>]) {}
}

#[test]
fn tiles_are_those_that_another_implementation_reads() {
    let leaves: Vec<Vec<u8>> = (0..70_000u32).map(|leaf| format!("leaf {leaf}").into_bytes()).collect();
    let mut tree = Tree::default();
    let mut tiles = BTreeMap::new();
    let sizes = [1, 2, 3, 255, 256, 257, 511, 512, 600, 65_536, 65_537, 70_000];
    for (from, size) in [0].into_iter().chain(sizes).zip(sizes) {
        leaves[from as usize..size as usize].iter().for_each(|leaf| tree.push(leaf_hash(leaf)));
        for tile in Tile::all(size).filter(|tile| !tile.is_in(from)) {
            tiles.insert(tile.path(), tile.hashes(&tree).as_flattened().to_vec());
        }
    }
    let theirs = Published(&tiles);
    for size in sizes {
        // The reader itself refuses tiles that do not lead to this root.
        let root = tlog_tiles::Hash(tree.root(size));
        let reader = TileHashReader::new(size, root, &theirs);
        assert_eq!(tlog_tiles::tree_hash(size, &reader).expect("a tree"), root, "{size}");
        for index in [0, 1, 254, 255, 256, 300, size / 2, size.saturating_sub(2), size - 1] {
            if index >= size {
                continue;
            }
            let leaf = tlog_tiles::record_hash(&leaves[index as usize]);
            assert_eq!(
                reader.read_hashes(&[tlog_tiles::stored_hash_index(0, index)]).expect("a leaf"),
                [leaf]
            );
            let proof = prove_record(size, index, &reader).expect("a proof");
            let ours: Vec<_> = tree.inclusion(index, size);
            assert_eq!(proof.iter().map(|hash| hash.0).collect::<Vec<_>>(), ours, "{index} of {size}");
            assert_eq!(root_by_path(index, size, leaf.0, &ours), Some(root.0));
            let ours = ours.into_iter().map(tlog_tiles::Hash).collect();
            check_record(&ours, size, root, index, leaf).expect("proven");
        }
        for earlier in sizes.into_iter().filter(|&earlier| earlier < size) {
            let proof = prove_tree(size, earlier, &reader).expect("a proof");
            let before = tlog_tiles::Hash(tree.root(earlier));
            check_tree(&proof, size, root, earlier, before).expect("consistent");
        }
    }
}

#[test]
fn what_is_published_is_read_by_another_implementation() {
    let place = directory("tournament-interop");
    logs(&place.join("tables"), 5);
    let (key, public) = key(&place, "open-2026.example", 1);
    let (tables, site) = (place.join("tables"), place.join("site"));
    let ran =
        command(&["publish", tables.to_str().unwrap(), "--key", &key, "-o", site.to_str().unwrap()], &[]);
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");

    let note = fs::read(site.join("checkpoint")).unwrap();
    let note = signed_note::Note::from_bytes(&note).expect("a note");
    let verifier = signed_note::StandardVerifier::new(&public).expect("a key");
    let (verified, _) =
        note.verify(&signed_note::VerifierList::new(vec![Box::new(verifier)])).expect("verifies");
    assert_eq!(verified.len(), 1);
    let checkpoint = tlog_tiles::Checkpoint::from_bytes(note.text()).expect("a checkpoint");
    assert_eq!((checkpoint.origin(), checkpoint.size()), ("open-2026.example", 5));

    let bundle = fs::read(site.join("tile/entries/000.p/5")).unwrap();
    let tile = fs::read(site.join("tile/0/000.p/5")).unwrap();
    let tiles = BTreeMap::from([("tile/0/000.p/5".to_owned(), tile)]);
    let theirs = Published(&tiles);
    let reader = TileHashReader::new(5, *checkpoint.hash(), &theirs);
    for (index, leaf) in (0..).zip(unbundle(&bundle, 5).expect("five entries")) {
        let hash = tlog_tiles::record_hash(leaf);
        assert_eq!(
            reader.read_hashes(&[tlog_tiles::stored_hash_index(0, index)]).expect("in the tree"),
            [hash]
        );
        let entry = GameEntry::from_bytes(leaf).expect("an entry");
        let text = fs::read_to_string(site.join(format!("{}.tlog-proof", entry.place()))).unwrap();
        let (proof, _) = InclusionProof::parse(&text).expect("a proof");
        let path = proof.path.into_iter().map(tlog_tiles::Hash).collect();
        check_record(&path, 5, *checkpoint.hash(), index, hash).expect("proven");
        assert_eq!(proof.note.as_bytes(), fs::read(site.join("checkpoint")).unwrap());
    }
}

/// Files of which a crash keeps the settled content, and of all other files either the old or the new
/// content.
#[derive(Clone, Default)]
struct Forgetful {
    safe: BTreeMap<String, Vec<u8>>,
    pending: Vec<(String, Vec<u8>)>,
    /// Number of calls before the power fails.
    calls: usize,
}

impl Forgetful {
    fn call(&mut self) -> io::Result<()> {
        self.calls = self.calls.checked_sub(1).ok_or_else(|| io::Error::other("the power fails"))?;
        Ok(())
    }

    /// Returns the files that a crash may leave: of those that have not settled, those whose bit is set in
    /// `kept`.
    fn after_crash(&self, kept: u64) -> Self {
        let mut safe = self.safe.clone();
        let lives = (0..).zip(&self.pending).filter(|(place, _)| kept >> (place % 64) & 1 == 1);
        safe.extend(lives.map(|(_, file)| file.clone()));
        Self { safe, pending: Vec::new(), calls: usize::MAX }
    }
}

impl SiteFiles for Forgetful {
    fn read(&self, path: &str, most: u64) -> io::Result<Option<Vec<u8>>> {
        let pending = self.pending.iter().rev().find(|(name, _)| name == path).map(|(_, bytes)| bytes);
        let bytes = pending.or_else(|| self.safe.get(path));
        Ok(bytes.map(|bytes| bytes[..bytes.len().min(most as usize + 1)].to_vec()))
    }

    fn put(&mut self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.call()?;
        self.pending.push((path.to_owned(), bytes.to_vec()));
        Ok(())
    }

    fn settle(&mut self) -> io::Result<()> {
        self.call()?;
        self.safe.extend(self.pending.drain(..));
        Ok(())
    }
}

fn load(files: &Forgetful) -> (Option<Site>, usize) {
    let mut faults = Vec::new();
    let site = site::load(files, &mut faults).unwrap();
    (site, faults.len())
}

#[test]
fn a_crash_at_any_moment_leaves_a_tree_that_was_signed() {
    let place = directory("tournament-crash");
    let game = |log: PathBuf| {
        let entry = GameEntry::of(&log_file::audit(&log).unwrap(), "t".into()).expect("a game");
        UnpublishedLeaf::from(UnpublishedGame { entry, log })
    };
    let games: Vec<UnpublishedLeaf> = logs(&place, 6).into_iter().map(game).collect();
    let (first, second) = games.split_at(4);
    let mut before = Forgetful { calls: usize::MAX, ..Forgetful::default() };
    extend(&mut before, &signer(), Site::new("open"), first, &mut nobody).unwrap();
    let old = load(&before).0.expect("a site");
    let mut after = before.clone();
    extend(&mut after, &signer(), old.clone(), second, &mut nobody).unwrap();
    assert_eq!((old.checkpoint.size, load(&after).0.unwrap().checkpoint.size), (4, 6));

    // Two logs, a tile, a bundle, settle, the head, settle, two proofs, settle.
    let calls = usize::MAX - 1_000 - {
        let mut counted = Forgetful { calls: usize::MAX - 1_000, ..before.clone() };
        extend(&mut counted, &signer(), old.clone(), second, &mut nobody).unwrap();
        counted.calls
    };
    assert_eq!(calls, 10);
    let (mut olds, mut news) = (0, 0);
    for crash in 0..calls {
        let mut files = Forgetful { calls: crash, ..before.clone() };
        extend(&mut files, &signer(), old.clone(), second, &mut nobody).expect_err("the power failed");
        for kept in 0..1 << files.pending.len() {
            let mut left = files.after_crash(kept);
            let (site, faults) = load(&left);
            let site = site.expect("a signed head");
            assert_eq!(faults, 0, "crash at call {crash}, kept {kept:b}");
            // Every proof leads to a head that is published, or to an earlier head of the same tree.
            let proofs = left.safe.iter().filter(|(name, _)| name.ends_with(".tlog-proof"));
            for (name, text) in proofs {
                let (_, head) = InclusionProof::parse(std::str::from_utf8(text).unwrap()).expect("a proof");
                site.extends(&head, name).expect("a proof of this tree");
            }
            // The same command again finishes the work.
            let rest = if site.checkpoint.size == 4 { second } else { &[] };
            (olds, news) = (olds + usize::from(rest.len() == 2), news + usize::from(rest.is_empty()));
            extend(&mut left, &signer(), site, rest, &mut nobody).unwrap();
            assert_eq!(left.safe, after.safe, "crash at call {crash}, kept {kept:b}");
        }
    }
    assert!(olds > 16 && news > 5, "{olds} crashes left the old tree, {news} the new one");
}

/// Files that an interrupted publish leaves behind are overwritten when other games are published next.
#[test]
fn what_was_never_signed_is_written_over() {
    let place = directory("tournament-leftovers");
    let game = |log: PathBuf| {
        let entry = GameEntry::of(&log_file::audit(&log).unwrap(), "t".into()).expect("a game");
        UnpublishedLeaf::from(UnpublishedGame { entry, log })
    };
    let games: Vec<UnpublishedLeaf> = logs(&place, 3).into_iter().map(game).collect();
    let mut files = Forgetful { calls: usize::MAX, ..Forgetful::default() };
    extend(&mut files, &signer(), Site::new("open"), &games[..1], &mut nobody).unwrap();
    let old = load(&files).0.expect("a site");
    files.calls = 4;
    extend(&mut files, &signer(), old.clone(), &games[1..2], &mut nobody)
        .expect_err("before the head is written");
    let mut left = files.after_crash(u64::MAX);
    extend(&mut left, &signer(), old, &games[2..], &mut nobody).unwrap();
    let (site, faults) = load(&left);
    let UnpublishedLeaf::Game(third) = &games[2] else { panic!("a game") };
    let site = site.expect("a site");
    let leaves = Leaves { site: &site, files: &|path, most| left.read(path, most), news: &[] };
    let second = leaves.games().nth(1).map(Result::unwrap);
    assert_eq!((second, faults), (Some((1, third.entry.clone())), 0));
}

/// Puts more and more logs beside the published ones, each of which is a finding.
#[test]
fn at_most_256_findings_are_reported() {
    let place = directory("tournament-faults");
    logs(&place.join("tables"), 1);
    let (key, public) = key(&place, "open-2026.example", 1);
    let (tables, site) = (place.join("tables"), place.join("site"));
    let site = site.to_str().unwrap();
    command(&["publish", tables.to_str().unwrap(), "--key", &key, "-o", site], &[]);
    let found = |more: &[&str]| {
        let args = [&["audit-tournament", site, "--key", &public, "--format", "json"], more].concat();
        let ran = command(&args, &[]);
        assert_eq!(ran.exit, Exit::Findings, "{ran:?}");
        let report: Value = serde_json::from_slice(&ran.out).expect("JSON");
        report["faults"].as_array().expect("faults").len()
    };
    for number in 0..300 {
        fs::write(format!("{site}/games/{number}.clog"), b"").unwrap();
        if [254, 255, 256].contains(&number) {
            assert_eq!(found(&[]), (number + 1).min(256));
        }
    }
    assert_eq!((found(&[]), found(&["--strict"])), (256, 256));
}
