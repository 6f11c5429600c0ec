//! The steps of a proof, in words and as JSON.

use crate::text::{list, number};
use canasta_engine::card::Card;
use serde_json::{Value, json};
use std::io::Write;

/// What became of one step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Holds(String),
    Fails(String),
    /// It could not be checked, and why.
    Open(String),
}

/// One step of the proof.
pub struct Step {
    pub what: &'static str,
    pub outcome: Outcome,
}

/// The steps of one deal.
pub struct Proof {
    pub title: String,
    pub steps: Vec<Step>,
    pub wall: Vec<Card>,
}

/// All that was checked of one log.
pub struct Report {
    pub game_id: String,
    pub rule_set: String,
    pub mode: &'static str,
    /// What concerns the game as a whole.
    pub game: Vec<Step>,
    pub deals: Vec<Proof>,
    /// Deals that a seat voided by keeping back its value, and that officials voided.
    pub voided: [u32; 2],
}

impl Proof {
    pub fn push(&mut self, what: &'static str, outcome: Outcome) {
        self.steps.push(Step { what, outcome });
    }
}

impl Report {
    fn steps(&self) -> impl Iterator<Item = &Step> {
        self.game.iter().chain(self.deals.iter().flat_map(|proof| &proof.steps))
    }

    pub fn fails(&self) -> bool {
        self.steps().any(|step| matches!(step.outcome, Outcome::Fails(_)))
    }

    pub fn write(&self, walls: bool, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "game {} · {} · {}", self.game_id, self.rule_set, self.mode)?;
        write_steps(&self.game, out)?;
        for proof in &self.deals {
            writeln!(out, "\n{}", proof.title)?;
            write_steps(&proof.steps, out)?;
            if walls && !proof.wall.is_empty() {
                writeln!(out, "  cards         {}", list(&proof.wall))?;
            }
        }
        let of = |is: fn(&Outcome) -> bool| self.steps().filter(|step| is(&step.outcome)).count() as i64;
        let fails = of(|outcome| matches!(outcome, Outcome::Fails(_)));
        let open = of(|outcome| matches!(outcome, Outcome::Open(_)));
        let holds = of(|outcome| matches!(outcome, Outcome::Holds(_)));
        writeln!(out, "\n{} hold · {} fail · {} not checked", number(holds), number(fails), number(open))?;
        let [silent, ruled] = self.voided;
        if silent + ruled > 0 {
            writeln!(
                out,
                "{} voided: {silent} by a seat that kept back its value, {ruled} by ruling",
                silent + ruled
            )?;
        }
        Ok(())
    }

    pub fn value(&self, walls: bool) -> Value {
        let steps = |steps: &[Step]| -> Value { steps.iter().map(step_value).collect() };
        let deal = |proof: &Proof| {
            let mut value = json!({ "deal": proof.title, "steps": steps(&proof.steps) });
            if walls && !proof.wall.is_empty() {
                value["wall"] = proof.wall.iter().map(ToString::to_string).collect();
            }
            value
        };
        json!({
            "format": "canasta-deal-proof/1",
            "game_id": self.game_id,
            "ruleset": self.rule_set,
            "holds": !self.fails(),
            "voided": { "kept_back": self.voided[0], "ruled": self.voided[1] },
            "game": steps(&self.game),
            "deals": self.deals.iter().map(deal).collect::<Vec<_>>(),
        })
    }
}

fn write_steps(steps: &[Step], out: &mut dyn Write) -> std::io::Result<()> {
    for step in steps {
        let (mark, text) = match &step.outcome {
            Outcome::Holds(text) => ("", text),
            Outcome::Fails(text) => ("FAILS: ", text),
            Outcome::Open(text) => ("not checked: ", text),
        };
        writeln!(out, "  {:13} {mark}{text}", step.what)?;
    }
    Ok(())
}

fn step_value(step: &Step) -> Value {
    let (outcome, detail) = match &step.outcome {
        Outcome::Holds(detail) => ("holds", detail),
        Outcome::Fails(detail) => ("fails", detail),
        Outcome::Open(detail) => ("not_checked", detail),
    };
    json!({ "step": step.what, "outcome": outcome, "detail": detail })
}
