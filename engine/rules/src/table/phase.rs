//! The phases of a game, and the end of a round.

use crate::action::choices::{values, word};
use crate::seat::Seat;

/// The phase of a game.
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
    /// A question has not been answered yet.
    Asked = 4,
    /// The round has ended and is not scored yet.
    RoundOver = 5,
    /// The game has its result.
    GameOver = 6,
    /// The seat in turn has taken the top of the pile tentatively (ALG-07).
    Taking = 7,
}

/// The phases with their names.
const PHASES: [(Phase, &str); 8] = [
    (Phase::Setup, "SETUP"),
    (Phase::Deal, "DEAL"),
    (Phase::Start, "START"),
    (Phase::Play, "PLAY"),
    (Phase::Asked, "ASKED"),
    (Phase::RoundOver, "ROUND_OVER"),
    (Phase::GameOver, "GAME_OVER"),
    (Phase::Taking, "TAKING"),
];

impl Phase {
    /// All phases, by number.
    pub const ALL: [Self; 8] = values(&PHASES);

    /// Returns the phase's name in facts and views (`START`).
    pub fn name(self) -> &'static str {
        word(&PHASES, self)
    }
}

/// The reason why a round ended (ALG-24).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum EndReason {
    /// The end of round 0, in which cards were drawn for seats and dealer.
    #[default]
    Drawn = 0,
    /// A seat went out.
    WentOut = 1,
    /// The stock was empty, and the seat in turn declined to play on.
    StockExhausted = 2,
    /// The last card of the stock was a red three, which nothing could replace (CL-093).
    LastThree = 3,
    /// The stock ran out, and the seat that drew last has finished its turn (HF-086).
    LastDrawerDone = 4,
    /// A special hand was shown.
    SpecialHand = 5,
    /// A ruling ended the round.
    Ruled = 6,
    /// The deal is void.
    Voided = 7,
}

impl EndReason {
    /// All reasons, by number.
    pub const ALL: [Self; 8] = values(&END_REASONS);

    /// Returns the reason's name in facts (`WENT_OUT`).
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

    /// Returns the reason's word in the interchange form (`went_out`).
    pub fn name(self) -> &'static str {
        word(&END_REASONS, self)
    }
}

/// The reasons why a round ended.
pub const END_REASONS: [(EndReason, &str); 8] = [
    (EndReason::Drawn, "drawn"),
    (EndReason::WentOut, "went_out"),
    (EndReason::StockExhausted, "stock_exhausted"),
    (EndReason::LastThree, "last_three"),
    (EndReason::LastDrawerDone, "last_drawer_done"),
    (EndReason::SpecialHand, "special_hand"),
    (EndReason::Ruled, "ruled"),
    (EndReason::Voided, "voided"),
];

/// The end of a round: its cause and its seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundOver {
    /// The cause of the end.
    pub reason: EndReason,
    /// The seat whose action ended the round.
    pub seat: Option<Seat>,
    /// Whether that seat went out concealed.
    pub concealed: bool,
}

impl RoundOver {
    /// Returns the end of a round that no seat brought about.
    pub const fn without_seat(reason: EndReason) -> Self {
        Self { reason, seat: None, concealed: false }
    }
}
