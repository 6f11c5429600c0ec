//! The entries of a journal's file.

use std::path::Path;

use canasta_recorder::entry::JournalEntry;

/// Returns all entries of a recorder in this folder, in their order.
pub fn entries(data: &Path) -> Vec<JournalEntry> {
    let journal = rusqlite::Connection::open(data.join("journal.sqlite")).expect("a journal");
    let mut rows = journal.prepare("SELECT entry FROM entries ORDER BY pos").expect("a table");
    let rows = rows.query_map([], |row| row.get(0)).expect("rows");
    let bytes = rows.map(|row: Result<Vec<u8>, _>| row.expect("a row"));
    bytes.map(|bytes| JournalEntry::decode(&bytes).expect("an entry")).collect()
}
