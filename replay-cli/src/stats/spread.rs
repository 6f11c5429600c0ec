//! The distribution of values: enough for mean, median and shape, in bounded memory.

use serde::{Serialize, Serializer};
use serde_json::json;
use std::collections::BTreeMap;

/// Maximum number of bins that are kept; beyond this number, neighbouring bins are merged.
const BINS_MAX: usize = 4096;
/// Maximum number of columns that are shown.
const COLUMNS_MAX: i64 = 16;

/// Counted values. The bins depend only on the values, not on their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spread {
    pub count: u64,
    pub sum: i64,
    pub least: i64,
    pub most: i64,
    /// The width of a bin is `1 << shift`.
    shift: u32,
    bins: BTreeMap<i64, u64>,
}

/// A column of values from `from` on; all columns are equally wide.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct HistogramColumn {
    pub from: i64,
    pub count: u64,
}

impl Spread {
    pub fn add(&mut self, value: impl Into<i64>) {
        let value = value.into();
        let one =
            Self { count: 1, sum: value, least: value, most: value, shift: 0, bins: [(value, 1)].into() };
        self.merge(&one);
    }

    /// Counts all values of another distribution.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.least = if self.count == 0 { other.least } else { self.least.min(other.least) };
        self.most = if self.count == 0 { other.most } else { self.most.max(other.most) };
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.widen(other.shift);
        for (bin, count) in &other.bins {
            *self.bins.entry(bin >> (self.shift - other.shift)).or_default() += count;
        }
        while self.bins.len() > BINS_MAX {
            self.widen(self.shift + 1);
        }
    }

    fn widen(&mut self, shift: u32) {
        if shift > self.shift {
            let mut bins = BTreeMap::new();
            for (bin, count) in &self.bins {
                *bins.entry(bin >> (shift - self.shift)).or_default() += count;
            }
            (self.bins, self.shift) = (bins, shift);
        }
    }

    /// Returns the median: the first value of the bin below which at most half of all values lie.
    pub fn median(&self) -> i64 {
        let mut left = self.count.div_ceil(2);
        for (bin, &count) in &self.bins {
            if left <= count {
                return bin << self.shift;
            }
            left -= count;
        }
        0
    }

    /// Returns the width of a column, and about sixteen columns or fewer from the least value to the
    /// greatest.
    pub fn columns(&self) -> (i64, Vec<HistogramColumn>) {
        if self.count == 0 {
            return (1, Vec::new());
        }
        let fits = |width: &i64| self.most.div_euclid(*width) - self.least.div_euclid(*width) < COLUMNS_MAX;
        let width =
            if self.shift > 0 { wider(1 << self.shift, &[2]) } else { wider(1, &[2, 5, 10]) }.find(fits);
        let width = width.unwrap_or(i64::MAX);
        let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
        for (bin, count) in &self.bins {
            *counts.entry((bin << self.shift).div_euclid(width)).or_default() += count;
        }
        let range = self.least.div_euclid(width)..=self.most.div_euclid(width);
        let column =
            |at: i64| HistogramColumn { from: at * width, count: counts.get(&at).copied().unwrap_or(0) };
        (width, range.map(column).collect())
    }
}

/// Returns 1, 2, 5, 10, 20, 50, ... from `start` on, with the factors 2, 5, 10 of each power.
fn wider(start: i64, factors: &'static [i64]) -> impl Iterator<Item = i64> {
    let last = factors[factors.len() - 1];
    let powers = std::iter::successors(Some(start), move |power| power.checked_mul(last));
    powers.flat_map(move |power| {
        let inner = factors[..factors.len() - 1].iter();
        std::iter::once(power).chain(inner.filter_map(move |factor| power.checked_mul(*factor)))
    })
}

impl Serialize for Spread {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (width, columns) = self.columns();
        json!({
            "count": self.count, "sum": self.sum, "least": self.least, "median": self.median(), "most": self.most,
            "width": width, "bins": columns,
        })
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = i64>) -> Spread {
        let mut spread = Spread::default();
        values.into_iter().for_each(|value| spread.add(value));
        spread
    }

    #[test]
    fn what_is_small_is_kept_as_it_is() {
        let spread = of([3, -5, 8, 8, 1]);
        assert_eq!((spread.count, spread.sum, spread.least, spread.median(), spread.most), (5, 15, -5, 3, 8));
        let (width, columns) = spread.columns();
        assert_eq!((width, columns.len()), (1, 14));
        assert_eq!(columns[13], HistogramColumn { from: 8, count: 2 });
        assert_eq!(of([10, 20]).median(), 10, "the lower of two");
    }

    #[test]
    fn bins_do_not_depend_on_the_order() {
        // 9,001 is a prime: every step visits the same values in another order.
        let values = |step: i64| (0..9_001).map(move |i| (i * step) % 9_001 * 3 - 5_000);
        let (one, two) = (of(values(1)), of(values(4_000)));
        assert_eq!(one, two);
        let mut halves = of(values(1).take(4_000));
        halves.merge(&of(values(1).skip(4_000)));
        assert_eq!(halves, one);
        assert!(one.bins.len() <= BINS_MAX && one.shift > 0);
        let (width, columns) = one.columns();
        assert!(columns.len() as i64 <= COLUMNS_MAX && width >= 1 << one.shift);
        assert_eq!(columns.iter().map(|column| column.count).sum::<u64>(), one.count);
    }

    #[test]
    fn widths_are_round() {
        assert_eq!(wider(1, &[2, 5, 10]).take(7).collect::<Vec<_>>(), [1, 2, 5, 10, 20, 50, 100]);
        assert_eq!(wider(4, &[2]).take(3).collect::<Vec<_>>(), [4, 8, 16]);
    }
}
