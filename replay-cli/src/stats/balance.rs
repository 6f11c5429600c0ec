//! The balance of hands between seats, sides and players: sums over deals against the permutations of the seats within
//! each deal.
//!
//! If nobody chose the cards, every hand of a deal was as likely to lie before every seat. The sum of a group over many
//! deals is therefore compared with the sums that all permutations would give, deal by deal; no law of the pack is
//! needed, and hands that depend on each other do no harm. All figures are judged together (Holm), so that among many
//! of them the luckiest one raises no suspicion.

use super::tally::{SORTS, SortOf};
use canasta_engine::card::Card;
use canasta_engine::seat::{SEATS_MAX, Seat, Side};
use canasta_engine::table::Table;
use std::collections::BTreeMap;

/// Maximum number of players and pairs whose hands are counted. Those who come later are left out.
const PLAYERS_MAX: usize = 2_000;

/// Minimum number of deals of a group that is judged.
const DEALS_MIN: u64 = 20;

/// The probability with which an honest set of games has a figure to look at.
const ALARM: f64 = 0.05;

/// Maximum number of steps of an exact distribution; beyond it, the normal law with the variance of the permutations.
const STEPS_MAX: u64 = 20_000_000;

/// A group of hands.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum HandGroup {
    Seat(u8),
    Side(u8),
    /// The place in the order of dealing, from 0; the dealer is last.
    Place(u8),
    /// The player, by the number in the genesis record.
    Player(u8),
    /// The players of a side, by their numbers in the genesis record.
    Pair(Vec<u8>),
    /// Players, by their names in the order of the alphabet.
    Named(Vec<String>),
}

/// The counts of each hand of a deal, sorted: the deal as far as the permutations can tell. Seats that do not exist
/// have no entry.
type Shape = Vec<u8>;

/// The hands of one group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GroupHands {
    deals: u64,
    /// The seats at which the group sat, as bits: seat 0 is bit 0.
    seats: u8,
    sorts: [SortSums; SORTS.len()],
}

/// The cards of one sort in the hands of one group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct SortSums {
    cards: u64,
    /// By number of hands of the group and shape of the deal: the number of deals.
    shapes: BTreeMap<(u8, Shape), u64>,
}

/// The groups of many games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HandBalance {
    groups: BTreeMap<HandGroup, GroupHands>,
}

/// A figure of one group and one sort of card.
#[derive(Clone, PartialEq, Debug)]
pub struct BalanceFigure {
    pub group: HandGroup,
    pub sort: &'static str,
    pub deals: u64,
    pub cards: u64,
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

impl HandBalance {
    /// Counts the hands of a deal, before any three was laid.
    pub fn dealt(&mut self, hands: &[impl AsRef<[Card]>], table: &Table, place: impl Fn(Seat) -> usize) {
        let counts = |(_, is): &SortOf| -> Shape {
            let count = |hand: &[Card]| hand.iter().filter(|&&card| is(card)).count() as u8;
            hands.iter().map(|hand| count(hand.as_ref())).collect()
        };
        let counts: Vec<Shape> = SORTS.iter().map(counts).collect();
        let seats = hands.len() as u8;
        let player = |seat: u8| table.seating().get(usize::from(seat)).map_or(seat, |player| player.0);
        for seat in 0..seats {
            self.add(HandGroup::Seat(seat), &[seat], &counts);
            self.add(HandGroup::Place(place(Seat(seat)) as u8), &[seat], &counts);
            self.add(HandGroup::Player(player(seat)), &[seat], &counts);
        }
        for side in table.sides() {
            let mates: Vec<u8> = (0..seats).filter(|&seat| table.side_of(Seat(seat)) == side).collect();
            if mates.len() > 1 {
                self.add(HandGroup::Side(side.0), &mates, &counts);
                let mut pair: Vec<u8> = mates.iter().map(|&seat| player(seat)).collect();
                pair.sort_unstable();
                self.add(HandGroup::Pair(pair), &mates, &counts);
            }
        }
    }

    fn add(&mut self, group: HandGroup, seats: &[u8], counts: &[Shape]) {
        let hands = self.groups.entry(group).or_default();
        hands.deals += 1;
        for ((_, sums), counts) in SORTS.iter().zip(&mut hands.sorts).zip(counts) {
            sums.cards += seats.iter().map(|&seat| u64::from(counts[usize::from(seat)])).sum::<u64>();
            let mut shape = counts.clone();
            shape.sort_unstable();
            *sums.shapes.entry((seats.len() as u8, shape)).or_default() += 1;
        }
        hands.seats |= seats.iter().fold(0, |bits, seat| bits | (1 << seat));
    }

    /// Replaces the numbers of players by their names, so that games can be put together.
    pub fn name(&mut self, players: &[String]) {
        let name = |player: &u8| players.get(usize::from(*player)).cloned().unwrap_or_default();
        self.groups = std::mem::take(&mut self.groups)
            .into_iter()
            .map(|(group, hands)| {
                let names = match &group {
                    HandGroup::Player(player) => vec![name(player)],
                    HandGroup::Pair(players) => players.iter().map(name).collect(),
                    _ => return (group, hands),
                };
                (HandGroup::Named(sorted(names)), hands)
            })
            .collect();
    }

    /// Adds the groups of other games.
    pub fn merge(&mut self, other: &Self) {
        for (group, more) in &other.groups {
            let is_named = matches!(group, HandGroup::Named(_));
            if is_named && !self.groups.contains_key(group) && self.groups.len() >= PLAYERS_MAX {
                continue;
            }
            let hands = self.groups.entry(group.clone()).or_default();
            hands.deals += more.deals;
            hands.seats |= more.seats;
            for (sums, more) in hands.sorts.iter_mut().zip(&more.sorts) {
                sums.cards += more.cards;
                more.shapes.iter().for_each(|(shape, deals)| {
                    *sums.shapes.entry(shape.clone()).or_default() += deals;
                });
            }
        }
    }

    /// Returns a figure for each group and sort of card, the one that is most to look at first.
    pub fn figures(&self) -> Vec<BalanceFigure> {
        let groups = self.groups.iter().filter(|(group, hands)| self.is_judged(group, hands));
        let mut figures: Vec<BalanceFigure> = groups
            .flat_map(|(group, hands)| {
                let sorts = SORTS.iter().zip(&hands.sorts);
                sorts.filter_map(|((name, _), sums)| figure(group, name, hands.deals, sums))
            })
            .collect();
        figures.sort_by(|a, b| a.share.total_cmp(&b.share));
        correct(&mut figures);
        figures
    }

    /// Whether a group has figures of its own. The last of two sides, seats and places mirrors the first; a player who
    /// always sat at one seat, in all games, is that seat.
    fn is_judged(&self, group: &HandGroup, hands: &GroupHands) -> bool {
        let of_kind = |is: fn(&HandGroup) -> bool| self.groups.keys().filter(|group| is(group)).count();
        let all = self.groups.get(&HandGroup::Seat(0)).map_or(0, |seat| seat.deals);
        let mirrors = match group {
            HandGroup::Seat(1) => of_kind(|group| matches!(group, HandGroup::Seat(_))) == 2,
            HandGroup::Place(1) => of_kind(|group| matches!(group, HandGroup::Place(_))) == 2,
            HandGroup::Side(1) => of_kind(|group| matches!(group, HandGroup::Side(_))) == 2,
            HandGroup::Named(names) => hands.deals == all && hands.seats.count_ones() as usize == names.len(),
            _ => false,
        };
        hands.deals >= DEALS_MIN && !mirrors
    }
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

/// Corrects the shares for their number, as Holm does: the smallest of `n` is multiplied by `n`, the next by `n - 1`,
/// and none is corrected to less than the one before it. `figures` are sorted by their shares.
fn correct(figures: &mut [BalanceFigure]) {
    let (count, mut least) = (figures.len(), 0.0f64);
    for (place, figure) in figures.iter_mut().enumerate() {
        least = least.max(figure.share * (count - place) as f64).min(1.0);
        figure.corrected = least;
    }
}

/// Returns the figure of a group; `None` if no permutation changes the sum.
fn figure(group: &HandGroup, sort: &'static str, deals: u64, sums: &SortSums) -> Option<BalanceFigure> {
    let (mut expected, mut variance, mut width, mut steps) = (0.0, 0.0, 0u64, 0u64);
    for ((size, shape), &count) in &sums.shapes {
        let (seats, size) = (shape.len() as f64, f64::from(*size));
        let total: u64 = shape.iter().map(|&cards| u64::from(cards)).sum();
        let squares: u64 = shape.iter().map(|&cards| u64::from(cards).pow(2)).sum();
        let mean = total as f64 / seats;
        let spread = squares as f64 / seats - mean * mean;
        expected += count as f64 * size * mean;
        variance += count as f64 * size * (seats - size) / (seats - 1.0) * spread;
        width += count * total;
        steps =
            steps.saturating_add(count.saturating_mul(width).saturating_mul(1 << shape.len().min(SEATS_MAX)));
    }
    if variance.is_nan() || variance <= 0.0 {
        return None;
    }
    let apart = sums.cards as f64 - expected;
    let deviations = apart / libm::sqrt(variance);
    let share = if steps <= STEPS_MAX {
        // Sums are whole numbers, and equally distant ones count: a margin for rounding.
        let far = |sum: usize| (sum as f64 - expected).abs() >= apart.abs() - 1e-6;
        let ways = distribution(sums);
        ways.iter().enumerate().filter(|(sum, _)| far(*sum)).map(|(_, share)| share).sum::<f64>().min(1.0)
    } else {
        libm::erfc(deviations.abs() / std::f64::consts::SQRT_2)
    };
    let (group, cards) = (group.clone(), sums.cards);
    Some(BalanceFigure { group, sort, deals, cards, expected, deviations, share, corrected: 1.0 })
}

/// Returns the share of permutations by the sum that they give.
fn distribution(sums: &SortSums) -> Vec<f64> {
    let mut ways = vec![1.0];
    for ((size, shape), &count) in &sums.shapes {
        let one = of_deal(shape, (*size).into());
        for _ in 0..count {
            let mut next = vec![0.0; ways.len() + one.len() - 1];
            for (sum, share) in ways.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                one.iter().enumerate().for_each(|(cards, part)| next[sum + cards] += share * part);
            }
            ways = next;
        }
    }
    ways
}

/// Returns the share of the choices of `size` hands of a deal by the number of cards in them.
fn of_deal(shape: &[u8], size: u32) -> Vec<f64> {
    let total: usize = shape.iter().map(|&cards| usize::from(cards)).sum();
    let mut ways = vec![0.0; total + 1];
    let choices = (0u32..1 << shape.len()).filter(|choice| choice.count_ones() == size);
    let mut count = 0.0;
    for choice in choices {
        let chosen = shape.iter().enumerate().filter(|(seat, _)| (choice >> seat) & 1 == 1);
        ways[chosen.map(|(_, &cards)| usize::from(cards)).sum::<usize>()] += 1.0;
        count += 1.0;
    }
    ways.iter_mut().for_each(|ways| *ways /= count);
    ways
}

impl HandGroup {
    /// Returns the kind of the group, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Seat(_) => "seat",
            Self::Side(_) => "side",
            Self::Place(_) => "place",
            Self::Player(_) | Self::Pair(_) | Self::Named(_) => "players",
        }
    }

    /// Returns the side of a group that is one.
    pub fn side(&self) -> Option<Side> {
        if let Self::Side(side) = self { Some(Side(*side)) } else { None }
    }
}

#[cfg(test)]
mod tests;
