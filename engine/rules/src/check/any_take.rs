//! The duty to take the pile if any take is legal (ANY_LEGAL; S3-036, AMB-S3-06).
//!
//! If the rule set has only plain sets, and only the size of the hand may spoil a take, a few counts decide.
//! Otherwise a legal take exists if the list of steps has one.

use super::{CheckContext, legal, take};
use crate::action::{ActionKind, CardList, Groups, Onto, TakePile};
use crate::card::{Card, Cards, Rank};
use crate::facts::{content, entitles, is_barred, is_closed, is_set, may_grow, picked_up_count, restricted};
use crate::nodes::Nodes;
use crate::rules::{Exempt, InitialContent, InitialCount, MeldsPerRank, RuleSet, WildTop, WildValue};
use crate::seat::{Seat, Side};
use crate::table::{Meld, Table};
use crate::way_out;
use alloc::vec::Vec;

/// Whether the seat in turn has any legal take. Its minimum and the size of its hand are tested too.
pub(super) fn exists(table: &Table, top: Card, nodes: &Nodes) -> bool {
    let seat = table.turn.seat;
    let side = table.side_of(seat);
    if is_barred(table, side, top) {
        return false;
    }
    if !by_counts(table.set()) {
        return legal::has_take(table, nodes);
    }
    let search = TakeSearch { table, seat, side, top, nodes };
    search.candidates().take_while(|_| nodes.visit()).any(|take| {
        let enough = search.is_legal(&take) || (!table.opened(side) && search.opens(&take));
        enough || way_out::with_take(table, &take, top, nodes).is_some_and(|way| search.goes_out(take, &way))
    })
}

/// Whether the search below covers all ways to meld of the rule set.
fn by_counts(set: &RuleSet) -> bool {
    let counts = set.initial_count != InitialCount::HandMelds
        && set.initial_content == InitialContent::None
        && !set.initial_exempt.contains(Exempt::Splash)
        && !set.initial_bonus
        && set.wild_value == WildValue::Own
        && set.card_points.of_rank(Rank::Two) <= set.card_points.of_rank(Rank::Joker);
    let melds = set.melds_per_rank == MeldsPerRank::One
        && set.rank_wilds.is_empty()
        && set.wild_add_base <= set.min_naturals
        && !(set.wild_lock || set.sequences || set.overfill_out);
    counts && melds && set.wild_top == WildTop::Blocked && set.foot_size == 0 && !restricted(set)
}

struct TakeSearch<'a> {
    table: &'a Table,
    seat: Seat,
    side: Side,
    top: Card,
    nodes: &'a Nodes,
}

impl<'a> TakeSearch<'a> {
    /// Returns every well-formed meld of the top with cards of the hand, as a take that lays nothing else.
    fn candidates(&self) -> impl Iterator<Item = TakePile> {
        let (set, rank) = (self.table.set(), self.top.rank());
        let hand = self.table.hand(self.seat);
        let (twos, jokers) = (hand.rank_count(Rank::Two), hand.rank_count(Rank::Joker));
        let counts = (0..=hand.rank_count(rank))
            .flat_map(move |naturals| (0..=twos).map(move |twos| (naturals, twos)))
            .flat_map(move |(naturals, twos)| (0..=jokers).map(move |jokers| (naturals, twos, jokers)));
        let picks: Vec<_> = counts.collect();
        self.targets().into_iter().flat_map(move |target| {
            let old = target.map_or((0, 0), |meld| content(&meld.cards));
            let fits = |&&(naturals, twos, jokers): &&(u8, u8, u8)| {
                let wilds = twos + jokers;
                entitles(self.table, self.side, target, rank, naturals, wilds)
                    && may_grow(set, old, (naturals + 1, wilds))
            };
            let onto = target.map_or(Onto::New, |meld| Onto::Meld { side: None, id: meld.id });
            let take = |&(naturals, twos, jokers): &(u8, u8, u8)| {
                let picks = [(rank, naturals), (Rank::Two, twos), (Rank::Joker, jokers)];
                TakePile { with: lowest(hand, picks), onto, also: Groups::new() }
            };
            picks.iter().filter(fits).map(take).collect::<Vec<_>>()
        })
    }

    fn targets(&self) -> Vec<Option<&'a Meld>> {
        let rank = self.top.rank();
        let own = self.table.melds_of(self.side).filter(|meld| meld.rank == Some(rank));
        let mut targets: Vec<Option<&Meld>> = own.map(Some).collect();
        let single = self.table.set().melds_per_rank == MeldsPerRank::One;
        if (targets.is_empty() || !single) && !is_closed(self.table, self.side, rank) {
            targets.push(None);
        }
        targets
    }

    fn is_legal(&self, take: &TakePile) -> bool {
        take::check(CheckContext::new(self.table, self.seat, ActionKind::TakePile, self.nodes), take).is_ok()
    }

    fn goes_out(&self, take: TakePile, way: &way_out::WayOut) -> bool {
        self.is_legal(&TakePile { also: way.groups(self.table), ..take })
    }

    /// Whether a side that has not opened reaches its minimum with this meld of the top and other new melds,
    /// while two cards stay in the hand.
    fn opens(&self, take: &TakePile) -> bool {
        let table = self.table;
        let mut hand = *table.hand(self.seat);
        for &card in &take.with {
            hand.remove(card);
        }
        let counts_top = table.set().initial_count == InitialCount::WithTop;
        let top = if counts_top { table.rules.card_points(self.top) } else { 0 };
        let laid = table.rules.points_in_set(self.top.rank(), &take.with) + top;
        let keep = 2u16.saturating_sub(picked_up_count(table));
        best_count(table, self.side, &hand, self.top.rank(), keep as u8, self.nodes)
            .is_some_and(|count| laid + count >= table.minimum(self.seat))
    }
}

/// Returns the lowest cards of each rank, in the numbers that `picks` gives.
fn lowest(hand: &Cards, picks: [(Rank, u8); 3]) -> CardList {
    let mut left = *hand;
    let mut cards = CardList::new();
    for (rank, count) in picks {
        for _ in 0..count {
            let card = left.lowest(rank).expect("a pick is held");
            left.remove(card);
            cards.push(card);
        }
    }
    cards
}

/// The number of cases of kept cards that are told apart: none, one, two or more.
const KEPT: usize = 3;
/// The number of sums that take as long as one node of a search.
const SUMS_PER_NODE: u32 = 64;

/// Returns the most points that new melds of `hand` are worth, none of them of rank `but`, if `keep` cards (at
/// most two) stay in the hand; `None` if they cannot stay. Section 6.1 of the source pages: goes through the
/// ranks and remembers the best sum by wilds used and cards kept.
fn best_count(table: &Table, side: Side, hand: &Cards, but: Rank, keep: u8, nodes: &Nodes) -> Option<i32> {
    let (set, rules) = (table.set(), &table.rules);
    let wilds = hand.wilds();
    let mut best: Vec<[Option<i32>; KEPT]> = alloc::vec![[None; KEPT]; usize::from(wilds) + 1];
    best[0][usize::from(hand.black_threes().min(2))] = Some(0);
    for rank in Rank::NATURAL {
        let held = hand.rank_count(rank);
        nodes.add((u32::from(held) + 1) * (best.len() * best.len() * KEPT) as u32 / SUMS_PER_NODE);
        let closed = rank == but || is_closed(table, side, rank);
        let mut next: Vec<[Option<i32>; KEPT]> = alloc::vec![[None; KEPT]; best.len()];
        for (naturals, added) in (0..=held).flat_map(|n| (0..=wilds).map(move |w| (n, w))) {
            let laid = !closed && is_set(set, naturals, added);
            if !laid && (naturals, added) != (0, 0) {
                continue;
            }
            let points = i32::from(naturals) * rules.rank_points(rank);
            for (used, row) in best.iter().take(best.len() - usize::from(added)).enumerate() {
                for (kept, &count) in row.iter().enumerate() {
                    let Some(count) = count else { continue };
                    let kept = (kept + usize::from(held - naturals)).min(KEPT - 1);
                    let cell = &mut next[used + usize::from(added)][kept];
                    *cell = (*cell).max(Some(count + points));
                }
            }
        }
        best = next;
    }
    let own = |count: u8| -> i32 {
        let jokers = hand.rank_count(Rank::Joker).min(count);
        i32::from(jokers) * rules.rank_points(Rank::Joker)
            + i32::from(count - jokers) * rules.rank_points(Rank::Two)
    };
    let mut most = None;
    for (used, row) in (0u8..).zip(&best) {
        for in_wild_meld in 0..=wilds - used {
            let size_fits = set.wild_meld_max == 0 || in_wild_meld <= set.wild_meld_max;
            if in_wild_meld > 0 && !(set.wild_melds && in_wild_meld >= set.meld_min && size_fits) {
                continue;
            }
            let points = own(used + in_wild_meld);
            let stays = usize::from(wilds - used - in_wild_meld);
            let enough = (0..KEPT).filter(|kept| kept + stays >= usize::from(keep));
            let counts = enough.filter_map(|kept| row[kept]).map(|count| count + points);
            most = most.max(counts.max());
        }
    }
    most
}
