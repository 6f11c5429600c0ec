//! Rule sets by name: a preset, the rule set of a log, or house rules from a file.

use crate::shared::io::{Io, Wrong, read_most};
use crate::shared::paths;
use crate::shared::text::{hex, list};
use anyhow::{Context, anyhow, bail, ensure};
use canasta_engine::log::record::Genesis;
use canasta_engine::log::{Reader, Record};
use canasta_engine::rules::{
    CANONICAL_BYTES_MAX, ChangeFault, HouseError, KNOBS, Knob, PRESETS, PresetId, RuleSet, Rules,
    VariationFault,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::fs::File;
use std::path::Path;

/// The extension of a file with house rules.
pub const EXTENSION: &str = "toml";

/// A rule set and its origin. It may contradict itself, and is then not playable.
pub struct RuleSetFile {
    /// The name of a preset, or `<base>+<name>`.
    pub id: String,
    pub base: PresetId,
    pub set: RuleSet,
    name: Option<String>,
    /// Errors about knobs of a file that could not be parsed; these knobs have the preset's values.
    unread: Vec<String>,
}

/// A file of house rules: the differences from a preset.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct House {
    base: String,
    name: Option<String>,
    #[serde(default)]
    variations: Vec<String>,
    #[serde(default)]
    knobs: Map<String, Value>,
}

impl RuleSetFile {
    /// Finds the rule set that `subject` names: a log (`*.clog`, or `-`), a file of house rules (`*.toml`), a
    /// preset, or any other log.
    pub fn find(subject: &str, io: &mut Io<'_>) -> anyhow::Result<Self> {
        let found = Self::find_in_part(subject, io)?;
        if !found.unread.is_empty() {
            bail!("{subject}: {}", found.unread.join("; "));
        }
        Ok(found)
    }

    /// Finds a rule set like [`RuleSetFile::find`], also if knobs of a file cannot be parsed:
    /// [`RuleSetFile::faults`] returns the errors.
    pub fn find_in_part(subject: &str, io: &mut Io<'_>) -> anyhow::Result<Self> {
        let path = Path::new(subject);
        let ends_with = |extension| path.extension().is_some_and(|end| end == extension);
        if subject == "-" || ends_with(paths::EXTENSION) {
            Self::of_log(path, io)
        } else if ends_with(EXTENSION) {
            Self::of_file(path)
        } else {
            match preset(subject) {
                Err(_) if path.exists() => Self::of_log(path, io),
                preset => Ok(Self::of_preset(preset?)),
            }
        }
    }

    pub fn of_preset(base: PresetId) -> Self {
        Self { id: base.name().into(), base, set: base.rule_set(), name: None, unread: Vec::new() }
    }

    fn of_file(path: &Path) -> anyhow::Result<Self> {
        let name = || path.display().to_string();
        const MOST: usize = 2 * CANONICAL_BYTES_MAX;
        let bytes = File::open(path).and_then(|file| read_most(file, MOST as u64)).with_context(name)?;
        let wrong = |what: String| Wrong(format!("{}: {what}", name()));
        ensure!(bytes.len() <= MOST, wrong(format!("expected at most {MOST} bytes")));
        let text = String::from_utf8(bytes).map_err(|_| wrong("expected UTF-8 text".into()))?;
        let house: House = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        Self::of_house(house).with_context(name)
    }

    fn of_house(house: House) -> anyhow::Result<Self> {
        let base = preset(&house.base)?;
        let knobs: Vec<(&String, String)> =
            house.knobs.iter().map(|(knob, value)| (knob, value.to_string())).collect();
        let knobs = knobs.iter().map(|(knob, value)| (knob.as_str(), value.as_str()));
        let (set, faults) = base.changed(&house.variations, knobs);
        let unread = faults.iter().map(|found| fault(found, base)).collect();
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
        let file = paths::open(path, &mut io.input)?;
        let head = read_most(file, paths::CHUNK as u64 + 64).with_context(|| path.display().to_string())?;
        let mut piece = &head[..];
        let wrong = |what: String| Wrong(format!("{}: {what}", path.display()));
        let first = reader.next(&mut piece).and_then(|frame| frame.map(|frame| frame.record()).transpose());
        let Some(record) = first.map_err(|error| wrong(error.to_string()))? else {
            let end = reader.finish().err().map(|error| error.to_string());
            return Err(wrong(end.unwrap_or_else(|| "the log has no record".into())).into());
        };
        let Record::Genesis(genesis) = record else {
            return Err(wrong("the first record is not the game's".into()).into());
        };
        Self::of_genesis(&genesis).map_err(|error| wrong(error.to_string()).into())
    }

    pub fn of_genesis(genesis: &Genesis) -> anyhow::Result<Self> {
        let set = RuleSet::from_canonical(&genesis.rule_set).map_err(|error| anyhow!("rule set: {error}"))?;
        let id = genesis.rule_set_id.clone();
        let name = id.split_once('+').map(|(_, name)| name.to_owned());
        Ok(Self { id, base: preset(&genesis.base)?, set, name, unread: Vec::new() })
    }

    /// Returns the reasons why the rule set cannot be played.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = self.unread.clone();
        match Rules::house(self.base, self.set.clone(), self.name.as_deref()) {
            Ok(_) => {}
            Err(HouseError::Knobs(found)) => faults.extend(found.iter().map(|fault| match fault.remedy() {
                "" => fault.to_string(),
                remedy => format!("{fault}\n    {remedy}"),
            })),
            Err(HouseError::Name) => faults.push(format!("name: {}", HouseError::Name)),
        }
        faults
    }

    /// Prepares the rules for play.
    pub fn playable(self) -> anyhow::Result<Rules> {
        let is_preset = self.name.is_none() && self.set == self.base.rule_set();
        match Rules::house(self.base, self.set, self.name.as_deref()) {
            Ok(rules) => Ok(rules),
            Err(_) if is_preset => {
                let played = list(PRESETS.iter().filter(|id| Rules::preset(id).is_some()));
                bail!("rule set {:?} is not played by this version, which plays: {played}", self.id)
            }
            Err(error) => bail!("rule set {:?} cannot be played: {error}", self.id),
        }
    }
}

/// Returns what is wrong with a value and which value the preset has, or which names are similar to an
/// unknown name.
fn fault(fault: &ChangeFault, base: PresetId) -> String {
    match fault {
        ChangeFault::Variation(VariationFault::Unknown { id }) => {
            let ids = base.variations().into_iter().map(|one| one.id);
            format!(
                "{fault}{}; `canasta-replay rules variations {}` has them all",
                near(id, ids),
                base.name()
            )
        }
        ChangeFault::Variation(_) => fault.to_string(),
        ChangeFault::Knob { knob, error, .. } => match Knob::named(knob) {
            Some(known) => format!("{fault} ({} has {})", base.name(), known.value(&base.rule_set())),
            None => format!("knob {knob}: {error}{}", near(knob, KNOBS.iter().map(|known| known.name))),
        },
    }
}

pub fn preset(id: &str) -> anyhow::Result<PresetId> {
    PresetId::from_name(id).ok_or_else(|| {
        let hint = near_presets(id);
        let hint = if hint.is_empty() { "; `canasta-replay rules list` has them all".into() } else { hint };
        anyhow!("unknown rule set {id:?}{hint}")
    })
}

/// Returns the presets whose names are similar to `id`, as a hint.
pub fn near_presets(id: &str) -> String {
    near(id, PresetId::all().map(PresetId::name))
}

/// Returns the names that are similar to `word`, as a hint.
pub fn near(word: &str, names: impl Iterator<Item = &'static str>) -> String {
    let mut near: Vec<(f64, &str)> = names.map(|name| (strsim::jaro_winkler(name, word), name)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<&str> =
        near.into_iter().filter(|(score, _)| *score > 0.7).take(3).map(|(_, name)| name).collect();
    if near.is_empty() { String::new() } else { format!("; near are: {}", near.join(" ")) }
}
