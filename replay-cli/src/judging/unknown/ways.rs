//! The ways to fill in unknown cards, with the number of deals of the pool that each way stands for.

use canasta_engine::action::Action;
use canasta_engine::card::{Card, Cards, Rank};
use canasta_engine::notation::Position;
use canasta_engine::seat::Seat;
use std::ops::ControlFlow;

/// Cards of the pool that the judgement of an action does not tell apart.
struct CardGroup {
    cards: Vec<Card>,
    /// Whether a hand may hold them.
    held: bool,
}

/// All ways to fill in the unknown cards of one hand and of the pile.
pub struct Ways {
    groups: Vec<CardGroup>,
    hand: usize,
    pile: usize,
}

/// One way: the cards of the hand, and those of the pile from the bottom.
#[derive(Clone, Default)]
pub struct CardWay {
    pub hand: Vec<Card>,
    pub pile: Vec<Card>,
}

impl Ways {
    /// Returns the ways for the hand of `seat`. `named` are the cards that the action names: each kind of them is told
    /// apart, the other cards only by rank where suits do not matter.
    pub fn new(position: &Position, seat: Seat, action: &Action, named: &[Card]) -> Self {
        let suits_matter = position.rules().set().sequences || matches!(action, Action::SpecialHand(_));
        let same = |a: Card, b: Card| {
            let alike = a.rank() == b.rank() && (a.rank() != Rank::Three || a.class() == b.class());
            a == b || (alike && !suits_matter && !named.contains(&a) && !named.contains(&b))
        };
        let mut groups: Vec<CardGroup> = Vec::new();
        for card in position.pool().iter() {
            match groups.iter_mut().find(|group| same(group.cards[0], card)) {
                Some(group) => group.cards.push(card),
                None => groups.push(CardGroup { cards: vec![card], held: position.may_be_held(card) }),
            }
        }
        let (hand, pile) = (position.unknown_in_hand(seat), position.unknown_in_pile());
        Self { groups, hand: hand.into(), pile: pile.into() }
    }

    /// Returns the number of deals of the pool to the unknown places: one for each choice of cards for the hand, and for
    /// each order of cards in the pile. `None` if it is too large a number.
    pub fn deals(&self) -> Option<u128> {
        let held: usize = self.groups.iter().filter(|group| group.held).map(|group| group.cards.len()).sum();
        let all: usize = self.groups.iter().map(|group| group.cards.len()).sum();
        let mut deals = choose(held, self.hand)?;
        for place in 0..self.pile {
            deals = deals.checked_mul(all.checked_sub(self.hand + place)? as u128)?;
        }
        Some(deals)
    }

    /// Hands every way to `visit`, with the number of deals that it stands for, until `visit` breaks off.
    pub fn each(&self, visit: &mut dyn FnMut(&CardWay, u128) -> ControlFlow<()>) -> ControlFlow<()> {
        let used = vec![0; self.groups.len()];
        WayWalk { ways: self, way: CardWay::default(), used, visit }.hands(0, self.hand, 1)
    }
}

/// A walk over all ways.
struct WayWalk<'a> {
    ways: &'a Ways,
    way: CardWay,
    /// Number of cards of each group that lie somewhere in the way.
    used: Vec<usize>,
    visit: &'a mut dyn FnMut(&CardWay, u128) -> ControlFlow<()>,
}

impl WayWalk<'_> {
    fn hands(&mut self, at: usize, left: usize, deals: u128) -> ControlFlow<()> {
        if left == 0 {
            return self.piles(deals);
        }
        let Some(group) = self.ways.groups.get(at) else { return ControlFlow::Continue(()) };
        let most = if group.held { group.cards.len().min(left) } else { 0 };
        for count in 0..=most {
            let length = self.way.hand.len();
            self.way.hand.extend(&group.cards[..count]);
            self.used[at] = count;
            let deals = deals.saturating_mul(choose(group.cards.len(), count).unwrap_or(u128::MAX));
            self.hands(at + 1, left - count, deals)?;
            self.way.hand.truncate(length);
        }
        self.used[at] = 0;
        ControlFlow::Continue(())
    }

    fn piles(&mut self, deals: u128) -> ControlFlow<()> {
        if self.way.pile.len() == self.ways.pile {
            return (self.visit)(&self.way, deals);
        }
        for (at, CardGroup { cards, .. }) in self.ways.groups.iter().enumerate() {
            let left = cards.len() - self.used[at];
            if left == 0 {
                continue;
            }
            self.way.pile.push(cards[self.used[at]]);
            self.used[at] += 1;
            self.piles(deals.saturating_mul(left as u128))?;
            self.used[at] -= 1;
            self.way.pile.pop();
        }
        ControlFlow::Continue(())
    }
}

/// Returns the number of choices of `count` things among `all`; `None` if it is too large a number.
pub fn choose(all: usize, count: usize) -> Option<u128> {
    if count > all {
        return Some(0);
    }
    let mut choices: u128 = 1;
    for at in 0..count.min(all - count) {
        choices = choices.checked_mul((all - at) as u128)? / (at as u128 + 1);
    }
    Some(choices)
}

/// Random ways in which the hand holds certain cards.
pub struct Sample {
    /// The other cards that the hand may hold, and all cards that are left.
    pool: Vec<Card>,
    held: Vec<Card>,
    needs: Vec<Card>,
    /// The numbers of further copies of the needed kinds, with their weights summed up.
    copies: Vec<(f64, Vec<Card>)>,
    hand: usize,
    pile: usize,
    random: Random,
    /// The part of all hands that hold the needed cards.
    pub holding: f64,
}

impl Sample {
    /// Returns random ways in which the hand of `seat` holds `needs`.
    pub fn new(position: &Position, seat: Seat, needs: &[Card]) -> Self {
        let (hand, pile) = (position.unknown_in_hand(seat).into(), position.unknown_in_pile().into());
        let needed: Cards = needs.iter().copied().collect();
        let held: Vec<Card> = position.pool().iter().filter(|card| position.may_be_held(*card)).collect();
        let others: Vec<Card> = held.iter().copied().filter(|card| needed.count(*card) == 0).collect();
        // Every number of copies of the needed kinds, with the number of hands that have it.
        let mut copies: Vec<(f64, Vec<Card>)> = vec![(1.0, Vec::new())];
        for (card, least) in needed.kinds() {
            let lying = position.pool().count(card);
            let more = copies.iter().flat_map(|(weight, extra)| {
                (least..=lying).map(move |count| {
                    let extra = extra.iter().copied();
                    let further = std::iter::repeat_n(card, usize::from(count - least));
                    (weight * ways_of(lying.into(), count.into()), extra.chain(further).collect())
                })
            });
            copies = more.collect();
        }
        let all = ways_of(held.len(), hand);
        let mut sum = 0.0;
        for (weight, extra) in &mut copies {
            let left = hand.checked_sub(needs.len() + extra.len());
            sum += *weight * left.map_or(0.0, |left| ways_of(others.len(), left));
            *weight = sum;
        }
        let holding = if all > 0.0 { sum / all } else { 0.0 };
        let pool = position.pool().iter().collect();
        Self { pool, held: others, needs: needs.to_vec(), copies, hand, pile, random: Random(1), holding }
    }

    pub fn draw(&mut self) -> Option<CardWay> {
        let last = self.copies.last().map_or(0.0, |(sum, _)| *sum);
        let at = self.random.part() * last;
        let (_, extra) = self.copies.iter().find(|(sum, _)| *sum > at)?;
        let mut hand: Vec<Card> = self.needs.iter().chain(extra).copied().collect();
        let mut rest = self.held.clone();
        while hand.len() < self.hand && !rest.is_empty() {
            hand.push(rest.swap_remove(self.random.below(rest.len())));
        }
        let mut left = self.pool.clone();
        for card in &hand {
            left.swap_remove(left.iter().position(|other| other == card)?);
        }
        let mut pile = Vec::new();
        while pile.len() < self.pile && !left.is_empty() {
            pile.push(left.swap_remove(self.random.below(left.len())));
        }
        (hand.len() == self.hand && pile.len() == self.pile).then_some(CardWay { hand, pile })
    }
}

/// Returns the number of choices as a floating-point number: only parts of such numbers are used.
fn ways_of(all: usize, count: usize) -> f64 {
    if count > all { 0.0 } else { (0..count).map(|at| (all - at) as f64 / (at + 1) as f64).product() }
}

/// A generator of random numbers that yields the same numbers every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n.max(1)
    }

    /// Returns a number from 0 to below 1.
    fn part(&mut self) -> f64 {
        f64::from(self.next()) / (f64::from(u32::MAX) + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks numbers of choices against those of any table of binomials.
    #[test]
    fn choices_are_binomials() {
        for (all, count, expected) in [(5, 2, 10), (52, 5, 2_598_960), (4, 4, 1), (3, 4, 0), (60, 4, 487_635)]
        {
            assert_eq!(choose(all, count), Some(expected), "{all} {count}");
            assert!((ways_of(all, count) - expected as f64).abs() < 1e-6 * expected as f64 + 1e-9);
        }
        assert_eq!(choose(324, 162), None);
    }
}
