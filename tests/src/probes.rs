//! Actions that are mostly illegal.

use crate::games::Rng;
use canasta_engine::action::{About, Action, As, CardList, Group, MeldId, MeldKind, Onto, TakePile};
use canasta_engine::card::Card;
use canasta_engine::game::Game;
use canasta_engine::seat::Seat;

/// Returns a legal step with one card fewer, with one or more further cards, or with another target.
pub fn altered(state: &Game, step: &Action, viewer: As, rng: &mut Rng) -> Action {
    let mut action = step.clone();
    let choice = rng.below(3);
    let alter = |cards: &mut CardList, target: Option<&mut Onto>, rng: &mut Rng| match (choice, target) {
        (0, _) if !cards.is_empty() => _ = cards.remove(rng.below(cards.len())),
        (1, Some(target)) => *target = onto(rng),
        _ => cards.extend(list(state, viewer, rng).into_iter().take(1 + rng.below(2))),
    };
    match &mut action {
        Action::Meld(groups) => {
            let at = rng.below(groups.len());
            let group = &mut groups[at];
            alter(&mut group.cards, Some(&mut group.onto), rng);
        }
        Action::TakePile(take) => alter(&mut take.with, Some(&mut take.onto), rng),
        Action::LayThrees(cards) => alter(cards, None, rng),
        Action::Discard(named) => *named = card(state, viewer, rng),
        _ => {}
    }
    action
}

/// Returns an action that is mostly illegal, with cards from the viewer's hand, from the pile and at random.
pub fn probe(state: &Game, viewer: As, rng: &mut Rng) -> Action {
    let set = state.table.set();
    match rng.below(12) {
        0 => Action::DrawStock,
        1 => Action::EndRound,
        2 => Action::Discard(card(state, viewer, rng)),
        3 => Action::Answer { yes: rng.chance(50) },
        4 => Action::Ask { about: [About::GoOut, About::Courtesy][rng.below(2)], to: None, with: None },
        5 => Action::CallReveal { of: Seat(rng.below(usize::from(set.seats)) as u8) },
        6 => [Action::TakeTalon, Action::TakeTop, Action::RestorePile, Action::Pass][rng.below(4)].clone(),
        7 => Action::LayThrees(list(state, viewer, rng)),
        8 | 9 => Action::TakePile(TakePile {
            with: list(state, viewer, rng),
            onto: onto(rng),
            also: (0..rng.below(2)).map(|_| group(state, viewer, rng)).collect(),
        }),
        _ => Action::Meld((0..=rng.below(2)).map(|_| group(state, viewer, rng)).collect()),
    }
}

fn card(state: &Game, viewer: As, rng: &mut Rng) -> Card {
    let own: Vec<Card> = match viewer {
        As::Seat(seat) => state.table.hand(seat).iter().collect(),
        _ => Vec::new(),
    };
    match rng.below(8) {
        0 => Card::from_kind(rng.below(53) as u8).expect("below 53 are kinds"),
        1 if !state.table.pile().is_empty() => state.table.pile()[rng.below(state.table.pile().len())],
        _ if own.is_empty() => Card::JOKER,
        _ => own[rng.below(own.len())],
    }
}

/// Returns cards, mostly of one rank and from the hand.
fn list(state: &Game, viewer: As, rng: &mut Rng) -> CardList {
    let first = card(state, viewer, rng);
    let mut cards: CardList = std::iter::once(first).collect();
    if let As::Seat(seat) = viewer {
        let fits = |card: &Card| card.rank() == first.rank() || card.is_wild();
        cards.extend(state.table.hand(seat).iter().filter(fits).take(rng.below(5)));
    }
    cards
}

fn group(state: &Game, viewer: As, rng: &mut Rng) -> Group {
    let kinds = [MeldKind::Set, MeldKind::Set, MeldKind::Wild, MeldKind::Sequence, MeldKind::BlackThrees];
    let kind = kinds[rng.below(kinds.len())];
    Group { kind, onto: onto(rng), top: false, cards: list(state, viewer, rng) }
}

fn onto(rng: &mut Rng) -> Onto {
    match rng.below(4) {
        0 => Onto::New,
        1 => Onto::Meld { side: None, id: MeldId(rng.below(4) as u8) },
        _ => Onto::Auto,
    }
}
