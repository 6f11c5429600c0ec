//! The exact result of an honest shuffle: the hypergeometric distribution, and the distance of a sample from
//! it.
//!
//! Counts of ways are integers and never rounded. Only what is shown of a statistic (its tail) is a float.

use num_bigint::BigUint;

/// Minimum number of hands that a class must be expected to have.
const EXPECTED_MIN: u32 = 5;
/// The scale of a statistic: millionths.
const MILLION: u32 = 1_000_000;

/// The distribution of the number of cards of one sort in a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hypergeometric {
    pub pack: u32,
    /// Number of cards of the sort in the pack.
    pub sort: u32,
    pub hand: u32,
}

/// Neighbouring numbers of cards that are compared as one class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueClass {
    /// Number of hands found in the class.
    pub found: u64,
    /// Number of possible hands in the class.
    pub ways: BigUint,
}

/// The distance of a sample from its expectation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Distance {
    /// Pearson's chi square in millionths, the part of each class rounded down.
    pub millionths: u64,
    /// Number of degrees of freedom.
    pub freedom: u32,
}

impl Hypergeometric {
    /// Returns the number of hands with `count` cards of the sort.
    pub fn ways(&self, count: u32) -> BigUint {
        let others = self.pack - self.sort;
        match self.hand.checked_sub(count) {
            Some(rest) if count <= self.sort && rest <= others => {
                choose(self.sort, count) * choose(others, rest)
            }
            _ => BigUint::ZERO,
        }
    }

    /// Returns the number of all hands.
    pub fn all(&self) -> BigUint {
        choose(self.pack, self.hand)
    }

    /// Returns the maximum number of cards of the sort in a hand.
    pub fn most(&self) -> u32 {
        self.sort.min(self.hand)
    }

    /// Returns classes of neighbouring numbers, joined until each class is expected to have enough hands.
    pub fn classes(&self, found: &[u64]) -> Vec<ValueClass> {
        let hands: u64 = found.iter().sum();
        let enough = |class: &ValueClass| &class.ways * hands >= self.all() * EXPECTED_MIN;
        let mut classes: Vec<ValueClass> = Vec::new();
        for count in 0..=self.most() {
            let here = found.get(count as usize).copied().unwrap_or(0);
            match classes.last_mut().filter(|last| !enough(last)) {
                Some(open) => {
                    open.found += here;
                    open.ways += self.ways(count);
                }
                None => classes.push(ValueClass { found: here, ways: self.ways(count) }),
            }
        }
        if classes.len() > 1 && classes.last().is_some_and(|last| !enough(last)) {
            let rest = classes.pop().expect("there are two");
            let last = classes.last_mut().expect("there was one more");
            last.found += rest.found;
            last.ways += rest.ways;
        }
        classes
    }

    /// Returns the chi square of the classes; `None` if there are fewer than two classes.
    pub fn distance(&self, found: &[u64]) -> Option<Distance> {
        let (classes, all) = (self.classes(found), self.all());
        let hands: u64 = found.iter().sum();
        if classes.len() < 2 {
            return None;
        }
        let part = |class: &ValueClass| -> u64 {
            let (is, should) = (&all * class.found, &class.ways * hands);
            let apart = if is > should { is - &should } else { &should - is };
            u64::try_from(&apart * &apart * MILLION / (should * &all)).unwrap_or(u64::MAX)
        };
        let millionths = classes.iter().map(part).fold(0, u64::saturating_add);
        Some(Distance { millionths, freedom: classes.len() as u32 - 1 })
    }

    /// Returns the distance of a sum over the hands of `deals` deals from its expectation, in standard
    /// deviations. For display only.
    pub fn deviation(&self, sum: u64, deals: u64) -> f64 {
        let (pack, sort, hand) = (f64::from(self.pack), f64::from(self.sort), f64::from(self.hand));
        let share = sort / pack;
        let variance = hand * share * (1.0 - share) * (pack - hand) / (pack - 1.0) * deals as f64;
        if variance > 0.0 { (sum as f64 - hand * share * deals as f64) / libm::sqrt(variance) } else { 0.0 }
    }
}

impl Distance {
    /// Returns the probability that an honest shuffle is at least this far away. For display only.
    pub fn tail(&self) -> f64 {
        let half = self.millionths as f64 / f64::from(MILLION) / 2.0;
        // Q(1/2, x) and Q(1, x) are known; Q(a + 1, x) = Q(a, x) + x^a e^-x / Γ(a + 1).
        let odd = self.freedom % 2 == 1;
        let (mut a, mut tail) =
            if odd { (0.5, libm::erfc(libm::sqrt(half))) } else { (1.0, libm::exp(-half)) };
        while a < f64::from(self.freedom) / 2.0 {
            tail += libm::exp(a * libm::log(half.max(f64::MIN_POSITIVE)) - half - libm::lgamma(a + 1.0));
            a += 1.0;
        }
        tail.clamp(0.0, 1.0)
    }
}

/// Returns the number of hands of `count` cards out of `cards`.
fn choose(cards: u32, count: u32) -> BigUint {
    let mut ways = BigUint::from(1u32);
    for i in 0..count {
        ways = ways * (cards - i) / (i + 1);
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the law against all hands of 4 out of 9 cards, of which 3 are of the sort. Counted by hand: C(6,4) =
    /// 15, 3·C(6,3) = 60, 3·C(6,2) = 45, C(6,1) = 6, together C(9,4) = 126.
    #[test]
    fn the_law_is_that_of_every_hand_of_a_small_pack() {
        let law = Hypergeometric { pack: 9, sort: 3, hand: 4 };
        let mut counts = [0u32; 4];
        for hand in (0u32..1 << 9).filter(|hand| hand.count_ones() == 4) {
            counts[(hand & 0b111).count_ones() as usize] += 1;
        }
        assert_eq!(counts, [15, 60, 45, 6]);
        for (count, ways) in (0..).zip(counts) {
            assert_eq!(law.ways(count), BigUint::from(ways), "{count}");
        }
        assert_eq!((law.all(), law.ways(4)), (BigUint::from(126u32), BigUint::ZERO));
    }

    /// Checks the published counts of bridge hands: 635,013,559,600 hands, of which 1,677,106,640 have four aces.
    #[test]
    fn bridge_hands_are_as_published() {
        let law = Hypergeometric { pack: 52, sort: 4, hand: 13 };
        assert_eq!(law.all(), BigUint::from(635_013_559_600u64));
        assert_eq!(law.ways(4), BigUint::from(1_677_106_640u64));
        assert_eq!((0..=4).map(|aces| law.ways(aces)).sum::<BigUint>(), law.all());
    }

    /// Computes the chi square of the 126 hands of the small pack: first of the expected counts, then of counts of
    /// which two differ by one hand. By hand: (15-14)²/15 + (60-61)²/60 = 0.08333.
    #[test]
    fn chi_square_is_counted_exactly() {
        let law = Hypergeometric { pack: 9, sort: 3, hand: 4 };
        let none = law.distance(&[15, 60, 45, 6]).expect("four classes");
        assert_eq!((none.millionths, none.freedom), (0, 3));
        assert_eq!(none.tail(), 1.0);
        let some = law.distance(&[14, 61, 45, 6]).expect("four classes");
        assert_eq!(some.millionths, 66_666 + 16_666);
        // With half as many hands, 3 hands are expected in the last class, so the last class is joined to the class
        // before it.
        let classes = law.classes(&[7, 30, 23, 3]);
        assert_eq!(classes.len(), 3);
        assert_eq!(classes[2], ValueClass { found: 23 + 3, ways: BigUint::from(45u32 + 6) });
        assert_eq!(law.distance(&[1, 2, 1, 0]), None, "four hands say nothing");
    }

    /// Compares tails with the usual table of critical values.
    #[test]
    fn tails_are_those_of_the_table() {
        let table = [
            (1, 3_841_459, 0.05),
            (2, 5_991_465, 0.05),
            (3, 7_814_728, 0.05),
            (10, 18_307_038, 0.05),
            (5, 15_086_272, 0.01),
        ];
        for (freedom, millionths, tail) in table {
            let found = Distance { millionths, freedom }.tail();
            assert!((found - tail).abs() < 1e-6, "{freedom}: {found}");
        }
    }
}
