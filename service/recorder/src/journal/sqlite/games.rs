//! The table of games: the summary of each.

use std::path::Path;

use canasta_engine::deal::GameId;
use canasta_proto::v1::{GameStatus, GameSummary, LogEnd};
use prost::Message as _;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use tonic::async_trait;

use super::{SqliteJournal, integer, queue};
use crate::journal::row::RowChange;
use crate::journal::{At, GameList, JournalFigures, JournalResult, KeptVerdict, READ_MAX};

const ARCHIVED: i32 = GameStatus::Archived as i32;
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

#[async_trait]
impl GameList for SqliteJournal {
    async fn game(&self, game: GameId) -> JournalResult<Option<GameSummary>> {
        self.on_reader(move |connection| {
            let mut statement =
                connection.prepare_cached(&format!("SELECT {COLUMNS} FROM games WHERE id = ?1"))?;
            Ok(statement.query_row([game.0], summary).optional()?)
        })
        .await
    }

    async fn games(&self, after: Option<GameId>, max: usize) -> JournalResult<Vec<GameSummary>> {
        // The least id is none of a blob: an empty one comes before all others.
        let after = after.map_or(Vec::new(), |game| game.0.to_vec());
        self.on_reader(move |connection| {
            let query = format!("SELECT {COLUMNS} FROM games WHERE id > ?1 ORDER BY id LIMIT ?2");
            let mut statement = connection.prepare_cached(&query)?;
            let rows = statement.query_map(params![after, max.min(READ_MAX) as i64], summary)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    async fn figures(&self) -> JournalResult<JournalFigures> {
        const ALL: &str = "
            SELECT COUNT(*) FILTER (WHERE status = ?1), COUNT(*) FILTER (WHERE status = ?2),
                MIN(IIF(status = ?3, changed_ms, NULL)) FROM games";
        let file = self.threads.file.clone();
        self.on_reader(move |connection| {
            let used_permille = used_permille(&file).unwrap_or(0);
            let mut statement = connection.prepare_cached(ALL)?;
            let status =
                [GameStatus::Live, GameStatus::Stuck, GameStatus::Finished].map(|status| status as i32);
            let figures = statement.query_row(status, |row| {
                let (live, stuck, waiting_since_ms) = (count(row, 0)?, count(row, 1)?, row.get(2)?);
                Ok(JournalFigures { live, stuck, waiting_since_ms, used_permille, is_unproven: false })
            });
            Ok(figures?)
        })
        .await
    }

    async fn drop(&self, game: GameId, upto: At) -> JournalResult<bool> {
        const LAST: &str = "SELECT pos, status = ?2 FROM games WHERE id = ?1";
        self.on_writer(move |transaction| {
            let mut last = transaction.prepare_cached(LAST)?;
            let last = last.query_row(params![game.0, ARCHIVED], |row| Ok((row.get(0)?, row.get(1)?)));
            let (pos, is_archived): (i64, bool) = last.optional()?.unwrap_or((0, true));
            if pos > integer(upto.0) || is_archived {
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
        })
        .await
    }

    async fn forget(&self, game: GameId) -> JournalResult<()> {
        self.on_writer(move |transaction| forget(transaction, game)).await
    }

    async fn was_dropped(&self, game: GameId) -> JournalResult<bool> {
        self.on_reader(move |connection| {
            Ok(connection.prepare_cached("SELECT 1 FROM dropped WHERE id = ?1")?.exists([game.0])?)
        })
        .await
    }

    async fn put_archived(&self, summary: &GameSummary, verdict: &KeptVerdict) -> JournalResult<()> {
        let game = GameId(summary.game_id[..].try_into().unwrap_or_default());
        let (summary, verdict) = (summary.clone(), verdict.clone());
        let judged_ms = summary.changed_at_ms;
        let row = RowChange { summary, is_new: true, has_label: true, seal_key: None };
        self.on_writer(move |transaction| {
            // No entry has position 0, so that no append can follow.
            change(transaction, game, 0, &row)?;
            queue::done(transaction, game, &verdict, judged_ms).map(|_| ())
        })
        .await
    }
}

fn forget(transaction: &Transaction<'_>, game: GameId) -> rusqlite::Result<()> {
    for statement in [
        "DELETE FROM games WHERE id = ?1",
        "DELETE FROM verdicts WHERE game = ?1",
        "INSERT OR IGNORE INTO dropped VALUES (?1)",
    ] {
        transaction.execute(statement, [game.0])?;
    }
    Ok(())
}

/// Returns the used share of the file's file system, in thousandths; `None` if the system does not tell.
fn used_permille(file: &Path) -> Option<u16> {
    let found = rustix::fs::statvfs(file).ok()?;
    let free = found.f_bavail.saturating_mul(1000).checked_div(found.f_blocks)?;
    Some(1000 - u16::try_from(free.min(1000)).ok()?)
}

fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(column).map(i64::unsigned_abs)
}

fn summary(row: &Row<'_>) -> rusqlite::Result<GameSummary> {
    let about: Vec<u8> = row.get(7)?;
    Ok(GameSummary {
        game_id: row.get(0)?,
        log_end: Some(LogEnd { n: count(row, 1)?, seq: count(row, 2)?, head: row.get(3)? }),
        status: row.get(4)?,
        changed_at_ms: row.get(5)?,
        label: row.get(6)?,
        ..GameSummary::decode(&about[..]).unwrap_or_default()
    })
}

/// The number of games whose states a key seals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SealedGames {
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
    let rows = statement.query_map([live, ARCHIVED], |row| {
        Ok((row.get(0)?, SealedGames { live: count(row, 1)?, ended: count(row, 2)? }))
    })?;
    rows.collect()
}
