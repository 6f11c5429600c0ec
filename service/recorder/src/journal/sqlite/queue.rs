//! The queue of ended games, in the table of games. Each change is one transaction.

use canasta_engine::deal::GameId;
use canasta_proto::v1::GameStatus;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use tonic::async_trait;

use super::SqliteJournal;
use crate::journal::{AuditQueue, GameLease, JournalResult, KeptVerdict, READ_MAX, TRIES_MAX};

const FINISHED: i32 = GameStatus::Finished as i32;
const JUDGED: i32 = GameStatus::Judged as i32;
const STUCK: i32 = GameStatus::Stuck as i32;

/// A finished game that is not leased at a time. `status > 1` lets SQLite use the index.
const WAITING: &str =
    "FROM games WHERE status > 1 AND status = ?1 AND lease_ms <= ?2 ORDER BY lease_ms LIMIT 1";

#[async_trait]
impl AuditQueue for SqliteJournal {
    async fn lease(&self, now_ms: i64, until_ms: i64) -> JournalResult<Option<GameLease>> {
        // Asked first, since a lease is a transaction.
        let is_waiting = self.on_reader(move |connection| {
            let mut statement = connection.prepare_cached(&format!("SELECT 1 {WAITING}"))?;
            Ok(statement.exists(params![FINISHED, now_ms])?)
        });
        if !is_waiting.await? {
            return Ok(None);
        }
        self.on_writer(move |transaction| {
            let mut statement = transaction.prepare_cached(&format!("SELECT id, tries {WAITING}"))?;
            let found = statement.query_row(params![FINISHED, now_ms], |row| Ok((row.get(0)?, row.get(1)?)));
            let Some((id, tries)) = found.optional()? else { return Ok(None) };
            transaction.execute("UPDATE games SET lease_ms = ?2 WHERE id = ?1", params![id, until_ms])?;
            Ok(Some(GameLease { game: GameId(id), until_ms, tries }))
        })
        .await
    }

    async fn extend(&self, lease: GameLease, until_ms: i64) -> JournalResult<Option<GameLease>> {
        self.on_writer(move |transaction| {
            let changed = transaction.execute(
                "UPDATE games SET lease_ms = ?4 WHERE id = ?1 AND status = ?2 AND lease_ms = ?3",
                params![lease.game.0, FINISHED, lease.until_ms, until_ms],
            )?;
            Ok((changed == 1).then_some(GameLease { until_ms, ..lease }))
        })
        .await
    }

    async fn done(&self, game: GameId, verdict: &KeptVerdict, now_ms: i64) -> JournalResult<bool> {
        let verdict = verdict.clone();
        self.on_writer(move |transaction| done(transaction, game, &verdict, now_ms)).await
    }

    async fn fail(&self, lease: GameLease, retry_ms: i64) -> JournalResult<()> {
        self.on_writer(move |transaction| {
            transaction.execute(
                "UPDATE games SET tries = tries + 1, lease_ms = ?4, status = IIF(tries + 1 < ?5, status, ?6)
                 WHERE id = ?1 AND status = ?2 AND lease_ms = ?3",
                params![lease.game.0, FINISHED, lease.until_ms, retry_ms, TRIES_MAX, STUCK],
            )?;
            Ok(())
        })
        .await
    }

    async fn verdict(&self, game: GameId, head: Option<[u8; 32]>) -> JournalResult<Option<KeptVerdict>> {
        // Without a head: that of the game's end, or else any, since a later ruling may not be judged yet.
        const VERDICT: &str = "
            SELECT v.head, v.verdict FROM verdicts v JOIN games g ON g.id = v.game
            WHERE v.game = ?1 AND (?2 IS NULL OR v.head = ?2) ORDER BY v.head = g.head DESC, v.judged_ms DESC LIMIT 1";
        self.on_reader(move |connection| {
            let mut statement = connection.prepare_cached(VERDICT)?;
            let kept = statement.query_row(params![game.0, head], |row| {
                Ok(KeptVerdict { head: row.get(0)?, bytes: row.get(1)? })
            });
            Ok(kept.optional()?)
        })
        .await
    }

    async fn judged(&self, until_ms: i64, max: usize) -> JournalResult<Vec<GameId>> {
        const DUE: &str = "
            SELECT id FROM games WHERE status > 1 AND status = ?1 AND lease_ms <= ?2 ORDER BY lease_ms LIMIT ?3";
        self.on_reader(move |connection| {
            let mut statement = connection.prepare_cached(DUE)?;
            let max = max.min(READ_MAX) as i64;
            let rows = statement.query_map(params![JUDGED, until_ms, max], |row| row.get(0).map(GameId))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    async fn requeue(&self, game: GameId) -> JournalResult<()> {
        self.on_writer(move |transaction| {
            transaction.execute(
                "UPDATE games SET status = ?2, lease_ms = 0, tries = 0 WHERE id = ?1 AND status = ?3",
                params![game.0, FINISHED, JUDGED],
            )?;
            Ok(())
        })
        .await
    }

    async fn sweep(&self) -> JournalResult<u64> {
        self.on_writer(|transaction| {
            let swept = transaction.execute(
                "UPDATE games SET status = ?1, lease_ms = 0, tries = 0
                 WHERE status > 1 AND status = ?2 AND NOT EXISTS (
                     SELECT 1 FROM verdicts v WHERE v.game = games.id AND v.head = games.head
                 )",
                params![FINISHED, JUDGED],
            )?;
            Ok(swept as u64)
        })
        .await
    }

    async fn retry(&self) -> JournalResult<u64> {
        self.on_writer(|transaction| retry(transaction)).await
    }
}

/// Keeps a verdict as [`AuditQueue::done`] does, in a transaction.
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

/// Ends all leases, and gives stuck games new tries: a recorder that starts is the only one, and may judge them now. Returns
/// the number of stuck games.
pub fn restart(connection: &Connection) -> rusqlite::Result<u64> {
    connection.execute("UPDATE games SET lease_ms = 0 WHERE status > 1 AND status = ?1", [FINISHED])?;
    retry(connection)
}

fn retry(connection: &Connection) -> rusqlite::Result<u64> {
    let retried = connection.execute(
        "UPDATE games SET status = ?1, lease_ms = 0, tries = 0 WHERE status > 1 AND status = ?2",
        params![FINISHED, STUCK],
    )?;
    Ok(retried as u64)
}
