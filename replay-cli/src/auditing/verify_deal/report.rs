//! The result of verifying deals, in words and as JSON.

use crate::shared::text::{list, number};
use canasta_engine::card::Card;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProofResult {
    Holds,
    Fails,
    /// The step could not be checked.
    #[serde(rename = "not_checked")]
    Open,
}

impl ProofResult {
    /// Returns what stands before the text of a step, for people.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Holds => "",
            Self::Fails => "FAILS: ",
            Self::Open => "not checked: ",
        }
    }
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

pub struct ProofStep {
    pub what: &'static str,
    pub outcome: ProofResult,
    /// The fact that holds or fails, or the reason why it could not be checked.
    pub text: String,
}

pub fn holds(what: &'static str, text: impl Into<String>) -> ProofStep {
    ProofStep { what, outcome: ProofResult::Holds, text: text.into() }
}

pub fn fails(what: &'static str, text: impl Into<String>) -> ProofStep {
    ProofStep { what, outcome: ProofResult::Fails, text: text.into() }
}

/// Returns a step that could not be checked, for this reason.
pub fn unchecked(what: &'static str, why: impl Into<String>) -> ProofStep {
    ProofStep { what, outcome: ProofResult::Open, text: why.into() }
}

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
    /// Number of values that each seat kept back, of those that kept any.
    pub kept_back: Vec<(String, u32)>,
}

impl DealReport {
    fn steps(&self) -> impl Iterator<Item = &ProofStep> {
        self.game.iter().chain(self.deals.iter().flat_map(|proof| &proof.steps))
    }

    pub fn fails(&self) -> bool {
        self.steps().any(|step| step.outcome == ProofResult::Fails)
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
        let of = |outcome| self.steps().filter(|step| step.outcome == outcome).count() as i64;
        let [holds, fails, open] = [ProofResult::Holds, ProofResult::Fails, ProofResult::Open].map(of);
        writeln!(out, "\n{} hold · {} fail · {} not checked", number(holds), number(fails), number(open))?;
        let [silent, ruled] = self.voided;
        if silent + ruled > 0 {
            writeln!(
                out,
                "{} voided: {silent} by a seat that kept back its value, {ruled} by ruling",
                silent + ruled
            )?;
        }
        if !self.kept_back.is_empty() {
            let seats = self.kept_back.iter().map(|(seat, values)| format!("{seat} {values}"));
            writeln!(out, "values kept back: {}", seats.collect::<Vec<_>>().join(", "))?;
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
            "kept_back": self.kept_back.iter().map(|(seat, values)| (seat.clone(), Value::from(*values))).collect::<Map<_, _>>(),
            "game": steps(&self.game),
            "deals": self.deals.iter().map(deal).collect::<Vec<_>>(),
        })
    }
}

fn write_steps(steps: &[ProofStep], out: &mut dyn Write) -> std::io::Result<()> {
    steps.iter().try_for_each(|ProofStep { what, outcome, text }| {
        writeln!(out, "  {what:13} {}{text}", outcome.mark())
    })
}

fn step_value(step: &ProofStep) -> Value {
    json!({ "step": step.what, "outcome": step.outcome, "detail": step.text })
}
