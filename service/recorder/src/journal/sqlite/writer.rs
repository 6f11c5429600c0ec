//! The thread that writes.

use std::sync::Arc;

use canasta_engine::deal::GameId;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior, params};
use tokio::sync::{mpsc, oneshot};

use super::spare::SpareFile;
use super::{GROUP_MAX, games, integer};
use crate::journal::row::RowChange;
use crate::journal::{Appended, At};

/// A write that waits for the thread.
pub enum PendingWrite {
    /// An append, which shares a transaction with others.
    Append(Box<PendingAppend>),
    /// Another change, which sends its own answer.
    Change(Box<dyn FnOnce(&mut Connection) + Send>),
}

/// An append that waits for its transaction.
pub struct PendingAppend {
    pub game: GameId,
    pub after: Option<At>,
    pub n: u64,
    pub bytes: Arc<[u8]>,
    pub row: RowChange,
    pub answer: oneshot::Sender<Appended>,
}

/// Commits appends in groups, and other changes one by one in the order of their arrival, until the journal is dropped.
pub fn run(mut connection: Connection, mut queue: mpsc::Receiver<PendingWrite>, spare: &SpareFile) {
    let (mut group, mut other) = (Vec::with_capacity(GROUP_MAX), None);
    while let Some(first) = queue.blocking_recv() {
        let mut next = Some(first);
        while let Some(write) = next {
            match write {
                PendingWrite::Append(append) => group.push(*append),
                PendingWrite::Change(change) => other = Some(change),
            }
            let is_full = group.len() == GROUP_MAX || other.is_some();
            next = if is_full { None } else { queue.try_recv().ok() };
        }
        if !group.is_empty() {
            let answers = match spare.keep() {
                true => commit(&mut connection, &group),
                false => vec![Appended::Full; group.len()],
            };
            for (append, answer) in group.drain(..).zip(answers) {
                // Whoever waited may have gone.
                let _ = append.answer.send(answer);
            }
        }
        if let Some(change) = other.take() {
            change(&mut connection);
        }
    }
}

/// Commits a change in a transaction of its own.
pub fn changed<T>(
    connection: &mut Connection,
    change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let answer = change(&transaction)?;
    transaction.commit()?;
    Ok(answer)
}

/// Commits a group in one transaction. If that fails, every append of the group is in doubt, unless SQLite says that the
/// disk is full: then the transaction was rolled back.
fn commit(connection: &mut Connection, group: &[PendingAppend]) -> Vec<Appended> {
    let all =
        |transaction: &Transaction<'_>| group.iter().map(|append| insert(transaction, append)).collect();
    changed(connection, all).unwrap_or_else(|error| {
        tracing::error!("the journal did not take {} entries: {error}", group.len());
        let is_full = error.sqlite_error_code() == Some(ErrorCode::DiskFull);
        vec![if is_full { Appended::Full } else { Appended::Doubt }; group.len()]
    })
}

/// Inserts an entry if the game's last entry is the expected one.
fn insert(transaction: &Transaction<'_>, append: &PendingAppend) -> rusqlite::Result<Appended> {
    let id = append.game.0;
    let mut last = transaction.prepare_cached("SELECT pos FROM games WHERE id = ?1")?;
    let last: Option<i64> = last.query_row([id], |row| row.get(0)).optional()?;
    if last != append.after.map(|at| integer(at.0)) {
        return Ok(Appended::Conflict);
    }
    let mut entry = transaction.prepare_cached("INSERT INTO entries (game, n, entry) VALUES (?1, ?2, ?3)")?;
    let pos = entry.insert(params![id, integer(append.n), &append.bytes[..]])?;
    games::change(transaction, append.game, pos, &append.row)?;
    Ok(Appended::Stored(At(pos.unsigned_abs())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::sqlite::schema;

    fn append(game: u8, after: Option<At>, n: u64, length: usize) -> PendingAppend {
        let bytes = vec![game; length].into();
        let row = RowChange { summary: Default::default(), is_new: false, has_label: false, seal_key: None };
        PendingAppend { game: GameId([game; 16]), after, n, bytes, row, answer: oneshot::channel().0 }
    }

    fn opened(folder: &tempfile::TempDir) -> Connection {
        let mut connection = schema::open(&folder.path().join("journal.sqlite")).expect("a new file");
        schema::create(&mut connection).expect("a new file");
        connection
    }

    #[test]
    fn a_group_has_one_winner_per_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut connection = opened(&folder);
        let group = [append(1, None, 1, 9), append(2, None, 1, 9), append(1, None, 1, 9)];
        let answers = commit(&mut connection, &group);
        assert_eq!(answers, [Appended::Stored(At(1)), Appended::Stored(At(2)), Appended::Conflict]);
        let group =
            [append(1, Some(At(1)), 2, 9), append(1, Some(At(1)), 2, 9), append(2, Some(At(1)), 2, 9)];
        let answers = commit(&mut connection, &group);
        assert_eq!(answers, [Appended::Stored(At(3)), Appended::Conflict, Appended::Conflict]);
    }

    /// Fills a file of 40 pages: the entry that does not fit is refused as such, and nothing of its group is stored.
    #[test]
    fn a_full_store_is_told_apart_from_doubt() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut connection = opened(&folder);
        connection.pragma_update_and_check(None, "max_page_count", 40, |_| Ok(())).expect("a limit");
        let group = [append(1, None, 1, 9), append(2, None, 1, 300_000)];
        assert_eq!(commit(&mut connection, &group), [Appended::Full, Appended::Full]);
        assert_eq!(commit(&mut connection, &group[..1]), [Appended::Stored(At(1))], "there is room for it");
    }

    /// Fails the last of 300 waiting appends, and with it its whole group: the 256 before it were committed without it.
    #[test]
    fn what_waits_is_committed_together_up_to_256_appends() {
        let folder = tempfile::tempdir().expect("a folder");
        let connection = opened(&folder);
        connection
            .execute_batch(
                "CREATE TRIGGER fails BEFORE INSERT ON entries WHEN NEW.n = 99
                 BEGIN SELECT RAISE(ABORT, 'no'); END",
            )
            .expect("a trigger");
        let (writes, queue) = mpsc::channel(300);
        let mut answers = Vec::new();
        for number in 0..300_u16 {
            let (answer, answered) = oneshot::channel();
            let mut id = [0; 16];
            id[..2].copy_from_slice(&number.to_be_bytes());
            let n = if number == 299 { 99 } else { 1 };
            let append = PendingAppend { game: GameId(id), answer, ..append(0, None, n, 9) };
            writes.try_send(PendingWrite::Append(Box::new(append))).expect("room");
            answers.push(answered);
        }
        drop(writes);
        run(connection, queue, &SpareFile::beside(&folder.path().join("journal.sqlite")));
        let answers: Vec<_> =
            answers.iter_mut().map(|answered| answered.try_recv().expect("an answer")).collect();
        assert!(answers[..256].iter().all(|answer| matches!(answer, Appended::Stored(_))));
        assert_eq!(answers[256..], [Appended::Doubt; 44]);
    }

    /// Reports doubt if the transaction cannot begin, since the cause is not known here.
    #[test]
    fn a_failed_transaction_is_doubt() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut connection = opened(&folder);
        connection.execute_batch("DROP TABLE games").expect("a table");
        assert_eq!(commit(&mut connection, &[append(1, None, 1, 9)]), [Appended::Doubt]);
    }
}
