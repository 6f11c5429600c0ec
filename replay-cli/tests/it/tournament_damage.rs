//! Damage to a published tournament: every kind of damage, and every changed byte, is found and named.

use crate::common::{Extras, command, directory, frames, key, logs, play, short};
use canasta_engine::log::Reader;
use canasta_engine::log::record::{Record, Remark};
use canasta_replay::Exit;
use canasta_tournament::checkpoint::Checkpoint;
use canasta_tournament::entry::GameEntry;
use canasta_tournament::fault::FaultKind;
use canasta_tournament::files::SiteFiles;
use canasta_tournament::log_file;
use canasta_tournament::merkle::{Tree, leaf_hash};
use canasta_tournament::note::NoteSigner;
use canasta_tournament::site::{self, Leaves, check_signatures};
use canasta_tournament::tiles::{Tile, bundle};
use canasta_tournament::timeline::Timeline;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Returns the kinds of faults that `audit-tournament` finds.
fn faults(args: &[&str]) -> BTreeSet<String> {
    let ran = command(&[&["audit-tournament", "--format", "json", "--threads", "1"], args].concat(), &[]);
    let report: Value = serde_json::from_slice(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let kinds = report["faults"].as_array().expect("faults").iter().map(|fault| fault["kind"].as_str());
    let kinds: BTreeSet<String> = kinds.map(|kind| kind.expect("a kind").to_owned()).collect();
    assert_eq!(ran.exit == Exit::Clean, kinds.is_empty(), "{ran:?}");
    kinds
}

/// A site of three games, its logs, and keys.
struct DamagedSite {
    place: PathBuf,
    site: PathBuf,
    key: String,
    public: String,
    games: Vec<GameEntry>,
}

impl DamagedSite {
    fn new(name: &str) -> Self {
        let place = directory(name);
        let (key, public) = key(&place, "open-2026.example", 1);
        let mut scene = Self { site: place.join("site"), place, key, public, games: Vec::new() };
        let logs = logs(&scene.place.join("tables"), 3);
        scene.publish(&scene.site, &scene.key, &["tables"]);
        let entry = |log: &PathBuf| {
            let label = log.file_stem().unwrap().to_str().unwrap().to_owned();
            GameEntry::of(&log_file::audit(log).unwrap(), label).expect("a game")
        };
        scene.games = logs.iter().map(entry).collect();
        scene
    }

    fn publish(&self, site: &Path, key: &str, logs: &[&str]) {
        let logs: Vec<String> =
            logs.iter().map(|log| self.place.join(log).to_str().unwrap().into()).collect();
        let mut args = vec!["publish", "--key", key, "-o", site.to_str().unwrap()];
        args.extend(logs.iter().map(String::as_str));
        let ran = command(&args, &[]);
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    }

    fn audit(&self, more: &[&str]) -> BTreeSet<String> {
        faults(&[&[self.site.to_str().unwrap(), "--key", &self.public], more].concat())
    }

    fn file(&self, path: &str) -> PathBuf {
        self.site.join(path)
    }

    fn log(&self, game: usize) -> PathBuf {
        self.file(&format!("{}.clog", self.games[game].place()))
    }

    fn proof(&self, game: usize) -> PathBuf {
        self.file(&format!("{}.tlog-proof", self.games[game].place()))
    }

    /// Writes these entries under a head signed with this key, as a dishonest operator would.
    fn rewrite(&self, entries: &[GameEntry], key: &NoteSigner) -> io::Result<()> {
        let mut tree = Tree::default();
        let leaves: Vec<Vec<u8>> = entries.iter().map(GameEntry::to_bytes).collect();
        leaves.iter().for_each(|leaf| tree.push(leaf_hash(leaf)));
        for tile in Tile::all(tree.size()) {
            fs::write(self.file(&tile.path()), tile.hashes(&tree).as_flattened())?;
            fs::write(self.file(&tile.bundle_path()), bundle(leaves.iter().map(Vec::as_slice)))?;
        }
        let (size, root) = (tree.size(), tree.root(tree.size()));
        let head = Checkpoint { origin: "open-2026.example".into(), size, root };
        fs::write(self.file("checkpoint"), key.sign(&head.body()))
    }
}

fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) -> io::Result<()> {
    let mut bytes = fs::read(path)?;
    change(&mut bytes);
    fs::write(path, bytes)
}

/// A damage to a site: its name, the change, and the kinds of faults that must be found.
type Damage = (&'static str, fn(&DamagedSite) -> Vec<String>, &'static [&'static str]);

/// The damages. Each line makes one change to what was published and names all faults that must be found; the
/// change returns further arguments of the audit.
const DAMAGES: &[Damage] = &[
    ("nothing", |_| vec![], &[]),
    ("no checkpoint", |s| none(fs::remove_file(s.file("checkpoint"))), &["CHECKPOINT"]),
    ("no checkpoint in it", |s| none(fs::write(s.file("checkpoint"), "three\n3\n")), &["CHECKPOINT"]),
    ("a missing tile", |s| none(fs::remove_file(s.file("tile/0/000.p/3"))), &["TILE_MISSING"]),
    ("missing entries", |s| none(fs::remove_file(s.file("tile/entries/000.p/3"))), &["TILE_MISSING"]),
    ("a changed tile", |s| none(flip(&s.file("tile/0/000.p/3"), 40)), &["ENTRY", "ROOT"]),
    ("a longer tile", |s| none(change(&s.file("tile/0/000.p/3"), |bytes| bytes.push(0))), &["TILE"]),
    (
        "an entry's points changed",
        |s| none(replace(&s.file("tile/entries/000.p/3"), b"margin\":", b"margin\":1")),
        &["ENTRY"],
    ),
    ("a dropped log", |s| none(fs::remove_file(s.log(1))), &["GAME_MISSING"]),
    ("a dropped proof", |s| none(fs::remove_file(s.proof(1))), &["PROOF"]),
    ("proofs exchanged", |s| none(fs::rename(s.proof(1), s.proof(0))), &["PROOF"]),
    ("logs exchanged", |s| none(fs::copy(s.log(1), s.log(0))), &["GAME_CHANGED"]),
    ("a changed log", |s| none(flip(&s.log(2), 1_500)), &["GAME_CHANGED", "VERDICT"]),
    ("a cut log", |s| none(change(&s.log(2), |bytes| bytes.truncate(1_500))), &["GAME_CHANGED", "VERDICT"]),
    ("a log put there", |s| none(fs::copy(s.log(2), s.file("games/other.clog"))), &["GAME_UNLISTED"]),
    (
        "a game taken back, signed again: proofs that were given out remain",
        |s| none(s.rewrite(&s.games[..2], &own())),
        &["ROLLED_BACK", "GAME_UNLISTED"],
    ),
    (
        "games exchanged, signed again",
        |s| {
            let games = [s.games[1].clone(), s.games[0].clone(), s.games[2].clone()];
            none(s.rewrite(&games, &own()))
        },
        &["PROOF", "FORKED"],
    ),
    (
        "signed with another key of the same name",
        |s| none(s.rewrite(&s.games, &NoteSigner::new("open-2026.example", &[2; 32]).unwrap())),
        &["SIGNATURE"],
    ),
    (
        "a game under two heads",
        |s| {
            let mut games = s.games.clone();
            let mut other = games[0].clone();
            other.head = [9; 32];
            games.push(other);
            none(s.rewrite(&games, &own()))
        },
        &["GAME_TWICE", "GAME_CHANGED", "PROOF"],
    ),
    (
        "a rolled back tree against a checkpoint that was kept",
        |s| {
            let kept = keep(s);
            s.rewrite(&s.games[..2], &own()).unwrap();
            let _ = fs::remove_file(s.proof(2)).and(fs::remove_file(s.log(2)));
            let _ = fs::remove_file(s.proof(0)).and(fs::remove_file(s.proof(1)));
            s.publish(&s.site, &s.key, &["tables/table-0.clog"]);
            kept
        },
        &["ROLLED_BACK"],
    ),
    (
        "another tournament in its place, against a checkpoint that was kept",
        |s| {
            let kept = keep(s);
            fs::remove_dir_all(&s.site).unwrap();
            s.publish(
                &s.site,
                &s.key,
                &["tables/table-2.clog", "tables/table-0.clog", "tables/table-1.clog"],
            );
            kept
        },
        &["FORKED"],
    ),
    (
        "a checkpoint of something else is no checkpoint of this",
        |s| {
            let head = Checkpoint { origin: "else.example".into(), size: 0, root: [0; 32] };
            let note = own().sign(&head.body());
            fs::write(s.place.join("else"), note).unwrap();
            vec!["--since".into(), s.place.join("else").to_str().unwrap().into()]
        },
        &["CHECKPOINT"],
    ),
    (
        "an own log that was never published",
        |s| {
            let other = s.place.join("other.clog");
            fs::write(&other, play(&short("classic-4p", 5), 9, Extras::None)).unwrap();
            vec![other.to_str().unwrap().into()]
        },
        &["GAME_MISSING"],
    ),
    (
        "an own log that was published otherwise",
        |s| {
            let own = s.place.join("own.clog");
            let mut log = fs::read(s.log(0)).unwrap();
            let last = *frames(&log).iter().rev().nth(1).unwrap();
            log.truncate(last);
            let (mut reader, mut piece) = (Reader::new(), log.as_slice());
            while reader.next(&mut piece).unwrap().is_some() {}
            let mut chain = reader.chain();
            let note = Record::Remark(Remark::checkpoint("x\n1\nAA==\n\n\u{2014} a AA==\n"));
            chain.append(&note.encode().unwrap(), &mut log);
            fs::write(&own, log).unwrap();
            vec![own.to_str().unwrap().into()]
        },
        &["GAME_CHANGED"],
    ),
    (
        "an own copy made before the end is no other log",
        |s| {
            let own = s.place.join("early.clog");
            let log = fs::read(s.log(0)).unwrap();
            fs::write(&own, &log[..frames(&log)[7]]).unwrap();
            vec![own.to_str().unwrap().into()]
        },
        &[],
    ),
    (
        "an announced game that is not there",
        |s| {
            let list = s.place.join("announced");
            fs::write(&list, "# tables\n00000000000000000000000000000001 table 1\n").unwrap();
            vec!["--announced".into(), list.to_str().unwrap().into()]
        },
        &["GAME_MISSING"],
    ),
];

/// Unwraps a change that needs no further arguments of the audit.
fn none<T>(done: io::Result<T>) -> Vec<String> {
    done.unwrap();
    Vec::new()
}

fn flip(path: &Path, at: usize) -> io::Result<()> {
    change(path, |bytes| bytes[at] ^= 1)
}

fn replace(path: &Path, from: &[u8], to: &[u8]) -> io::Result<()> {
    change(path, |bytes| {
        let at = bytes.windows(from.len()).position(|window| window == from).expect("it is there");
        bytes.splice(at..at + from.len(), to.iter().copied());
    })
}

/// Returns the tournament's own key.
fn own() -> NoteSigner {
    NoteSigner::new("open-2026.example", &[1; 32]).expect("a key")
}

/// Keeps the present checkpoint.
fn keep(scene: &DamagedSite) -> Vec<String> {
    let kept = scene.place.join("kept");
    fs::copy(scene.file("checkpoint"), &kept).unwrap();
    vec!["--since".into(), kept.to_str().unwrap().into()]
}

#[test]
fn every_damage_is_found_and_named() {
    let mut seen = BTreeSet::new();
    for (place, (what, damage, expected)) in DAMAGES.iter().enumerate() {
        let scene = DamagedSite::new(&format!("tournament-damage-{place}"));
        let more = damage(&scene);
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        let found = scene.audit(&more);
        let expected: BTreeSet<String> = expected.iter().map(|kind| (*kind).to_owned()).collect();
        assert_eq!(found, expected, "{what}");
        seen.extend(found);
    }
    assert_eq!(seen.len(), FaultKind::Proof as usize + 1, "not every kind was seen: {seen:?}");
}

/// Files in memory, for reading only.
struct Memory(BTreeMap<&'static str, Vec<u8>>);

impl SiteFiles for Memory {
    fn read(&self, path: &str, most: u64) -> io::Result<Option<Vec<u8>>> {
        Ok(self.0.get(path).map(|bytes| bytes[..bytes.len().min(most as usize + 1)].to_vec()))
    }

    fn put(&mut self, _: &str, _: &[u8]) -> io::Result<()> {
        unreachable!("a reader writes nothing")
    }

    fn settle(&mut self) -> io::Result<()> {
        unreachable!("a reader writes nothing")
    }
}

/// Tries every changed bit and every truncation of the head, and of what the signed head covers.
#[test]
fn every_changed_bit_of_the_tree_is_found() {
    let scene = DamagedSite::new("tournament-bits");
    let keys = [own().verifier()];
    let holds = |files: &Memory| {
        let mut faults = Vec::new();
        let Some(site) = site::load(files, &mut faults).unwrap() else { return false };
        check_signatures(&site.note, &keys, "checkpoint", &mut faults);
        faults.is_empty()
    };
    let paths = ["checkpoint", "tile/0/000.p/3", "tile/entries/000.p/3"];
    let mut files = Memory(paths.map(|path| (path, fs::read(scene.file(path)).unwrap())).into());
    assert!(holds(&files));
    for path in paths {
        let whole = files.0[path].clone();
        for bit in 0..whole.len() * 8 {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            files.0.insert(path, bytes);
            assert!(!holds(&files), "{path} bit {bit}");
        }
        for length in 0..whole.len() {
            files.0.insert(path, whole[..length].to_vec());
            assert!(!holds(&files), "{path} cut at {length}");
        }
        files.0.insert(path, whole);
    }
    assert!(holds(&files));
}

/// Tries some changed bits and truncations of a proof and a log (damage.rs has every bit of a log).
#[test]
fn changed_bits_of_proofs_and_logs_are_found() {
    let scene = DamagedSite::new("tournament-more-bits");
    for (path, step) in [(scene.proof(1), 5), (scene.log(0), 97)] {
        let whole = fs::read(&path).unwrap();
        for at in (0..whole.len()).step_by(step).chain([whole.len() - 1]) {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(&path, &bytes).unwrap();
            assert!(!scene.audit(&[]).is_empty(), "{} byte {at}", path.display());
            fs::write(&path, &whole[..at]).unwrap();
            assert!(!scene.audit(&[]).is_empty(), "{} cut at {at}", path.display());
        }
        fs::write(&path, whole).unwrap();
    }
    assert_eq!(scene.audit(&[]), BTreeSet::new());
}

/// Checks each byte of the tiles that a client with an earlier checkpoint reads. Other files are named, without a
/// fault.
#[test]
fn superseded_tiles_are_checked_and_other_files_are_named() {
    let scene = DamagedSite::new("tournament-superseded");
    let old = ["tile/0/000.p/3", "tile/entries/000.p/3"];
    let mut more = scene.place.join("more");
    fs::create_dir_all(&more).unwrap();
    more.push("late.clog");
    fs::write(&more, play(&short("classic-4p", 5), 9, Extras::None)).unwrap();
    scene.publish(&scene.site, &scene.key, &["more"]);
    assert!(scene.file("tile/0/000.p/4").exists());
    assert_eq!(scene.audit(&[]), BTreeSet::new());
    for path in old {
        let file = scene.file(path);
        let bytes = fs::read(&file).unwrap();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            fs::write(&file, &changed).unwrap();
            let files = canasta_tournament::files::Directory::new(&scene.site);
            let mut faults = Vec::new();
            let site = site::load(&files, &mut faults).unwrap().unwrap();
            let leaves = Leaves { site: &site, files: &|path, most| files.read(path, most), news: &[] };
            let timeline = Timeline::read(&leaves, None, &mut faults).unwrap();
            canasta_tournament::rest::check(&scene.site, &leaves, &timeline, &mut faults).unwrap();
            let kinds: Vec<FaultKind> = faults.iter().map(|fault| fault.kind).collect();
            assert_eq!(kinds, [FaultKind::Tile], "{path} byte {at}");
        }
        fs::write(&file, &bytes[1..]).unwrap();
        assert_eq!(scene.audit(&[]), BTreeSet::from(["TILE".to_owned()]));
        fs::write(&file, &bytes).unwrap();
    }
    for path in ["index.html", "games/readme.txt", "tile/0/000.p/200", "tile/0/000.p/5.part"] {
        fs::write(scene.file(path), "x").unwrap();
    }
    let ran = command(&["audit-tournament", "--format", "json", scene.site.to_str().unwrap()], &[]);
    let report: Value = serde_json::from_slice(&ran.out).unwrap();
    let named = ["games/readme.txt", "index.html", "tile/0/000.p/200", "tile/0/000.p/5.part"];
    assert_eq!((report["not_covered"].clone(), ran.exit), (serde_json::json!(named), Exit::Clean));
}
