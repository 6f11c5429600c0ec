//! The worth of a step.

/// The worth of a step: first by tier, then by value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Merit {
    pub tier: Tier,
    /// In points, about.
    pub value: i32,
}

/// The purpose of a step, the least wanted first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tier {
    /// Only if nothing else is legal.
    LastResort,
    /// The draw, the take, an answer, the discard: something of the kind is due.
    Due,
    /// Worth doing before what is due.
    Gain,
    /// Goes out, or asks for it, and that is wanted.
    Finish,
}

impl Merit {
    /// Returns the merit of this tier and value.
    pub fn new(tier: Tier, value: i32) -> Self {
        Self { tier, value }
    }

    /// Returns a gain if the value is one, else a last resort.
    pub fn gain(value: i32) -> Self {
        Self::new(if value > 0 { Tier::Gain } else { Tier::LastResort }, value)
    }
}
