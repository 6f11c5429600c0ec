//! The cards that a position does not name, distributed in a fixed way.
//!
//! Whoever judges an action fills in the unknown cards that the verdict may depend on, those of one hand and of the pile
//! ([`Position::filled`]); other places get any cards. There is no other reader of what a position leaves out.

use super::filling_order;
use super::position::{Position, Zone, is_dealt};
use crate::card::{Card, Cards, Class};
use crate::seat::Seat;
use crate::table::{Setup, Talon, TalonPlace};
use alloc::collections::VecDeque;
use alloc::vec::Vec;

/// The cards of the pack that a position does not name.
struct Unplaced {
    /// The card of a pile about which nothing is said.
    pile: Option<Card>,
    /// The cards whose places are not known, red threes not counted, in the order in which they are given out.
    pool: VecDeque<Card>,
    /// Red threes whose places are not known.
    red: VecDeque<Card>,
    /// Red threes that are laid by the seat left of the seat to move.
    laid: VecDeque<Card>,
}

impl Unplaced {
    /// Returns the next cards, with red threes if there are no others and they may lie there. A position that asks for
    /// more cards than the pack has gets cards that the pack does not have: validation finds them.
    fn take(&mut self, count: u16, may_be_red: bool) -> Vec<Card> {
        let kinds = core::iter::repeat_with(Card::all).flatten();
        let mut surplus = kinds.filter(|card| card.class() == Class::Natural);
        let mut next = || {
            let red = || if may_be_red { self.red.pop_front() } else { None };
            self.pool.pop_front().or_else(red).or_else(|| surplus.next())
        };
        (0..count).filter_map(|_| next()).collect()
    }

    /// Returns the cards of a stock of `count` cards, top first: its red threes lie at the bottom.
    fn stock(&mut self, count: u16) -> Vec<Card> {
        let bottom = self.red.split_off(self.red.len().saturating_sub(count.into()));
        let mut stock = self.take(count - bottom.len() as u16, false);
        stock.extend(bottom);
        stock
    }
}

impl Position {
    /// Returns the position with every card of the pack in a zone.
    ///
    /// Cards that the position does not name are distributed in the order four to king and ace, black threes,
    /// wilds, red threes:
    ///
    /// - If nothing is said about the pile, it gets one card.
    /// - Each unknown card of the pile gets a card.
    /// - A stock, hand or foot for which a count is said gets that number of cards.
    /// - A foot or talon about which nothing is said gets the size that it has at the deal.
    /// - If nothing is said about the stock, each hand about which nothing is said gets the size that it has
    ///   at the deal, and the stock gets the rest, top first. If the stock is said, these hands get all cards
    ///   that are left. These hands get one card at a time, beginning at the left of the seat to move.
    ///
    /// Red threes that are laid go to the bottom of the stock if nothing is said about the stock. Otherwise they are laid
    /// by the seat left of the seat to move, except as many as the counts ask for besides the other cards.
    pub fn setup(&self) -> Setup {
        self.filled(Seat(0), &[], &[])
    }

    /// Returns the position with the size of each hand of which nothing is said, as [`Position::setup`] deals it.
    pub fn counted(mut self) -> Self {
        let filled = self.setup();
        for (zone, hand) in
            self.hands.iter_mut().zip(&filled.hands).filter(|(zone, _)| **zone == Zone::Unsaid)
        {
            *zone = Zone::Count(hand.len());
        }
        self
    }

    /// Returns the position as [`Position::setup`] does, with the cards that are not named in the order of this pack:
    /// what nobody knows is as if it were shuffled.
    pub fn dealt(&self, pack: &[Card]) -> Setup {
        let mut setup = self.filled_from(pack, Seat(0), &[], &[]);
        if self.stock != Zone::Named {
            setup.stock = in_order(setup.stock, pack);
        }
        setup
    }

    /// Returns the position as [`Position::setup`] does, with all unknown cards of the hand of `seat` and, from the bottom,
    /// of the pile; with no card, each gets any cards.
    pub fn filled(&self, seat: Seat, hand: &[Card], pile: &[Card]) -> Setup {
        self.filled_from(&[], seat, hand, pile)
    }

    fn filled_from(&self, pack: &[Card], seat: Seat, hand: &[Card], pile: &[Card]) -> Setup {
        let mut setup = self.setup.clone();
        if !is_dealt(setup.phase) {
            return setup;
        }
        let mut rest = self.unplaced();
        rest.pool = in_order(rest.pool.into(), pack).into();
        for card in hand.iter().chain(pile) {
            let is_bonus = self.rules().set().is_red_bonus(*card);
            let cards = if is_bonus { &mut rest.red } else { &mut rest.pool };
            let at = cards.iter().position(|other| other == card);
            at.and_then(|at| cards.remove(at));
        }
        setup.pile.extend(rest.pile);
        let left = setup.turn.left(setup.rules.set().seats);
        rest.laid.iter().for_each(|card| setup.laid[left.index()].insert(*card));
        for (at, &place) in self.pile_unknown.iter().enumerate() {
            let cards = pile.get(at).map_or_else(|| rest.take(1, false), |card| alloc::vec![*card]);
            let place = usize::from(place).min(setup.pile.len());
            setup.pile.splice(place..place, cards);
        }
        if let Zone::Count(count) = self.stock {
            setup.stock = rest.stock(count);
        }
        setup.hands[seat.index()].add(&hand.iter().copied().collect());
        let given = Some(seat.index()).filter(|_| !hand.is_empty());
        let may_be_held = setup.rules.set().holds_red_threes();
        for (at, zone) in self.hands.iter().enumerate().filter(|(at, _)| Some(*at) != given) {
            rest.take(zone.unknown(0), may_be_held).into_iter().for_each(|card| setup.hands[at].insert(card));
        }
        for (foot, unknown) in setup.feet.iter_mut().zip(self.unknown_of_feet()) {
            rest.take(unknown, true).into_iter().for_each(|card| foot.insert(card));
        }
        let sizes = setup.rules.set().talons.clone();
        for (talon, size) in setup.talons.iter_mut().zip(sizes).filter(|(talon, _)| is_filled(talon)) {
            talon.cards = rest.take(size.into(), true);
        }
        self.deal_unsaid(&mut setup, &mut rest, given);
        if self.stock == Zone::Unsaid {
            setup.stock = rest.pool.into_iter().chain(rest.red).collect();
        }
        if self.stock != Zone::Named {
            setup.stock.reverse();
        }
        setup
    }

    /// Gives cards to the hands about which nothing is said and the caller has given nothing, one at a time.
    fn deal_unsaid(&self, setup: &mut Setup, rest: &mut Unplaced, given: Option<usize>) {
        let set = setup.rules.set();
        let (seats, hand_size) = (set.seats, usize::from(set.hand_size));
        let is_open = |at: usize| self.hands[at] == Zone::Unsaid && given != Some(at);
        let open = (0..self.hands.len()).filter(|at| is_open(*at)).count();
        let mut due = if self.stock == Zone::Unsaid { open * hand_size } else { usize::MAX };
        let mut seat = setup.turn;
        while open > 0 && due > 0 && !rest.pool.is_empty() {
            seat = seat.left(seats);
            if is_open(seat.index()) {
                rest.take(1, false).into_iter().for_each(|card| setup.hands[seat.index()].insert(card));
                due -= 1;
            }
        }
    }

    fn unplaced(&self) -> Unplaced {
        let mut pool = self.setup.missing();
        pool.sort_by_key(|&card| filling_order(card));
        let is_bonus = |&card: &Card| self.rules().set().is_red_bonus(card);
        let red = pool.split_off(pool.partition_point(|card| !is_bonus(card)));
        let (mut pool, mut red) = (VecDeque::from(pool), VecDeque::from(red));
        let pile = if self.pile == Zone::Unsaid { pool.pop_front() } else { None };
        let wanted = self.asked_by_counts().saturating_sub(pool.len()).min(self.may_hide_red_threes());
        let hidden = if self.stock == Zone::Unsaid { red.len() } else { wanted.min(red.len()) };
        let laid = red.split_off(hidden);
        Unplaced { pile, pool, red, laid }
    }

    /// Returns the number of cards that counted zones, feet and talons take.
    fn asked_by_counts(&self) -> usize {
        let zones = self.hands.iter().chain([&self.stock]).map(|zone| usize::from(zone.unknown(0)));
        zones.sum::<usize>() + self.asked_by_packs() + self.pile_unknown.len()
    }

    /// Returns the number of cards that feet and talons take.
    fn asked_by_packs(&self) -> usize {
        let talons = self.setup.talons.iter().zip(&self.rules().set().talons);
        let talons = talons.filter(|(talon, _)| is_filled(talon)).map(|(_, &size)| u16::from(size));
        self.unknown_of_feet().chain(talons).map(usize::from).sum()
    }

    /// Returns the number of unknown cards in each foot.
    fn unknown_of_feet(&self) -> impl Iterator<Item = u16> {
        self.feet.iter().zip(self.rules().set().feet()).map(|(zone, (_, size))| zone.unknown(size.into()))
    }

    /// Returns how many red threes that nobody has laid may lie in places that are counted: in the stock, in feet and in
    /// talons, and in hands only where players choose when to lay them.
    fn may_hide_red_threes(&self) -> usize {
        let hands = self.hands.iter().filter(|_| self.rules().set().holds_red_threes()).chain([&self.stock]);
        hands.map(|zone| usize::from(zone.unknown(0))).sum::<usize>() + self.asked_by_packs()
    }

    /// Returns the cards whose places are not known.
    pub fn pool(&self) -> Cards {
        let unplaced = self.unplaced();
        unplaced.pool.into_iter().chain(unplaced.red).collect()
    }

    /// Whether a hand may hold this card: a three that is laid by itself stays in no hand.
    pub fn may_be_held(&self, card: Card) -> bool {
        !self.rules().set().is_red_bonus(card) || self.rules().set().holds_red_threes()
    }

    /// Returns the number of unknown cards in the hand of `seat`; 0 for a seat that does not exist.
    pub fn unknown_in_hand(&self, seat: Seat) -> u16 {
        let named = self.setup.hands.get(seat.index());
        named.map_or(0, |named| self.setup().hands[seat.index()].len() - named.len())
    }

    /// Returns the seat that must act; `None` if the table must act.
    pub fn to_act(&self) -> Option<Seat> {
        self.setup.clone().build().to_act()
    }
}

impl Zone {
    /// Returns the number of unknown cards of the zone; `unsaid` if nothing is known of it.
    fn unknown(self, unsaid: u16) -> u16 {
        match self {
            Self::Named => 0,
            Self::Count(count) | Self::Partly(count) => count,
            Self::Unsaid => unsaid,
        }
    }
}

/// Whether the cards of this talon must be filled in.
fn is_filled(talon: &Talon) -> bool {
    talon.place != TalonPlace::Used && talon.cards.is_empty()
}

/// Returns the cards in the order of the pack; cards that it does not have come last.
fn in_order(mut cards: Vec<Card>, pack: &[Card]) -> Vec<Card> {
    let mut ordered = Vec::with_capacity(cards.len());
    for card in pack {
        let at = cards.iter().position(|other| other == card);
        ordered.extend(at.map(|at| cards.remove(at)));
    }
    ordered.append(&mut cards);
    ordered
}
