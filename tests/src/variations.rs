//! The variations that presets offer by name, each with the variations that it needs.

use canasta_engine::rules::{PresetId, RuleSet, Variation};

/// Returns every preset with each of its variations, in the table's order within a preset.
pub fn offered() -> Vec<(PresetId, Variation)> {
    PresetId::all().flat_map(|base| base.variations().into_iter().map(move |one| (base, one))).collect()
}

/// Returns every variation once, each with one of the presets that offer it. The number of the variation decides
/// which of these presets.
pub fn each_once() -> Vec<(PresetId, Variation)> {
    let mut found: Vec<(&str, Vec<(PresetId, Variation)>)> = Vec::new();
    for (base, one) in offered() {
        match found.iter_mut().find(|(id, _)| *id == one.id) {
            Some((_, bases)) => bases.push((base, one)),
            None => found.push((one.id, vec![(base, one)])),
        }
    }
    let pick = |(number, (_, mut bases)): (usize, (&str, Vec<_>))| bases.swap_remove(number % bases.len());
    found.into_iter().enumerate().map(pick).collect()
}

/// Returns the ways to choose a variation of `base`: alone, or, if it needs another variation, with each one that
/// serves.
///
/// # Panics
/// If a way cannot be chosen, which the engine's tests find first.
pub fn ways(base: PresetId, one: &Variation) -> Vec<(Vec<&'static str>, RuleSet)> {
    let with = |needed: Option<&'static str>| {
        let chosen: Vec<&str> = [one.id].into_iter().chain(needed).collect();
        let (set, faults) = base.changed(&chosen, []);
        assert!(faults.is_empty(), "{} {chosen:?}: {faults:?}", base.name());
        (chosen, set)
    };
    if one.needs.is_empty() { vec![with(None)] } else { one.needs.iter().map(|id| with(Some(id))).collect() }
}
