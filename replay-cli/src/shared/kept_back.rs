//! The values that players kept back from committed deals, against what chance would give.
//!
//! If every player keeps values back alike, the values that are missing are a random part of all that were owed: the number
//! of a player's follows the hypergeometric distribution. The tail is that of the exact test.

use crate::shared::text::number;
use canasta_tournament::owed::OwedByPlayer;
use serde::Serialize;

/// A player who kept values back, in the format for programs.
#[derive(Serialize)]
pub struct KeptBack<'a> {
    pub player: &'a str,
    pub values: u64,
    pub kept_back: u64,
    /// Number of values that the player would have kept back if all did it alike.
    pub expected: f64,
    /// The probability of at least so many, for the one player who is looked at.
    pub tail: f64,
    /// The tail times the number of players.
    pub corrected: f64,
}

/// Returns the players who kept values back, the least likely number first.
pub fn kept_back(owed: &OwedByPlayer) -> Vec<KeptBack<'_>> {
    let [all, missing] = owed.0.values().fold([0, 0], |[all, missing], of| [all + of[0], missing + of[1]]);
    let keepers = owed.0.iter().filter(|(_, of)| of[1] > 0);
    let mut found: Vec<KeptBack<'_>> = keepers
        .map(|(player, &[values, kept_back])| {
            let tail = tail(all, missing, values, kept_back);
            let expected = values as f64 * missing as f64 / all as f64;
            let corrected = (tail * owed.0.len() as f64).min(1.0);
            KeptBack { player, values, kept_back, expected, tail, corrected }
        })
        .collect();
    found.sort_by(|a, b| a.tail.total_cmp(&b.tail));
    found
}

impl KeptBack<'_> {
    /// Returns what stands in a line: values, those kept back, those expected, and the corrected tail.
    pub fn cells(&self) -> [String; 5] {
        [
            self.player.escape_debug().to_string(),
            number(self.values),
            number(self.kept_back),
            format!("{:.1}", self.expected),
            format!("{:.2e}", self.corrected),
        ]
    }

    pub fn in_words(&self) -> String {
        let [player, values, kept_back, expected, corrected] = self.cells();
        format!(
            "{player} kept back {kept_back} of {values} values, {expected} expected if all do alike (p {corrected})"
        )
    }
}

/// Returns the probability that at least `from` of `missing` values out of `all` are among the `own`. For display only.
fn tail(all: u64, missing: u64, own: u64, from: u64) -> f64 {
    let ways = |of: u64, count: u64| {
        let [of, count] = [of, count].map(|number| number as f64);
        libm::lgamma(of + 1.0) - libm::lgamma(count + 1.0) - libm::lgamma(of - count + 1.0)
    };
    let others = all - own;
    let possible = (from..=own.min(missing)).filter(|count| missing - count <= others);
    let each = possible
        .map(|count| libm::exp(ways(own, count) + ways(others, missing - count) - ways(all, missing)));
    each.sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks tails that are counted by hand: 3 of 9 values are missing, 4 are one player's. C(9,3) = 84 ways; all three among
    /// the four: 4 ways; two of them: C(4,2)·5 = 30; one: 4·C(5,2) = 40; none: 10.
    #[test]
    fn tails_are_counted() {
        for (from, ways) in [(0, 84.0), (1, 74.0), (2, 34.0), (3, 4.0)] {
            assert!((tail(9, 3, 4, from) - ways / 84.0).abs() < 1e-9, "{from}");
        }
        assert!((tail(4, 4, 2, 2) - 1.0).abs() < 1e-9, "all are missing");
    }

    #[test]
    fn who_keeps_back_more_than_others_comes_first() {
        let mut owed = OwedByPlayer::default();
        for (player, kept_back) in [("Ann", 1), ("Bob", 9), ("Cem", 0), ("Dan", 2)] {
            owed.0.insert(player.to_owned(), [50, kept_back]);
        }
        let found = kept_back(&owed);
        assert_eq!(found.iter().map(|of| of.player).collect::<Vec<_>>(), ["Bob", "Dan", "Ann"]);
        assert!(found[0].corrected < 0.02 && found[1].corrected > 0.5, "{}", found[0].in_words());
        assert!((found[0].expected - 3.0).abs() < 1e-9);
        // The same again is twice as much.
        let mut twice = owed.clone();
        twice.merge(&owed);
        assert_eq!(kept_back(&twice)[0].values, 100);
    }
}
