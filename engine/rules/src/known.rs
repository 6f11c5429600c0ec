//! What a transcript knows.
//!
//! A transcribed round is played by the engine as any other, on a state in which every card that nobody knows is
//! some card that nobody has shown. [`Known`] keeps which of a state's cards only stand for unknown ones, and
//! exchanges them for others as soon as more is known: when a seat lays or discards a card, that card was in its
//! hand. So nothing else in the engine knows of unknown cards, and an action is legal as far as known if there is
//! one hand of the seat's known cards and of cards that nobody has shown with which it is.

use crate::action::{Action, As, CardList, Deal};
use crate::apply::apply;
use crate::card::{Card, Cards, Rank};
use crate::check::{Legal, Plan, check, transcribed};
use crate::event::{Event, Events};
use crate::rejection::Rejection;
use crate::rules::{FootThrees, StartCard, ThreesDrawn};
use crate::seat::{MAX_SEATS, Seat, Unit};
use crate::table::{Table, Talon, TalonPlace};
use crate::violations::Code;
use alloc::vec::Vec;
use core::fmt;

/// Violations that may hang on cards of the hand which the action does not name; no other does.
pub const HANG_ON_HAND: [Code; 12] = [
    Code::StockMustTakePile,
    Code::ThreeLayWrongTime,
    Code::ThreeMustBeLaid,
    Code::MeldLeavesNoFinish,
    Code::DiscardRequired,
    Code::DiscardWildForbidden,
    Code::DiscardRankOnEmptyPile,
    Code::DiscardSafeOnEmptyPile,
    Code::GoOutBound,
    Code::AskCannotGoOut,
    Code::AskNoChoice,
    Code::SpecialShape,
];

/// How many hands are tried, besides the one that later actions tell of, before an action cannot be judged.
const OTHER_HANDS: usize = 24;

/// Which cards of a state only stand for unknown ones: these of the hands, every card of feet, talons and stock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    open: [Cards; MAX_SEATS],
}

/// Why what a transcript says of the cards cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// Every card of this kind has been seen elsewhere.
    NoneLeft(Card),
    /// The action brought fewer cards than are named.
    TooMany {
        /// Cards that are named.
        named: u16,
        /// Cards that came.
        brought: u16,
    },
    /// A card was drawn that is no three, though nothing else is left.
    OnlyThrees,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoneLeft(card) => write!(f, "every {card} of the pack has been seen elsewhere"),
            Self::TooMany { named, brought } => {
                write!(f, "{named} received cards are named, the action brought {brought}")
            }
            Self::OnlyThrees => f.write_str("only threes are left to draw, and none was laid"),
        }
    }
}

/// Why an action of a transcript was not carried out.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// It breaks rules, whatever the unknown cards are.
    Rejected(Rejection),
    /// It breaks rules with every hand that was tried; there may be one with which it does not.
    NotJudged(Rejection),
    /// What is said of the cards cannot be.
    Misfit(Misfit),
    /// The pile begins with a card that is not recorded: nobody can judge who may take it.
    NoUpcard,
}

impl From<Misfit> for Stop {
    fn from(misfit: Misfit) -> Self {
        Self::Misfit(misfit)
    }
}

/// Where a card lies that only stands for an unknown one.
#[derive(Clone, Copy, PartialEq)]
enum Spot {
    Stock(usize),
    Foot(Seat),
    Talon(usize),
    Hand(Seat),
}

/// The hidden zones before an action.
struct Before {
    stock: Vec<Card>,
    feet: Vec<Cards>,
    talons: Vec<Talon>,
}

impl Default for Known {
    fn default() -> Self {
        Self { open: [Cards::EMPTY; MAX_SEATS] }
    }
}

impl Known {
    /// The cards of a hand that only stand for unknown ones.
    pub fn open(&self, seat: Seat) -> &Cards {
        &self.open[seat.index()]
    }

    /// Cards of hands and feet that nobody has shown.
    pub fn unseen(&self, state: &Table) -> u16 {
        state.seats().map(|seat| self.unseen_of(state, seat)).sum()
    }

    /// Cards of the hand and the foot of `seat` that nobody has shown.
    pub fn unseen_of(&self, state: &Table, seat: Seat) -> u16 {
        self.open(seat).len() + state.foot(seat).len()
    }

    /// The sides, or seats where scores are kept by seat, whose score rests on cards that have not been shown. Mates
    /// share theirs.
    pub fn unseen_units(&self, state: &Table) -> Vec<Unit> {
        let unseen = |seat: &Seat| self.unseen_of(state, *seat) > 0;
        let sides = state.seats().filter(unseen).map(|seat| state.side_of(seat));
        let mut units: Vec<Unit> =
            sides.flat_map(|side| state.seats_of(side)).map(|seat| state.unit_of(seat)).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    /// Carries out an action that is no official's, as far as its cards are known. `received` are the cards that it
    /// brought out of stock, foot or talon, `later` those that its seat names from the hand afterwards.
    ///
    /// # Errors
    /// If it is not legal, cannot be judged or cannot be. The state is then that before it, but for unknown cards.
    pub fn act(
        &mut self,
        state: &mut Table,
        actor: As,
        action: &Action,
        received: &[Option<Card>],
        later: &dyn Fn() -> Vec<Card>,
    ) -> Result<Events, Stop> {
        if let Action::Deal(deal) = action {
            return self.deal(state, actor, action, deal, received);
        }
        if let As::Seat(seat) = actor {
            self.show(state, seat, action)?;
        }
        let legal = self.judge(state, actor, action, later)?;
        self.bring(state, &legal, action, received)?;
        let before = Before::of(state);
        let events = apply(state, legal);
        self.follow(state, &before, action, received, &events)?;
        Ok(events)
    }

    fn deal(
        &mut self,
        state: &mut Table,
        actor: As,
        action: &Action,
        deal: &Deal,
        received: &[Option<Card>],
    ) -> Result<Events, Stop> {
        let mut legal = check(state, actor, action).map_err(Stop::Rejected)?;
        if state.set().start_card == StartCard::One && deal.upcards.is_empty() {
            return Err(Stop::NoUpcard);
        }
        let wall = transcribed::wall(state, deal, received).map_err(Misfit::NoneLeft)?;
        if let Plan::Deal(planned, _) = &mut legal.plan {
            *planned = wall;
        }
        *self = Self::default();
        let events = apply(state, legal);
        let unknown = |hand: &Vec<Option<Card>>| hand.iter().filter(|card| card.is_none()).count();
        let all = usize::from(state.set().hand_size);
        let dealt = events.iter().find_map(|event| match event {
            Event::Dealt { hands, .. } => Some(hands),
            _ => None,
        });
        for (seat, hand) in dealt.into_iter().flatten().enumerate() {
            let known = deal.hands.get(seat);
            let is_open = |at: usize| known.is_none_or(|known| known.get(at).is_none_or(Option::is_none));
            let open = hand.iter().enumerate().filter(|&(at, _)| is_open(at)).map(|(_, card)| *card);
            self.open[seat] = open.collect();
            debug_assert_eq!(usize::from(self.open[seat].len()), known.map_or(all, unknown));
        }
        let replaced = events.iter().filter_map(|event| match event {
            Event::Replaced { seat, card } => Some((*seat, *card)),
            _ => None,
        });
        let mut brought = 0;
        for (at, (seat, card)) in replaced.enumerate() {
            brought += 1;
            if received.get(at).is_none_or(Option::is_none) {
                self.open[seat.index()].insert(card);
            }
        }
        self.hold(state)?;
        fits(received, brought)?;
        Ok(events)
    }

    /// The cards that an action names from the hand were in it.
    pub fn show(&mut self, state: &mut Table, seat: Seat, action: &Action) -> Result<(), Misfit> {
        let named = from_hand(action);
        let mut known = *state.hand(seat);
        known.subtract(self.open(seat));
        let named_in_all: Cards = named.iter().copied().collect();
        for card in named {
            if known.remove(card) || self.open[seat.index()].remove(card) {
                continue;
            }
            // What the seat cannot have held is for the check to refuse.
            let spare = |other: &Card| named_in_all.count(*other) == 0;
            let Some(other) = self.open(seat).iter().find(spare).or(self.open(seat).iter().next()) else {
                continue;
            };
            if !self.fetch(state, Spot::Hand(seat), other, card, anywhere) {
                return Err(Misfit::NoneLeft(card));
            }
            self.open[seat.index()].remove(card);
        }
        Ok(())
    }

    /// Judges the action, with other hands too where the answer may hang on unknown cards.
    fn judge(
        &mut self,
        state: &mut Table,
        actor: As,
        action: &Action,
        later: &dyn Fn() -> Vec<Card>,
    ) -> Result<Legal, Stop> {
        let rejection = match check(state, actor, action) {
            Ok(legal) => return Ok(legal),
            Err(rejection) => rejection,
        };
        let As::Seat(seat) = actor else { return Err(Stop::Rejected(rejection)) };
        if !self.hangs_on_hand(seat, &rejection) {
            return Err(Stop::Rejected(rejection));
        }
        let (state_before, known_before) = (state.clone(), self.clone());
        let wishes = core::iter::once(later()).chain((0..OTHER_HANDS).map(|n| wish(&state_before, n)));
        for wish in wishes {
            self.wish(state, seat, &wish);
            if let Ok(legal) = check(state, actor, action) {
                return Ok(legal);
            }
            (*state, *self) = (state_before.clone(), known_before.clone());
        }
        Err(Stop::NotJudged(rejection))
    }

    /// Whether other unknown cards might make the action legal.
    pub fn hangs_on_hand(&self, seat: Seat, rejection: &Rejection) -> bool {
        let hangs = |code: &Code| HANG_ON_HAND.contains(code);
        !self.open(seat).is_empty() && rejection.codes().iter().all(hangs)
    }

    /// Gives the hand as many of these cards as can be.
    fn wish(&mut self, state: &mut Table, seat: Seat, cards: &[Card]) {
        let mut others = *self.open(seat);
        for &card in cards {
            if others.remove(card) {
                continue;
            }
            let Some(other) = others.iter().next() else { return };
            if self.fetch(state, Spot::Hand(seat), other, card, anywhere) {
                others.remove(other);
            }
        }
    }

    /// Puts what the action brings where it comes from: what is named, and nothing that would have been laid at once.
    fn bring(
        &mut self,
        state: &mut Table,
        legal: &Legal,
        action: &Action,
        received: &[Option<Card>],
    ) -> Result<(), Misfit> {
        let auto = state.set().threes_drawn == ThreesDrawn::Auto;
        let threes = received.iter().flatten().filter(|card| auto && state.set().lays(card.class())).count();
        let drawn = match action {
            Action::DrawStock => usize::from(state.set().draw_count) + threes,
            Action::LayThrees(cards) => cards.len() + threes,
            _ => threes,
        };
        if received.is_empty() || *action == Action::DrawStock {
            return self.bring_from_stock(state, received, drawn);
        }
        let before = Before::of(state);
        let source = before.second_source(&apply(&mut state.clone(), legal.clone()));
        let (of_stock, of_source) = split(action, source.map(|(spot, _)| before.count(spot)), received);
        if let Some((spot, _)) = source {
            self.bring_from(state, spot, of_source)?;
        }
        self.bring_from_stock(state, of_stock, drawn)
    }

    /// The named cards of a foot or a talon lie in it.
    fn bring_from(&mut self, state: &mut Table, spot: Spot, cards: &[Option<Card>]) -> Result<(), Misfit> {
        let mut others = match spot {
            Spot::Foot(seat) => *state.foot(seat),
            Spot::Talon(at) => state.talons[at].cards.iter().copied().collect(),
            Spot::Stock(_) | Spot::Hand(_) => return Ok(()),
        };
        let missing: CardList =
            cards.iter().flatten().copied().filter(|&card| !others.remove(card)).collect();
        for card in missing {
            let Some(other) = others.iter().next() else { return Ok(()) };
            others.remove(other);
            if !self.fetch(state, spot, other, card, anywhere) {
                return Err(Misfit::NoneLeft(card));
            }
        }
        Ok(())
    }

    /// The named cards lie on top of the stock, and no three among the next `drawn` that are not named.
    fn bring_from_stock(
        &mut self,
        state: &mut Table,
        cards: &[Option<Card>],
        drawn: usize,
    ) -> Result<(), Misfit> {
        let auto = state.set().threes_drawn == ThreesDrawn::Auto;
        let lays = |state: &Table, card: Card| auto && state.set().lays(card.class());
        let top = state.stock.len();
        let named = |at: usize| cards.get(at).copied().flatten();
        for (at, card) in (0..cards.len()).filter_map(|at| Some((at, named(at)?))) {
            let Some(place) = top.checked_sub(at + 1) else { return Ok(()) };
            // Places nearer the top that are named have their card already.
            let free = |other: usize| other < place || named(top - 1 - other).is_none();
            let lying = state.stock[place];
            if card != lying && !self.fetch(state, Spot::Stock(place), lying, card, free) {
                return Err(Misfit::NoneLeft(card));
            }
        }
        for at in (0..drawn).filter(|&at| named(at).is_none()) {
            let Some(place) = top.checked_sub(at + 1) else { return Ok(()) };
            let lying = state.stock[place];
            if lays(state, lying) {
                let free = |other: usize| other < top.saturating_sub(drawn.max(cards.len()));
                let plain = |card: &Card| !lays(state, *card);
                let card = self.unseen_cards(state, free).find(plain).ok_or(Misfit::OnlyThrees)?;
                self.fetch(state, Spot::Stock(place), lying, card, free);
            }
        }
        Ok(())
    }

    /// Every card that stands for an unknown one, of the stock those at places that are `free`.
    fn unseen_cards<'a>(
        &'a self,
        state: &'a Table,
        free: impl Fn(usize) -> bool + 'a,
    ) -> impl Iterator<Item = Card> + 'a {
        let stock =
            state.stock.iter().enumerate().filter(move |(place, _)| free(*place)).map(|(_, card)| *card);
        let feet = state.feet.iter().flat_map(Cards::iter);
        let talons = state.talons.iter().flat_map(|talon| talon.cards.iter().copied());
        stock.chain(feet).chain(talons).chain(self.open.iter().flat_map(Cards::iter))
    }

    /// Exchanges the card `lying` at a place with a `wanted` one that nobody has shown, of the stock only at places
    /// that are `free`. `false` if there is none.
    fn fetch(
        &mut self,
        state: &mut Table,
        at: Spot,
        lying: Card,
        wanted: Card,
        free: impl Fn(usize) -> bool,
    ) -> bool {
        let stock = (0..).zip(&state.stock).filter(|(place, card)| **card == wanted && free(*place));
        let stock = stock.map(|(place, _)| Spot::Stock(place));
        let feet = (0..).map(Seat).zip(&state.feet).filter(|(_, foot)| foot.count(wanted) > 0);
        let feet = feet.map(|(seat, _)| Spot::Foot(seat));
        let talons = (0..).zip(&state.talons).filter(|(_, talon)| talon.cards.contains(&wanted));
        let talons = talons.map(|(talon, _)| Spot::Talon(talon));
        let hands = state.seats().filter(|seat| self.open(*seat).count(wanted) > 0).map(Spot::Hand);
        let found = stock.chain(feet).chain(talons).chain(hands).find(|spot| *spot != at);
        let Some(from) = found else { return false };
        self.put(state, from, wanted, lying);
        self.put(state, at, lying, wanted);
        true
    }

    fn put(&mut self, state: &mut Table, spot: Spot, from: Card, to: Card) {
        let exchange = |cards: &mut Cards| {
            cards.remove(from);
            cards.insert(to);
        };
        match spot {
            Spot::Stock(place) => state.stock[place] = to,
            Spot::Foot(seat) => exchange(&mut state.feet[seat.index()]),
            Spot::Talon(at) => {
                let place = state.talons[at].cards.iter_mut().find(|card| **card == from);
                place.into_iter().for_each(|card| *card = to);
            }
            Spot::Hand(seat) => {
                exchange(&mut state.hands[seat.index()]);
                exchange(&mut self.open[seat.index()]);
            }
        }
    }

    /// What came to hands without being named is unknown there too.
    fn follow(
        &mut self,
        state: &Table,
        before: &Before,
        action: &Action,
        received: &[Option<Card>],
        events: &[Event],
    ) -> Result<(), Misfit> {
        let source = before.second_source(events);
        let (of_stock, of_source) = split(action, source.map(|(spot, _)| before.count(spot)), received);
        let drawn = before.stock.len() - state.stock.len();
        let count = source.map_or(0, |(spot, _)| before.count(spot));
        fits(received, drawn + count)?;
        let receiver = events.iter().find_map(|event| match event {
            Event::Drew { seat, .. } | Event::Replaced { seat, .. } => Some(*seat),
            _ => None,
        });
        for (at, &card) in before.stock.iter().rev().take(drawn).enumerate() {
            let named = of_stock.get(at).is_some_and(Option::is_some);
            if let Some(seat) = receiver.filter(|_| !named) {
                self.open[seat.index()].insert(card);
            }
        }
        if let Some((spot, seat)) = source {
            let mut cards = before.cards(spot);
            of_source.iter().flatten().for_each(|&card| _ = cards.remove(card));
            self.open[seat.index()].add(&cards);
            let laid = match spot {
                Spot::Foot(_) => state.set().foot_threes == FootThrees::Auto,
                _ => state.set().threes_drawn == ThreesDrawn::Auto,
            };
            if laid {
                self.drop_laid(seat, events);
            }
        }
        self.hold(state)
    }

    /// A three of a foot or talon was laid as it came: everyone has seen it.
    fn drop_laid(&mut self, seat: Seat, events: &[Event]) {
        for event in events {
            if let Event::ThreeLaid { seat: by, card } = event
                && *by == seat
            {
                self.open[seat.index()].remove(*card);
            }
        }
    }

    /// What stands for unknown cards of a hand is in it: a three that was laid was not unknown.
    fn hold(&mut self, state: &Table) -> Result<(), Misfit> {
        let held = state.seats().all(|seat| state.hand(seat).contains(self.open(seat)));
        if held { Ok(()) } else { Err(Misfit::OnlyThrees) }
    }
}

impl Before {
    fn of(state: &Table) -> Self {
        Self { stock: state.stock.clone(), feet: state.feet.clone(), talons: state.talons.clone() }
    }

    /// The foot or talon that came to a hand, and whose.
    fn second_source(&self, events: &[Event]) -> Option<(Spot, Seat)> {
        events.iter().find_map(|event| match event {
            Event::TookFoot { seat } => Some((Spot::Foot(*seat), *seat)),
            Event::TookTalon { seat, .. } => {
                let at = self.talons.iter().position(|talon| talon.place == TalonPlace::Before(*seat))?;
                Some((Spot::Talon(at), *seat))
            }
            _ => None,
        })
    }

    fn cards(&self, spot: Spot) -> Cards {
        match spot {
            Spot::Foot(seat) => self.feet[seat.index()],
            Spot::Talon(at) => self.talons[at].cards.iter().copied().collect(),
            Spot::Stock(_) | Spot::Hand(_) => Cards::EMPTY,
        }
    }

    fn count(&self, spot: Spot) -> usize {
        self.cards(spot).len().into()
    }
}

/// Every place of the stock may be used.
fn anywhere(_: usize) -> bool {
    true
}

fn fits(received: &[Option<Card>], brought: usize) -> Result<(), Misfit> {
    if received.len() > brought {
        return Err(Misfit::TooMany { named: received.len() as u16, brought: brought as u16 });
    }
    Ok(())
}

/// The received cards of the stock, and those of a foot or talon of `count` cards: in the order in which they come.
fn split<'a>(
    action: &Action,
    count: Option<usize>,
    received: &'a [Option<Card>],
) -> (&'a [Option<Card>], &'a [Option<Card>]) {
    let Some(count) = count else { return (received, &[]) };
    if matches!(action, Action::LayThrees(_)) {
        // Each three is replaced before the foot comes.
        return received.split_at(received.len().saturating_sub(count));
    }
    let (of_source, of_stock) = received.split_at(count.min(received.len()));
    (of_stock, of_source)
}

/// The cards that a seat names from its hand.
pub fn from_hand(action: &Action) -> CardList {
    match action {
        Action::TakePile(take) => {
            let also = take.also.iter().flat_map(|group| group.cards.iter());
            take.with.iter().chain(also).copied().collect()
        }
        Action::Meld(groups) => groups.iter().flat_map(|group| group.cards.iter()).copied().collect(),
        Action::LayThrees(cards) => cards.clone(),
        Action::Discard(card) => core::iter::once(*card).collect(),
        _ => CardList::new(),
    }
}

/// The n-th of the hands that are tried: many of one rank, else what lies at some place of the stock.
fn wish(state: &Table, n: usize) -> Vec<Card> {
    match Rank::ALL.get(n) {
        Some(&rank) => state.rules.census().iter().filter(|card| card.rank() == rank).collect(),
        None => state.stock.iter().skip((n - Rank::ALL.len()) * 7).take(30).copied().collect(),
    }
}
