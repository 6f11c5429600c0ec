//! The scores that all sides of a round can be paid together.

use super::super::{GRADED, Item, threes};
use super::{WrittenRound, WrittenUnit};
use crate::card::{Card, Class, Rank};
use crate::rules::{NoCanastaScore, RuleSet, ScoreUnit, ThreeUnit, WildValue};
use crate::table::EndReason;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The lines of all sides or seats of a round.
pub(super) struct RoundTogether<'a> {
    pub set: &'a RuleSet,
    pub round: &'a WrittenRound<'a>,
}

impl RoundTogether<'_> {
    fn units(&self) -> impl Iterator<Item = WrittenUnit<'_>> {
        let (set, reason) = (self.set, self.round.reason);
        self.round.units.iter().map(move |lines| WrittenUnit { set, reason, lines: lines.unwrap_or(&[]) })
    }

    fn number_with(&self, item: Item) -> usize {
        self.units().filter(|unit| unit.line(item).is_some()).count()
    }

    /// Returns what all sides have together. Where seats score, those of a side have the same cards.
    fn together(&self, of: impl Fn(WrittenUnit<'_>) -> i64) -> i64 {
        match self.set.score_unit {
            ScoreUnit::Side => self.units().map(of).sum(),
            ScoreUnit::Seat => self.units().map(of).max().unwrap_or(0),
        }
    }

    pub(super) fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        faults.extend(self.end_fault());
        faults.extend(self.cut_fault());
        faults.extend(self.pack_fault());
        faults
    }

    /// Returns what does not go together with the end of the round.
    fn end_fault(&self) -> Option<String> {
        let set = self.set;
        let (out, special) = (self.number_with(Item::GoingOut), self.number_with(Item::SpecialHand));
        let all_written = self.round.units.iter().all(Option::is_some);
        // Where seats score, both of a pair have the bonus.
        let most = if set.score_unit == ScoreUnit::Seat { usize::from(set.seats) - 1 } else { 1 };
        let reason = self.round.reason;
        let ended = reason.map_or("the round", EndReason::name);
        if out > most || special > most || out > 0 && special > 0 {
            return Some(String::from("one side ends the round, found more with going_out or special_hand"));
        }
        match reason {
            Some(EndReason::WentOut) if out == 0 && all_written && set.bonus_out != 0 => {
                Some(format!("{ended}: expected going_out {} for one side, found none", set.bonus_out))
            }
            Some(EndReason::SpecialHand) if special == 0 && all_written => {
                Some(format!("{ended}: expected special_hand for one side, found none"))
            }
            Some(reason) if out > 0 && reason != EndReason::WentOut => {
                Some(format!("going_out: nobody goes out in a round that ends by {ended}"))
            }
            Some(reason) if special > 0 && reason != EndReason::SpecialHand => {
                Some(format!("special_hand: a round with one ends by it, found {ended}"))
            }
            _ => None,
        }
    }

    /// Returns who has points for a cut without being the dealer's side.
    fn cut_fault(&self) -> Option<String> {
        let cut =
            |unit: &WrittenUnit<'_>| [Item::Cut, Item::FootCut].iter().any(|item| unit.line(*item).is_some());
        let sides: Vec<usize> =
            (0..).zip(self.units()).filter(|(_, unit)| cut(unit)).map(|(at, _)| at).collect();
        let dealer = self.round.dealer.filter(|_| self.set.score_unit == ScoreUnit::Side);
        let others =
            dealer.is_some_and(|dealer| sides.iter().any(|at| *at != self.set.side_of(dealer).index()));
        let several = sides.len() > 1 && self.set.score_unit == ScoreUnit::Side;
        (several || others).then(|| String::from("cut: only the dealer's side has the points for it"))
    }

    /// Returns what the pack does not have.
    fn pack_fault(&self) -> Option<String> {
        let set = self.set;
        let threes =
            |unit: WrittenUnit<'_>| unit.numbers_of_threes().first().map_or(0, |&count| count.into());
        let laid: i64 = match set.three_unit {
            ThreeUnit::Seat => self.units().map(threes).sum(),
            ThreeUnit::Side => self.together(threes),
        };
        let has = i64::from(set.red_three_count()) * set.laid_classes().count() as i64;
        if laid > has {
            return Some(format!("threes: the pack has {has}, found {laid}"));
        }
        let number =
            |at: usize| move |unit: WrittenUnit<'_>| i64::from(unit.number(GRADED[at].0, GRADED[at].1).0);
        let size = i64::from(set.canasta_size);
        let [natural, mixed, wild] = [0, 1, 2].map(|at| self.together(number(at)));
        let most = 11 * (4 * i64::from(set.packs) / size);
        if natural > most {
            return Some(format!("natural_canastas: the pack has cards for {most}, found {natural}"));
        }
        let (wilds, used) = (i64::from(set.wild_count()), wild * size + mixed);
        if used > wilds {
            return Some(format!("the pack has {wilds} wild cards, the canastas found have {used} at least"));
        }
        let cards = [Item::MeldedCards, Item::HandCards, Item::FootCards, Item::NoCanasta];
        let found = self.together(|unit| cards.map(|item| unit.points(item).abs()).iter().sum());
        let worth = pack_worth(set);
        (found > worth).then(|| format!("the cards of the pack are worth {worth} at most, found {found}"))
    }
}

/// Returns the most that the cards of the pack can be worth, melded or held.
fn pack_worth(set: &RuleSet) -> i64 {
    let all_count = set.no_canasta_score == NoCanastaScore::AllNegative;
    let three = if all_count { threes::value(set, 1) } else { 0 };
    let natural =
        Rank::NATURAL.iter().map(|&rank| set.card_points.of(Card::suited(0, rank))).max().unwrap_or(0);
    let worth = |card: Card| match card.rank() {
        Rank::Three if card.class() == Class::RedThree => set.held_three_red.max(three),
        Rank::Three => set.card_points.of(card).max(set.held_three_black).max(three),
        _ if card.is_wild() && set.wild_value == WildValue::Substituted => {
            set.card_points.of(card).max(natural)
        }
        _ => set.card_points.of(card),
    };
    set.deck().iter().map(|card| i64::from(worth(card))).sum()
}
