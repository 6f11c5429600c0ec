//! A seat's knowledge of a table, and whole tables that it cannot tell apart.

use crate::memory::{Recall, RoundMemory};
use crate::mix;
use alloc::vec::Vec;
use canasta_rules::action::As;
use canasta_rules::card::{Card, Cards, Class};
use canasta_rules::seat::{SEATS_MAX, Seat};
use canasta_rules::table::{Causes, Setup, Table};
use canasta_rules::view::{PileView, View, view};

/// Maximum number of deals of the unknown cards that are tried for one sample. Where fewer than one of so many fits what the
/// seat has seen, the seat plays without samples.
const TRIES: usize = 60;

/// A seat's knowledge of a table: its view, its memory, and no hidden card. Two tables that the seat cannot tell apart give
/// equal knowledge.
#[derive(Clone, Debug)]
pub struct Knowledge {
    view: View,
    /// The seat that knows this.
    pub(super) seat: Seat,
    /// The table without the cards that the seat does not know.
    bare: Setup,
    /// The cards that the seat does not know, in the order of their kinds.
    unknown: Vec<Card>,
    /// The number of unknown cards under the known ones of the pile.
    under: usize,
    /// The number of unknown cards of each hand and each foot, of each talon, and of a discard that lies face down.
    hands: [u16; SEATS_MAX],
    feet: Vec<u16>,
    frozen: Causes,
    /// By seat, cards that are known to be in its hand.
    held: Vec<Cards>,
}

/// Numbers that follow from a seed, the same on every machine: the generator SplitMix64, by its state.
#[derive(Clone, Debug)]
pub struct Draws(pub u64);

impl Draws {
    /// Returns the next number.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Returns a number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.bits()) * limit as u128) >> 64) as usize
    }

    /// Puts cards into an order, all orders equally likely.
    pub fn shuffle(&mut self, cards: &mut [Card]) {
        for last in (1..cards.len()).rev() {
            cards.swap(last, self.below(last + 1));
        }
    }
}

impl Knowledge {
    /// Returns what `seat` knows of the table. The memory is that of who has watched the round so far; without it
    /// ([`RoundMemory::default`]) the seat knows no more than it sees.
    pub fn of(table: &Table, seat: Seat, memory: &RoundMemory) -> Self {
        let view = view(table, As::Seat(seat));
        let mut bare = Setup::of(table);
        let (pile, under) = known_pile(&view.table.pile, &memory.pile, bare.taken_top.is_some());
        bare.pile = pile;
        bare.stock = Vec::new();
        bare.face_down = None;
        bare.talons.iter_mut().for_each(|talon| talon.cards = Vec::new());
        let feet = bare.feet.iter_mut().map(|foot| core::mem::replace(foot, Cards::EMPTY).len()).collect();
        if bare.turn != seat {
            bare.fresh = Cards::EMPTY;
            bare.all_wild_draw = false;
        }
        let others: Vec<Seat> = table.seats().filter(|&other| other != seat).collect();
        for other in &others {
            bare.hands[other.index()] = Cards::EMPTY;
        }
        let mut hands = [0; SEATS_MAX];
        for other in others {
            let seen = &view.table.seats[other.index()];
            hands[other.index()] = seen.hand;
            let unknown: Cards = bare.missing().into_iter().collect();
            let held = &memory.held[other.index()];
            let known = if held.contains(&seen.penalty_cards) { held } else { &seen.penalty_cards };
            // What a ruling has moved since is not remembered.
            if known.len() <= seen.hand && unknown.contains(known) {
                bare.hands[other.index()] = *known;
                hands[other.index()] -= known.len();
            }
        }
        let unknown = bare.missing();
        let held = bare.hands.clone();
        Self { seat, held, bare, unknown, under, hands, feet, frozen: view.table.pile.frozen, view }
    }

    /// Returns what the seat remembers beside its view.
    pub fn recall(&self) -> Recall<'_> {
        // The pile is empty here if only a part of it is known.
        let pile = if self.under == 0 { self.bare.pile.as_slice() } else { &[] };
        Recall { pile, held: &self.held }
    }

    /// Returns what the seat sees.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Returns a table that the seat cannot tell from the one it sits at, all equally likely: the unknown cards lie in any
    /// order that the rules allow. `None` if no deal of many fits what the seat knows.
    pub fn sample(&self, random: &mut Draws) -> Option<Table> {
        (0..TRIES).find_map(|_| self.deal(random))
    }

    /// Deals the unknown cards; `None` if they then contradict what the seat knows.
    fn deal(&self, random: &mut Draws) -> Option<Table> {
        let mut rest = self.unknown.clone();
        random.shuffle(&mut rest);
        let mut setup = self.bare.clone();
        let mut under: Vec<Card> = self.draw_under(&mut rest)?;
        under.append(&mut setup.pile);
        setup.pile = under;
        let mut take = |count: usize| {
            let left = rest.len().checked_sub(count)?;
            Some(rest.split_off(left))
        };
        for (hand, &count) in setup.hands.iter_mut().zip(&self.hands) {
            take(count.into())?.into_iter().for_each(|card| hand.insert(card));
        }
        for (foot, &count) in setup.feet.iter_mut().zip(&self.feet) {
            *foot = take(count.into())?.into_iter().collect();
        }
        for (talon, seen) in setup.talons.iter_mut().zip(&self.view.table.talons) {
            talon.cards = take(seen.size.into())?;
        }
        if self.view.table.face_down {
            setup.face_down = take(1)?.pop();
        }
        if rest.len() != usize::from(self.view.table.stock) {
            return None;
        }
        setup.stock = rest;
        let table = setup.into_table().ok()?;
        (table.pile_causes() == self.frozen).then_some(table)
    }

    /// Takes the unknown cards of the pile out of the rest. A pile that nothing freezes has no card that would freeze it.
    fn draw_under(&self, rest: &mut Vec<Card>) -> Option<Vec<Card>> {
        let free = self.frozen.is_empty();
        let fits = |card: &Card| !free || !matches!(card.class(), Class::Wild | Class::RedThree);
        let mut under = Vec::with_capacity(self.under);
        for _ in 0..self.under {
            let at = rest.iter().rposition(fits)?;
            under.push(rest.remove(at));
        }
        Some(under)
    }
}

impl RoundMemory {
    /// Returns the part of the memory that fits what `seat` sees; `None` if it leads to another pile than lies there.
    pub fn fitting(&self, table: &Table, seat: Seat) -> Option<Self> {
        let position = Knowledge::of(table, seat, self);
        let recall = position.recall();
        let fits = recall.pile == self.pile && table.pile().is_empty() == self.pile.is_empty();
        fits.then(|| self.clone().holding(recall.held))
    }
}

/// Returns the known cards of the pile, bottom to top, and the number of unknown cards under them.
fn known_pile(seen: &PileView, remembered: &[Card], is_taking: bool) -> (Vec<Card>, usize) {
    let size = usize::from(seen.size);
    let in_view: Vec<Card> = seen.under.iter().rev().copied().chain(seen.top).collect();
    let fits = remembered.len() == size
        && remembered.ends_with(&in_view)
        && (is_taking || seen.top.is_some() || size == 0);
    if fits { (remembered.to_vec(), 0) } else { (in_view.clone(), size.saturating_sub(in_view.len())) }
}
