//! The balance between seats, sides, players and tables: of the cards dealt, of what bots make of the deals, and of the
//! scores.
//!
//! If nobody chose the cards, every hand of a deal was as likely to lie before every seat. The sum of a group over many
//! deals is therefore compared with the sums that all permutations would give, deal by deal; no law of the pack is
//! needed, and hands that depend on each other do no harm. All figures are judged together (Holm), so that among many
//! of them the luckiest one raises no suspicion. Scores are not judged: skill and the turn to play show in them.

mod figure;

pub use figure::BalanceFigure;

use super::sorts::SORTS;
use canasta_engine::bot::Draws;
use canasta_engine::card::Card;
use canasta_engine::seat::Seat;
use canasta_engine::table::Table;
use figure::{correct, figure};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of players, pairs and tables that are followed. Those who come later are left out.
const NAMED_MAX: usize = 4_000;

/// Maximum number of different deals of a group that are kept for an exact distribution.
const SHAPES_MAX: usize = 256;

/// Minimum number of deals of a group that is judged.
const DEALS_MIN: u64 = 20;

/// Points that count as one step of luck and of scores: coarse enough for an exact distribution.
pub const POINTS_STEP: i32 = 25;

/// Maximum distance from 0 that counts, in steps: one deal decides no sum.
const STEPS_FAR: i32 = 100;

/// Number of measures: the sorts of cards, luck and scores.
const MEASURES: usize = SORTS.len() + 2;
const LUCK: usize = SORTS.len();
const SCORES: usize = SORTS.len() + 1;

/// A group of hands. Of groups with the same hands, the first in this order has the figure.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum HandGroup {
    Side(u8),
    /// The dealer and the mates.
    DealerSide,
    Seat(u8),
    /// The place in the order of dealing, from 0; the dealer is last.
    Place(u8),
    /// Players of one side or a single player, and at a table all others: by names, in the order of the alphabet. Two players
    /// of one name are one player.
    Named {
        players: Vec<String>,
        others: Vec<String>,
    },
}

#[derive(Clone, Default)]
pub struct DealGroups {
    /// A number that differs from deal to deal.
    key: u64,
    seats: u8,
    groups: Vec<(HandGroup, Vec<u8>)>,
    /// The unit (side, or seat if scores are kept by seat) of each seat.
    units: Vec<u8>,
}

/// The values of each hand of a deal, sorted: the deal as far as the permutations can tell.
type Shape = Vec<u8>;

/// The sum of one measure over the hands of one group.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::stats) struct MeasureSums {
    deals: u64,
    /// The sum of what the group got, and the part of the sum that no permutation changes.
    found: u64,
    base: i64,
    /// The sums of all permutations, from which mean and variance follow exactly: `parts` hands a deal, the sum of the
    /// means times `parts`, and the sum of the variances times `parts²(parts - 1)`.
    parts: u64,
    means: u64,
    variances: u64,
    /// Number of deals by number of hands of the group and shape; empty if there are too many shapes.
    shapes: BTreeMap<(u8, Shape), u64>,
    has_too_many_shapes: bool,
    /// The hands of the group as one number, and those of all others: equal numbers, equal hands.
    covers: u64,
    mirrors: u64,
}

/// The part of one group in one deal: `size` of the values of the shape.
struct Part {
    size: u8,
    found: u64,
    base: i64,
    shape: Shape,
    /// The seats, as bits.
    seats: u8,
}

/// The groups of many games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HandBalance {
    groups: BTreeMap<HandGroup, [MeasureSums; MEASURES]>,
    /// Whether players were left out.
    pub is_cut: bool,
}

impl DealGroups {
    /// Returns the groups of a deal, before any card is played. `players` are the names in the genesis record.
    pub fn of(
        hands: &[impl AsRef<[Card]>],
        table: &Table,
        players: &[String],
        place: impl Fn(Seat) -> usize,
    ) -> Self {
        let seats = hands.len() as u8;
        let cards = hands.iter().flat_map(|hand| hand.as_ref());
        let key = cards.fold(0, |key, card| mix(key ^ card.index() as u64));
        let name = |seat: &u8| {
            let player = table.seating().get(usize::from(*seat)).map_or(*seat, |player| player.0);
            players.get(usize::from(player)).cloned().unwrap_or_default()
        };
        let dealer = (0..seats).find(|&seat| place(Seat(seat)) + 1 == usize::from(seats));
        let mut groups: Vec<(HandGroup, Vec<u8>)> = Vec::new();
        let named = |group: &[u8], others: &[u8]| {
            let names = |seats: &[u8]| sorted(seats.iter().map(name).collect());
            (HandGroup::Named { players: names(group), others: names(others) }, group.to_vec())
        };
        for seat in 0..seats {
            groups.push((HandGroup::Seat(seat), vec![seat]));
            groups.push((HandGroup::Place(place(Seat(seat)) as u8), vec![seat]));
            groups.push(named(&[seat], &[]));
        }
        for side in table.sides() {
            let is_mate = |seat: &u8| table.side_of(Seat(*seat)) == side;
            let (mates, others): (Vec<u8>, Vec<u8>) = (0..seats).partition(is_mate);
            if mates.is_empty() {
                continue;
            }
            groups.push(named(&mates, &others));
            if mates.len() > 1 {
                groups.push(named(&mates, &[]));
                if dealer.is_some_and(|dealer| mates.contains(&dealer)) {
                    groups.push((HandGroup::DealerSide, mates.clone()));
                }
                groups.push((HandGroup::Side(side.0), mates));
            }
        }
        let units = (0..seats).map(|seat| table.unit_of(Seat(seat)).0).collect();
        Self { key, seats, groups, units }
    }

    /// Returns the seats that share the score of a seat, as bits.
    fn unit_seats(&self, seat: u8) -> u8 {
        let unit = self.units[usize::from(seat)];
        bits((0..self.seats).filter(|&other| self.units[usize::from(other)] == unit))
    }
}

fn bits(seats: impl Iterator<Item = u8>) -> u8 {
    seats.fold(0, |bits, seat| bits | (1 << seat))
}

/// Mixes bits as SplitMix64 does.
fn mix(bits: u64) -> u64 {
    Draws(bits).bits()
}

impl HandBalance {
    /// Counts the hands of a deal, before any three was laid.
    pub fn dealt(&mut self, deal: &DealGroups, hands: &[impl AsRef<[Card]>]) {
        for (measure, (_, is)) in SORTS.iter().enumerate() {
            let count = |hand: &[Card]| hand.iter().filter(|&&card| is(card)).count() as u8;
            let counts: Shape = hands.iter().map(|hand| count(hand.as_ref())).collect();
            let part = |seats: &[u8]| Part {
                size: seats.len() as u8,
                found: seats.iter().map(|&seat| u64::from(counts[usize::from(seat)])).sum(),
                base: 0,
                shape: sorted(counts.clone()),
                seats: bits(seats.iter().copied()),
            };
            self.add(deal, measure, part);
        }
    }

    /// Counts what bots made of a deal: the points of each unit by rotation of the seats, the first as it was dealt.
    pub fn luck(&mut self, deal: &DealGroups, rotations: &[Vec<i32>]) {
        self.add(deal, LUCK, |seats| {
            let unit = deal.units[usize::from(seats[0])];
            Part::of_points(rotations.iter().map(|points| ahead(points, unit)), 0, deal.unit_seats(seats[0]))
        });
    }

    /// Counts the scores of a round, by unit.
    pub fn scored(&mut self, deal: &DealGroups, points: &[i32]) {
        self.add(deal, SCORES, |seats| {
            let unit = deal.units[usize::from(seats[0])];
            let each = (0..points.len() as u8).map(|other| ahead(points, other));
            Part::of_points(each, unit.into(), deal.unit_seats(seats[0]))
        });
    }

    fn add(&mut self, deal: &DealGroups, measure: usize, part: impl Fn(&[u8]) -> Part) {
        let all = bits(0..deal.seats);
        for (group, seats) in &deal.groups {
            let part = part(seats);
            let sums = &mut self.groups.entry(group.clone()).or_default()[measure];
            sums.covers = sums.covers.wrapping_add(mix(deal.key ^ u64::from(part.seats)));
            sums.mirrors = sums.mirrors.wrapping_add(mix(deal.key ^ u64::from(all & !part.seats)));
            sums.add(part);
        }
    }

    /// Adds the groups of other games.
    pub fn merge(&mut self, other: &Self) {
        self.is_cut |= other.is_cut;
        for (group, more) in &other.groups {
            let is_named = matches!(group, HandGroup::Named { .. });
            if is_named && !self.groups.contains_key(group) && self.groups.len() >= NAMED_MAX {
                self.is_cut = true;
                continue;
            }
            let sums = self.groups.entry(group.clone()).or_default();
            sums.iter_mut().zip(more).for_each(|(sums, more)| sums.merge(more));
        }
    }

    /// Returns a figure for each group and measure that is judged, the one that is most to look at first.
    pub fn figures(&self) -> Vec<BalanceFigure> {
        let mut figures = self.figures_of(0..SCORES);
        correct(&mut figures);
        figures
    }

    /// Returns a figure of the scores for each group, the one furthest from what is expected first. They are not judged.
    pub fn scores(&self) -> Vec<BalanceFigure> {
        self.figures_of(SCORES..MEASURES)
    }

    /// Whether deals were played again by bots.
    pub fn has_luck(&self) -> bool {
        self.groups.values().any(|sums| sums[LUCK].deals > 0)
    }

    /// Returns the figures of these measures, sorted by their shares. Groups with the same hands, or with all others,
    /// have one figure: the last of two sides mirrors the first, and a player who always sat at one seat is that seat.
    fn figures_of(&self, measures: std::ops::Range<usize>) -> Vec<BalanceFigure> {
        let mut figures = Vec::new();
        for measure in measures {
            let mut seen = BTreeSet::new();
            for (group, sums) in &self.groups {
                let sums = &sums[measure];
                if sums.deals >= DEALS_MIN && !seen.contains(&sums.mirrors) && seen.insert(sums.covers) {
                    figures.extend(figure(group, measure, sums));
                }
            }
        }
        figures.sort_by(|a, b| a.share.total_cmp(&b.share));
        figures
    }
}

fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort();
    values
}

/// Returns the points of a unit beyond the mean of all others.
pub fn ahead(points: &[i32], unit: u8) -> i32 {
    let own = points.get(usize::from(unit)).copied().unwrap_or(0);
    let others = points.len().saturating_sub(1).max(1) as i64;
    let ahead = i64::from(own)
        - (points.iter().map(|&points| i64::from(points)).sum::<i64>() - i64::from(own)) / others;
    ahead.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

impl Part {
    /// Returns the part of a group that got one of these points, in steps.
    fn of_points(points: impl Iterator<Item = i32>, got: usize, seats: u8) -> Self {
        let step = |points: i32| (points.saturating_add(POINTS_STEP / 2)).div_euclid(POINTS_STEP);
        let values: Vec<i32> = points.map(|points| step(points).clamp(-STEPS_FAR, STEPS_FAR)).collect();
        let least = values.iter().copied().min().unwrap_or(0);
        let above = |value: &i32| u8::try_from(value - least).unwrap_or(u8::MAX);
        let shape: Shape = values.iter().map(above).collect();
        let found = shape.get(got).copied().unwrap_or(0).into();
        Self { size: 1, found, base: least.into(), shape: sorted(shape), seats }
    }
}

impl MeasureSums {
    fn add(&mut self, part: Part) {
        let values = || part.shape.iter().map(|&value| u64::from(value));
        let (total, squares) = (values().sum::<u64>(), values().map(|value| value * value).sum::<u64>());
        let (parts, size) = (part.shape.len() as u64, u64::from(part.size));
        self.deals += 1;
        self.found += part.found;
        self.base += part.base * i64::from(part.size);
        self.parts = parts;
        self.means += size * total;
        self.variances += size * (parts - size) * (parts * squares - total * total);
        if !self.has_too_many_shapes {
            *self.shapes.entry((part.size, part.shape)).or_default() += 1;
            self.bound();
        }
    }

    fn merge(&mut self, more: &Self) {
        self.deals += more.deals;
        self.found += more.found;
        self.base += more.base;
        self.parts = self.parts.max(more.parts);
        self.means += more.means;
        self.variances += more.variances;
        self.covers = self.covers.wrapping_add(more.covers);
        self.mirrors = self.mirrors.wrapping_add(more.mirrors);
        self.has_too_many_shapes |= more.has_too_many_shapes;
        for (shape, deals) in &more.shapes {
            *self.shapes.entry(shape.clone()).or_default() += deals;
        }
        self.bound();
    }

    /// Forgets the shapes if there are too many: whatever the order of the games, the same sums forget them.
    fn bound(&mut self) {
        self.has_too_many_shapes |= self.shapes.len() > SHAPES_MAX;
        if self.has_too_many_shapes {
            self.shapes.clear();
        }
    }
}

impl HandGroup {
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Seat(_) => "seat",
            Self::Side(_) => "side",
            Self::DealerSide => "dealer",
            Self::Place(_) => "place",
            Self::Named { others, .. } if others.is_empty() => "players",
            Self::Named { .. } => "table",
        }
    }
}

#[cfg(test)]
mod tests;
