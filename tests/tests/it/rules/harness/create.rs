//! Games that are not created, and deals that are not registered.

use super::after::seat;
use canasta_engine::action::As;
use canasta_engine::deal::{GameId, GameSecret, WallSalt};
use canasta_engine::dealing::Registration;
use canasta_engine::game::{CreateError, Game, NewDeal, NewGame, RegisterEntry, RegisterError};
use canasta_engine::log::record::Player;
use canasta_engine::rejection::{Violation, of_rule_set};
use canasta_engine::rules::{HouseError, PresetId, RuleSet, Rules};
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use serde::Deserialize;
use std::sync::Arc;

/// The game that a table requests. Absent values are as the rules require.
#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
pub struct NewTable {
    pub players: Option<u8>,
    pub dealer: Option<u8>,
    /// Whether the cards follow from a secret and not from a wall.
    pub seeded: bool,
}

/// Returns the violations for which the game is not created; no violations if it is created.
pub fn create(header: &str, table: &NewTable) -> Result<Vec<Violation>, String> {
    let (base, set) = asked(header.split(';').next().unwrap_or_default())?;
    let rules = match Rules::house(base, set.clone(), None) {
        Ok(rules) => rules,
        Err(HouseError::Knobs(faults)) => return Ok(of_rule_set(&set, &faults)),
        Err(error) => return Err(error.to_string()),
    };
    let player = || Player { name: "A".into(), key: None };
    let wall = NewDeal::Explicit { wall: set.deck().iter().collect(), salt: WallSalt([0; 32]) };
    let game = NewGame {
        players: (0..table.players.unwrap_or(set.seats)).map(|_| player()).collect(),
        dealer: table.dealer.or((!table.seeded && !set.draws_dealer()).then_some(0)).map(Seat),
        deal: if table.seeded { NewDeal::Seeded(GameSecret([0; 64])) } else { wall },
        rules: Arc::new(rules),
        game_id: GameId([0; 16]),
        registration: Registration::ByTable,
        started_at_ms: None,
        expires_at: None,
        fork_of: None,
        director: None,
        position: None,
        penalties: None,
    };
    match Game::create(game) {
        Ok(_) => Ok(Vec::new()),
        Err(CreateError::Rejected(violations)) => Ok(violations),
        Err(error) => Err(format!("{error:?}")),
    }
}

/// Returns the rule set of a head, which may contradict itself.
fn asked(head: &str) -> Result<(PresetId, RuleSet), String> {
    let mut words = head.split_whitespace();
    let base = words.next().and_then(PresetId::from_name).ok_or("a preset")?;
    let mut set = base.rule_set();
    for word in words {
        let (knob, value) = word.split_once('=').ok_or("knob=value")?;
        let quoted = format!("\"{value}\"");
        set.change(knob, value)
            .or_else(|_| set.change(knob, &quoted))
            .map_err(|error| format!("{word}: {error:?}"))?;
    }
    Ok((base, set))
}

/// Returns the violations for which the deal after this round, with this dealer, is not registered; no violations if
/// it is registered.
pub fn register(state: &mut Game, dealer: &str) -> Result<Vec<Violation>, String> {
    let wall = state.table.rules().census().iter().collect();
    let entry = RegisterEntry {
        wall: Some((wall, WallSalt([0; 32]))),
        dealer: Some(seat(dealer)),
        ..RegisterEntry::default()
    };
    scoring::book(&mut state.table);
    match state.register(As::Table, entry) {
        Ok(_) => Ok(Vec::new()),
        Err(RegisterError::Rejected(violations)) => Ok(violations),
        Err(error) => Err(format!("{error:?}")),
    }
}
