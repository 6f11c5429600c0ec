//! New games, read from messages.

use std::sync::Arc;

use canasta_engine::card::MAX_CARDS;
use canasta_engine::deal::{GameId, GameSecret, WallSalt};
use canasta_engine::log::record::{NAME_MAX, Player};
use canasta_engine::log::writer::{NewDeal, NewGame};
use canasta_engine::rules::{HouseError, MAX_CANONICAL_BYTES, PresetId, RuleSet, Rules};
use canasta_engine::seat::MAX_SEATS;
use canasta_engine::token::Catalogue;
use canasta_engine::violations::Books;
use canasta_proto::v1::{self as pb, CreateGameRequest, DealMode};

use super::field::{
    Read, at_most, bytes, bytes_opt, fault, item, missing, required, seat_opt, text, within, word,
};
use super::{card, violation};
use crate::status::{Fault, FieldFault};
use crate::{Generator, NoRandomness};

/// Longest id of a rule set, rule or code, in bytes.
pub const MAX_ID: usize = 64;

/// Why a request is no new game.
#[derive(Debug)]
pub enum NotRead {
    /// Malformed.
    Fault(Fault),
    /// Rules that cannot be played.
    Rejected(pb::Rejected),
}

impl From<FieldFault> for NotRead {
    fn from(fault: FieldFault) -> Self {
        Self::Fault(fault.into())
    }
}

/// Reads a request; what it leaves to the service is drawn from `generator`.
pub fn read(
    request: CreateGameRequest,
    catalogue: &Catalogue,
    generator: Generator,
) -> Result<NewGame, NotRead> {
    let base = preset(request.rule_set, "rule_set").map_err(NotRead::Fault)?;
    let rules = rules(base, request.house_rules, catalogue)?;
    let seats = rules.set().seats;
    let mode = word(request.deal_mode).map_err(within("deal_mode"))?;
    let game_id = bytes_opt(&request.game_id).map_err(within("game_id"))?;
    Ok(NewGame {
        rules,
        game_id: GameId(drawn(game_id, generator)?),
        deal: deal(mode, &request.secret, request.wall, generator)?,
        dealer: seat_opt(request.dealer).map_err(within("dealer"))?,
        players: players(request.players, seats).map_err(within("players"))?,
        started_at_ms: request.started_at_ms,
        expires_at: None,
        fork_of: None,
    })
}

/// The preset that `field` names.
pub fn preset(id: String, field: &'static str) -> Result<PresetId, Fault> {
    if id.is_empty() {
        return Err(within(field)(missing()).into());
    }
    let id = text(id, MAX_ID).map_err(within(field))?;
    PresetId::from_name(&id).ok_or_else(|| Fault::NotFound(format!("rule set {id:?}")))
}

/// The books that refusals under these rules cite.
pub fn books(rules: &Rules) -> Books {
    Books::new(rules.base().name(), [])
}

fn rules(
    base: PresetId,
    house: Option<pb::HouseRules>,
    catalogue: &Catalogue,
) -> Result<Arc<Rules>, NotRead> {
    let (set, name) = match (house, catalogue.get(base)) {
        (None, Some(ready)) => return Ok(Arc::clone(ready)),
        (None, None) => (base.rule_set(), None),
        (Some(house), _) => {
            let set =
                canonical(&house.canonical).map_err(within("canonical")).map_err(within("house_rules"))?;
            (set, Some(house.name).filter(|name| !name.is_empty()))
        }
    };
    Rules::house(base, set, name.as_deref()).map(Arc::new).map_err(|error| match error {
        HouseError::Name => within("house_rules")(within("name")(fault(error.to_string()))).into(),
        HouseError::Knobs(faults) => {
            let books = Books::new(base.name(), []);
            NotRead::Rejected(violation::write_knobs(&faults, &books))
        }
    })
}

fn canonical(text: &str) -> Read<RuleSet> {
    match text.len() {
        0 => Err(missing()),
        length if length > MAX_CANONICAL_BYTES => {
            Err(fault(format!("{length} bytes, at most {MAX_CANONICAL_BYTES}")))
        }
        _ => RuleSet::from_canonical(text.as_bytes()).map_err(|error| fault(error.to_string())),
    }
}

fn deal(
    mode: DealMode,
    secret: &[u8],
    wall: Option<pb::Wall>,
    generator: Generator,
) -> Result<NewDeal, NotRead> {
    let unwanted = |field| Err(within(field)(fault("is not used in this deal mode")).into());
    match mode {
        DealMode::Seeded if wall.is_some() => unwanted("wall"),
        DealMode::Seeded => {
            let secret = bytes_opt(secret).map_err(within("secret"))?;
            Ok(NewDeal::Seeded(GameSecret(drawn(secret, generator)?)))
        }
        DealMode::Explicit if !secret.is_empty() => unwanted("secret"),
        DealMode::Explicit => Ok(read_wall(wall).map_err(within("wall"))?),
        DealMode::Unspecified => Err(within("deal_mode")(missing()).into()),
    }
}

fn read_wall(wall: Option<pb::Wall>) -> Read<NewDeal> {
    let wall = required(wall)?;
    at_most(&wall.cards, MAX_CARDS).map_err(within("cards"))?;
    Ok(NewDeal::Explicit {
        wall: card::read_list(&wall.cards).map_err(within("cards"))?.to_vec(),
        salt: WallSalt(bytes(&wall.salt).map_err(within("salt"))?),
    })
}

fn players(list: Vec<pb::Player>, seats: u8) -> Read<Vec<Player>> {
    if list.is_empty() {
        return Ok((1..=seats).map(|n| Player { name: format!("Player {n}"), key: None }).collect());
    }
    at_most(&list, MAX_SEATS)?;
    list.into_iter().enumerate().map(|(i, one)| player(one).map_err(item(i))).collect()
}

fn player(message: pb::Player) -> Read<Player> {
    let key = bytes_opt(&message.public_key).map_err(within("public_key"))?;
    Ok(Player { name: text(message.name, NAME_MAX).map_err(within("name"))?, key })
}

/// What was given, or random bytes.
fn drawn<const N: usize>(given: Option<[u8; N]>, generator: Generator) -> Result<[u8; N], NotRead> {
    if let Some(given) = given {
        return Ok(given);
    }
    let mut bytes = [0; N];
    generator(&mut bytes).map_err(|NoRandomness| NotRead::Fault(Fault::Internal))?;
    Ok(bytes)
}
