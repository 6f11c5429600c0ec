//! Deliberate rule breaks: actions that a player might try, each with the code that must refuse it.

use canasta_engine::card::{Card, Class, Rank};
use canasta_proto::v1::action::Kind;
use canasta_proto::v1::{self as pb, Phase, View, action as pa};

/// A rule break to try.
pub struct RuleBreak {
    /// The code that refuses the action.
    pub code: &'static str,
    /// Number of turns from the seat that is to act to the seat that tries the action.
    pub turns_ahead: u32,
    /// Returns the action, if the player's view allows it.
    pub action: fn(&PlayerView) -> Option<Kind>,
}

/// All rule breaks. Each is tried once, as soon as the view allows it.
pub const BREAKS: &[RuleBreak] = &[
    RuleBreak { code: "TURN_NOT_YOURS", turns_ahead: 1, action: |player| player.start().map(|_| draw()) },
    RuleBreak {
        code: "TURN_DRAW_FIRST",
        turns_ahead: 0,
        action: |player| player.start().and_then(first_discard),
    },
    RuleBreak { code: "TURN_ALREADY_DREW", turns_ahead: 0, action: |player| player.play().map(|_| draw()) },
    RuleBreak {
        code: "TURN_CARD_NOT_IN_HAND",
        turns_ahead: 0,
        action: |player| player.play().and_then(strange_discard),
    },
    RuleBreak {
        code: "INITIAL_BELOW_MINIMUM",
        turns_ahead: 0,
        action: |player| player.play().and_then(cheap_meld),
    },
    RuleBreak { code: "MELD_TOO_SMALL", turns_ahead: 0, action: |player| player.play().and_then(pair) },
    RuleBreak {
        code: "MELD_MIXED_RANKS",
        turns_ahead: 0,
        action: |player| player.play().and_then(three_ranks),
    },
    RuleBreak {
        code: "PILE_FROZEN_NEEDS_PAIR",
        turns_ahead: 0,
        action: |player| player.start().and_then(take_with_one),
    },
    RuleBreak {
        code: "PILE_TOP_BLACK_THREE",
        turns_ahead: 0,
        action: |player| player.start().and_then(take_three),
    },
    RuleBreak {
        code: "STOCK_NOT_EMPTY",
        turns_ahead: 0,
        action: |player| player.start().map(|_| end_round()),
    },
];

/// The view of a seat that is to act.
pub struct PlayerView<'a> {
    view: &'a View,
    hand: Vec<Card>,
    opened: bool,
}

impl<'a> PlayerView<'a> {
    /// Returns the view of `seat`, which is to act.
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
    Kind::TakePile(pa::TakePile { cards: texts(with), onto: None, also: Vec::new() })
}

fn first_discard(player: &PlayerView) -> Option<Kind> {
    player.hand.first().map(|&card| discard(card))
}

fn strange_discard(player: &PlayerView) -> Option<Kind> {
    Card::all().find(|card| !player.hand.contains(card)).map(discard)
}

/// Returns a meld of three naturals whose points are below every minimum.
fn cheap_meld(player: &PlayerView) -> Option<Kind> {
    if player.opened {
        return None;
    }
    let low = [Rank::Four, Rank::Five, Rank::Six, Rank::Seven, Rank::Eight, Rank::Nine, Rank::Ten];
    let cards = low.into_iter().map(|rank| player.of_rank(rank)).find(|cards| cards.len() >= 3)?;
    Some(set(&cards[..3]))
}

/// Returns a meld of two cards that no meld of the side can take.
fn pair(player: &PlayerView) -> Option<Kind> {
    if player.opened {
        return None;
    }
    let cards = Rank::NATURAL.into_iter().map(|rank| player.of_rank(rank)).find(|cards| cards.len() == 2)?;
    Some(set(&cards))
}

fn three_ranks(player: &PlayerView) -> Option<Kind> {
    let mut cards: Vec<Card> = player.hand.iter().copied().filter(|card| card.rank().is_natural()).collect();
    cards.sort_by_key(|card| card.rank());
    cards.dedup_by_key(|card| card.rank());
    (cards.len() >= 3).then(|| set(&cards[..3]))
}

/// Returns a take of the frozen pile with one natural of the top's rank and a wild card.
fn take_with_one(player: &PlayerView) -> Option<Kind> {
    let top = player.top().filter(|top| top.rank().is_natural())?;
    let frozen = !player.opened || player.view.pile.as_ref().is_some_and(|pile| !pile.frozen.is_empty());
    let naturals = player.of_rank(top.rank());
    let wild = player.hand.iter().copied().find(|card| card.is_wild())?;
    (frozen && naturals.len() == 1).then(|| take(&[naturals[0], wild]))
}

fn take_three(player: &PlayerView) -> Option<Kind> {
    player.top().filter(|top| top.class() == Class::BlackThree).map(|_| take(&[]))
}
