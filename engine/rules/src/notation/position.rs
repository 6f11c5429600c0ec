//! Positions: the value and its strict text.

use crate::action::{As, MeldKind};
use crate::card::{Cards, Class};
use crate::known::Known;
use crate::rules::{Rules, StartCard};
use crate::seat::Seat;
use crate::table::{Permission, Phase, Setup, Table, are_all_loose};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The information that a position has about a zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Zone {
    /// The cards of the zone are named; the setup contains them.
    Named,
    /// Only the number of cards is known.
    Count(u16),
    /// The setup contains the cards that are named; besides them the zone has this number of unknown cards.
    Partly(u16),
    /// Nothing is known.
    Unsaid,
}

/// A position as a text describes it. [`Position::setup`] fills in what the text does not say.
#[derive(Clone, PartialEq, Debug)]
pub struct Position {
    /// Everything that the text says.
    pub(super) setup: Setup,
    /// The information about each hand, by seat.
    pub(super) hands: Vec<Zone>,
    /// The information about each foot, by seat; empty if the rule set has no feet.
    pub(super) feet: Vec<Zone>,
    pub(super) pile: Zone,
    /// The places of unknown cards in the pile, counted from the bottom.
    pub(super) pile_unknown: Vec<u16>,
    pub(super) stock: Zone,
    /// The names of the players by seat, as far as the text gives them; they are read and never written.
    pub(super) players: Vec<String>,
}

impl Position {
    /// Returns a position of which nothing is said besides its setup and the names of the players.
    pub(super) fn unsaid(setup: Setup, players: Vec<String>) -> Self {
        Self::with_zones(setup, Zone::Unsaid, players)
    }

    fn with_zones(setup: Setup, zone: Zone, players: Vec<String>) -> Self {
        let [hands, feet] = [&setup.hands, &setup.feet].map(|zones| alloc::vec![zone; zones.len()]);
        Self { setup, hands, feet, pile: zone, pile_unknown: Vec::new(), stock: zone, players }
    }

    /// Returns the position of a table, with every card named. Facts of the log and of the deal are left out, and so
    /// are the cards of a round that is already booked.
    pub fn of(table: &Table) -> Self {
        let mut setup = Setup::of(table);
        setup.step = 0;
        if matches!(setup.phase, Phase::Setup | Phase::Deal) {
            let empty = Setup::new(setup.rules.clone(), setup.turn);
            setup = Setup {
                scores: setup.scores,
                phase: setup.phase,
                round: setup.round,
                attempt: setup.attempt,
                dealer: setup.dealer,
                seating: setup.seating,
                over: setup.over,
                rulings: setup.rulings,
                lone: setup.lone,
                ..empty
            };
        }
        Self::with_zones(setup, Zone::Named, Vec::new())
    }

    /// Returns the position as [`Position::of`] does, for a table in which some cards stand for unknown cards. Such
    /// cards of hands are written as `??`; each foot and a hand of which no card is known are written as a number of
    /// cards, and nothing is said about the stock.
    pub fn as_known(table: &Table, known: &Known) -> Self {
        let mut position = Self::of(table);
        for seat in table.seats() {
            position.hide(seat, known.open(seat));
        }
        position.hide_packs(table);
        position
    }

    /// Returns the position as a viewer knows it: of a table in which all cards are known, the cards of other hands, of
    /// feet, talons and stock are not.
    pub fn seen_by(table: &Table, viewer: As) -> Self {
        let mut position = Self::of(table);
        for seat in table.seats().filter(|seat| viewer != As::Seat(*seat)) {
            position.hide(seat, table.hand(seat));
        }
        position.hide_packs(table);
        position
    }

    fn hide(&mut self, seat: Seat, cards: &Cards) {
        if cards.is_empty() {
            return;
        }
        let hand = &mut self.setup.hands[seat.index()];
        hand.subtract(cards);
        let none_left = hand.is_empty();
        self.hands[seat.index()] =
            if none_left { Zone::Count(cards.len()) } else { Zone::Partly(cards.len()) };
        // These facts of the turn tell of cards in the hand.
        if seat == self.setup.turn {
            (self.setup.fresh, self.setup.all_wild_draw) = (Cards::EMPTY, false);
        }
    }

    fn hide_packs(&mut self, table: &Table) {
        let count = |cards: u16| if cards == 0 { Zone::Named } else { Zone::Count(cards) };
        for (zone, foot) in self.feet.iter_mut().zip(&table.feet) {
            *zone = count(foot.len());
        }
        self.setup.talons.iter_mut().for_each(|talon| talon.cards.clear());
        // Red threes may lie in a stock of which nothing is said; its size follows from the other zones.
        self.setup.stock.clear();
        self.stock = if table.stock_len() == 0 { Zone::Named } else { Zone::Unsaid };
    }

    /// Whether every card of the pack is in a zone that is named, so that none is filled in.
    pub fn is_whole(&self) -> bool {
        let (mut zones, dealt) =
            (self.hands.iter().chain([&self.pile, &self.stock]), is_dealt(self.setup.phase));
        zones.all(|&zone| zone == Zone::Named)
            && self.pile_unknown.is_empty()
            && (!dealt || self.setup.missing().is_empty())
    }

    /// Whether everything is said that all players see: the pile, and the number of cards of each hand. Melds and laid
    /// threes that are not named do not exist, so only cards of hands, feet, talons and stock are unknown.
    pub fn is_public(&self) -> bool {
        self.pile == Zone::Named
            && self.pile_unknown.is_empty()
            && self.hands.iter().all(|zone| *zone != Zone::Unsaid)
    }

    /// Returns what the text says, with nothing filled in: a zone has the cards that are named.
    pub fn named(&self) -> &Setup {
        &self.setup
    }

    /// Returns the number of unknown cards in the pile.
    pub fn unknown_in_pile(&self) -> u16 {
        self.pile_unknown.len() as u16
    }

    /// Returns the names of the players by seat; none if the text does not give them.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Returns the rule set of the position.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.setup.rules
    }
}

pub(super) fn is_dealt(phase: Phase) -> bool {
    matches!(phase, Phase::Start | Phase::Play | Phase::Asked | Phase::Taking | Phase::RoundOver)
}

/// Returns the dealer of a position that names none: the seat right of the seat to move.
pub(super) fn usual_dealer(setup: &Setup) -> Seat {
    let seats = setup.rules.set().seats;
    Seat((setup.turn.0 + seats - 1) % seats)
}

/// Returns the seats that have melded if the position names none: all seats of each side with a meld that is not
/// loose.
pub(super) fn usual_melders(setup: &Setup) -> Vec<Seat> {
    let in_turn = setup.side_of(setup.turn);
    let melded = |seat: &Seat| {
        let side = setup.side_of(*seat);
        let loose = if side == in_turn { &setup.loose[..] } else { &[] };
        !are_all_loose(&setup.melds, loose, side)
    };
    (0..setup.rules.set().seats).map(Seat).filter(melded).collect()
}

/// Returns the seats that have asked if the position names none: the seat to move, if there is a question or answer.
pub(super) fn usual_askers(setup: &Setup) -> Vec<Seat> {
    let asked = setup.permission != Permission::None;
    asked.then_some(setup.turn).into_iter().collect()
}

/// Returns the seats that have finished a turn if the position names none: all seats, if the rule set needs this fact.
pub(super) fn usual_players(setup: &Setup) -> Vec<Seat> {
    let set = setup.rules.set();
    let matters = set.marks_turns() && is_dealt(setup.phase);
    (0..set.seats).filter(|_| matters).map(Seat).collect()
}

/// Returns the number of cards turned at the deal if the position has none: up to the last red three, which only the
/// deal can put there, and the card that covers it.
pub(super) fn usual_upcards(setup: &Setup) -> u16 {
    let set = setup.rules.set();
    let red = |card: &crate::card::Card| card.class() == Class::RedThree;
    let covers = usize::from(set.start_cover.contains(Class::RedThree)) + 1;
    match setup.pile.iter().rposition(red) {
        Some(at) if set.start_card == StartCard::One && set.lays(Class::RedThree) => {
            let taken = usize::from(setup.taken_top.is_some());
            (setup.pile.len() + taken).min(at + covers) as u16
        }
        _ => 0,
    }
}

/// Returns the mate of the seat to move, if there is exactly one.
pub(super) fn only_mate(setup: &Setup) -> Option<Seat> {
    let mate = |seat: &Seat| *seat != setup.turn && setup.side_of(*seat) == setup.side_of(setup.turn);
    let mut mates = (0..setup.rules.set().seats).map(Seat).filter(mate);
    mates.next().filter(|_| mates.next().is_none())
}

/// Returns the kind of a meld on the table, which follows from its cards.
pub(super) fn kind_of(cards: &Cards) -> MeldKind {
    let mut naturals = cards.kinds().map(|(card, _)| card).filter(|card| !card.is_wild());
    let Some(first) = naturals.next() else { return MeldKind::Wild };
    if cards.iter().all(|card| card.class() == Class::BlackThree) {
        return MeldKind::BlackThrees;
    }
    if naturals.all(|card| card.rank() == first.rank()) { MeldKind::Set } else { MeldKind::Sequence }
}
