//! Whole games: the cards come with each deal, and the answers say what follows.

use super::{Answer, codes, dealing, field, proposal, seat, source, text};
use crate::rulesets::house::preset;
use crate::shared::json::present;
use crate::shared::text::cannot_arise;
use canasta_engine::dealing::DealSource;
use canasta_engine::event::Event;
use canasta_engine::game::Game;
use canasta_engine::rules::{RuleSet, Rules, ScoreUnit};
use canasta_engine::scoring::{self, Account, GameResult, RoundScore};
use canasta_engine::seat::Seat;
use canasta_engine::table::{EndReason, Phase, Setup, Table};
use canasta_engine::text::interchange::event_value;
use serde_json::{Value, json};

/// The game that is being played, if there is one.
#[derive(Default)]
pub struct CurrentGame(Option<Game>);

impl CurrentGame {
    /// Begins a game under the given rules, before its first deal.
    pub fn begin(&mut self, question: &Value) -> Answer {
        self.0 = None;
        let rules = rules(field(question, "ruleset")?)?;
        self.0 = Some(Game::new(rules.into(), dealing(DealSource::Unknown), Seat(0)));
        Ok(json!({}))
    }

    fn game(&mut self) -> Result<&mut Game, String> {
        self.0.as_mut().ok_or_else(|| "no game has begun".to_owned())
    }

    /// Registers a round, with its cards if they are given, and deals it.
    pub fn deal(&mut self, question: &Value) -> Answer {
        let game = self.game()?;
        if game.table.phase() != Phase::Setup {
            return Err("no deal is due".to_owned());
        }
        let mut setup = Setup::of(&game.table);
        setup.phase = Phase::Deal;
        if question.get("dealer").is_some() {
            setup.dealer = seat(question, "dealer")?;
        }
        let source = source(question)?;
        let table = setup.into_table().map_err(|faults| cannot_arise(&faults))?;
        let before = std::mem::replace(game, Game::of(table, dealing(source)));
        let answer = self.act(question);
        if !answer.as_ref().is_ok_and(|answer| answer.get("events").is_some()) {
            self.0 = Some(before);
        }
        answer
    }

    /// Applies the proposed action if it is legal.
    pub fn act(&mut self, question: &Value) -> Answer {
        let game = self.game()?;
        let (actor, action) = proposal(question)?;
        match game.play(actor, &action) {
            Err(rejection) => Ok(json!({ "codes": codes(&rejection) })),
            Ok(events) => Ok(happened(&mut game.table, &events)),
        }
    }

    /// Judges the proposed action; the answer has no code if the action is legal.
    pub fn try_out(&mut self, question: &Value) -> Answer {
        let game = self.game()?;
        let (actor, action) = proposal(question)?;
        let refused = game.check(actor, &action).err();
        Ok(json!({ "codes": refused.map_or(Vec::new(), |rejection| codes(&rejection)) }))
    }
}

/// Parses the rule set of a game's first line.
fn rules(rule_set: &Value) -> Result<Rules, String> {
    let id = text(rule_set, "id")?;
    let base = rule_set.get("base").map_or(Ok(id), |_| text(rule_set, "base"))?;
    let base = preset(base).map_err(|error| error.to_string())?;
    let knobs = field(rule_set, "knobs")?.to_string();
    let set = RuleSet::from_canonical(knobs.as_bytes()).map_err(|error| format!("knobs: {error}"))?;
    let name = id.split_once('+').map(|(_, name)| name);
    Rules::house(base, set, name).map_err(|error| error.to_string())
}

/// Returns what an action led to. A round that has ended is scored at once.
fn happened(state: &mut Table, events: &[Event]) -> Value {
    let mut answer = json!({"events": events.iter().map(event_value).collect::<Value>()});
    if state.phase() == Phase::RoundOver {
        let by_seat = state.set().score_unit == ScoreUnit::Seat;
        let (score, result) = scoring::book(state);
        answer["round_end"] = round_end(&score, by_seat, state);
        if let Some(GameResult { winner, margin }) = result {
            answer["game_end"] = present(json!({"winner": winner.map(|unit| unit.0), "margin": margin}));
        }
    }
    answer
}

fn round_end(score: &RoundScore, by_seat: bool, after: &Table) -> Value {
    let over = &score.over;
    let is_scored = !score.accounts.is_empty();
    present(json!({
        "reason": over.reason.name(),
        "seat": over.seat.map(|seat| seat.0),
        "concealed": (over.reason == EndReason::WentOut).then_some(over.concealed),
        "start_scores": is_scored.then_some(&score.start_scores),
        "sides": is_scored.then(|| accounts(&score.accounts, by_seat)),
        "next_dealer": (after.phase() == Phase::Setup).then(|| after.dealer().0),
    }))
}

/// Returns score sheets in the interchange format.
pub fn accounts(accounts: &[Account], by_seat: bool) -> Value {
    let unit = if by_seat { "seat" } else { "side" };
    let line = |line: &scoring::Line| {
        present(json!({"item": line.item.name(), "count": line.count, "points": line.points}))
    };
    let account = |(number, account): (usize, &Account)| {
        json!({
            unit: number,
            "lines": account.lines.iter().map(line).collect::<Value>(),
            "total": account.total,
            "cumulative": account.cumulative,
        })
    };
    accounts.iter().enumerate().map(account).collect()
}
