//! House rules: the knobs that differ from the preset, with values as in the canonical form.

use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_rules::pack::bits::BitReader;
use canasta_rules::pack::{TokenError, TokenErrorKind};
use canasta_rules::rules::{CANONICAL_BYTES_MAX, KNOBS, PresetId, RuleSet, Rules};

/// Maximum number of numbers in a playable knob: both numbers of each of 16 bands.
const NUMBERS_MAX: usize = 32;
/// Maximum number of bytes of a value; 16 bands take about 600.
const TEXT_MAX: usize = 1024;

pub(super) fn write(rules: &Rules, out: &mut Vec<u8>) {
    let base = rules.base().rule_set();
    let changed = |number: &u8| !KNOBS[usize::from(*number)].is_same(rules.set(), &base);
    let changed: Vec<u8> = (0..KNOBS.len() as u8).filter(changed).collect();
    out.push(changed.len() as u8);
    for number in changed {
        let text = KNOBS[usize::from(number)].value(rules.set());
        let len = u16::try_from(text.len()).expect("playable knobs are short");
        out.push(number);
        out.extend_from_slice(&len.to_le_bytes());
        out.extend_from_slice(text.as_bytes());
    }
    let name = rules.house_name().unwrap_or_default();
    out.push(name.len() as u8);
    out.extend_from_slice(name.as_bytes());
}

pub(super) fn read(reader: &mut BitReader<'_>, base: PresetId) -> Result<Arc<Rules>, TokenError> {
    let start = reader.at();
    let preset = base.rule_set();
    let mut set = preset.clone();
    let &[changed] = reader.bytes()?;
    let (mut next, mut budget) = (0, CANONICAL_BYTES_MAX);
    for _ in 0..changed {
        next = 1 + read_knob(reader, next, &mut budget, &mut set, &preset)?;
    }
    let &[name_len] = reader.bytes()?;
    let name = core::str::from_utf8(reader.slice(name_len.into())?).ok();
    let name = name.map(|name| (!name.is_empty()).then_some(name));
    let error = TokenErrorKind::HouseRule.at(start);
    let rules = Rules::house(base, set, name.ok_or(error)?).map_err(|_| error)?;
    if !rules.is_house() || rules.house_name() != name.flatten() {
        return Err(TokenErrorKind::NotCanonical { field: "house rule" }.at(start));
    }
    Ok(Arc::new(rules))
}

/// Reads one knob, numbered `next` or above, into `set`. Returns the number of the knob.
fn read_knob(
    reader: &mut BitReader<'_>,
    next: u8,
    budget: &mut usize,
    set: &mut RuleSet,
    preset: &RuleSet,
) -> Result<u8, TokenError> {
    let bit = reader.at();
    let &[number, low, high] = reader.bytes()?;
    let Some(knob) = KNOBS.get(usize::from(number)) else {
        return Err(TokenErrorKind::Field { field: "knob", found: u64::from(number) }.at(bit));
    };
    if number < next {
        return Err(TokenErrorKind::NotCanonical { field: "knob" }.at(bit));
    }
    let len = usize::from(u16::from_le_bytes([low, high]));
    let error = TokenErrorKind::KnobValue { number }.at(bit);
    *budget = budget.checked_sub(len).filter(|_| len <= TEXT_MAX).ok_or(error)?;
    let text = reader.slice(len)?;
    knob.assign(set, text).map_err(|kind| TokenErrorKind::Knob { number, kind }.at(bit))?;
    let (mut count, mut in_range) = (0, true);
    knob.numbers(set, &mut |found| {
        count += 1;
        in_range &= (knob.range.0..=knob.range.1).contains(&found);
    });
    if count > NUMBERS_MAX || !in_range || knob.is_same(set, preset) {
        return Err(error);
    }
    if knob.value(set).as_bytes() != text {
        return Err(TokenErrorKind::NotCanonical { field: "knob" }.at(bit));
    }
    Ok(number)
}
