//! The records of an entry, and the play that they stand for.

use canasta_messages::audit::record;
use std::sync::Arc;

use canasta_engine::action::As;
use canasta_engine::deal::Board;
use canasta_engine::game::{Acted, Game, Link, Stamp, frame_count};
use canasta_engine::log::frame::{PREFIX, SUFFIX};
use canasta_engine::log::record::{ActionRecord, Genesis};
use canasta_engine::log::{Chain, HEADER, Head, Record, derive};

use crate::boards;
use crate::entry::JournalEntry;

/// An entry whose frames are not those that the state before it leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the frames of an entry do not lead from the entry before it to its own head")]
pub struct NotLinked;

#[derive(Clone, PartialEq, Debug)]
pub struct EntryRecord {
    pub n: u64,
    /// Head of the log's chain after the record.
    pub head: Head,
    pub record: Record,
    /// Offset of the record's frame in the entry's frames, in bytes.
    pub offset: usize,
    /// Length of the frame, in bytes.
    pub length: usize,
}

/// A record of an entry, and what it led to.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedRecord {
    pub record: EntryRecord,
    pub acted: Option<Acted>,
    /// The game after the record; after the records that an action's own record brings with it, that after the action.
    pub game: Arc<Game>,
}

pub fn first_n(entry: &JournalEntry) -> u64 {
    (entry.n + 1).saturating_sub(frame_count(frames(entry)) as u64)
}

/// Returns the frames of an entry without the header of the log.
pub fn frames(entry: &JournalEntry) -> &[u8] {
    entry.frames.strip_prefix(&HEADER).unwrap_or(&entry.frames)
}

/// Whether the entry has an accepted action.
pub fn has_action(entry: &JournalEntry) -> bool {
    payloads(frames(entry)).any(|(_, payload)| matches!(Record::decode(payload), Ok(Record::Action(_))))
}

/// Returns the last signed note that frames without the header of the log hold.
pub fn checkpoint(frames: &[u8]) -> Option<String> {
    let records = payloads(frames).filter_map(|(_, payload)| Record::decode(payload).ok());
    records.filter_map(|record| record.checkpoint().map(String::from)).last()
}

/// Returns the `seq` of each action that rulings of an entry go back to.
///
/// # Errors
/// As [`records`].
pub fn restored(before: Option<&JournalEntry>, entry: &JournalEntry) -> Result<Vec<u64>, NotLinked> {
    let records = records(before, entry)?;
    Ok(records.iter().filter_map(|record| record::taken_back_to(&record.record)).collect())
}

/// Returns the records of an entry that follows `before`, which is `None` for the first entry.
///
/// # Errors
/// If the chain does not lead from one entry to the other, or a payload is no record.
pub fn records(before: Option<&JournalEntry>, entry: &JournalEntry) -> Result<Vec<EntryRecord>, NotLinked> {
    let mut chain = before.map_or(Chain::START, |before| Chain { next: before.n + 1, head: before.head });
    let header = entry.frames.len() - frames(entry).len();
    let (mut found, mut written, mut end) = (Vec::new(), Vec::new(), 0);
    for (offset, payload) in payloads(frames(entry)) {
        written.clear();
        chain.append(payload, &mut written);
        end = offset + written.len();
        if frames(entry).get(offset..end) != Some(&written[..]) {
            return Err(NotLinked);
        }
        let record = Record::decode(payload).map_err(|_| NotLinked)?;
        let (n, head, length) = (chain.next - 1, chain.head, written.len());
        found.push(EntryRecord { n, head, record, offset: header + offset, length });
    }
    let is_linked = end == frames(entry).len() && chain == Chain { next: entry.n + 1, head: entry.head };
    if is_linked { Ok(found) } else { Err(NotLinked) }
}

/// Returns the first record of a log, from the entry that has it.
///
/// # Errors
/// If the chain of the entry does not begin a log.
pub fn genesis(first: &JournalEntry) -> Result<Genesis, NotLinked> {
    match records(None, first)?.into_iter().next().map(|first| first.record) {
        Some(Record::Genesis(genesis)) => Ok(*genesis),
        _ => Err(NotLinked),
    }
}

/// Returns the offset and the payload of each frame, up to the first that is cut off.
fn payloads(frames: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = frames.get(at..)?;
        let length = usize::from(u16::from_be_bytes(*rest.first_chunk()?));
        let payload = rest.get(PREFIX..PREFIX + length).filter(|payload| !payload.is_empty())?;
        let offset = at;
        at += PREFIX + length + SUFFIX;
        Some((offset, payload))
    })
}

/// The things that an entry is executed again with, besides what the entry before it led to.
pub struct Replayed {
    /// The games that rulings of the entry go back to.
    pub earlier: Vec<Game>,
    /// The board whose walls the game's registers commit to.
    pub board: Option<Board>,
}

/// Executes the actions of an entry again. `before` is the entry before it and the game after that; `after` is the game
/// after the entry.
///
/// # Errors
/// If the actions do not lead to what the entry holds.
pub fn play(
    before: Option<(&JournalEntry, &Game)>,
    entry: &JournalEntry,
    after: &Game,
    with: &Replayed,
) -> Result<Vec<PlayedRecord>, NotLinked> {
    let after = Arc::new(after.clone());
    let Some(before) = before else {
        let one = |record| PlayedRecord { record, acted: None, game: Arc::clone(&after) };
        return Ok(records(None, entry)?.into_iter().map(one).collect());
    };
    let (played, game) = follow(before, entry, Some(&after), with)?;
    if *game == *after { Ok(played) } else { Err(NotLinked) }
}

/// Returns the game after an entry whose state is not known, as [`play`] finds it.
///
/// # Errors
/// If the entry has a register without a board, or the actions do not lead to the head that the entry names.
pub fn play_again(
    before: (&JournalEntry, &Game),
    entry: &JournalEntry,
    with: &Replayed,
) -> Result<Box<Game>, NotLinked> {
    let (_, game) = follow(before, entry, None, with)?;
    let is_head = game.link == Link { n: entry.n, head: entry.head };
    if is_head { Ok(Box::new(Arc::unwrap_or_clone(game))) } else { Err(NotLinked) }
}

/// Executes the records of an entry. Returns them, and the game after the last.
fn follow(
    (before, game): (&JournalEntry, &Game),
    entry: &JournalEntry,
    after: Option<&Arc<Game>>,
    Replayed { earlier, board }: &Replayed,
) -> Result<(Vec<PlayedRecord>, Arc<Game>), NotLinked> {
    let records = records(Some(before), entry)?;
    let mut game = Arc::new(game.clone());
    let mut played = Vec::with_capacity(records.len());
    for record in records {
        let mut acted = None;
        match &record.record {
            Record::Action(written) => {
                let mut next = Game::clone(&game);
                acted = Some(act_again(&mut next, &record, written, earlier)?);
                game = Arc::new(next);
            }
            // An action writes the records of a round's end itself.
            _ if record.n <= game.link.n => {}
            Record::Register(_) if let Some(board) = board => {
                let next = Arc::make_mut(&mut game);
                let wall = boards::register(board, next).ok_or(NotLinked)?;
                next.register(As::Table, wall).map_err(|_| NotLinked)?;
            }
            // The games of other registers are not made again: such a register stands alone in its entry.
            Record::Register(_) => game = Arc::clone(after.ok_or(NotLinked)?),
            other => {
                let next = Arc::make_mut(&mut game);
                if matches!(other, Record::Refusal(_)) {
                    next.length.records += 1;
                    next.length.bytes += record.length as u32;
                }
                next.link = Link { n: record.n, head: record.head };
            }
        }
        played.push(PlayedRecord { record, acted, game: Arc::clone(&game) });
    }
    Ok((played, game))
}

/// Executes and records an action of a record again; `earlier` has the games that rulings go back to.
fn act_again(
    game: &mut Game,
    record: &EntryRecord,
    written: &ActionRecord,
    earlier: &[Game],
) -> Result<Acted, NotLinked> {
    let who = record::actor(&record.record).ok_or(NotLinked)?;
    let action = derive::opened(&game.table, &game.dealing, record.n, &written.action);
    let seq = action.restored_seq();
    let earlier = earlier.iter().find(|earlier| Some(earlier.table.step()) == seq);
    let stamp = Stamp { elapsed_ms: written.elapsed_ms, signature: written.signature };
    game.act_resuming(earlier, who, &action, stamp).map_err(|_| NotLinked)
}
