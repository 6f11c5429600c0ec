//! Conversion of messages to new games.

use std::sync::Arc;

use canasta_engine::card::Card;
use canasta_engine::deal::{GameId, GameSecret, WallSalt};
use canasta_engine::dealing::Registration;
use canasta_engine::game::{NewDeal, NewGame, RegisterEntry};
use canasta_engine::log::check_time;
use canasta_engine::log::record::{Beacon, NAME_MAX, Player};
use canasta_engine::notation::Position;
use canasta_engine::rules::{
    CANONICAL_BYTES_MAX, ChangeFault, HouseError, KNOBS, PresetId, RuleSet, Rules, VariationFault,
};
use canasta_engine::seat::SEATS_MAX;
use canasta_engine::token::Catalogue;
use canasta_proto::v1::{self as pb, CreateGameRequest, DealMode};

use super::field::{
    Read, all, at_most, bytes, bytes_opt, each, fault, field, holds, missing, required, seat_opt, text,
    text_required, within, word,
};
use super::{action, card, log, violation};
use crate::fault::{FieldFault, FieldFaults, OrFault, RequestFault};
use crate::limits::ID_BYTES_MAX;

/// Maximum number of variations of a house rule set.
const VARIATIONS_MAX: usize = 32;

/// Maximum number of contradictions between variations that an answer names.
const CONTRADICTIONS_MAX: usize = 6;

/// A request that cannot be converted to a new game.
#[derive(Debug)]
pub enum NotRead {
    /// The request is malformed.
    Fault(RequestFault),
    /// The rules cannot be played.
    Rejected(Box<pb::Rejected>),
}

impl From<FieldFaults> for NotRead {
    fn from(faults: FieldFaults) -> Self {
        Self::Fault(faults.into())
    }
}

/// Reads a request whose `game_id` is set, and whose `secret` is set if the deal mode uses one. `expiry` is the
/// server's answer to its `expires_at_ms`. A rule set that does not exist or cannot be played is refused only
/// if no field is malformed.
pub fn read(request: CreateGameRequest, expiry: Read<()>, catalogue: &Catalogue) -> Result<NewGame, NotRead> {
    let rules = named_rules(request.rule_set, request.house_rules, catalogue);
    // Nobody sits at a table without rules.
    let seats = rules.as_ref().map_or(0, |rules| rules.as_ref().map_or(0, |rules| rules.set().seats));
    let (rules, deal, (game_id, dealer, players, director), (registration, started_at_ms, (), position)) =
        all((
            rules,
            deal(request.deal_mode, &request.secret, request.wall),
            all((
                field!(&request.game_id, bytes),
                field!(request.dealer, seat_opt),
                field!(request.players, players, seats),
                field!(&request.director_key, bytes_opt),
            )),
            all((
                field!(request.registration, registration),
                request.started_at_ms.map(|at| check_time("started_at", at)).transpose().map_err(log::fault),
                expiry,
                field!(&request.position, position),
            )),
        ))?;
    Ok(NewGame {
        rules: rules?,
        game_id: GameId(game_id),
        deal,
        dealer,
        players,
        started_at_ms,
        registration,
        expires_at: request.expires_at_ms,
        fork_of: None,
        director,
        position,
        penalties: None,
    })
}

/// Reads the preset's id from `field`.
pub fn preset(id: String, field: &'static str) -> OrFault<PresetId> {
    let id = text_required(id, ID_BYTES_MAX).map_err(within(field))?;
    PresetId::from_name(&id).ok_or_else(|| RequestFault::NotFound(format!("rule set {id:?}")))
}

/// The result of fields that can be read: a value, or the reason why there is none.
pub type ReadOr<T> = Read<Result<T, NotRead>>;

fn named_rules(id: String, house: Option<pb::HouseRules>, catalogue: &Catalogue) -> ReadOr<Arc<Rules>> {
    let base = match preset(id, "rule_set") {
        Ok(base) => base,
        Err(RequestFault::Fields(faults)) => return Err(faults),
        Err(other) => return Ok(Err(NotRead::Fault(other))),
    };
    match (house, catalogue.get(base)) {
        (None, Some(ready)) => Ok(Ok(Arc::clone(ready))),
        (house, _) => Ok(house_rules(base, house)?.map(Arc::new)),
    }
}

/// Reads the rules that are made from a preset by the field `house_rules`; without it they are the preset's.
pub fn house_rules(base: PresetId, house: Option<pb::HouseRules>) -> ReadOr<Rules> {
    let is_house = house.is_some();
    let house = house.unwrap_or_default();
    let name = Some(house.name.as_str()).filter(|name| !name.is_empty());
    let set = match house.knobs.is_empty() && house.variations.is_empty() {
        _ if !is_house => Ok(Ok(base.rule_set())),
        true => field!(house.canonical, canonical).map(Ok),
        false => changed(base, &house),
    };
    // The name is checked with the preset's rules, since the house's own may be unreadable.
    let checked = match Rules::house(base, base.rule_set(), name) {
        Err(HouseError::Name) => Err(bad_name()),
        _ => Ok(()),
    };
    let (set, ()) = all((set, checked)).map_err(within("house_rules"))?;
    Ok(set.and_then(|set| {
        Rules::house(base, set.clone(), name).map_err(|error| match error {
            HouseError::Name => within("house_rules")(bad_name()).into(),
            HouseError::Knobs(faults) => {
                NotRead::Rejected(Box::new(violation::write_knobs(&set, &faults, &set.books(base))))
            }
        })
    }))
}

/// Returns the fault of a name that house rules cannot have.
fn bad_name() -> FieldFaults {
    within("name")(fault(HouseError::Name.to_string()))
}

/// Returns the preset's rule set with the house rules' variations and knobs. The error names every variation
/// and knob that does not exist or cannot be read.
fn changed(base: PresetId, house: &pb::HouseRules) -> ReadOr<RuleSet> {
    if !house.canonical.is_empty() {
        let other = if house.knobs.is_empty() { "variations" } else { "knobs" };
        return Err(fault(format!("has both `{other}` and `canonical`")));
    }
    let ids = at_most(&house.variations, VARIATIONS_MAX)
        .and_then(|()| each(&house.variations, |id| text(id.clone(), ID_BYTES_MAX)));
    let bytes: usize = house.knobs.iter().map(|(knob, value)| knob.len() + value.len()).sum();
    let knobs = match house.knobs.len() > KNOBS.len() || bytes > CANONICAL_BYTES_MAX {
        true => {
            let found =
                format!("{} knobs of {bytes} bytes, at most {CANONICAL_BYTES_MAX}", house.knobs.len());
            Err(fault(found))
        }
        false => Ok(()),
    };
    let (ids, ()): (Vec<String>, ()) =
        all((ids.map_err(within("variations")), knobs.map_err(within("knobs"))))?;
    // Maps have no order on the wire; the knobs are sorted so that equal requests have equal answers.
    let mut knobs: Vec<(&str, &str)> =
        house.knobs.iter().map(|(knob, value)| (knob.as_str(), value.as_str())).collect();
    knobs.sort_unstable();
    let (set, faults) = base.changed(&ids, knobs);
    if let Some(unread) = faults.iter().filter_map(not_read).reduce(FieldFaults::and) {
        return Err(unread);
    }
    let together = faults.into_iter().filter_map(|fault| match fault {
        ChangeFault::Variation(fault) => Some(fault),
        ChangeFault::Knob { .. } => None,
    });
    let together: Vec<VariationFault> = together.take(CONTRADICTIONS_MAX).collect();
    if together.is_empty() {
        return Ok(Ok(set));
    }
    Ok(Err(NotRead::Rejected(Box::new(violation::write_variations(&together, &set.books(base))))))
}

/// Returns the fault of a variation or knob that does not exist, or of a value that cannot be read; `None`
/// for variations that exclude each other.
fn not_read(fault: &ChangeFault) -> Option<FieldFaults> {
    let short = |text: &str| text.chars().take(40).collect::<String>();
    let (path, problem) = match fault {
        ChangeFault::Knob { knob, value, error } => {
            (format!("knobs[{:?}]", short(knob)), format!("{:?}: {error}", short(value)))
        }
        ChangeFault::Variation(fault) if fault.detail().is_none() => ("variations".into(), fault.to_string()),
        ChangeFault::Variation(_) => return None,
    };
    Some(FieldFault { path, problem }.into())
}

/// Reads a rule set in canonical form.
pub fn canonical(text: String) -> Read<RuleSet> {
    let text = text_required(text, CANONICAL_BYTES_MAX)?;
    RuleSet::from_canonical(text.as_bytes()).map_err(|error| fault(error.to_string()))
}

fn deal(mode: i32, secret: &[u8], wall: Option<pb::Wall>) -> Read<NewDeal> {
    let unused = |field, is_given: bool| holds(field, !is_given, "is not used in this deal mode");
    let seeded = || {
        let secret = bytes(secret).map(GameSecret).map_err(within("secret"));
        all((secret, unused("wall", wall.is_some()))).map(|(secret, ())| secret)
    };
    match word(mode).map_err(within("deal_mode"))? {
        DealMode::Seeded => seeded().map(NewDeal::Seeded),
        DealMode::Committed => seeded().map(NewDeal::Committed),
        DealMode::Explicit => {
            let wall = self::wall(wall).map_err(within("wall"));
            let ((wall, salt), ()) = all((wall, unused("secret", !secret.is_empty())))?;
            Ok(NewDeal::Explicit { wall, salt })
        }
        DealMode::Unspecified => Err(within("deal_mode")(missing())),
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
    let (wall, dealer, (seats, signatures), beacon) = all((
        register.wall.map(Some).map(wall).transpose().map_err(within("wall")),
        field!(register.dealer, seat_opt),
        all((field!(&register.commitments, action::entries), field!(&register.signatures, action::entries))),
        register.beacon.map(|beacon| self::beacon(&beacon)).transpose().map_err(within("beacon")),
    ))?;
    Ok(RegisterEntry { wall, dealer, seats, beacon, signatures })
}

fn beacon(message: &pb::Beacon) -> Read<Beacon> {
    let chain = field!(&message.chain, bytes)?;
    Ok(Beacon { chain, round: message.round, close_ms: message.close_ms })
}

fn wall(wall: Option<pb::Wall>) -> Read<Wall> {
    let wall = required(wall)?;
    let cards = field!(&wall.cards, card::read_list);
    let (cards, salt) = all((cards, field!(&wall.salt, bytes)))?;
    Ok((cards.to_vec(), WallSalt(salt)))
}

fn players(list: Vec<pb::Player>, seats: u8) -> Read<Vec<Player>> {
    if list.is_empty() {
        return Ok((1..=seats).map(|n| Player { name: format!("Player {n}"), key: None }).collect());
    }
    at_most(&list, SEATS_MAX)?;
    each(list, player)
}

/// Reads a position in notation; `None` for an empty text.
fn position(text: &str) -> Read<Option<Box<Position>>> {
    let position = (!text.is_empty()).then(|| Position::parse(text)).transpose();
    Ok(position.map_err(|error| fault(error.to_string()))?.map(Box::new))
}

fn player(message: pb::Player) -> Read<Player> {
    let name = player_name(message.name).map_err(within("name"));
    let (name, key) = all((name, field!(&message.public_key, bytes_opt)))?;
    Ok(Player { name, key })
}

/// Reads the name of a player.
pub fn player_name(name: String) -> Read<String> {
    let player = Player { name: text(name, NAME_MAX)?, key: None };
    player.validate().map_err(|error| fault(error.kind.to_string())).map(|()| player.name)
}
