//! One figure: a sum held against the sums of all permutations, exactly or by the normal law; the correction for the
//! number of figures.

use super::super::sorts::SORTS;
use super::{HandGroup, LUCK, MeasureSums, POINTS_STEP};

/// The probability with which an honest set of games has a figure to look at, at most.
pub const ALARM: f64 = 0.02;

/// Maximum number of steps of an exact distribution; beyond it, the normal law with the variance of the permutations.
const STEPS_MAX: u64 = 4_000_000;

/// A figure of one group and one measure.
#[derive(Clone, PartialEq, Debug)]
pub struct BalanceFigure {
    pub group: HandGroup,
    /// The name of the measure: a sort of cards, `luck` or `scores`.
    pub measure: &'static str,
    /// The unit of `found` and `expected`: `cards` or `points`.
    pub unit: &'static str,
    pub deals: u64,
    pub found: i64,
    /// The sum that is expected of all permutations.
    pub expected: f64,
    /// The distance from the expected sum in standard deviations.
    pub deviations: f64,
    /// The share of permutations that are at least as far from the expected sum.
    pub share: f64,
    /// The share after the correction for all figures that are judged together.
    pub corrected: f64,
}

impl BalanceFigure {
    /// Whether the figure is a reason to look at the deals.
    pub fn is_to_look_at(&self) -> bool {
        self.corrected < ALARM
    }
}

/// Corrects the shares for their number, as Holm does: the smallest of `n` is multiplied by `n`, the next by `n - 1`,
/// and none is corrected to less than the one before it. `figures` are sorted by their shares.
pub(super) fn correct(figures: &mut [BalanceFigure]) {
    let (count, mut least) = (figures.len(), 0.0f64);
    for (place, figure) in figures.iter_mut().enumerate() {
        least = least.max(figure.share * (count - place) as f64).min(1.0);
        figure.corrected = least;
    }
}

/// Returns the figure of a group; `None` if no permutation changes the sum.
pub(super) fn figure(group: &HandGroup, measure: usize, sums: &MeasureSums) -> Option<BalanceFigure> {
    let parts = sums.parts as f64;
    let variance = sums.variances as f64 / (parts * parts * (parts - 1.0));
    if variance.is_nan() || variance <= 0.0 {
        return None;
    }
    let expected = sums.means as f64 / parts;
    let apart = sums.found as f64 - expected;
    let deviations = apart / libm::sqrt(variance);
    let share = match distribution(sums) {
        // Sums are whole numbers, and equally distant ones count: a margin for rounding.
        Some(ways) => {
            let far = |sum: usize| (sum as f64 - expected).abs() >= apart.abs() - 1e-6;
            ways.iter().enumerate().filter(|(sum, _)| far(*sum)).map(|(_, share)| share).sum::<f64>().min(1.0)
        }
        None => libm::erfc(deviations.abs() / std::f64::consts::SQRT_2),
    };
    let (name, unit, scale) = match SORTS.get(measure) {
        Some((sort, _)) => (*sort, "cards", 1),
        None => (if measure == LUCK { "luck" } else { "scores" }, "points", i64::from(POINTS_STEP)),
    };
    Some(BalanceFigure {
        group: group.clone(),
        measure: name,
        unit,
        deals: sums.deals,
        found: (sums.base + sums.found as i64) * scale,
        expected: (sums.base as f64 + expected) * scale as f64,
        deviations,
        share,
        corrected: 1.0,
    })
}

/// Returns the share of permutations by the sum that they give; `None` if there are too many deals.
pub(super) fn distribution(sums: &MeasureSums) -> Option<Vec<f64>> {
    if sums.has_too_many_shapes {
        return None;
    }
    let (mut ways, mut steps) = (vec![1.0], 0);
    for ((size, shape), &count) in &sums.shapes {
        let one = of_deal(shape, (*size).into());
        let most = one.last().map_or(0, |(value, _)| *value);
        for _ in 0..count {
            steps += ways.len() as u64 * one.len() as u64;
            if steps > STEPS_MAX {
                return None;
            }
            let mut next = vec![0.0; ways.len() + most];
            for (sum, share) in ways.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                one.iter().for_each(|(value, part)| next[sum + value] += share * part);
            }
            ways = next;
        }
    }
    Some(ways)
}

/// Returns the sums that the choices of `size` hands of a deal give, in ascending order, each with its share.
fn of_deal(shape: &[u8], size: u32) -> Vec<(usize, f64)> {
    let choices = (0u32..1 << shape.len()).filter(|choice| choice.count_ones() == size);
    let sum = |choice: u32| {
        let chosen = shape.iter().enumerate().filter(|(hand, _)| (choice >> hand) & 1 == 1);
        chosen.map(|(_, &value)| usize::from(value)).sum::<usize>()
    };
    let mut sums: Vec<usize> = choices.map(sum).collect();
    sums.sort_unstable();
    let all = sums.len() as f64;
    sums.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as f64 / all)).collect()
}
