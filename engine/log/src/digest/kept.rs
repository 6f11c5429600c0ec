//! Digests of one table after each of its actions.

use super::out::{EMPTY, Piece};
use super::{PUBLIC, first_of, hash_in, public};
use canasta_rules::action::Action;
use canasta_rules::table::Table;

/// The public digests of one table, action by action. Draws and discards are most actions, and leave the melds alone
/// unless the round ends: after them the bytes of melds and laid threes are not gathered again.
pub struct Digests {
    piece: Piece,
    /// The last digest; `None` if its bytes do not all lie in `piece`.
    last: Option<Gathered>,
}

/// A digest's bytes in the buffer.
struct Gathered {
    /// The step of the table.
    step: u64,
    /// The number of laid threes.
    laid: u16,
    /// The end of melds and laid threes in the buffer.
    end: usize,
}

impl Default for Digests {
    fn default() -> Self {
        Self { piece: EMPTY, last: None }
    }
}

impl Digests {
    /// Returns the [`public`] digest of `table` after `action`, which was the last action at this table.
    pub fn after(&mut self, action: &Action, table: &Table) -> [u8; 8] {
        let (step, laid) = (table.step(), laid_count(table));
        // A discard that goes out may form sides (ALG-22), whose melds are joined.
        let keeps_melds =
            matches!(action, Action::DrawStock | Action::Discard(_)) && table.round_over().is_none();
        // A draw may lay threes, and takes none away.
        let is_same = |last: &Gathered| last.step + 1 == step && last.laid == laid;
        let kept = self.last.take().filter(|last| keeps_melds && is_same(last));
        let Self { piece, last } = self;
        let digest = first_of(hash_in(piece, PUBLIC, |out| {
            out.table(table);
            match kept {
                Some(kept) => out.keep(kept.end),
                None => out.melds_and_laid(table),
            }
            let end = out.length();
            out.rest(table);
            *last = end.filter(|_| out.length().is_some()).map(|end| Gathered { step, laid, end });
        }));
        debug_assert_eq!(digest, public(table), "draws and discards leave the melds alone: {action:?}");
        digest
    }
}

/// Returns the number of threes that are laid.
pub(super) fn laid_count(table: &Table) -> u16 {
    table.seats().map(|seat| table.laid(seat).len()).sum()
}
