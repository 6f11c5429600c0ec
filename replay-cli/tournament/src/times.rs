//! When each game of a tournament was opened, fixed and closed: as the publisher claims, and as witnesses signed.

use crate::leaf::Leaf;
use crate::sightings::SightedTree;
use crate::site::Site;
use crate::timeline::{TimedGame, Timeline};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeafTime {
    /// The time that the publisher claims, in milliseconds since 1970; that of the next leaf with a time for a result.
    pub claimed_ms: Option<i64>,
    /// The time by which the quorum of the witnesses had signed a tree that has the leaf, in seconds since 1970.
    pub seen: Option<u64>,
}

/// A part of a log that was fixed in public.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixed {
    /// Number of records of the part.
    pub records: u64,
    pub at: LeafTime,
}

/// The history of one game in time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTimes {
    pub game_id: [u8; 16],
    /// The name of the log when the game was opened.
    pub label: String,
    /// The part of the log that the opening fixed.
    pub opened: Option<Fixed>,
    /// Whether the opening stands before the first card.
    pub is_before_cards: bool,
    /// The longer parts that were fixed while the game was in progress, in their order.
    pub fixed: Vec<Fixed>,
    /// The whole log with the result.
    pub closed: Option<Fixed>,
    /// The void, and its reason.
    pub void: Option<(LeafTime, String)>,
}

/// Returns the history of every game that was opened or voided, in the order of the ids.
pub fn of(site: &Site, timeline: &Timeline, seen: &SightedTree) -> Vec<GameTimes> {
    let is_told = |game: &&TimedGame| game.opened.is_some() || game.void.is_some();
    let games = timeline.games.iter().filter(|(_, game)| is_told(game));
    games.map(|(&game_id, game)| of_game(site, game_id, game, seen)).collect()
}

fn of_game(site: &Site, game_id: [u8; 16], game: &TimedGame, seen: &SightedTree) -> GameTimes {
    let moment = |index| LeafTime { claimed_ms: claimed(site, index), seen: seen.seen(index) };
    let fixed = |index, records| Fixed { records, at: moment(index) };
    let opened = game.opened.as_ref().map(|(index, opened)| fixed(*index, opened.records));
    // The first head is that of the opening.
    let heads = game.heads.iter().skip(usize::from(opened.is_some()));
    let entry = |index: u64| site.leaves.get(index as usize)?.as_ref()?.game();
    GameTimes {
        game_id,
        label: game.label().to_owned(),
        opened,
        is_before_cards: opened.is_some() && !game.is_late(),
        fixed: heads.map(|&(index, records, _)| fixed(index, records)).collect(),
        closed: game.closed.and_then(|index| Some(fixed(index, entry(index)?.records))),
        void: game.void.as_ref().map(|(index, reason)| (moment(*index), reason.clone())),
    }
}

/// Returns the time that the publisher claims for a leaf, or for the next one that has a time.
fn claimed(site: &Site, index: u64) -> Option<i64> {
    let behind = site.leaves.get(index as usize..)?.iter();
    behind.flatten().find_map(|leaf| match leaf {
        Leaf::Milestone(milestone) => Some(milestone.at_ms()),
        Leaf::Game(_) => None,
    })
}
