//! The prediction of bits: several contexts of the same decision, whose predictions are weighted.
//!
//! A decision is asked in some contexts. Each context remembers how often the bit was a one. The logarithms
//! of these odds are added with weights that are learnt for each decision. All arithmetic uses integers, so
//! that a decoder in any language computes the same chance.

use super::coder::{Chance, Coder};
use super::error::Fault;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

/// Maximum number of contexts per decision.
pub(super) const INPUTS: usize = 6;

const HALF: u16 = 1 << 15;
/// Maximum count of a context: it learns by 1/n at first, and never slower than by 1/(this + 1.5).
const MEMORY: u8 = 126;
/// The weight 1.
const UNIT: i32 = 1 << 16;
/// The weight of every context before anything is learnt.
pub(super) const WEIGHT: i32 = UNIT * 3 / 10;
const RATE: i32 = 6;

/// The number of a kind of decision; [`super::action`] and its neighbours number theirs.
pub(super) type Node = u16;
/// Maximum number of nodes.
const NODES: usize = 512;

/// The experience of one context.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub chance: Chance,
    pub count: u8,
}

/// One column of a game: its coder, and the experience that predicts its bits.
pub(super) struct CodedColumn<'a> {
    pub coder: Coder<'a>,
    pub slots: Vec<Slot>,
    pub weights: Vec<[i32; INPUTS]>,
    pub work: Work,
}

/// The work that the columns of a game have done together, and its maximum; a decision counts as 1.
#[derive(Clone)]
pub(super) struct Work {
    done: Rc<Cell<u64>>,
    most: u64,
}

impl Work {
    pub(super) fn new(most: u64) -> Self {
        Self { done: Rc::default(), most }
    }

    pub(super) fn count(&self, work: u64) {
        self.done.set(self.done.get() + work);
    }

    /// Checks that the work has not reached its maximum. Every loop calls this.
    pub(super) fn check(&self) -> Result<(), Fault> {
        if self.done.get() <= self.most { Ok(()) } else { Err(Fault::TooMuchWork { most: self.most }) }
    }

    pub(super) fn done(&self) -> u64 {
        self.done.get()
    }
}

/// Size of a column's experience: 2 to the power of this many contexts.
pub(super) type Room = u32;

impl<'a> CodedColumn<'a> {
    pub(super) fn writer(room: Room, work: &Work) -> Self {
        Self::new(room, Coder::writer(), work.clone())
    }

    pub(super) fn reader(room: Room, bytes: &'a [u8], work: &Work) -> Self {
        Self::new(room, Coder::reader(bytes), work.clone())
    }

    fn new(room: Room, coder: Coder<'a>, work: Work) -> Self {
        let slots = vec![Slot { chance: HALF, count: 0 }; 1 << room];
        Self { coder, slots, weights: vec![[WEIGHT; INPUTS]; NODES], work }
    }

    /// Returns the slot in which a context of a decision keeps its experience. Two contexts may collide and
    /// share a slot, which makes the code longer but not wrong.
    fn slot(&self, node: Node, input: u32, context: u32) -> usize {
        let place = u32::from(node) * 8 + input;
        let mixed = (context ^ place.wrapping_mul(0x9e37_79b1)).wrapping_mul(0x85eb_ca6b);
        let mixed = (mixed ^ mixed >> 15).wrapping_mul(0xc2b2_ae35);
        (mixed >> (32 - self.slots.len().trailing_zeros())) as usize
    }

    /// Encodes or decodes one bit of the decision `node` in at most [`INPUTS`] contexts. A decoder ignores
    /// `bit`.
    pub(super) fn bit(&mut self, node: Node, contexts: &[u32], bit: bool) -> bool {
        let mut at = [0usize; INPUTS];
        let mut odds = [0i32; INPUTS];
        let weights = &self.weights[usize::from(node)];
        let mut sum = 0i64;
        for (input, &context) in contexts.iter().take(INPUTS).enumerate() {
            at[input] = self.slot(node, input as u32, context);
            odds[input] = stretch(self.slots[at[input]].chance);
            sum += i64::from(odds[input]) * i64::from(weights[input]);
        }
        let chance = squash((sum >> 16) as i32);
        let bit = self.code(chance, bit);
        let error = (if bit { 65_536 } else { 0 } - i32::from(chance)) * RATE;
        let weights = &mut self.weights[usize::from(node)];
        for input in 0..contexts.len().min(INPUTS) {
            weights[input] += ((i64::from(odds[input]) * i64::from(error) + (1 << 14)) >> 15) as i32;
            self.slots[at[input]].learn(bit);
        }
        bit
    }

    /// Encodes or decodes one bit that is a one in `part` of `whole` cases, both far below 65,536.
    pub(super) fn odds(&mut self, part: u16, whole: u16, bit: bool) -> bool {
        let chance = u32::from(part) * 65_536 / u32::from(whole);
        self.code(chance.clamp(1, 65_535) as Chance, bit)
    }

    /// Encodes or decodes one bit with even chances.
    pub(super) fn even(&mut self, bit: bool) -> bool {
        self.code(HALF, bit)
    }

    fn code(&mut self, chance: Chance, bit: bool) -> bool {
        self.work.count(1);
        self.coder.bit(chance, bit)
    }
}

impl Slot {
    fn learn(&mut self, bit: bool) {
        let target = if bit { 65_535 } else { 0 };
        let step = (target - i32::from(self.chance)) * 2 / (2 * i32::from(self.count) + 3);
        self.chance = (i32::from(self.chance) + step) as u16;
        self.count = (self.count + 1).min(MEMORY);
    }
}

/// Hashes several small numbers to one context.
pub(super) fn join(numbers: &[u32]) -> u32 {
    numbers.iter().fold(0, |joined, &number| (joined ^ number).wrapping_mul(0x0100_0193).rotate_left(5))
}

/// 65,536 / (1 + e^-x) at x = -12, -11.5 .. 12, between 1 and 65,535.
const LOGISTIC: [u16; 49] = [
    1, 1, 1, 2, 3, 5, 8, 13, 22, 36, 60, 98, 162, 267, 439, 720, 1179, 1921, 3108, 4971, 7812, 11_955,
    17_625, 24_743, 32_768, 40_793, 47_911, 53_581, 57_724, 60_565, 62_428, 63_615, 64_357, 64_816, 65_097,
    65_269, 65_374, 65_438, 65_476, 65_500, 65_514, 65_523, 65_528, 65_531, 65_533, 65_534, 65_535, 65_535,
    65_535,
];
/// Maximum odds for [`squash`]: 12, in units of 1/256.
const ODDS_MAX: i32 = 12 * 256;

/// Returns the chance for odds, which are a natural logarithm in units of 1/256. Values between the points of
/// [`LOGISTIC`] are interpolated linearly.
pub(super) const fn squash(odds: i32) -> Chance {
    if odds >= ODDS_MAX {
        return LOGISTIC[48];
    }
    if odds <= -ODDS_MAX {
        return LOGISTIC[0];
    }
    let from = odds + ODDS_MAX;
    let (at, part) = ((from >> 7) as usize, from & 127);
    let (low, high) = (LOGISTIC[at] as i32, LOGISTIC[at + 1] as i32);
    (low + (((high - low) * part) >> 7)) as u16
}

/// Returns the odds for a chance: the least odds whose chance is at least as large, both in units of 1/4,096.
pub(super) fn stretch(chance: Chance) -> i32 {
    i32::from(STRETCH[usize::from(chance >> 4)])
}

static STRETCH: [i16; 4096] = {
    let mut table = [0; 4096];
    let (mut odds, mut at) = (-ODDS_MAX, 0);
    while at < 4096 {
        while ((squash(odds) >> 4) as usize) < at {
            odds += 1;
        }
        table[at] = odds as i16;
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the logistic function, not with the table itself: ln 3 is 1.0986, in units of 1/256 it
    /// is 281.2; e^8 is 2981.
    #[test]
    fn odds_and_chances_are_inverse() {
        assert_eq!((stretch(HALF), squash(0)), (0, HALF));
        assert!((stretch(49_152) - 281).abs() <= 4, "{}", stretch(49_152));
        assert!((i32::from(squash(8 * 256)) - 65_536 * 2981 / 2982).abs() <= 2);
        assert_eq!(squash(i32::MAX), 65_535);
        assert_eq!(squash(i32::MIN), 1);
        assert!(STRETCH.is_sorted());
    }

    /// Checks that a rule without exceptions costs almost nothing after it is learnt, however many decisions
    /// follow.
    #[test]
    fn learns_a_rule() {
        let bits = |column: &mut CodedColumn<'_>| {
            for at in 0..20_000u32 {
                let bit = at % 3 == 0;
                assert_eq!(column.bit(7, &[at % 3, at % 5], bit), bit);
            }
        };
        let mut writer = CodedColumn::writer(12, &Work::new(u64::MAX));
        bits(&mut writer);
        let bytes = writer.coder.finish();
        assert!(bytes.len() < 30, "{} bytes", bytes.len());
        bits(&mut CodedColumn::reader(12, &bytes, &Work::new(u64::MAX)));
    }
}
