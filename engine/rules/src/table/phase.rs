//! Where a game stands, and how a round ends.

use crate::seat::Seat;

/// Where the game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Phase {
    /// The next record is a register.
    Setup = 0,
    /// The next action is `deal`.
    Deal = 1,
    /// The seat in turn has not drawn or taken yet.
    Start = 2,
    /// The seat in turn may meld and must discard.
    Play = 3,
    /// A question waits for its answer.
    Asked = 4,
    /// The round has ended and is not scored yet.
    RoundOver = 5,
    /// The game has its result.
    GameOver = 6,
    /// The seat in turn has taken the top of the pile tentatively (ALG-07).
    Taking = 7,
}

impl Phase {
    /// All phases, by number.
    pub const ALL: [Self; 8] = [
        Self::Setup,
        Self::Deal,
        Self::Start,
        Self::Play,
        Self::Asked,
        Self::RoundOver,
        Self::GameOver,
        Self::Taking,
    ];

    /// The phase's name in facts and views (`START`).
    pub fn name(self) -> &'static str {
        ["SETUP", "DEAL", "START", "PLAY", "ASKED", "ROUND_OVER", "GAME_OVER", "TAKING"][self as usize]
    }
}

/// Why a round ended (ALG-24).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum EndReason {
    /// Round 0: cards were drawn for seats and dealer.
    Drawn = 0,
    WentOut = 1,
    StockExhausted = 2,
    LastThree = 3,
    LastDrawerDone = 4,
    SpecialHand = 5,
    Ruled = 6,
    Voided = 7,
}

impl EndReason {
    /// All reasons, by number.
    pub const ALL: [Self; 8] = [
        Self::Drawn,
        Self::WentOut,
        Self::StockExhausted,
        Self::LastThree,
        Self::LastDrawerDone,
        Self::SpecialHand,
        Self::Ruled,
        Self::Voided,
    ];

    /// The reason's name in facts (`WENT_OUT`).
    pub fn fact(self) -> &'static str {
        const NAMES: [&str; 8] = [
            "DRAWN",
            "WENT_OUT",
            "STOCK_EXHAUSTED",
            "LAST_THREE",
            "LAST_DRAWER_DONE",
            "SPECIAL_HAND",
            "RULED",
            "VOIDED",
        ];
        NAMES[self as usize]
    }

    /// The interchange form's word (`went_out`).
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 8] = [
            "drawn",
            "went_out",
            "stock_exhausted",
            "last_three",
            "last_drawer_done",
            "special_hand",
            "ruled",
            "voided",
        ];
        NAMES[self as usize]
    }
}

/// How a round ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundOver {
    /// The cause.
    pub reason: EndReason,
    /// The seat whose action ended the round.
    pub seat: Option<Seat>,
    /// Whether that seat went out concealed.
    pub concealed: bool,
}
