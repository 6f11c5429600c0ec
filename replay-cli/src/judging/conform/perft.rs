//! Counts of action paths from a wall, with a digest of every legal set on the way.

use super::{Answer, dealing, from, number, text, wall};
use crate::shared::text::{action_line, hex};
use canasta_engine::action::{Action, As};
use canasta_engine::bot::Draws;
use canasta_engine::card::Card;
use canasta_engine::game::Game;
use canasta_engine::legal;
use canasta_engine::rules::Rules;
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::Phase;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The cards that the seats draw if the rules draw for seats.
const PICKS: [&str; 6] = ["As", "Ks", "Qs", "Js", "Ts", "9s"];
/// Maximum depth of a count.
const DEPTH_MAX: u64 = 8;

/// Counts the paths of one depth.
pub fn answer(question: &Value) -> Answer {
    let id = text(question, "preset")?;
    let rules = Rules::preset(id).ok_or_else(|| format!("preset: {id:?} is not played"))?;
    let depth = number(question, "depth")?;
    if depth > DEPTH_MAX {
        return Err(format!("depth: expected at most {DEPTH_MAX}, found {depth}"));
    }
    let start = dealt(Arc::new(rules), wall(question)?)?;
    let start = played(start, number(question, "played")?, number(question, "seed")?)?;
    let mut digest = Sha256::new();
    let paths = count(&start, depth, &mut digest)?;
    let digest = hex(&digest.finalize()[..8]);
    Ok(json!({ "count": paths, "digest": digest }))
}

/// Returns the first turn of the first round with these cards: dealer is seat 0, scores are 0.
fn dealt(rules: Arc<Rules>, wall: Vec<Card>) -> Result<Game, String> {
    let mut state = Game::new(rules, dealing(from(wall)), Seat(0));
    loop {
        match state.table.phase() {
            Phase::Setup => state.register_due(),
            // The cards for the seats have been drawn.
            Phase::RoundOver => _ = scoring::book(&mut state.table),
            Phase::Deal => state = after(&state, &table_step(&state)?)?,
            _ => return Ok(state),
        }
    }
}

fn table_step(state: &Game) -> Result<Action, String> {
    let step = legal::steps(&state.table).actions.into_iter().next().ok_or("the table has nothing to do")?;
    let Action::DrawCards(_) = step else { return Ok(step) };
    let seats = usize::from(state.table.set().seats);
    let picks = PICKS.iter().take(seats).filter_map(|name| Card::parse(name));
    Ok(Action::DrawCards(picks.map(|card| std::iter::once(card).collect()).collect()))
}

/// Returns the position after `steps` random steps, or the last position before the round ends.
fn played(mut state: Game, steps: u64, seed: u64) -> Result<Game, String> {
    let mut rng = Draws(seed);
    for _ in 0..steps {
        let actions = legal::steps(&state.table).actions;
        let step = actions.get(rng.below(actions.len())).ok_or("no step")?;
        let next = after(&state, step)?;
        if matches!(next.table.phase(), Phase::RoundOver | Phase::GameOver) {
            break;
        }
        state = next;
    }
    Ok(state)
}

fn after(state: &Game, action: &Action) -> Result<Game, String> {
    let actor = state.table.to_act().map_or(As::Table, As::Seat);
    let legal = state.check(actor, action).map_err(|rejection| rejection.to_string())?;
    let mut next = state.clone();
    next.apply(legal);
    Ok(next)
}

/// Counts the sequences of up to `depth` steps and feeds the legal sets met at that depth to `digest`.
fn count(state: &Game, depth: u64, digest: &mut Sha256) -> Result<u64, String> {
    let steps = legal::steps(&state.table);
    if depth == 0 {
        for action in steps.actions {
            let line = action_line(None, &action, state.table.set()).ok_or("a step without a line")?;
            digest.update(line + "\n");
        }
        digest.update("\n");
        return Ok(1);
    }
    steps.actions.iter().map(|action| count(&after(state, action)?, depth - 1, digest)).sum()
}
