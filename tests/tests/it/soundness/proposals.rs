//! Random actions, of which many are accepted and some are in no list.

use canasta_engine::action::{About, Action, CardList, Group, Groups, MeldKind, Onto, SpecialHand, TakePile};
use canasta_engine::card::{Card, Class, Rank};
use canasta_engine::game::Game;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Loose, Phase};
use canasta_tests::games::Rng;

/// Returns a random action of the seat in turn; `None` if what was drawn needs cards or melds that are not there.
pub fn proposal(state: &Game, rng: &mut Rng) -> Option<Action> {
    let table = &state.table;
    let hand: Vec<Card> = table.hand(table.turn_seat()).iter().collect();
    let melds: Vec<_> = table.melds_of(table.side_of(table.turn_seat())).map(|meld| meld.id).collect();
    let one = |rng: &mut Rng| hand.get(rng.below(hand.len().max(1))).copied();
    let meld = |rng: &mut Rng| melds.get(rng.below(melds.len().max(1))).copied();
    Some(match rng.below(24) {
        0 => Action::LayThrees(some(hand.iter().copied().filter(|card| card.rank() == Rank::Three), rng)),
        1 => Action::MergeMelds { a: meld(rng)?, b: meld(rng)? },
        2 | 3 => match table.loose() {
            [] => Action::Discard(one(rng)?),
            loose => {
                let Loose { meld, cards } = &loose[rng.below(loose.len())];
                Action::UndoMeld { meld: *meld, cards: some(cards.iter(), rng) }
            }
        },
        4 => {
            let to = rng.chance(70).then(|| Seat(rng.below(usize::from(table.set().seats)) as u8));
            let about = if rng.chance(80) { About::GoOut } else { About::Courtesy };
            Action::Ask { about, to, with: None }
        }
        5 => {
            let hands = [SpecialHand::Straight, SpecialHand::Pairs, SpecialHand::Garbage];
            Action::SpecialHand(hands[rng.below(hands.len())])
        }
        6 => match rng.below(6) {
            0 => Action::DrawStock,
            1 => Action::TakeTop,
            2 => Action::RestorePile,
            3 => Action::Pass,
            _ => Action::EndRound,
        },
        7 => Action::Discard(one(rng)?),
        8 => {
            let threes = hand.iter().copied().filter(|card| card.class() == Class::BlackThree);
            let (kind, onto) = (MeldKind::BlackThrees, meld(rng).filter(|_| rng.chance(20)));
            let onto = onto.map_or(Onto::New, |id| Onto::Meld { side: None, id });
            Action::Meld([Group { kind, onto, top: false, cards: threes.collect() }].into_iter().collect())
        }
        _ => return batch(state, rng),
    })
}

/// Returns some of these cards: mostly all.
fn some(cards: impl Iterator<Item = Card>, rng: &mut Rng) -> CardList {
    let share = [100, 100, 60][rng.below(3)];
    cards.filter(|_| rng.chance(share)).collect()
}

/// Returns a target for the top: mostly one that could be meant.
fn onto_of_rank(state: &Game, top: Card, rng: &mut Rng) -> Onto {
    let own = state.table.melds_of(state.table.side_of(state.table.turn_seat()));
    let fits = |rank: Option<Rank>| rank == Some(top.rank()) || rank.is_none();
    let fitting: Vec<_> = own.filter(|meld| fits(meld.rank)).map(|meld| meld.id).collect();
    match rng.below(3) {
        0 => Onto::New,
        1 if !fitting.is_empty() => Onto::Meld { side: None, id: fitting[rng.below(fitting.len())] },
        _ => Onto::Auto,
    }
}

/// Returns a `meld` or a `take` of plausible groups of random cards on random targets, so that many are accepted.
fn batch(state: &Game, rng: &mut Rng) -> Option<Action> {
    let seat = state.table.turn_seat();
    let side = state.table.side_of(seat);
    let mut hand: Vec<Card> = state.table.hand(seat).iter().collect();
    rng.shuffle(&mut hand);
    let mut draw =
        |rng: &mut Rng, most: usize, wanted: &dyn Fn(Card) -> bool| draw(&mut hand, rng, most, wanted);
    let mut groups = Groups::new();
    let top = state.table.pile().last().filter(|_| state.table.phase() == Phase::Start).copied();
    let pending = state.table.taken_top().filter(|taken| taken.meld.is_none()).map(|taken| taken.card);
    let mut with = Vec::new();
    if let Some(top) = top.or(pending.filter(|_| rng.chance(60))) {
        if rng.chance(75) {
            with = draw(rng, 3, &|card| card.rank() == top.rank());
        }
        if rng.chance(30) {
            with.extend(draw(rng, 2, &|card| card.is_wild()));
        }
        if pending.is_some() {
            let kind = if top.is_wild() { MeldKind::Wild } else { MeldKind::Set };
            let (onto, cards) = (onto_of_rank(state, top, rng), with.iter().copied().collect());
            groups.push(Group { kind, onto, top: true, cards });
        }
    }
    let least = usize::from(top.is_none() && groups.is_empty());
    for _ in 0..least + rng.below(4) {
        let melds: Vec<_> = state.table.melds_of(side).collect();
        let old = melds.get(rng.below(melds.len() + 1));
        let card = state.table.hand(seat).iter().nth(rng.below(usize::from(state.table.hand(seat).len())))?;
        let rank = old.map_or(card.rank(), |m| m.rank.unwrap_or(card.rank()));
        if state.table.set().sequences && rng.chance(40) {
            let cards = draw(rng, 5, &|c| c.suit() == card.suit() && c.rank() >= card.rank());
            let old = old.filter(|m| m.kind == MeldKind::Sequence);
            let onto = old.map_or(Onto::Auto, |m| Onto::Meld { side: None, id: m.id });
            let cards = cards.into_iter().collect();
            groups.push(Group { kind: MeldKind::Sequence, onto, top: false, cards });
            continue;
        }
        let mut cards = draw(rng, 6, &|card| card.rank() == rank);
        if rng.chance(40) {
            cards.extend(draw(rng, 3, &|card| card.is_wild()));
        }
        if cards.is_empty() {
            continue;
        }
        let of = |test: &dyn Fn(&Card) -> bool| cards.iter().all(test);
        let kind = match old {
            Some(meld) => meld.kind,
            None if of(&|card| card.is_wild()) => MeldKind::Wild,
            None if rank == Rank::Three => MeldKind::BlackThrees,
            None => MeldKind::Set,
        };
        let onto = match old {
            _ if rng.chance(30) => Onto::Auto,
            Some(meld) => Onto::Meld { side: rng.chance(30).then_some(side), id: meld.id },
            None => Onto::New,
        };
        groups.push(Group { kind, onto, top: false, cards: cards.into_iter().collect() });
    }
    if let Some(top) = top {
        let onto = onto_of_rank(state, top, rng);
        return Some(Action::TakePile(TakePile { with: with.into(), onto, also: groups }));
    }
    (!groups.is_empty()).then_some(Action::Meld(groups))
}

/// Takes 1 to `most` of the wanted cards out of a hand, as far as it has them.
fn draw(hand: &mut Vec<Card>, rng: &mut Rng, most: usize, wanted: &dyn Fn(Card) -> bool) -> Vec<Card> {
    let (mut taken, mut rest) = (Vec::new(), Vec::new());
    let count = 1 + rng.below(most);
    for &card in &*hand {
        if taken.len() < count && wanted(card) { taken.push(card) } else { rest.push(card) }
    }
    *hand = rest;
    taken
}
