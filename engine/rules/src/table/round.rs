//! The facts of a round and of a turn besides the cards.

use super::RoundOver;
use crate::action::{MeldId, SpecialHand};
use crate::card::{Card, Cards};
use crate::seat::{SEATS_MAX, Seat};
use alloc::vec::Vec;

/// The source of this turn's cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Source {
    /// No cards yet: the turn begins.
    #[default]
    None = 0,
    /// The stock.
    Stock = 1,
    /// The pile, or its top while the top is taken tentatively.
    Pile = 2,
    /// Only the top of the pile, because of the duty of HN-048.
    TopOnly = 3,
}

/// The state of this turn's question whether to go out (ALG-17).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Permission {
    /// No question.
    #[default]
    None,
    /// `to` was asked and has not answered.
    Pending {
        /// The seat that was asked.
        to: Seat,
    },
    /// The seats that were asked agreed.
    Yes,
    /// Refused by this seat.
    No {
        /// The seat that refused.
        by: Seat,
    },
}

/// The state of this turn's request to meld after its own discard (HF-073).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Courtesy {
    /// No request.
    #[default]
    None,
    /// This opponent answers next; those before it have consented.
    Asked(Seat),
    /// All opponents have consented.
    Granted,
    /// Refused by this opponent.
    Refused(Seat),
}

/// The answer of one mate, if all mates are asked (AMB-WH-04). A side has at most three seats, so at most one
/// answer is kept while the other mate still has to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The mate who answered.
    pub by: Seat,
    /// Whether the mate said yes.
    pub yes: bool,
}

/// The cuts by which the dealer took off exactly the cards that were then dealt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    /// Whether the cut of the hands was exact (WH-013, HF-025).
    pub hands: bool,
    /// Whether the cut of the feet was exact (HF-027).
    pub feet: bool,
}

/// The facts of a round besides the cards.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// The number of the round, from 1; 0 is the draw for sides and dealer.
    pub number: u16,
    /// The number of the deal within the round: 1 plus the number of voided deals.
    pub attempt: u16,
    /// The dealer of the round.
    pub dealer: Seat,
    /// Bit per side that has made its initial meld.
    pub opened: u8,
    /// Bit per seat that has begun a meld or added to one in this round.
    pub has_melded: u8,
    /// Bit per seat that has asked in this round.
    pub asked: u8,
    /// Bit per seat that has finished a turn, if that decides which threes are late (IR-042); else 0.
    pub played: u8,
    /// The number of cards at the bottom of the pile that were turned at the deal.
    pub start_len: u16,
    /// Exact cuts that this round's score pays for (WH-094, HF-025, HF-027).
    pub cut: Cut,
    /// The seat that may still take the talon it has earned, if the rule set does not award talons
    /// automatically (IR-060).
    pub offered: Option<Seat>,
    /// The seat that an opponent may call upon to show its hand, until the next seat acts (AC-49).
    pub reveal: Option<Seat>,
    /// Bit per seat that may still meld cards that it held at its own discard (AMB-HF-14).
    pub courteous: u8,
    /// The special hand that ended the round; its seat is in `over`.
    pub special: Option<SpecialHand>,
    /// The next meld id of each side.
    pub next_id: [u8; SEATS_MAX],
    /// The number of times that each side has put a tentatively taken top back (HN-039).
    pub restores: [u16; SEATS_MAX],
    /// The seat that plays alone against the other two, once the sides of three players have formed (ALG-22).
    pub lone: Option<Seat>,
    /// The end of the round; kept until the next deal.
    pub over: Option<RoundOver>,
}

/// The facts of a turn besides the cards.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Turn {
    /// The seat in turn.
    pub seat: Seat,
    /// The source of the turn's cards.
    pub source: Source,
    /// Whether a meld action (not the take itself) was made since the draw. This closes the window to ask.
    pub melded_since_draw: bool,
    /// The state of the question whether to go out.
    pub permission: Permission,
    /// The answer of one mate while the other mate still has to answer (ask_whom ALL).
    pub answered: Option<Answer>,
    /// The state of the request to meld after the discard.
    pub courtesy: Courtesy,
    /// Whether the seat had melded in this round before this turn began (ALG-18).
    pub melded_before: bool,
    /// Whether a card of this turn went onto a meld that existed when the turn began (ALG-18).
    pub touched_old: bool,
    /// The first id of this turn: melds of the own side with this id or a higher one were begun in this turn.
    pub new_from: u8,
    /// The cards that were laid in this turn and may still return to the hand, by meld; empty if the rule set
    /// has no `undo_meld` (HN-013).
    pub loose: Vec<Loose>,
    /// Whether the turn has no discard, because a red three was the last card of the stock and nothing
    /// replaced it (clarification 7).
    pub no_discard: bool,
    /// Threes in the hand that came since the last turn and can still be laid (MA-033) or replaced (IR-042)
    /// in time; empty if the rule set has no such limit.
    pub fresh: Cards,
    /// Whether the hand was all wild after the draw. Kept only if the rule set allows a wild to be discarded
    /// in this case only (MA-085).
    pub all_wild_draw: bool,
}

/// Cards of one meld that were laid in this turn and are not locked (ALG-07).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loose {
    /// The meld, of the own side.
    pub meld: MeldId,
    /// The cards of the meld that are not locked, including a tentatively taken top; never empty.
    pub cards: Cards,
}

/// The top of the pile while it is taken tentatively (ALG-07).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TakenTop {
    /// The card.
    pub card: Card,
    /// The own meld in which the card lies; `None` if the card has not been laid.
    pub meld: Option<MeldId>,
}

impl Source {
    /// Returns the name of the source in facts.
    pub fn name(self) -> &'static str {
        ["NONE", "STOCK", "PILE", "TOP_ONLY"][self as usize]
    }
}

impl Round {
    pub(crate) fn new(number: u16, attempt: u16, dealer: Seat) -> Self {
        Self { number, attempt, dealer, ..Self::default() }
    }
}

impl Turn {
    pub(crate) fn of(seat: Seat, melded_before: bool, new_from: u8) -> Self {
        Self { seat, melded_before, new_from, ..Self::default() }
    }
}
