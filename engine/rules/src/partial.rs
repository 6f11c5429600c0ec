//! A position of which some cards are unknown, and the ways to fill them in.
//!
//! [`PartialTable`] keeps apart what is known and the pool of cards that nobody has seen. Who judges an action fills in
//! the cards that the verdict may depend on, those of one hand and of the pile; other places get any cards.

use crate::card::{Card, Cards, Class};
use crate::known::Known;
use crate::notation::Position;
use crate::rules::Rules;
use crate::seat::Seat;
use crate::table::{Phase, Setup, SetupFault, Table};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// A position of which some cards are unknown.
#[derive(Clone, Debug)]
pub struct PartialTable {
    /// The known cards; unknown cards are in no zone.
    setup: Setup,
    /// Number of unknown cards in each hand, by seat.
    hands: Vec<u16>,
    /// Number of unknown cards in each foot, by seat.
    feet: Vec<u16>,
    /// Number of unknown cards in each talon.
    talons: Vec<u16>,
    /// Places of unknown cards in the pile, from the bottom.
    pile: Vec<u16>,
    /// The cards of the pack that are in no zone.
    pool: Cards,
}

/// The position with certain cards filled in.
pub struct FilledIn {
    /// The table; `None` if it cannot be judged.
    pub table: Option<Table>,
    /// The facts to which legal play does not lead.
    pub faults: Vec<SetupFault>,
}

impl PartialTable {
    /// Returns the position of a text. Cards that the text does not name are unknown; the numbers of cards follow from
    /// [`Position::setup`].
    pub fn of_position(position: &Position) -> Self {
        let (said, mut setup) = (position.named(), position.setup());
        // Nobody has laid a three that the text does not name.
        setup.laid.clone_from(&said.laid);
        let unknown = |filled: &mut Cards, named: &Cards| {
            let count = filled.len() - named.len();
            *filled = *named;
            count
        };
        let hands = setup.hands.iter_mut().zip(&said.hands);
        let hands = hands.map(|(filled, named)| unknown(filled, named)).collect();
        let feet = setup.feet.iter_mut().zip(&said.feet);
        let feet = feet.map(|(filled, named)| unknown(filled, named)).collect();
        let emptied = setup.talons.iter_mut().zip(&said.talons).map(|(filled, named)| {
            let count = filled.cards.len() - named.cards.len();
            filled.cards.clone_from(&named.cards);
            count as u16
        });
        let talons = emptied.collect();
        // The one card of a pile about which nothing is said counts as known: few verdicts are about its rank.
        if !position.unknown_in_pile().is_empty() {
            setup.pile.clone_from(&said.pile);
        }
        if said.stock.is_empty() {
            setup.stock.clear();
        }
        Self::new(setup, hands, feet, talons, position.unknown_in_pile().to_vec())
    }

    /// Returns the position of a table, in which `known` tells the cards that only stand for unknown cards.
    pub fn of_known(table: &Table, known: &Known) -> Self {
        let mut setup = Setup::of(table);
        setup.hands.iter_mut().zip(table.seats()).for_each(|(hand, seat)| hand.subtract(known.open(seat)));
        let hands = table.seats().map(|seat| known.open(seat).len()).collect();
        let feet = setup.feet.iter_mut().map(|foot| core::mem::replace(foot, Cards::EMPTY).len()).collect();
        let talons = setup.talons.iter_mut().map(|talon| core::mem::take(&mut talon.cards).len() as u16);
        let talons = talons.collect();
        setup.stock.clear();
        // These facts of the turn tell of cards in the hand.
        if !known.open(setup.turn).is_empty() {
            (setup.fresh, setup.all_wild_draw) = (Cards::EMPTY, false);
        }
        Self::new(setup, hands, feet, talons, Vec::new())
    }

    fn new(setup: Setup, hands: Vec<u16>, feet: Vec<u16>, talons: Vec<u16>, pile: Vec<u16>) -> Self {
        let pool = setup.missing().into_iter().collect();
        Self { setup, hands, feet, talons, pile, pool }
    }

    /// Returns the rule set.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.setup.rules
    }

    /// Returns the seat that must act; `None` if the table must act.
    pub fn to_act(&self) -> Option<Seat> {
        match self.setup.phase {
            Phase::Start | Phase::Play | Phase::Taking => Some(self.setup.turn),
            Phase::Asked => self.fill(self.setup.turn, &[], &[]).table.and_then(|table| table.to_act()),
            Phase::Setup | Phase::Deal | Phase::RoundOver | Phase::GameOver => None,
        }
    }

    /// Returns the number of unknown cards in the hand of `seat`; 0 for a seat that does not exist.
    pub fn unknown_in_hand(&self, seat: Seat) -> u16 {
        self.hands.get(seat.index()).copied().unwrap_or(0)
    }

    /// Returns the number of unknown cards in the pile.
    pub fn unknown_in_pile(&self) -> u16 {
        self.pile.len() as u16
    }

    /// Returns the known cards of the hand of `seat`.
    pub fn hand(&self, seat: Seat) -> &Cards {
        &self.setup.hands[seat.index()]
    }

    /// Returns the cards whose places are not known.
    pub fn pool(&self) -> &Cards {
        &self.pool
    }

    /// Whether a hand may hold this card: a three that is laid by itself stays in no hand.
    pub fn may_be_held(&self, card: Card) -> bool {
        card.class() != Class::RedThree || self.setup.rules.set().lays_threes_by_choice()
    }

    /// Returns the position with unknown cards filled in: those of the hand of `seat`, and those of the pile from the
    /// bottom. Places without a card of the caller's get any cards.
    pub fn fill(&self, seat: Seat, hand: &[Card], pile: &[Card]) -> FilledIn {
        let (table, faults) = self.setup(seat, hand, pile).as_it_stands();
        FilledIn { table, faults }
    }

    /// Returns the position as [`PartialTable::fill`] fills it in, before it is judged.
    pub fn setup(&self, seat: Seat, hand: &[Card], pile: &[Card]) -> Setup {
        let mut setup = self.setup.clone();
        let mut pool = self.pool;
        for card in hand.iter().chain(pile) {
            pool.remove(*card);
        }
        let mut rest = PoolRest::new(&pool, |card| self.may_be_held(card));
        for (at, &count) in self.hands.iter().enumerate() {
            let given: &[Card] = if at == seat.index() { hand } else { &[] };
            let more = usize::from(count).saturating_sub(given.len());
            let cards = given.iter().copied().chain(rest.take(more));
            cards.for_each(|card| setup.hands[at].insert(card));
        }
        for (at, &place) in self.pile.iter().enumerate() {
            let card = pile.get(at).copied().or_else(|| rest.take(1).next());
            let place = usize::from(place).min(setup.pile.len());
            card.into_iter().for_each(|card| setup.pile.insert(place, card));
        }
        for (foot, &count) in setup.feet.iter_mut().zip(&self.feet) {
            rest.take(count.into()).for_each(|card| foot.insert(card));
        }
        for (talon, &count) in setup.talons.iter_mut().zip(&self.talons) {
            talon.cards.extend(rest.take(count.into()));
        }
        // Where the stock is said by its cards, nothing is left. Before the deal, after a deal that was voided at once,
        // and at the end of a game of which only the result is said, no card is on the table.
        let on_table = match setup.phase {
            Phase::Setup | Phase::Deal => false,
            Phase::RoundOver | Phase::GameOver => self.pool != setup.rules.census(),
            Phase::Start | Phase::Play | Phase::Taking | Phase::Asked => true,
        };
        if on_table && setup.stock.is_empty() {
            setup.stock = rest.all();
        }
        setup
    }
}

/// The cards of the pool that no place has got yet: those that no hand may hold come last.
struct PoolRest {
    cards: Vec<Card>,
    next: usize,
}

impl PoolRest {
    fn new(pool: &Cards, may_be_held: impl Fn(Card) -> bool) -> Self {
        let (held, laid): (Vec<Card>, Vec<Card>) = pool.iter().partition(|card| may_be_held(*card));
        Self { cards: held.into_iter().chain(laid).collect(), next: 0 }
    }

    fn take(&mut self, count: usize) -> impl Iterator<Item = Card> + use<'_> {
        let from = self.next.min(self.cards.len());
        self.next = (from + count).min(self.cards.len());
        self.cards[from..self.next].iter().copied()
    }

    /// Returns the cards that are left as a stock, bottom to top.
    fn all(mut self) -> Vec<Card> {
        let mut cards = self.cards.split_off(self.next);
        cards.reverse();
        cards
    }
}
