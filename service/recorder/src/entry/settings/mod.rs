//! The settings of a game, which entries of kinds 0 and 5 hold.
//!
//! Each setting is a field: its number (1 byte), its length (2 bytes), its value. SettingFields are ascending by number; a
//! setting with its default value has no field. So a new setting adds a number, and the bytes of old entries stay.

mod board;
mod clock;
mod links;
mod room;

use canasta_engine::bot::Level;
use canasta_engine::seat::{SEATS_MAX, Seat};

use prost::Message as _;

use super::EntryError;
use super::read::EntryBytes;
pub use board::{PlayedBoard, TABLES_MAX};
pub use clock::{GameClock, clock_faults};
pub use links::{GivenLink, LINKS_MAX};
pub use room::{GAMES_MAX, GENERATIONS, RoomState};

/// Maximum length of a label, in bytes.
pub const LABEL_BYTES_MAX: usize = 64;

mod number {
    pub const LABEL: u8 = 1;
    pub const STARTS_AT_MS: u8 = 2;
    pub const ENDS_AT_MS: u8 = 3;
    pub const TURN_MS: u8 = 4;
    pub const BANK_MS: u8 = 5;
    pub const INCREMENT_MS: u8 = 6;
    pub const WARNINGS: u8 = 7;
    pub const TAKE_BACKS: u8 = 8;
    pub const AUTO_TABLE: u8 = 9;
    pub const BOTS: u8 = 10;
    pub const LINKS: u8 = 11;
    pub const IS_ROOM: u8 = 12;
    pub const WAITS_FOR_OPENING: u8 = 13;
    pub const BOARD: u8 = 14;
    pub const ROOM: u8 = 15;
    pub const LEVELS: u8 = 16;
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// The creator's name for the table or event; empty: none.
    pub label: String,
    pub clock: GameClock,
    /// The take-backs that are allowed besides those of the director.
    pub take_backs: TakeBackRule,
    /// Whether the recorder does the table's work.
    pub auto_table: bool,
    pub bots: SeatedBots,
    /// The links that were given out, in the order in which they were made; those that have expired may be left out.
    pub links: Vec<GivenLink>,
    /// Whether the game was created by a caller without a link.
    pub is_room: bool,
    /// Whether the recorder leaves the table's first action to a caller.
    pub waits_for_opening: bool,
    /// The board whose cards the game has.
    pub board: Option<PlayedBoard>,
    /// The room that the game is kept for, which nobody deals; `None` for a game.
    pub room: Option<Box<RoomState>>,
}

/// The take-backs that a game allows besides those of the director.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum TakeBackRule {
    /// None.
    #[default]
    Never = 1,
    /// Those of a seat's own last actions, which showed nobody a card.
    Unseen = 2,
    /// Those, and those to which a seat of every other side agrees.
    Agreed = 3,
}

/// The bots of a game: by seat the number of the bot's level, 0 where a player sits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeatedBots([u8; SEATS_MAX]);

/// The level of a bot for which none is named, and of those of older releases.
const USUAL: Level = Level::ALL[2];

impl SeatedBots {
    pub fn has(self, seat: Seat) -> bool {
        self.0[seat.index()] != 0
    }

    /// Puts a bot on a seat, or takes it away.
    pub fn set(&mut self, seat: Seat, level: Option<Level>) {
        self.0[seat.index()] = level.map_or(0, Level::number);
    }

    /// Returns the level of the bot on a seat; the usual one if none plays there.
    pub fn level(self, seat: Seat) -> Level {
        Level::new(self.0[seat.index()].into()).unwrap_or(USUAL)
    }

    /// Returns the seats that bots play.
    pub fn seats(self) -> SeatSet {
        let mut seats = SeatSet::default();
        (0..).map(Seat).zip(self.0).for_each(|(seat, level)| seats.set(seat, level != 0));
        seats
    }

    /// Returns the levels by seat; `None` if no bot has another than the usual one.
    fn unusual(self) -> Option<[u8; SEATS_MAX]> {
        self.0.iter().any(|&level| level != 0 && level != USUAL.number()).then_some(self.0)
    }

    /// Returns the bots with other levels, by seat; `None` if they are no levels, or none but the usual one.
    fn with_levels(self, levels: &[u8]) -> Option<Self> {
        let other = Self(levels.try_into().ok()?);
        let is_level = |&level: &u8| level == 0 || Level::new(level.into()).is_some();
        let fits = other.0.iter().all(is_level) && other.seats() == self.seats() && other.unusual().is_some();
        fits.then_some(other)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeatSet(u8);

impl SeatSet {
    pub fn has(self, seat: Seat) -> bool {
        self.0 & 1 << seat.0 != 0
    }

    /// Puts a seat into the set, or takes it out.
    pub fn set(&mut self, seat: Seat, is_in: bool) {
        self.0 = self.0 & !(1 << seat.0) | u8::from(is_in) << seat.0;
    }

    /// Returns the numbers of the seats, in order.
    pub fn numbers(self) -> Vec<u32> {
        (0..).map(Seat).take(SEATS_MAX).filter(|seat| self.has(*seat)).map(|seat| seat.0.into()).collect()
    }
}

impl Settings {
    /// Whether the recorder has no duty in a game with these settings.
    pub fn is_plain(&self) -> bool {
        !self.has_clock() && !self.auto_table && self.bots == SeatedBots::default()
    }

    /// Whether the game has a time limit.
    pub fn has_clock(&self) -> bool {
        self.clock != GameClock::default()
    }

    /// Whether the recorder does the table's work in a game with this number of accepted actions.
    pub fn does_table_work(&self, actions: u64) -> bool {
        self.auto_table && (actions > 0 || !self.waits_for_opening)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut fields = SettingFields::default();
        fields.add(number::LABEL, Some(&self.label));
        let GameClock { starts_at_ms, ends_at_ms, turn_ms, bank_ms, increment_ms, warnings } = self.clock;
        fields.add(number::STARTS_AT_MS, starts_at_ms.map(i64::to_be_bytes));
        fields.add(number::ENDS_AT_MS, ends_at_ms.map(i64::to_be_bytes));
        fields.add(number::TURN_MS, turn_ms.map(u64::to_be_bytes));
        fields.add(number::BANK_MS, bank_ms.map(u64::to_be_bytes));
        fields.add(number::INCREMENT_MS, increment_ms.map(u64::to_be_bytes));
        fields.add(number::WARNINGS, warnings.map(|warnings| [warnings as u8]));
        let takes_back = self.take_backs != TakeBackRule::Never;
        fields.add(number::TAKE_BACKS, takes_back.then_some([self.take_backs as u8]));
        fields.add(number::AUTO_TABLE, self.auto_table.then_some([1]));
        fields.add(number::BOTS, Some([self.bots.seats().0]).filter(|bots| *bots != [0]));
        fields.add(number::LINKS, Some(links::encode(&self.links)));
        fields.add(number::IS_ROOM, self.is_room.then_some([1]));
        fields.add(number::WAITS_FOR_OPENING, self.waits_for_opening.then_some([1]));
        fields.add(number::BOARD, self.board.as_ref().map(board::encode));
        fields.add(number::ROOM, self.room.as_ref().map(|room| room.encode_to_vec()));
        fields.add(number::LEVELS, self.bots.unusual());
        fields.0
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, EntryError> {
        let (mut settings, mut bytes, mut before) = (Self::default(), EntryBytes(bytes), 0);
        while bytes.end().is_err() {
            let [number] = bytes.array()?;
            let value = bytes.short()?;
            if number <= before || value.is_empty() {
                return Err(EntryError::Field("settings"));
            }
            before = number;
            settings.read(number, value)?;
        }
        Ok(settings)
    }

    fn read(&mut self, number: u8, value: &[u8]) -> Result<(), EntryError> {
        match number {
            number::LABEL => self.label = label(value)?,
            number::STARTS_AT_MS => self.clock.starts_at_ms = Some(whole(value)?.cast_signed()),
            number::ENDS_AT_MS => self.clock.ends_at_ms = Some(whole(value)?.cast_signed()),
            number::TURN_MS => self.clock.turn_ms = Some(whole(value)?),
            number::BANK_MS => self.clock.bank_ms = Some(whole(value)?),
            number::INCREMENT_MS => self.clock.increment_ms = Some(whole(value)?),
            number::WARNINGS => self.clock.warnings = Some(byte(value)?.into()),
            number::TAKE_BACKS => self.take_backs = take_backs(byte(value)?)?,
            number::AUTO_TABLE => self.auto_table = is_set(value)?,
            number::BOTS => {
                let seats = seats(byte(value)?)?;
                (0..)
                    .map(Seat)
                    .take(SEATS_MAX)
                    .for_each(|seat| self.bots.set(seat, seats.has(seat).then_some(USUAL)));
            }
            number::LEVELS => self.bots = self.bots.with_levels(value).ok_or(EntryError::Field("levels"))?,
            number::LINKS => self.links = links::decode(value)?,
            number::IS_ROOM => self.is_room = is_set(value)?,
            number::WAITS_FOR_OPENING => self.waits_for_opening = is_set(value)?,
            number::BOARD => self.board = Some(board::decode(value)?),
            number::ROOM => {
                let room = RoomState::read(value).ok_or(EntryError::Field("room"))?;
                self.room = Some(Box::new(room));
            }
            _ => return Err(EntryError::Field("settings")),
        }
        Ok(())
    }

    /// Returns the name of a field whose value no settings have.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let table = [
            (is_label(&self.label), "label"),
            (clock_faults(&self.clock).is_empty(), "clock"),
            (links::are_valid(&self.links), "links"),
            (self.board.as_ref().is_none_or(PlayedBoard::is_valid), "board"),
            (self.room.as_ref().is_none_or(|room| room.is_valid()), "room"),
        ];
        table.into_iter().find(|(fits, _)| !fits).map(|(_, field)| field)
    }
}

/// SettingFields of settings, as they are written.
#[derive(Default)]
struct SettingFields(Vec<u8>);

impl SettingFields {
    /// Adds a field, unless it has no value or an empty one.
    fn add(&mut self, number: u8, value: Option<impl AsRef<[u8]>>) {
        let Some(value) = value.as_ref().map(AsRef::as_ref).filter(|value| !value.is_empty()) else { return };
        let length = u16::try_from(value.len()).expect("settings are bounded when they are made");
        self.0.push(number);
        self.0.extend(length.to_be_bytes());
        self.0.extend(value);
    }
}

/// Whether a text can be a label.
pub fn is_label(text: &str) -> bool {
    text.len() <= LABEL_BYTES_MAX && !text.chars().any(char::is_control)
}

fn label(bytes: &[u8]) -> Result<String, EntryError> {
    let text = std::str::from_utf8(bytes).ok().filter(|text| is_label(text));
    text.map(str::to_owned).ok_or(EntryError::Field("label"))
}

fn whole(value: &[u8]) -> Result<u64, EntryError> {
    value.try_into().map(u64::from_be_bytes).map_err(|_| EntryError::Field("settings"))
}

fn byte(value: &[u8]) -> Result<u8, EntryError> {
    if let [byte] = value { Ok(*byte) } else { Err(EntryError::Field("settings")) }
}

fn is_set(value: &[u8]) -> Result<bool, EntryError> {
    if value == [1] { Ok(true) } else { Err(EntryError::Field("settings")) }
}

fn take_backs(number: u8) -> Result<TakeBackRule, EntryError> {
    match number {
        2 => Ok(TakeBackRule::Unseen),
        3 => Ok(TakeBackRule::Agreed),
        _ => Err(EntryError::Field("take_backs")),
    }
}

fn seats(bits: u8) -> Result<SeatSet, EntryError> {
    let is_set = bits != 0 && bits >> SEATS_MAX == 0;
    if is_set { Ok(SeatSet(bits)) } else { Err(EntryError::Field("bots")) }
}
