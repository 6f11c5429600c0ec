//! Creating a game: what it is created with, and the beginning of its log.

use super::game::{Game, Link};
use super::writer::Writer;
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_log::ENGINE_VERSION;
use canasta_log::deal::{self, Commitment, GameId, GameSecret, WallSalt};
use canasta_log::dealing::{DealSource, Dealing, Registration};
use canasta_log::error::FieldError;
use canasta_log::record::{DealMode, Fork, Genesis, Player, Record};
use canasta_log::{Chain, HEADER, Length};
use canasta_rules::card::Card;
use canasta_rules::check::{LeftToTable, dealer_before_cards, other_dealer, unnamed_dealer, wrong_pack};
use canasta_rules::rejection::{Field, Violation};
use canasta_rules::rules::{FirstDealer, Rules};
use canasta_rules::seat::Seat;
use canasta_rules::table::Table;
use canasta_rules::violations::Code;
use core::fmt;

/// Where the cards of a new game come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NewDeal {
    /// Seeded: every deal follows from this secret.
    Seeded(GameSecret),
    /// Committed: every deal follows from this secret and from what seats and beacons contribute.
    Committed(GameSecret),
    /// Explicit: the first wall, first card dealt first, and its salt.
    Explicit {
        /// The whole pack in dealing order.
        wall: Vec<Card>,
        /// Never used twice.
        salt: WallSalt,
    },
    /// Transcribed: a game that was played with cards of its own (`notation::game::from_text`).
    Transcribed,
}

/// What a game is created with.
#[derive(Clone, PartialEq, Debug)]
pub struct NewGame {
    /// The rule set, made ready.
    pub rules: Arc<Rules>,
    /// The game's id.
    pub game_id: GameId,
    /// Where the cards come from.
    pub deal: NewDeal,
    /// The first dealer; needed where the rule set or the mode leaves it to the caller.
    pub dealer: Option<Seat>,
    /// The players by seat.
    pub players: Vec<Player>,
    /// Who writes registers.
    pub registration: Registration,
    /// The claimed start, ms since 1970.
    pub started_at_ms: Option<i64>,
    /// When the game's tokens expire, ms since 1970.
    pub expires_at: Option<i64>,
    /// The record of another game that this one continues from.
    pub fork_of: Option<Fork>,
}

/// A game that has been created.
#[derive(Clone, PartialEq, Debug)]
pub struct Created {
    /// The game before its first deal.
    pub game: Game,
    /// Header, genesis and register: the beginning of the log file.
    pub frames: Vec<u8>,
}

/// Why a game was not created.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CreateError {
    /// Rules broken: SETUP_* violations, all of them.
    Rejected(Vec<Violation>),
    /// A field that no log can hold.
    Field(FieldError),
}

impl fmt::Display for CreateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(violations) => {
                f.write_str("rules are broken:")?;
                violations.iter().try_for_each(|violation| write!(f, " {}", violation.code.name()))
            }
            Self::Field(error) => error.fmt(f),
        }
    }
}

impl Game {
    /// Creates a game before its first deal, and writes the beginning of its log.
    ///
    /// # Errors
    /// Every SETUP_* violation at once, or the first field that a log cannot hold.
    pub fn create(new: NewGame) -> Result<Created, CreateError> {
        let dealer = validate(&new).map_err(CreateError::Rejected)?;
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
        };
        let mut game = Self {
            table: Table::new(new.rules, dealer),
            dealing: Dealing::new(new.game_id, source, mode == DealMode::Committed),
            registration: new.registration,
            expires_at: new.expires_at,
            link: Link::default(),
            keys,
            length: Length::default(),
        };
        let mut writer = Writer { chain: Chain::START, frames: HEADER.to_vec() };
        writer.write(&Record::Genesis(Box::new(genesis))).map_err(CreateError::Field)?;
        if new.registration == Registration::Auto {
            writer.register(&mut game, Vec::new(), None);
        }
        let frames = writer.close(&mut game);
        Ok(Created { game, frames })
    }
}

/// The first dealer, or all SETUP_* violations.
fn validate(new: &NewGame) -> Result<Seat, Vec<Violation>> {
    let mut faults = Vec::new();
    let seats = new.rules.set().seats;
    if new.players.len() != usize::from(seats) {
        let fault = Violation::new(Code::SetupPlayerCount, Field::Action);
        faults.push(fault.fact("found", new.players.len() as u16).fact("allowed", seats));
    }
    if let NewDeal::Explicit { wall, .. } = &new.deal {
        faults.extend(wrong_pack(&new.rules, wall));
    }
    let decided = decided_dealer(new);
    let left_to_table =
        if new.rules.set().leaves_dealer_to_table() { LeftToTable::ByRuleSet } else { LeftToTable::ByWall };
    let dealer = match (new.dealer, decided) {
        (given, _) if new.rules.set().draws_dealer() => {
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

/// The first dealer where rule set and mode decide it.
fn decided_dealer(new: &NewGame) -> Option<Seat> {
    match &new.deal {
        NewDeal::Seeded(secret) | NewDeal::Committed(secret) => {
            random_dealer(&new.rules, new.game_id, secret)
        }
        NewDeal::Explicit { .. } | NewDeal::Transcribed => None,
    }
}

fn random_dealer(rules: &Rules, game_id: GameId, secret: &GameSecret) -> Option<Seat> {
    if rules.set().first_dealer != FirstDealer::Random {
        return None;
    }
    deal::random_dealer(&secret.round(1, 1), game_id, 1, rules.set().seats).ok()
}
