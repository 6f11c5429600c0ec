//! The prior: experience of a fixed corpus that the column of play begins with, as a table in a file.
//!
//! docs/formats/ARCHIVE.md describes the file. A block names its prior by a number, so a later prior gets another number.

use super::model::{CodedColumn, INPUTS, Slot, WEIGHT, squash, stretch};
use alloc::vec::Vec;

/// The table of prior 1. `engine/tests/it/archive_prior.rs` trains it.
static PRIOR_1: &[u8] = include_bytes!("prior-1.bin");

/// Minimum experience of a slot that the table keeps.
const COUNT_MIN: u8 = 32;
/// The count of a slot from the table: it still learns quickly from the logs at hand.
const COUNT: u8 = 16;
/// The step of odds in the table, in units of 1/256, and the step of weights, of which 65,536 are 1.
const ODDS_STEP: i32 = 24;
const WEIGHT_STEP: i32 = 64;

/// Writes the table of what a column has learnt: its slots, then the weights of its nodes.
pub(super) fn table(column: &CodedColumn<'_>) -> Vec<u8> {
    let (mut out, mut empty) = (Vec::new(), 0u8);
    for slot in &column.slots {
        let byte = byte_of(slot);
        if empty > 0 && (byte != 0 || empty == u8::MAX) {
            out.extend([0, empty]);
            empty = 0;
        }
        match byte {
            0 => empty += 1,
            byte => out.push(byte),
        }
    }
    if empty > 0 {
        out.extend([0, empty]);
    }
    for (node, weights) in (0u16..).zip(&column.weights).filter(|(_, weights)| **weights != [WEIGHT; INPUTS])
    {
        out.extend(node.to_be_bytes());
        let small = |weight: i32| (weight / WEIGHT_STEP).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        weights.iter().for_each(|&weight| out.extend(small(weight).to_be_bytes()));
    }
    out
}

fn byte_of(slot: &Slot) -> u8 {
    if slot.count < COUNT_MIN {
        return 0;
    }
    let odds = stretch(slot.chance);
    (128 + (odds + (ODDS_STEP / 2) * odds.signum()) / ODDS_STEP).clamp(1, 255) as u8
}

/// Gives a column the experience of prior 1.
pub(super) fn teach(column: &mut CodedColumn<'_>) {
    let mut bytes = PRIOR_1.iter().copied();
    let mut at = 0;
    while at < column.slots.len() {
        let Some(byte) = bytes.next() else { return };
        if byte == 0 {
            at += usize::from(bytes.next().unwrap_or(0));
            continue;
        }
        column.slots[at] = Slot { chance: squash((i32::from(byte) - 128) * ODDS_STEP), count: COUNT };
        at += 1;
    }
    let mut next = || Some([bytes.next()?, bytes.next()?]);
    while let Some(node) = next() {
        let weights = &mut column.weights[usize::from(u16::from_be_bytes(node))];
        for weight in weights {
            *weight = i32::from(i16::from_be_bytes(next().unwrap_or_default())) * WEIGHT_STEP;
        }
    }
}
