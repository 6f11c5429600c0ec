//! The clocks of the seats as they stand after an entry, in games with time limits.

use canasta_engine::seat::{SEATS_MAX, Seat};

use super::EntryError;
use super::read::EntryBytes;

/// The number that stands for no seat.
const NONE: u8 = 0xff;

const STOPPED: u8 = 1;
const PAUSED: u8 = 2;

/// The clocks of all seats after an entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeatClocks {
    /// The seat whose time runs: the seat to act.
    pub running: Option<Seat>,
    /// The seat whose turn it is: a partner who is asked acts in this seat's turn.
    pub turn: Option<Seat>,
    /// Whether play has ended because its time was up.
    pub is_stopped: bool,
    /// Whether no time runs because a dispute is open.
    pub is_paused: bool,
    /// Time at which the turn began, in ms since 1970.
    pub turn_since_ms: i64,
    /// Time that was charged to the seat to act since it became that, in ms.
    pub turn_ms: u64,
    /// One per seat.
    pub seats: Vec<SeatTime>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeatTime {
    /// The rest of the seat's time for the whole game, in ms; 0 if that time is not limited.
    pub bank_ms: u64,
    /// Number of warnings that the seat has received.
    pub warnings: u8,
}

impl SeatClocks {
    pub(super) fn encode(&self) -> Vec<u8> {
        let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        let flags = flag(self.is_stopped, STOPPED) | flag(self.is_paused, PAUSED);
        let number = |seat: Option<Seat>| seat.map_or(NONE, |seat| seat.0);
        let mut bytes = vec![number(self.running), number(self.turn), flags];
        bytes.extend(self.turn_since_ms.to_be_bytes());
        bytes.extend(self.turn_ms.to_be_bytes());
        for seat in &self.seats {
            bytes.extend(seat.bank_ms.to_be_bytes());
            bytes.push(seat.warnings);
        }
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Option<Self>, EntryError> {
        if bytes.is_empty() {
            return Ok(None);
        }
        let mut bytes = EntryBytes(bytes);
        let [running, turn, flags] = bytes.array()?;
        if flags & !(STOPPED | PAUSED) != 0 {
            return Err(EntryError::Field("clocks"));
        }
        let seat = |number| Some(Seat(number)).filter(|_| number != NONE);
        let (running, turn) = (seat(running), seat(turn));
        let (turn_since_ms, turn_ms) = (i64::from_be_bytes(bytes.array()?), bytes.number()?);
        let mut seats = Vec::new();
        while bytes.end().is_err() {
            let (bank_ms, [warnings]) = (bytes.number()?, bytes.array()?);
            seats.push(SeatTime { bank_ms, warnings });
        }
        let (is_stopped, is_paused) = (flags & STOPPED != 0, flags & PAUSED != 0);
        Ok(Some(Self { running, turn, is_stopped, is_paused, turn_since_ms, turn_ms, seats }))
    }

    /// Whether a game can have these clocks.
    pub(super) fn is_valid(&self) -> bool {
        let exists = |seat: Option<Seat>| seat.is_none_or(|seat| seat.index() < self.seats.len());
        exists(self.running)
            && exists(self.turn)
            && (1..=SEATS_MAX).contains(&self.seats.len())
            && self.turn_since_ms >= 0
    }
}
