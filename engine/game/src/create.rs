//! The creation of games: its arguments, and the beginning of the log.

use super::act::Stamp;
use super::game::{Game, Link};
use super::writer::LogWriter;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::ENGINE_VERSION;
use canasta_log::deal::{self, Commitment, GameId, GameSecret, WallSalt};
use canasta_log::dealing::{DealSource, Dealing, Registration};
use canasta_log::error::FieldError;
use canasta_log::record::{DealMode, Fork, Genesis, Player, Record};
use canasta_log::{Chain, HEADER, Length};
use canasta_rules::action::{Action, As, Deal, Ruling};
use canasta_rules::card::Card;
use canasta_rules::check::{LeftToTable, dealer_before_cards, other_dealer, unnamed_dealer, wrong_pack};
use canasta_rules::notation::Position;
use canasta_rules::rejection::{Field, Violation};
use canasta_rules::rulebook::penalties::PENALTIES_VERSION;
use canasta_rules::rules::{FirstDealer, Rules};
use canasta_rules::seat::Seat;
use canasta_rules::table::{Phase, Table};
use canasta_rules::violations::Code;
use core::fmt;
use thiserror::Error;

/// The source of the cards of a new game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NewDeal {
    /// Seeded: every deal follows from this secret.
    Seeded(GameSecret),
    /// Committed: every deal follows from this secret and from the contributions of seats and beacons.
    Committed(GameSecret),
    /// Explicit: the first wall, first card dealt first, and its salt.
    Explicit {
        /// The whole pack in dealing order.
        wall: Vec<Card>,
        /// The salt of the wall's commitment; never used twice.
        salt: WallSalt,
    },
    /// Transcribed: a game that was played with physical cards (`notation::game::from_text`).
    Transcribed,
}

/// The arguments of a new game.
#[derive(Clone, PartialEq, Debug)]
pub struct NewGame {
    /// The rule set, prepared for play.
    pub rules: Arc<Rules>,
    /// The game's id.
    pub game_id: GameId,
    /// The source of the cards.
    pub deal: NewDeal,
    /// The first dealer; required if neither the rule set nor the source of cards decides the dealer.
    pub dealer: Option<Seat>,
    /// The players by seat.
    pub players: Vec<Player>,
    /// The writer of registers.
    pub registration: Registration,
    /// Claimed time of the start, in ms since 1970.
    pub started_at_ms: Option<i64>,
    /// Time at which the game's tokens expire, in ms since 1970; `None`: never.
    pub expires_at: Option<i64>,
    /// The record of another game that this one continues from.
    pub fork_of: Option<Fork>,
    /// The director's Ed25519 key, for signatures under rulings.
    pub director: Option<[u8; 32]>,
    /// The position that the game is taken up from, instead of a first deal (IR-113). The cards that it does not name
    /// come in the order of the first wall.
    pub position: Option<Box<Position>>,
    /// The version of the table of penalties to record: [`PENALTIES_VERSION`], or `None` to leave it out.
    pub penalties: Option<u16>,
}

impl NewGame {
    /// Returns what a game of these rules needs, for the caller to change fields of: players without keys, registers
    /// by the game itself, seat 0 as the first dealer where the caller must name one, no times.
    ///
    /// Draw `game_id` and the secret or salt of `deal` at random, and use each once.
    pub fn new(rules: Arc<Rules>, game_id: GameId, deal: NewDeal) -> Self {
        let player = |seat: u8| Player { name: format!("Player {seat}"), key: None };
        let decided = rules.set().draws_dealer() || decided_dealer(&rules, game_id, &deal).is_some();
        Self {
            game_id,
            deal,
            dealer: (!decided).then_some(Seat(0)),
            players: (0..rules.set().seats).map(player).collect(),
            rules,
            registration: Registration::Auto,
            started_at_ms: None,
            expires_at: None,
            fork_of: None,
            director: None,
            position: None,
            penalties: None,
        }
    }
}

/// A game that has been created.
#[derive(Clone, PartialEq, Debug)]
pub struct Created {
    /// The game before its first deal.
    pub game: Game,
    /// The beginning of the log file: header and genesis, then the register unless the table sends it.
    pub frames: Vec<u8>,
}

/// The reasons why a game was not created.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CreateError {
    /// All SETUP_* violations.
    #[error(fmt = write_codes)]
    Rejected(Vec<Violation>),
    /// The first field whose value a log cannot hold.
    #[error(transparent)]
    Field(FieldError),
    /// The reason why no game can be taken up from the position.
    #[error("position: {0}")]
    Position(String),
}

/// Writes the codes of broken SETUP_* rules.
pub(super) fn write_codes(violations: &[Violation], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("rules are broken:")?;
    violations.iter().try_for_each(|violation| write!(f, " {}", violation.code.name()))
}

impl Game {
    /// Creates a game before its first deal, and writes the beginning of its log.
    ///
    /// # Errors
    /// Every SETUP_* violation at once, or the first field that a log cannot hold.
    pub fn create(new: NewGame) -> Result<Created, CreateError> {
        let dealer = validate(&new).map_err(CreateError::Rejected)?;
        if new.penalties.is_some_and(|version| version != PENALTIES_VERSION) {
            let fault =
                FieldError::misplaced("penalties", "is not the version of this engine's table of penalties");
            return Err(CreateError::Field(fault));
        }
        let (source, mode) = match new.deal {
            NewDeal::Seeded(secret) => (DealSource::Seeded(secret), DealMode::Seeded),
            NewDeal::Committed(secret) => (DealSource::Seeded(secret), DealMode::Committed),
            NewDeal::Explicit { wall, salt } => (DealSource::Wall { wall, salt }, DealMode::Explicit),
            NewDeal::Transcribed => (DealSource::Unknown, DealMode::Transcribed),
        };
        let commitment = match &source {
            DealSource::Seeded(secret) => Some(Commitment::game(new.game_id, secret).0),
            _ => None,
        };
        let mut keys: Vec<_> = new.players.iter().map(|player| player.key).collect();
        if keys.iter().all(Option::is_none) {
            keys.clear();
        }
        let genesis = Genesis {
            game_id: new.game_id.0,
            rule_set_id: new.rules.id().to_string(),
            base: new.rules.base().name().to_string(),
            rule_set: new.rules.canonical().to_vec(),
            players: new.players,
            mode,
            registration: new.registration,
            commitment,
            engine: ENGINE_VERSION.to_string(),
            started_at_ms: new.started_at_ms,
            fork_of: new.fork_of,
            director: new.director,
            penalties: new.penalties,
        };
        let mut game = Self {
            table: Table::new(new.rules, dealer),
            dealing: Dealing::new(new.game_id, source, mode == DealMode::Committed),
            registration: new.registration,
            expires_at: new.expires_at,
            link: Link::default(),
            keys,
            director: new.director,
            penalties: new.penalties,
            length: Length::default(),
        };
        let mut writer = LogWriter { chain: Chain::START, frames: HEADER.to_vec() };
        writer.write(&Record::Genesis(Box::new(genesis))).map_err(CreateError::Field)?;
        if let Some(position) = &new.position {
            game.table.take_up(position.named().round.into());
            writer.register_dealer(&mut game, dealer, Vec::new(), None, Vec::new());
        } else if new.registration == Registration::Auto {
            writer.register(&mut game, Vec::new(), None);
        }
        let mut frames = writer.close(&mut game);
        if let Some(position) = new.position {
            frames.extend(game.take_up(&position)?);
        }
        Ok(Created { game, frames })
    }
}

impl Game {
    /// Takes the game up from a position, and returns the frame of the ruling that says so.
    fn take_up(&mut self, position: &Position) -> Result<Vec<u8>, CreateError> {
        let refused = |reason: &str| CreateError::Position(String::from(reason));
        if position.rules().canonical() != self.table.rules().canonical() {
            return Err(refused("expected the rules of the game, found others"));
        }
        let pack = self.dealing.wall(&self.table, &Deal::default()).ok().flatten();
        let is_dealt = position.named().phase != Phase::Deal;
        if pack.is_none() && is_dealt && !position.is_whole() {
            return Err(refused(
                "expected all cards named, because there is no wall from which the others come",
            ));
        }
        let pack = pack.unwrap_or_default();
        let table = position.dealt(&pack).into_table().map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            CreateError::Position(faults.join("; "))
        })?;
        let ruling = Ruling::taking_up(Position::of(&table).to_string());
        let acted = self.act(As::Director, &Action::Ruling(Box::new(ruling)), Stamp::default());
        let expected = "expected a round that is dealt or about to be dealt, and no rulings";
        Ok(acted.map_err(|_| refused(expected))?.frames)
    }
}

/// Checks the arguments and returns the first dealer (seat 0 if cards are drawn for the dealer).
///
/// # Errors
/// All SETUP_* violations.
fn validate(new: &NewGame) -> Result<Seat, Vec<Violation>> {
    let mut faults = Vec::new();
    let seats = new.rules.set().seats;
    if new.players.len() != usize::from(seats) {
        let fault = Violation::new(Code::SetupPlayerCount, Field::Action);
        faults.push(fault.fact("found", new.players.len() as u16).fact("range", seats.to_string()));
    }
    if let NewDeal::Explicit { wall, .. } = &new.deal {
        faults.extend(wrong_pack(&new.rules, wall));
    }
    let decided = decided_dealer(&new.rules, new.game_id, &new.deal);
    let left_to_table =
        if new.rules.set().leaves_dealer_to_table() { LeftToTable::ByRuleSet } else { LeftToTable::ByWall };
    let decided = new.position.as_ref().map(|position| position.named().dealer).or(decided);
    let dealer = match (new.dealer, decided) {
        (given, _) if new.rules.set().draws_dealer() && new.position.is_none() => {
            faults.extend(given.map(dealer_before_cards));
            Seat(0)
        }
        (Some(given), Some(decided)) if given != decided => {
            faults.push(other_dealer(given, decided));
            decided
        }
        (given, None) if given.is_none_or(|seat| seat.0 >= seats) => {
            faults.push(unnamed_dealer(given, seats, left_to_table));
            Seat(0)
        }
        (given, decided) => decided.or(given).unwrap_or(Seat(0)),
    };
    if faults.is_empty() { Ok(dealer) } else { Err(faults) }
}

/// Returns the first dealer if the rule set and the secret of the game decide it.
fn decided_dealer(rules: &Rules, game_id: GameId, deal: &NewDeal) -> Option<Seat> {
    let (NewDeal::Seeded(secret) | NewDeal::Committed(secret)) = deal else { return None };
    if rules.set().first_dealer != FirstDealer::Random {
        return None;
    }
    deal::random_dealer(&secret.round(1, 1), game_id, 1, rules.set().seats).ok()
}
