//! House rules: the knobs that differ from the preset, spelled as in the canonical form.

use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_rules::pack::bits::BitReader;
use canasta_rules::pack::{TokenError, TokenErrorKind};
use canasta_rules::rules::{KNOBS, MAX_CANONICAL_BYTES, PresetId, RuleSet, Rules};

/// The most numbers that a playable knob holds: both of each of 16 bands.
const MAX_NUMBERS: usize = 32;
/// The longest value that is read, in bytes; 16 bands take about 600.
const MAX_TEXT: usize = 1024;

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
    let [changed] = reader.bytes()?;
    let (mut next, mut budget) = (0, MAX_CANONICAL_BYTES);
    for _ in 0..changed {
        next = 1 + read_knob(reader, next, &mut budget, &mut set, &preset)?;
    }
    let [name_len] = reader.bytes()?;
    let name = core::str::from_utf8(reader.slice(name_len.into())?).ok();
    let name = name.map(|name| (!name.is_empty()).then_some(name));
    let error = TokenError { bit: start, kind: TokenErrorKind::HouseRule };
    let rules = Rules::house(base, set, name.ok_or(error)?).map_err(|_| error)?;
    if !rules.is_house() || rules.house_name() != name.flatten() {
        return Err(TokenError { bit: start, kind: TokenErrorKind::NotCanonical { field: "house rule" } });
    }
    Ok(Arc::new(rules))
}

/// Reads one knob, numbered `next` or above, into `set`; gives its number.
fn read_knob(
    reader: &mut BitReader<'_>,
    next: u8,
    budget: &mut usize,
    set: &mut RuleSet,
    preset: &RuleSet,
) -> Result<u8, TokenError> {
    let bit = reader.at();
    let [number, low, high] = reader.bytes()?;
    let Some(knob) = KNOBS.get(usize::from(number)) else {
        return Err(TokenError {
            bit,
            kind: TokenErrorKind::Field { field: "knob", found: u64::from(number) },
        });
    };
    if number < next {
        return Err(TokenError { bit, kind: TokenErrorKind::NotCanonical { field: "knob" } });
    }
    let len = usize::from(u16::from_le_bytes([low, high]));
    let error = TokenError { bit, kind: TokenErrorKind::KnobValue { number } };
    *budget = budget.checked_sub(len).filter(|_| len <= MAX_TEXT).ok_or(error)?;
    let text = reader.slice(len)?;
    knob.assign(set, text).map_err(|kind| TokenError { bit, kind: TokenErrorKind::Knob { number, kind } })?;
    let (mut count, mut in_range) = (0, true);
    knob.numbers(set, &mut |found| {
        count += 1;
        in_range &= (knob.range.0..=knob.range.1).contains(&found);
    });
    if count > MAX_NUMBERS || !in_range || knob.is_same(set, preset) {
        return Err(error);
    }
    if knob.value(set).as_bytes() != text {
        return Err(TokenError { bit, kind: TokenErrorKind::NotCanonical { field: "knob" } });
    }
    Ok(number)
}
