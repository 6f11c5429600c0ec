//! Named situations: games that stand before each screen that a front end must draw. They are data, and are played by
//! requests as any game is.

use canasta_engine::action::As;
use canasta_engine::card::Card;
use canasta_engine::notation::Proposal as Notation;
use canasta_engine::rules::{PresetId, RuleSet};
use canasta_engine::seat::Seat;
use canasta_messages::convert::{action_out, identity};
use canasta_proto::v1::{self as pb, CreateRequest, Note, Proposal, proposal::Record};

const TEXT: &str = include_str!("situations.txt");
const LABEL: &str = "situation:";
/// The names of the players, by seat.
const NAMES: [&str; 6] = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn"];

#[derive(Debug)]
pub struct NamedSituation {
    pub name: &'static str,
    /// A sentence: the things that the seat sees.
    pub says: &'static str,
    /// The preset, and the variations that are played.
    pub rules: (PresetId, Vec<String>),
    /// The seat whose screen it is.
    pub seat: Seat,
    pub steps: Vec<ScriptStep>,
    wall: Vec<Card>,
    take_backs: pb::TakeBacks,
    turn_ms: Option<u64>,
}

/// A request by which a situation comes about.
#[derive(Clone, PartialEq, Debug)]
pub enum ScriptStep {
    /// An action, an attempt whose refusal is recorded, or the note that the game does not count.
    Act(Box<Proposal>),
    /// A seat's offer to take back to the position after an action.
    Offer { by: Seat, to_seq: u64 },
}

/// Returns all situations.
///
/// # Panics
/// If a block of the text is no situation: a test reads all of them.
pub fn all() -> impl Iterator<Item = NamedSituation> {
    TEXT.split("\n\n")
        .filter(|block| !block.starts_with('#'))
        .map(|block| read(block.trim()).unwrap_or_else(|| panic!("{block:?} is no situation")))
}

/// Whether a label is that of a situation.
pub fn is_label(label: &str) -> bool {
    label.starts_with(LABEL)
}

impl NamedSituation {
    /// Returns the request that creates the game.
    pub fn request(&self, request_id: Vec<u8>, creator: Option<pb::Actor>) -> CreateRequest {
        let (preset, variations) = &self.rules;
        let seats = usize::from(preset.rule_set().seats);
        let player = |name: &&str| pb::Player { name: (*name).into(), ..Default::default() };
        let cards = self.wall.iter().map(ToString::to_string).collect();
        let house = pb::HouseRules { variations: variations.clone(), ..Default::default() };
        CreateRequest {
            rule_set: preset.name().into(),
            house_rules: Some(house).filter(|house| !house.variations.is_empty()),
            deal_mode: pb::DealMode::Explicit.into(),
            players: NAMES.iter().take(seats).map(player).collect(),
            // Everybody may know the cards.
            wall: Some(pb::Wall { cards, salt: request_id.repeat(2) }),
            dealer: Some(seats as u32 - 1),
            label: format!("{LABEL}{}", self.name),
            clock: self.turn_ms.map(|turn_ms| pb::Clock { turn_ms: Some(turn_ms), ..Default::default() }),
            take_backs: self.take_backs.into(),
            creator,
            request_id,
            ..Default::default()
        }
    }
}

fn read(block: &'static str) -> Option<NamedSituation> {
    let (name, mut rest) = block.split_once('\n')?;
    let mut field = |name: &str| {
        let (line, after) = rest.split_once('\n')?;
        let value = line.strip_prefix(name)?.strip_prefix(": ")?;
        rest = after;
        Some(value)
    };
    let (says, rules) = (field("says")?, field("rules")?);
    let take_backs = match field("take-backs") {
        Some("agreed") => pb::TakeBacks::Agreed,
        _ => pb::TakeBacks::Never,
    };
    let turn_ms = field("turn").map(|turn_ms| turn_ms.parse().ok());
    let (seat, wall) = (field("seat")?.parse().ok()?, field("wall")?);
    let mut rules = rules.split(' ');
    let preset = PresetId::from_name(rules.next()?)?;
    let set = preset.rule_set();
    let mut steps = steps(rest, &set)?;
    // After the deal, where nobody looks for the names of players.
    steps.insert(1, ScriptStep::Act(Box::new(note(name))));
    Some(NamedSituation {
        name,
        says,
        rules: (preset, rules.map(str::to_owned).collect()),
        seat: Seat(seat),
        steps,
        wall: cards(wall)?,
        take_backs,
        turn_ms: turn_ms.unwrap_or_default(),
    })
}

fn cards(mut text: &str) -> Option<Vec<Card>> {
    let mut cards = Vec::new();
    while !text.is_empty() {
        let (card, rest) = text.split_at_checked(if text.starts_with('X') { 1 } else { 2 })?;
        cards.push(Card::parse(card)?);
        text = rest;
    }
    Some(cards)
}

fn steps(lines: &str, set: &RuleSet) -> Option<Vec<ScriptStep>> {
    let step = |line: &str| {
        if let Some(offer) = line.strip_prefix("offer ") {
            let (seat, to_seq) = offer.split_once(' ')?;
            let by = Notation::parse(&format!("{seat}: draw"), set).ok()?.actor?.seat()?;
            return Some(ScriptStep::Offer { by, to_seq: to_seq.parse().ok()? });
        }
        let (line, record_refusal) = line.strip_prefix("try ").map_or((line, false), |tried| (tried, true));
        Some(ScriptStep::Act(Box::new(Proposal { record_refusal, ..proposal(line, set)? })))
    };
    lines.lines().map(step).collect()
}

fn proposal(line: &str, set: &RuleSet) -> Option<Proposal> {
    let Notation { actor, action } = Notation::parse(line, set).ok()?;
    let actor = Some(identity::write(actor.unwrap_or(As::Table)));
    Some(Proposal { actor, record: Some(Record::Action(action_out::write(&action))), ..Default::default() })
}

fn note(name: &str) -> Proposal {
    let text = format!("situation {name}: this game does not count");
    let actor = Some(identity::write(As::Table));
    Proposal { actor, record: Some(Record::Note(Note { text })), ..Default::default() }
}
