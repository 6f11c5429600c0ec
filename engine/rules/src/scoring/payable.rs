//! The scores that one round can pay by a rule set, whatever its cards are: for score sheets of which nobody knows the play.

mod together;

use super::{GRADED, Item, Line, threes, worths};
use crate::card::{Card, Class};
use crate::event::Grade;
use crate::facts;
use crate::rules::{MeldPoints, NoCanastaScore, RuleSet, SideFormation, WildValue};
use crate::seat::Seat;
use crate::table::{Canastas, EndReason};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use together::RoundTogether;

/// Maximum number of canastas per round: six packs of 54 cards, seven cards each.
const CANASTAS_MAX: u16 = 46;

/// The scores of one round, as somebody wrote them down.
pub struct WrittenRound<'a> {
    /// The end of the round, if it is written.
    pub reason: Option<EndReason>,
    /// The dealer, if it is written.
    pub dealer: Option<Seat>,
    /// The lines of each side, or seat where seats score; `None` where they are not written.
    pub units: Vec<Option<&'a [Line]>>,
}

/// A reason why no round pays these scores.
pub struct NotPaid {
    /// The index of the side or seat; `None` for the round as a whole.
    pub unit: Option<usize>,
    /// The reason: what was expected and what was found.
    pub reason: String,
}

/// Whether a round of the rule set may have a line of this kind.
pub fn may_score(set: &RuleSet, item: Item) -> bool {
    match item {
        Item::MeldedCards | Item::HandCards | Item::Adjustments => true,
        Item::FootCards => set.foot_size > 0,
        Item::Threes => !set.three_table.is_empty(),
        Item::NoCanasta => set.no_canasta_score == NoCanastaScore::AllNegative,
        Item::WildCanastas if !set.wild_melds => false,
        Item::SequenceCanastas if !set.sequences => false,
        Item::SpecialHand if set.special_hands.is_empty() => false,
        Item::Restores if !set.pile_restore => false,
        _ => !amounts(set, item).is_empty(),
    }
}

/// Returns why no round of these rules pays these scores: the faults of each side, then those of the round.
pub fn not_paid(set: &RuleSet, round: &WrittenRound<'_>) -> Vec<NotPaid> {
    let mut faults = Vec::new();
    for (at, lines) in round.units.iter().enumerate() {
        let unit = WrittenUnit { set, reason: round.reason, lines: lines.unwrap_or(&[]) };
        faults.extend(unit.faults().into_iter().map(|reason| NotPaid { unit: Some(at), reason }));
    }
    let of_round = RoundTogether { set, round }.faults();
    faults.extend(of_round.into_iter().map(|reason| NotPaid { unit: None, reason }));
    faults
}

/// Returns the points that one thing of this kind may have, the largest first; none for items whose points are not fixed, and
/// for threes, whose points are those of all together.
fn amounts(set: &RuleSet, item: Item) -> Vec<i32> {
    let worths = if item == Item::Threes { Vec::new() } else { worths(set, item) };
    let mut amounts: Vec<i32> = worths.iter().map(|worth| worth.points).collect();
    amounts.sort_unstable_by(|one, other| other.cmp(one));
    amounts.dedup();
    amounts
}

/// Whether `count` of these values, the largest first, each with the number of its copies, add up to `sum`.
pub(crate) fn is_sum(values: &[(i64, u16)], count: u16, sum: i64) -> bool {
    let (Some(&(largest, copies)), Some(&(smallest, _))) = (values.first(), values.last()) else {
        return count == 0 && sum == 0;
    };
    let number = i64::from(count);
    if sum < smallest * number || sum > largest * number {
        return false;
    }
    let rest = &values[1..];
    (0..=copies.min(count)).any(|taken| is_sum(rest, count - taken, sum - largest * i64::from(taken)))
}

/// Whether the points are the sum of `count` amounts.
fn is_sum_of(count: u16, amounts: &[i32], points: i32) -> bool {
    let values: Vec<(i64, u16)> = amounts.iter().map(|&amount| (amount.into(), count)).collect();
    count <= CANASTAS_MAX && is_sum(&values, count, points.into())
}

/// Returns the largest number of which the points of all cards are multiples.
fn unit_of_points(set: &RuleSet) -> i32 {
    let divisor = |mut one: i32, mut other: i32| {
        while other != 0 {
            (one, other) = (other, one % other);
        }
        one.abs()
    };
    Card::all().map(|card| set.card_points.of(card)).fold(0, divisor).max(1)
}

/// The lines of one side or seat.
#[derive(Clone, Copy)]
struct WrittenUnit<'a> {
    set: &'a RuleSet,
    reason: Option<EndReason>,
    lines: &'a [Line],
}

impl WrittenUnit<'_> {
    /// Returns the line of an item, unless it says nothing.
    fn line(&self, item: Item) -> Option<&Line> {
        self.lines
            .iter()
            .find(|line| line.item == item && (line.points != 0 || line.count.is_some_and(|n| n > 0)))
    }

    fn points(&self, item: Item) -> i64 {
        self.line(item).map_or(0, |line| line.points.into())
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            let item = line.item.name();
            if !may_score(self.set, line.item) {
                faults.push(format!("{item}: these rules have no such score"));
            } else if self.lines[..at].iter().any(|before| before.item == line.item) {
                faults.push(format!("{item}: expected each item once"));
            } else {
                faults.extend(self.amount_fault(line).map(|fault| format!("{item}: {fault}")));
            }
        }
        faults.extend(self.lone_line_fault());
        if faults.is_empty() {
            faults.extend(self.melded_fault());
            faults.extend(self.threes_fault());
            faults.extend(self.out_fault());
        }
        faults
    }

    /// Returns why a line by itself cannot have these points.
    fn amount_fault(&self, line: &Line) -> Option<String> {
        let (set, points) = (self.set, line.points);
        let amounts = amounts(set, line.item);
        let step = unit_of_points(set);
        let held = matches!(line.item, Item::HandCards | Item::FootCards | Item::NoCanasta);
        if amounts.is_empty() {
            return match line.item {
                _ if points % step != 0 => Some(format!("expected a multiple of {step}, found {points}")),
                _ if held && points > 0 => Some(format!("cards that are held count minus, found {points}")),
                _ => None,
            };
        }
        let once = matches!(
            line.item,
            Item::GoingOut | Item::Concealed | Item::Cut | Item::FootCut | Item::SpecialHand
        );
        let mut counts = match line.count {
            Some(count) => count..=count,
            None if points == 0 => return None,
            None => 1..=if once { 1 } else { CANASTAS_MAX },
        };
        if counts.any(|count| (count <= 1 || !once) && is_sum_of(count, &amounts, points)) {
            return None;
        }
        let each: Vec<String> = amounts.iter().map(ToString::to_string).collect();
        let each = each.join(" or ");
        Some(match line.count {
            Some(count) => format!("{count} of {each} are not {points}"),
            None if once => format!("expected {each}, found {points}"),
            None => format!("expected a sum of {each}, found {points}"),
        })
    }

    /// Returns which line stands beside one that replaces all others (MA-185, HN-061).
    fn lone_line_fault(&self) -> Option<String> {
        let beside = |allowed: &[Item]| {
            let other = self.lines.iter().find(|line| line.points != 0 && !allowed.contains(&line.item));
            other.map(|line| line.item.name())
        };
        if self.reason == Some(EndReason::Ruled) {
            let other = beside(&[Item::Adjustments])?;
            return Some(format!("{other}: a ruling ended the round, expected adjustments alone"));
        }
        if self.line(Item::SpecialHand).is_some() {
            let other = beside(&[Item::SpecialHand, Item::Adjustments])?;
            return Some(format!("{other}: nothing else counts beside a special hand"));
        }
        let short = self.set.no_canasta_score == NoCanastaScore::AllNegative
            && self.canastas().total < self.set.go_out_total;
        let other = beside(&[Item::NoCanasta, Item::Restores, Item::Adjustments])?;
        (short || self.line(Item::NoCanasta).is_some()).then(|| {
            format!(
                "{other}: a side with fewer than {} canastas has no_canasta in place of all other lines",
                self.set.go_out_total
            )
        })
    }

    /// Returns the smallest and the largest number of canastas of a kind that the side may have.
    fn number(&self, grade: Grade, item: Item) -> (u16, u16) {
        let amounts = amounts(self.set, item);
        match self.line(item) {
            // A canasta without a bonus has no line.
            None if amounts.is_empty() && may_have(self.set, grade) => (0, CANASTAS_MAX),
            None => (0, 0),
            Some(Line { count: Some(count), .. }) => (*count, *count),
            Some(line) => {
                let may_be = |count: &u16| is_sum_of(*count, &amounts, line.points);
                let least = (0..=CANASTAS_MAX).find(may_be).unwrap_or(0);
                (least, (0..=CANASTAS_MAX).rev().find(may_be).unwrap_or(0))
            }
        }
    }

    fn canastas(&self) -> Canastas {
        let [natural, mixed, wild, sequence] =
            GRADED.map(|(grade, item)| self.number(grade, item).1.min(CANASTAS_MAX) as u8);
        let total = natural + mixed + wild + sequence;
        // No sheet says the ranks.
        Canastas { total, clean: natural + sequence, wild, sequence, mixed, ranks: u16::MAX, barring: 0 }
    }

    /// Returns the least points of the cards of the canastas, and the number of these canastas.
    fn least_melded(&self) -> (i64, u16) {
        let set = self.set;
        let least = |class| {
            let cards = Card::all().filter(|card| card.class() == class);
            cards.map(|card| set.card_points.of(card)).min().unwrap_or(0)
        };
        let (natural, wild) = (least(Class::Natural), least(Class::Wild));
        let substitute = if set.wild_value == WildValue::Substituted { natural } else { wild };
        let size = i32::from(set.canasta_size);
        let worth = |grade| match grade {
            Grade::Natural => natural * size,
            Grade::Mixed => natural.min(substitute) * size,
            Grade::Wild => wild * size,
            Grade::Sequence => natural * i32::from(set.sequence_max),
        };
        let numbers = GRADED.map(|(grade, item)| (worth(grade), self.number(grade, item).0));
        let sum = numbers.iter().map(|&(worth, number)| i64::from(worth) * i64::from(number)).sum();
        (sum, numbers.iter().map(|(_, number)| number).sum())
    }

    fn melded_fault(&self) -> Option<String> {
        let melded = self.points(Item::MeldedCards);
        let (least, number) = self.least_melded();
        if melded.abs() < least {
            return Some(format!(
                "melded_cards: {number} canastas have cards of {least} at least, found {melded}"
            ));
        }
        let minus = self.set.meld_points == MeldPoints::MinusWithoutCanasta;
        let none = self.canastas().total == 0;
        let why = match minus {
            _ if melded == 0 => return None,
            false => (melded < 0).then_some("melded cards count plus"),
            true if melded < 0 => (number > 0).then_some("with a canasta melded cards count plus"),
            true => none.then_some("without a canasta melded cards count minus"),
        };
        why.map(|why| format!("melded_cards: {why}, found {melded}"))
    }

    /// Returns the points that threes of this value may count for the side.
    fn signed(&self, value: i32) -> Vec<i32> {
        let (_, least) = self.least_melded();
        let melded = self.line(Item::MeldedCards).is_some() || least > 0;
        let reasons =
            self.reason.map_or([EndReason::WentOut, EndReason::StockExhausted], |reason| [reason; 2]);
        let most = self.canastas().total;
        let canastas = least.min(u16::from(most)) as u8..=most;
        let signed = |reason| {
            canastas.clone().map(move |total| threes::signed(self.set, value, melded, total, reason))
        };
        reasons.into_iter().flat_map(signed).collect()
    }

    /// Returns the numbers of threes that give the line of threes, the fewest first.
    fn numbers_of_threes(&self) -> Vec<u16> {
        let Some(line) = self.line(Item::Threes) else { return [0].into() };
        let set = self.set;
        let of_colour = |class| if set.lies_laid(class) { set.red_three_count() as u8 } else { 0 };
        let (reds, blacks) = (of_colour(Class::RedThree), of_colour(Class::BlackThree));
        let mut found = Vec::new();
        for (red, black) in (0..=reds).flat_map(|red| (0..=blacks).map(move |black| (red, black))) {
            let count = u16::from(red) + u16::from(black);
            let said = line.count.is_none_or(|said| said == count);
            if said
                && self
                    .signed(threes::value_of(set, red, black))
                    .contains(&(line.points - threes::aside(set, black)))
            {
                found.push(count);
            }
        }
        found.sort_unstable();
        found
    }

    fn threes_fault(&self) -> Option<String> {
        let line = self.line(Item::Threes)?;
        let has = u16::from(self.set.red_three_count() as u8);
        let expected = match line.count.filter(|&count| count <= has) {
            Some(count) => self.signed(threes::value_of(self.set, count as u8, 0)).into_iter().next(),
            None => None,
        };
        let expected = expected.map_or_else(|| String::from("another value"), |points| points.to_string());
        let fault = || format!("threes: expected {expected} here, found {}", line.points);
        self.numbers_of_threes().is_empty().then(fault)
    }

    fn out_fault(&self) -> Option<String> {
        let set = self.set;
        if self.line(Item::GoingOut).is_none() {
            let concealed = self.line(Item::Concealed).filter(|_| set.bonus_out != 0);
            return concealed.map(|_| String::from("concealed: expected going_out beside it"));
        }
        let mut canastas = facts::of_canastas(set, self.canastas());
        if let Some(requirement) = canastas.find(|requirement| requirement.missing() > 0) {
            let kind = requirement.kind().unwrap_or("canasta");
            let (needs, has) = (requirement.needs, requirement.has);
            let s = if needs == 1 { "" } else { "s" };
            return Some(format!("going_out: needs {needs} {kind}{s}, found {has}"));
        }
        let alone = set.seats == set.side_count && set.side_formation == SideFormation::Fixed;
        let held = [Item::HandCards, Item::FootCards].into_iter().find(|item| self.line(*item).is_some());
        let held = held.filter(|_| alone)?;
        Some(format!("{}: whoever goes out holds no card", held.name()))
    }
}

fn may_have(set: &RuleSet, grade: Grade) -> bool {
    match grade {
        Grade::Natural | Grade::Mixed => true,
        Grade::Wild => set.wild_melds,
        Grade::Sequence => set.sequences,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks sums of bonuses that differ: American Canasta as its rules have them, 3,000 for seven twos, 2,500 with four
    /// jokers, 2,000 otherwise (AMB-58), counted by hand.
    #[test]
    fn bonuses_add_up() {
        let wild = [3000, 2500, 2000];
        for (count, points, holds) in [
            (1, 2000, true),
            (1, 3000, true),
            (1, 1000, false),
            (2, 5000, true),
            (2, 4500, true),
            (2, 3000, false),
            (3, 7000, true),
            (0, 0, true),
            (0, 500, false),
            (u16::MAX, i32::MIN, false),
        ] {
            assert_eq!(is_sum_of(count, &wild, points), holds, "{count} for {points}");
        }
        assert!(is_sum_of(2, &[500], 1000) && !is_sum_of(2, &[500], 500));
    }
}
