//! The signed notes over a log: callers get one at least every 64 records, so that a recorder cannot lose or rewrite more
//! without a proof against it. The service itself signs when a round ends.

use canasta_messages::answers::proposal::ReadProposal;
use canasta_service::context::RequestContext;

use crate::entry::JournalEntry;
use crate::records;

/// Number of records from one due note to the next.
const EVERY: u64 = 64;

/// Asks for a signed note behind the last proposal, if one is due and the server has a key.
pub fn request(ctx: &RequestContext, before: &JournalEntry, list: &mut [ReadProposal]) {
    if ctx.signer.is_some()
        && is_due(before, list.len() as u64)
        && let Some(last) = list.last_mut()
    {
        last.wants.checkpoint = true;
    }
}

/// Whether an entry of at least `records` records must be signed. This depends on nothing but the entry before it, so that
/// a retry is judged alike.
fn is_due(before: &JournalEntry, records: u64) -> bool {
    let passes = |from: u64, to: u64| to / EVERY > from / EVERY;
    // An action may bring further records with it, so the entry before may have passed a due place unsigned.
    let earlier = records::first_n(before).saturating_sub(1);
    passes(before.n, before.n + records)
        || passes(earlier, before.n) && records::checkpoint(records::frames(before)).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use canasta_engine::log::record::Remark;
    use canasta_engine::log::{Chain, Record};

    /// Returns an entry of this many records that ends with record `n`, the last of them a note if it is signed.
    fn entry(n: u64, records: u64, is_signed: bool) -> JournalEntry {
        let (mut chain, mut frames) = (Chain { next: n + 1 - records, head: [0; 32] }, Vec::new());
        for at in 1..=records {
            let note = Record::Remark(Remark::checkpoint("signed")).encode().expect("it is short");
            chain.append(if is_signed && at == records { &note } else { &[0xee] }, &mut frames);
        }
        JournalEntry { n, head: chain.head, frames, ..JournalEntry::plain() }
    }

    #[test]
    fn a_note_is_due_at_each_64th_record() {
        let table = [
            // Last record before, its entry's records, signed; records of the entry; due.
            (62, 1, false, 1, false),
            (63, 1, false, 1, true),
            (62, 1, false, 2, true),
            (64, 1, false, 1, true),
            (65, 2, true, 1, false),
            (64, 3, false, 1, true),
            (65, 1, false, 1, false),
            (66, 3, true, 62, true),
            (127, 1, false, 1, true),
        ];
        for (n, records, is_signed, next, expected) in table {
            assert_eq!(is_due(&entry(n, records, is_signed), next), expected, "{n} {records} {next}");
        }
    }
}
