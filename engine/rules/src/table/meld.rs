//! Melds on the table, and canastas counted.

use super::Table;
use crate::action::{MeldId, MeldKind};
use crate::card::{Cards, Rank};
use crate::event::Grade;
use crate::rules::RuleSet;
use crate::seat::Side;

/// A meld on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meld {
    /// The side that owns it.
    pub side: Side,
    /// Its number within the side and round.
    pub id: MeldId,
    /// What it is.
    pub kind: MeldKind,
    /// The rank of a set.
    pub rank: Option<Rank>,
    /// Its cards.
    pub cards: Cards,
}

impl Meld {
    /// How many cards it has.
    pub fn len(&self) -> u16 {
        self.cards.len()
    }

    /// Whether it has no card (never true of a meld on the table).
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// How many twos and jokers it holds.
    pub fn wilds(&self) -> u8 {
        self.cards.wilds()
    }

    /// What kind of canasta it is under `set`; `None` while it is open. Black threes never are one.
    pub fn grade(&self, set: &RuleSet) -> Option<Grade> {
        grade(set, self.kind, self.len() as u8, self.wilds())
    }
}

/// What kind of canasta a meld of this kind and size with so many wilds is.
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

/// Completed melds of a side, counted for going out (ALG-14).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Canastas {
    /// Of any kind.
    pub total: u8,
    /// Without wild cards.
    pub clean: u8,
    /// Of wild cards only.
    pub wild: u8,
    /// Incomplete melds that bar going out (MV-001).
    pub barring: u8,
    /// Complete sequences.
    pub sequence: u8,
}

impl Canastas {
    /// Counts a meld of `rank` with so many wilds.
    pub fn count(&mut self, set: &RuleSet, rank: Option<Rank>, wilds: u8, grade: Option<Grade>) {
        let Some(grade) = grade else {
            self.barring += u8::from(set.bars_going_out(rank, wilds));
            return;
        };
        self.total += 1;
        self.clean += u8::from(matches!(grade, Grade::Natural | Grade::Sequence));
        self.wild += u8::from(grade == Grade::Wild);
        self.sequence += u8::from(grade == Grade::Sequence);
    }
}

impl Table {
    /// The melds of `side`, by id.
    pub fn melds_of(&self, side: Side) -> impl Iterator<Item = &Meld> {
        self.melds.iter().filter(move |m| m.side == side)
    }

    /// The meld `id` of `side`.
    pub fn meld(&self, side: Side, id: MeldId) -> Option<&Meld> {
        self.melds.iter().find(|m| m.side == side && m.id == id)
    }

    /// The id of the meld that `side` begins now.
    pub(crate) fn begin_meld_id(&mut self, side: Side) -> MeldId {
        let next = &mut self.round.next_id[side.index()];
        *next += 1;
        MeldId(*next - 1)
    }

    /// Puts a meld in its place among the melds.
    pub(crate) fn insert_meld(&mut self, meld: Meld) {
        let at = self.melds.partition_point(|m| (m.side, m.id) < (meld.side, meld.id));
        self.melds.insert(at, meld);
    }

    /// The completed melds of `side`.
    pub fn canastas(&self, side: Side) -> Canastas {
        let mut canastas = Canastas::default();
        for meld in self.melds_of(side) {
            canastas.count(self.set(), meld.rank, meld.wilds(), meld.grade(self.set()));
        }
        canastas
    }

    /// Puts the cards of the meld at `b` onto the one at `a`, both of one side; the id of `b` is not used again.
    pub(crate) fn unite(&mut self, a: u8, b: u8) {
        let cards = self.melds[usize::from(b)].cards;
        self.melds[usize::from(a)].cards.add(&cards);
        self.melds.remove(usize::from(b));
    }
}
