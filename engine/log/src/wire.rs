//! The records exactly as they are stored (docs/LOG_FORMAT.md, field by field).
//!
//! Fields are stored in the order of their declaration, choices as the number of the variant. These types
//! hold any value that the encoding can express; [`super::convert`] and [`super::action`] check the values.
//! The bound `'de: 'a` says that texts and bytes are borrowed from the input. Rare records are boxed, so that
//! the common record, an action, is small to move.

use alloc::boxed::Box;
use alloc::vec::Vec;
use canasta_rules::card::Card;
use core::fmt;
use core::marker::PhantomData;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Number of record types.
pub(super) const RECORD_TYPES: u8 = 11;
/// Actor byte of an action that no seat made.
pub(super) const NO_SEAT: u8 = 255;
/// Author byte of a note by the director.
pub(super) const DIRECTOR: u8 = 254;
/// Byte of a card that nobody knows (transcribed mode).
pub(super) const UNKNOWN_CARD: u8 = 53;

pub(super) type Hash = [u8; 32];

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) enum Record<'a> {
    Genesis(Box<Genesis<'a>>),
    Register(Box<Register>),
    Action(Act<'a>),
    SignedAction(Act<'a>, Box<Wide>),
    Received(Act<'a>, Octets<'a>),
    SignedReceived(Act<'a>, Octets<'a>, Box<Wide>),
    RoundEnd(Box<RoundEnd<'a>>),
    GameEnd(Box<GameEnd>),
    Refusal(Box<Refusal<'a>>),
    Note(Note<'a>),
    Checkpoint(&'a str),
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) struct Genesis<'a> {
    pub version: u8,
    pub game_id: [u8; 16],
    pub rule_set_id: &'a str,
    pub base: &'a str,
    pub rule_set: Octets<'a>,
    pub players: List<Player<'a>, 6>,
    pub mode: u8,
    pub registration: u8,
    pub commitment: Option<Hash>,
    pub engine: &'a str,
    pub started_at_ms: Option<i64>,
    pub fork_of: Option<Fork>,
    pub director: Option<Hash>,
    pub penalties: Option<u16>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) struct Player<'a> {
    pub name: &'a str,
    pub key: Option<Hash>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Fork {
    pub game_id: [u8; 16],
    pub n: u64,
    pub head: Hash,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Register {
    pub round: u32,
    pub attempt: u32,
    pub dealer: Option<u8>,
    pub commitment: Option<Hash>,
    pub seats: List<Option<Hash>, 6>,
    pub beacon: Option<Beacon>,
    pub signatures: List<Option<Wide>, 6>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Beacon {
    pub chain: Hash,
    pub round: u64,
    pub close_ms: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) struct Act<'a> {
    pub actor: u8,
    pub action: Action<'a>,
    pub elapsed: u64,
    pub digest: [u8; 8],
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) struct RoundEnd<'a> {
    pub round: u32,
    pub attempt: u32,
    pub reason: u8,
    pub reveal: Reveal<'a>,
    pub scores: List<Score, 6>,
    pub digest: Hash,
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) enum Reveal<'a> {
    None,
    Secret(Wide),
    Wall(Octets<'a>, Hash),
}

#[derive(Serialize, Deserialize)]
pub(super) struct Score {
    pub unit: u8,
    pub lines: List<ScoreLine, 32>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct ScoreLine {
    pub item: u8,
    pub count: Option<u16>,
    pub points: i32,
}

#[derive(Serialize, Deserialize)]
pub(super) struct GameEnd {
    pub winner: Option<u8>,
    pub secret: Option<Wide>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) struct Refusal<'a> {
    pub actor: u8,
    pub elapsed: u64,
    pub codes: List<&'a str, 128>,
    pub attempt: Attempt<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) enum Attempt<'a> {
    Clear(Action<'a>),
    Masked(u8, Octets<'a>),
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) struct Note<'a> {
    pub by: u8,
    pub elapsed: u64,
    pub text: &'a str,
}

/// The variants' numbers are those of [`canasta_rules::action::ActionKind`].
#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) enum Action<'a> {
    Deal(Box<Deal<'a>>),
    DrawCards(List<Octets<'a>, 6>),
    DrawStock,
    TakePile(Octets<'a>, u16, List<Group<'a>, 128>),
    TakeTop,
    RestorePile,
    LayThrees(Octets<'a>),
    TakeTalon,
    Meld(List<Group<'a>, 128>),
    MergeMelds(u8, u8),
    UndoMeld(u8, Octets<'a>),
    Ask(u8, Option<u8>, Option<Box<NamedWay<'a>>>),
    Answer(bool),
    SpecialHand(u8),
    Discard(u8),
    Pass,
    EndRound,
    CallReveal(u8),
    Ruling(Box<Ruling<'a>>),
    Dispute(bool, &'a str),
    Sign(u8),
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) struct Deal<'a> {
    pub lifted: Option<u16>,
    pub foot_lifted: Option<u16>,
    pub contributions: List<Option<Hash>, 6>,
    pub signature: Option<Octets<'a>>,
    pub hands: List<Octets<'a>, 6>,
    pub upcards: Octets<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) struct Group<'a> {
    /// Kind of the meld, plus 4 if the taken top is part of the group.
    pub shape: u8,
    pub onto: u16,
    pub cards: Octets<'a>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) struct NamedWay<'a> {
    pub groups: List<Group<'a>, 128>,
    pub discard: Option<u8>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) struct Ruling<'a> {
    pub id: u32,
    pub by: u8,
    pub offender: Option<u8>,
    pub side: u8,
    pub rule: &'a str,
    pub points: i32,
    pub effect: Effect<'a>,
    pub reason: &'a str,
    pub reverses: Option<u32>,
    pub signature: Option<Wide>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) struct Effect<'a> {
    pub kind: u8,
    pub by: Option<i32>,
    pub seat: Option<u8>,
    pub cards: Octets<'a>,
    pub until: Option<u16>,
    pub side: Option<u8>,
    pub award: Option<i32>,
    pub to_seq: Option<u64>,
    /// The action's own encoding, never that of a ruling: so no decoder calls itself.
    pub action: Option<Octets<'a>>,
    pub position: Option<Position<'a>>,
    pub points: List<i32, 6>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub(super) enum Position<'a> {
    Clear(&'a str),
    Masked(Octets<'a>),
}

/// 64 bytes without a length, as two halves: serde's arrays stop at 32.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct Wide([u8; 32], [u8; 32]);

impl From<[u8; 64]> for Wide {
    fn from(bytes: [u8; 64]) -> Self {
        let mut wide = Self([0; 32], [0; 32]);
        wide.0.copy_from_slice(&bytes[..32]);
        wide.1.copy_from_slice(&bytes[32..]);
        wide
    }
}

impl From<Wide> for [u8; 64] {
    fn from(wide: Wide) -> Self {
        let mut bytes = [0; 64];
        bytes[..32].copy_from_slice(&wide.0);
        bytes[32..].copy_from_slice(&wide.1);
        bytes
    }
}

/// A byte string. A string that was read is always [`Octets::Bytes`], so a hostile length cannot reserve
/// memory. The other forms are only for writing: cards, and parts that are encoded already.
pub(super) enum Octets<'a> {
    Bytes(&'a [u8]),
    Cards(&'a [Card]),
    SomeCards(&'a [Option<Card>]),
    Owned(Vec<u8>),
}

impl<'a> Octets<'a> {
    /// Returns the bytes of a string that was read.
    pub(super) fn bytes(&self) -> &'a [u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            _ => unreachable!("only what was read is converted back"),
        }
    }
}

impl Serialize for Octets<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Self::Cards(cards) => serializer.collect_seq(cards.iter().map(|card| card.kind())),
            Self::SomeCards(cards) => {
                serializer.collect_seq(cards.iter().map(|card| card.map_or(UNKNOWN_CARD, Card::kind)))
            }
            Self::Owned(bytes) => serializer.serialize_bytes(bytes),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Octets<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&[u8]>::deserialize(deserializer).map(Self::Bytes)
    }
}

/// A list of at most `CAP` elements. A longer list is refused before memory is reserved, and memory grows
/// only by elements that have been read.
pub(super) struct List<T, const CAP: usize>(pub Vec<T>);

impl<T: Serialize, const CAP: usize> Serialize for List<T, CAP> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>, const CAP: usize> Deserialize<'de> for List<T, CAP> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T, const CAP: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const CAP: usize> Visitor<'de> for ListVisitor<T, CAP> {
    type Value = List<T, CAP>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {CAP}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        let length = elements.size_hint().ok_or_else(|| de::Error::custom("a list without a length"))?;
        if length > CAP {
            return Err(de::Error::invalid_length(length, &self));
        }
        let mut list = Vec::new();
        while let Some(element) = elements.next_element()? {
            list.push(element);
        }
        Ok(List(list))
    }
}
