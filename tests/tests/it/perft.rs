//! Counts of action paths from fixed walls, with a digest of every legal set on the way ("perft").
//!
//! The walls stand in `data/perft`, one file per preset. The head of a file describes how its counts are made, so
//! that another implementation can make them too. `CANASTA_PERFT=write` writes the missing files, and
//! `CANASTA_PERFT=PRESET` counts one preset again: a change of the rules, or of the documented order of steps, must
//! explain the difference, which must never just be accepted.

use canasta_engine::action::Action;
use canasta_engine::card::{Card, Cards};
use canasta_engine::deal::{GameId, WallSalt};
use canasta_engine::dealing::{DealSource, Dealing};
use canasta_engine::game::Game;
use canasta_engine::legal::{self, Steps};
use canasta_engine::notation::Proposal;
use canasta_engine::rules::{PresetId, Rules};
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use canasta_tests::data;
use canasta_tests::games::{Rng, after, is_on};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

const HEAD: &str = "\
# Action paths from fixed walls. A paragraph a wall:
#
#   wall CARDS      the pack in dealing order, first card dealt first; dealer seat 0, scores 0; what the table does
#                   before the first turn is the first of its steps, and where cards are drawn for the seats they
#                   draw the ace, king, queen ... of spades in seat order
#   after N SEED    the position after that and N more actions, each chosen from the steps of its position:
#                   step number floor(r * count / 2^64), r the next number of SplitMix64 started with SEED
#   DEPTH COUNT DIGEST
#                   how many sequences of DEPTH steps there are (a round's end ends a sequence), and the first 16
#                   hex digits of SHA-256 over all legal sets met at that depth, depth first in the order of
#                   steps: a line an action (docs/formats/NOTATION.md), and an empty line after each set
";

/// The cards that the seats draw if the rules draw for seats.
const PICKS: [&str; 6] = ["As", "Ks", "Qs", "Js", "Ts", "9s"];
/// Number of each wall, and number of actions before its counts.
const WALLS: [(u64, usize); 6] = [(1, 0), (2, 20), (3, 50), (4, 80), (5, 110), (6, 150)];
/// Minimum number of paths at the last depth of a paragraph.
const ENOUGH: u64 = 1_000;
/// Maximum depth, even if the paths are fewer.
const DEEPEST: usize = 7;

/// Returns the rules of all presets that are played.
fn presets() -> impl Iterator<Item = Arc<Rules>> {
    PresetId::all().filter_map(|preset| Rules::preset(preset.name()).map(Arc::new))
}

fn path(rules: &Rules) -> PathBuf {
    data(&format!("perft/{}.txt", rules.id()))
}

/// Returns the wall with this number: the pack shuffled by SplitMix64.
fn wall(rules: &Rules, number: u64) -> Vec<Card> {
    let mut wall: Vec<Card> = rules.census().iter().collect();
    Rng(number).shuffle(&mut wall);
    wall
}

/// Returns the first turn of the first round with cards.
fn dealt(rules: &Arc<Rules>, wall: &[Card]) -> Game {
    let origin = Dealing::new(
        GameId([0; 16]),
        DealSource::Wall { wall: wall.to_vec(), salt: WallSalt([0; 32]) },
        false,
    );
    let mut state = Game::new(rules.clone(), origin, Seat(0));
    loop {
        match state.table.phase() {
            Phase::Setup => state.register_due(),
            // The draw for seats has ended.
            Phase::RoundOver => _ = scoring::book(&mut state.table),
            Phase::Deal => state = after(&state, &table_step(&state)),
            _ => return state,
        }
    }
}

/// Returns the table's step. If cards are drawn for the seats, the picks are those in the head of the files.
fn table_step(state: &Game) -> Action {
    let step = legal::steps(&state.table).actions.swap_remove(0);
    let Action::DrawCards(_) = step else { return step };
    let pick = |name: &&str| std::iter::once(Card::parse(name).expect("a card")).collect();
    Action::DrawCards(PICKS.iter().take(state.table.set().seats.into()).map(pick).collect())
}

/// Plays up to `count` random steps, stopping before the round's end.
fn play(mut state: Game, count: usize, seed: u64) -> Game {
    let mut rng = Rng(seed);
    for _ in 0..count {
        let steps = legal::steps(&state.table).actions;
        let next = after(&state, &steps[rng.below(steps.len())]);
        if !is_on(&next) {
            break;
        }
        state = next;
    }
    state
}

/// Counts the sequences of up to `depth` steps and feeds the legal sets met at that depth to `digest`.
fn count(state: &Game, depth: usize, digest: &mut Sha256) -> u64 {
    let steps = legal::steps(&state.table);
    if depth == 0 {
        digest.update(text(state, &steps));
        return 1;
    }
    steps.actions.iter().map(|action: &Action| count(&after(state, action), depth - 1, digest)).sum()
}

fn text(state: &Game, steps: &Steps) -> String {
    let line = |action: &Action| {
        let proposal = Proposal { actor: None, action: action.clone() };
        proposal.to_text(state.table.set()).expect("what a step says has a line") + "\n"
    };
    steps.actions.iter().map(line).chain(["\n".to_string()]).collect()
}

/// Writes the line for one depth. Returns the number of paths.
fn counted(state: &Game, depth: usize, out: &mut String) -> u64 {
    let mut digest = Sha256::new();
    let paths = count(state, depth, &mut digest);
    let digest: String = digest.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(out, "{depth} {paths} {digest}").expect("a string can be written to");
    paths
}

fn generate(rules: &Arc<Rules>) -> String {
    let mut out = String::from(HEAD);
    for (number, played) in WALLS {
        let cards = wall(rules, number);
        let names: Vec<String> = cards.iter().map(Card::to_string).collect();
        write!(out, "\nwall {}\nafter {played} {number}\n", names.join(" "))
            .expect("a string can be written to");
        let start = play(dealt(rules, &cards), played, number);
        let mut depths = 1..=DEEPEST;
        while depths.next().is_some_and(|depth| counted(&start, depth, &mut out) < ENOUGH) {}
    }
    out
}

/// Returns the paragraph with its counts made again.
fn recount(rules: &Arc<Rules>, paragraph: &str) -> String {
    let mut lines = paragraph.lines();
    let mut field = |name: &str| {
        let text = lines.next().and_then(|text| text.strip_prefix(name));
        text.unwrap_or_else(|| panic!("a line that begins with {name}: {paragraph}")).trim()
    };
    let (cards, after) = (field("wall"), field("after"));
    let wall: Vec<Card> = cards.split(' ').map(|t| Card::parse(t).expect("a card")).collect();
    assert_eq!(wall.iter().copied().collect::<Cards>(), rules.census(), "a whole pack");
    let numbers: Vec<u64> = after.split(' ').map(|t| t.parse().expect("a number")).collect();
    let start = play(dealt(rules, &wall), numbers[0] as usize, numbers[1]);
    let mut found = format!("wall {cards}\nafter {after}\n");
    for depth in 1..=lines.count() {
        counted(&start, depth, &mut found);
    }
    found
}

/// Reads the walls of each file, counts again and compares paragraph by paragraph.
#[test]
fn paths_from_fixed_walls() {
    let write = std::env::var("CANASTA_PERFT").unwrap_or_default();
    for rules in presets() {
        let path = path(&rules);
        if write == "write" && !path.exists() {
            std::fs::write(&path, generate(&rules)).expect("the file can be written");
        }
        let file = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}; see the head of this test", path.display()));
        let (_, paragraphs) = file.split_once("\n\n").expect("a head and walls");
        let found: Vec<String> = paragraphs.split("\n\n").map(|one| recount(&rules, one)).collect();
        let found = found.join("\n");
        if write == rules.id() {
            std::fs::write(&path, format!("{HEAD}\n{found}")).expect("the file can be written");
            continue;
        }
        assert_eq!(found, paragraphs, "{}", rules.id());
    }
}
