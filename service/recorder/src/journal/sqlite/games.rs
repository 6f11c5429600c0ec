//! The table of games: the summary of each.

use canasta_engine::deal::GameId;
use canasta_proto::v1::{GameStatus, GameSummary, LogEnd};
use prost::Message as _;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::integer;
use crate::journal::row::RowChange;
use crate::journal::{READ_MAX, ReadError};

const COLUMNS: &str = "id, n, seq, head, status, changed_ms, label, about";

/// Changes the row of a game, or makes one, for an entry at `pos` that follows the entries before.
pub fn change(
    transaction: &Transaction<'_>,
    game: GameId,
    pos: i64,
    change: &RowChange,
) -> rusqlite::Result<()> {
    let RowChange { summary, is_new, has_label, seal_key } = change;
    let end = summary.log_end.clone().unwrap_or_default();
    let mut known = transaction.prepare_cached("SELECT seal_keys FROM games WHERE id = ?1")?;
    let mut keys: Vec<u8> = known.query_row([game.0], |row| row.get(0)).optional()?.unwrap_or_default();
    if let Some(key) = seal_key
        && !keys.chunks(key.len()).any(|known| known == key)
    {
        keys.extend(key);
    }
    let mut upsert = transaction.prepare_cached(
        "INSERT INTO games VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, 0)
         ON CONFLICT (id) DO UPDATE SET pos = ?2, n = ?3, seq = ?4, head = ?5, status = ?6, changed_ms = ?7,
             label = IIF(?11, ?8, label), about = IIF(?12, ?9, about), seal_keys = ?10, lease_ms = 0, tries = 0",
    )?;
    upsert.execute(params![
        game.0,
        pos,
        integer(end.n),
        integer(end.seq),
        end.head,
        summary.status,
        summary.changed_at_ms,
        summary.label,
        about(summary),
        keys,
        has_label,
        is_new
    ])?;
    Ok(())
}

/// Encodes the part of a summary that never changes.
fn about(summary: &GameSummary) -> Vec<u8> {
    let GameSummary { rule_set, players, created_at_ms, .. } = summary.clone();
    GameSummary { rule_set, players, created_at_ms, ..Default::default() }.encode_to_vec()
}

/// Returns the summary of a game.
pub fn game(connection: &Connection, game: GameId) -> Result<Option<GameSummary>, ReadError> {
    let query = format!("SELECT {COLUMNS} FROM games WHERE id = ?1");
    Ok(connection.prepare_cached(&query)?.query_row([game.0], summary).optional()?)
}

/// Returns the summaries of the games after this one.
pub fn games(
    connection: &Connection,
    after: Option<GameId>,
    max: usize,
) -> Result<Vec<GameSummary>, ReadError> {
    // The least id is none of a blob: an empty one comes before all others.
    let after = after.map_or(Vec::new(), |game| game.0.to_vec());
    let query = format!("SELECT {COLUMNS} FROM games WHERE id > ?1 ORDER BY id LIMIT ?2");
    let mut statement = connection.prepare_cached(&query)?;
    let rows = statement.query_map(params![after, max.min(READ_MAX) as i64], summary)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn summary(row: &Row<'_>) -> rusqlite::Result<GameSummary> {
    let about: Vec<u8> = row.get(7)?;
    let number = |at| row.get::<_, i64>(at).map(i64::unsigned_abs);
    Ok(GameSummary {
        game_id: row.get(0)?,
        log_end: Some(LogEnd { n: number(1)?, seq: number(2)?, head: row.get(3)? }),
        status: row.get(4)?,
        changed_at_ms: row.get(5)?,
        label: row.get(6)?,
        ..GameSummary::decode(&about[..]).unwrap_or_default()
    })
}

/// The number of games whose states a key seals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SealedGames {
    /// Live games.
    pub live: u64,
    /// Games that have ended and still have their entries.
    pub ended: u64,
}

/// Returns for each set of keys the numbers of the games that have states sealed by these keys.
pub fn sealed(connection: &Connection) -> rusqlite::Result<Vec<(Vec<u8>, SealedGames)>> {
    let live = GameStatus::Live as i32;
    let mut statement = connection.prepare(
        "SELECT seal_keys, SUM(status = ?1), SUM(status <> ?1) FROM games WHERE status <> ?2 GROUP BY seal_keys",
    )?;
    let rows = statement.query_map([live, GameStatus::Archived as i32], |row| {
        let count = |at| row.get::<_, i64>(at).map(i64::unsigned_abs);
        Ok((row.get(0)?, SealedGames { live: count(1)?, ended: count(2)? }))
    })?;
    rows.collect()
}
