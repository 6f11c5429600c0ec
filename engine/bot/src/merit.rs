//! The merit of a step.

/// The merit of a step, compared first by tier, then by value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Merit {
    pub tier: Tier,
    /// Value in points, approximately.
    pub value: i32,
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
    /// Returns the merit of this tier and value.
    pub fn new(tier: Tier, value: i32) -> Self {
        Self { tier, value }
    }

    /// Returns a gain if the value is positive, else a last resort.
    pub fn gain(value: i32) -> Self {
        Self::new(if value > 0 { Tier::Gain } else { Tier::LastResort }, value)
    }
}
