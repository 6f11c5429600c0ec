//! The requirements for going out that are shown decide: they are compared with the refusals of `check`.

use canasta_engine::action::{Action, As};
use canasta_engine::check::{Requirement, check};
use canasta_engine::explain::{going_out, requirement_rules};
use canasta_engine::notation::{Position, Proposal};
use canasta_engine::rules::PRESETS;
use canasta_engine::seat::Seat;
use canasta_engine::table::Table;
use canasta_engine::violations::Code;
use canasta_engine::violations::Fact;

/// The requirements of each preset at the start of a round: code, number, rules. Read from the rulebook: CL-079, P2-004,
/// P6-007, ML-005 and ML-006, MA-121, HN-022, WH-025, S3-029, GR-026, HF-082 to HF-084, SA-060, BO-010, MZ-014.
/// A team of Hand and Foot has as many hands to play as it has members (HF-003: two and three).
const PRESET_REQUIREMENTS: &[(&str, &str)] = &[
    ("classic-4p", "CANASTAS 1 CL-079"),
    ("classic-2p", "CANASTAS 2 CL-079 P2-004"),
    ("classic-3p", "CANASTAS 1 CL-079"),
    ("classic-3p-11", "CANASTAS 1 CL-079"),
    ("classic-6p-3x2", "CANASTAS 2 CL-079 P6-007"),
    ("classic-6p-2x3", "CANASTAS 2 CL-079 P6-007"),
    ("miller-6p-2x3", "CANASTAS 3 CL-079 ML-005; CLEAN 2 ML-006"),
    ("american-4p", "CANASTAS 2 MA-121 MA-076"),
    ("american-wikipedia-4p", "CANASTAS 2 MA-121 MA-076"),
    ("hoyle-2p", "CANASTAS 1 HN-022"),
    ("wahhi-4p", "CANASTAS 1 WH-025"),
    ("wahhi-2p", "CANASTAS 1 WH-025"),
    ("wahhi-3p", "CANASTAS 1 WH-025"),
    ("wahhi-5p", "CANASTAS 1 WH-025"),
    ("wahhi-6p", "CANASTAS 1 WH-025"),
    ("s3-4p", "CANASTAS 1 S3-029"),
    ("gr-4p", "CANASTAS 1 GR-026"),
    ("hand-and-foot-4p", "CLEAN 7 HF-083; WILD 1 HF-084; HANDS_FINISHED 2 HF-082"),
    ("hand-and-foot-6p", "CLEAN 7 HF-083; WILD 1 HF-084; HANDS_FINISHED 3 HF-082"),
    ("samba-4p", "CANASTAS 2 SA-060"),
    ("bolivia-4p", "CANASTAS 2 BO-010; SEQUENCE 1 BO-010"),
    ("manzana-2p", "CANASTAS 1 MZ-014"),
];

fn state(text: &str) -> Table {
    let position = Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    position.setup().into_table().unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

fn action(text: &str, state: &Table) -> Action {
    Proposal::parse(text, state.set()).unwrap_or_else(|error| panic!("{text}: {error}")).action
}

#[test]
fn every_preset_states_its_requirements() {
    for preset in PRESETS {
        let state = state(&format!("{preset}; to move 0"));
        let written = |needed: &Requirement| {
            assert_eq!((needed.has, needed.missing()), (0, needed.needs), "{preset}: nothing is there yet");
            let code = needed.code.name().trim_start_matches("GO_OUT_NEEDS_");
            format!("{code} {} {}", needed.needs, requirement_rules(&state, needed).join(" "))
        };
        let found: Vec<String> = going_out(&state, Seat(0), &Action::DrawStock).iter().map(written).collect();
        let expected = PRESET_REQUIREMENTS.iter().find(|(name, _)| *name == *preset);
        let (_, expected) = expected.unwrap_or_else(|| panic!("{preset} has no row"));
        assert_eq!(found.join("; "), *expected, "{preset}");
    }
}

/// Rule sets that ask for something: every preset, and every knob `go_out_*` with each class of value.
const ASKING: &[&str] = &[
    "classic-4p",
    "classic-2p",
    "classic-3p",
    "classic-3p-11",
    "classic-6p-3x2",
    "classic-6p-2x3",
    "miller-6p-2x3",
    "american-4p",
    "american-wikipedia-4p",
    "hoyle-2p",
    "wahhi-4p",
    "wahhi-2p",
    "wahhi-3p",
    "wahhi-5p",
    "wahhi-6p",
    "s3-4p",
    "gr-4p",
    "hand-and-foot-4p",
    "hand-and-foot-6p",
    "samba-4p",
    "bolivia-4p",
    "manzana-2p",
    "classic-4p go_out_total=0",
    "classic-4p go_out_total=2",
    "classic-4p go_out_total=4",
    "classic-4p go_out_clean=1",
    "classic-4p go_out_clean=2 wild_melds=true go_out_wild=1",
    "classic-4p wild_melds=true go_out_wild=1",
    "miller-6p-2x3 go_out_total=1",
    "samba-4p go_out_sequence=1",
    "samba-4p go_out_sequence=2 go_out_total=3",
    "american-4p go_out_bars=[\"sevens\",\"pure_aces\"]",
    "american-4p go_out_bars=[\"sevens\"]",
    "american-4p go_out_bars=[\"pure_aces\"]",
    "hand-and-foot-4p go_out_hands_finished=false",
    "hand-and-foot-4p go_out_clean=1 go_out_wild=0 go_out_total=2",
    "hand-and-foot-4p go_out_clean=1 go_out_mixed=1 go_out_wild=0",
    "classic-4p go_out_mixed=1",
    "samba-4p go_out_mixed=1",
    "classic-4p go_out_ranks=[\"Q\"]",
    "samba-4p go_out_ranks=[\"Q\",\"4\"]",
    "classic-4p ask=\"required\"",
];

/// Returns the melds of a side in notation: three kings, these numbers of natural, mixed, wild and sequence canastas,
/// and the incomplete melds.
fn melds(clean: usize, mixed: usize, wild: usize, sequences: usize, incomplete: &[&str]) -> String {
    const NATURAL: [&str; 9] = [
        "4s4h4d4c4s4h4d",
        "5s5h5d5c5s5h5d",
        "6s6h6d6c6s6h6d",
        "8s8h8d8c8s8h8d",
        "9s9h9d9c9s9h9d",
        "TsThTdTcTsThTd",
        "JsJhJdJcJsJhJd",
        "QsQhQdQcQsQhQd",
        "AsAhAdAcAsAhAd",
    ];
    const MIXED: [&str; 1] = ["QsQhQdQc2s2h2d"];
    const WILD: [&str; 1] = ["XXXX2s2h2d"];
    const SEQUENCES: [&str; 2] = ["4s5s6s7s8s9sTs", "4h5h6h7h8h9hTh"];
    let take =
        |list: &[&str], count: usize| list.iter().take(count).map(|m| m.to_string()).collect::<Vec<_>>();
    let mut all = vec!["KsKhKc".to_owned()];
    all.extend(take(&NATURAL, clean));
    all.extend(take(&MIXED, mixed));
    all.extend(take(&WILD, wild));
    all.extend(take(&SEQUENCES, sequences));
    all.extend(incomplete.iter().map(ToString::to_string));
    all.join(" / ")
}

/// Returns positions of a rule set that differ in the melds and feet of the side of seat 0. The seat holds a king for
/// its kings, and no more cards than it needs to go out after that.
fn positions(rules: &str) -> Vec<String> {
    let (feet, hand) =
        (rules.starts_with("hand-and-foot"), if rules.starts_with("hoyle") { "Kd" } else { "Kd 4c" });
    let (wilds, sequences) =
        if rules.starts_with("samba") || rules.starts_with("bolivia") { (0, 2) } else { (1, 0) };
    let wilds = if rules.contains("wild_melds=true") || feet { wilds } else { 0 };
    let mut found = Vec::new();
    for clean in 0..=if feet { 8 } else { 3 } {
        for (mixed, wild, sequence) in
            (0..=1).flat_map(|m| (0..=wilds).flat_map(move |w| (0..=sequences).map(move |q| (m, w, q))))
        {
            let bars: &[&[&str]] = if rules.contains("go_out_bars") {
                &[&[], &["7s7h7d"], &["AsAhAd"], &["7s7h7d", "AsAhAd"]]
            } else {
                &[&[]]
            };
            let on_foot: &[&str] = if feet { &["; on foot 0 2 4", "; on foot 0 1"] } else { &[""] };
            for (bars, foot) in bars.iter().flat_map(|bars| on_foot.iter().map(move |foot| (bars, foot))) {
                let foot =
                    if rules.starts_with("hand-and-foot-4p") { foot.trim_end_matches(" 4") } else { foot };
                let melds = melds(clean, mixed, wild, sequence, bars);
                found.push(format!("{rules}; to move 0; drew; hand 0 {hand}; melds 0 {melds}{foot}"));
            }
        }
    }
    found
}

/// Returns the codes about going out in the refusal of an action, with the numbers of their facts.
fn refused(state: &Table, action: &Action) -> Vec<(Code, Option<(i64, i64)>)> {
    let Err(rejection) = check(state, As::Seat(Seat(0)), action) else { return Vec::new() };
    let number = |fact: Option<&Fact>| match fact {
        Some(&Fact::Int(number)) => Some(number),
        _ => None,
    };
    let told = rejection.violations.iter().filter(|v| v.code != Code::GoOutDiscardRequired);
    let told = told.filter(|v| v.code.name().starts_with("GO_OUT_"));
    told.map(|v| (v.code, number(v.get("found")).zip(number(v.get("required"))))).collect()
}

#[test]
fn what_is_stated_decides_in_every_rule_set() {
    for rules in ASKING {
        let (mut allowed, mut forbidden) = (0, 0);
        for text in positions(rules) {
            // Not every pack has all these canastas, and not every position can arise.
            let Ok(position) = Position::parse(&text) else { continue };
            let Ok(state) = position.setup().into_table() else { continue };
            let action = action("meld Kd onto 0", &state);
            let stated = going_out(&state, Seat(0), &action);
            let missing: Vec<_> = stated
                .iter()
                .filter(|needed| needed.missing() > 0)
                .map(|needed| {
                    // A canasta of a rank is there or not.
                    let counts = needed.kind().filter(|_| needed.code != Code::GoOutNeedsRank);
                    (needed.code, counts.map(|_| (i64::from(needed.has), i64::from(needed.needs))))
                })
                .collect();
            assert_eq!(missing, refused(&state, &action), "{text}");
            *if missing.is_empty() { &mut allowed } else { &mut forbidden } += 1;
        }
        let asks_first = rules.contains("required");
        assert!(allowed > 0 || asks_first, "{rules}: no position lets the side go out");
        // Four kings are a canasta of Manzana (MZ-013), the last of them laid by the action.
        let always = rules.ends_with("total=0") || rules.starts_with("manzana");
        assert!(forbidden > 0 || always, "{rules}: every position lets the side go out");
    }
}

/// Checks the requirements that depend on the answer of a mate (CL-089, IR-055), and those that the action's own
/// canastas meet (CL-082).
#[test]
fn what_mates_say_and_what_is_laid_count() {
    for (text, done, expected) in [
        (
            "classic-4p; to move N; drew; answered no; hand N Kd 4c 5c; melds NS 5s5s5h5h5d5d5c / KsKhKc",
            "discard 4c",
            "GO_OUT_REFUSED 0 1 1; GO_OUT_NEEDS_CANASTAS 1 1 0",
        ),
        (
            "classic-4p ask=\"required\"; to move N; drew; hand N Kd 4c 5c; melds NS KsKhKc",
            "discard 4c",
            "GO_OUT_NOT_ASKED 1 0 1; GO_OUT_NEEDS_CANASTAS 1 0 1",
        ),
        (
            "classic-4p; to move N; drew; hand N Kd Ks 4c 5c; melds NS KsKhKcKhKd",
            "meld Kd Ks onto 0",
            "GO_OUT_NEEDS_CANASTAS 1 1 0",
        ),
        (
            "classic-4p; to move N; hand N Kd Ks 4c 5c; melds NS KsKhKcKh; pile 5h Kc",
            "take Kd Ks",
            "GO_OUT_NEEDS_CANASTAS 1 1 0",
        ),
        (
            "classic-4p; to move N; hand N 4c 5c 9c; melds NS KsKhKcKhKdKd; pile 5h Kc",
            "take onto 0",
            "GO_OUT_NEEDS_CANASTAS 1 1 0",
        ),
    ] {
        let state = state(text);
        let found = going_out(&state, Seat(0), &action(done, &state));
        let written: Vec<String> = found
            .iter()
            .map(|needed| format!("{} {} {} {}", needed.code, needed.needs, needed.has, needed.missing()))
            .collect();
        assert_eq!(written.join("; "), expected, "{text}: {done}");
    }
}
