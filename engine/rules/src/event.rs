//! Events: what an action caused, in order (spec: interchange form, "Events").
//!
//! The events are complete: a reader who does not know the rules can show the table from the events alone.

use crate::action::choices::{values, word};
use crate::action::{About, CardList, MeldId, MeldKind, SpecialHand};
use crate::card::{Card, Rank};
use crate::seat::{Seat, Side};
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The events of one action, in order.
pub type Events = SmallVec<[Event; 4]>;

/// The kind of canasta that a meld has become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grade {
    /// A canasta without wild cards.
    Natural,
    /// A canasta with wild cards among naturals.
    Mixed,
    /// A canasta of wild cards only.
    Wild,
    /// A canasta of consecutive cards of one suit.
    Sequence,
}

/// The grades. A grade has a number and a word as the choices of an [action](crate::action::choices) have.
pub const GRADES: [(Grade, &str); 4] = [
    (Grade::Natural, "natural"),
    (Grade::Mixed, "mixed"),
    (Grade::Wild, "wild"),
    (Grade::Sequence, "sequence"),
];

impl Grade {
    /// Returns the grade in a word (`natural`).
    pub fn name(self) -> &'static str {
        word(&GRADES, self)
    }
}

/// The reason why a pile is frozen (ALG-04). The order is that of the facts of PILE_FROZEN_NEEDS_PAIR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FreezeCause {
    /// A wild card lies in the pile.
    Wild,
    /// A red three lies in the pile.
    RedThree,
    /// The side has not melded: the pile is frozen against this side only.
    NotOpened,
    /// The rule set freezes every pile.
    Always,
    /// Cards that the deal turned lie in the pile, which nobody has taken since (CL-116).
    Start,
}

/// The causes. A cause has a number and a word as the choices of an [action](crate::action::choices) have.
pub const FREEZE_CAUSES: [(FreezeCause, &str); 5] = [
    (FreezeCause::Wild, "wild"),
    (FreezeCause::RedThree, "red_three"),
    (FreezeCause::NotOpened, "not_opened"),
    (FreezeCause::Always, "always"),
    (FreezeCause::Start, "start"),
];

impl FreezeCause {
    /// All causes, in the order of the facts.
    pub const ALL: [Self; 5] = values(&FREEZE_CAUSES);

    /// Returns the cause in words, to follow "frozen" (`by a wild card`).
    pub fn words(self) -> &'static str {
        ["by a wild card", "by a red three", "until the side melds", "always", "until it is first taken"]
            [self as usize]
    }

    /// Returns the cause's name in facts (`WILD`).
    pub fn name(self) -> &'static str {
        ["WILD", "RED_THREE", "NOT_OPENED", "ALWAYS", "START"][self as usize]
    }
}

/// One thing that happened.
///
/// `Hand` is the type of cards that go to a hand. `One` is the type of a single card that a viewer may not see. The
/// engine makes events with all cards. [`EventView`](crate::view::EventView) is the same enum with the cards that one
/// viewer sees.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Event<Hand = CardList, One = Card> {
    /// The players have drawn cards for seats, face up.
    Drawn {
        /// The cards that each player drew, in order.
        picks: Vec<CardList>,
        /// `seating[k]` is the player on seat k.
        seating: Vec<Seat>,
        /// The first dealer.
        dealer: Seat,
    },
    /// A round is dealt.
    Dealt {
        /// The hands by seat, each in the order dealt.
        hands: Vec<Hand>,
        /// The number of cards in each foot: the first feet by seat, then the second ones. Empty if there are no feet.
        foot_sizes: Vec<u16>,
        /// The number of cards in each talon. Empty if there are no talons.
        talon_sizes: Vec<u16>,
    },
    /// A card was turned to start the pile: one event per card.
    Upcard {
        /// The card turned.
        card: Card,
        /// Whether another card is then turned onto this one.
        covered: bool,
    },
    /// A seat drew from the stock. A red three among the cards is shown to all by the `ThreeLaid` that follows.
    Drew {
        /// The seat that drew.
        seat: Seat,
        /// The cards drawn, in order.
        cards: Hand,
    },
    /// A three was laid on the table.
    ThreeLaid {
        /// The seat that laid the card.
        seat: Seat,
        /// The three.
        card: Card,
    },
    /// A seat drew a card in place of a three that was laid.
    Replaced {
        /// The seat that drew.
        seat: Seat,
        /// The card drawn, which only the drawer sees.
        card: One,
    },
    /// Cards were added to a meld, or laid as a new one.
    Melded {
        /// The side that owns the meld.
        side: Side,
        /// The meld.
        meld: MeldId,
        /// The kind of the meld.
        kind: MeldKind,
        /// The rank of a set; `None` for other kinds.
        rank: Option<Rank>,
        /// The cards added by this event.
        cards: CardList,
    },
    /// A meld became a canasta, or the grade of a canasta changed.
    Canasta {
        /// The side that owns the meld.
        side: Side,
        /// The meld.
        meld: MeldId,
        /// The grade that the canasta has now.
        grade: Grade,
    },
    /// Two melds were merged into one.
    Merged {
        /// The side that owns the melds.
        side: Side,
        /// The meld that stays.
        a: MeldId,
        /// The meld whose cards went to `a`.
        b: MeldId,
    },
    /// Cards went back from a meld to the hand.
    Unmelded {
        /// The side that owns the meld.
        side: Side,
        /// The meld.
        meld: MeldId,
        /// The cards taken back.
        cards: CardList,
    },
    /// A seat took the pile.
    TookPile {
        /// The seat that took the pile.
        seat: Seat,
        /// The cards that go to the hand, bottom to top, without the top card. Only the taker sees them: the
        /// others saw each card when it was laid, but only the top is in view when the pile is taken (AMB-36).
        cards: Hand,
    },
    /// A seat took the top of the pile tentatively.
    TookTop {
        /// The seat that took the card.
        seat: Seat,
        /// The top card.
        card: Card,
    },
    /// A seat put back the top card that it had taken tentatively.
    RestoredPile {
        /// The seat.
        seat: Seat,
    },
    /// A seat discarded a card.
    Discarded {
        /// The seat.
        seat: Seat,
        /// The card. If the card lies face down, no seat's view shows the card (AC-47).
        card: One,
        /// Whether the card lies face down.
        face_down: bool,
    },
    /// The pile was open and is now frozen against everyone.
    Froze {
        /// The reason.
        cause: FreezeCause,
    },
    /// A seat ended its turn without a discard.
    Passed {
        /// The seat.
        seat: Seat,
    },
    /// A seat took up its foot.
    TookFoot {
        /// The seat.
        seat: Seat,
    },
    /// A seat was given a talon, which stays face down until it is taken.
    TalonAwarded {
        /// The seat.
        seat: Seat,
        /// The number of the talon, from 0.
        talon: u8,
    },
    /// A seat took its talon into the hand.
    TookTalon {
        /// The seat.
        seat: Seat,
        /// The cards of the talon, which only the owner sees.
        cards: Hand,
    },
    /// A seat asked another a question.
    Asked {
        /// The seat that asked.
        seat: Seat,
        /// The subject of the question.
        about: About,
        /// The seat that must answer.
        to: Seat,
    },
    /// A seat answered the open question.
    Answered {
        /// The seat that answered.
        seat: Seat,
        /// Whether the answer is yes.
        yes: bool,
    },
    /// A seat showed its hand to prove an exceptional discard.
    Revealed {
        /// The seat that showed its hand.
        seat: Seat,
        /// The cards of the hand.
        cards: CardList,
    },
    /// With three players: from now on one seat plays against the other two.
    SidesFixed {
        /// The seat that plays alone.
        lone: Seat,
    },
    /// A seat went out.
    WentOut {
        /// The seat.
        seat: Seat,
        /// Whether the seat went out concealed.
        concealed: bool,
    },
    /// A seat laid a special hand.
    SpecialHand {
        /// The seat.
        seat: Seat,
        /// The special hand.
        hand: SpecialHand,
        /// The cards of the hand.
        cards: CardList,
    },
    /// The stock is exhausted, and the round is over.
    StockExhausted,
    /// A ruling was made.
    Ruled {
        /// The number of the ruling, from 1.
        id: u32,
        /// The points that its effect added by side; an empty list if it added none.
        points: Vec<i32>,
    },
    /// A dispute was opened or closed.
    Disputed {
        /// Whether the dispute is now open, so that play is suspended.
        open: bool,
    },
    /// A side signed the score sheet.
    Signed {
        /// The side.
        side: Side,
    },
    /// The round was scored.
    #[default]
    Scored,
}
