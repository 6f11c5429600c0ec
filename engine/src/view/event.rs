//! Events as one viewer sees them.

use crate::action::{About, As, CardList, MeldId, MeldKind, SpecialHand};
use crate::card::{Card, Rank};
use crate::event::{Event, FreezeCause, Grade};
use crate::seat::{Seat, Side};
use alloc::vec::Vec;

/// Cards, or how many there are where they may not be seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The viewer sees them.
    Cards(CardList),
    /// The viewer sees their number.
    Count(u16),
}

impl Seen {
    /// How many cards there are.
    pub fn len(&self) -> u16 {
        match self {
            Self::Cards(cards) => cards.len() as u16,
            Self::Count(count) => *count,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One thing that happened, as one viewer sees it: an [`Event`] with its hidden parts taken out.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum EventView {
    /// Cards are drawn for seats face up.
    Drawn {
        picks: Vec<CardList>,
        seating: Vec<Seat>,
        dealer: Seat,
    },
    /// By seat; a seat sees its own hand.
    Dealt {
        hands: Vec<Seen>,
        foot_sizes: Vec<u16>,
        talon_sizes: Vec<u16>,
    },
    Upcard {
        card: Card,
        covered: bool,
    },
    /// Seen by the drawer. A red three among them is shown to all by the `ThreeLaid` that follows.
    Drew {
        seat: Seat,
        cards: Seen,
    },
    ThreeLaid {
        seat: Seat,
        card: Card,
    },
    /// `None` where the viewer does not see it: seen by the drawer.
    Replaced {
        seat: Seat,
        card: Option<Card>,
    },
    Melded {
        side: Side,
        meld: MeldId,
        kind: MeldKind,
        rank: Option<Rank>,
        cards: CardList,
    },
    Canasta {
        side: Side,
        meld: MeldId,
        grade: Grade,
    },
    Merged {
        side: Side,
        a: MeldId,
        b: MeldId,
    },
    Unmelded {
        side: Side,
        meld: MeldId,
        cards: CardList,
    },
    /// Seen by the taker. The others saw each card when it was laid, but only the top is in view when the
    /// pile is taken (AMB-36): they are told how many there were.
    TookPile {
        seat: Seat,
        cards: Seen,
    },
    TookTop {
        seat: Seat,
        card: Card,
    },
    RestoredPile {
        seat: Seat,
    },
    /// `None` only where it lies face down: then no seat's view shows it (AC-47).
    Discarded {
        seat: Seat,
        card: Option<Card>,
        face_down: bool,
    },
    Froze {
        cause: FreezeCause,
    },
    Passed {
        seat: Seat,
    },
    TookFoot {
        seat: Seat,
    },
    TalonAwarded {
        seat: Seat,
        talon: u8,
    },
    /// Seen by the owner.
    TookTalon {
        seat: Seat,
        cards: Seen,
    },
    Asked {
        seat: Seat,
        about: About,
        to: Seat,
    },
    Answered {
        seat: Seat,
        yes: bool,
    },
    Revealed {
        seat: Seat,
        cards: CardList,
    },
    SidesFixed {
        lone: Seat,
    },
    WentOut {
        seat: Seat,
        concealed: bool,
    },
    SpecialHand {
        seat: Seat,
        hand: SpecialHand,
        cards: CardList,
    },
    StockExhausted,
    Ruled {
        id: u32,
    },
    Disputed {
        open: bool,
    },
    Signed {
        side: Side,
    },
    Scored,
}

/// The events of one action as `viewer` sees them: as many, in the same order.
pub fn events(events: &[Event], viewer: As) -> Vec<EventView> {
    events.iter().map(|event| event_view(event.clone(), viewer)).collect()
}

/// Whether `viewer` sees what goes to the hand of `seat`.
fn sees_hand(viewer: As, seat: Seat) -> bool {
    match viewer {
        As::Seat(own) => own == seat,
        As::Table => false,
        As::Judge | As::Director => true,
    }
}

fn seen(viewer: As, seat: Seat, cards: CardList) -> Seen {
    if sees_hand(viewer, seat) { Seen::Cards(cards) } else { Seen::Count(cards.len() as u16) }
}

fn event_view(event: Event, viewer: As) -> EventView {
    let hand = |seat, cards| seen(viewer, seat, cards);
    match event {
        Event::Drawn { picks, seating, dealer } => EventView::Drawn { picks, seating, dealer },
        Event::Dealt { hands, foot_sizes, talon_sizes } => EventView::Dealt {
            hands: (0..).map(Seat).zip(hands).map(|(seat, cards)| hand(seat, cards)).collect(),
            foot_sizes,
            talon_sizes,
        },
        Event::Upcard { card, covered } => EventView::Upcard { card, covered },
        Event::Drew { seat, cards } => EventView::Drew { seat, cards: hand(seat, cards) },
        Event::ThreeLaid { seat, card } => EventView::ThreeLaid { seat, card },
        Event::Replaced { seat, card } => {
            EventView::Replaced { seat, card: sees_hand(viewer, seat).then_some(card) }
        }
        Event::Melded { side, meld, kind, rank, cards } => {
            EventView::Melded { side, meld, kind, rank, cards }
        }
        Event::Canasta { side, meld, grade } => EventView::Canasta { side, meld, grade },
        Event::Merged { side, a, b } => EventView::Merged { side, a, b },
        Event::Unmelded { side, meld, cards } => EventView::Unmelded { side, meld, cards },
        Event::TookPile { seat, cards } => EventView::TookPile { seat, cards: hand(seat, cards) },
        Event::TookTop { seat, card } => EventView::TookTop { seat, card },
        Event::RestoredPile { seat } => EventView::RestoredPile { seat },
        Event::Discarded { seat, card, face_down } => {
            let shown = !face_down || matches!(viewer, As::Judge | As::Director);
            EventView::Discarded { seat, card: shown.then_some(card), face_down }
        }
        Event::Froze { cause } => EventView::Froze { cause },
        Event::Passed { seat } => EventView::Passed { seat },
        Event::TookFoot { seat } => EventView::TookFoot { seat },
        Event::TalonAwarded { seat, talon } => EventView::TalonAwarded { seat, talon },
        Event::TookTalon { seat, cards } => EventView::TookTalon { seat, cards: hand(seat, cards) },
        Event::Asked { seat, about, to } => EventView::Asked { seat, about, to },
        Event::Answered { seat, yes } => EventView::Answered { seat, yes },
        Event::Revealed { seat, cards } => EventView::Revealed { seat, cards },
        Event::SidesFixed { lone } => EventView::SidesFixed { lone },
        Event::WentOut { seat, concealed } => EventView::WentOut { seat, concealed },
        Event::SpecialHand { seat, hand, cards } => EventView::SpecialHand { seat, hand, cards },
        Event::StockExhausted => EventView::StockExhausted,
        Event::Ruled { id } => EventView::Ruled { id },
        Event::Disputed { open } => EventView::Disputed { open },
        Event::Signed { side } => EventView::Signed { side },
        Event::Scored => EventView::Scored,
    }
}
