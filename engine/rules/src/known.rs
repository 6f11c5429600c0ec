//! Transcribed rounds: which of their cards are known.
//!
//! The engine plays a transcribed round like any other, on a state in which a *placeholder* stands for each card that
//! nobody has shown. [`Known`] records the placeholders, and exchanges them when more is known: a card that a seat lays
//! or discards was in its hand. So no other part of the engine deals with unknown cards. An action is legal as far as
//! known if it is legal with at least one hand of the seat's known cards and of cards that nobody has shown.

use crate::action::{Action, As, CardList, Deal};
use crate::apply::apply;
use crate::card::{Card, Cards};
use crate::check::{Legal, Plan, check, permits, transcribed};
use crate::event::{Event, Events};
use crate::rejection::Rejection;
use crate::rules::{FootThrees, StartCard, ThreesDrawn};
use crate::seat::{SEATS_MAX, Seat, Unit};
use crate::table::Table;
use crate::violations::Code;
use alloc::vec::Vec;
use thiserror::Error;

mod named;
mod sources;
mod written;

use named::{anywhere, wish};
pub use named::{from_hand, holder};
use sources::sources;
pub use written::as_written;

/// The violations that may depend on cards of the hand which the action does not name. No other violation does.
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

/// The maximum number of other hands that are tried, besides the hand that later actions suggest.
const OTHER_HANDS: usize = 24;

/// The placeholders of a state: the cards recorded here for each hand, and every card of feet, talons and stock.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Known {
    open: [Cards; SEATS_MAX],
}

/// The reason why the cards that a transcript names cannot be right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Misfit {
    /// Every card of this kind has been seen elsewhere.
    #[error("every {0} of the pack has been seen elsewhere")]
    NoneLeft(Card),
    /// The action brought fewer cards than are named.
    #[error("{named} received cards are named, the action brought {brought}")]
    TooMany {
        /// The number of cards that are named.
        named: u16,
        /// The number of cards that the action brought.
        brought: u16,
    },
    /// A drawn card is not a three, although only threes are left to draw.
    #[error("only threes are left to draw, and none was laid")]
    OnlyThrees,
}

/// The reason why an action of a transcript was not carried out.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// The action breaks rules, whatever the unknown cards are.
    Rejected(Rejection),
    /// The action breaks rules with every hand that was tried. It may be legal with some other hand.
    NotJudged(Rejection),
    /// The cards that the transcript names cannot be right.
    Misfit(Misfit),
    /// The pile begins with a card that is not recorded, so nobody can judge who may take the pile.
    NoUpcard,
}

impl From<Misfit> for Stop {
    fn from(misfit: Misfit) -> Self {
        Self::Misfit(misfit)
    }
}

/// The place of a placeholder.
#[derive(Clone, Copy, PartialEq)]
enum PlaceholderZone {
    Stock(usize),
    /// The place among the feet of the table.
    Foot(usize),
    Talon(usize),
    Hand(Seat),
}

impl Known {
    /// Returns the placeholders of the hand of `seat`.
    pub fn open(&self, seat: Seat) -> &Cards {
        &self.open[seat.index()]
    }

    /// Returns the number of cards of hands and feet that nobody has shown.
    pub fn unseen(&self, table: &Table) -> u16 {
        table.seats().map(|seat| self.unseen_of(table, seat)).sum()
    }

    /// Returns the number of cards of the hand and the feet of `seat` that nobody has shown.
    pub fn unseen_of(&self, table: &Table, seat: Seat) -> u16 {
        self.open(seat).len() + table.waiting(seat).len()
    }

    /// Returns the units (sides, or seats if scores are kept by seat) whose score depends on cards that nobody has
    /// shown, in ascending order. The cards of a seat also count for its mates.
    pub fn unseen_units(&self, table: &Table) -> Vec<Unit> {
        let unseen = |seat: &Seat| self.unseen_of(table, *seat) > 0;
        let sides = table.seats().filter(unseen).map(|seat| table.side_of(seat));
        let mut units: Vec<Unit> =
            sides.flat_map(|side| table.seats_of(side)).map(|seat| table.unit_of(seat)).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    /// Executes an action that is not official, as far as its cards are known. The action brought `received` from
    /// stock, foot or talon. `later` returns the cards that its seat names from the hand afterwards.
    ///
    /// # Errors
    /// If the action is illegal, cannot be judged, or does not fit the cards. Only placeholders have changed then,
    /// except after some [`Stop::Misfit`]s, which are found when the action has been applied.
    pub fn act(
        &mut self,
        table: &mut Table,
        actor: As,
        action: &Action,
        received: &[Option<Card>],
        later: &dyn Fn() -> Vec<Card>,
    ) -> Result<Events, Stop> {
        if let Action::Deal(deal) = action {
            return self.deal(table, actor, action, deal, received);
        }
        if let As::Seat(seat) = actor {
            self.show(table, seat, action)?;
        }
        let legal = self.judge(table, actor, action, later)?;
        self.bring(table, &legal, action, received)?;
        let before = table.clone();
        let events = apply(table, legal);
        self.follow(table, &before, action, received, &events)?;
        Ok(events)
    }

    fn deal(
        &mut self,
        table: &mut Table,
        actor: As,
        action: &Action,
        deal: &Deal,
        received: &[Option<Card>],
    ) -> Result<Events, Stop> {
        let mut legal = check(table, actor, action).map_err(Stop::Rejected)?;
        if table.set().start_card == StartCard::One && deal.upcards.is_empty() {
            return Err(Stop::NoUpcard);
        }
        let wall = transcribed::wall(table, deal, received).map_err(Misfit::NoneLeft)?;
        if let Plan::Deal(planned, _) = &mut legal.plan {
            *planned = wall;
        }
        *self = Self::default();
        let events = apply(table, legal);
        let unknown = |hand: &Vec<Option<Card>>| hand.iter().filter(|card| card.is_none()).count();
        let all = usize::from(table.set().hand_size);
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
        self.hold(table)?;
        fits(received, brought)?;
        Ok(events)
    }

    /// Judges the action. If the verdict depends on placeholders, tries other hands until one makes the action legal.
    fn judge(
        &mut self,
        table: &mut Table,
        actor: As,
        action: &Action,
        later: &dyn Fn() -> Vec<Card>,
    ) -> Result<Legal, Stop> {
        let rejection = match check(table, actor, action) {
            Ok(legal) => return Ok(legal),
            Err(rejection) => rejection,
        };
        let As::Seat(seat) = actor else { return Err(Stop::Rejected(rejection)) };
        // Whether a penalty card may be discarded may hang on the hand, and seldom does: so the verdict stands if no hand
        // helps.
        let hangs = self.hangs_on_hand(seat, &rejection);
        if !hangs && rejection.codes() != [Code::DiscardPenaltyCardFirst] {
            return Err(Stop::Rejected(rejection));
        }
        let (state_before, known_before) = (table.clone(), self.clone());
        let wishes = core::iter::once(later()).chain((0..OTHER_HANDS).map(|n| wish(&state_before, n)));
        for wish in wishes {
            self.wish(table, seat, &wish);
            if let Some(legal) = permits(table, actor, action) {
                return Ok(legal);
            }
            (*table, *self) = (state_before.clone(), known_before.clone());
        }
        Err(if hangs { Stop::NotJudged(rejection) } else { Stop::Rejected(rejection) })
    }

    /// Whether the action might be legal with other placeholders in the hand.
    pub fn hangs_on_hand(&self, seat: Seat, rejection: &Rejection) -> bool {
        let hangs = |code: &Code| HANG_ON_HAND.contains(code);
        !self.open(seat).is_empty() && rejection.codes().iter().all(hangs)
    }

    /// Exchanges placeholders of the hand for as many of these cards as possible.
    fn wish(&mut self, table: &mut Table, seat: Seat, cards: &[Card]) {
        let mut others = *self.open(seat);
        for &card in cards {
            if others.remove(card) {
                continue;
            }
            let Some(other) = others.iter().next() else { return };
            if self.fetch(table, PlaceholderZone::Hand(seat), other, card, anywhere) {
                others.remove(other);
            }
        }
    }

    /// Makes the zones fit what the action brings: named cards come next, and no unnamed three that would be laid.
    fn bring(
        &mut self,
        table: &mut Table,
        legal: &Legal,
        action: &Action,
        received: &[Option<Card>],
    ) -> Result<(), Misfit> {
        let auto = table.set().threes_drawn == ThreesDrawn::Auto;
        let threes = received.iter().flatten().filter(|card| auto && table.set().lays(card.class())).count();
        let drawn = match action {
            Action::DrawStock => usize::from(table.set().cards_drawn(table.round.number)) + threes,
            Action::LayThrees(cards) => cards.len() + threes,
            _ => threes,
        };
        if received.is_empty() || *action == Action::DrawStock {
            return self.bring_from_stock(table, received, drawn);
        }
        let sources = sources(table, &apply(&mut table.clone(), legal.clone()));
        let counts: Vec<usize> = sources.iter().map(|(spot, _)| spot.count(table)).collect();
        let (of_stock, mut of_sources) = split(action, counts.iter().sum(), received);
        for (&(spot, _), count) in sources.iter().zip(counts) {
            let named = of_sources.len().min(count);
            self.bring_from(table, spot, of_sources.split_off(..named).unwrap_or(&[]))?;
        }
        self.bring_from_stock(table, of_stock, drawn)
    }

    /// Exchanges placeholders of a foot or a talon so that it holds the named cards.
    fn bring_from(
        &mut self,
        table: &mut Table,
        spot: PlaceholderZone,
        cards: &[Option<Card>],
    ) -> Result<(), Misfit> {
        let mut others = spot.cards(table);
        let missing: CardList =
            cards.iter().flatten().copied().filter(|&card| !others.remove(card)).collect();
        for card in missing {
            let Some(other) = others.iter().next() else { return Ok(()) };
            others.remove(other);
            if !self.fetch(table, spot, other, card, anywhere) {
                return Err(Misfit::NoneLeft(card));
            }
        }
        Ok(())
    }

    /// Puts the named cards on top of the stock, and no unnamed three that would be laid among the next `drawn` cards.
    fn bring_from_stock(
        &mut self,
        table: &mut Table,
        cards: &[Option<Card>],
        drawn: usize,
    ) -> Result<(), Misfit> {
        let auto = table.set().threes_drawn == ThreesDrawn::Auto;
        let lays = |table: &Table, card: Card| auto && table.set().lays(card.class());
        let top = table.stock.len();
        let named = |at: usize| cards.get(at).copied().flatten();
        for (at, card) in (0..cards.len()).filter_map(|at| Some((at, named(at)?))) {
            let Some(place) = top.checked_sub(at + 1) else { return Ok(()) };
            // Named places nearer the top already have their card.
            let free = |other: usize| other < place || named(top - 1 - other).is_none();
            let lying = table.stock[place];
            if card != lying && !self.fetch(table, PlaceholderZone::Stock(place), lying, card, free) {
                return Err(Misfit::NoneLeft(card));
            }
        }
        for at in (0..drawn).filter(|&at| named(at).is_none()) {
            let Some(place) = top.checked_sub(at + 1) else { return Ok(()) };
            let lying = table.stock[place];
            if lays(table, lying) {
                let free = |other: usize| other < top.saturating_sub(drawn.max(cards.len()));
                let plain = |card: &Card| !lays(table, *card);
                let card = self.unseen_cards(table, free).find(plain).ok_or(Misfit::OnlyThrees)?;
                self.fetch(table, PlaceholderZone::Stock(place), lying, card, free);
            }
        }
        Ok(())
    }

    /// Returns every placeholder. In the stock, only places that are `free` count.
    fn unseen_cards<'a>(
        &'a self,
        table: &'a Table,
        free: impl Fn(usize) -> bool + 'a,
    ) -> impl Iterator<Item = Card> + 'a {
        let stock =
            table.stock.iter().enumerate().filter(move |(place, _)| free(*place)).map(|(_, card)| *card);
        let feet = table.feet.iter().flat_map(Cards::iter);
        let talons = table.talons.iter().flat_map(|talon| talon.cards.iter().copied());
        stock.chain(feet).chain(talons).chain(self.open.iter().flat_map(Cards::iter))
    }

    /// Exchanges the card `lying` at a place for a placeholder elsewhere that is the `wanted` card. In the stock, only
    /// places that are `free` count. Returns `false` if there is no such placeholder.
    fn fetch(
        &mut self,
        table: &mut Table,
        at: PlaceholderZone,
        lying: Card,
        wanted: Card,
        free: impl Fn(usize) -> bool,
    ) -> bool {
        let stock = (0..).zip(&table.stock).filter(|(place, card)| **card == wanted && free(*place));
        let stock = stock.map(|(place, _)| PlaceholderZone::Stock(place));
        let feet = (0..).zip(&table.feet).filter(|(_, foot)| foot.count(wanted) > 0);
        let feet = feet.map(|(at, _)| PlaceholderZone::Foot(at));
        let talons = (0..).zip(&table.talons).filter(|(_, talon)| talon.cards.contains(&wanted));
        let talons = talons.map(|(talon, _)| PlaceholderZone::Talon(talon));
        let hands =
            table.seats().filter(|seat| self.open(*seat).count(wanted) > 0).map(PlaceholderZone::Hand);
        let found = stock.chain(feet).chain(talons).chain(hands).find(|spot| *spot != at);
        let Some(from) = found else { return false };
        self.put(table, from, wanted, lying);
        self.put(table, at, lying, wanted);
        true
    }

    fn put(&mut self, table: &mut Table, spot: PlaceholderZone, from: Card, to: Card) {
        let exchange = |cards: &mut Cards| {
            cards.remove(from);
            cards.insert(to);
        };
        match spot {
            PlaceholderZone::Stock(place) => table.stock[place] = to,
            PlaceholderZone::Foot(at) => exchange(&mut table.feet[at]),
            PlaceholderZone::Talon(at) => {
                let place = table.talons[at].cards.iter_mut().find(|card| **card == from);
                place.into_iter().for_each(|card| *card = to);
            }
            PlaceholderZone::Hand(seat) => {
                exchange(&mut table.hands[seat.index()]);
                exchange(&mut self.open[seat.index()]);
            }
        }
    }

    /// Records the cards that came to hands without being named as placeholders.
    fn follow(
        &mut self,
        table: &Table,
        before: &Table,
        action: &Action,
        received: &[Option<Card>],
        events: &[Event],
    ) -> Result<(), Misfit> {
        let sources = sources(before, events);
        let count = sources.iter().map(|(spot, _)| spot.count(before)).sum();
        let (of_stock, mut of_sources) = split(action, count, received);
        let drawn = before.stock.len() - table.stock.len();
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
        for (spot, seat) in sources {
            let (mut cards, named) = (spot.cards(before), of_sources.len().min(spot.count(before)));
            let named = of_sources.split_off(..named).unwrap_or(&[]);
            named.iter().flatten().for_each(|&card| _ = cards.remove(card));
            self.open[seat.index()].add(&cards);
            let laid = match spot {
                PlaceholderZone::Foot(_) => table.set().foot_threes != FootThrees::Choice,
                _ => table.set().threes_drawn == ThreesDrawn::Auto,
            };
            if laid {
                self.drop_laid(seat, events);
            }
        }
        self.hold(table)
    }

    /// Removes threes of a foot or talon that were laid as they came from the placeholders: everyone has seen them.
    fn drop_laid(&mut self, seat: Seat, events: &[Event]) {
        for event in events {
            if let Event::ThreeLaid { seat: by, card } = event
                && *by == seat
            {
                self.open[seat.index()].remove(*card);
            }
        }
    }

    /// Checks that each hand still holds its placeholders. If not, a three that was laid counted as a placeholder.
    fn hold(&mut self, table: &Table) -> Result<(), Misfit> {
        let held = table.seats().all(|seat| table.hand(seat).contains(self.open(seat)));
        if held { Ok(()) } else { Err(Misfit::OnlyThrees) }
    }
}

fn fits(received: &[Option<Card>], brought: usize) -> Result<(), Misfit> {
    if received.len() > brought {
        return Err(Misfit::TooMany { named: received.len() as u16, brought: brought as u16 });
    }
    Ok(())
}

/// Splits the received cards into those of the stock and the `count` cards of feet or a talon, in their order.
fn split<'a>(
    action: &Action,
    count: usize,
    received: &'a [Option<Card>],
) -> (&'a [Option<Card>], &'a [Option<Card>]) {
    if matches!(action, Action::LayThrees(_)) {
        // The threes are replaced before the foot comes.
        return received.split_at(received.len().saturating_sub(count));
    }
    let (of_source, of_stock) = received.split_at(count.min(received.len()));
    (of_stock, of_source)
}
