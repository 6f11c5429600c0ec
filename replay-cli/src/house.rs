//! Rule sets by name: a preset, the rule set of a log, or house rules from a file.

use crate::io::Io;
use crate::paths;
use crate::text::{hex, list};
use anyhow::{Context, anyhow, bail};
use canasta_engine::log::{Reader, Record};
use canasta_engine::rules::{HouseError, MAX_CANONICAL_BYTES, PRESETS, PresetId, RuleSet, Rules};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::fs;
use std::io::Read;
use std::path::Path;

/// The ending of the name of a file with house rules.
pub const EXTENSION: &str = "toml";

/// A rule set and where it comes from. It need not be playable.
pub struct RuleSetFile {
    /// A preset's name, or `<base>+<name>`.
    pub id: String,
    /// The preset it is made from.
    pub base: PresetId,
    /// The knobs.
    pub set: RuleSet,
    /// The name of house rules.
    name: Option<String>,
    /// Knobs of a file that could not be read; they have the preset's values.
    unread: Vec<String>,
}

/// A file of house rules: what differs from a preset.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct House {
    base: String,
    name: Option<String>,
    #[serde(default)]
    knobs: Map<String, Value>,
}

impl RuleSetFile {
    /// The rule set that `subject` names: a log (`*.clog`, or `-`), a file of house rules (`*.toml`), a preset.
    pub fn find(subject: &str, io: &mut Io<'_>) -> anyhow::Result<Self> {
        let found = Self::find_in_part(subject, io)?;
        if !found.unread.is_empty() {
            bail!("{subject}: {}", found.unread.join("; "));
        }
        Ok(found)
    }

    /// As [`RuleSetFile::find`], also where knobs of a file cannot be read: [`RuleSetFile::faults`] has them.
    pub fn find_in_part(subject: &str, io: &mut Io<'_>) -> anyhow::Result<Self> {
        let path = Path::new(subject);
        let ends_with = |extension| path.extension().is_some_and(|end| end == extension);
        if subject == "-" || ends_with(paths::EXTENSION) {
            Self::of_log(path, io)
        } else if ends_with(EXTENSION) {
            Self::of_file(path)
        } else {
            Ok(Self::of_preset(preset(subject)?))
        }
    }

    /// A preset.
    pub fn of_preset(base: PresetId) -> Self {
        Self { id: base.name().into(), base, set: base.rule_set(), name: None, unread: Vec::new() }
    }

    fn of_file(path: &Path) -> anyhow::Result<Self> {
        let name = || path.display().to_string();
        let text = fs::read_to_string(path).with_context(name)?;
        if text.len() > 2 * MAX_CANONICAL_BYTES {
            bail!("{}: {} bytes, at most {}", name(), text.len(), 2 * MAX_CANONICAL_BYTES);
        }
        let house: House = toml::from_str(&text).with_context(name)?;
        Self::of_house(house).with_context(name)
    }

    fn of_house(house: House) -> anyhow::Result<Self> {
        let base = preset(&house.base)?;
        let mut set = base.rule_set();
        let mut unread = Vec::new();
        for (knob, value) in &house.knobs {
            if let Err(error) = set.change(knob, &value.to_string()) {
                unread.push(fault(knob, value, base, &error.to_string()));
            }
        }
        let id = if set == base.rule_set() {
            base.name().to_owned()
        } else {
            let name = house.name.clone().unwrap_or_else(|| hex(&set.digest()[..4]));
            format!("{}+{name}", base.name())
        };
        Ok(Self { id, base, set, name: house.name, unread })
    }

    fn of_log(path: &Path, io: &mut Io<'_>) -> anyhow::Result<Self> {
        let mut reader = Reader::new();
        // A genesis is shorter than the longest frame.
        let mut head = Vec::new();
        let name = || path.display().to_string();
        paths::open(path, io)?.take(paths::PIECE as u64 + 64).read_to_end(&mut head).with_context(name)?;
        let mut piece = &head[..];
        let Some(frame) = reader.next(&mut piece).with_context(name)? else { bail!("{}: no record", name()) };
        let Record::Genesis(genesis) = frame.record().with_context(name)? else {
            bail!("{}: the first record is not the game's", name())
        };
        let set = RuleSet::from_canonical(&genesis.rule_set).map_err(|error| anyhow!("rule set: {error}"))?;
        let own = genesis.rule_set_id.split_once('+').map(|(_, name)| name.to_owned());
        Ok(Self { id: genesis.rule_set_id, base: preset(&genesis.base)?, set, name: own, unread: Vec::new() })
    }

    /// Everything that keeps it from being played.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = self.unread.clone();
        match Rules::house(self.base, self.set.clone(), self.name.as_deref()) {
            Ok(_) => {}
            Err(HouseError::Knobs(found)) => faults.extend(found.iter().map(ToString::to_string)),
            Err(HouseError::Name) => faults.push(format!("name: {}", HouseError::Name)),
        }
        faults
    }

    /// The rules, made ready for play.
    pub fn playable(self) -> anyhow::Result<Rules> {
        let is_preset = self.name.is_none() && self.set == self.base.rule_set();
        match Rules::house(self.base, self.set, self.name.as_deref()) {
            Ok(rules) => Ok(rules),
            Err(_) if is_preset => {
                let played = list(PRESETS.iter().filter(|id| Rules::preset(id).is_some()));
                bail!("rule set {:?} is not played by this version; played are: {played}", self.id)
            }
            Err(error) => bail!("rule set {:?} cannot be played: {error}", self.id),
        }
    }
}

/// What is wrong with a value, and what it looks like in the preset.
fn fault(knob: &str, value: &Value, base: PresetId, problem: &str) -> String {
    match canasta_engine::rules::Knob::named(knob) {
        Some(known) => {
            let usual = known.value(&base.rule_set());
            format!("knob {knob} = {value}: {problem} ({} has {usual})", base.name())
        }
        None => {
            let knobs = canasta_engine::rules::KNOBS.iter().map(|known| known.name);
            format!("knob {knob}: {problem}{}", near(knob, knobs))
        }
    }
}

/// The preset with this id.
pub fn preset(id: &str) -> anyhow::Result<PresetId> {
    PresetId::from_name(id).ok_or_else(|| {
        let hint = near(id, PresetId::all().map(PresetId::name));
        let hint = if hint.is_empty() { "; `canasta-replay rules list` has them all".into() } else { hint };
        anyhow!("unknown rule set {id:?}{hint}")
    })
}

/// The names that look like `word`, as a hint.
fn near(word: &str, names: impl Iterator<Item = &'static str>) -> String {
    let mut near: Vec<(f64, &str)> = names.map(|name| (strsim::jaro_winkler(name, word), name)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<&str> =
        near.into_iter().filter(|(score, _)| *score > 0.7).take(3).map(|(_, name)| name).collect();
    if near.is_empty() { String::new() } else { format!("; near are: {}", near.join(" ")) }
}
