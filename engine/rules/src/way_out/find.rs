//! The questions about ways to go out, and the search for each final discard.

use super::search::{FoundWay, Search};
use super::{MeldSlot, Reach, WayOut};
use crate::action::{MeldKind, TakePile};
use crate::card::{Card, Cards};
use crate::nodes::Nodes;
use crate::rules::{BlackThreeMeld, Exempt, WildValue};
use crate::table::Table;
use alloc::vec::Vec;

/// The answer to the question whether there is a way to go out now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WayOutAnswer {
    Exists,
    Missing,
    /// The nodes of the question were used up first.
    Undecided,
}

/// The end of a way to go out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finish {
    /// The final discard.
    pub discard: Option<Card>,
    /// Whether black threes are laid.
    pub lays_threes: bool,
    /// The target of the black threes; `None`: a new meld.
    pub black: Option<u8>,
}

/// Searches for a way to go out now.
pub(crate) fn search(reach: &Reach<'_>, nodes: &Nodes) -> WayOutAnswer {
    nodes.decide(|nodes| {
        let mut exists = false;
        finishes(reach, nodes, |_, _| {
            exists = true;
            exists
        });
        match exists {
            true => WayOutAnswer::Exists,
            false if nodes.are_used_up() => WayOutAnswer::Undecided,
            false => WayOutAnswer::Missing,
        }
    })
}

/// Whether the search finds a way to go out now before its nodes are used up.
pub(crate) fn exists(reach: &Reach<'_>, nodes: &Nodes) -> bool {
    search(reach, nodes) == WayOutAnswer::Exists
}

/// Whether there is certainly no way to go out now.
pub(crate) fn is_ruled_out(reach: &Reach<'_>) -> bool {
    search(reach, &Nodes::default()) == WayOutAnswer::Missing
}

/// Returns one way to go out for each final discard that allows one, as far as the nodes of the question suffice.
pub(crate) fn ways(reach: &Reach<'_>, nodes: &Nodes) -> Vec<FoundWay> {
    let mut ways = Vec::new();
    finishes(reach, nodes, |search, finish| {
        ways.push(search.found(finish));
        false
    });
    ways
}

/// Searches for a way to go out for each final discard that allows one, until one of them `is_enough` with the search that
/// found it.
fn finishes(reach: &Reach<'_>, nodes: &Nodes, mut is_enough: impl FnMut(&Search<'_>, Finish) -> bool) {
    if reach.hopeless() {
        return;
    }
    let mut search = Search::new(reach, nodes);
    for discard in reach.discards() {
        if nodes.are_used_up() {
            return;
        }
        if let Some(finish) = find(reach, &mut search, discard)
            && is_enough(&search, finish)
        {
            return;
        }
    }
}

/// Returns the groups with which a take goes out, or leaves the last card, if the nodes suffice to find them.
pub(crate) fn with_take(table: &Table, take: &TakePile, top: Card, nodes: &Nodes) -> Option<WayOut> {
    let reach = Reach::after_take(table, take, top)?;
    let mut way = None;
    finishes(&reach, nodes, |search, finish| {
        way = Some(search.found(finish));
        true
    });
    way.filter(|way| way.group_count() > 0).map(|way| way.named(&reach.hand))
}

fn find(reach: &Reach<'_>, search: &mut Search<'_>, discard: Option<Card>) -> Option<Finish> {
    let mut hand = reach.hand;
    if let Some(card) = discard {
        hand.remove(card);
    }
    if reach.required > 0 {
        let counts_alike = reach.set.wild_value == WildValue::Own && !reach.set.initial_bonus;
        let laid = || hand.iter().map(|card| reach.rules.card_points(card)).sum::<i32>();
        search.points_due = match counts_alike {
            // Every way lays the same cards, which are always worth the same.
            true if laid() >= reach.required => 0,
            true => i32::MAX,
            false => reach.required,
        };
        if search.points_due == i32::MAX && !reach.set.initial_exempt.contains(Exempt::Splash) {
            return None;
        }
    }
    if hand.red_threes() > 0 || reach.set.sequences && reach.cannot_lay(&hand, 0) {
        return None;
    }
    if reach.is_closed_by_threes() && hand.len() > u16::from(hand.black_threes()) {
        return None;
    }
    let black = black_threes(reach, &hand)?;
    let lays_threes = hand.black_threes() > 0;
    search.begin(&hand, discard).then_some(Finish { discard, lays_threes, black })
}

/// Returns the target for the black threes in the hand (`Some(None)`: a new meld); `None` if they cannot be laid.
fn black_threes(reach: &Reach<'_>, hand: &Cards) -> Option<Option<u8>> {
    let held = hand.black_threes();
    let spot = reach.melds.iter().find(|s| s.kind == MeldKind::BlackThrees);
    let size = held + spot.map_or(0, MeldSlot::size);
    let fits = (reach.set.meld_min..=2 * reach.set.packs).contains(&size);
    let allowed = reach.set.black_three_meld != BlackThreeMeld::Never && fits;
    let stays = held == 0 && spot.is_none_or(|s| !s.is_loose());
    (stays || allowed).then(|| spot.and_then(|s| s.at))
}
