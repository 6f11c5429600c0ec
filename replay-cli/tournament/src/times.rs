//! When each game of a tournament was opened, fixed and closed: as the publisher claims, and as witnesses signed.

use crate::entry::hexed;
use crate::sightings::SightedTree;
use crate::timeline::{TimedGame, Timeline};
use serde::Serialize;
use std::ops::Not;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LeafTime {
    /// The time that the publisher claims, in milliseconds since 1970; that of the next leaf with a time for a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claimed_ms: Option<i64>,
    /// The time by which the quorum of the witnesses had signed a tree that has the leaf, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<u64>,
}

/// A part of a log that was fixed in public.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Fixed {
    /// Number of records of the part.
    pub records: u64,
    #[serde(flatten)]
    pub at: LeafTime,
}

/// The history of one game in time, as the format for programs has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameTimes<'a> {
    #[serde(with = "hexed")]
    pub game_id: [u8; 16],
    /// The name of the log when the game was opened.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub label: &'a str,
    /// The part of the log that the opening fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opened: Option<Fixed>,
    /// Whether the opening stands before the first card.
    #[serde(rename = "before_cards", skip_serializing_if = "Not::not")]
    pub is_before_cards: bool,
    /// The longer parts that were fixed while the game was in progress, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<Fixed>,
    /// The whole log with the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed: Option<Fixed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub void: Option<LeafTime>,
    /// The reason of the void.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
}

impl Timeline {
    /// Returns the history of every game that was opened or voided, in the order of the ids.
    pub fn times(&self, seen: &SightedTree) -> impl Iterator<Item = GameTimes<'_>> {
        let is_told = |game: &&TimedGame| game.opened.is_some() || game.void.is_some();
        let games = self.games.iter().filter(move |(_, game)| is_told(game));
        games.map(|(&game_id, game)| self.times_of(game_id, game, seen))
    }

    fn times_of<'a>(&self, game_id: [u8; 16], game: &'a TimedGame, seen: &SightedTree) -> GameTimes<'a> {
        let moment = |index| LeafTime { claimed_ms: self.claimed(index), seen: seen.seen(index) };
        let fixed = |(index, records)| Fixed { records, at: moment(index) };
        let opened = game.opened.as_ref().map(|opened| fixed((opened.index, opened.records)));
        GameTimes {
            game_id,
            label: game.label(),
            opened,
            is_before_cards: opened.is_some() && !game.is_late(),
            fixed: game.fixed.iter().copied().map(fixed).collect(),
            closed: game.closed.map(fixed),
            void: game.void.as_ref().map(|void| moment(void.0)),
            reason: game.void.as_ref().map(|void| void.1.as_str()),
        }
    }

    /// Returns the time that the publisher claims for a leaf, or for the next one that has a time.
    fn claimed(&self, index: u64) -> Option<i64> {
        let place = self.times.partition_point(|(timed, _)| *timed < index);
        self.times.get(place).map(|&(_, at_ms)| at_ms)
    }
}
