//! The counts over the games of one rule set.

use super::balance::HandBalance;
use super::spread::Spread;
use canasta_tournament::owed::OwedByPlayer;
use serde::Serialize;
use std::collections::BTreeMap;

/// Sums over games. The sums of two sets of games can be merged.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct GameStats {
    pub games: u64,
    /// Values per game.
    pub records: Spread,
    pub actions: Spread,
    pub rounds: Spread,
    pub turns: Spread,
    /// Values per round.
    pub round_turns: Spread,
    /// Number of deals played, including those voided later.
    pub deals: u64,
    pub voided: u64,
    /// The values that players owed to deals.
    #[serde(skip)]
    pub owed: OwedByPlayer,
    pub drawn_games: u64,
    /// Margins of the winners; drawn games have none.
    pub margins: Spread,
    /// Values by side, or by seat if scores are kept by seat.
    pub units: Vec<UnitStats>,
    pub items: BTreeMap<&'static str, LineSum>,
    /// Number of scored rounds by the way they ended.
    pub ends: BTreeMap<&'static str, u64>,
    pub going_out: GoingOut,
    pub pile: Pile,
    pub initial: Initial,
    /// Number of canastas on the table at the end of the round, by grade.
    pub canastas: BTreeMap<&'static str, u64>,
    pub refusals: RefusalCounts,
    /// Number of actions that broke the rules, and of those that officials ruled on.
    pub illegal: BTreeMap<&'static str, u64>,
    pub rulings: BTreeMap<String, u64>,
    pub fairness: Vec<Sort>,
    /// The hands by seat, side, place and player.
    #[serde(skip)]
    pub balance: HandBalance,
}

/// Values of a side or seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct UnitStats {
    pub won: u64,
    pub totals: Spread,
    pub round_scores: Spread,
}

/// Number of score lines, and the sum of their points.
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
    /// Number of rounds by place in the order of play, from the first seat to play.
    pub by_place: Vec<u64>,
    /// Number of the turn of the seat that went out.
    pub turn: Spread,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Pile {
    /// Number of cards that the taker got, including the top, while the pile was open to the taker.
    pub open: Spread,
    /// Number of cards that the taker got while the pile was frozen.
    pub frozen: Spread,
    /// Number of times that each cause froze the pile for everyone.
    pub froze: BTreeMap<&'static str, u64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Initial {
    /// Points of the cards laid, by the minimum that held.
    pub points: BTreeMap<i32, Spread>,
    /// Number of the turn of the seat that opened.
    pub turn: Spread,
    /// Number of sides that never opened, summed over rounds.
    pub unopened: u64,
    /// Points that were missing when an initial meld was refused.
    pub short: Spread,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct RefusalCounts {
    pub count: u64,
    /// Number of refusals by type of action.
    pub kinds: BTreeMap<String, u64>,
    /// Number of refusals by code; a refusal counts once for each of its codes.
    pub codes: BTreeMap<String, u64>,
}

/// The cards of one sort in the hands as dealt.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Sort {
    /// Number of hands by number of cards of the sort; one hand per deal, of each seat in turn.
    pub hands: Vec<u64>,
    /// Number of cards of the sort by place in the order of dealing, over all hands.
    pub by_place: Vec<u64>,
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
    /// Adds the sums of other games of the same rule set.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.records.merge(&other.records);
        self.actions.merge(&other.actions);
        self.rounds.merge(&other.rounds);
        self.turns.merge(&other.turns);
        self.round_turns.merge(&other.round_turns);
        self.deals += other.deals;
        self.voided += other.voided;
        self.owed.merge(&other.owed);
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
        self.going_out.rounds += other.going_out.rounds;
        self.going_out.concealed += other.going_out.concealed;
        add_all(&mut self.going_out.by_seat, &other.going_out.by_seat);
        add_all(&mut self.going_out.by_place, &other.going_out.by_place);
        self.going_out.turn.merge(&other.going_out.turn);
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
        self.balance.merge(&other.balance);
        self.fairness.resize(self.fairness.len().max(other.fairness.len()), Sort::default());
        for (sort, more) in self.fairness.iter_mut().zip(&other.fairness) {
            add_all(&mut sort.hands, &more.hands);
            add_all(&mut sort.by_place, &more.by_place);
        }
    }
}

/// Counts `times` in a list, which grows as far as necessary.
pub fn count_at(sums: &mut Vec<u64>, place: usize, times: u64) {
    if sums.len() <= place {
        sums.resize(place + 1, 0);
    }
    sums[place] += times;
}
