//! The room that a game is kept for.

use canasta_engine::seat::Seat;
use canasta_proto::v1::{Room, RoomChair, RoomRules};
use prost::Message as _;

/// Maximum number of games that a room remembers.
pub const GAMES_MAX: usize = 50;
/// Number of codes that a chair may have, one after the other.
pub const GENERATIONS: u32 = 1 << 15;
/// Maximum length of a state, in bytes.
const STATE_BYTES_MAX: usize = 40_000;

#[derive(Clone, PartialEq, prost::Message)]
pub struct RoomState {
    /// The part that people may see, without codes, tokens and id.
    #[prost(message, required, tag = "1")]
    pub room: Room,
    /// The room's number, from which its id and those of its games follow.
    #[prost(uint64, tag = "2")]
    pub number: u64,
    /// Number of codes that each chair had before, and the guests, who come last.
    #[prost(uint32, repeated, tag = "3")]
    pub generations: Vec<u32>,
    #[prost(uint64, tag = "4")]
    pub begun: u64,
}

// No field holds a number that differs from itself.
impl Eq for RoomState {}

impl RoomState {
    /// Returns a new room, whose creator has chair 0.
    pub fn new(number: u64, rules: RoomRules, seats: u8, name: String) -> Self {
        let mut chairs = vec![RoomChair::default(); seats.into()];
        if let Some(first) = chairs.first_mut() {
            first.name = name;
        }
        let seating = (0..u32::from(seats)).collect();
        let room = Room { rules: Some(rules), chairs, host: Some(0), seating, ..Room::default() };
        Self { room, number, generations: vec![0; usize::from(seats) + 1], begun: 0 }
    }

    /// Returns the state that these bytes encode; `None` if they are not its one encoding.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let state = Self::decode(bytes).ok()?;
        (state.is_valid() && state.encode_to_vec() == bytes).then_some(state)
    }

    /// Whether the fields fit each other.
    pub fn is_valid(&self) -> bool {
        let Self { room, generations, number, .. } = self;
        let seats = room.chairs.len();
        let mut seating = room.seating.clone();
        seating.sort_unstable();
        (1..=6).contains(&seats)
            && seating.iter().copied().eq(0..seats as u32)
            && room.host.is_none_or(|host| (host as usize) < seats)
            && generations.len() == seats + 1
            && generations.iter().all(|count| *count < GENERATIONS)
            && *number < 1 << 40
            && room.games.len() <= GAMES_MAX
            && room.games.iter().all(|game| game.chairs.len() == seats && game.players.len() == seats)
            && self.encoded_len() <= STATE_BYTES_MAX
    }

    pub fn seats(&self) -> u8 {
        self.room.chairs.len() as u8
    }

    /// Returns the number of the codes that a chair, or the guests, had before.
    pub fn generation(&self, chair: Option<u8>) -> u32 {
        let place = chair.map_or(self.room.chairs.len(), usize::from);
        self.generations.get(place).copied().unwrap_or_default()
    }

    pub fn is_taken(&self, chair: u8) -> bool {
        self.room.chairs.get(usize::from(chair)).is_some_and(|chair| !chair.name.is_empty())
    }

    /// Returns the seat of a chair in the latest game.
    pub fn seat_of(&self, chair: Seat) -> Option<Seat> {
        let chairs = &self.room.games.last()?.chairs;
        chairs.iter().position(|at| *at == u32::from(chair.0)).map(|seat| Seat(seat as u8))
    }

    /// Returns the number of the first game that the room remembers, from 1.
    pub fn first_game(&self) -> u64 {
        self.begun + 1 - self.room.games.len() as u64
    }
}
