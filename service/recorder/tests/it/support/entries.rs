//! The entries of a recorder's journal, and its files.

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

/// Returns the bytes of all files in a folder and in those in it.
pub fn files(folder: &Path) -> Vec<u8> {
    let paths = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    paths
        .flat_map(|path| if path.is_dir() { files(&path) } else { std::fs::read(&path).expect("a file") })
        .collect()
}
