//! Rule breaks on purpose: what a player might try, and the code that must refuse it.

use canasta_engine::card::{Card, Class, Rank};
use canasta_proto::v1::action::Kind;
use canasta_proto::v1::{self as pb, Phase, View, action as pa};

/// One thing to try.
pub struct Break {
    /// The code that refuses it.
    pub code: &'static str,
    /// The seat that tries it, counted on from the seat that is to act.
    pub turns_ahead: u32,
    /// The action, if the view allows it to be tried.
    pub action: fn(&Desk) -> Option<Kind>,
}

/// All of them. Each is tried once, as soon as it can be.
pub const BREAKS: &[Break] = &[
    Break { code: "TURN_NOT_YOURS", turns_ahead: 1, action: |desk| desk.start().map(|_| draw()) },
    Break { code: "TURN_DRAW_FIRST", turns_ahead: 0, action: |desk| desk.start().and_then(first_discard) },
    Break { code: "TURN_ALREADY_DREW", turns_ahead: 0, action: |desk| desk.play().map(|_| draw()) },
    Break {
        code: "TURN_CARD_NOT_IN_HAND",
        turns_ahead: 0,
        action: |desk| desk.play().and_then(strange_discard),
    },
    Break { code: "INITIAL_BELOW_MINIMUM", turns_ahead: 0, action: |desk| desk.play().and_then(cheap_meld) },
    Break { code: "MELD_TOO_SMALL", turns_ahead: 0, action: |desk| desk.play().and_then(pair) },
    Break { code: "MELD_MIXED_RANKS", turns_ahead: 0, action: |desk| desk.play().and_then(three_ranks) },
    Break {
        code: "PILE_FROZEN_NEEDS_PAIR",
        turns_ahead: 0,
        action: |desk| desk.start().and_then(take_with_one),
    },
    Break { code: "PILE_TOP_BLACK_THREE", turns_ahead: 0, action: |desk| desk.start().and_then(take_three) },
    Break { code: "STOCK_NOT_EMPTY", turns_ahead: 0, action: |desk| desk.start().map(|_| end_round()) },
];

/// What a seat sees before it acts.
pub struct Desk<'a> {
    view: &'a View,
    hand: Vec<Card>,
    opened: bool,
}

impl<'a> Desk<'a> {
    /// The desk of the seat that is to act and whose view this is.
    pub fn new(view: &'a View, seat: u32) -> Self {
        let hand = view.seats.get(seat as usize).map(|seat| read(&seat.hand)).unwrap_or_default();
        let side = view.seats.get(seat as usize).map_or(0, |seat| seat.side);
        let opened = view.sides.get(side as usize).is_some_and(|side| side.opened);
        Self { view, hand, opened }
    }

    fn start(&self) -> Option<&Self> {
        (self.view.phase() == Phase::Start).then_some(self)
    }

    fn play(&self) -> Option<&Self> {
        (self.view.phase() == Phase::Play).then_some(self)
    }

    fn top(&self) -> Option<Card> {
        Card::parse(&self.view.pile.as_ref()?.top)
    }

    fn of_rank(&self, rank: Rank) -> Vec<Card> {
        self.hand.iter().copied().filter(|card| card.rank() == rank).collect()
    }
}

fn read(texts: &[String]) -> Vec<Card> {
    texts.iter().filter_map(|text| Card::parse(text)).collect()
}

fn texts(cards: &[Card]) -> Vec<String> {
    cards.iter().map(Card::to_string).collect()
}

fn draw() -> Kind {
    Kind::DrawStock(pa::DrawStock {})
}

fn end_round() -> Kind {
    Kind::EndRound(pa::EndRound {})
}

fn discard(card: Card) -> Kind {
    Kind::Discard(pa::Discard { card: card.to_string() })
}

fn set(cards: &[Card]) -> Kind {
    let group = pb::Group { kind: pb::MeldKind::Set.into(), onto: None, top: false, cards: texts(cards) };
    Kind::Meld(pa::Meld { groups: vec![group] })
}

fn take(with: &[Card]) -> Kind {
    Kind::TakePile(pa::TakePile { with: texts(with), onto: None, also: Vec::new() })
}

fn first_discard(desk: &Desk) -> Option<Kind> {
    desk.hand.first().map(|&card| discard(card))
}

fn strange_discard(desk: &Desk) -> Option<Kind> {
    Card::all().find(|card| !desk.hand.contains(card)).map(discard)
}

/// Three naturals that cannot reach any minimum.
fn cheap_meld(desk: &Desk) -> Option<Kind> {
    if desk.opened {
        return None;
    }
    let low = [Rank::Four, Rank::Five, Rank::Six, Rank::Seven, Rank::Eight, Rank::Nine, Rank::Ten];
    let cards = low.into_iter().map(|rank| desk.of_rank(rank)).find(|cards| cards.len() >= 3)?;
    Some(set(&cards[..3]))
}

/// Two cards where there is no meld to add them to.
fn pair(desk: &Desk) -> Option<Kind> {
    if desk.opened {
        return None;
    }
    let cards = Rank::NATURAL.into_iter().map(|rank| desk.of_rank(rank)).find(|cards| cards.len() == 2)?;
    Some(set(&cards))
}

fn three_ranks(desk: &Desk) -> Option<Kind> {
    let mut cards: Vec<Card> = desk.hand.iter().copied().filter(|card| card.rank().is_natural()).collect();
    cards.sort_by_key(|card| card.rank());
    cards.dedup_by_key(|card| card.rank());
    (cards.len() >= 3).then(|| set(&cards[..3]))
}

/// One natural of the top's rank and a wild card, where the pile is frozen to the side.
fn take_with_one(desk: &Desk) -> Option<Kind> {
    let top = desk.top().filter(|top| top.rank().is_natural())?;
    let frozen = !desk.opened || desk.view.pile.as_ref().is_some_and(|pile| !pile.frozen.is_empty());
    let naturals = desk.of_rank(top.rank());
    let wild = desk.hand.iter().copied().find(|card| card.is_wild())?;
    (frozen && naturals.len() == 1).then(|| take(&[naturals[0], wild]))
}

fn take_three(desk: &Desk) -> Option<Kind> {
    desk.top().filter(|top| top.class() == Class::BlackThree).map(|_| take(&[]))
}
