//! What is counted over the games of one rule set.

use super::chance::Hypergeometric;
use super::spread::Spread;
use canasta_engine::card::{Card, Rank};
use canasta_engine::rules::RuleSet;
use serde::Serialize;
use std::collections::BTreeMap;

/// Sums over games; those of two halves together are those of the whole.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct GameStats {
    pub games: u64,
    /// Per game.
    pub records: Spread,
    pub actions: Spread,
    pub rounds: Spread,
    pub turns: Spread,
    /// Per round.
    pub round_turns: Spread,
    /// Deals that were played, those voided later included.
    pub deals: u64,
    pub voided: u64,
    pub drawn_games: u64,
    /// How far the winner was ahead; drawn games have none.
    pub margins: Spread,
    /// By side, or seat where scores are kept by seat.
    pub units: Vec<UnitStats>,
    /// Score lines by item.
    pub items: BTreeMap<&'static str, LineSum>,
    /// Scored rounds by how they ended.
    pub ends: BTreeMap<&'static str, u64>,
    pub going_out: GoingOut,
    pub pile: Pile,
    pub initial: Initial,
    /// On the table at the end of the round, by grade.
    pub canastas: BTreeMap<&'static str, u64>,
    pub refusals: RefusalCounts,
    /// Actions that broke the rules, and that officials ruled on.
    pub illegal: BTreeMap<&'static str, u64>,
    pub rulings: BTreeMap<String, u64>,
    pub fairness: Vec<Sort>,
}

/// A side or seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct UnitStats {
    pub won: u64,
    pub totals: Spread,
    pub round_scores: Spread,
}

/// How often, and what it came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct LineSum {
    pub lines: u64,
    pub points: i64,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct GoingOut {
    pub rounds: u64,
    pub concealed: u64,
    pub by_seat: Vec<u64>,
    /// By place in the order of play, who begins first.
    pub by_place: Vec<u64>,
    /// In which of one's own turns.
    pub turn: Spread,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Pile {
    /// Cards that the taker got, the top included; while the pile was open to the taker.
    pub open: Spread,
    /// While it was frozen.
    pub frozen: Spread,
    /// What froze it for everyone.
    pub froze: BTreeMap<&'static str, u64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Initial {
    /// By the minimum that held: points of the cards laid.
    pub points: BTreeMap<i32, Spread>,
    /// In which of one's own turns.
    pub turn: Spread,
    /// Sides that never opened, one a round.
    pub unopened: u64,
    /// Points that were missing when an initial meld was refused.
    pub short: Spread,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct RefusalCounts {
    pub count: u64,
    /// By type of action.
    pub kinds: BTreeMap<String, u64>,
    /// A refusal counts once for each of its codes.
    pub codes: BTreeMap<String, u64>,
}

/// Cards of one sort in the hands as dealt.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Sort {
    /// One hand of each deal, by turns: by how many cards of the sort they have.
    pub hands: Vec<u64>,
    /// All hands: cards of the sort by place in the order of dealing.
    pub by_place: Vec<u64>,
}

/// A name, and which cards it means.
type SortOf = (&'static str, fn(Card) -> bool);

/// The sorts of cards whose distribution is watched.
pub const SORTS: [SortOf; 5] = [
    ("wild_cards", Card::is_wild),
    ("jokers", |card| card == Card::JOKER),
    ("red_threes", |card| card.rank() == Rank::Three && matches!(card.suit(), Some(1 | 2))),
    ("black_threes", |card| card.rank() == Rank::Three && matches!(card.suit(), Some(0 | 3))),
    ("aces", |card| card.rank() == Rank::Ace),
];

/// What an honest deal gives of a sort.
pub fn law(set: &RuleSet, is: fn(Card) -> bool) -> Hypergeometric {
    let sort = set.deck().iter().filter(|&card| is(card)).count() as u32;
    Hypergeometric { pack: set.deck_size(), sort, hand: set.hand_size.into() }
}

/// Adds numbers place by place.
fn add_all(sums: &mut Vec<u64>, more: &[u64]) {
    sums.resize(sums.len().max(more.len()), 0);
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

fn add_by<K: Ord + Clone>(sums: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
    more.iter().for_each(|(key, more)| *sums.entry(key.clone()).or_default() += more);
}

impl GameStats {
    /// Adds the games of another, of the same rule set.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.records.merge(&other.records);
        self.actions.merge(&other.actions);
        self.rounds.merge(&other.rounds);
        self.turns.merge(&other.turns);
        self.round_turns.merge(&other.round_turns);
        self.deals += other.deals;
        self.voided += other.voided;
        self.drawn_games += other.drawn_games;
        self.margins.merge(&other.margins);
        self.units.resize(self.units.len().max(other.units.len()), UnitStats::default());
        for (unit, more) in self.units.iter_mut().zip(&other.units) {
            unit.won += more.won;
            unit.totals.merge(&more.totals);
            unit.round_scores.merge(&more.round_scores);
        }
        for (item, more) in &other.items {
            let count = self.items.entry(item).or_default();
            count.lines += more.lines;
            count.points += more.points;
        }
        add_by(&mut self.ends, &other.ends);
        self.going_out.merge(&other.going_out);
        self.pile.open.merge(&other.pile.open);
        self.pile.frozen.merge(&other.pile.frozen);
        add_by(&mut self.pile.froze, &other.pile.froze);
        for (minimum, points) in &other.initial.points {
            self.initial.points.entry(*minimum).or_default().merge(points);
        }
        self.initial.turn.merge(&other.initial.turn);
        self.initial.unopened += other.initial.unopened;
        self.initial.short.merge(&other.initial.short);
        add_by(&mut self.canastas, &other.canastas);
        self.refusals.count += other.refusals.count;
        add_by(&mut self.refusals.kinds, &other.refusals.kinds);
        add_by(&mut self.refusals.codes, &other.refusals.codes);
        add_by(&mut self.illegal, &other.illegal);
        add_by(&mut self.rulings, &other.rulings);
        self.fairness.resize(self.fairness.len().max(other.fairness.len()), Sort::default());
        for (sort, more) in self.fairness.iter_mut().zip(&other.fairness) {
            add_all(&mut sort.hands, &more.hands);
            add_all(&mut sort.by_place, &more.by_place);
        }
    }
}

impl GoingOut {
    fn merge(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.concealed += other.concealed;
        add_all(&mut self.by_seat, &other.by_seat);
        add_all(&mut self.by_place, &other.by_place);
        self.turn.merge(&other.turn);
    }
}

/// Counts one in a list that grows as far as it must.
pub fn count_at(sums: &mut Vec<u64>, place: usize, times: u64) {
    if sums.len() <= place {
        sums.resize(place + 1, 0);
    }
    sums[place] += times;
}
