//! `rules`: lists, shows, compares and validates rule sets; finds rules by words, and prints the penalties.

pub(crate) mod find;
mod knobs;
mod variations;

use crate::rulesets::house::{RuleSetFile, preset};
use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::text::{count, hex, join, number};
use canasta_engine::rules::{FirstDealer, KNOBS, Knob, PresetId, RuleSet};
use canasta_engine::violations::template::Language;
use clap::Subcommand;
use serde_json::{Map, Value, json};
use std::io::{Result, Write};

/// The arguments of `rules`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: RulesCommand,
}

#[derive(Subcommand, Debug)]
enum RulesCommand {
    /// List the presets
    List {
        /// Format of the list
        #[arg(long, value_enum, default_value_t)]
        format: OutputFormat,
    },
    /// Show a rule set: its digest, how the game goes, every knob with its meaning, and its differences from its base
    #[command(after_help = SHOW_EXAMPLES)]
    Show {
        /// A preset, a file of house rules (*.toml), or a log (*.clog) whose rule set is shown
        #[arg(value_name = "ID|FILE")]
        subject: String,
        /// The preset to compare with [default: classic-4p for a preset, otherwise the base of the rule set]
        #[arg(long, value_name = "ID")]
        base: Option<String>,
        /// Also show knobs that have their default values
        #[arg(long)]
        all: bool,
        /// Format of the output
        #[arg(long, value_enum, default_value_t)]
        format: OutputFormat,
    },
    /// Show how two rule sets differ
    #[command(after_help = DIFF_EXAMPLES)]
    Diff {
        /// The first: a preset, a file of house rules, or a log
        #[arg(value_name = "A")]
        a: String,
        /// The second
        #[arg(value_name = "B")]
        b: String,
        /// Format of the output
        #[arg(long, value_enum, default_value_t)]
        format: OutputFormat,
    },
    /// List the named variations of rule sets: what each says, sets and needs
    #[command(after_help = VARIATIONS_EXAMPLES)]
    Variations {
        /// A preset [default: all presets that offer variations]
        #[arg(value_name = "PRESET")]
        preset: Option<String>,
        /// Format of the list
        #[arg(long, value_enum, default_value_t)]
        format: OutputFormat,
    },
    /// Explain knobs: the meaning, what they may hold, which presets hold what, and what contradicts what
    Knobs(knobs::KnobsArgs),
    /// Find irregularities, rules and codes by words
    Search(find::SearchArgs),
    /// List what may be ruled under which law: points, officials, effects
    Penalties(find::PenaltiesArgs),
    /// Check whether house rules can be played, and show every fault
    #[command(after_help = VALIDATE_EXAMPLES)]
    Validate {
        /// Files of house rules (*.toml), presets, or logs
        #[arg(value_name = "FILE", required = true)]
        subjects: Vec<String>,
        /// Format of the output
        #[arg(long, value_enum, default_value_t)]
        format: OutputFormat,
    },
}

const VARIATIONS_EXAMPLES: &str = "\
Examples:
  canasta-replay rules variations american-4p              each with its id, for `variations = [...]` in house rules
  canasta-replay rules variations --format json";

const DIFF_EXAMPLES: &str = "\
Examples:
  canasta-replay rules diff classic-4p wahhi-4p
  canasta-replay rules diff club.toml game.clog            whether the game was played by the club's rules";

const VALIDATE_EXAMPLES: &str = "\
A file of house rules is TOML: the preset on which it is based, a name, variations that the preset offers \
(see `rules variations`), and the knobs that differ, with values as `rules show` prints them \
(docs/play/HOUSE_RULES.md):

  base = \"classic-4p\"
  name = \"club\"
  variations = [\"CV-011\"]
  [knobs]
  target = 3000
  one_card_pile = \"forbid\"

Example:
  canasta-replay rules validate club.toml";

const SHOW_EXAMPLES: &str = "\
Examples:
  canasta-replay rules show classic-2p                     what differs from classic-4p is marked *
  canasta-replay rules show samba-4p --base bolivia-4p
  canasta-replay rules show club.toml --lang de            how the club's game goes, in German
  canasta-replay rules show game.clog --format json        the canonical rule set under `knobs`";

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    match &args.what {
        RulesCommand::Diff { a, b, format } => diff(a, b, *format, io)?,
        RulesCommand::Validate { subjects, format } => return validate(subjects, *format, io),
        RulesCommand::Knobs(args) => return knobs::list_knobs(args, io),
        RulesCommand::Search(args) => return find::search(args, io),
        RulesCommand::Penalties(args) => return find::penalties(args, io),
        RulesCommand::List { format } => list(*format, &mut io.out)?,
        RulesCommand::Variations { preset, format } => {
            variations::list(preset.as_deref(), *format, &mut io.out)?;
        }
        RulesCommand::Show { subject, base, all, format } => {
            let shown = ComparedRuleSet::find(subject, base.as_deref(), io)?;
            match format {
                OutputFormat::Text => shown.write(*all, io.language, &mut io.out)?,
                OutputFormat::Json => io.write_value(&shown.to_value())?,
            }
        }
    }
    Ok(Exit::Clean)
}

fn list(format: OutputFormat, out: &mut dyn Write) -> Result<()> {
    if format == OutputFormat::Json {
        let preset = |preset: PresetId| {
            let set = preset.rule_set();
            json!({"id": preset.name(), "number": preset.number(), "digest": hex(&set.digest()),
                "title": preset.title(), "sentence": preset.sentence(), "seats": set.seats, "sides": set.side_count,
                "packs": set.packs, "jokers": set.jokers, "target": set.target, "rounds": set.rounds,
                "dealer_required": set.leaves_dealer_to_table(), "played": set.validate().is_ok()})
        };
        let presets: Value = PresetId::all().map(preset).collect();
        return writeln!(out, "{}", json!({"format": "canasta-rules/1", "presets": presets}));
    }
    writeln!(
        out,
        "{:<22} {:>5} {:>5} {:>5} {:>6}  {:<16}  title",
        "rule set", "seats", "sides", "packs", "target", "digest begins"
    )?;
    for preset in PresetId::all() {
        let set = preset.rule_set();
        let played = if preset.guessed().is_empty() { "" } else { " (provisional)" };
        let digest = hex(&set.digest()[..8]);
        let target = if set.target == 0 { "-".into() } else { number(set.target) };
        let (name, title) = (preset.name(), preset.title());
        writeln!(
            out,
            "{name:<22} {:>5} {:>5} {:>5} {target:>6}  {digest}  {title}{played}",
            set.seats, set.side_count, set.packs
        )?;
    }
    Ok(())
}

/// Writes both values of every knob that differs, its meaning, and its rules.
fn diff(a: &str, b: &str, format: OutputFormat, io: &mut Io<'_>) -> anyhow::Result<()> {
    let (a, b) = (RuleSetFile::find(a, io)?, RuleSetFile::find(b, io)?);
    let knobs: Vec<&Knob> = a.set.differences(&b.set).collect();
    let out = &mut io.out;
    if format == OutputFormat::Json {
        let rule_set = |file: &RuleSetFile| json!({"id": file.id, "digest": hex(&file.set.digest())});
        let difference = |knob: &&Knob| {
            json!({"knob": knob.name, "a": parsed(&knob.value(&a.set)), "b": parsed(&knob.value(&b.set)),
                "meaning": knob.meaning().of(Language::English), "rule_ids": knob.rule_ids})
        };
        let differences: Value = knobs.iter().map(difference).collect();
        let value = json!({"format": "canasta-rules/1", "a": rule_set(&a), "b": rule_set(&b), "differences": differences});
        return Ok(writeln!(out, "{value}")?);
    }
    writeln!(out, "{} of {} knobs differ", knobs.len(), KNOBS.len())?;
    let width = a.id.chars().count().max(b.id.chars().count());
    for knob in knobs {
        writeln!(
            out,
            "\n{}: {} [{}]",
            knob.name,
            knob.meaning().of(Language::English),
            knob.rule_ids.join(" ")
        )?;
        writeln!(out, "  {:width$}  {}", a.id, knob.value(&a.set))?;
        writeln!(out, "  {:width$}  {}", b.id, knob.value(&b.set))?;
    }
    Ok(())
}

/// Writes every fault of each rule set.
fn validate(subjects: &[String], format: OutputFormat, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let mut exit = Exit::Clean;
    let mut judged = Vec::new();
    for subject in subjects {
        let found = RuleSetFile::find_in_part(subject, io).map(|file| (file.faults(), file));
        let (faults, file) = match found {
            Ok((faults, file)) => (faults, Some(file)),
            Err(error) => (vec![format!("{error:#}")], None),
        };
        if !faults.is_empty() {
            exit = Exit::Findings;
        }
        judged.push((subject, file, faults));
    }
    let out = &mut io.out;
    if format == OutputFormat::Json {
        let value = |(subject, file, faults): &(&String, Option<RuleSetFile>, Vec<String>)| {
            let file = file.as_ref();
            json!({"path": subject, "id": file.map(|file| &file.id), "digest": file.map(|file| hex(&file.set.digest())),
                "played": faults.is_empty(), "faults": faults})
        };
        let rule_sets: Value = judged.iter().map(value).collect();
        writeln!(out, "{}", json!({"format": "canasta-rules/1", "rule_sets": rule_sets}))?;
        return Ok(exit);
    }
    for (subject, file, faults) in judged {
        match file {
            Some(file) if faults.is_empty() => {
                let changed = file.set.differences(&file.base.rule_set()).count();
                writeln!(
                    out,
                    "{subject}: {} can be played; {} from {}",
                    file.id,
                    differing(changed),
                    file.base.name()
                )?;
                writeln!(out, "  digest {}", hex(&file.set.digest()))?;
            }
            _ => {
                writeln!(out, "{subject}: cannot be played")?;
                faults.iter().try_for_each(|fault| writeln!(out, "  {fault}"))?;
            }
        }
    }
    Ok(exit)
}

/// Returns what a knob holds, as the engine writes it, as JSON.
fn parsed(value: &str) -> Value {
    serde_json::from_str(value).expect("the engine writes knobs as JSON")
}

/// Returns a number of knobs that differ: `1 knob differs`.
fn differing(knobs: usize) -> String {
    format!("{} {}", count(knobs as i64, "knob"), if knobs == 1 { "differs" } else { "differ" })
}

/// Returns players, cards, target and first dealer of a game in one line.
fn facts(set: &RuleSet) -> String {
    let end = match (set.target, set.rounds) {
        (0, rounds) => count(rounds, "round"),
        (target, 0) => format!("to {} points", number(target)),
        (target, rounds) => format!("to {} points or {}", number(target), count(rounds, "round")),
    };
    let dealer = match set.first_dealer {
        FirstDealer::Given => "the table names the first dealer",
        FirstDealer::Random => "the first dealer is drawn at random",
        FirstDealer::HighCardDeals | FirstDealer::HighCardLeads => "drawn cards decide who deals first",
    };
    let (players, sides) = (count(set.seats, "player"), count(set.side_count, "side"));
    let (packs, jokers) = (count(set.packs, "pack"), count(set.jokers, "joker"));
    format!("{players}, {sides} · {packs}, {jokers} · {end} · {dealer}")
}

/// A rule set and the preset it is compared with.
struct ComparedRuleSet {
    id: String,
    set: RuleSet,
    own_base: PresetId,
    base: PresetId,
    /// Knobs of that preset whose values are guesses.
    guessed: &'static [&'static str],
}

impl ComparedRuleSet {
    fn find(subject: &str, base: Option<&str>, io: &mut Io<'_>) -> anyhow::Result<Self> {
        let RuleSetFile { id, base: own_base, set, .. } = RuleSetFile::find(subject, io)?;
        let guessed = own_base.guessed();
        let base = match base {
            Some(base) => preset(base)?,
            None if id == own_base.name() => preset("classic-4p")?,
            None => own_base,
        };
        Ok(Self { id, set, own_base, base, guessed })
    }

    fn differs(&self, knob: &Knob) -> bool {
        !knob.is_same(&self.set, &self.base.rule_set())
    }

    fn write(&self, all: bool, language: Language, out: &mut dyn Write) -> Result<()> {
        let differing = KNOBS.iter().filter(|knob| self.differs(knob)).count();
        writeln!(out, "{}\ndigest {}", self.id, hex(&self.set.digest()))?;
        let (set, own) = (&self.set, self.own_base);
        let is_own = *set == own.rule_set();
        writeln!(out, "{}{}: {}", if is_own { "" } else { "made from " }, own.title(), own.sentence())?;
        writeln!(out, "{}", facts(set))?;
        if let Err(faults) = self.set.validate() {
            writeln!(out, "not played by this version: {}", join(faults, "; "))?;
        }
        if !self.guessed.is_empty() {
            writeln!(
                out,
                "provisional: its text could not be read whole; guessed are {}",
                self.guessed.join(", ")
            )?;
        }
        for section in set.explanation(&set.books(own), language) {
            writeln!(out, "\n{}", section.title)?;
            let mut said = section.sentences.iter();
            said.try_for_each(|one| writeln!(out, "  {} [{}]", one.text, one.rule_ids.join(" ")))?;
        }
        writeln!(out, "\n{differing} of {} knobs differ from {}, marked *\n", KNOBS.len(), self.base.name())?;
        let base = self.base.rule_set();
        for knob in KNOBS.iter().filter(|knob| all || !knob.is_default(&self.set) || self.differs(knob)) {
            let mark = if self.differs(knob) { '*' } else { ' ' };
            let other = if self.differs(knob) {
                format!("   ({}: {})", self.base.name(), knob.value(&base))
            } else {
                String::new()
            };
            writeln!(out, "{mark} {} = {}{other}", knob.name, knob.value(&self.set))?;
            writeln!(out, "      {} [{}]", knob.meaning().of(language), knob.rule_ids.join(" "))?;
            if all {
                knobs::write_choices(knob, language, out)?;
            }
        }
        if !all {
            writeln!(out, "\nknobs at their default are left out; --all shows them")?;
        }
        Ok(())
    }

    fn to_value(&self) -> Value {
        let base = self.base.rule_set();
        let (mut differences, mut meanings) = (Map::new(), Map::new());
        for knob in &KNOBS {
            let meaning = knob.meaning().of(Language::English);
            meanings.insert(knob.name.into(), json!({"meaning": meaning, "rule_ids": knob.rule_ids}));
            if self.differs(knob) {
                let values = [&self.set, &base].map(|set| parsed(&knob.value(set)));
                differences.insert(knob.name.into(), json!(values));
            }
        }
        json!({
            "format": "canasta-rules/1",
            "id": self.id,
            "digest": hex(&self.set.digest()),
            "played": self.set.validate().is_ok(),
            "title": self.own_base.title(),
            "sentence": self.own_base.sentence(),
            "dealer_required": self.set.leaves_dealer_to_table(),
            "guessed": self.guessed,
            "knobs": parsed(&String::from_utf8_lossy(&self.set.to_canonical())),
            "base": self.base.name(),
            "differences": differences,
            "meanings": meanings,
        })
    }
}
