//! The meaning of each kind of finding for people, and what they can do about it.

use canasta_engine::log::finding::FindingKind;

/// A line for each kind: its name, and the text.
const ADVICE: &str = include_str!("advice.txt");

/// Returns what has happened, and what to do next.
pub fn advice(kind: FindingKind) -> &'static str {
    let of_kind = |line: &'static str| line.strip_prefix(kind.name())?.strip_prefix(": ");
    ADVICE.lines().find_map(of_kind).expect("each kind has a line")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_one_line_of_advice() {
        let mut kinds: Vec<_> = ADVICE.lines().filter_map(|line| line.split(": ").next()).collect();
        let mut names = FindingKind::ALL.map(FindingKind::name);
        FindingKind::ALL.into_iter().for_each(|kind| assert!(!advice(kind).is_empty()));
        kinds.sort_unstable();
        names.sort_unstable();
        assert_eq!(kinds, names);
    }
}
