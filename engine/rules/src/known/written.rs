//! Scores that somebody wrote down, beside a table of which some cards stand for unknown ones.

use super::Known;
use crate::card::{Card, Cards, Class, Rank};
use crate::rules::ScoreUnit;
use crate::scoring::{self, Item, Line, cost, is_sum, score, threes};
use crate::seat::{Seat, Side, Unit};
use crate::table::{EndReason, RoundOver, Table};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

/// Returns the lines of `unit` for the round that has ended, as its known cards give them. A line that hangs on cards
/// which nobody has shown is taken from `found`, if some hand gives it.
///
/// # Errors
/// The first item of `found` that no hand gives.
///
/// # Panics
/// If the round is not over.
pub fn as_written(table: &Table, known: &Known, unit: Unit, found: &[Line]) -> Result<Vec<Line>, Item> {
    let score = score(table);
    let unseen = Unseen::of(table, known, unit, score.over);
    let due = &score.accounts[unit.index()].lines;
    let line_of = |lines: &[Line], item| lines.iter().find(|line| line.item == item).copied();
    let mut written = Vec::new();
    for item in Item::ALL {
        let line = match unseen.decides(item) {
            false => line_of(due, item),
            true => {
                let said = line_of(found, item).unwrap_or(Line { item, count: None, points: 0 });
                Some(unseen.read(said).ok_or(item)?)
            }
        };
        written.extend(line.filter(|line| line.points != 0));
    }
    Ok(written)
}

/// The cards that count for one unit and that nobody has shown.
struct Unseen<'a> {
    table: &'a Table,
    known: &'a Known,
    over: RoundOver,
    side: Side,
    seat: Option<Seat>,
    /// The cards of the pack that nobody has shown, wherever they are.
    pool: Cards,
    /// Number of cards of hands.
    held: u16,
    /// Number of cards of feet.
    waiting: u16,
}

impl<'a> Unseen<'a> {
    fn of(table: &'a Table, known: &'a Known, unit: Unit, over: RoundOver) -> Self {
        let seat = (table.set().score_unit == ScoreUnit::Seat).then_some(Seat(unit.0));
        let side = seat.map_or(Side(unit.0), |seat| table.side_of(seat));
        let held = table.seats_of(side).map(|seat| known.open(seat).len()).sum();
        let waiting = table.seats_of(side).map(|seat| table.waiting(seat).len()).sum();
        Self { table, known, over, side, seat, pool: known.unseen_pack(table), held, waiting }
    }

    /// Whether a line hangs on these cards.
    fn decides(&self, item: Item) -> bool {
        let (table, set) = (self.table, self.table.set());
        let is_special = self.over.reason == EndReason::SpecialHand
            && self.over.seat.is_some_and(|seat| table.side_of(seat) == self.side);
        let kind = match item {
            _ if self.over.reason == EndReason::Ruled || self.held + self.waiting == 0 => return false,
            Item::SpecialHand => return is_special && self.held > 0,
            _ if is_special => return false,
            Item::NoCanasta => return scoring::counts_against(table, self.side),
            kind => kind,
        };
        let plain = !scoring::counts_against(table, self.side);
        plain
            && match kind {
                Item::HandCards => self.held > 0,
                Item::FootCards => self.waiting > 0,
                Item::HeldTrios => self.held > 0 && !set.penalty_held_trio.is_empty(),
                Item::Threes => self.held > 0 && threes::counts_held(table, self.side),
                _ => false,
            }
    }

    /// Returns the line with its count; `None` if these cards cannot give it.
    fn read(&self, said: Line) -> Option<Line> {
        let lacks_count = said.count.is_none();
        match said.item {
            Item::HandCards => {
                (lacks_count && self.gives(self.shown(), self.held, said.points, false)).then_some(said)
            }
            Item::FootCards => {
                (lacks_count && self.gives(0, self.waiting, said.points, true)).then_some(said)
            }
            Item::NoCanasta => {
                let melded: i32 =
                    self.table.melds_of(self.side).map(|meld| scoring::melded_points(self.table, meld)).sum();
                let laid = threes::laid_as_cards(self.table, self.side);
                let rest = melded + laid + self.shown();
                (lacks_count && self.gives(rest, self.held + self.waiting, said.points, self.waiting > 0))
                    .then_some(said)
            }
            Item::SpecialHand => {
                let possible = scoring::special_scores(self.table.set(), self.table.round.special?);
                (lacks_count && possible.contains(&said.points)).then_some(said)
            }
            Item::HeldTrios => self.trio_lines().into_iter().find(|line| is_as_said(line, &said)),
            _ => self.three_lines().into_iter().find(|line| is_as_said(line, &said)),
        }
    }

    /// Returns the cards of a hand that are known.
    fn shown_of(&self, seat: Seat) -> Cards {
        let mut shown = *self.table.hand(seat);
        shown.subtract(self.known.open(seat));
        shown
    }

    /// Returns the cost of the cards of hands that are known.
    fn shown(&self) -> i32 {
        let cost_of = |seat| {
            let shown = self.shown_of(seat);
            shown.iter().map(|card| self.cost(seat, card)).sum::<i32>()
        };
        self.table.seats_of(self.side).map(cost_of).sum()
    }

    /// Returns the cost of a card that is held. Where all cards count against a side, a three that counts as laid does too.
    fn cost(&self, seat: Seat, card: Card) -> i32 {
        let as_laid = self.table.set().lays(card.class()) && threes::counts_held(self.table, self.side);
        match as_laid && scoring::counts_against(self.table, self.side) {
            true => threes::value(self.table.set(), 1),
            false => cost(self.table, seat, &core::iter::once(card).collect()),
        }
    }

    /// Whether cards of `shown` points and `count` cards that nobody has shown score these `points`.
    fn gives(&self, shown: i32, count: u16, points: i32, of_feet: bool) -> bool {
        let Some(seat) = self.table.seats_of(self.side).next() else { return false };
        let set = self.table.set();
        let may_stay = |card: Card| of_feet || set.may_hold(card.class());
        let mut costs = BTreeMap::<i64, u16>::new();
        for (card, copies) in self.pool.kinds().filter(|&(card, _)| may_stay(card)) {
            *costs.entry(self.cost(seat, card).into()).or_default() += u16::from(copies);
        }
        let costs: Vec<(i64, u16)> = costs.into_iter().rev().collect();
        is_sum(&costs, count, -i64::from(points) - i64::from(shown))
    }

    /// Returns all lines that threes in hands may give, the fewest first.
    fn three_lines(&self) -> Vec<Line> {
        let set = self.table.set();
        let of = |class| self.pool.iter().filter(move |card| card.class() == class && set.lays(class));
        let (reds, blacks): (Vec<Card>, Vec<Card>) =
            (of(Class::RedThree).collect(), of(Class::BlackThree).collect());
        let owner = self.seat.or_else(|| self.table.seats_of(self.side).next());
        let mut shown = self.table.clone();
        self.table.seats_of(self.side).for_each(|seat| shown.hands[seat.index()] = self.shown_of(seat));
        let mut lines = Vec::new();
        for (red, black) in (0..=reds.len()).flat_map(|red| (0..=blacks.len()).map(move |black| (red, black)))
        {
            if red + black > usize::from(self.held) {
                continue;
            }
            let mut table = shown.clone();
            for card in reds.iter().take(red).chain(blacks.iter().take(black)) {
                owner.into_iter().for_each(|seat| table.hands[seat.index()].insert(*card));
            }
            lines.push(scoring::three_line(&table, self.side, self.seat, self.over));
        }
        lines
    }

    /// Returns all lines that three or more cards of a rank in one hand may give.
    fn trio_lines(&self) -> Vec<Line> {
        let mut lines = alloc::vec![Line { item: Item::HeldTrios, count: Some(0), points: 0 }];
        let penalties = &self.table.set().penalty_held_trio;
        for seat in self.table.seats_of(self.side) {
            let shown = self.shown_of(seat);
            for (rank, penalty) in
                Rank::NATURAL.into_iter().filter_map(|rank| Some((rank, penalties.get(rank)?)))
            {
                let has = shown.rank_count(rank);
                let more = u16::from(self.pool.rank_count(rank)).min(self.known.open(seat).len());
                if u16::from(has) + more < 3 {
                    continue;
                }
                let with = |line: &Line| Line {
                    count: line.count.map(|count| count + 1),
                    points: line.points - penalty,
                    ..*line
                };
                let counted: Vec<Line> = lines.iter().map(with).collect();
                match has >= 3 {
                    true => lines = counted,
                    false => lines.extend(counted),
                }
                lines.sort_unstable_by_key(|line| (line.count, line.points));
                lines.dedup();
            }
        }
        lines
    }
}

/// Whether a line is the one that was said, perhaps without its count.
fn is_as_said(line: &Line, said: &Line) -> bool {
    line.points == said.points && said.count.is_none_or(|_| line.count == said.count)
}
