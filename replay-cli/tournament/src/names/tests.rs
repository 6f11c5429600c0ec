//! Names of players that directors have met, and letters of several scripts.

use super::*;

/// Checks the names of JDG-7.6 and of other kinds, each against "Anna", "Jürgen", "HANS" or "Ida".
#[test]
fn what_looks_alike_is_found() {
    let cases = [
        ("Anna", "anna"),
        ("Anna", "\u{410}nna"),
        ("Anna", "Anna\u{200b}"),
        ("Anna", " Anna"),
        ("Anna", "An\u{a0}na"),
        ("Anna", "\u{ff21}nna"),
        ("Anna", "An\u{7}na"),
        ("J\u{fc}rgen", "Ju\u{308}rgen"),
        ("HANS", "\u{41d}ANS"),
        ("Ida", "lda"),
        ("Ida", "IDA"),
    ];
    for (first, second) in cases {
        assert_eq!(alike(["Boris", first, "Cyril", second]), [(first, second)], "{second:?}");
    }
}

#[test]
fn different_names_and_equal_ones_are_no_pairs() {
    let names = ["Anna", "Anne", "Hanna", "Jurgen", "J\u{fc}rgen", "Boris", "Anna", "\u{5f20}\u{4f1f}"];
    assert_eq!(alike(names), []);
}

#[test]
fn three_names_that_look_alike_are_two_pairs() {
    assert_eq!(alike(["Anna", "ANNA", "anna"]), [("Anna", "ANNA"), ("Anna", "anna")]);
}
