//! The log of an archived game, which GetLog sends in pieces.

use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;
use canasta_engine::log::{Reader, Record};
use canasta_messages::fault::RequestFault;
use canasta_proto::v1::{GetLogResponse, LogEnd};
use canasta_serve::OrFault;
use canasta_serve::account::CallerAccount;
use canasta_serve::fairness::SharedPlace;
use canasta_serve::telemetry::method::Method;

use crate::archive::packed::unpack;
use crate::archive::{ArchiveFault, ObjectPaths};
use crate::context::RecorderContext;

/// Maximum length of a piece, in bytes, if it has two or more frames.
pub const PIECE_BYTES_MAX: usize = 65_536;

/// Number of bytes that a log has for each byte of its archive.
const UNPACKED: usize = 64;

pub struct ArchivedLog {
    bytes: Vec<u8>,
    /// End of each record's frame, in bytes.
    ends: Vec<usize>,
    log_end: LogEnd,
    /// Number of seats of the game.
    pub seats: u8,
    /// The memory of the log, which its caller holds.
    _memory: Option<SharedPlace>,
}

impl ArchivedLog {
    /// Reads the log of a game from the archive.
    ///
    /// # Errors
    /// If the archive does not answer, or has not the log whose end the journal knows.
    pub async fn read(ctx: &RecorderContext, account: &CallerAccount, game: GameId) -> OrFault<Self> {
        let summary = ctx.journal.game(game).await?;
        let log_end = summary.and_then(|summary| summary.log_end).ok_or(RequestFault::Internal)?;
        let head: [u8; 32] = log_end.head[..].try_into().map_err(|_| RequestFault::Internal)?;
        let path = ObjectPaths::of(game, &head).log;
        let packed = ctx.archive.get(&path).await.map_err(|fault| unarchived(game, &fault))?;
        let searches = ctx.searches.of(account.key());
        let memory = account.memory(packed.len() * UNPACKED).await?;
        let read =
            searches.run(const { Method::named("GetLog") }, move || Self::of(&packed, log_end)).await?;
        read.map(|log| Self { _memory: memory, ..log }).ok_or_else(|| {
            tracing::error!(game = hex(&game.0), "{path} in the archive is damaged");
            RequestFault::Internal
        })
    }

    /// Unpacks a log and checks its chain; `None` if the log has another end.
    fn of(packed: &[u8], log_end: LogEnd) -> Option<Self> {
        let bytes = unpack(packed).ok()?;
        let (mut reader, mut rest) = (Reader::new(), &bytes[..]);
        let (mut ends, mut seats, mut head) = (Vec::new(), None, [0; 32]);
        while let Some(frame) = reader.next(&mut rest).ok()? {
            if frame.n == 0
                && let Record::Genesis(genesis) = frame.record().ok()?
            {
                seats = Some(genesis.players.len() as u8);
            }
            head = frame.head;
            ends.push(bytes.len() - rest.len());
        }
        let is_whole = head == log_end.head[..] && ends.len() as u64 == log_end.n + 1;
        seats.filter(|_| is_whole).map(|seats| Self { bytes, ends, log_end, seats, _memory: None })
    }

    /// Returns the number of the last record.
    pub fn last_n(&self) -> u64 {
        self.log_end.n
    }

    /// Returns the piece that begins with record `from_n`.
    pub fn piece(&self, from_n: u64) -> GetLogResponse {
        let first = usize::try_from(from_n).unwrap_or(usize::MAX).min(self.ends.len());
        let begin = self.start(first);
        let fits = |end: &&usize| **end - begin <= PIECE_BYTES_MAX;
        let count = self.ends[first..].iter().take_while(fits).count().max(1);
        let next = (first + count).min(self.ends.len());
        let is_last = next == self.ends.len();
        GetLogResponse {
            frames: self.bytes[begin..self.start(next)].to_vec(),
            n: (next > first).then(|| next as u64 - 1),
            last: is_last,
            log_end: is_last.then(|| self.log_end.clone()),
        }
    }

    /// Returns the offset at which a record begins; the header of the log comes with record 0.
    fn start(&self, n: usize) -> usize {
        n.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

/// Returns the fault of a log that cannot be read from the archive.
pub fn unarchived(game: GameId, fault: &ArchiveFault) -> RequestFault {
    tracing::error!(game = hex(&game.0), "{fault}");
    match fault {
        ArchiveFault::Damaged { .. } | ArchiveFault::Unusable(_) => RequestFault::Internal,
        // An archive that is not mounted has no objects.
        ArchiveFault::Unavailable(_) | ArchiveFault::Missing(_) => RequestFault::ArchiveUnavailable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends a log whose frames end at these offsets, one of them longer than a piece.
    #[test]
    fn pieces_hold_whole_frames() {
        let ends = vec![40_000, 60_000, 65_536, 70_000, 140_000, 150_000];
        let bytes: Vec<u8> = (0..150_000_u32).map(|at| (at % 251) as u8).collect();
        let log_end = LogEnd { n: 5, seq: 0, head: vec![1; 32] };
        let log =
            ArchivedLog { bytes: bytes.clone(), ends, log_end: log_end.clone(), seats: 4, _memory: None };
        let table = [(0, 65_536, 2), (3, 4_464, 3), (4, 70_000, 4), (5, 10_000, 5), (1, 30_000, 3)];
        for (from_n, length, n) in table {
            let piece = log.piece(from_n);
            assert_eq!((piece.frames.len(), piece.n), (length, Some(n)), "from {from_n}");
            assert_eq!((piece.last, piece.log_end), (n == 5, (n == 5).then(|| log_end.clone())));
        }
        let (mut sent, mut from_n) = (Vec::new(), 0);
        while from_n <= log.last_n() {
            let piece = log.piece(from_n);
            sent.extend(piece.frames);
            from_n = piece.n.expect("a record") + 1;
        }
        assert_eq!(sent, bytes);
    }
}
