//! Melds on the table, and counts of canastas.

use super::Table;
use crate::action::{MeldId, MeldKind};
use crate::card::{Cards, Rank};
use crate::event::Grade;
use crate::rules::RuleSet;
use crate::seat::Side;

/// A meld on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meld {
    /// The side that owns the meld.
    pub side: Side,
    /// The number of the meld within its side and round.
    pub id: MeldId,
    /// The kind of the meld.
    pub kind: MeldKind,
    /// The rank of a set; `None` for other kinds.
    pub rank: Option<Rank>,
    /// The cards of the meld.
    pub cards: Cards,
}

impl Meld {
    /// Returns the number of cards.
    pub fn len(&self) -> u16 {
        self.cards.len()
    }

    /// Whether the meld has no card (never true of a meld on the table).
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// Returns the number of twos and jokers in the meld.
    pub fn wilds(&self) -> u8 {
        self.cards.wilds()
    }

    /// Returns the kind of canasta that the meld is under `set`; `None` while the meld is open. Black threes
    /// are never a canasta.
    pub fn grade(&self, set: &RuleSet) -> Option<Grade> {
        grade(set, self.kind, self.len() as u8, self.wilds())
    }
}

/// Returns the kind of canasta that a meld with this kind, size and number of wilds is; `None` if it is no
/// canasta.
pub fn grade(set: &RuleSet, kind: MeldKind, size: u8, wilds: u8) -> Option<Grade> {
    let full = if kind == MeldKind::Sequence { set.sequence_max } else { set.canasta_size };
    if kind == MeldKind::BlackThrees || size < full {
        return None;
    }
    Some(match kind {
        MeldKind::Wild => Grade::Wild,
        MeldKind::Sequence => Grade::Sequence,
        _ if wilds == 0 => Grade::Natural,
        _ => Grade::Mixed,
    })
}

/// The canastas of a side, counted for going out (ALG-14).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Canastas {
    /// The number of canastas of any kind.
    pub total: u8,
    /// The number of canastas without wild cards.
    pub clean: u8,
    /// The number of canastas of wild cards only.
    pub wild: u8,
    /// The number of incomplete melds that bar going out (MV-001).
    pub barring: u8,
    /// The number of completed sequences.
    pub sequence: u8,
    /// The number of canastas of naturals and wilds.
    pub mixed: u8,
    /// A bit for each rank of a canasta.
    pub ranks: u16,
}

impl Canastas {
    /// Counts a meld of `rank` with this number of wilds; `grade` is `None` for an open meld.
    pub fn count(&mut self, set: &RuleSet, rank: Option<Rank>, wilds: u8, grade: Option<Grade>) {
        let Some(grade) = grade else {
            self.barring += u8::from(set.bars_going_out(rank, wilds));
            return;
        };
        self.total += 1;
        self.clean += u8::from(matches!(grade, Grade::Natural | Grade::Sequence));
        self.wild += u8::from(grade == Grade::Wild);
        self.sequence += u8::from(grade == Grade::Sequence);
        self.mixed += u8::from(grade == Grade::Mixed);
        self.ranks |= rank.map_or(0, |rank| 1 << rank.index());
    }
}

impl Table {
    /// Returns the melds of `side`, by id.
    pub fn melds_of(&self, side: Side) -> impl Iterator<Item = &Meld> {
        self.melds.iter().filter(move |m| m.side == side)
    }

    /// Returns the meld `id` of `side`.
    pub fn meld(&self, side: Side, id: MeldId) -> Option<&Meld> {
        self.melds.iter().find(|m| m.side == side && m.id == id)
    }

    /// Returns the id of a meld that `side` begins now, and marks the id as used.
    pub(crate) fn begin_meld_id(&mut self, side: Side) -> MeldId {
        let next = &mut self.round.next_id[side.index()];
        *next += 1;
        MeldId(*next - 1)
    }

    /// Inserts a meld at its place in the order of the melds.
    pub(crate) fn insert_meld(&mut self, meld: Meld) {
        let at = self.melds.partition_point(|m| (m.side, m.id) < (meld.side, meld.id));
        self.melds.insert(at, meld);
    }

    /// Counts the canastas of `side`.
    pub fn canastas(&self, side: Side) -> Canastas {
        let mut canastas = Canastas::default();
        for meld in self.melds_of(side) {
            canastas.count(self.set(), meld.rank, meld.wilds(), meld.grade(self.set()));
        }
        canastas
    }

    /// Moves the cards of the meld at index `b` to the meld at index `a` of the same side. The id of `b` is
    /// not used again.
    pub(crate) fn unite(&mut self, a: u8, b: u8) {
        let cards = self.melds[usize::from(b)].cards;
        self.melds[usize::from(a)].cards.add(&cards);
        self.melds.remove(usize::from(b));
    }
}
