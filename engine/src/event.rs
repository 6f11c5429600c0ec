//! Events: what an action caused, in order (spec: interchange form, "Events").
//!
//! Complete enough that a reader who knows no rules can show the table.

use crate::action::{About, CardList, MeldId, MeldKind, SpecialHand};
use crate::card::{Card, Rank};
use crate::seat::{Seat, Side};
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The events of one action, in order.
pub type Events = SmallVec<[Event; 4]>;

/// What kind of canasta a meld has become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Grade {
    Natural,
    Mixed,
    Wild,
    Sequence,
}

impl Grade {
    /// Returns the grade in a word (`natural`).
    pub fn name(self) -> &'static str {
        ["natural", "mixed", "wild", "sequence"][self as usize]
    }
}

/// Why a pile is frozen (ALG-04). The order is that of the facts of PILE_FROZEN_NEEDS_PAIR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum FreezeCause {
    Wild,
    RedThree,
    NotOpened,
    Always,
}

impl FreezeCause {
    /// All causes, in the order of the facts.
    pub const ALL: [Self; 4] = [Self::Wild, Self::RedThree, Self::NotOpened, Self::Always];

    /// The cause's name in facts (`WILD`).
    pub fn name(self) -> &'static str {
        ["WILD", "RED_THREE", "NOT_OPENED", "ALWAYS"][self as usize]
    }
}

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Event {
    /// `seating[k]` is the player on seat k.
    Drawn {
        picks: Vec<CardList>,
        seating: Vec<Seat>,
        dealer: Seat,
    },
    /// Hands in the order dealt, by seat.
    Dealt {
        hands: Vec<CardList>,
        foot_sizes: Vec<u16>,
        talon_sizes: Vec<u16>,
    },
    /// One a card turned; `covered` when another is then turned onto it.
    Upcard {
        card: Card,
        covered: bool,
    },
    Drew {
        seat: Seat,
        cards: CardList,
    },
    ThreeLaid {
        seat: Seat,
        card: Card,
    },
    Replaced {
        seat: Seat,
        card: Card,
    },
    /// The cards added now; `rank` for sets only.
    Melded {
        side: Side,
        meld: MeldId,
        kind: MeldKind,
        rank: Option<Rank>,
        cards: CardList,
    },
    /// When a meld becomes a canasta, and again when its grade changes.
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
    /// The cards that go to the hand, bottom to top, without the top card.
    TookPile {
        seat: Seat,
        cards: CardList,
    },
    TookTop {
        seat: Seat,
        card: Card,
    },
    RestoredPile {
        seat: Seat,
    },
    Discarded {
        seat: Seat,
        card: Card,
        face_down: bool,
    },
    /// The pile was open and is now frozen against everyone.
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
    TookTalon {
        seat: Seat,
        cards: CardList,
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
