//! A packed log: an archive of docs/formats/ARCHIVE.md with one log.

use canasta_engine::archive::{
    ARCHIVE_HEADER, ArchiveBlock, ArchiveError, FOOTER, Footer, closing, pack as pack_block,
};
use canasta_engine::deal::GameId;
use canasta_engine::hex::hex;

/// Bytes that are not the packed log of one game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnpackError {
    /// The bytes are not an archive, or a damaged one.
    #[error("{0}")]
    Archive(ArchiveError),
    #[error("{0} bytes are no archive")]
    Short(usize),
    #[error("{0} logs, expected 1")]
    Logs(u32),
}

/// Packs the log of a game.
///
/// # Panics
/// If the log has more than [`canasta_engine::archive::LOG_MAX`] bytes.
pub fn pack(game: GameId, log: &[u8]) -> Vec<u8> {
    let packed = pack_block(&[log]);
    let names = vec![format!("{}.clog", hex(&game.0))];
    let block = ArchiveBlock::new(ARCHIVE_HEADER.len() as u64, names, &[log], &packed);
    [&ARCHIVE_HEADER[..], &packed.body, &closing(&[block])].concat()
}

/// Returns the log that [`pack`] has packed. Memory and work are bounded by the length of the bytes.
///
/// # Errors
/// If the bytes are not those of one packed log.
pub fn unpack(bytes: &[u8]) -> Result<Vec<u8>, UnpackError> {
    let short = || UnpackError::Short(bytes.len());
    let header = bytes.first_chunk().ok_or_else(short)?;
    let footer = bytes.last_chunk::<FOOTER>().ok_or_else(short)?;
    let footer = Footer::read(header, footer, bytes.len() as u64).map_err(UnpackError::Archive)?;
    if footer.logs != 1 {
        return Err(UnpackError::Logs(footer.logs));
    }
    let offset = usize::try_from(footer.offset).map_err(|_| short())?;
    let index = bytes.get(offset..bytes.len() - FOOTER).ok_or_else(short)?;
    let blocks = footer.blocks(index).map_err(UnpackError::Archive)?;
    let block = blocks.first().ok_or_else(short)?;
    let packed = bytes.get(ARCHIVE_HEADER.len()..offset).ok_or_else(short)?;
    let logs = block.unpack(packed, false).map_err(UnpackError::Archive)?;
    logs.into_iter().next().ok_or_else(short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_flipped_byte_is_found() {
        let log = b"no log, which is stored as it is".repeat(9);
        let packed = pack(GameId([7; 16]), &log);
        assert_eq!(unpack(&packed), Ok(log));
        for at in 0..packed.len() {
            let mut damaged = packed.clone();
            damaged[at] ^= 0x10;
            assert!(unpack(&damaged).is_err(), "byte {at}");
            assert!(unpack(&packed[..at]).is_err(), "cut off at {at}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = unpack(&bytes);
            let framed = [&ARCHIVE_HEADER[..], &bytes].concat();
            let _ = unpack(&framed);
        }
    }
}
