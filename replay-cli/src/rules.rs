//! `rules`: the rule sets.

use crate::cli::Format;
use crate::io::{Exit, Io};
use crate::paths;
use crate::text::{hex, number};
use anyhow::{Context, bail};
use canasta_engine::log::{Reader, Record};
use canasta_engine::rules::{KNOBS, Knob, PresetId, RuleSet};
use clap::Subcommand;
use serde_json::{Map, Value, json};
use std::io::{Read, Result, Write};
use std::path::Path;

/// The arguments of `rules`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// List the presets
    List {
        /// How they are listed
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Show a rule set: its digest, every knob with its meaning, what differs from its base
    #[command(after_help = SHOW_EXAMPLES)]
    Show {
        /// A preset, or a log (*.clog), whose rule set is then shown
        #[arg(value_name = "ID")]
        subject: String,
        /// The preset it is compared with: for a log its base, for a preset classic-4p, if not given
        #[arg(long, value_name = "ID")]
        base: Option<String>,
        /// Also the knobs that hold their default
        #[arg(long)]
        all: bool,
        /// How it is shown
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
}

const SHOW_EXAMPLES: &str = "\
Examples:
  canasta-replay rules show classic-2p                     what differs from classic-4p is marked *
  canasta-replay rules show samba-4p --base bolivia-4p
  canasta-replay rules show game.clog --format json        the canonical rule set under `knobs`";

/// Lists or shows.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    match &args.what {
        What::List { format } => list(*format, &mut io.out)?,
        What::Show { subject, base, all, format } => {
            let shown = Shown::find(subject, base.as_deref(), io)?;
            match format {
                Format::Text => shown.write(*all, &mut io.out)?,
                Format::Json => writeln!(io.out, "{}", shown.to_value()?)?,
            }
        }
    }
    Ok(Exit::Clean)
}

fn list(format: Format, out: &mut dyn Write) -> Result<()> {
    if format == Format::Json {
        let preset = |preset: PresetId| {
            let set = preset.rule_set();
            json!({"id": preset.name(), "number": preset.number(), "digest": hex(&set.digest()), "seats": set.seats,
                "sides": set.side_count, "target": set.target, "played": set.validate().is_ok()})
        };
        let presets: Value = PresetId::all().map(preset).collect();
        return writeln!(out, "{}", json!({"format": "canasta-rules/1", "presets": presets}));
    }
    writeln!(out, "{:<22} {:>5} {:>5} {:>6}  digest begins", "rule set", "seats", "sides", "target")?;
    for preset in PresetId::all() {
        let set = preset.rule_set();
        let played = if set.validate().is_ok() { "" } else { "  not played yet" };
        let digest = hex(&set.digest()[..8]);
        let target = if set.target == 0 { "-".into() } else { number(set.target) };
        writeln!(
            out,
            "{:<22} {:>5} {:>5} {target:>6}  {digest}{played}",
            preset.name(),
            set.seats,
            set.side_count
        )?;
    }
    Ok(())
}

/// A rule set and the preset it is compared with.
struct Shown {
    id: String,
    set: RuleSet,
    base: PresetId,
}

impl Shown {
    fn find(subject: &str, base: Option<&str>, io: &mut Io<'_>) -> anyhow::Result<Self> {
        let of_log =
            subject == "-" || Path::new(subject).extension().is_some_and(|end| end == paths::EXTENSION);
        let (id, set, own_base) = if of_log {
            rule_set_of_log(Path::new(subject), io)?
        } else {
            (subject.to_owned(), find_preset(subject)?.rule_set(), "classic-4p".to_owned())
        };
        Ok(Self { id, set, base: find_preset(base.unwrap_or(&own_base))? })
    }

    fn differs(&self, knob: &Knob) -> bool {
        !knob.is_same(&self.set, &self.base.rule_set())
    }

    fn write(&self, all: bool, out: &mut dyn Write) -> Result<()> {
        let differing = KNOBS.iter().filter(|knob| self.differs(knob)).count();
        writeln!(out, "{}\ndigest {}", self.id, hex(&self.set.digest()))?;
        if let Err(faults) = self.set.validate() {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            writeln!(out, "not played by this version: {}", faults.join("; "))?;
        }
        writeln!(out, "{differing} of {} knobs differ from {}, marked *\n", KNOBS.len(), self.base.name())?;
        let base = self.base.rule_set();
        for knob in KNOBS.iter().filter(|knob| all || !knob.is_default(&self.set) || self.differs(knob)) {
            let mark = if self.differs(knob) { '*' } else { ' ' };
            let other = if self.differs(knob) {
                format!("   ({}: {})", self.base.name(), knob.value(&base))
            } else {
                String::new()
            };
            writeln!(out, "{mark} {} = {}{other}", knob.name, knob.value(&self.set))?;
            writeln!(out, "      {} [{}]", knob.meaning(), knob.rule_ids.join(" "))?;
        }
        if !all {
            writeln!(out, "\nknobs at their default are left out; --all shows them")?;
        }
        Ok(())
    }

    fn to_value(&self) -> anyhow::Result<Value> {
        let base = self.base.rule_set();
        let parse = |text: String| serde_json::from_str::<Value>(&text);
        let mut differences = Map::new();
        for knob in KNOBS.iter().filter(|knob| self.differs(knob)) {
            differences
                .insert(knob.name.into(), json!([parse(knob.value(&self.set))?, parse(knob.value(&base))?]));
        }
        let meanings: Map<String, Value> = KNOBS
            .iter()
            .map(|knob| (knob.name.to_owned(), json!({"meaning": knob.meaning(), "rule_ids": knob.rule_ids})))
            .collect();
        Ok(json!({
            "format": "canasta-rules/1",
            "id": self.id,
            "digest": hex(&self.set.digest()),
            "played": self.set.validate().is_ok(),
            "knobs": serde_json::from_slice::<Value>(&self.set.to_canonical())?,
            "base": self.base.name(),
            "differences": differences,
            "meanings": meanings,
        }))
    }
}

fn find_preset(id: &str) -> anyhow::Result<PresetId> {
    if let Some(preset) = PresetId::from_name(id) {
        return Ok(preset);
    }
    let mut near: Vec<(f64, &str)> =
        PresetId::all().map(|preset| (strsim::jaro_winkler(preset.name(), id), preset.name())).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<&str> =
        near.into_iter().filter(|(score, _)| *score > 0.7).take(3).map(|(_, name)| name).collect();
    let hint = if near.is_empty() {
        "; `canasta-replay rules list` has them all".into()
    } else {
        format!("; near are: {}", near.join(" "))
    };
    bail!("unknown rule set {id:?}{hint}")
}

/// Id, knobs and base of the rule set in a log's genesis.
fn rule_set_of_log(path: &Path, io: &mut Io<'_>) -> anyhow::Result<(String, RuleSet, String)> {
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
    let set =
        RuleSet::from_canonical(&genesis.rule_set).map_err(|error| anyhow::anyhow!("rule set: {error}"))?;
    Ok((genesis.rule_set_id, set, genesis.base))
}
