//! A short way to the verdict on the most frequent actions that nothing stands against: draws, discards, and melds and
//! takes of one set.

use super::{Placement, Placements, Plan, Verdict, deal, draw, judge_play, ruling};
use crate::action::{Action, As, CardList, Group, MeldKind, Onto, TakePile};
use crate::card::{Card, Cards};
use crate::facts::{
    content, entitles, is_barred, may_grow, must_go_out, open_kinds, picked_up_count, rank_takes_wilds,
    restricted,
};
use crate::nodes::Nodes;
use crate::rules::{MeldsPerRank, OppCanastaRank};
use crate::table::{Meld, Phase, Table};

/// Judges an action, in the short way if that decides, else by all checks.
pub(super) fn judge(
    table: &Table,
    resumed: Option<&Table>,
    actor: As,
    action: &Action,
    nodes: &Nodes,
) -> Verdict {
    let Some(plan) = plain(table, actor, action) else {
        return judge_all(table, resumed, actor, action, nodes);
    };
    debug_assert_eq!(judge_all(table, resumed, actor, action, nodes), Ok(plan.clone()), "{action:?}");
    Ok(plan)
}

/// Judges an action by all checks, which take much of the stack: frequent actions need none of it.
#[inline(never)]
fn judge_all(table: &Table, resumed: Option<&Table>, actor: As, action: &Action, nodes: &Nodes) -> Verdict {
    if let Some(verdict) = ruling::judge(table, actor, action, resumed) {
        return verdict;
    }
    match action {
        Action::DrawCards(picks) => draw::judge(table, actor, picks, None),
        Action::Deal(deal) => deal::judge(table, actor, deal),
        _ => judge_play(table, actor, action, nodes, None),
    }
}

/// Returns the plan of a draw, a discard, a meld or a take by the seat in turn that is legal for the plainest reasons. If
/// it is not, it may be legal for others.
fn plain(table: &Table, actor: As, action: &Action) -> Option<Plan> {
    let is_plain = actor == As::Seat(table.turn.seat)
        && table.rulings.is_none()
        && table.pending().is_none()
        && table.turn.loose.is_empty()
        && !table.set().lays_threes_by_choice();
    if !is_plain {
        return None;
    }
    match (action, table.phase) {
        (Action::DrawStock, Phase::Start) => (!table.stock.is_empty()).then_some(Plan::Draw),
        (Action::TakePile(take), Phase::Start) => plain_take(table, take),
        (Action::Discard(card), Phase::Play) => {
            let hand = table.hand(table.turn.seat);
            let is_free = hand.len() > 1 && !table.turn.no_discard && !table.pile.is_empty();
            let goes = is_free && open_kinds(table) & hand.held() & 1 << card.kind() != 0;
            (goes && !must_go_out(table)).then_some(Plan::Discard(*card))
        }
        (Action::Meld(groups), Phase::Play) if !must_go_out(table) => plain_meld(table, groups),
        _ => None,
    }
}

/// Returns the plan of a meld with one group for a set that leaves two cards.
fn plain_meld(table: &Table, groups: &[Group]) -> Option<Plan> {
    let [Group { kind: MeldKind::Set, onto, top: false, cards }] = groups else { return None };
    let stays = table.hand(table.turn.seat).len().checked_sub(cards.len() as u16)?;
    let placement = plain_set(table, *onto, cards, None).filter(|_| stays >= 2 && !cards.is_empty())?;
    Some(Plan::Meld(Placements::from_buf([placement])))
}

/// Returns the plan of a take by one group that leaves two cards.
fn plain_take(table: &Table, TakePile { with, onto, also }: &TakePile) -> Option<Plan> {
    let (set, seat, &top) = (table.set(), table.turn.seat, table.pile.last()?);
    let side = table.side_of(seat);
    let stays = (table.hand(seat).len() + picked_up_count(table)).checked_sub(with.len() as u16)?;
    // An empty stock may bring a duty to take in another way.
    let is_plain = stays >= 2 && also.is_empty() && !table.stock.is_empty() && !is_barred(table, side, top);
    if !is_plain || set.take_result_max > 0 {
        return None;
    }
    let placement = plain_set(table, *onto, with, Some(top))?;
    let wilds = with.iter().filter(|card| card.is_wild()).count() as u8;
    let (naturals, meld) =
        (with.len() as u8 - wilds, placement.target.map(|at| &table.melds[usize::from(at)]));
    // With less than a pair, the top may go to a sequence instead.
    let goes_to_set = !set.sequences || naturals >= 2;
    let entitles = goes_to_set && entitles(table, side, meld, top.rank(), naturals, wilds);
    entitles.then(|| Plan::Take(Placements::from_buf([placement])))
}

/// Returns the place of cards of the hand, and of the top of a take, in an own set or a new one, if nothing but these cards
/// decides whether they may lie there.
#[inline(never)]
fn plain_set(table: &Table, onto: Onto, cards: &CardList, top: Option<Card>) -> Option<Placement> {
    let (set, seat) = (table.set(), table.turn.seat);
    let (hand, side) = (table.hand(seat), table.side_of(seat));
    let is_plain = table.opened(side)
        && !(set.undo_meld || set.wild_lock || restricted(set))
        && set.opp_canasta_rank == OppCanastaRank::Allow
        && set.melds_per_rank != MeldsPerRank::OneOpen
        // Nothing follows black threes that lie there (HN-033).
        && !table.melds_of(side).any(|meld| meld.kind == MeldKind::BlackThrees);
    let named: Cards = cards.iter().copied().collect();
    if !is_plain || !hand.contains(&named) {
        return None;
    }
    let own = |meld: &&Meld| meld.side == side && meld.kind == MeldKind::Set;
    let target = match onto {
        Onto::Meld { side: None, id } => Some(table.melds.iter().position(|m| own(&m) && m.id == id)?),
        Onto::New => None,
        _ => return None,
    };
    let (rank, old) = match target.map(|at| &table.melds[at]) {
        Some(meld) => (meld.rank?, content(&meld.cards)),
        None => (cards.iter().chain(&top).find(|card| !card.is_wild())?.rank(), (0, 0)),
    };
    let (held, wilds) = (named.rank_count(rank), named.wilds());
    let naturals = held + u8::from(top.is_some());
    let takes_wilds =
        || rank_takes_wilds(set, Some(rank), old.1, false) && old.0 + naturals >= set.wild_add_base;
    let may_begin = || {
        let has_own = || table.melds.iter().any(|m| own(&m) && m.rank == Some(rank));
        set.melds_per_rank == MeldsPerRank::Many || !has_own()
    };
    let fits = rank.is_natural()
        && top.is_none_or(|top| top.rank() == rank)
        && usize::from(held + wilds) == cards.len()
        && may_grow(set, old, (naturals, wilds))
        && (wilds == 0 || takes_wilds())
        && (target.is_some() || may_begin());
    let mut cards = cards.clone();
    cards.extend(top);
    let target = target.map(|at| at as u8);
    fits.then_some(Placement { target, kind: MeldKind::Set, rank: Some(rank), cards })
}
