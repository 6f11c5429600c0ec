//! Writes `tests/data/rules/pairs.txt`: `cargo run -p canasta-tests --example pairs`.
//!
//! A pair of values that no rule set holds yet is put into a rule set that holds one of the two. Knobs that
//! contradict the pair are then changed until the rule set can be played, and every other knob takes the value that
//! adds the most new pairs. Prints the number of covered pairs, and the number of impossible pairs by the fault that
//! refuses them.

use canasta_engine::rules::{KNOBS, PresetId, RuleSet};
use canasta_tests::games::Rng;
use canasta_tests::pairs::{Covered, Row, RuleSetSearch, Values, held, to_text};
use std::collections::BTreeMap;
use std::path::Path;

/// Maximum number of rule sets that are tried for a pair from each start.
const BUDGET: u32 = 200_000;

/// Maximum number of starts for a pair: rule sets that hold one of its values.
const STARTS: usize = 2;

struct Array {
    values: Values,
    rows: Vec<Row>,
    covered: Covered,
    rng: Rng,
}

/// The reason why no rule set holds a pair.
enum Refused {
    /// The search tried everything: the fault at which it failed most often.
    Never(&'static str),
    /// The budget was spent from every start.
    GivenUp,
}

fn main() {
    let values = Values::of_engine();
    let count = values.count();
    let mut array = Array { covered: Covered::none(count), values, rows: Vec::new(), rng: Rng(2) };
    for base in PresetId::all() {
        array.add(Row { base, set: base.rule_set() });
    }
    let of: Vec<(usize, usize)> =
        (0..KNOBS.len()).flat_map(|knob| (0..array.values.0[knob].len()).map(move |at| (knob, at))).collect();
    let (mut pairs, mut refused, mut given_up) = (0, Vec::new(), Vec::new());
    let mut alone = BTreeMap::new();
    let named =
        |(knob, at): (usize, usize), values: &Values| format!("{} {}", KNOBS[knob].name, values.0[knob][at]);
    for (number, &value) in of.iter().enumerate() {
        if !array.holds(number)
            && let Err(why) = array.build(&[value])
        {
            println!("no rule set has {}", named(value, &array.values));
            alone.insert(number, why);
        }
    }
    for (a, &first) in of.iter().enumerate() {
        for (b, &second) in of.iter().enumerate().skip(a + 1).filter(|(_, value)| value.0 != first.0) {
            pairs += 1;
            if array.covered.has(a, b) {
                continue;
            }
            let why = match alone.get(&a).or(alone.get(&b)) {
                Some(Refused::Never(code)) => Err(Refused::Never(code)),
                Some(Refused::GivenUp) => Err(Refused::GivenUp),
                None => array.build(&[first, second]),
            };
            match why {
                Ok(()) => {}
                Err(Refused::Never(code)) => refused.push((a, b, code)),
                Err(Refused::GivenUp) => given_up.push((first, second)),
            }
        }
    }
    let mut by_code = BTreeMap::<&str, u32>::new();
    for (a, b, code) in refused {
        let name = |value| named(value, &array.values);
        assert!(
            !array.covered.has(a, b),
            "{code} refuses no rule set with {} and {}",
            name(of[a]),
            name(of[b])
        );
        *by_code.entry(code).or_default() += 1;
    }
    let impossible: u32 = by_code.values().sum();
    let covered = array.covered.count();
    let missing = pairs - covered - impossible as usize;
    let mut remarks = format!(
        "Written by tests/examples/pairs.rs: knob and values, then one rule set per line.\nvalues {count}, rule sets {}\npairs {pairs} covered {covered} refused {impossible} missing {missing}\n",
        array.rows.len()
    );
    by_code.iter().for_each(|(code, count)| remarks += &format!("refused {code} {count}\n"));
    print!("{remarks}");
    for (a, b) in given_up {
        println!("missing {} | {}", named(a, &array.values), named(b, &array.values));
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/rules/pairs.txt");
    std::fs::write(file, to_text(&array.values, &array.rows, &remarks)).expect("the file can be written");
}

impl Array {
    fn add(&mut self, row: Row) {
        self.covered.add_set(&self.values, &row.set);
        self.rows.push(row);
    }

    fn holds(&self, number: usize) -> bool {
        self.rows.iter().any(|row| held(&self.values, &row.set).contains(&number))
    }

    /// Adds a rule set with these values.
    fn build(&mut self, wanted: &[(usize, usize)]) -> Result<(), Refused> {
        let locked: Vec<usize> = wanted.iter().map(|(knob, _)| *knob).collect();
        let mut dead = BTreeMap::new();
        for start in self.starts(wanted) {
            let Row { base, mut set } = self.rows[start].clone();
            wanted.iter().for_each(|&(knob, at)| self.values.set(&mut set, knob, at));
            let mut search = RuleSetSearch { values: &self.values, budget: BUDGET, dead: BTreeMap::new() };
            if let Some(set) = search.solve(set, &locked) {
                let set = self.fill(set, &locked);
                self.add(Row { base, set });
                return Ok(());
            }
            let is_exhausted = search.budget > 0;
            dead.append(&mut search.dead);
            if is_exhausted {
                let code = dead.iter().max_by_key(|(_, count)| **count).map_or("NONE", |(code, _)| code);
                return Err(Refused::Never(code));
            }
        }
        Err(Refused::GivenUp)
    }

    /// Returns the indices of the rows at which the search begins: some rows that hold a wanted value, else any rows.
    fn starts(&mut self, wanted: &[(usize, usize)]) -> Vec<usize> {
        let holds = |row: &Row| {
            wanted
                .iter()
                .filter(|&&(knob, at)| KNOBS[knob].value(&row.set) == self.values.0[knob][at])
                .count()
        };
        let mut rows: Vec<usize> = (0..self.rows.len()).filter(|&row| holds(&self.rows[row]) > 0).collect();
        if rows.is_empty() {
            rows = (0..self.rows.len()).collect();
        }
        self.rng.shuffle(&mut rows);
        rows.truncate(STARTS);
        rows
    }

    /// Gives every other knob the value that adds the most new pairs, as long as the rule set can be played.
    fn fill(&mut self, mut set: RuleSet, locked: &[usize]) -> RuleSet {
        let mut knobs: Vec<usize> = (0..KNOBS.len()).filter(|knob| !locked.contains(knob)).collect();
        self.rng.shuffle(&mut knobs);
        for knob in knobs {
            let own = self.values.places(&set)[knob];
            let others: Vec<usize> = held(&self.values, &set);
            let own_number = own.map(|at| self.values.number(knob, at));
            let gain = |at: usize| {
                let value = self.values.number(knob, at);
                let new = |other: &&usize| Some(**other) != own_number && !self.covered.has(value, **other);
                others.iter().filter(new).count()
            };
            let mut gains: Vec<(usize, usize)> =
                (0..self.values.0[knob].len()).map(|at| (gain(at), at)).collect();
            gains.sort_by_key(|&(gain, at)| (std::cmp::Reverse(gain), at));
            let least = own.map_or(0, gain);
            for (_, at) in gains.into_iter().filter(|(gain, _)| *gain > least).take(3) {
                let mut tried = set.clone();
                self.values.set(&mut tried, knob, at);
                if tried.validate().is_ok() {
                    set = tried;
                    break;
                }
            }
        }
        set
    }
}
