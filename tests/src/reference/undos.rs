//! The ways back of loose melds.

use super::counts::{self, Counts, KINDS};
use super::facts;
use canasta_engine::action::{Action, CardList, MeldId, MeldKind};
use canasta_engine::card::{Card, Rank};
use canasta_engine::sequence::{Sequence, card_at};
use canasta_engine::table::{Loose, Meld, Table};

/// An iterator over the returns of every part of every loose meld. Melds are in the order of their ids, parts
/// in the order of their counts of each kind, and parts of a sequence in the order of their number of cards at
/// the low end, then at the high end.
pub struct Undos<'a> {
    loose: std::slice::Iter<'a, Loose>,
    table: &'a Table,
    meld: MeldId,
    rank: Option<Rank>,
    limits: Counts,
    counts: Counts,
    /// The parts of a sequence that are still to come.
    ends: std::vec::IntoIter<CardList>,
}

impl<'a> Undos<'a> {
    pub fn new(table: &'a Table) -> Self {
        let (limits, counts) = ([0; KINDS], [0; KINDS]);
        let (loose, ends) = (table.loose().iter(), Vec::new().into_iter());
        Self { loose, table, meld: MeldId(0), rank: None, limits, counts, ends }
    }
}

impl Iterator for Undos<'_> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        loop {
            if let Some(cards) = self.ends.next() {
                return Some(Action::UndoMeld { meld: self.meld, cards });
            }
            for place in (0..KINDS).rev() {
                if self.counts[place] < self.limits[place] {
                    self.counts[place] += 1;
                    let cards = counts::cards(&self.counts, self.rank);
                    return Some(Action::UndoMeld { meld: self.meld, cards });
                }
                self.counts[place] = 0;
            }
            self.limits = [0; KINDS];
            let loose = self.loose.next()?;
            let side = self.table.side_of(self.table.turn_seat());
            let meld = self.table.meld(side, loose.meld)?;
            self.meld = loose.meld;
            if meld.kind == MeldKind::Sequence {
                self.ends = ends(meld, loose).into_iter();
                continue;
            }
            self.rank = counts::rank_of(meld.kind, meld.rank);
            let cards: CardList = loose.cards.iter().collect();
            self.limits = counts::counts(&cards);
        }
    }
}

/// Returns the parts that may leave a sequence: loose cards at its ends.
fn ends(meld: &Meld, loose: &Loose) -> Vec<CardList> {
    let Some(sequence) = Sequence::of_meld(meld) else { return Vec::new() };
    let cards: Vec<Card> =
        (sequence.low..facts::end(sequence)).map(|place| card_at(sequence.suit, place)).collect();
    let is_loose = |card: &&Card| loose.cards.count(**card) > 0;
    let low = cards.iter().take_while(is_loose).count();
    let high = cards.iter().rev().take_while(is_loose).count();
    let mut parts = Vec::new();
    // The whole sequence is a part only once: from the high end.
    for below in 0..=low.min(cards.len() - 1) {
        let most = high.min(cards.len() - below - usize::from(below > 0));
        for above in usize::from(below == 0)..=most {
            let mut part: CardList =
                cards[..below].iter().chain(&cards[cards.len() - above..]).copied().collect();
            part.sort_unstable();
            parts.push(part);
        }
    }
    parts
}
