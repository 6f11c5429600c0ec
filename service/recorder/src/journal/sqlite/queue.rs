//! The queue of ended games, in the table of games. Each function is one transaction, or a part of one.

use canasta_engine::deal::GameId;
use canasta_proto::v1::{GameStatus, GameSummary};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::games;
use crate::journal::row::RowChange;
use crate::journal::{GameLease, JournalFigures, KeptVerdict, READ_MAX, ReadError, TRIES_MAX};

const FINISHED: i32 = GameStatus::Finished as i32;
const JUDGED: i32 = GameStatus::Judged as i32;
const ARCHIVED: i32 = GameStatus::Archived as i32;
const STUCK: i32 = GameStatus::Stuck as i32;

/// A finished game that is not leased at a time. `status > 1` lets SQLite use the index.
const WAITING: &str =
    "FROM games WHERE status > 1 AND status = ?1 AND lease_ms <= ?2 ORDER BY lease_ms LIMIT 1";

/// Returns true if a game waits at this time. Asked first, since a lease is a transaction.
pub fn has_waiting(connection: &Connection, now_ms: i64) -> Result<bool, ReadError> {
    let query = format!("SELECT 1 {WAITING}");
    let found =
        connection.prepare_cached(&query)?.query_row(params![FINISHED, now_ms], |_| Ok(())).optional();
    Ok(found?.is_some())
}

pub fn lease(
    transaction: &Transaction<'_>,
    now_ms: i64,
    until_ms: i64,
) -> rusqlite::Result<Option<GameLease>> {
    let query = format!("SELECT id, tries {WAITING}");
    let mut statement = transaction.prepare_cached(&query)?;
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let Some((id, tries)) = statement.query_row(params![FINISHED, now_ms], read).optional()? else {
        return Ok(None);
    };
    transaction.execute("UPDATE games SET lease_ms = ?2 WHERE id = ?1", params![id, until_ms])?;
    Ok(Some(GameLease { game: GameId(id), until_ms, tries }))
}

pub fn extend(
    transaction: &Transaction<'_>,
    lease: GameLease,
    until_ms: i64,
) -> rusqlite::Result<Option<GameLease>> {
    let changed = transaction.execute(
        "UPDATE games SET lease_ms = ?4 WHERE id = ?1 AND status = ?2 AND lease_ms = ?3",
        params![lease.game.0, FINISHED, lease.until_ms, until_ms],
    )?;
    Ok((changed == 1).then_some(GameLease { until_ms, ..lease }))
}

pub fn done(
    transaction: &Transaction<'_>,
    game: GameId,
    KeptVerdict { head, bytes }: &KeptVerdict,
    now_ms: i64,
) -> rusqlite::Result<bool> {
    let kept = transaction.execute(
        "INSERT OR IGNORE INTO verdicts VALUES (?1, ?2, ?3, ?4)",
        params![game.0, head, bytes, now_ms],
    )?;
    transaction.execute(
        "UPDATE games SET status = ?3, lease_ms = ?4, tries = 0 WHERE id = ?1 AND head = ?2 AND status = ?5",
        params![game.0, head, JUDGED, now_ms, FINISHED],
    )?;
    Ok(kept == 1)
}

pub fn fail(transaction: &Transaction<'_>, lease: GameLease, retry_ms: i64) -> rusqlite::Result<()> {
    transaction.execute(
        "UPDATE games SET tries = tries + 1, lease_ms = ?4, status = IIF(tries + 1 < ?5, status, ?6)
         WHERE id = ?1 AND status = ?2 AND lease_ms = ?3",
        params![lease.game.0, FINISHED, lease.until_ms, retry_ms, TRIES_MAX, STUCK],
    )?;
    Ok(())
}

pub fn verdict(
    connection: &Connection,
    game: GameId,
    head: Option<[u8; 32]>,
) -> Result<Option<KeptVerdict>, ReadError> {
    // Without a head: that of the game's end, or else any, since a later ruling may not be judged yet.
    const VERDICT: &str = "
        SELECT v.head, v.verdict FROM verdicts v JOIN games g ON g.id = v.game
        WHERE v.game = ?1 AND (?2 IS NULL OR v.head = ?2) ORDER BY v.head = g.head DESC, v.judged_ms DESC LIMIT 1";
    let mut statement = connection.prepare_cached(VERDICT)?;
    let read = |row: &rusqlite::Row<'_>| Ok(KeptVerdict { head: row.get(0)?, bytes: row.get(1)? });
    Ok(statement.query_row(params![game.0, head], read).optional()?)
}

pub fn judged(connection: &Connection, until_ms: i64, max: usize) -> Result<Vec<GameId>, ReadError> {
    const DUE: &str = "
        SELECT id FROM games WHERE status > 1 AND status = ?1 AND lease_ms <= ?2 ORDER BY lease_ms LIMIT ?3";
    let mut statement = connection.prepare_cached(DUE)?;
    let max = max.min(READ_MAX) as i64;
    let rows = statement.query_map(params![JUDGED, until_ms, max], |row| row.get(0).map(GameId))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Returns what operators watch, except the size of the store.
pub fn figures(connection: &Connection) -> Result<JournalFigures, ReadError> {
    const ALL: &str = "
        SELECT COUNT(*) FILTER (WHERE status = 1), COUNT(*) FILTER (WHERE status = ?2),
            MIN(IIF(status = ?1, changed_ms, NULL)) FROM games";
    let mut statement = connection.prepare_cached(ALL)?;
    let figures = statement.query_row(params![FINISHED, STUCK], |row| {
        let count = |at| row.get::<_, i64>(at).map(i64::unsigned_abs);
        let (live, stuck, waiting_since_ms) = (count(0)?, count(1)?, row.get(2)?);
        Ok(JournalFigures { live, stuck, waiting_since_ms, used_permille: 0, is_unproven: false })
    })?;
    Ok(figures)
}

pub fn requeue(transaction: &Transaction<'_>, game: GameId) -> rusqlite::Result<()> {
    transaction.execute(
        "UPDATE games SET status = ?2, lease_ms = 0, tries = 0 WHERE id = ?1 AND status = ?3",
        params![game.0, FINISHED, JUDGED],
    )?;
    Ok(())
}

/// Ends all leases, and gives stuck games new tries: a recorder that starts is the only one, and may judge them now. Returns
/// the number of stuck games.
pub fn restart(connection: &Connection) -> rusqlite::Result<u64> {
    connection.execute("UPDATE games SET lease_ms = 0 WHERE status > 1 AND status = ?1", [FINISHED])?;
    retry(connection)
}

pub fn retry(connection: &Connection) -> rusqlite::Result<u64> {
    let retried = connection.execute(
        "UPDATE games SET status = ?1, lease_ms = 0, tries = 0 WHERE status > 1 AND status = ?2",
        params![FINISHED, STUCK],
    )?;
    Ok(retried as u64)
}

pub fn sweep(transaction: &Transaction<'_>) -> rusqlite::Result<u64> {
    let swept = transaction.execute(
        "UPDATE games SET status = ?1, lease_ms = 0, tries = 0
         WHERE status > 1 AND status = ?2 AND NOT EXISTS (
             SELECT 1 FROM verdicts v WHERE v.game = games.id AND v.head = games.head
         )",
        params![FINISHED, JUDGED],
    )?;
    Ok(swept as u64)
}

pub fn drop(transaction: &Transaction<'_>, game: GameId, upto: i64) -> rusqlite::Result<bool> {
    const LAST: &str = "SELECT pos, status = ?2 FROM games WHERE id = ?1";
    let mut last = transaction.prepare_cached(LAST)?;
    let last = last.query_row(params![game.0, ARCHIVED], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let (pos, is_archived): (i64, bool) = last.unwrap_or((0, true));
    if pos > upto || is_archived {
        return Ok(is_archived);
    }
    transaction.execute("DELETE FROM entries WHERE game = ?1", [game.0])?;
    // No entry has position 0, so that no append can follow.
    let archived = transaction.execute(
        "UPDATE games SET status = ?2, pos = 0 WHERE id = ?1 AND EXISTS (
             SELECT 1 FROM verdicts v WHERE v.game = games.id AND v.head = games.head
         )",
        params![game.0, ARCHIVED],
    )?;
    if archived == 0 {
        forget(transaction, game)?;
    }
    Ok(true)
}

/// Adds a game that is in the archive only.
pub fn put_archived(
    transaction: &Transaction<'_>,
    game: GameId,
    summary: &GameSummary,
    verdict: &KeptVerdict,
) -> rusqlite::Result<()> {
    let change = RowChange { summary: summary.clone(), is_new: true, has_label: true, seal_key: None };
    // No entry has position 0, so that no append can follow.
    games::change(transaction, game, 0, &change)?;
    done(transaction, game, verdict, summary.changed_at_ms).map(|_| ())
}

pub fn forget(transaction: &Transaction<'_>, game: GameId) -> rusqlite::Result<()> {
    for statement in [
        "DELETE FROM games WHERE id = ?1",
        "DELETE FROM verdicts WHERE game = ?1",
        "INSERT OR IGNORE INTO dropped VALUES (?1)",
    ] {
        transaction.execute(statement, [game.0])?;
    }
    Ok(())
}

pub fn was_dropped(connection: &Connection, game: GameId) -> Result<bool, ReadError> {
    let mut statement = connection.prepare_cached("SELECT 1 FROM dropped WHERE id = ?1")?;
    Ok(statement.exists([game.0])?)
}
