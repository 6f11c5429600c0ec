//! Conversion of messages to new games.

use std::sync::Arc;

use canasta_engine::card::{CARDS_MAX, Card};
use canasta_engine::deal::{GameId, GameSecret, WallSalt};
use canasta_engine::dealing::Registration;
use canasta_engine::game::{NewDeal, NewGame, RegisterEntry};
use canasta_engine::log::record::{Beacon, NAME_MAX, Player};
use canasta_engine::rules::{
    CANONICAL_BYTES_MAX, ChangeFault, HouseError, KNOBS, PresetId, RuleSet, Rules, VariationFault,
};
use canasta_engine::seat::SEATS_MAX;
use canasta_engine::token::Catalogue;
use canasta_proto::v1::{self as pb, CreateGameRequest, DealMode};

use super::field::{
    Read, at_most, bytes, bytes_opt, fault, item, missing, required, seat_opt, text, within, word,
};
use super::{action, card, violation};
use crate::limits::ID_BYTES_MAX;
use crate::status::{FieldFault, RequestFault};

/// Maximum number of variations of a house rule set.
const VARIATIONS_MAX: usize = 32;

/// Maximum number of faulty knobs and variations that an answer names.
const NAMED_FAULTS_MAX: usize = 6;

/// A request that cannot be converted to a new game.
#[derive(Debug)]
pub enum NotRead {
    /// The request is malformed.
    Fault(RequestFault),
    /// The rules cannot be played.
    Rejected(pb::Rejected),
}

impl From<FieldFault> for NotRead {
    fn from(fault: FieldFault) -> Self {
        Self::Fault(fault.into())
    }
}

/// Reads a request whose `game_id` is set, and whose `secret` is set if the deal mode uses one.
pub fn read(request: CreateGameRequest, catalogue: &Catalogue) -> Result<NewGame, NotRead> {
    let base = preset(request.rule_set, "rule_set").map_err(NotRead::Fault)?;
    let rules = rules(base, request.house_rules, catalogue)?;
    let seats = rules.set().seats;
    let mode = word(request.deal_mode).map_err(within("deal_mode"))?;
    let game_id = bytes(&request.game_id).map_err(within("game_id"))?;
    Ok(NewGame {
        rules,
        game_id: GameId(game_id),
        deal: deal(mode, &request.secret, request.wall)?,
        dealer: seat_opt(request.dealer).map_err(within("dealer"))?,
        players: players(request.players, seats).map_err(within("players"))?,
        started_at_ms: request.started_at_ms,
        registration: registration(request.registration).map_err(within("registration"))?,
        expires_at: request.expires_at_ms,
        fork_of: None,
        director: None,
        penalties: None,
    })
}

/// Reads the preset's id from `field`.
pub fn preset(id: String, field: &'static str) -> Result<PresetId, RequestFault> {
    if id.is_empty() {
        return Err(within(field)(missing()).into());
    }
    let id = text(id, ID_BYTES_MAX).map_err(within(field))?;
    PresetId::from_name(&id).ok_or_else(|| RequestFault::NotFound(format!("rule set {id:?}")))
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
            let set = if house.knobs.is_empty() && house.variations.is_empty() {
                canonical(&house.canonical).map_err(within("canonical")).map_err(within("house_rules"))?
            } else {
                changed(base, &house)?
            };
            (set, Some(house.name).filter(|name| !name.is_empty()))
        }
    };
    Rules::house(base, set.clone(), name.as_deref()).map(Arc::new).map_err(|error| match error {
        HouseError::Name => within("house_rules")(within("name")(fault(error.to_string()))).into(),
        HouseError::Knobs(faults) => {
            NotRead::Rejected(violation::write_knobs(&set, &faults, &set.books(base)))
        }
    })
}

/// Returns the preset's rule set with the house rules' variations and knobs. The error names every variation
/// and knob that does not exist or cannot be read.
fn changed(base: PresetId, house: &pb::HouseRules) -> Result<RuleSet, NotRead> {
    if !house.canonical.is_empty() {
        let other = if house.knobs.is_empty() { "variations" } else { "knobs" };
        return Err(within("house_rules")(fault(format!("has both `{other}` and `canonical`"))).into());
    }
    at_most(&house.variations, VARIATIONS_MAX)
        .map_err(within("variations"))
        .map_err(within("house_rules"))?;
    for (index, id) in house.variations.iter().enumerate() {
        let read = text(id.clone(), ID_BYTES_MAX).map_err(item(index)).map_err(within("variations"));
        read.map_err(within("house_rules"))?;
    }
    let bytes: usize = house.knobs.iter().map(|(knob, value)| knob.len() + value.len()).sum();
    if house.knobs.len() > KNOBS.len() || bytes > CANONICAL_BYTES_MAX {
        let found = format!("{} knobs of {bytes} bytes, at most {CANONICAL_BYTES_MAX}", house.knobs.len());
        return Err(within("house_rules")(within("knobs")(fault(found))).into());
    }
    // Maps have no order on the wire; the knobs are sorted so that equal requests have equal answers.
    let mut knobs: Vec<(&str, &str)> =
        house.knobs.iter().map(|(knob, value)| (knob.as_str(), value.as_str())).collect();
    knobs.sort_unstable();
    let (set, faults) = base.changed(&house.variations, knobs);
    // Trailers are small, so an answer names only the first faults.
    let unread: Vec<FieldFault> = faults.iter().filter_map(not_read).take(NAMED_FAULTS_MAX).collect();
    if !unread.is_empty() {
        return Err(NotRead::Fault(RequestFault::Fields(unread)));
    }
    let together = faults.into_iter().filter_map(|fault| match fault {
        ChangeFault::Variation(fault) => Some(fault),
        ChangeFault::Knob { .. } => None,
    });
    let together: Vec<VariationFault> = together.take(NAMED_FAULTS_MAX).collect();
    if together.is_empty() {
        return Ok(set);
    }
    Err(NotRead::Rejected(violation::write_variations(&together, &set.books(base))))
}

/// Returns the fault of a variation or knob that does not exist, or of a value that cannot be read; `None`
/// for variations that exclude each other.
fn not_read(fault: &ChangeFault) -> Option<FieldFault> {
    let short = |text: &str| text.chars().take(40).collect::<String>();
    match fault {
        ChangeFault::Knob { knob, value, error } => Some(FieldFault {
            path: format!("house_rules.knobs[{:?}]", short(knob)),
            problem: format!("{:?}: {error}", short(value)),
        }),
        ChangeFault::Variation(fault) if fault.detail().is_none() => {
            Some(FieldFault { path: "house_rules.variations".into(), problem: fault.to_string() })
        }
        ChangeFault::Variation(_) => None,
    }
}

fn canonical(text: &str) -> Read<RuleSet> {
    match text.len() {
        0 => Err(missing()),
        length if length > CANONICAL_BYTES_MAX => {
            Err(fault(format!("{length} bytes, at most {CANONICAL_BYTES_MAX}")))
        }
        _ => RuleSet::from_canonical(text.as_bytes()).map_err(|error| fault(error.to_string())),
    }
}

fn deal(mode: DealMode, secret: &[u8], wall: Option<pb::Wall>) -> Result<NewDeal, NotRead> {
    let unwanted = |field| Err(within(field)(fault("is not used in this deal mode")).into());
    match mode {
        DealMode::Seeded | DealMode::Committed if wall.is_some() => unwanted("wall"),
        DealMode::Seeded | DealMode::Committed => {
            let secret = GameSecret(bytes(secret).map_err(within("secret"))?);
            Ok(if mode == DealMode::Seeded { NewDeal::Seeded(secret) } else { NewDeal::Committed(secret) })
        }
        DealMode::Explicit if !secret.is_empty() => unwanted("secret"),
        DealMode::Explicit => {
            let (wall, salt) = self::wall(wall).map_err(within("wall"))?;
            Ok(NewDeal::Explicit { wall, salt })
        }
        DealMode::Unspecified => Err(within("deal_mode")(missing()).into()),
    }
}

fn registration(value: i32) -> Read<Registration> {
    match pb::Registration::try_from(value) {
        Ok(pb::Registration::Unspecified | pb::Registration::Automatic) => Ok(Registration::Auto),
        Ok(pb::Registration::ByTable) => Ok(Registration::ByTable),
        Err(_) => Err(fault(format!("{value} is not a value of this enum"))),
    }
}

/// The cards, first dealt first, and the salt.
type Wall = (Vec<Card>, WallSalt);

/// Reads the table's register for the next deal.
pub fn entry(register: pb::Register) -> Read<RegisterEntry> {
    Ok(RegisterEntry {
        wall: register.wall.map(Some).map(wall).transpose().map_err(within("wall"))?,
        dealer: seat_opt(register.dealer).map_err(within("dealer"))?,
        seats: action::entries(&register.commitments).map_err(within("commitments"))?,
        beacon: register.beacon.map(|beacon| self::beacon(&beacon)).transpose().map_err(within("beacon"))?,
        signatures: action::entries(&register.signatures).map_err(within("signatures"))?,
    })
}

fn beacon(message: &pb::Beacon) -> Read<Beacon> {
    let chain = bytes(&message.chain).map_err(within("chain"))?;
    Ok(Beacon { chain, round: message.round, close_ms: message.close_ms })
}

/// Reads a required wall.
fn wall(wall: Option<pb::Wall>) -> Read<Wall> {
    let wall = required(wall)?;
    at_most(&wall.cards, CARDS_MAX).map_err(within("cards"))?;
    let cards = card::read_list(&wall.cards).map_err(within("cards"))?.to_vec();
    Ok((cards, WallSalt(bytes(&wall.salt).map_err(within("salt"))?)))
}

fn players(list: Vec<pb::Player>, seats: u8) -> Read<Vec<Player>> {
    if list.is_empty() {
        return Ok((1..=seats).map(|n| Player { name: format!("Player {n}"), key: None }).collect());
    }
    at_most(&list, SEATS_MAX)?;
    list.into_iter().enumerate().map(|(i, one)| player(one).map_err(item(i))).collect()
}

fn player(message: pb::Player) -> Read<Player> {
    let key = bytes_opt(&message.public_key).map_err(within("public_key"))?;
    let player = Player { name: text(message.name, NAME_MAX).map_err(within("name"))?, key };
    player.validate().map_err(|error| within("name")(fault(error.kind.to_string())))?;
    Ok(player)
}
