//! The cost of auditing a large site: makes one, and audits it in a process of its own.
//!
//!     cargo run --release -p canasta-tournament --example large_site -- make DIR [GAMES] [CHECKPOINTS]
//!     cargo run --release -p canasta-tournament --example large_site -- audit DIR
//!
//! Each game is opened and closed in the tree, and one witness has cosigned the kept checkpoints, the same number of each
//! size. `audit` prints the time, the peak of the memory (Linux), and the cost of a cosignature.

#![allow(clippy::disallowed_methods, reason = "it measures time")]

use anyhow::{Context, ensure};
use canasta_engine::LoggedGame;
use canasta_engine::deal::simulate::{game_id, game_secret};
use canasta_engine::game::{NewDeal, NewGame};
use canasta_engine::log::Reader;
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::rules::{PresetId, Rules};
use canasta_tournament::audit::{Evidence, audit_site};
use canasta_tournament::checkpoint::Checkpoint;
use canasta_tournament::cosign::{Cosigned, WitnessKey, cosign};
use canasta_tournament::entry::GameEntry;
use canasta_tournament::files::{Directory, SiteFiles};
use canasta_tournament::leaf::{Leaf, Milestone, OpenedGame};
use canasta_tournament::note::NoteSigner;
use canasta_tournament::policy::TournamentPolicy;
use canasta_tournament::publish::{UnpublishedGame, UnpublishedLeaf, extend};
use canasta_tournament::site::{self, Site};
use canasta_tournament::tiles::{Tile, WIDTH};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Any time, in milliseconds since 1970.
const START_MS: i64 = 1_769_860_800_000;
/// Number of games that are published together.
const BATCH: u32 = 5_000;

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, absent| words.get(place).map_or(Ok(absent), |word| word.parse::<u64>());
    let root = Path::new(words.get(1).context("expected make DIR, or audit DIR")?);
    match words[0].as_str() {
        "make" => make(root, number(2, 1_000)? as u32, number(3, 10_000)?),
        _ => measure(root),
    }
}

fn signers() -> anyhow::Result<[NoteSigner; 2]> {
    Ok([NoteSigner::new("large.example", &[1; 32])?, NoteSigner::new("witness.example", &[2; 32])?])
}

fn make(root: &Path, games: u32, checkpoints: u64) -> anyhow::Result<()> {
    let [signer, witness] = signers()?;
    let scratch = root.with_extension("logs");
    fs::create_dir_all(&scratch)?;
    let base = PresetId::from_name("classic-2p").context("a preset")?;
    let mut set = base.rule_set();
    (set.rounds, set.target) = (1, 0);
    let rules = Arc::new(Rules::house(base, set, Some("short"))?);
    let mut files = Directory::locked(root)?;
    let mut site = Site::new("large.example");
    for first in (0..games).step_by(BATCH as usize) {
        let mut leaves = Vec::new();
        for number in first..games.min(first + BATCH) {
            leaves.extend(played(&rules, number, &scratch)?);
        }
        extend(&mut files, &signer, site, &leaves, &mut |_, _| Vec::new())?;
        site = site::load(&files, &mut Vec::new())?.context("a site")?;
        fs::remove_dir_all(&scratch)?;
        fs::create_dir_all(&scratch)?;
    }
    let (size, each) = (site.checkpoint.size, checkpoints / site.checkpoint.size.max(1));
    for tile in Tile::of_level(0, size) {
        let mut text = String::new();
        let first = tile.index * WIDTH;
        for size in first + 1..=first + tile.width {
            let root = site.tree.root(size);
            let body = Checkpoint { origin: "large.example".into(), size, root }.body();
            for again in 0..each {
                text += &signer.sign(&body);
                text += &cosign(&witness, &body, START_MS as u64 / 1_000 + size * each + again);
            }
        }
        files.put(&tile.cosigned_path(), text.as_bytes())?;
    }
    files.settle()?;
    let key = WitnessKey::of(&witness);
    let policy = format!("format = \"canasta-policy/1\"\n[witnesses]\nkeys = [\"{key}\"]\nquorum = 0\n");
    fs::write(root.with_extension("toml"), policy)?;
    println!("{games} games, {} kept checkpoints, {size} leaves", each * size);
    Ok(())
}

/// Plays a game by the first legal steps, and returns its leaves: the opening and the result.
fn played(rules: &Arc<Rules>, number: u32, scratch: &Path) -> anyhow::Result<[UnpublishedLeaf; 2]> {
    let secret = game_secret(1, number);
    let new = NewGame::new(rules.clone(), game_id(&secret), NewDeal::Seeded(secret));
    let mut game = LoggedGame::create(new).ok().context("a game")?;
    while !game.is_over() {
        let steps = game.legal();
        game.play(game.actor(), &steps.actions[0]).ok().context("a legal step")?;
    }
    let log = game.log().to_vec();
    let report = audit(&log, Expect::default());
    ensure!(report.verdict.is_clean(), "a game is clean");
    let (mut reader, mut piece) = (Reader::new(), log.as_slice());
    reader.next(&mut piece)?;
    let head = reader.next(&mut piece)?.context("a register")?.head;
    let label = format!("table {number}");
    let genesis = report.genesis.as_ref().context("a genesis")?;
    let opened = OpenedGame::of(genesis, label.clone(), START_MS + i64::from(number), 2, head);
    let path = scratch.join(format!("{number}.clog"));
    fs::write(&path, &log)?;
    let entry = GameEntry::of(&report, label).context("an entry")?;
    let opened = Leaf::Milestone(Milestone::Open(opened));
    Ok([UnpublishedLeaf::Milestone(opened, None), UnpublishedGame { entry, log: path }.into()])
}

fn measure(root: &Path) -> anyhow::Result<()> {
    let [signer, witness] = signers()?;
    let policy = TournamentPolicy::read(&root.with_extension("toml"))?;
    let keys = [signer.verifier()];
    let evidence = Evidence {
        keys: &keys,
        logs: &[],
        since: None,
        announced: None,
        policy: Some(&policy),
        now_ms: START_MS,
    };
    let before = peak_kib()?;
    let begun = Instant::now();
    let report = audit_site(root, &evidence, 1, &|_| {})?;
    let (took, peak) = (begun.elapsed(), peak_kib()?);
    let games: u64 = report.games.verdicts.values().sum();
    let first = report.faults.first().map(|fault| fault.detail.clone());
    println!("{games} games in {:.1} s, {} faults {first:?}", took.as_secs_f64(), report.faults.len());
    println!(
        "peak {peak} KiB, of which {before} KiB before; {} B a game",
        (peak - before) * 1_024 / games.max(1)
    );
    let body = Checkpoint { origin: "large.example".into(), size: 1, root: [0; 32] }.body();
    let (note, key) = (signer.sign(&body) + &cosign(&witness, &body, 1), WitnessKey::of(&witness));
    let begun = Instant::now();
    ensure!((0..2_000).all(|_| key.open(&note) == Cosigned::At(1)), "it is signed");
    println!("a cosignature is verified in {} µs", begun.elapsed().as_micros() / 2_000);
    Ok(())
}

/// Returns the peak of the memory of this process so far.
fn peak_kib() -> anyhow::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("VmHWM, on Linux")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
