//! The points of what the lines of a score count, by the rule set: printed sheets show them, and written sheets are checked
//! with them.

use super::{Item, bonus_of};
use crate::card::Rank;
use crate::event::Grade;
use crate::rules::{RankMap, RuleSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The points of one canasta, three or other thing that a score line counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ItemWorth {
    /// The things that have these points; empty for all that have no other. Of canastas and melds the letters of their ranks
    /// (`A7`, `2` for twos alone, `XXXX` for four jokers, `W` for wild cards); of threes their number, with `3b` of black threes
    /// that were set aside.
    pub of: String,
    /// Signed points.
    pub points: i32,
}

/// Returns the points (CL-100, CL-101, CL-103) of the things that a line counts; none for items whose points are not fixed, and
/// for what has no points.
pub fn worths(set: &RuleSet, item: Item) -> Vec<ItemWorth> {
    let all = |points: i32| ItemWorth { of: String::new(), points };
    let mut worths: Vec<ItemWorth> = match item {
        Item::NaturalCanastas => of_ranks(set, Grade::Natural),
        Item::MixedCanastas => of_ranks(set, Grade::Mixed),
        Item::WildCanastas => {
            let [twos, wild, four] = [0, 1, 4].map(|jokers| bonus_of(set, None, Grade::Wild, jokers));
            let others = [("2", twos), ("XXXX", four)].into_iter().filter(|(_, points)| *points != wild);
            let others = others.map(|(of, points)| ItemWorth { of: of.to_string(), points });
            core::iter::once(all(wild)).chain(others).collect()
        }
        Item::SequenceCanastas => [all(bonus_of(set, None, Grade::Sequence, 0))].into(),
        Item::IncompleteMelds => taken(&set.penalty_incomplete),
        Item::HeldTrios => taken(&set.penalty_held_trio),
        Item::Threes => {
            let values = (1..).zip(&set.three_table);
            let values = values.map(|(count, &points)| ItemWorth { of: format!("{count}"), points });
            let aside = (1..).zip(&set.black_three_table);
            values
                .chain(aside.map(|(count, &points)| ItemWorth { of: format!("3b {count}"), points }))
                .collect()
        }
        Item::GoingOut => [all(set.bonus_out)].into(),
        Item::Concealed => [all(set.bonus_concealed)].into(),
        Item::Cut => [all(set.cut_bonus)].into(),
        Item::FootCut => [all(set.foot_cut_bonus)].into(),
        Item::Restores => [all(-set.restore_penalty)].into(),
        Item::SpecialHand => set.special_scores.in_order().map(all).into(),
        _ => Vec::new(),
    };
    worths.retain(|worth| worth.points != 0);
    worths
}

/// Returns the bonuses of canastas of naturals by their ranks: first the bonus of most ranks, without them.
fn of_ranks(set: &RuleSet, grade: Grade) -> Vec<ItemWorth> {
    let mut worths: Vec<ItemWorth> = Vec::new();
    for rank in Rank::NATURAL {
        let points = bonus_of(set, Some(rank), grade, 0);
        match worths.iter_mut().find(|worth| worth.points == points) {
            Some(worth) => worth.of.push(rank.letter()),
            None => worths.push(ItemWorth { of: rank.letter().into(), points }),
        }
    }
    worths.sort_by_key(|worth| core::cmp::Reverse(worth.of.len()));
    worths.iter_mut().take(1).for_each(|most| most.of.clear());
    worths
}

/// Returns penalties by rank, and that of wild cards.
fn taken(penalties: &RankMap<i32>) -> Vec<ItemWorth> {
    let of_rank = |(rank, points): (Rank, i32)| ItemWorth { of: rank.letter().into(), points: -points };
    let wild = penalties.wild().map(|points| ItemWorth { of: String::from("W"), points: -points });
    penalties.iter().map(of_rank).chain(wild).collect()
}
