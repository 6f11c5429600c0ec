//! The part of an audit that goes on after a fault in the frames.

use super::super::finding::{Finding, FindingKind};
use super::super::reader::Reader;
use super::super::replay::Watch;
use super::super::salvage::Salvager;
use super::{Auditor, FrameSource, RECORD_UNITS, Tally, take};
use canasta_log::error::LogError;

/// Number of bytes that are fed at once.
const PIECE: usize = 1 << 12;
/// Work of looking for frames in a piece, in units of a search node.
const PIECE_UNITS: u32 = 1024;

impl Auditor {
    /// Replaces the reader, which has met a fault, by a salvager.
    pub(super) fn salvage(&mut self, error: &LogError) {
        let FrameSource::Strict(reader) =
            core::mem::replace(&mut self.source, FrameSource::Strict(Reader::new()))
        else {
            return;
        };
        let prefix = (reader.chain(), reader.offset());
        self.source = FrameSource::Salvage { prefix, salvager: Salvager::behind(reader) };
        self.tally.fault(Finding::of_error(error));
    }

    pub(super) fn feed_salvager(&mut self, piece: &[u8], watch: &mut dyn Watch) -> bool {
        for part in piece.chunks(PIECE) {
            if self.tally.is_given_up(PIECE_UNITS) {
                return false;
            }
            if let FrameSource::Salvage { salvager, .. } = &mut self.source {
                salvager.feed(part);
            }
            self.drain_salvager(false, watch);
        }
        true
    }

    pub(super) fn drain_salvager(&mut self, is_all: bool, watch: &mut dyn Watch) {
        let FrameSource::Salvage { salvager, .. } = &mut self.source else { return };
        while let Some((frame, skipped)) = salvager.next(is_all) {
            if self.tally.is_given_up(RECORD_UNITS) {
                return;
            }
            if skipped > 0 {
                find_gap(&mut self.tally, frame.n, frame.offset - skipped, skipped);
                if let Some(game) = &mut self.game {
                    game.lose();
                }
            }
            take(&mut self.game, &mut self.tally, &frame, watch);
        }
    }
}

/// Reports bytes that hold no frame, before a record.
pub(super) fn find_gap(tally: &mut Tally, record: u64, offset: u64, bytes: u64) {
    let detail = alloc::format!(
        "{bytes} bytes hold no frame and are passed over: how many records are missing is not known"
    );
    tally.fault(Finding::new(FindingKind::Corrupt, record, offset, detail));
}
