//! The questions about ways to go out, and the search for each final discard.

use super::search::{FoundWay, Search};
use super::{MeldSlot, Reach, WayOut};
use crate::action::{MeldKind, TakePile};
use crate::card::{Card, Cards};
use crate::nodes::Nodes;
use crate::rules::{BlackThreeMeld, Exempt, WildValue};
use crate::table::Table;

/// The answer to the question whether there is a way to go out now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WayOutAnswer {
    Exists,
    Missing,
    /// The nodes of the question were used up first.
    Undecided,
}

/// The cards that a way to go out lays, and where the black threes go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finish {
    /// The cards to be laid.
    pub hand: Cards,
    /// The target of the black threes.
    pub black: Option<u8>,
}

/// Searches for a way to go out now.
pub(crate) fn search(reach: &Reach<'_>, nodes: &Nodes) -> WayOutAnswer {
    nodes.decide(|nodes| match finishes(reach, nodes, |_, _| ()).next() {
        Some(()) => WayOutAnswer::Exists,
        None if nodes.are_used_up() => WayOutAnswer::Undecided,
        None => WayOutAnswer::Missing,
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
pub(crate) fn ways<'a>(reach: &'a Reach<'_>, nodes: &'a Nodes) -> impl Iterator<Item = FoundWay> + 'a {
    finishes(reach, nodes, |search, finish| search.found(finish))
}

/// Returns what `then` makes of a way to go out for each final discard that allows one, and of the search that found it.
fn finishes<'a, T: 'a>(
    reach: &'a Reach<'_>,
    nodes: &'a Nodes,
    then: impl Fn(&Search<'_>, Finish) -> T + Copy + 'a,
) -> impl Iterator<Item = T> + 'a {
    let search = (!reach.hopeless()).then(|| Search::new(reach, nodes));
    search.into_iter().flat_map(move |mut search| {
        let discards = reach.discards().into_iter().take_while(|_| !nodes.are_used_up());
        discards
            .filter_map(move |discard| find(reach, &mut search, discard).map(|finish| then(&search, finish)))
    })
}

/// Returns the groups with which a take goes out, or leaves the last card, if the nodes suffice to find them.
pub(crate) fn with_take(table: &Table, take: &TakePile, top: Card, nodes: &Nodes) -> Option<WayOut> {
    let reach = Reach::after_take(table, take, top)?;
    ways(&reach, nodes).next().filter(|way| way.group_count() > 0).map(|way| way.named())
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
    search.begin(&hand, discard).then_some(Finish { hand, black })
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
