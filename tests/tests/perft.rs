//! Counts of action paths from fixed walls, with a digest of every legal set on the way ("perft").
//!
//! The walls stand in `data/perft/classic-4p.txt`, whose head says how the counts are made, so that
//! another implementation can make them too. `CANASTA_PERFT=write` writes the file anew: its diff is to be
//! explained by a change of the rules or of the documented order of steps, never just accepted.

use canasta_engine::action::Action;
use canasta_engine::card::{Card, Cards};
use canasta_engine::deal::{GameId, WallSalt};
use canasta_engine::legal::{self, Steps};
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_engine::state::{DealSource, Origin, Registration, State};
use canasta_tests::games::{Rng, after, is_on};
use canasta_tests::notation::line;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

const HEAD: &str = "\
# Action paths of classic-4p from fixed walls. A paragraph a wall:
#
#   wall CARDS      the pack in dealing order, first card dealt first; dealer seat 0, scores 0
#   after N SEED    the position after the deal and N more actions, each chosen from the steps of its position:
#                   step number floor(r * count / 2^64), r the next number of SplitMix64 started with SEED
#   DEPTH COUNT DIGEST
#                   how many sequences of DEPTH steps there are (a round's end ends a sequence), and the first 16
#                   hex digits of SHA-256 over all legal sets met at that depth, depth first in the order of
#                   steps: a line an action, as in tests/src/notation.rs, and an empty line after each set
";

/// Number of the wall, actions before the counts, and depth counted.
const PLAN: [(u64, usize, usize); 8] =
    [(1, 0, 7), (2, 0, 7), (3, 20, 6), (4, 50, 5), (5, 80, 5), (6, 110, 6), (7, 130, 6), (8, 150, 5)];

fn path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "data", "perft", "classic-4p.txt"].iter().collect()
}

fn rules() -> Arc<Rules> {
    Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"))
}

/// The wall with this number: the pack shuffled by SplitMix64.
fn wall(number: u64) -> Vec<Card> {
    let mut wall: Vec<Card> = rules().census().iter().collect();
    Rng(number).shuffle(&mut wall);
    wall
}

fn dealt(wall: &[Card]) -> State {
    let origin = Origin {
        game_id: GameId([0; 16]),
        registration: Registration::Auto,
        source: DealSource::Wall { wall: wall.to_vec(), salt: WallSalt([0; 32]) },
        expires_at: None,
    };
    let mut state = State::new(rules(), origin, Seat(0));
    state.register();
    let steps = legal::steps(&state).actions;
    after(&state, &steps[0])
}

/// Plays up to `count` random steps, stopping before the round's end.
fn play(mut state: State, count: usize, seed: u64) -> State {
    let mut rng = Rng(seed);
    for _ in 0..count {
        let steps = legal::steps(&state).actions;
        let next = after(&state, &steps[rng.below(steps.len())]);
        if !is_on(&next) {
            break;
        }
        state = next;
    }
    state
}

/// Counts the sequences of up to `depth` steps and feeds the legal sets met at that depth to `digest`.
fn count(state: &State, depth: usize, digest: &mut Sha256) -> u64 {
    let steps = legal::steps(state);
    if depth == 0 {
        digest.update(text(&steps));
        return 1;
    }
    steps.actions.iter().map(|action: &Action| count(&after(state, action), depth - 1, digest)).sum()
}

fn text(steps: &Steps) -> String {
    steps.actions.iter().map(|action| line(action) + "\n").chain(["\n".to_string()]).collect()
}

fn counts(state: &State, deepest: usize, out: &mut String) {
    for depth in 1..=deepest {
        let mut digest = Sha256::new();
        let paths = count(state, depth, &mut digest);
        let digest: String = digest.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(out, "{depth} {paths} {digest}").expect("a string can be written to");
    }
}

fn generate() -> String {
    let mut out = String::from(HEAD);
    for (number, played, deepest) in PLAN {
        let cards = wall(number);
        let names: Vec<String> = cards.iter().map(Card::to_string).collect();
        write!(out, "\nwall {}\nafter {played} {number}\n", names.join(" "))
            .expect("a string can be written to");
        counts(&play(dealt(&cards), played, number), deepest, &mut out);
    }
    out
}

/// Reads the walls from the file, counts again and compares paragraph by paragraph.
#[test]
fn paths_from_fixed_walls() {
    if std::env::var("CANASTA_PERFT").is_ok_and(|what| what == "write") {
        std::fs::write(path(), generate()).expect("the file can be written");
    }
    let file = std::fs::read_to_string(path()).expect("the file is there");
    let mut paragraphs = 0;
    for paragraph in file.split("\n\n").skip(1) {
        let mut lines = paragraph.lines();
        let mut field = |name: &str| {
            let text = lines.next().and_then(|text| text.strip_prefix(name));
            text.unwrap_or_else(|| panic!("a line that begins with {name}: {paragraph}")).trim()
        };
        let wall: Vec<Card> = field("wall").split(' ').map(|t| Card::parse(t).expect("a card")).collect();
        assert_eq!(wall.iter().copied().collect::<Cards>(), rules().census(), "a whole pack");
        let after: Vec<u64> = field("after").split(' ').map(|t| t.parse().expect("a number")).collect();
        let expected: String = lines.map(|text| format!("{text}\n")).collect();
        let mut found = String::new();
        let start = play(dealt(&wall), after[0] as usize, after[1]);
        counts(&start, expected.lines().count(), &mut found);
        assert_eq!(found, expected, "after {after:?} from {wall:?}");
        paragraphs += 1;
    }
    assert_eq!(paragraphs, PLAN.len());
}
