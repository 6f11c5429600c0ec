//! The merit of a step, and its reason.

/// The merit of a step, compared first by tier, then by value.
#[derive(Clone, Copy, Debug)]
pub struct Merit {
    pub tier: Tier,
    /// Value in points, approximately.
    pub value: i32,
    pub reason: Reason,
}

/// The reason for a step, in the order of the sentences that say it (`reasons.txt` of the texts).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the sentences say what each is")]
pub enum Reason {
    Draw,
    EndRound,
    SpecialHand,
    Three,
    Talon,
    GoOut,
    CompleteCanasta,
    Open,
    Foot,
    Pile,
    Hurry,
    Meld,
    Freeze,
    BlackThree,
    SafeDiscard,
    SpareDiscard,
    AskPartner,
    Agree,
    Decline,
    HelpNobody,
    NothingBetter,
    PlayedOn,
}

/// The purpose of a step, from the least wanted to the most wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tier {
    /// A step that is played only if no other step is legal.
    LastResort,
    /// A step that is due: the draw, the take, an answer or the discard.
    Due,
    /// A step that is worth doing before the step that is due.
    Gain,
    /// A step that goes out, or asks for permission to go out, if the bot wants to go out.
    Finish,
}

impl Merit {
    /// Returns the merit of this tier, value and reason.
    pub fn new(tier: Tier, value: i32, reason: Reason) -> Self {
        Self { tier, value, reason }
    }

    /// Returns a gain if the value is positive, else a last resort.
    pub fn gain(value: i32, reason: Reason) -> Self {
        if value > 0 { Self::new(Tier::Gain, value, reason) } else { Self::last_resort(value) }
    }

    /// Returns the merit of a step that is played only if no other step is legal.
    pub fn last_resort(value: i32) -> Self {
        Self::new(Tier::LastResort, value, Reason::NothingBetter)
    }
}
