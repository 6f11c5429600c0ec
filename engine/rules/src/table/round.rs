//! What of a round and of a turn is remembered besides the cards.

use super::RoundOver;
use crate::action::{MeldId, SpecialHand};
use crate::card::{Card, Cards};
use crate::seat::{MAX_SEATS, Seat};
use alloc::vec::Vec;

/// Where this turn's cards came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Source {
    None = 0,
    Stock = 1,
    /// The pile, or its top while that is taken tentatively.
    Pile = 2,
    /// The top of the pile alone, by the duty of HN-048.
    TopOnly = 3,
}

/// The state of this turn's question whether to go out (ALG-17).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Permission {
    None,
    /// `to` was asked and has not answered.
    Pending {
        to: Seat,
    },
    Yes,
    /// Refused by this seat.
    No {
        by: Seat,
    },
}

/// What has become of this turn's request to meld after its own discard (HF-073).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Courtesy {
    None,
    /// This opponent answers next; those before it have consented.
    Asked(Seat),
    Granted,
    /// Refused by this opponent.
    Refused(Seat),
}

/// What one mate has answered where all are asked (AMB-WH-04). A side has three seats at most, so one waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The mate.
    pub by: Seat,
    /// What it said.
    pub yes: bool,
}

/// Which of the dealer's cuts took off exactly the cards that were dealt from them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    /// The cut of the hands (WH-013, HF-025).
    pub hands: bool,
    /// The cut of the feet (HF-027).
    pub feet: bool,
}

/// What of a round is remembered besides the cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Rounds count from 1; 0 is the draw for sides and dealer.
    pub number: u16,
    /// 1, and one more for each voided deal of this round.
    pub attempt: u16,
    /// The dealer of the round.
    pub dealer: Seat,
    /// Bit per side that has made its initial meld.
    pub opened: u8,
    /// Bit per seat that has laid a meld or an addition in this round.
    pub has_melded: u8,
    /// Bit per seat that has asked in this round.
    pub asked: u8,
    /// Bit per seat that has finished a turn, where it decides which threes are late (IR-042); else 0.
    pub played: u8,
    /// How many cards at the bottom of the pile were turned at the deal.
    pub start_len: u16,
    /// Exact cuts that this round's score pays for (WH-094, HF-025, HF-027).
    pub cut: Cut,
    /// The seat that may still take the talon it has earned, where it must do so itself (IR-060).
    pub offered: Option<Seat>,
    /// The seat that an opponent may call upon to show its hand, until the next seat acts (AC-49).
    pub reveal: Option<Seat>,
    /// Bit per seat that may still meld what it held at its own discard (AMB-HF-14).
    pub courteous: u8,
    /// The special hand that ended the round, of the seat that `over` names.
    pub special: Option<SpecialHand>,
    /// The next meld id of each side.
    pub next_id: [u8; MAX_SEATS],
    /// How often each side has put a tentatively taken top back (HN-039).
    pub restores: [u16; MAX_SEATS],
    /// The seat that plays alone against the other two, once three players' sides have formed (ALG-22).
    pub lone: Option<Seat>,
    /// How the round ended, until the next deal.
    pub over: Option<RoundOver>,
}

/// What of a turn is remembered besides the cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The seat in turn.
    pub seat: Seat,
    /// Where the cards of the turn came from.
    pub source: Source,
    /// A meld action (not the take itself) was made since the draw: the window to ask is closed.
    pub melded_since_draw: bool,
    /// The answer to the question whether to go out.
    pub permission: Permission,
    /// The mate who has answered while the other still has to (ask_whom ALL).
    pub answered: Option<Answer>,
    /// Whether the seat may meld after its discard.
    pub courtesy: Courtesy,
    /// The seat had melded in this round before this turn began (ALG-18).
    pub melded_before: bool,
    /// A card of this turn went onto a meld that existed when the turn began (ALG-18).
    pub touched_old: bool,
    /// Melds of the own side with this id or above were begun in this turn.
    pub new_from: u8,
    /// What was laid in this turn and may still return to the hand, by meld; empty without `undo_meld`
    /// (HN-013).
    pub loose: Vec<Loose>,
    /// Nothing replaced a red three, the last card of the stock: the turn has no discard (clarification 7).
    pub no_discard: bool,
    /// Threes of the hand that came since the last turn and are not too late to be laid (MA-033) or
    /// replaced (IR-042), where that matters; else none.
    pub fresh: Cards,
    /// The hand was all wild when the draw was done, where only that lets a wild be discarded (MA-085).
    pub all_wild_draw: bool,
}

/// Cards of one meld that were laid in this turn and are not locked (ALG-07).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loose {
    /// The own meld.
    pub meld: MeldId,
    /// Those of its cards, the tentatively taken top included; never empty.
    pub cards: Cards,
}

/// The top of the pile while it is taken tentatively (ALG-07).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TakenTop {
    /// The card.
    pub card: Card,
    /// The own meld it lies in; `None`: it has not been laid.
    pub meld: Option<MeldId>,
}

impl Round {
    pub(crate) fn new(number: u16, attempt: u16, dealer: Seat) -> Self {
        Self {
            number,
            attempt,
            dealer,
            opened: 0,
            has_melded: 0,
            asked: 0,
            played: 0,
            offered: None,
            reveal: None,
            courteous: 0,
            special: None,
            start_len: 0,
            cut: Cut::default(),
            next_id: [0; MAX_SEATS],
            restores: [0; MAX_SEATS],
            lone: None,
            over: None,
        }
    }
}

impl Turn {
    pub(crate) fn of(seat: Seat, melded_before: bool, new_from: u8) -> Self {
        Self {
            seat,
            source: Source::None,
            melded_since_draw: false,
            permission: Permission::None,
            answered: None,
            courtesy: Courtesy::None,
            melded_before,
            touched_old: false,
            new_from,
            loose: Vec::new(),
            no_discard: false,
            fresh: Cards::EMPTY,
            all_wild_draw: false,
        }
    }
}
