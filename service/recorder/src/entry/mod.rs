//! Entries of the journal. One request is one entry: the frames that it adds to the log and the state after them are
//! stored together or not at all.
//!
//! Layout, integers big-endian, at most [`ENTRY_BYTES_MAX`] bytes:
//!
//! | bytes | field |
//! |---|---|
//! | 4, 1, 1, 1, 1 | magic `63524501`; kind; flags (1 ends a round, 2 the game is over, 4 an offer is open, 8 it stays while bots act); actor (seat, or 16 + role); 0 |
//! | 8, 4 | recorder's time in ms since 1970; ms that are not charged to a clock |
//! | 8, 8, 32 | n, seq and head of the log after the entry |
//! | 8 | n of the game's last entry with settings (kinds 0 and 5) |
//! | 32 | request tags of this entry and the three before it, 8 bytes each; zeros where there is no request |
//! | 4 + x, 4 + y, 2 + z | frames; sealed state; detail: settings of kinds 0 and 5, the offer of kinds 3 and 6, else empty |
//! | 2 + w | the clocks of the seats; empty in games without time limits |
//! | 8 | first 8 bytes of SHA-256("canasta-entry/1\0", all before) |
//!
//! Every entry has one encoding: bytes that would be written in another way are refused.

mod clocks;
mod read;
mod settings;
mod tag;

use canasta_engine::action::As;
use canasta_engine::seat::{SEATS_MAX, Seat};
use canasta_proto::v1 as pb;
use sha2::{Digest, Sha256};

pub use clocks::{SeatClocks, SeatTime};
use read::EntryBytes;
pub use settings::{
    GAMES_MAX, GENERATIONS, GameClock, GivenLink, LABEL_BYTES_MAX, LINKS_MAX, PlayedBoard, RoomState,
    SeatSet, SeatedBots, Settings, TABLES_MAX, TakeBackRule, clock_faults, is_label,
};
pub use tag::{RequestTag, TAGS};

/// Maximum length of an entry, in bytes.
pub const ENTRY_BYTES_MAX: usize = 520_000;

const MAGIC: [u8; 4] = [0x63, 0x52, 0x45, 0x01];
/// Number of bytes of the hash at the end.
const HASH: usize = 8;
/// The first number of an actor that is a role.
const ROLES: u8 = 16;
/// The roles by number, from 1, as in the interface.
const ROLE_NUMBERS: [As; 4] = [As::Table, As::Judge, As::Director, As::Spectator];

const ENDS_ROUND: u8 = 1;
const GAME_OVER: u8 = 2;
const OFFER_OPEN: u8 = 4;
const OFFER_STAYS: u8 = 8;

/// An entry of a game's journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalEntry {
    /// The reason of the entry, with the content that only entries of this kind have.
    pub kind: EntryKind,
    pub ends_round: bool,
    pub game_over: bool,
    pub offer_open: bool,
    /// Whether the open offer stays so while bots and the table act.
    pub offer_stays: bool,
    /// The seat or role on whose behalf the entry was made.
    pub actor: As,
    /// The recorder's time, in ms since 1970; never below that of the entry before.
    pub time_ms: i64,
    /// Time since the entry before that is charged to no clock, in ms.
    pub uncharged_ms: u32,
    pub n: u64,
    /// Number of the last accepted action.
    pub seq: u64,
    /// Head of the log's chain.
    pub head: [u8; 32],
    /// `n` of the game's last entry with settings; of an entry with settings its own.
    pub settings_n: u64,
    /// Tags of the requests of this entry and of the three entries before it.
    pub tags: [RequestTag; TAGS],
    /// The frames that the entry adds to the log; those of a new game begin with the log's header.
    pub frames: Vec<u8>,
    /// The sealed state after the entry.
    pub state: Vec<u8>,
    /// The clocks of the seats; `None` in games without time limits.
    pub clocks: Option<SeatClocks>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryKind {
    Created(Settings),
    /// Somebody acted, or wrote a remark or a register; or a refusal was recorded.
    Acted,
    /// Actions were taken back.
    TakenBack,
    /// Somebody offers to take back, or to end the game.
    Offer(Offer),
    /// A clock has run out.
    Clock,
    Settings(Settings),
    Declined,
}

/// An offer for which others must agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer {
    pub what: Offered,
    pub by: Seat,
    /// The sides that agree: one bit per side, from the lowest; per seat for a resignation.
    pub agreed: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offered {
    /// To take back: the action after which play would resume.
    TakeBack(u64),
    /// To stop: the side that is behind forfeits the game.
    Stop,
    /// The side of the seat resigns.
    Resign,
}

/// The reason why bytes are no entry, or why an entry cannot be stored.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EntryError {
    #[error("{0} bytes, expected at most {ENTRY_BYTES_MAX}")]
    TooLong(usize),
    /// The bytes end too early, or go on after the end.
    #[error("the length does not fit the fields")]
    Length,
    #[error("the hash does not fit the bytes")]
    Hash,
    #[error("{0} has a value that no entry has")]
    Field(&'static str),
}

/// The encoding of an entry, with the fields by which it is found again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodedEntry {
    /// Number of the last record after the entry.
    pub n: u64,
    /// Head of the log after the entry.
    pub head: [u8; 32],
    pub bytes: std::sync::Arc<[u8]>,
}

impl JournalEntry {
    /// Encodes the entry.
    ///
    /// # Errors
    /// If the entry is too long, or if a field has a value that [`JournalEntry::decode`] would refuse.
    pub fn encode(&self) -> Result<EncodedEntry, EntryError> {
        self.validate()?;
        let detail = self.detail();
        let mut bytes = Vec::with_capacity(128 + self.frames.len() + self.state.len() + detail.len());
        bytes.extend(MAGIC);
        bytes.extend([self.kind.number(), self.flags(), actor_number(self.actor), 0]);
        bytes.extend(self.time_ms.to_be_bytes());
        bytes.extend(self.uncharged_ms.to_be_bytes());
        bytes.extend(self.n.to_be_bytes());
        bytes.extend(self.seq.to_be_bytes());
        bytes.extend(self.head);
        bytes.extend(self.settings_n.to_be_bytes());
        self.tags.iter().for_each(|tag| bytes.extend(tag.0));
        for part in [&self.frames, &self.state] {
            let length = u32::try_from(part.len()).map_err(|_| EntryError::TooLong(part.len()))?;
            bytes.extend(length.to_be_bytes());
            bytes.extend(part);
        }
        let clocks = self.clocks.as_ref().map(SeatClocks::encode).unwrap_or_default();
        for part in [detail, clocks] {
            let length = u16::try_from(part.len()).map_err(|_| EntryError::TooLong(part.len()))?;
            bytes.extend(length.to_be_bytes());
            bytes.extend(part);
        }
        bytes.extend(hash(&bytes));
        if bytes.len() > ENTRY_BYTES_MAX {
            return Err(EntryError::TooLong(bytes.len()));
        }
        Ok(EncodedEntry { n: self.n, head: self.head, bytes: bytes.into() })
    }

    /// Decodes an entry. Nothing is allocated before the length of the whole is checked, and nothing is read before the
    /// hash.
    ///
    /// # Errors
    /// If the bytes are no entry, or not its one encoding.
    pub fn decode(bytes: &[u8]) -> Result<Self, EntryError> {
        if bytes.len() > ENTRY_BYTES_MAX {
            return Err(EntryError::TooLong(bytes.len()));
        }
        let (body, end) = bytes.split_last_chunk::<HASH>().ok_or(EntryError::Length)?;
        if *end != hash(body) {
            return Err(EntryError::Hash);
        }
        let mut bytes = EntryBytes(body);
        if bytes.array()? != MAGIC {
            return Err(EntryError::Field("magic"));
        }
        let [kind, flags, actor, zero] = bytes.array()?;
        if flags & !(ENDS_ROUND | GAME_OVER | OFFER_OPEN | OFFER_STAYS) != 0 || zero != 0 {
            return Err(EntryError::Field("flags"));
        }
        let (time_ms, uncharged_ms) =
            (i64::from_be_bytes(bytes.array()?), u32::from_be_bytes(bytes.array()?));
        let (n, seq, head) = (bytes.number()?, bytes.number()?, bytes.array()?);
        let settings_n = bytes.number()?;
        let mut tags = [RequestTag::default(); TAGS];
        for tag in &mut tags {
            *tag = RequestTag(bytes.array()?);
        }
        let (frames, state) = (bytes.long()?, bytes.long()?);
        let (detail, clocks) = (bytes.short()?, bytes.short()?);
        bytes.end()?;
        let entry = Self {
            kind: EntryKind::read(kind, detail)?,
            ends_round: flags & ENDS_ROUND != 0,
            game_over: flags & GAME_OVER != 0,
            offer_open: flags & OFFER_OPEN != 0,
            offer_stays: flags & OFFER_STAYS != 0,
            actor: actor_of(actor)?,
            time_ms,
            uncharged_ms,
            n,
            seq,
            head,
            settings_n,
            tags,
            frames: frames.to_vec(),
            state: state.to_vec(),
            clocks: SeatClocks::decode(clocks)?,
        };
        entry.validate()?;
        Ok(entry)
    }

    /// Returns the settings of an entry that has some.
    pub fn settings(&self) -> Option<&Settings> {
        match &self.kind {
            EntryKind::Created(settings) | EntryKind::Settings(settings) => Some(settings),
            _ => None,
        }
    }

    /// Returns the tags of an entry that follows this one and records the request `tag`.
    pub fn next_tags(&self, tag: RequestTag) -> [RequestTag; TAGS] {
        let [first, second, third, _] = self.tags;
        [tag, first, second, third]
    }

    /// Checks what the fields say about each other.
    fn validate(&self) -> Result<(), EntryError> {
        let has_settings = self.settings().is_some();
        let settings_fit = if has_settings { self.settings_n == self.n } else { self.settings_n < self.n };
        if let Some(field) = self.settings().and_then(Settings::fault) {
            return Err(EntryError::Field(field));
        }
        let table = [
            (self.seq <= self.n, "seq"),
            (settings_fit, "settings_n"),
            (self.offer_open || !self.offer_stays, "flags"),
            (!self.frames.is_empty(), "frames"),
            (!self.state.is_empty(), "state"),
            (self.time_ms >= 0, "time_ms"),
            (self.clocks.as_ref().is_none_or(SeatClocks::is_valid), "clocks"),
        ];
        table.into_iter().find(|(fits, _)| !fits).map_or(Ok(()), |(_, field)| Err(EntryError::Field(field)))
    }

    fn flags(&self) -> u8 {
        let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        flag(self.ends_round, ENDS_ROUND)
            | flag(self.game_over, GAME_OVER)
            | flag(self.offer_open, OFFER_OPEN)
            | flag(self.offer_stays, OFFER_STAYS)
    }

    fn detail(&self) -> Vec<u8> {
        match &self.kind {
            EntryKind::Created(settings) | EntryKind::Settings(settings) => settings.encode(),
            EntryKind::Offer(Offer { what, by, agreed }) => match what {
                Offered::TakeBack(to_seq) => [&to_seq.to_be_bytes()[..], &[by.0, *agreed]].concat(),
                Offered::Stop => vec![1, by.0, *agreed],
                Offered::Resign => vec![2, by.0, *agreed],
            },
            EntryKind::Acted | EntryKind::TakenBack | EntryKind::Clock | EntryKind::Declined => Vec::new(),
        }
    }
}

impl EntryKind {
    fn number(&self) -> u8 {
        match self {
            Self::Created(_) => 0,
            Self::Acted => 1,
            Self::TakenBack => 2,
            Self::Offer(Offer { what: Offered::TakeBack(_), .. }) => 3,
            Self::Clock => 4,
            Self::Settings(_) => 5,
            Self::Offer(_) => 6,
            Self::Declined => 7,
        }
    }

    fn read(number: u8, detail: &[u8]) -> Result<Self, EntryError> {
        let bare = |kind| if detail.is_empty() { Ok(kind) } else { Err(EntryError::Field("detail")) };
        match number {
            0 => Settings::decode(detail).map(Self::Created),
            1 => bare(Self::Acted),
            2 => bare(Self::TakenBack),
            3 | 6 => {
                let mut bytes = EntryBytes(detail);
                let what = match number {
                    3 => Some(Offered::TakeBack(bytes.number()?)),
                    _ => match bytes.array()? {
                        [1] => Some(Offered::Stop),
                        [2] => Some(Offered::Resign),
                        _ => None,
                    },
                };
                let [by, agreed] = bytes.array()?;
                bytes.end()?;
                let offer = what.filter(|_| usize::from(by) < SEATS_MAX);
                let offer = offer.map(|what| Offer { what, by: Seat(by), agreed });
                offer.map(Self::Offer).ok_or(EntryError::Field("offer"))
            }
            4 => bare(Self::Clock),
            5 => Settings::decode(detail).map(Self::Settings),
            7 => bare(Self::Declined),
            _ => Err(EntryError::Field("kind")),
        }
    }
}

/// Returns the end of the log after an entry.
pub fn log_end(entry: &JournalEntry) -> pb::LogEnd {
    pb::LogEnd { n: entry.n, seq: entry.seq, head: entry.head.into() }
}

/// Returns the number of an actor in entries and request tags.
pub fn actor_number(actor: As) -> u8 {
    match actor {
        As::Seat(seat) => seat.0,
        As::Table => ROLES + 1,
        As::Judge => ROLES + 2,
        As::Director => ROLES + 3,
        As::Spectator => ROLES + 4,
    }
}

fn actor_of(number: u8) -> Result<As, EntryError> {
    let role = number.checked_sub(ROLES + 1).and_then(|role| ROLE_NUMBERS.get(usize::from(role)));
    match role {
        Some(role) => Ok(*role),
        None if usize::from(number) < SEATS_MAX => Ok(As::Seat(Seat(number))),
        None => Err(EntryError::Field("actor")),
    }
}

fn hash(bytes: &[u8]) -> [u8; HASH] {
    digest_of(&[b"canasta-entry/1\0", bytes])
}

/// Returns the first bytes of the SHA-256 of these parts, at most 32.
pub fn digest_of<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let digest = parts.iter().fold(Sha256::new(), |digest, part| digest.chain_update(part)).finalize();
    *digest.first_chunk().expect("a digest has 32 bytes")
}

#[cfg(test)]
mod tests;
