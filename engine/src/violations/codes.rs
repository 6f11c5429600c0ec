//! The violation codes and their numbers.

use core::fmt;

use super::{Entry, entry};

/// Why an action was refused.
///
/// Numbers and names are for ever: they stand in logs, the API and the documentation. A new code takes
/// the next free number, and the number of a retired code is never given away. The order of the numbers
/// means nothing; the order of precedence is that of [`ALL`](super::ALL).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u16)]
pub enum Code {
    /// The game is finished (or its sheet is signed).
    GameOver = 1,
    /// Play of this round has ended.
    GameRoundOver = 2,
    /// Play is suspended.
    GameDisputeOpen = 3,
    /// Before the start signal, or after time.
    GameClock = 4,
    /// Rule set or switches contradict each other.
    SetupKnobs = 5,
    /// No form for this number.
    SetupPlayerCount = 6,
    /// Sides of unequal size, or mates side by side.
    SetupSides = 7,
    /// Cards differ from the packs and jokers, or the deck is too small.
    SetupDeck = 8,
    /// Hand, foot, talon or stock of a wrong size.
    SetupDeal = 9,
    /// Start of the pile not built as the rule set says.
    SetupStartCard = 10,
    /// Dealer other than the one whose turn to deal it is.
    SetupDealer = 11,
    /// Drawn cards tie where it matters: repick.
    SetupDrawTied = 12,
    /// Setup or deal input at another time.
    SetupWrongTime = 13,
    /// Another seat is to act.
    TurnNotYours = 14,
    /// Own discard already made.
    TurnOver = 15,
    /// The rule set has no such action.
    TurnActionNotInRules = 16,
    /// Needs the draw or the take first.
    TurnDrawFirst = 17,
    /// Second draw or take.
    TurnAlreadyDrew = 18,
    /// Not in this phase.
    TurnWrongPhase = 19,
    /// No group, or a group without a card.
    TurnEmptyAction = 20,
    /// Named card not held (counted).
    TurnCardNotInHand = 21,
    /// Draw from an empty stock.
    StockEmpty = 22,
    /// Round ended while the stock has cards.
    StockNotEmpty = 23,
    /// Round ended, or the pile taken in a wrong form, where the take is a duty.
    StockMustTakePile = 24,
    /// Nothing to take.
    PileEmpty = 25,
    /// Wild on top.
    PileTopWild = 26,
    /// Black three on top.
    PileTopBlackThree = 27,
    /// Red three on top.
    PileTopRedThree = 28,
    /// One-card hand, one-card pile.
    PileOneCard = 29,
    /// A ruling took this turn's right to the pile.
    PileForfeited = 30,
    /// A named card lies in the pile under the top.
    PileBuriedCard = 31,
    /// Pile closed to a side that had not melded before this turn.
    PileInitialTurnForbidden = 32,
    /// Top has the rank of an own canasta.
    PileCanastaRankForbidden = 33,
    /// Frozen against the side, fewer than two naturals of the rank offered.
    PileFrozenNeedsPair = 34,
    /// Not frozen, but only a pair takes it.
    PileNeedsPair = 35,
    /// Top merely added to a table meld.
    PileLayoffForbidden = 36,
    /// Top merely added to a completed canasta.
    PileCanastaTargetForbidden = 37,
    /// Natural + wild onto a canasta full of wilds.
    PileCanastaWildsFull = 38,
    /// Top would start a sequence.
    PileSequenceStart = 39,
    /// Top reaches the sequence only over a hand card.
    PileSequenceBridged = 40,
    /// Offered cards give the top no meld.
    PileTopNotMelded = 41,
    /// Pair and top would make a meld larger than a take may make.
    PileMeldTooFull = 42,
    /// Side that has not melded offers no meld from the hand.
    PileInitialMeldFirst = 43,
    /// Tentative top neither justified nor restored.
    PilePending = 44,
    /// Nothing pending, off, or cards locked.
    PileRestoreForbidden = 45,
    /// Kind of a group and its cards or target differ (also: a rank of twos or jokers named).
    MeldKindMismatch = 46,
    /// Wild meld where there is none.
    MeldWildMeldOff = 47,
    /// Sequence where there is none.
    MeldSequenceOff = 48,
    /// No such meld.
    MeldNotFound = 49,
    /// Meld of another side (three players: another seat).
    MeldNotOwnSide = 50,
    /// Melded card moved, exchanged or taken back.
    MeldFixed = 51,
    /// Wild in a sequence.
    MeldSequenceWild = 52,
    /// More than one suit.
    MeldSequenceSuits = 53,
    /// One rank twice.
    MeldSequenceDuplicate = 54,
    /// Not consecutive (ace is high only).
    MeldSequenceGap = 55,
    /// More than one natural rank.
    MeldMixedRanks = 56,
    /// A second (open) set of a rank.
    MeldRankDuplicate = 57,
    /// Rank of an opponents' canasta.
    MeldRankClosedByOpponents = 58,
    /// Fewer cards than the smallest meld has.
    MeldTooSmall = 59,
    /// More cards than the largest meld may have.
    MeldTooLarge = 60,
    /// Wild onto a completed canasta.
    MeldCanastaClosed = 61,
    /// Wild with a rank that has its own policy.
    MeldRankTakesNoWild = 62,
    /// Fewer naturals than every meld needs.
    MeldTooFewNaturals = 63,
    /// More wilds than naturals.
    MeldWildsOutnumber = 64,
    /// More wilds than a meld may hold, after merging.
    MeldTooManyWilds = 65,
    /// These two melds may not be merged.
    MeldMergeForbidden = 66,
    /// Three in a meld where it can never be.
    ThreeNotMeldable = 67,
    /// Wild among black threes.
    ThreeBlackWild = 68,
    /// Fewer than three black threes, or more than the packs hold.
    ThreeBlackCount = 69,
    /// Another meld after the black threes.
    ThreeBlackNotLast = 70,
    /// Black threes while cards stay or going out is not legal.
    ThreeBlackNotGoingOut = 71,
    /// A three laid outside its window (or a card that is not laid).
    ThreeLayWrongTime = 72,
    /// A three that may not be kept must be laid first.
    ThreeMustBeLaid = 73,
    /// Wild outside the open wild meld.
    MeldWildsLocked = 74,
    /// Count under the minimum.
    InitialBelowMinimum = 75,
    /// Batch lacks the natural triple or wild meld / the clean or wild meld.
    InitialContentMissing = 76,
    /// No card left for the final discard.
    GoOutDiscardRequired = 77,
    /// Going out without the compulsory question.
    GoOutNotAsked = 78,
    /// Going out after "no".
    GoOutRefused = 79,
    /// Fewer cards stay than must be kept; the reasons against going out follow.
    MeldLeavesTooFewCards = 80,
    /// Too few canastas.
    GoOutNeedsCanastas = 81,
    /// Too few clean canastas.
    GoOutNeedsClean = 82,
    /// Too few wild canastas.
    GoOutNeedsWild = 83,
    /// Too few sequence canastas.
    GoOutNeedsSequence = 84,
    /// A mate still plays the hand.
    GoOutNeedsHandsFinished = 85,
    /// Open sevens or pure aces bar it.
    GoOutIncompleteMeld = 86,
    /// No legal way left to end the turn.
    MeldLeavesNoFinish = 87,
    /// Not going out, or no longer able to, after "yes".
    GoOutBound = 88,
    /// Pass where a discard is due.
    DiscardRequired = 89,
    /// A penalty card must go first.
    DiscardPenaltyCardFirst = 90,
    /// This three may not be discarded.
    DiscardThreeForbidden = 91,
    /// Wild discard outside the exceptions.
    DiscardWildForbidden = 92,
    /// Barred rank onto an empty pile.
    DiscardRankOnEmptyPile = 93,
    /// Safe card onto an empty pile.
    DiscardSafeOnEmptyPile = 94,
    /// Nobody to ask, or the rule set has no question.
    AskNoPartner = 95,
    /// A question is open.
    AskPending = 96,
    /// Answer without a question.
    AskNothingPending = 97,
    /// Answer by a seat not asked.
    AskNotAddressed = 98,
    /// Limit of questions reached.
    AskUsedUp = 99,
    /// Outside the time for asking.
    AskTooLate = 100,
    /// Asked although no legal going out exists.
    AskCannotGoOut = 101,
    /// A "no" could not be obeyed.
    AskNoChoice = 102,
    /// Special hand that the rule set does not know.
    SpecialNotAgreed = 103,
    /// Only right after a stock draw.
    SpecialNotAfterStockDraw = 104,
    /// The side has melded.
    SpecialSideHasMelded = 105,
    /// Hand is not one card larger than the deal.
    SpecialWrongSize = 106,
    /// Hand does not have the shape.
    SpecialShape = 107,
    /// No talon to take.
    TalonNotAvailable = 108,
    /// No exceptional discard to prove.
    RevealNotAvailable = 109,
    /// Ruling issued by a seat.
    RulingNotAuthorised = 110,
    /// Ruling on no such side, or an offender not in it.
    RulingSideInvalid = 111,
    /// Ruling under a rule not in the penalty table.
    RulingUnknownRule = 112,
    /// Points of a ruling outside the range of its rule.
    RulingPointsOutOfRange = 113,
    /// Ruling after the sheet is signed.
    RulingTooLate = 114,
    /// Effect of a ruling impossible now.
    RulingEffectNotApplicable = 115,
    /// Second reversal of a ruling.
    RulingAlreadyReversed = 116,
    /// A pairing repeats (a warning of the event layer).
    EventRepeatOpponents = 117,
}

impl Code {
    /// The number of codes; their numbers are 1 to this.
    pub const COUNT: usize = 117;

    /// The stable number, from 1.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The code with this number.
    pub fn from_number(number: u16) -> Option<Self> {
        super::ALL.iter().map(|entry| entry.code).find(|code| code.number() == number)
    }

    /// The stable name in capitals, for example `PILE_FROZEN_NEEDS_PAIR`.
    pub const fn name(self) -> &'static str {
        entry(self).name
    }

    /// The code with this exact name.
    pub fn from_name(name: &str) -> Option<Self> {
        super::ALL.iter().find(|entry| entry.name == name).map(|entry| entry.code)
    }

    /// Its entry in the catalogue.
    pub const fn entry(self) -> &'static Entry {
        entry(self)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
