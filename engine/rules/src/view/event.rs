//! Events as one viewer sees them.

use crate::action::{As, CardList};
use crate::card::Card;
use crate::event::Event;
use crate::seat::Seat;
use alloc::vec::Vec;

/// Cards, or the number of cards if the viewer may not see them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The viewer sees the cards.
    Cards(CardList),
    /// The viewer sees how many cards there are.
    Count(u16),
}

impl Seen {
    /// Returns the number of cards.
    pub fn len(&self) -> u16 {
        match self {
            Self::Cards(cards) => cards.len() as u16,
            Self::Count(count) => *count,
        }
    }

    /// Whether there are no cards.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// An event as one viewer sees it. A single card is `None` if the viewer does not see it.
pub type EventView = Event<Seen, Option<Card>>;

/// Returns the events of one action as `viewer` sees them: the same number, in the same order.
pub fn events(events: &[Event], viewer: As) -> Vec<EventView> {
    events.iter().map(|event| event_view(event.clone(), viewer)).collect()
}

/// Whether `viewer` sees what goes to the hand of `seat`.
fn sees_hand(viewer: As, seat: Seat) -> bool {
    match viewer {
        As::Seat(own) => own == seat,
        As::Table | As::Spectator => false,
        As::Judge | As::Director => true,
    }
}

/// Returns cards that go to the hand of `seat` as `viewer` sees them.
fn seen(viewer: As, seat: Seat, cards: CardList) -> Seen {
    if sees_hand(viewer, seat) { Seen::Cards(cards) } else { Seen::Count(cards.len() as u16) }
}

/// Conceals what `viewer` may not see. The arms that conceal nothing change only the type.
fn event_view(event: Event, viewer: As) -> EventView {
    let hand = |seat, cards| seen(viewer, seat, cards);
    match event {
        Event::Drawn { picks, seating, dealer } => Event::Drawn { picks, seating, dealer },
        Event::Dealt { hands, foot_sizes, talon_sizes } => Event::Dealt {
            hands: (0..).map(Seat).zip(hands).map(|(seat, cards)| hand(seat, cards)).collect(),
            foot_sizes,
            talon_sizes,
        },
        Event::Upcard { card, covered } => Event::Upcard { card, covered },
        Event::Drew { seat, cards } => Event::Drew { seat, cards: hand(seat, cards) },
        Event::ThreeLaid { seat, card } => Event::ThreeLaid { seat, card },
        Event::Replaced { seat, card } => {
            Event::Replaced { seat, card: sees_hand(viewer, seat).then_some(card) }
        }
        Event::Melded { side, meld, kind, rank, cards } => Event::Melded { side, meld, kind, rank, cards },
        Event::Canasta { side, meld, grade } => Event::Canasta { side, meld, grade },
        Event::Merged { side, a, b } => Event::Merged { side, a, b },
        Event::Unmelded { side, meld, cards } => Event::Unmelded { side, meld, cards },
        Event::TookPile { seat, cards } => Event::TookPile { seat, cards: hand(seat, cards) },
        Event::TookTop { seat, card } => Event::TookTop { seat, card },
        Event::RestoredPile { seat } => Event::RestoredPile { seat },
        Event::Discarded { seat, card, face_down } => {
            let shown = !face_down || matches!(viewer, As::Judge | As::Director);
            Event::Discarded { seat, card: shown.then_some(card), face_down }
        }
        Event::Froze { cause } => Event::Froze { cause },
        Event::Passed { seat } => Event::Passed { seat },
        Event::TookFoot { seat } => Event::TookFoot { seat },
        Event::TalonAwarded { seat, talon } => Event::TalonAwarded { seat, talon },
        Event::TookTalon { seat, cards } => Event::TookTalon { seat, cards: hand(seat, cards) },
        Event::Asked { seat, about, to } => Event::Asked { seat, about, to },
        Event::Answered { seat, yes } => Event::Answered { seat, yes },
        Event::Revealed { seat, cards } => Event::Revealed { seat, cards },
        Event::SidesFixed { lone } => Event::SidesFixed { lone },
        Event::WentOut { seat, concealed } => Event::WentOut { seat, concealed },
        Event::SpecialHand { seat, hand, cards } => Event::SpecialHand { seat, hand, cards },
        Event::StockExhausted => Event::StockExhausted,
        Event::Ruled { id, points } => Event::Ruled { id, points },
        Event::Disputed { open } => Event::Disputed { open },
        Event::Signed { side } => Event::Signed { side },
        Event::Scored => Event::Scored,
    }
}
