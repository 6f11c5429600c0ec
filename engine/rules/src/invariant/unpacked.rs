//! The invariants that packed tables are tested for.

use super::{ALL, Invariant, first_broken};
use crate::table::{Found, Table};

/// Tests the invariants that the bits of a packed table can contradict.
///
/// # Errors
/// As [`check_all`](super::check_all).
pub(crate) fn check_unpacked(table: &Table) -> Result<(), (&'static str, Found)> {
    first_broken(table, UNPACKED.iter())
}

/// The number of invariants that packed tables are tested for.
const UNPACKED_COUNT: usize = {
    let (mut count, mut at) = (0, 0);
    while at < ALL.len() {
        count += ALL[at].tested_when_unpacked as usize;
        at += 1;
    }
    count
};

/// The invariants that packed tables are tested for, in the order of [`ALL`].
const UNPACKED: [Invariant; UNPACKED_COUNT] = {
    let (mut unpacked, mut count, mut at) = ([ALL[0]; UNPACKED_COUNT], 0, 0);
    while at < ALL.len() {
        if ALL[at].tested_when_unpacked {
            unpacked[count] = ALL[at];
            count += 1;
        }
        at += 1;
    }
    unpacked
};
