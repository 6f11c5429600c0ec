//! The comparison of two players over duplicate deals, and ratings of all. Floats stand in what is printed only.

use serde_json::{Value, json};

/// A mean and one standard error.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measured {
    pub value: f64,
    pub error: f64,
}

impl Measured {
    /// Returns the numbers for programs, with four decimals.
    pub fn document(self) -> Value {
        let rounded = |value: f64| (value * 1e4).round() / 1e4;
        json!({"value": rounded(self.value), "error": rounded(self.error)})
    }
}

/// The sums of a number that each deal has: how many deals, of the numbers, of their squares.
#[derive(Clone, Copy, Default, Debug)]
pub struct DealSums(f64, f64, f64);

impl DealSums {
    fn add(&mut self, value: f64) {
        *self = Self(self.0 + 1.0, self.1 + value, self.2 + value * value);
    }

    /// Returns the mean of the deals.
    pub fn mean(self) -> Measured {
        let Self(n, sum, squares) = self;
        let value = sum / n;
        let spread = (squares / n - value * value) / (n - 1.0).max(1.0);
        Measured { value, error: spread.max(0.0).sqrt() }
    }
}

/// The results of one player against another, over deals that are played once with each seating.
#[derive(Clone, Copy, Default, Debug)]
pub struct Comparison {
    /// The points of the first player more than the mean of the others, per game.
    pub points: DealSums,
    /// The share of games, from 0 to 1, in which the first player had more points than the mean of the others; equal points are
    /// half a game.
    pub won: DealSums,
    /// Number of games.
    games: f64,
}

impl Comparison {
    /// Adds a deal: for each unit that the first player had, the points of all units.
    pub fn add(&mut self, points: &[Vec<i64>]) {
        let (mut lead, mut won) = (0.0, 0.0);
        for (own, totals) in points.iter().enumerate() {
            let mine = totals[own] as f64;
            let others = totals.iter().sum::<i64>() as f64 - mine;
            let more = mine - others / (totals.len() - 1) as f64;
            lead += more;
            won += if more == 0.0 { 0.5 } else { f64::from(more > 0.0) };
        }
        let games = points.len() as f64;
        self.points.add(lead / games);
        self.won.add(won / games);
        self.games += games;
    }

    /// Returns the difference of ratings (Elo) that expects the share of games won. Who has won all games, or none, is taken
    /// for a player who has won half a game less, or more.
    pub fn rating(&self) -> Measured {
        let (won, least) = (self.won.mean(), 0.5 / self.games);
        let share = won.value.clamp(least, 1.0 - least);
        let odds = share * (1.0 - share);
        let error = if share == won.value { won.error } else { (odds / self.games).sqrt() };
        let value = 400.0 * libm::log10(share / (1.0 - share));
        Measured { value, error: 400.0 / core::f64::consts::LN_10 * error / odds }
    }
}

/// Returns the ratings of `count` players, whose mean is 0: of each the mean of its differences to all players. These are the
/// ratings of least squares, because each pair of players is there once, with the same deals.
pub fn ratings(count: usize, pairs: &[([usize; 2], Comparison)]) -> Vec<Measured> {
    let rating = |player: usize| {
        let of = pairs.iter().filter(|(pair, _)| pair.contains(&player));
        let (sum, squares) = of.fold((0.0, 0.0), |(sum, squares), (pair, comparison)| {
            let Measured { value, error } = comparison.rating();
            (sum + if pair[0] == player { value } else { -value }, squares + error * error)
        });
        Measured { value: sum / count as f64, error: f64::sqrt(squares) / count as f64 }
    };
    (0..count).map(rating).collect()
}
