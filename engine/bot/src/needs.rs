//! The canastas that a side still lacks to go out.

use super::weights::{Weight as W, Weights};
use canasta_rules::card::Rank;
use canasta_rules::event::Grade;
use canasta_rules::facts::suffices;
use canasta_rules::rules::{Ranks, RuleSet};
use canasta_rules::seat::Side;
use canasta_rules::table::Canastas;
use canasta_rules::view::OpenTable;

/// The canastas that the rule set requires to go out, and the canastas that the side has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    have: Canastas,
    met: bool,
    total: u8,
    clean: u8,
    wild: u8,
    sequence: u8,
    mixed: u8,
    ranks: Ranks,
}

impl Needs {
    pub(super) fn of(table: &OpenTable, side: Side) -> Self {
        let set = table.rules.set();
        let mut have = Canastas::default();
        for view in table.melds_of(side) {
            have.count(set, view.meld.rank, view.meld.wilds(), view.grade);
        }
        Self::with(set, have)
    }

    fn with(set: &RuleSet, have: Canastas) -> Self {
        Self {
            have,
            met: suffices(set, have),
            total: set.go_out_total,
            clean: set.go_out_clean,
            wild: set.go_out_wild,
            sequence: set.go_out_sequence,
            mixed: set.go_out_mixed,
            ranks: set.go_out_ranks,
        }
    }

    /// Whether the canastas suffice to go out and no open meld forbids it.
    pub(super) fn are_met(&self) -> bool {
        self.met
    }

    /// Whether `more` further canastas could be enough to go out.
    pub(super) fn may_be_met_by(&self, more: u8) -> bool {
        self.are_met() || (more > 0 && self.have.total + more >= self.total)
    }

    /// Whether a wild canasta is lacking.
    pub(super) fn wild(&self) -> bool {
        self.have.wild < self.wild
    }

    /// Whether a sequence is lacking.
    pub(super) fn sequence(&self) -> bool {
        self.have.sequence < self.sequence
    }

    /// Returns the value that the requirements add to a canasta of this grade and rank. `counted`: the canasta is
    /// already among those that the side has.
    pub(super) fn worth(&self, weights: &Weights, grade: Grade, rank: Option<Rank>, counted: bool) -> i32 {
        let own = u8::from(counted);
        let lacks = |is: bool, have: u8, need: u8| i32::from(is && have.saturating_sub(own) < need);
        let clean = matches!(grade, Grade::Natural | Grade::Sequence);
        let is_asked = |rank: Rank| self.ranks.contains(rank) && self.have.ranks & 1 << rank.index() == 0;
        let kinds = lacks(clean, self.have.clean, self.clean)
            + lacks(grade == Grade::Wild, self.have.wild, self.wild)
            + lacks(grade == Grade::Sequence, self.have.sequence, self.sequence)
            + lacks(grade == Grade::Mixed, self.have.mixed, self.mixed)
            + i32::from(rank.is_some_and(is_asked));
        weights[W::Needed] * lacks(true, self.have.total, self.total) + weights[W::NeededKind] * kinds
    }
}
