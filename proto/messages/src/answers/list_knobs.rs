//! Method ListKnobs.

use canasta_engine::rules::{KNOBS, Knob, PresetId};
use canasta_engine::violations::template::Language;
use canasta_proto::v1::{self as pb, ListKnobsRequest, ListKnobsResponse};
use std::sync::LazyLock;

use super::get_catalogue::language;
use super::page::ListPage;
use crate::convert::field::within;
use crate::fault::OrFault;

/// Maximum number of knobs on a page.
const KNOBS_MAX: usize = 200;

/// The knobs in each language: they never change.
static KNOBS_IN: LazyLock<[Vec<pb::Knob>; Language::ALL.len()]> = LazyLock::new(|| {
    Language::ALL.map(|language| KNOBS.iter().map(|knob| message(knob, language)).collect())
});

pub fn answer(request: ListKnobsRequest) -> OrFault<ListKnobsResponse> {
    let language = language(request.language_code).map_err(within("language_code"))?;
    let language = language.unwrap_or(Language::English);
    let list: [&[u8]; 2] = [b"ListKnobs", language.tag().as_bytes()];
    let page = ListPage::read(request.page_size, &request.page_token, KNOBS_MAX, &list)?;
    let (knobs, next_page_token) = page.cut(&KNOBS_IN[language as usize]);
    Ok(ListKnobsResponse { knobs, next_page_token })
}

fn message(knob: &Knob, language: Language) -> pb::Knob {
    let (minimum, maximum) = knob.range;
    let has_numbers = minimum != i32::MIN;
    let words = knob.choices().into_iter().map(|(value, meaning)| pb::KnobWord {
        value,
        meaning: meaning.map(|meaning| meaning.of(language).into()).unwrap_or_default(),
    });
    let uses = knob.uses().into_iter().map(|(value, presets)| pb::KnobUse {
        value,
        rule_sets: presets.into_iter().map(|preset: PresetId| preset.name().into()).collect(),
    });
    let conflicts = knob.conflicts().into_iter().map(|conflict| pb::KnobConflict {
        detail: conflict.detail.into(),
        knobs: conflict.knobs.into_iter().map(String::from).collect(),
        why: conflict.why.of(language).into(),
    });
    pb::Knob {
        name: knob.name.into(),
        group: knob.group().of(language).into(),
        meaning: knob.meaning().of(language).into(),
        // The interface has the engine's order and counts from 1.
        form: knob.form as i32 + 1,
        words: words.collect(),
        minimum: has_numbers.then_some(minimum),
        maximum: has_numbers.then_some(maximum),
        step: if knob.holds_points { 5 } else { has_numbers.into() },
        default_value: knob.default_value(),
        uses: uses.collect(),
        rule_ids: knob.rule_ids.iter().map(|&id| id.into()).collect(),
        conflicts: conflicts.collect(),
    }
}
