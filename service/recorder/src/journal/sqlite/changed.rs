//! The games that have changed, in the order of their changes.
//!
//! A position has three numbers: the last entry, the last row of `changed`, and a part of the head of that entry. The head
//! tells a journal that was restored from a backup, and has gone another way since, from the one that gave the position.

use canasta_engine::deal::GameId;
use rusqlite::{Connection, OptionalExtension, params};

use super::{decode, integer};
use crate::journal::{ChangePosition, ChangedGames, JournalResult};

/// The queries of the last position that the table of entries, and that of other changes, has ever given.
const ENDS: [&str; 2] = [
    "SELECT seq FROM sqlite_sequence WHERE name = 'entries'",
    "SELECT seq FROM sqlite_sequence WHERE name = 'changed'",
];
const PAGES: [&str; 2] = [
    "SELECT pos, game FROM entries WHERE pos > ?1 ORDER BY pos LIMIT ?2",
    "SELECT pos, game FROM changed WHERE pos > ?1 ORDER BY pos LIMIT ?2",
];

pub fn end(connection: &Connection) -> JournalResult<ChangePosition> {
    let ends = ends(connection)?;
    Ok(ChangePosition(vec![ends[0], ends[1], mark(connection, ends[0])?]))
}

/// Returns the games that have changed, at most `max`; see [`crate::journal::Journal::changed`].
pub fn since(
    connection: &Connection,
    after: &ChangePosition,
    max: usize,
) -> JournalResult<Option<ChangedGames>> {
    let ([entry, other, marked], ends) = match <[u64; 3]>::try_from(&after.0[..]) {
        Ok(after) => (after, ends(connection)?),
        Err(_) => return Ok(None),
    };
    let found = mark(connection, entry)?;
    // An entry without a mark was dropped since, or is damaged: then nothing is compared.
    if entry > ends[0] || other > ends[1] || (found != 0 && marked != 0 && found != marked) {
        return Ok(None);
    }
    let (mut games, mut upto) = (Vec::new(), [entry, other]);
    for (query, upto) in PAGES.into_iter().zip(&mut upto) {
        let mut page = connection.prepare_cached(query)?;
        let mut rows = page.query(params![integer(*upto), (max / PAGES.len()).max(1) as i64])?;
        while let Some(row) = rows.next()? {
            *upto = row.get::<_, i64>(0)?.unsigned_abs();
            games.push(GameId(row.get(1)?));
        }
    }
    let mark = if upto[0] == entry { marked } else { mark(connection, upto[0])? };
    Ok(Some(ChangedGames { games, upto: ChangePosition(vec![upto[0], upto[1], mark]) }))
}

/// Returns the last positions. Unlike the last rows, they are not lost when the last entries are dropped.
pub fn ends(connection: &Connection) -> JournalResult<[u64; 2]> {
    let mut ends = [0; 2];
    for (query, end) in ENDS.into_iter().zip(&mut ends) {
        let found: Option<i64> =
            connection.prepare_cached(query)?.query_row([], |row| row.get(0)).optional()?;
        *end = found.unwrap_or(0).unsigned_abs();
    }
    Ok(ends)
}

/// Returns a part of the head after the entry at a position; 0 if there is no such entry.
fn mark(connection: &Connection, pos: u64) -> JournalResult<u64> {
    let mut entry = connection.prepare_cached("SELECT pos, entry FROM entries WHERE pos = ?1")?;
    let found = entry.query_row([integer(pos)], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let head = found.and_then(|row| decode(row).ok()).map(|placed| placed.entry.head);
    Ok(head.map_or(0, |head| u64::from_be_bytes(*head.first_chunk().expect("a head has 32 bytes"))))
}
