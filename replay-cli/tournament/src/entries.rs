//! The entries of a tree in their order, each with what was signed of its game before it.

use crate::entry::GameEntry;
use crate::leaf::{Leaf, Milestone};
use crate::sheet::SignedSheet;
use crate::site::Leaves;
use crate::timeline::{Timeline, WatchedGame, read_heads};
use canasta_engine::log::Head;
use std::collections::BTreeMap;

/// An entry of a game in a tree.
pub(crate) struct PublishedEntry {
    pub index: u64,
    pub entry: GameEntry,
    /// Whether no later entry goes on from it.
    pub is_last: bool,
    /// Index, number of records and head of the entry of the game before it.
    pub earlier: Option<(u64, u64, Head)>,
    /// The opening and the heads that stand before it.
    pub watched: Option<WatchedGame>,
    /// The signed sheets about it, with the indices of their leaves.
    pub sheets: Vec<(u64, SignedSheet)>,
}

/// Reads the entries of a tree, whose history is known. In memory stays what was signed of games that have not ended yet.
///
/// # Errors
/// If the disk fails, or `take` does.
pub(crate) fn each(
    leaves: &Leaves<'_>,
    timeline: &Timeline,
    take: &mut dyn FnMut(PublishedEntry) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let (mut watching, mut before) = (BTreeMap::<[u8; 16], WatchedGame>::new(), BTreeMap::new());
    for leaf in leaves.from(0) {
        let (index, leaf) = leaf?;
        match leaf {
            Some(Leaf::Game(entry)) => {
                let game_id = entry.game_id;
                let is_last = timeline.last_entry(&game_id) == Some(index);
                let watched = match is_last {
                    true => watching.remove(&game_id),
                    false => watching.get(&game_id).cloned(),
                };
                let sheets = timeline.sheets_about(leaves, (index, &game_id))?;
                let is_repeated = timeline.is_repeated(&game_id);
                let own = (index, entry.records, entry.head);
                let earlier = is_repeated.then(|| before.insert(game_id, own)).flatten();
                take(PublishedEntry { index, entry, is_last, earlier, watched, sheets })?;
            }
            Some(Leaf::Milestone(Milestone::Open(opened))) => {
                let first = timeline.games.get(&opened.game_id).and_then(|game| game.opened.as_ref());
                if first.is_some_and(|first| first.index == index) {
                    watching.insert(opened.game_id, WatchedGame::new(opened));
                }
            }
            Some(Leaf::Milestone(Milestone::Heads { games, list, .. })) => {
                for of in read_heads(leaves.files, games, &list)?.unwrap_or_default() {
                    watching.get_mut(&of.game_id).map(|watched| watched.take(&of));
                }
            }
            _ => {}
        }
    }
    Ok(())
}
