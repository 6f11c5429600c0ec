//! The table of knobs. Each knob is listed here once, for the writer, the reader, differences and ranges.

use alloc::string::String;
use alloc::vec::Vec;

use super::RuleSet;
use super::canonical::{CanonicalReader, KnobErrorKind, Value};

/// One knob: its name, its limits, and the functions that read and write it.
pub struct Knob {
    /// The knob's name, as in the rulebook and in the canonical form.
    pub name: &'static str,
    /// The ids of the rules that the knob comes from, in the rulebook's order.
    pub rule_ids: &'static [&'static str],
    /// The smallest and largest number that the knob may hold; no limit if it holds no numbers.
    pub range: (i32, i32),
    /// Whether the canonical form names the knob even at its default.
    pub always_written: bool,
    /// Whether the knob's numbers are points, which are multiples of 5.
    pub holds_points: bool,
    pub(super) write: fn(&RuleSet, &mut String),
    pub(super) read: fn(&mut RuleSet, &mut CanonicalReader<'_>) -> Result<(), KnobErrorKind>,
    numbers: fn(&RuleSet, &mut dyn FnMut(i32)),
    all: fn() -> Vec<String>,
    same: fn(&RuleSet, &RuleSet) -> bool,
    is_default: fn(&RuleSet) -> bool,
}

/// The meanings, as lines `name | meaning`, one per knob. Lines that begin with `#` are comments.
const MEANINGS: &str = include_str!("meanings.txt");

impl Knob {
    /// Returns the knob's meaning in a few words, without full stop.
    ///
    /// # Panics
    /// Never: a test checks that every knob has a meaning.
    pub fn meaning(&self) -> &'static str {
        let meaning = |line: &'static str| line.strip_prefix(self.name)?.strip_prefix(" | ");
        MEANINGS.lines().find_map(meaning).expect("every knob has a meaning")
    }

    /// Returns the knob called `name`, or `None` if there is no such knob.
    pub fn named(name: &str) -> Option<&'static Self> {
        KNOBS.iter().find(|knob| knob.name == name)
    }

    /// Returns all values in the spelling of the canonical form, the default first, if the knob has a closed list of
    /// values: words, or false and true. Otherwise returns an empty list.
    pub fn words(&self) -> Vec<String> {
        (self.all)()
    }

    /// Returns the knob's value in `set`, in the spelling of the canonical form.
    pub fn value(&self, set: &RuleSet) -> String {
        let mut text = String::new();
        (self.write)(set, &mut text);
        text
    }

    /// Sets the knob in `set` to the value that `text` spells, which must be spelled exactly as [`Knob::value`] does.
    pub fn assign(&self, set: &mut RuleSet, text: &[u8]) -> Result<(), KnobErrorKind> {
        let mut reader = CanonicalReader::new(text);
        (self.read)(set, &mut reader)?;
        reader.finish()
    }

    /// Whether the knob has the same value in both rule sets.
    pub fn is_same(&self, a: &RuleSet, b: &RuleSet) -> bool {
        (self.same)(a, b)
    }

    /// Whether the knob has its default in `set`.
    pub fn is_default(&self, set: &RuleSet) -> bool {
        (self.is_default)(set)
    }

    /// Calls `each` with every number that the knob holds in `set`.
    pub fn numbers(&self, set: &RuleSet, each: &mut dyn FnMut(i32)) {
        (self.numbers)(set, each);
    }
}

/// Returns the function that lists the values of the knob that `field` reads.
const fn all<T: Value>(_field: fn(&RuleSet) -> &T) -> fn() -> Vec<String> {
    T::all
}

/// Whether the knob that `field` reads holds points.
const fn holds_points<T: Value>(_field: fn(&RuleSet) -> &T) -> bool {
    T::POINTS
}

fn is_default<T: Value + Default>(value: &T) -> bool {
    *value == T::default()
}

/// Declares the table: for each knob its name, the range of its numbers, whether it is always written, its rules.
macro_rules! knobs {
    ($( $name:ident $(in $min:literal ..= $max:literal)? $(, $always:ident)? : [$($rule:literal),+ $(,)?], )+) => {
        /// All knobs, in the order of the rulebook and of the canonical form.
        pub static KNOBS: [Knob; [$(stringify!($name)),+].len()] = [$( Knob {
            name: stringify!($name),
            rule_ids: &[$($rule),+],
            range: [$(($min, $max),)? (i32::MIN, i32::MAX)][0],
            always_written: !concat!($(stringify!($always))?).is_empty(),
            write: |set, out| set.$name.write(out),
            read: |set, reader| {
                set.$name = Value::read(reader)?;
                Ok(())
            },
            numbers: |set, each| set.$name.numbers(each),
            holds_points: holds_points(|set| &set.$name),
            all: all(|set| &set.$name),
            same: |a, b| a.$name == b.$name,
            is_default: |set| is_default(&set.$name),
        }, )+];
    };
}

knobs! {
    // Seats
    seats in 2..=6, always: [
        "CL-006", "P6-001", "WH-001", "WH-002", "WH-003", "HF-002", "SA-002", "SA-003", "MZ-004"
    ],
    side_count in 2..=6, always: ["CL-006", "P6-003", "WH-002", "HF-003", "MA-002"],
    side_formation: ["P3-003", "P3-004", "P3-005", "P3-006", "P3-007"],
    side_choice: ["HF-004", "HF-019", "HF-020", "HF-021", "HF-022", "SA-009"],
    first_dealer: ["CL-007", "WH-010", "HF-023", "GR-003", "SA-009"],
    draw_ranking: ["HF-015", "HF-016", "HF-017", "HF-018", "AMB-GR-14", "SA-009"],
    next_dealer: ["CL-007", "MA-017", "HN-009", "HF-036", "MZ-007"],
    // Deck and deal
    packs in 1..=6, always: ["CL-001", "P6-002", "HF-010", "SA-001", "MZ-001"],
    jokers in 0..=12, always: ["CL-001", "P6-002", "HF-010", "SA-001", "MZ-001"],
    hand_size in 1..=60, always: [
        "CL-009", "P2-002", "P3-001", "P6-004", "MA-011", "HN-004", "WH-012", "HF-024", "SA-006", "MZ-005"
    ],
    foot_size in 0..=60: ["HF-001", "HF-028"],
    start_card: ["CL-011", "MA-014", "S3-003", "MZ-006"],
    start_cover: ["CL-012", "S3-003", "GR-034", "GR-035", "GR-036", "HF-034", "SAD-01"],
    start_freezes: ["CL-012", "HN-034", "HN-035", "WH-015", "S3-028", "GR-036", "AMB-HF-06"],
    discard_freezes: ["CL-050", "HN-034", "HN-035", "S3-014", "GR-031", "HF-076", "AC-35"],
    cut_bonus in 0..=10_000: ["WH-013", "WH-094", "HF-025"],
    cut_ways: ["WH-013", "HF-025", "AMB-WH-02"],
    foot_cut_bonus in 0..=10_000: ["HF-027", "AMB-HF-04"],
    talons in 1..=60: ["MA-012", "MA-111"],
    talon_award: ["MA-110", "IR-060"],
    talon_with_pile: ["AC-12", "IR-062"],
    talon_expires in 0..=60: ["IR-061", "AC-70"],
    stock_marker in 0..=60: ["MA-015", "AC-70"],
    // Turn
    draw_count in 1..=10, always: ["CL-016", "P2-003", "P3-002", "HF-042", "SA-015"],
    meld_check: ["HN-015", "AMB-HN-07"],
    undo_meld: ["HN-013"],
    courtesy: ["HF-073", "AMB-HF-14"],
    // Pile
    pile_steps: ["HN-039", "HN-068", "AMB-HN-08"],
    pile_restore: ["HN-039"],
    pile_portion in 0..=60: ["CL-042", "HF-044"],
    take_natural_wild: ["CL-045", "CV-002", "MA-060", "SA-041", "HF-046"],
    take_layoff: ["CL-046", "CV-001", "S3-007", "SA-042", "SA-043", "SA-044", "SA-045", "MA-060"],
    take_canasta_rank: ["CV-008", "CV-009"],
    take_result_max in 0..=60: ["SA-040", "SAD-06"],
    wild_top: ["CL-047", "HF-050", "BO-007"],
    pile_unopened: ["CL-052", "MV-004", "WH-076", "AMB-HN-04", "AMB-GR-05"],
    frozen_always: ["CV-011", "SAD-05"],
    frozen_take: ["CL-053", "AMB-GR-04"],
    one_card_pile: ["AMB-11", "HN-045", "SA-019"],
    pile_look: ["IR-014", "AC-39"],
    // Melds
    meld_min in 2..=14, always: ["CL-023", "MA-040"],
    meld_max in 0..=60: ["CL-030", "MA-055", "MA-065"],
    canasta_size in 2..=14, always: ["CL-031", "MZ-013"],
    canasta_accepts: ["CL-034", "CL-035", "HF-068", "HF-069", "SA-024", "SA-025", "MZ-022"],
    min_naturals in 1..=14, always: ["CL-028", "WH-048"],
    max_wilds in 0..=60: ["CL-032", "MA-042", "HF-057", "SA-021"],
    wild_ratio: ["HN-027", "WH-042", "S3-012", "GR-016"],
    wild_cap_scope: ["CV-007", "AMB-55"],
    wild_add_base in 0..=14: ["IR-063"],
    rank_wilds: ["MA-045", "MA-046", "MA-047", "MA-048", "MA-049", "MA-050", "MA-051"],
    melds_per_rank: ["CL-038", "CV-006", "HF-070", "HF-071", "SA-026"],
    merge: ["SA-036", "SAD-08"],
    sequences: ["SA-030", "SA-031", "SA-032", "SA-033", "SA-034", "SA-035", "US-004", "MZ-024"],
    sequence_max in 0..=11: ["SA-033", "SA-034"],
    wild_melds: ["CL-037", "CV-012", "MA-052", "HF-058", "BO-002", "AMB-HN-06"],
    wild_meld_max in 0..=60: ["MA-052", "BO-003", "AMB-50"],
    wild_lock: ["CV-015", "MA-053", "BO-004"],
    opp_canasta_rank: ["CL-040", "MA-058", "MV-005"],
    overfill_out: ["US-003", "AC-72"],
    // Initial meld
    initial_key: ["CL-058", "P3-013", "HF-067", "TF-003"],
    initial_bands in -1_000_000..=1_000_000, always: [
        "CL-058", "P6-010", "MA-092", "HN-063", "WH-053", "S3-025", "GR-030", "HF-067", "SA-055", "BO-009",
        "MZ-025"
    ],
    initial_count: ["CL-063", "MA-098", "MA-099", "MA-100", "MA-101", "MA-102", "HN-067", "HF-049"],
    initial_bonus: ["CL-066", "HN-066"],
    initial_content: ["MA-095", "MV-003", "HF-066"],
    initial_exempt: ["CL-068", "HN-043", "WH-079", "MA-103", "AMB-S3-10", "AMB-GR-15"],
    // Threes
    laid_threes: ["CL-069", "MA-030"],
    threes_dealt: ["CL-013", "MA-030", "HN-030", "HF-039"],
    threes_drawn: ["CL-069", "MA-033", "MA-034", "MA-035", "HF-043", "AMB-HN-02"],
    threes_window: ["AC-03", "AMB-HF-08", "AMB-HN-02"],
    threes_keep: ["MA-034", "AC-02"],
    late_three_replaced: ["IR-041", "IR-042"],
    pile_threes_replaced: ["CL-072", "AMB-HF-10", "AMB-S3-07"],
    foot_threes: ["HF-079", "HF-080"],
    last_three: ["CL-093", "MA-038", "WH-087", "AMB-HN-18", "AMB-HF-30"],
    black_three_meld: ["CL-075", "CL-076", "CL-077", "HN-032", "HN-033", "HF-096", "MA-006", "MZ-027"],
    held_three_red in 0..=10_000: ["HF-094", "MA-176", "AMB-HN-02", "IR-040"],
    held_three_black in 0..=10_000: ["CL-107", "HF-098", "BO-011"],
    held_threes_as_laid: ["MA-144", "AC-04"],
    // Discard
    discard_threes: ["MA-080", "HN-035", "HF-075", "CL-021"],
    discard_wilds: ["CL-021", "MA-083", "MA-084", "MA-085", "AC-41"],
    empty_pile_barred: ["MA-081"],
    empty_pile_safe: ["MV-002"],
    reveal: ["MA-082", "MA-086"],
    // Going out
    go_out_total in 0..=14: ["CL-079", "P2-004", "P6-007", "ML-005", "MA-121", "HN-022", "SA-060", "MZ-014"],
    go_out_clean in 0..=14: ["ML-006", "HF-083"],
    go_out_wild in 0..=14: ["HF-084"],
    go_out_sequence in 0..=14: ["BO-010"],
    go_out_hands_finished: ["HF-082"],
    go_out_bars: ["MV-001"],
    final_discard: ["CL-080", "MA-123", "HF-085", "SA-061"],
    final_face_down: ["MA-124", "AC-47"],
    pass_discard: ["HN-044"],
    // Permission
    ask: ["CL-085", "P2-005", "MA-126", "HF-088", "IR-055"],
    ask_whom: ["AMB-20", "AMB-WH-04"],
    ask_window: ["CL-086", "AC-45"],
    ask_limit: ["AMB-18", "MA-129", "AC-44"],
    ask_check: ["AMB-16", "AC-46", "IR-050"],
    // Stock end
    stock_out: ["CL-090", "HF-086", "AC-69"],
    forced_take: ["CL-091", "HN-047", "HN-048", "WH-086", "S3-036", "SA-017", "SA-018"],
    // Special hands
    special_hands: ["MA-140", "MA-141", "MA-142", "MV-009"],
    special_scores in 0..=10_000: ["MA-181", "MA-182", "MA-183", "MA-184", "MV-008"],
    pairs_wilds: ["MA-147", "MV-006"],
    garbage_shape: ["MA-148", "MV-007"],
    special_distinct: ["AC-51"],
    // Scoring
    card_points in 0..=500, always: [
        "CL-002", "MA-003", "HN-052", "WH-005", "S3-024", "HF-012", "GR-042", "SA-004", "MZ-002"
    ],
    wild_value: ["GR-014", "AMB-GR-01"],
    bonus_natural in 0..=10_000: ["CL-100", "MA-153", "HF-102"],
    bonus_mixed in 0..=10_000: ["CL-101", "MA-152", "HF-102"],
    bonus_wild in 0..=10_000: ["CV-013", "MA-157", "HN-053", "HF-102", "BO-003"],
    bonus_wild_twos in 0..=10_000: ["CV-014", "MA-155"],
    bonus_wild_jokers in 0..=10_000: ["CV-014", "MA-156", "AMB-58"],
    bonus_rank in 0..=10_000: ["MA-154"],
    bonus_sequence in 0..=10_000: ["SA-065", "BO-006"],
    penalty_incomplete in 0..=10_000: ["CV-016", "ML-004", "MA-160", "MA-161", "MA-162"],
    penalty_held_trio in 0..=10_000: ["MA-163", "MA-164", "MA-165", "MA-166"],
    bonus_out in 0..=10_000: ["CL-096", "SA-064"],
    bonus_concealed in 0..=10_000: ["CL-097", "HN-055", "GR-043", "SA-064"],
    three_table in 0..=10_000, always: [
        "CL-103", "CL-104", "P6-006", "MA-168", "HN-056", "HF-089", "GR-043", "SA-066", "MZ-028"
    ],
    three_table_unit: ["MA-168", "AC-60"],
    three_unit: ["P3-010", "AMB-42"],
    three_sign: ["CL-105", "MA-170", "MA-171", "MA-172", "HN-057", "SA-067", "BO-013", "AMB-GR-10"],
    meld_points: ["CL-106", "MA-173", "MA-174"],
    no_canasta_score: ["HN-061", "HN-062"],
    restore_penalty in 0..=10_000: ["HN-039", "AMB-HN-09"],
    score_unit: ["CL-108", "P3-008", "P3-011"],
    // Game
    target in 0..=1_000_000: ["CL-109", "MA-191", "HN-023", "SA-070", "BO-015", "MZ-031"],
    rounds in 0..=99: ["HF-005", "TF-003"],
    tie: ["AMB-34", "MA-194", "SA-071", "AMB-HF-34"],
}
