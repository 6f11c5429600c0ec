//! The sums that groups of an initial batch can have.

/// Points are counted in fives.
pub(super) const STEP: i32 = 5;

/// A set of sums of points: a bit for each multiple of five below 640. Whether a higher sum is in the set is not known.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums(u128);

impl Sums {
    /// Every sum.
    pub const ALL: Self = Self(u128::MAX);
    /// The sum of no groups.
    pub const NOTHING: Self = Self(1);

    /// Whether this may be one of the sums.
    pub fn may_be(self, sum: i32) -> bool {
        let bit = sum / STEP;
        bit >= u128::BITS as i32 || self.0 >> bit & 1 != 0
    }

    /// Returns the least sum from `sum` on that may be one of them.
    pub fn next(self, sum: i32) -> i32 {
        let bit = (sum.max(0) / STEP) as u32;
        match self.0.checked_shr(bit) {
            Some(0) => u128::BITS as i32 * STEP,
            Some(higher) => (bit + higher.trailing_zeros()) as i32 * STEP,
            None => sum,
        }
    }

    /// Returns these sums with one more group of this value.
    pub fn plus(self, value: i32) -> Self {
        Self(self.0.checked_shl((value / STEP) as u32).unwrap_or(0))
    }

    /// Returns these sums and the others.
    pub fn or(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns these sums with any number of groups of this value.
    pub fn plus_many(self, value: i32) -> Self {
        let mut all = self;
        loop {
            let more = all.or(all.plus(value));
            if more.0 == all.0 {
                return all;
            }
            all = more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sums;

    /// Checks sums against counts by hand: 15 and 40 any number of times, and 500 once.
    #[test]
    fn sums_are_those_of_groups() {
        let all = Sums::NOTHING.plus_many(15).plus_many(40);
        let all = all.or(all.plus(500));
        for sum in (0..640).step_by(5) {
            let of_two = |sum: i32| (0..=sum / 40).any(|forties| (sum - 40 * forties) % 15 == 0);
            let expected = of_two(sum) || sum >= 500 && of_two(sum - 500);
            assert_eq!(all.may_be(sum), expected, "{sum}");
        }
        assert!(all.may_be(640) && all.may_be(100_000), "high sums are not ruled out");
        assert!(!Sums::NOTHING.plus(640).may_be(0), "a group of 640 is no group of 0");
        for from in (-10..700).step_by(5) {
            let expected = (from.max(0)..).step_by(5).find(|&sum| all.may_be(sum));
            assert_eq!(Some(all.next(from)), expected, "{from}");
        }
        assert_eq!(Sums::NOTHING.next(5), 640);
    }
}
