//! Properties of cards and melds that count towards the initial meld (ALG-10, ALG-11).

use crate::action::MeldKind;
use crate::card::{Card, Rank};
use crate::rules::{Exempt, InitialContent, InitialCount, PileSteps, RuleSet};
use crate::table::{Phase, Source, Table};

/// A meld of a batch: the cards of it that count towards the initial meld.
#[derive(Clone, Copy)]
pub(crate) struct InitialPart {
    pub kind: MeldKind,
    pub naturals: u8,
    pub wilds: u8,
}

impl InitialPart {
    /// Whether the meld is one that the initial batch must contain (MA-095, HF-066). Every meld is, if the rule
    /// set requires none.
    pub(crate) fn is_content(&self, set: &RuleSet) -> bool {
        match set.initial_content {
            InitialContent::None => true,
            _ if self.kind == MeldKind::Wild => self.wilds >= set.meld_min,
            InitialContent::TripleOrWild => self.kind == MeldKind::Set && self.naturals >= 3,
            InitialContent::CleanOrWild => self.wilds == 0,
        }
    }

    /// Whether the meld has a canasta of naturals or of wilds complete in the hand, under a rule set where such
    /// a canasta needs no minimum (MA-103).
    pub(crate) fn is_splash(&self, set: &RuleSet) -> bool {
        let size = match self.kind {
            MeldKind::Set => self.naturals,
            MeldKind::Wild => self.wilds,
            MeldKind::Sequence | MeldKind::BlackThrees => 0,
        };
        set.initial_exempt.contains(Exempt::Splash) && size >= set.canasta_size
    }
}

/// Whether so many cards of the hand that lie with the top of a take are no part of the initial meld, neither by their
/// points nor as its content: only melds from the hand count, and without the top they are none (MA-063, MA-102).
pub(crate) fn is_bare(set: &RuleSet, from_hand: usize) -> bool {
    set.initial_count == InitialCount::HandMelds && from_hand < usize::from(set.meld_min)
}

/// Whether the seat in turn needs no minimum to go out. The caller checks that its side has not opened.
pub(crate) fn exempts_going_out(table: &Table) -> bool {
    let (set, exempts) = (table.set(), table.set().initial_exempt);
    let from_stock = table.turn.source == Source::Stock && exempts.contains(Exempt::ConcealedStock);
    // AMB-HN-19: where the rest of the pile is handed over only against points, a take still needs these
    // points.
    let takes = set.pile_steps == PileSteps::Two && matches!(table.phase, Phase::Start | Phase::Taking);
    (from_stock || exempts.contains(Exempt::ConcealedAny)) && !takes
}

/// Returns the value of cards towards the minimum (CL-060). `rank` is the rank of their set, `None` for other
/// melds.
pub fn points(table: &Table, rank: Option<Rank>, cards: &[Card]) -> i32 {
    match rank {
        Some(rank) => table.rules.points_in_set(rank, cards),
        None => cards.iter().map(|&card| table.rules.card_points(card)).sum(),
    }
}
