//! Rule sets that together hold every pair of knob values that any game can have.
//!
//! The file `data/rules/pairs.txt` lists the values of each knob, then one rule set per line: the preset on which the
//! rule set is based, and a digit per knob, in the order of the list. `cargo run -p canasta-tests --example pairs`
//! writes the file.

use canasta_engine::rules::{KNOBS, Knob, KnobFault, PresetId, RuleSet};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Whether the knob can have the value, with any values of the other knobs.
fn is_value(knob: &Knob, value: &str) -> bool {
    let mut set = RuleSet::defaults();
    let faults = set.change(knob.name, value).map(|()| set.validate().err().unwrap_or_default());
    let never = |fault: &KnobFault| {
        matches!(fault, KnobFault::Range { .. } | KnobFault::Member { .. }) && fault.knobs() == [knob.name]
    };
    faults.is_ok_and(|faults| !faults.iter().any(never))
}

/// The digits that stand for values.
const DIGITS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// The values of every knob, in the order of `KNOBS`: of words all; of numbers the minimum, the maximum and those of
/// presets; of lists and maps those of presets or, where these have one only, of variations. The default comes first if it is a value.
pub struct Values(pub Vec<Vec<String>>);

impl Values {
    /// Collects the values from the knobs and presets of the engine.
    pub fn of_engine() -> Self {
        let presets: Vec<RuleSet> = PresetId::all().map(PresetId::rule_set).collect();
        let of_knob = |knob: &Knob| {
            let mut values = Vec::new();
            let ends = [knob.range.0.to_string(), knob.range.1.to_string()];
            let own = presets.iter().map(|set| knob.value(set));
            let default = knob.value(&RuleSet::defaults());
            let chosen = PresetId::all().flat_map(PresetId::variations).flat_map(|variation| variation.knobs);
            let chosen: Vec<String> =
                chosen.filter(|(name, _)| *name == knob.name).map(|(_, value)| value.into()).collect();
            for value in [default].into_iter().chain(knob.values()).chain(ends).chain(own) {
                if is_value(knob, &value) && !values.contains(&value) {
                    values.push(value);
                }
            }
            let is_alone = values.len() == 1;
            values.extend(chosen.into_iter().filter(|value| is_alone && is_value(knob, value)).take(1));
            values
        };
        Self(KNOBS.iter().map(of_knob).collect())
    }

    /// Returns the number of values of all knobs.
    pub fn count(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Returns the number of value `at` of knob `knob` among the values of all knobs.
    pub fn number(&self, knob: usize, at: usize) -> usize {
        self.0[..knob].iter().map(Vec::len).sum::<usize>() + at
    }

    /// Returns the index of each knob's value in `set`; `None` for a knob whose value is not listed.
    pub fn places(&self, set: &RuleSet) -> Vec<Option<usize>> {
        let place = |(knob, values): (&Knob, &Vec<String>)| {
            let value = knob.value(set);
            values.iter().position(|other| *other == value)
        };
        KNOBS.iter().zip(&self.0).map(place).collect()
    }

    /// Sets knob `knob` to its value number `at`.
    pub fn set(&self, set: &mut RuleSet, knob: usize, at: usize) {
        set.change(KNOBS[knob].name, &self.0[knob][at]).expect("a value of the knob");
    }
}

/// A rule set of the array.
#[derive(Clone)]
pub struct Row {
    /// The preset on which the rule set is based.
    pub base: PresetId,
    /// The values of all knobs.
    pub set: RuleSet,
}

impl Row {
    /// Returns the rule set for play: with two rounds, unless that contradicts other knobs.
    pub fn short(&self) -> RuleSet {
        let mut short = self.set.clone();
        short.rounds = 2;
        if short.validate().is_ok() { short } else { self.set.clone() }
    }
}

/// The pairs of values that rule sets hold.
pub struct Covered {
    values: usize,
    bits: Vec<u64>,
}

impl Covered {
    /// Returns a set without pairs, for this number of values.
    pub fn none(values: usize) -> Self {
        Self { values, bits: vec![0; (values * values).div_ceil(64)] }
    }

    fn place(&self, a: usize, b: usize) -> (usize, u64) {
        let at = a.min(b) * self.values + a.max(b);
        (at / 64, 1 << (at % 64))
    }

    /// Whether values number `a` and `b` stand together in a rule set.
    pub fn has(&self, a: usize, b: usize) -> bool {
        let (word, bit) = self.place(a, b);
        self.bits[word] & bit != 0
    }

    /// Adds a pair.
    pub fn add(&mut self, a: usize, b: usize) {
        let (word, bit) = self.place(a, b);
        self.bits[word] |= bit;
    }

    /// Adds all pairs of a rule set.
    pub fn add_set(&mut self, values: &Values, set: &RuleSet) {
        let held: Vec<usize> = held(values, set);
        for (at, &a) in held.iter().enumerate() {
            held[..at].iter().for_each(|&b| self.add(a, b));
        }
    }

    /// Returns the number of pairs.
    pub fn count(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// Returns the numbers of the values that a rule set holds.
pub fn held(values: &Values, set: &RuleSet) -> Vec<usize> {
    let places = values.places(set);
    places.iter().enumerate().filter_map(|(knob, at)| at.map(|at| values.number(knob, at))).collect()
}

/// A search for a rule set that can be played and keeps the knobs of `locked`.
///
/// A fault goes away only if one of the knobs that it names changes. The search tries every value of each of these
/// knobs, and then of the knobs that the remaining faults name, so it finds a rule set if the listed values make one.
pub struct RuleSetSearch<'a> {
    /// The values that the search tries.
    pub values: &'a Values,
    /// Number of rule sets that may still be tried.
    pub budget: u32,
    /// Counts of faults that could not be mended because all their knobs were locked, by name.
    pub dead: BTreeMap<&'static str, u32>,
}

impl RuleSetSearch<'_> {
    /// Returns a rule set that can be played, near `set`; `None` if there is none or the budget is spent.
    pub fn solve(&mut self, set: RuleSet, locked: &[usize]) -> Option<RuleSet> {
        let Err(faults) = set.validate() else { return Some(set) };
        let places = self.values.places(&set);
        let free = |fault: &KnobFault| -> Vec<usize> {
            // The number of entries of the table follows from these other knobs.
            let table = fault.knobs() == ["three_table"];
            let of_table = ["packs", "laid_threes", "three_table_unit"];
            let knobs = fault.knobs().iter().chain(of_table.iter().filter(|_| table));
            let knobs = knobs.filter_map(|name| KNOBS.iter().position(|knob| knob.name == *name));
            knobs.filter(|knob| !locked.contains(knob)).collect()
        };
        let (fault, knobs) =
            faults.iter().map(|fault| (fault, free(fault))).min_by_key(|(_, free)| free.len())?;
        if knobs.is_empty() {
            *self.dead.entry(fault.detail()).or_default() += 1;
            return None;
        }
        let mut next = Vec::new();
        for knob in knobs {
            for at in (0..self.values.0[knob].len()).filter(|at| places[knob] != Some(*at)) {
                if self.budget == 0 {
                    return None;
                }
                self.budget -= 1;
                let mut tried = set.clone();
                self.values.set(&mut tried, knob, at);
                let left = tried.validate().err().map_or(0, |faults| faults.len());
                next.push((left, knob, tried));
            }
        }
        next.sort_by_key(|(left, knob, _)| (*left, *knob));
        next.into_iter().find_map(|(_, knob, tried)| self.solve(tried, &[locked, &[knob]].concat()))
    }
}

/// Returns the text of the file.
pub fn to_text(values: &Values, rows: &[Row], remarks: &str) -> String {
    let mut text = String::new();
    remarks.lines().for_each(|line| writeln!(text, "# {line}").expect("a string takes all text"));
    for (knob, values) in KNOBS.iter().zip(&values.0) {
        writeln!(text, "{} {}", knob.name, values.join(" ")).expect("a string takes all text");
    }
    for row in rows {
        let digit = |at: Option<usize>| char::from(DIGITS[at.expect("a value of the list")]);
        let digits: String = values.places(&row.set).into_iter().map(digit).collect();
        writeln!(text, "= {} {digits}", row.base.name()).expect("a string takes all text");
    }
    text
}

/// Returns the committed values and rule sets.
///
/// # Panics
/// If the file does not have the form that [`to_text`] writes.
pub fn committed() -> (Values, Vec<Row>) {
    let text = include_str!("../data/rules/pairs.txt");
    let lines = || text.lines().filter(|line| !line.starts_with('#'));
    let knobs = lines().filter(|line| !line.starts_with('='));
    let values = Values(knobs.map(|line| line.split(' ').skip(1).map(String::from).collect()).collect());
    let row = |line: &str| {
        let (base, digits) = line.trim_start_matches("= ").split_once(' ').expect("a preset and digits");
        let base = PresetId::from_name(base).expect("a preset");
        let mut set = RuleSet::defaults();
        for (knob, digit) in digits.bytes().enumerate() {
            let at = DIGITS.iter().position(|other| *other == digit).expect("a digit");
            values.set(&mut set, knob, at);
        }
        Row { base, set }
    };
    let rows = lines().filter(|line| line.starts_with('=')).map(row).collect();
    (values, rows)
}

/// Returns the numbers of pairs in the file's remarks: all, covered, refused, missing.
pub fn remarked() -> [usize; 4] {
    let text = include_str!("../data/rules/pairs.txt");
    let line = text.lines().find_map(|line| line.strip_prefix("# pairs ")).expect("a remark on the pairs");
    let mut numbers = line.split(' ').filter_map(|word| word.parse().ok());
    std::array::from_fn(|_| numbers.next().expect("four numbers"))
}
