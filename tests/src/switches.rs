//! The switch values that the texts offer: `data/switches/offered.txt`.

use canasta_engine::rules::{PresetId, RuleSet};

const TABLE: &str = include_str!("../data/switches/offered.txt");

/// One line of the table.
pub struct Line {
    /// The presets that offer it.
    pub presets: Vec<PresetId>,
    /// The knobs that are switched together, each with its value.
    pub knobs: Vec<(&'static str, &'static str)>,
}

/// The lines of the table.
///
/// # Panics
/// If one is not well formed.
pub fn table() -> Vec<Line> {
    TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(read).collect()
}

fn read(line: &'static str) -> Line {
    let mut fields = line.split('|').map(str::trim);
    let names: Vec<&str> = fields.next().expect("presets").split(' ').collect();
    let named = |preset: &PresetId| {
        names.iter().any(|name| match name.strip_suffix('*') {
            Some(beginning) => preset.name().starts_with(beginning),
            None => preset.name() == *name,
        })
    };
    let knobs = fields.map(|field| field.split_once(' ').expect("a knob and its value")).collect();
    Line { presets: PresetId::all().filter(named).collect(), knobs }
}

impl Line {
    /// The knobs with their values.
    pub fn name(&self) -> String {
        self.knobs.iter().map(|(knob, value)| format!("{knob} {value}")).collect::<Vec<_>>().join(", ")
    }

    /// The preset with the line's knobs switched.
    ///
    /// # Panics
    /// If a value is none of its knob.
    pub fn switched(&self, base: PresetId) -> RuleSet {
        let mut set = base.rule_set();
        for (knob, value) in &self.knobs {
            let changed = set.change(knob, value).or_else(|_| set.change(knob, &format!("\"{value}\"")));
            changed.unwrap_or_else(|error| panic!("{knob} {value}: {error}"));
        }
        set
    }
}
