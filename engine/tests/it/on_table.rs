//! The sides' cards on the table: counted by hand from the rulebook, from public cards alone.

use canasta_engine::explain::lacking;
use canasta_engine::notation::Position;
use canasta_engine::scoring::{on_table, score};
use canasta_engine::seat::Side;
use canasta_engine::table::Table;

fn state(text: &str) -> Table {
    let position = Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    position.setup().into_table().unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

/// Returns the lines of each side: `melded_cards 65, natural_canastas 500; threes -100`.
fn told(table: &Table) -> String {
    let account = |lines: &[canasta_engine::scoring::Line]| {
        let lines = lines.iter().map(|line| format!("{} {}", line.item.name(), line.points));
        lines.collect::<Vec<_>>().join(", ")
    };
    on_table(table).iter().map(|one| account(&one.lines)).collect::<Vec<_>>().join("; ")
}

#[test]
fn the_table_is_counted_as_if_hands_were_empty() {
    for (text, expected) in [
        // CL-100, CL-103, CL-105, CL-106: seven fives, three kings, a red three each.
        (
            "classic-4p; to move N; drew; hand N Kd 4c 5c; laid N 3h; laid E 3d; melds NS 5s5s5h5h5d5d5c / KsKhKc",
            "melded_cards 65, natural_canastas 500, threes 100; threes -100",
        ),
        // MA-161, MA-174: without a canasta melds count minus, and sevens cost.
        (
            "american-4p; to move N; drew; hand N Kd 4c 5c; melds NS KsKhKc / 7s7h7d",
            "melded_cards -45, incomplete_melds -2500; ",
        ),
        // HN-061, and MA-154 for a canasta of sevens in the game of another rule set.
        (
            "hoyle-2p no_canasta_score=all_negative; to move 0; drew; hand 0 Kd 4c 5c; melds 0 KsKhKc",
            "no_canasta -30; ",
        ),
        // P3-010: before sides form each seat counts its own threes.
        ("classic-3p; to move 0; drew; laid 1 3d 3h; melds 1 KsKhKc", "; melded_cards 30, threes 200; "),
        ("classic-4p; to register", ""),
    ] {
        assert_eq!(told(&state(text)), expected, "{text}");
    }
}

/// Checks AC-04: held threes of a side that has not melded count at the end, and are seen by nobody before it.
#[test]
fn held_cards_are_not_told() {
    let with = |hand: &str| {
        let text =
            format!("american-4p; to move N; drew; hand N Kd 4c 5c; hand E {hand} 9c 9d; melds NS KsKhKc");
        told(&state(&text))
    };
    assert_eq!(with("3s 3c"), with("8s 8c"));
    let over = state("american-4p; round over stock_exhausted; hand E 3s 3c; melds NS KsKhKc");
    assert!(score(&over).accounts[1].lines.iter().any(|line| line.item.name() == "threes"));
}

#[test]
fn what_melds_lack_is_told_of_each_side() {
    for (text, expected) in [
        ("classic-4p; to move N", ["GO_OUT_NEEDS_CANASTAS 1", "GO_OUT_NEEDS_CANASTAS 1"]),
        ("classic-4p; to move N; drew; melds NS 5s5s5h5h5d5d5c", ["", "GO_OUT_NEEDS_CANASTAS 1"]),
        (
            "hand-and-foot-4p; to move 0; drew; melds 0 XXXX2s2h2d",
            ["GO_OUT_NEEDS_CLEAN 7", "GO_OUT_NEEDS_CLEAN 7, GO_OUT_NEEDS_WILD 1"],
        ),
        (
            "american-4p go_out_bars=[\"sevens\"]; to move N; drew; melds EW 7s7h7d",
            ["GO_OUT_NEEDS_CANASTAS 2", "GO_OUT_NEEDS_CANASTAS 2, GO_OUT_INCOMPLETE_MELD 1"],
        ),
    ] {
        let table = state(text);
        let of_side = |side: u8| {
            let needs = lacking(&table, Side(side)).into_iter();
            needs
                .map(|need| format!("{} {}", need.code.name(), need.missing()))
                .collect::<Vec<_>>()
                .join(", ")
        };
        assert_eq!([0, 1].map(of_side), expected, "{text}");
    }
}
