//! The result of verifying deals, in words and as JSON.

use crate::shared::text::{list, number};
use canasta_engine::card::Card;
use serde_json::{Value, json};
use std::io::Write;

/// The result of one step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofResult {
    Holds(String),
    Fails(String),
    /// The step could not be checked, for this reason.
    Open(String),
}

/// The values that the seats gave for one deal.
pub struct GivenValues {
    /// The round and the attempt.
    pub number: (u32, u32),
    /// Whether the deal was voided, so that no card was dealt.
    pub is_void: bool,
    /// The values, by seat.
    pub values: Vec<Option<[u8; 32]>>,
}

impl ProofResult {
    /// Returns the text of the result.
    pub fn text(&self) -> &str {
        match self {
            Self::Holds(text) | Self::Fails(text) | Self::Open(text) => text,
        }
    }
}

/// One step of a proof.
pub struct ProofStep {
    pub what: &'static str,
    pub outcome: ProofResult,
}

/// The steps of the proof of one deal.
pub struct DealProof {
    pub title: String,
    pub steps: Vec<ProofStep>,
    pub wall: Vec<Card>,
}

/// The result of all checks of one log.
pub struct DealReport {
    pub game_id: String,
    pub rule_set: String,
    pub mode: &'static str,
    /// The steps about the game as a whole.
    pub game: Vec<ProofStep>,
    pub deals: Vec<DealProof>,
    /// Number of deals that a seat voided by withholding its value, and number of deals that officials
    /// voided.
    pub voided: [u32; 2],
}

impl DealProof {
    pub fn push(&mut self, what: &'static str, outcome: ProofResult) {
        self.steps.push(ProofStep { what, outcome });
    }
}

impl DealReport {
    fn steps(&self) -> impl Iterator<Item = &ProofStep> {
        self.game.iter().chain(self.deals.iter().flat_map(|proof| &proof.steps))
    }

    pub fn fails(&self) -> bool {
        self.steps().any(|step| matches!(step.outcome, ProofResult::Fails(_)))
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
        let of = |is: fn(&ProofResult) -> bool| self.steps().filter(|step| is(&step.outcome)).count() as i64;
        let fails = of(|outcome| matches!(outcome, ProofResult::Fails(_)));
        let open = of(|outcome| matches!(outcome, ProofResult::Open(_)));
        let holds = of(|outcome| matches!(outcome, ProofResult::Holds(_)));
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
        let steps = |steps: &[ProofStep]| -> Value { steps.iter().map(step_value).collect() };
        let deal = |proof: &DealProof| {
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

fn write_steps(steps: &[ProofStep], out: &mut dyn Write) -> std::io::Result<()> {
    for step in steps {
        let (mark, text) = match &step.outcome {
            ProofResult::Holds(text) => ("", text),
            ProofResult::Fails(text) => ("FAILS: ", text),
            ProofResult::Open(text) => ("not checked: ", text),
        };
        writeln!(out, "  {:13} {mark}{text}", step.what)?;
    }
    Ok(())
}

fn step_value(step: &ProofStep) -> Value {
    let (outcome, detail) = match &step.outcome {
        ProofResult::Holds(detail) => ("holds", detail),
        ProofResult::Fails(detail) => ("fails", detail),
        ProofResult::Open(detail) => ("not_checked", detail),
    };
    json!({ "step": step.what, "outcome": outcome, "detail": detail })
}
